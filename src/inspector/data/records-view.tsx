/** The collections of a world as tables. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { type Collection, encode, get, type World } from '../api.js'
import { Empty } from '../parts/bits.js'
import { Filter } from '../parts/inputs.js'
import { useLoaded } from '../parts/jobs.js'
import { route, toHash } from '../router.js'
import { loadDocument } from '../schema.js'
import { about, collections, dataVersion, world } from '../store.js'
import { Elsewhere } from './elsewhere.js'
import { environmentOf, toIdentity } from './place.js'
import { RecordPane, type Tab } from './record-pane.js'
import { RecordTable } from './record-table.js'

export function RecordsView(): JSX.Element {
  const filter = useSignal('')
  const tab = useSignal<Tab>('Values')
  const { value: id } = world
  const { loaded: whole } = useLoaded(
    () => (id === '' ? undefined : get<World>(`/worlds/${encode(id)}`)),
    [id, dataVersion.value],
  )
  useEffect(() => {
    loadDocument().catch(() => {})
  }, [])
  const all = collections.value
  const [name, ...rest] = route.value.parts
  const listed = all.filter((each) => each.name.toLowerCase().includes(filter.value.toLowerCase()))
  const identity = toIdentity(rest)
  const chosen = all.find((each) => each.name === (name ?? all[0]?.name))
  if (all.length === 0 && !about.value) return <Empty title="Reading the collections…" />
  if (all.length === 0)
    return (
      <Empty title="This document keeps no records">
        <p>
          Each operation answers with an example. <a href={toHash('operations')}>Operations</a> says why.
        </p>
      </Empty>
    )
  return (
    <div class={name === undefined ? 'split narrow-side' : 'split narrow-side open'}>
      <nav class="side" aria-label="Collections">
        {all.length > 8 && (
          <div class="toolbar">
            <Filter value={filter} label="Filter collections" />
          </div>
        )}
        <ul class="list">
          {listed.map((each) => (
            <li key={each.name}>
              <a href={toHash('data', each.name)} aria-current={each === chosen ? 'true' : undefined}>
                <span class="name">{each.name}</span>
                <Size collection={each} world={whole.value} />
              </a>
            </li>
          ))}
        </ul>
        {listed.length === 0 && (
          <Empty title="No such collection">
            <Elsewhere text={filter.value} />
          </Empty>
        )}
      </nav>
      <section class="main table-main" aria-label={chosen ? chosen.name : 'Records'}>
        {chosen ? (
          <>
            <RecordTable key={chosen.name} collection={chosen} />
            {(identity || rest[0] === 'new') && (
              <RecordPane key={toHash(chosen.name, ...rest)} collection={chosen} identity={identity} tab={tab} />
            )}
          </>
        ) : (
          <Empty title={`There is no collection "${name}"`}>
            <p>
              <a href={toHash('data')}>Show the collections</a> of the document that is served now.
            </p>
          </Empty>
        )}
      </section>
    </div>
  )
}

function Size({ collection, world }: { collection: Collection; world: World | undefined }): JSX.Element | null {
  const place = environmentOf(collection)
  const known = world?.collections.find((each) => each.name === collection.name && each.environment === place)
  if (!known) return null
  return (
    <span class="dim" title={known.changed ? 'Changed' : 'As the scenario'}>
      {known.changed && <span class="changed">changed </span>}
      {known.size === 0 && collection.sampled ? 'on request' : known.size.toLocaleString('en')}
    </span>
  )
}
