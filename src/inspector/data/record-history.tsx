/** Which exchanges changed a record, with its values before and after. */
import type { JSX } from 'preact'
import { isPathProperty } from '../../json/path-property.js'
import { type Collection, get, type RecordChange, type Values } from '../api.js'
import { isObject, toText, writeExact } from '../json-text.js'
import { Empty, Method, toMoment } from '../parts/bits.js'
import { Problem, useLoaded } from '../parts/jobs.js'
import { toHash } from '../router.js'
import { dataVersion, world } from '../store.js'
import { findRecord, type Identity, toPath } from './place.js'

export function RecordHistory({ collection, identity }: { collection: Collection; identity: Identity }): JSX.Element {
  const { loaded, problem } = useLoaded(async () => {
    const record = await findRecord(collection, identity)
    if (!record) throw new Error('It was removed')
    const changes = await get<RecordChange[]>(toPath(collection, `/${record.id}/changes`))
    return { values: record.values, changes }
  }, [collection, identity.join('\n'), world.value, dataVersion.value])
  if (problem.value !== '') return <Problem text={problem.value} />
  if (!loaded.value) return <p class="dim">Reading the history…</p>
  const { values, changes } = loaded.value
  if (changes.length === 0)
    return (
      <Empty
        title="No request has changed it"
        text="Of the last 1000 requests. Changes that this page or a test makes without a request are not listed."
      />
    )
  return (
    <ol class="history">
      {changes.map(({ exchange, at, method, path, before, after }, index) => (
        <li key={exchange}>
          <Between before={after} after={index === 0 ? values : changes[index - 1]?.before} />
          <p>
            <a href={toHash('requests', exchange)}>
              <Method method={method} /> {path}
            </a>{' '}
            <span class="dim">
              #{exchange}, {toMoment(at)}
            </span>
          </p>
          {before && after ? <ChangedValues before={before} after={after} /> : <b>{after ? 'Added' : 'Removed'}</b>}
        </li>
      ))}
    </ol>
  )
}

/** What was changed without a request before the next one. */
function Between({ before, after }: { before: Values | undefined; after: Values | undefined }): JSX.Element | null {
  if (!before || !after || differencesOf(before, after).length === 0) return null
  return (
    <div class="between">
      <p class="dim">Without a request: by this page, a test, or time</p>
      <ChangedValues before={before} after={after} />
    </div>
  )
}

/** @returns the paths of the properties and items that differ, with their texts */
function differencesOf(before: Values, after: Values, path = ''): [path: string, before: string, after: string][] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const [one, other] = [before[name], after[name]]
    if (isPathProperty(name) || writeExact(one) === writeExact(other)) return []
    const at = path + (Array.isArray(before) ? `[${name}]` : path === '' ? name : `.${name}`)
    if ((isObject(one) && isObject(other)) || (Array.isArray(one) && Array.isArray(other)))
      return differencesOf(one as Values, other as Values, at)
    return [[at, toText(one), toText(other)] as [string, string, string]]
  })
}

const maxText = 300

/** Of a record that is only before or after, all values. */
export function ChangedValues(props: { before: Values | undefined; after: Values | undefined }): JSX.Element {
  const { before, after } = props
  const all = differencesOf(before ?? {}, after ?? {})
  const cut = (text: string) => (text.length > maxText ? `${text.slice(0, maxText)}…` : text) || '—'
  return (
    <>
      {all.length === 0 && <span class="dim">{before && after ? 'No value changed' : 'No values'}</span>}
      {all.map(([path, one, other]) => (
        <span key={path} class="change">
          {path} {before && <del>{cut(one)}</del>} {before && after && <span aria-hidden="true">→</span>}{' '}
          {after && <ins>{cut(other)}</ins>}
        </span>
      ))}
    </>
  )
}
