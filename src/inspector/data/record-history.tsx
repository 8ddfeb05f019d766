/** Which exchanges changed a record, with its values before and after. */
import type { JSX } from 'preact'
import { get } from '../api.js'
import type { Collection, RecordChange, Values } from '../api-types.js'
import { Empty, Method, toMoment } from '../parts/bits.js'
import { ChangedValues, differencesOf } from '../parts/changed-values.js'
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
      <Empty title="No request has changed it">
        <p>Of the last 1000 requests. Changes that this page or a test makes without a request are not listed.</p>
      </Empty>
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
