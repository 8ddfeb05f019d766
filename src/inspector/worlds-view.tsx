/** Worlds and keys: makes, copies, resets and removes worlds; keeps snapshots; compares. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { call, encode } from './api.js'
import type { Snapshot, World } from './api-types.js'
import { DiffPanel } from './diff-panel.js'
import { Button, Command, toDate, toTime } from './parts/bits.js'
import { Choice, TextField } from './parts/inputs.js'
import { type Jobs, ProblemText, useJobs } from './parts/jobs.js'
import { toHash } from './router.js'
import {
  currentWorld,
  keyOf,
  keys,
  loadSnapshots,
  lookAt,
  refresh,
  snapshots,
  world,
  worldIds,
  worlds,
} from './store.js'

export function WorldsView(): JSX.Element {
  const jobs = useJobs()
  return (
    <div class="page">
      <section aria-labelledby="worlds-title">
        <h2 id="worlds-title">Worlds</h2>
        <p class="dim">
          Each key opens a world of its own: records and a clock that no other key sees. Send the key as the document
          says.
        </p>
        <NewWorld jobs={jobs} />
        <ProblemText jobs={jobs} />
        <ul class="cards">
          {worldIds.value.map((id) => (
            <WorldCard key={id} id={id} known={worlds.value.find((each) => each.id === id)} jobs={jobs} />
          ))}
        </ul>
      </section>
      <SnapshotSection jobs={jobs} />
      <DiffPanel />
    </div>
  )
}

/** Makes a key, and gives its world the state of another one. */
function NewWorld({ jobs }: { jobs: Jobs }): JSX.Element {
  const name = useSignal('')
  const from = useSignal('')
  async function make(event: Event): Promise<void> {
    event.preventDefault()
    const done = await jobs.run(async () => {
      const { id } = await call<{ id: string }>('POST', '/keys', name.value === '' ? {} : { name: name.value })
      if (from.value !== '') await call('POST', `/worlds/${encode(from.value)}/fork`, { to: id })
      else await call('POST', `/worlds/${encode(id)}/reset`)
      world.value = id
      await refresh()
    })
    if (done) name.value = ''
  }
  return (
    <form class="inline-form" onSubmit={make}>
      <TextField
        label="Name"
        prefix="sandbox-"
        pattern="[A-Za-z0-9._\-]{1,64}"
        placeholder="checkout-test"
        value={name}
      />
      <Choice
        label="Begins with"
        value={from.value}
        options={[['', 'the scenario'], ...worldIds.value.map((id) => [id, `a copy of ${id}`] as const)]}
        onChoice={(id) => (from.value = id)}
      />
      <button type="submit" class="primary" disabled={jobs.isBusy.value}>
        Make a world
      </button>
    </form>
  )
}

function WorldCard({ id, known, jobs }: { id: string; known: World | undefined; jobs: Jobs }): JSX.Element {
  const isCurrent = world.value === id
  const key = keyOf(id)
  const owned = keys.value.find((each) => each.id === id)
  const path = `/worlds/${encode(id)}`
  const change = (work: () => Promise<unknown>) => jobs.run(() => work().then(refresh))

  async function reset(): Promise<void> {
    const isChanged = known?.collections.some(({ changed }) => changed)
    if (isChanged && !confirm(`Reset the world ${id}? Its records become those of the scenario.`)) return
    await change(() => call('POST', `${path}/reset`))
  }

  async function remove(): Promise<void> {
    if (!confirm(`Remove the world ${id}${owned && !owned.fixed ? ', and its key' : ''}?`)) return
    await change(async () => {
      await call('DELETE', owned && !owned.fixed ? `/keys/${encode(id)}` : path)
      if (isCurrent) lookAt(worldIds.value.find((each) => each !== id) ?? '')
    })
  }

  return (
    <li class={isCurrent ? 'card current' : 'card'}>
      <h3>
        {id} {isCurrent && <span class="tag">in view</span>}
      </h3>
      {key === undefined ? (
        <p class="dim">Its key is hidden: it may be a credential.</p>
      ) : (
        <Command text={key} label="Copy the key" />
      )}
      <p class="dim">
        {known
          ? `${toDate(known.now)} ${toTime(known.now)}${known.frozen ? ', clock stopped' : ''}`
          : 'Not opened yet: it has the data of the scenario.'}
      </p>
      {known && known.collections.length > 0 && (
        <ul class="sizes">
          {known.collections.map(({ name, environment, size, changed }) => (
            <li key={`${name} ${environment}`} title={environment}>
              <a href={toHash('data', name)} onClick={() => lookAt(id)}>
                {name}
              </a>{' '}
              {size.toLocaleString('en')} {changed && <span class="changed">changed</span>}
            </li>
          ))}
        </ul>
      )}
      <div class="actions">
        {!isCurrent && <Button label="Look at it" onClick={() => lookAt(id)} />}
        <Button label="Reset" onClick={reset} />
        {(known || owned?.fixed === false) && <Button label="Remove" kind="danger" onClick={remove} />}
      </div>
    </li>
  )
}

function SnapshotSection({ jobs }: { jobs: Jobs }): JSX.Element {
  const name = useSignal('')
  async function save(event: Event): Promise<void> {
    event.preventDefault()
    const done = await jobs.run(() =>
      call('PUT', `/snapshots/${encode(name.value)}`, { world: world.value }).then(loadSnapshots),
    )
    if (done) name.value = ''
  }
  return (
    <section aria-labelledby="snapshots-title">
      <h2 id="snapshots-title">Snapshots</h2>
      <p class="dim">A snapshot keeps all records and the clock of a world under a name, until the sandbox stops.</p>
      <form class="inline-form" onSubmit={save}>
        <TextField label="Name" required maxLength={100} placeholder="before checkout" value={name} />
        <button type="submit" disabled={jobs.isBusy.value}>
          Take a snapshot of {world.value}
        </button>
      </form>
      {snapshots.value.length > 0 && (
        <ul class="lines">
          {snapshots.value.map((each) => (
            <SnapshotLine key={each.name} snapshot={each} jobs={jobs} />
          ))}
        </ul>
      )}
    </section>
  )
}

function SnapshotLine({ snapshot: { name, at }, jobs }: { snapshot: Snapshot; jobs: Jobs }): JSX.Element {
  const path = `/snapshots/${encode(name)}`
  async function restore(): Promise<void> {
    const isChanged = currentWorld.value?.collections.some(({ changed }) => changed)
    if (isChanged && !confirm(`Restore ${name} into ${world.value}? Its own records are replaced.`)) return
    await jobs.run(() => call('POST', `${path}/restore`, { to: world.value }).then(refresh))
  }
  return (
    <li>
      <strong>{name}</strong>
      <span class="dim">
        {toDate(at)} {toTime(at)}
      </span>
      <span class="actions">
        <Button label={`Restore into ${world.value}`} onClick={restore} />
        <Button label="Remove" kind="danger" onClick={() => jobs.run(() => call('DELETE', path).then(loadSnapshots))} />
      </span>
    </li>
  )
}
