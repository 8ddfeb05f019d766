/** Worlds and keys: makes, copies, resets and removes worlds; keeps snapshots; compares. */
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { call, encode, type Snapshot, type World } from './api.js'
import { DiffPanel } from './diff-panel.js'
import type { FormField } from './forms/form.js'
import { ShortForm } from './forms/inline-fields.js'
import { Button, CarefulButton, Command, countOf, Empty, RunningTime, Section, toMoment } from './parts/bits.js'
import { type Jobs, ProblemText, useJobs } from './parts/jobs.js'
import { changeWorld } from './parts/toast.js'
import { ForgetKey } from './parts/world-key.js'
import { route, toHash } from './router.js'
import {
  collections,
  environment,
  isReady,
  keyOf,
  keys,
  loadSnapshots,
  loadWorlds,
  lookAt,
  nameWorld,
  refresh,
  snapshots,
  world,
  worldIds,
  worldName,
  worlds,
} from './store.js'

export function WorldsView(): JSX.Element {
  const jobs = useJobs()
  const [place, first] = route.value.parts
  const isComparing = place === 'compare'
  // Clocks have gone on since the worlds were read.
  useEffect(() => void loadWorlds().catch(() => {}), [])
  useEffect(() => {
    if (!isComparing || !isReady.value) return
    document.getElementById('compare')?.scrollIntoView()
    document.getElementById('diff-title')?.focus({ preventScroll: true })
  }, [isComparing, first, isReady.value])
  if (!isReady.value) return <Empty title="Reading the worlds…" />
  const about = (
    <>
      Each key opens a world of its own: records and a clock that no other key sees. Send the key as the document says.{' '}
      <a href={toHash('worlds', 'compare')}>Compare two worlds</a>
    </>
  )
  return (
    <div class="page">
      <Section title="Worlds" id="worlds-title" about={about}>
        <NewWorld />
        <ProblemText jobs={jobs} />
        <ul class="cards">
          {worldIds.value.map((id) => (
            <WorldCard key={id} id={id} known={worlds.value.find((each) => each.id === id)} jobs={jobs} />
          ))}
        </ul>
      </Section>
      <DiffPanel key={String(isComparing && first)} first={isComparing ? (first ?? world.value) : undefined} />
      <SnapshotSection jobs={jobs} />
    </div>
  )
}

/** Makes a key, and gives its world the state of another one. */
function NewWorld(): JSX.Element {
  const named: FormField = {
    name: 'name',
    label: 'Name',
    schema: {
      type: 'string',
      pattern: '[A-Za-z0-9._\\-]{1,64}',
      description: '1 to 64 letters from A to Z, digits, dots, hyphens and underscores',
      $prefix: 'sandbox-',
      $placeholder: 'checkout-test',
    },
  }
  const sources = [['', 'the scenario'], ...worldIds.value.map((id) => [id, `a copy of ${worldName(id)}`])]
  return (
    <ShortForm
      fields={[named, { name: 'from', label: 'Begins with', schema: { type: 'string', $options: sources } }]}
      once="name"
      submit="Make a world"
      kind="primary"
      onSubmit={async ({ from, ...name }) => {
        const { id } = await call<{ id: string }>('POST', '/keys', name)
        if (from !== undefined) await call('POST', `/worlds/${encode(String(from))}/fork`, { to: id })
        else await call('POST', `/worlds/${encode(id)}/reset`)
        world.value = id
        await refresh()
      }}
    />
  )
}

function WorldCard({ id, known, jobs }: { id: string; known: World | undefined; jobs: Jobs }): JSX.Element {
  const isCurrent = world.value === id
  const key = keyOf(id)
  const owned = keys.value.find((each) => each.id === id)
  const path = `/worlds/${encode(id)}`
  const hasOwnKey = owned?.fixed === false
  const change = (text: string, work: () => Promise<unknown>, back?: () => Promise<unknown>) =>
    jobs.run(() => changeWorld(id, text, work, back).then(refresh))

  const reset = () => change(`Reset ${worldName(id)}`, () => call('POST', `${path}/reset`))

  async function removeIt(): Promise<void> {
    await call('DELETE', hasOwnKey ? `/keys/${encode(id)}` : path)
    if (isCurrent) lookAt(worldIds.value.find((each) => each !== id) ?? '')
  }

  const remove = () =>
    change(`Removed ${worldName(id)}${hasOwnKey ? ' and its key' : ''}`, removeIt, async () => {
      if (hasOwnKey) await call('POST', '/keys', { name: id.replace('sandbox-', '') })
    })

  return (
    <li class={isCurrent ? 'card current' : 'card'}>
      <h3>
        {worldName(id)} {isCurrent && <span class="tag">in view</span>}
      </h3>
      {key === undefined ? (
        <>
          <p class="dim">Its key is hidden: it may be a credential. Give it a name that you know it by.</p>
          <input
            aria-label="Name of the world"
            // The world is drawn again while somebody types.
            key={worldName(id)}
            defaultValue={worldName(id)}
            maxLength={64}
            onChange={({ currentTarget }) => nameWorld(id, currentTarget.value.trim())}
          />
        </>
      ) : (
        <Command text={key} label="Copy the key" />
      )}
      <p class="dim">
        {known
          ? [<RunningTime key="now" {...known} />, known.frozen && ', clock stopped']
          : 'Not opened yet: it has the data of the scenario.'}
      </p>
      <Sizes id={id} known={known} />
      <div class="actions">
        {!isCurrent && <Button label="Look at it" onClick={() => lookAt(id)} />}
        <a class="button" href={toHash('worlds', 'compare', id)}>
          Compare
        </a>
        <Button label="Reset" onClick={reset} />
        <ForgetKey world={id} />
        {(known || hasOwnKey) &&
          // Nobody can open a world again without its key.
          (key === undefined ? (
            <CarefulButton label="Remove" onClick={() => jobs.run(() => removeIt().then(refresh))} />
          ) : (
            <Button label="Remove" kind="danger" onClick={remove} />
          ))}
      </div>
    </li>
  )
}

/** Collections that are always shown. */
const maxSizes = 6

/** The numbers of records in the environment in view. Those that nobody has opened have the records of the scenario. */
function Sizes({ id, known }: { id: string; known: World | undefined }): JSX.Element {
  const all = collections.value.map(({ name, size, environments }) => {
    const place = environments.includes(environment.value) ? environment.value : environments[0]
    const opened = known?.collections.find((each) => each.name === name && each.environment === place)
    return opened ?? { name, size, changed: false }
  })
  const sorted = all.toSorted((one, other) => Number(other.changed) - Number(one.changed) || other.size - one.size)
  const line = ({ name, size, changed }: (typeof all)[number]) => (
    <li key={name}>
      <a href={toHash('data', name)} onClick={() => lookAt(id)}>
        {name}
      </a>{' '}
      {size.toLocaleString('en')} {changed && <span class="changed">changed</span>}
    </li>
  )
  const rest = sorted.slice(maxSizes)
  const count = rest.reduce((sum, { size }) => sum + size, 0)
  return (
    <>
      <ul class="sizes">{sorted.slice(0, maxSizes).map(line)}</ul>
      {rest.length > 0 && (
        <details>
          <summary>
            {countOf(rest.length, 'more collection')}, {countOf(count, 'record')}
          </summary>
          <ul class="sizes">{rest.map(line)}</ul>
        </details>
      )}
    </>
  )
}

function SnapshotSection({ jobs }: { jobs: Jobs }): JSX.Element {
  const schema = { type: 'string', maxLength: 100, $placeholder: 'before checkout' }
  return (
    <Section
      title="Snapshots"
      id="snapshots-title"
      about="A snapshot keeps all records and the clock of a world under a name, until the sandbox stops."
    >
      <ShortForm
        fields={[{ name: 'name', label: 'Name', schema, isRequired: true }]}
        once="name"
        submit={`Take a snapshot of ${worldName(world.value)}`}
        onSubmit={({ name }) =>
          call('PUT', `/snapshots/${encode(String(name))}`, { world: world.value }).then(loadSnapshots)
        }
      />
      {snapshots.value.length === 0 ? (
        <p class="dim">None yet. Take one before a test, and restore it after each run.</p>
      ) : (
        <ul class="lines">
          {snapshots.value.map((each) => (
            <SnapshotLine key={each.name} snapshot={each} jobs={jobs} />
          ))}
        </ul>
      )}
    </Section>
  )
}

function SnapshotLine({ snapshot: { name, at }, jobs }: { snapshot: Snapshot; jobs: Jobs }): JSX.Element {
  const path = `/snapshots/${encode(name)}`
  async function restore(): Promise<void> {
    const { value: to } = world
    const work = () => call('POST', `${path}/restore`, { to })
    await jobs.run(() => changeWorld(to, `Restored ${name} into ${worldName(to)}`, work).then(refresh))
  }
  return (
    <li>
      <strong>{name}</strong>
      <span class="dim">{toMoment(at)}</span>
      <span class="actions">
        <Button label={`Restore into ${worldName(world.value)}`} onClick={restore} />
        <CarefulButton label="Remove" onClick={() => jobs.run(() => call('DELETE', path).then(loadSnapshots))} />
      </span>
    </li>
  )
}
