/** Compares two worlds, or a world with the scenario or a snapshot: collection by collection, record by record. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { type Clock, type Difference, encode, get, type Values } from './api.js'
import { titleOf } from './data/columns.js'
import { identityOf, labelOf } from './data/place.js'
import { ChangedValues } from './data/record-history.js'
import { InlineFields } from './forms/inline-fields.js'
import { Button, RunningTime } from './parts/bits.js'
import { Problem, useLoaded } from './parts/jobs.js'
import { toHash } from './router.js'
import { collections, dataVersion, environment, snapshots, world, worldIds, worldName, worlds } from './store.js'
import { toDistance, toleranceMs } from './timeline.js'

const maxShown = 50
/** Records that are only in one world: more of them are folded. */
const maxOpen = 3

/** What a world is compared with: the scenario, a snapshot or another world. */
const scenario = 'scenario'
const toBase = (kind: 'snapshot' | 'world', name: string): string => `${kind}=${encode(name)}`

/** @param props.first a world to compare with another one. Undefined: the world in view is compared with the scenario */
export function DiffPanel({ first }: { first: string | undefined }): JSX.Element {
  const chosen = useSignal<string | undefined>(undefined)
  const against = useSignal<string | undefined>(undefined)
  const id = chosen.value ?? first ?? world.value
  const others = worldIds.value.filter((each) => each !== id)
  const base = against.value ?? (first !== undefined && others[0] !== undefined ? toBase('world', others[0]) : scenario)
  const isKnown = worlds.value.some((each) => each.id === id) || base.startsWith('world')
  const { loaded, problem } = useLoaded(
    async () => (isKnown ? readDiff(id, base, environment.value) : []),
    [id, isKnown, base, dataVersion.value, environment.value],
  )
  const { loaded: times } = useLoaded(() => readTimes(id, base), [id, base, worlds.value, snapshots.value])
  const named = base === scenario ? 'the scenario' : decodeURIComponent(base.replace(/^\w+=/, ''))
  const [own, other] = [worldName(id), base.startsWith('world') ? worldName(named) : named]
  const compared = worldIds.value.map((each) => [each, worldName(each)])
  const bases = [
    [scenario, 'the scenario'],
    ...others.map((each) => [toBase('world', each), `the world ${worldName(each)}`]),
    ...snapshots.value.map((each) => [toBase('snapshot', each.name), `the snapshot ${each.name}`]),
  ]
  return (
    <section aria-labelledby="diff-title" id="compare">
      <h2 id="diff-title" tabIndex={-1}>
        Compare
      </h2>
      <p class="dim">
        What one world has and another one has not, by collection, record and property. Struck out is the value of{' '}
        {other}, and behind the arrow that of {own}.
      </p>
      <div class="inline-form">
        <InlineFields
          fields={[
            { name: 'world', label: 'World', schema: { type: 'string', $options: compared } },
            { name: 'base', label: 'Compared with', schema: { type: 'string', $options: bases } },
          ]}
          values={{ world: id, base }}
          onChange={(next, { name }) => {
            const to = String(next[name])
            if (name === 'base') against.value = to
            else if (base === toBase('world', to)) against.value = toBase('world', id)
            if (name === 'world') chosen.value = to
          }}
        />
        {base.startsWith('world') && (
          <Button
            label="Swap"
            kind="quiet"
            onClick={() => {
              chosen.value = named
              against.value = toBase('world', id)
            }}
          />
        )}
      </div>
      {times.value && <Clocks {...times.value} {...{ own, other }} />}
      <Problem text={problem.value} />
      {!loaded.value && problem.value === '' && <p class="dim">Comparing…</p>}
      {loaded.value?.length === 0 && (
        <p class="dim">
          {own} and {other} have the same records. A request that writes makes a difference, or a change in Data.
        </p>
      )}
      {(loaded.value ?? []).map((difference) => (
        <Changes key={difference.collection} difference={difference} id={own} base={other} />
      ))}
    </section>
  )
}

/** The time of a world and of what it is compared with. Worlds that nobody has opened have the time of the sandbox. */
async function readTimes(id: string, base: string): Promise<{ now: Clock; before: Clock }> {
  const usual = await get<Clock>('/clock')
  const clockOf = (world: string) => worlds.value.find((each) => toBase('world', each.id) === world)
  const taken = snapshots.value.find(({ name }) => toBase('snapshot', name) === base)
  return {
    now: clockOf(toBase('world', id)) ?? usual,
    before: taken ? { now: taken.at, frozen: true } : (clockOf(base) ?? usual),
  }
}

function Clocks(props: { now: Clock; before: Clock; own: string; other: string }): JSX.Element {
  const { now, before, own, other } = props
  const ms = Date.parse(now.now) - Date.parse(before.now)
  const distance = toDistance(Math.abs(ms)).replace('in ', '')
  return (
    <p>
      Clock: {own} is at <RunningTime {...now} />, {other} at <RunningTime {...before} />:{' '}
      <b>{Math.abs(ms) < toleranceMs ? 'the same time' : `${distance} ${ms > 0 ? 'later' : 'earlier'}`}</b>
    </p>
  )
}

/** Differences in the environment in view. Collections without this environment use their own. */
async function readDiff(id: string, base: string, environment: string): Promise<Difference[]> {
  const path = `/worlds/${encode(id)}/diff?${base === scenario ? '' : base}`
  const [own, all] = await Promise.all([
    get<Difference[]>(`${path}&environment=${encode(environment)}`),
    get<Difference[]>(path),
  ])
  const isThere = (name: string) =>
    collections.value.some((each) => each.name === name && each.environments.includes(environment))
  return [...own, ...all.filter(({ collection }) => !isThere(collection))]
}

function Changes(props: { difference: Difference; id: string; base: string }): JSX.Element {
  const { id, base } = props
  const { collection, added, changed, removed } = props.difference
  const model = collections.value.find(({ name }) => name === collection)
  function line(kind: 'added' | 'edited' | 'removed', before?: Values, after?: Values): JSX.Element {
    const values = after ?? before ?? {}
    const title = model ? labelOf(model, identityOf(model, values)) : ''
    const name = model ? titleOf(model, values) : ''
    const spoken = { added: `Only in ${id}: `, edited: 'Different: ', removed: `Only in ${base}: ` }[kind]
    return (
      <li key={`${kind} ${title}`} class={kind}>
        <details open={kind === 'edited' || added.length + removed.length <= maxOpen}>
          <summary>
            <b aria-hidden="true">{{ added: '+', edited: '~', removed: '−' }[kind]}</b>
            <span class="spoken">{spoken}</span>
            <strong>{title}</strong> {name && `· ${name}`}
          </summary>
          <ChangedValues before={before} after={after} />
        </details>
      </li>
    )
  }
  return (
    <div class="diff">
      <h3>
        <a href={toHash('data', collection)}>{collection}</a>{' '}
        <span class="dim">
          {added.length} only in {id}, {changed.length} different, {removed.length} only in {base}
        </span>
      </h3>
      <ul>
        {added.slice(0, maxShown).map((values) => line('added', undefined, values))}
        {changed.slice(0, maxShown).map(({ before, after }) => line('edited', before, after))}
        {removed.slice(0, maxShown).map((values) => line('removed', values))}
      </ul>
      {Math.max(added.length, changed.length, removed.length) > maxShown && (
        <p class="dim">Only the first {maxShown} of each kind are shown.</p>
      )}
    </div>
  )
}
