/** What a new user needs: addresses, a key, a command, and a sample of the data. */

import type { JSX } from 'preact'
import { isPathProperty } from '../../json/path-property.js'
import { encode, get } from '../api.js'
import type { Page } from '../api-types.js'
import { isComposite, toText } from '../json-text.js'
import { Command, Fact } from '../parts/bits.js'
import { useLoaded } from '../parts/jobs.js'
import { toHash } from '../router.js'
import { about, collections, dataVersion, isWorldGone, world } from '../store.js'

export function StartPanel(): JSX.Element | null {
  if (!about.value) return null
  const { environments, about: which, curl, tokens, keys } = about.value
  return (
    <div class="start">
      <h2>Send a request</h2>
      <p>Everything that you send to the sandbox appears here at once, with the reason for its answer.</p>
      <Command text={curl} label="Copy" />
      <dl class="facts">
        {environments.map(({ name, url }) => (
          <Fact key={name} name={name}>
            <code>{url}</code>
          </Fact>
        ))}
        <Fact name="Key">
          {keys[0] && <code>{keys[0].key}</code>} <span class="dim">{which}</span>
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

interface Sample {
  name: string
  total: number
  names: string[]
  rows: string[][]
}

const maxTables = 3
const maxRows = 3
const maxColumns = 5

/** The newest records of the first collections. */
function Tables(): JSX.Element {
  const { value: id } = world
  const { value: all } = collections
  const { loaded: samples } = useLoaded(
    () =>
      id === '' || isWorldGone.value
        ? undefined
        : Promise.all(all.slice(0, maxTables).map(({ name }) => loadSample(id, name))),
    [id, all, dataVersion.value],
  )
  if (all.length === 0)
    return <p class="dim">This document keeps no records: each operation answers with an example.</p>
  return (
    <div class="samples">
      {(samples.value ?? []).map(({ name, total, names, rows }) => (
        <div key={name} class="scroll">
          <table class="sample">
            <caption>
              <a href={toHash('data', name)}>{name}</a> <span class="dim">{total.toLocaleString('en')}</span>
            </caption>
            {rows.length > 0 && (
              <>
                <thead>
                  <tr>
                    {names.map((each) => (
                      <th key={each}>{each}</th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {rows.map((row, index) => (
                    <tr key={String(index)}>
                      {row.map((text, at) => (
                        <td key={names[at]}>{text}</td>
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

async function loadSample(id: string, name: string): Promise<Sample> {
  const path = `/worlds/${encode(id)}/collections/${encode(name)}/records?limit=${maxRows}`
  const { total, records } = await get<Page>(path)
  const isShown = (value: unknown) => value != null && !isComposite(value)
  const names = [...new Set(records.flatMap(({ values }) => Object.keys(values)))]
    .filter((each) => !isPathProperty(each) && records.some(({ values }) => isShown(values[each])))
    .slice(0, maxColumns)
  return { name, total, names, rows: records.map(({ values }) => names.map((each) => toText(values[each]))) }
}
