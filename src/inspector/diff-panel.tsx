/** The differences between the world in view and its scenario, or a snapshot. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { encode, get } from './api.js'
import type { Difference, Values } from './api-types.js'
import { toText, writeExact } from './json-text.js'
import { Choice } from './parts/inputs.js'
import { Problem, useLoaded } from './parts/jobs.js'
import { toHash } from './router.js'
import { collections, dataVersion, environment, snapshots, world, worlds } from './store.js'

const maxShown = 50

const kinds = { added: ['+', 'Added'], edited: ['~', 'Changed'], removed: ['−', 'Removed'] } as const

export function DiffPanel(): JSX.Element {
  const against = useSignal('')
  const { value: id } = world
  const isKnown = worlds.value.some((each) => each.id === id)
  const { loaded, problem } = useLoaded(
    async () => (isKnown ? readDiff(id, against.value, environment.value) : []),
    [id, isKnown, against.value, dataVersion.value, environment.value],
  )
  const base = against.value === '' ? 'the scenario' : `the snapshot ${against.value}`
  return (
    <section aria-labelledby="diff-title">
      <h2 id="diff-title">Changes of {id}</h2>
      <div class="inline-form">
        <Choice
          label="Compared with"
          value={against.value}
          options={[
            ['', 'the scenario'],
            ...snapshots.value.map(({ name }) => [name, `the snapshot ${name}`] as const),
          ]}
          onChoice={(name) => (against.value = name)}
        />
      </div>
      <Problem text={problem.value} />
      {loaded.value?.length === 0 && (
        <p class="dim">Its records are those of {base}. A request that writes changes them.</p>
      )}
      {(loaded.value ?? []).map((difference) => (
        <Changes key={difference.collection} difference={difference} />
      ))}
    </section>
  )
}

/** Differences in the environment in view. Collections without this environment use their own. */
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
  function line(kind: keyof typeof kinds, values: Values, details?: ComponentChildren): JSX.Element {
    const [mark, spoken] = kinds[kind]
    const title = `${key} ${toText(values[key])}`
    return (
      <li key={`${kind} ${title}`} class={kind}>
        <b aria-hidden="true">{mark}</b>
        <span class="spoken">{spoken} </span>
        <strong>{title}</strong> {details ?? <code>{writeExact(values)}</code>}
      </li>
    )
  }
  return (
    <div class="diff">
      <h3>
        <a href={toHash('data', collection)}>{collection}</a>{' '}
        <span class="dim">
          {added.length} added, {changed.length} changed, {removed.length} removed
        </span>
      </h3>
      <ul>
        {added.slice(0, maxShown).map((values) => line('added', values))}
        {changed.slice(0, maxShown).map(({ before, after }) =>
          line(
            'edited',
            after,
            [...new Set([...Object.keys(before), ...Object.keys(after)])]
              .filter((name) => writeExact(before[name]) !== writeExact(after[name]))
              .map((name) => (
                <span key={name} class="change">
                  {name} <del>{toText(before[name]) || '—'}</del> <ins>{toText(after[name]) || '—'}</ins>
                </span>
              )),
          ),
        )}
        {removed.slice(0, maxShown).map((values) => line('removed', values))}
      </ul>
      {Math.max(added.length, changed.length, removed.length) > maxShown && (
        <p class="dim">Only the first {maxShown} of each kind are shown.</p>
      )}
    </div>
  )
}
