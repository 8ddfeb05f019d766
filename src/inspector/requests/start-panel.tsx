/** What somebody needs who begins: addresses, a key, a command, and the data that is there. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { encode, get } from '../api.js'
import type { Page } from '../api-types.js'
import { toText } from '../exact-json.js'
import { CopyButton } from '../parts/copy-button.js'
import { toHash } from '../router.js'
import { about, collections, dataVersion, isWorldGone, world } from '../store.js'

export function StartPanel(): JSX.Element | null {
  if (!about.value) return null
  const { environments, about: which, curl, tokens, keys } = about.value
  return (
    <div class="start">
      <h2>Send a request</h2>
      <p>Everything that you send to the sandbox appears here at once, with the reason for its answer.</p>
      <div class="command">
        <pre>
          <code>{curl}</code>
        </pre>
        <CopyButton text={() => curl} label="Copy" />
      </div>
      <dl class="facts">
        {environments.map(({ name, url }) => (
          <>
            <dt>{name}</dt>
            <dd>
              <code>{url}</code>
            </dd>
          </>
        ))}
        <dt>Key</dt>
        <dd>
          {keys[0] && (
            <>
              <code>{keys[0].key}</code>{' '}
            </>
          )}
          <span class="dim">{which}</span>
        </dd>
        {tokens !== undefined && (
          <>
            <dt>Tokens</dt>
            <dd>
              <code>{tokens}</code>
            </dd>
          </>
        )}
        <dt>Document</dt>
        <dd>
          <a href="/_sandbox/openapi.yaml">openapi.yaml</a>, <a href="/_sandbox/openapi.json">openapi.json</a>
        </dd>
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
  const samples = useSignal<Sample[] | undefined>(undefined)
  const id = world.value
  const all = collections.value
  const version = dataVersion.value
  useEffect(() => {
    const load = async ({ name }: { name: string }): Promise<Sample> => {
      const { total, records } = await get<Page>(
        `/worlds/${encode(id)}/collections/${encode(name)}/records?limit=${maxRows}`,
      )
      const shown = (value: unknown) => value != null && !(typeof value === 'object' && !('text' in value))
      const names = [...new Set(records.flatMap(({ values }) => Object.keys(values)))]
        .filter((each) => !each.startsWith('{') && records.some(({ values }) => shown(values[each])))
        .slice(0, maxColumns)
      return { name, total, names, rows: records.map(({ values }) => names.map((each) => toText(values[each]))) }
    }
    if (id !== '' && !isWorldGone.value)
      Promise.all(all.slice(0, maxTables).map(load)).then(
        (loaded) => {
          samples.value = loaded
        },
        () => {},
      )
  }, [id, all, version])
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
