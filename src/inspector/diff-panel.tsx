/** What the world in view has that its scenario, or a snapshot, has not. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { encode, get } from './api.js'
import type { Difference, Values } from './api-types.js'
import { toText, writeExact } from './exact-json.js'
import { Choice } from './parts/inputs.js'
import { toHash } from './router.js'
import { collections, dataVersion, environment, snapshots, world, worlds } from './store.js'

const maxShown = 50

export function DiffPanel(): JSX.Element {
  const against = useSignal('')
  const found = useSignal<Difference[] | undefined>(undefined)
  const problem = useSignal('')
  const version = dataVersion.value
  const { value: id } = world
  const isKnown = worlds.value.some((each) => each.id === id)
  useEffect(() => {
    if (!isKnown) {
      found.value = []
      return
    }
    readDiff(id, against.value, environment.value).then(
      (loaded) => {
        problem.value = ''
        found.value = loaded
      },
      (error: Error) => {
        problem.value = error.message
      },
    )
  }, [id, isKnown, against.value, version, environment.value])
  const base = against.value === '' ? 'the scenario' : `the snapshot ${against.value}`
  return (
    <section aria-labelledby="diff-title">
      <h2 id="diff-title">Changes of {id}</h2>
      <div class="inline-form">
        <Choice label="Compared with" value={against}>
          <option value="">the scenario</option>
          {snapshots.value.map(({ name }) => (
            <option key={name} value={name}>
              the snapshot {name}
            </option>
          ))}
        </Choice>
      </div>
      {problem.value !== '' && <p class="problem">{problem.value}</p>}
      {found.value?.length === 0 && (
        <p class="dim">Its records are those of {base}. A request that writes changes them.</p>
      )}
      {(found.value ?? []).map((difference) => (
        <Changes key={difference.collection} difference={difference} />
      ))}
    </section>
  )
}

/** In the environment in view; of collections that it does not have, in their own. */
async function readDiff(id: string, snapshot: string, environment: string): Promise<Difference[]> {
  const path = `/worlds/${encode(id)}/diff?${snapshot === '' ? '' : `snapshot=${encode(snapshot)}`}`
  const [own, all] = await Promise.all([
    get<Difference[]>(`${path}&environment=${encode(environment)}`),
    get<Difference[]>(path),
  ])
  const isThere = (name: string) =>
    collections.value.some((each) => each.name === name && each.environments.includes(environment))
  return [...own, ...all.filter(({ collection }) => !isThere(collection))]
}

function Changes({ difference: { collection, added, changed, removed } }: { difference: Difference }): JSX.Element {
  const key = collections.value.find(({ name }) => name === collection)?.key ?? 'id'
  const title = (values: Values) => `${key} ${toText(values[key])}`
  return (
    <div class="diff">
      <h3>
        <a href={toHash('data', collection)}>{collection}</a>{' '}
        <span class="dim">
          {added.length} added, {changed.length} changed, {removed.length} removed
        </span>
      </h3>
      <ul>
        {added.slice(0, maxShown).map((values) => (
          <li key={`a${title(values)}`} class="added">
            <b aria-hidden="true">+</b>
            <span class="spoken">Added </span>
            <strong>{title(values)}</strong> <code>{writeExact(values)}</code>
          </li>
        ))}
        {changed.slice(0, maxShown).map(({ before, after }) => (
          <li key={`c${title(after)}`} class="edited">
            <b aria-hidden="true">~</b>
            <span class="spoken">Changed </span>
            <strong>{title(after)}</strong>{' '}
            {[...new Set([...Object.keys(before), ...Object.keys(after)])]
              .filter((name) => writeExact(before[name]) !== writeExact(after[name]))
              .map((name) => (
                <span key={name} class="change">
                  {name} <del>{toText(before[name]) || '—'}</del> <ins>{toText(after[name]) || '—'}</ins>
                </span>
              ))}
          </li>
        ))}
        {removed.slice(0, maxShown).map((values) => (
          <li key={`r${title(values)}`} class="removed">
            <b aria-hidden="true">−</b>
            <span class="spoken">Removed </span>
            <strong>{title(values)}</strong> <code>{writeExact(values)}</code>
          </li>
        ))}
      </ul>
      {Math.max(added.length, changed.length, removed.length) > maxShown && (
        <p class="dim">Of each kind, the first {maxShown} are shown.</p>
      )}
    </div>
  )
}
