/** What a new user needs: addresses, a key, a command, and a sample of the data. */
import type { JSX } from 'preact'
import { type Collection, encode, get, type Page } from '../api.js'
import { Cell } from '../data/cell.js'
import { columnsOf, sideOf } from '../data/columns.js'
import { toRecordHash } from '../data/place.js'
import { isComposite } from '../json-text.js'
import { Command, Fact } from '../parts/bits.js'
import { useLoaded } from '../parts/jobs.js'
import { toHash } from '../router.js'
import { about, collections, dataVersion, isEmpty, isWorldGone, keyOf, sampleColumns, world } from '../store.js'
import { placeholder } from './replay.js'

export function StartPanel(): JSX.Element | null {
  if (!about.value) return null
  const { environments, about: which, curl, tokens, keys } = about.value
  const key = keyOf(world.value) ?? placeholder
  // A host may have the name of the usual key.
  const command = [' ', '='].reduce((text, sign) => text.replaceAll(sign + keys[0]?.key, sign + key), curl)
  return (
    <div class="start">
      <h2>Send a request</h2>
      <p>Everything that you send to the sandbox appears here at once, with the reason for its answer.</p>
      <Command text={command} label="Copy" />
      <dl class="facts">
        {environments.map(({ name, url }) => (
          <Fact key={name} name={name}>
            <code>{url}</code>
          </Fact>
        ))}
        <Fact name="Key">
          <code>{key}</code> <span class="dim">{which}</span>
        </Fact>
        {tokens !== undefined && (
          <Fact name="Tokens">
            <code>{tokens}</code>
          </Fact>
        )}
        <Fact name="Document">
          <a href="/_sandbox/openapi.yaml">openapi.yaml</a>, <a href="/_sandbox/openapi.json">openapi.json</a>
        </Fact>
      </dl>
      <h2>Data</h2>
      <Tables />
      <h2>What next?</h2>
      <ul class="next">
        <li>
          <a href={toHash('operations')}>Try an operation</a> in a form that its schema makes
        </li>
        <li>
          <a href={toHash('faults')}>Let the next request fail</a>, to see what your program does
        </li>
        <li>
          <a href={toHash('worlds')}>Make a world for a test</a>, with a key of its own
        </li>
      </ul>
    </div>
  )
}

interface Sample extends Page {
  collection: Collection
  names: string[]
}

const maxTables = 3
const maxRows = 3
/** Records that decide on the columns. */
const measuredRows = 20
const maxColumns = 5

/** The newest records of the first collections that have some. */
function Tables(): JSX.Element {
  const { value: id } = world
  const { value: all } = collections
  const filled = all.toSorted((one, other) => Number(isEmpty(one.name)) - Number(isEmpty(other.name)))
  const { loaded: samples } = useLoaded(
    () =>
      id === '' || isWorldGone.value
        ? undefined
        : Promise.all(filled.slice(0, maxTables).map((each) => loadSample(id, each))),
    [id, all, filled.map(({ name }) => name).join('\n'), dataVersion.value],
  )
  if (all.length === 0)
    return <p class="dim">This document keeps no records: each operation answers with an example.</p>
  return (
    <div class="samples">
      {(samples.value ?? []).map(({ collection, total, names, records }) => (
        <div key={collection.name} class="scroll">
          <table class="sample">
            <caption>
              <a href={toHash('data', collection.name)}>{collection.name}</a>{' '}
              <span class="dim">{total.toLocaleString('en')}</span>
            </caption>
            {records.length > 0 && (
              <>
                <thead>
                  <tr>
                    {names.map((each) => (
                      <th key={each} class={sideOf(collection, each, records)}>
                        {each}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {records.map(({ id, values }) => (
                    <tr key={id}>
                      {names.map((each, at) => (
                        <td key={each} class={sideOf(collection, each, records)}>
                          <Cell
                            {...{ collection, values, property: each }}
                            open={at === 0 ? toRecordHash(collection, values) : undefined}
                            isActive
                          />
                        </td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </>
            )}
          </table>
        </div>
      ))}
      {all.length > maxTables && (
        <p>
          <a href={toHash('data')}>All {all.length} collections</a>
        </p>
      )}
    </div>
  )
}

async function loadSample(id: string, collection: Collection): Promise<Sample> {
  const { name } = collection
  const path = `/worlds/${encode(id)}/collections/${encode(name)}/records?limit=${measuredRows}`
  const { total, records } = await get<Page>(path)
  const isShown = (each: string) => records.some(({ values }) => values[each] != null && !isComposite(values[each]))
  const { all, usual } = columnsOf(collection, records)
  // Another document may be served now.
  const kept = sampleColumns.get(name)?.filter((each) => all.includes(each)) ?? []
  const names = kept.length > 0 ? kept : usual.filter(isShown).slice(0, maxColumns)
  sampleColumns.set(name, names)
  return { collection, total, names, records: records.slice(0, maxRows) }
}
