/** The collections of a world as tables. */
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { type Collection, encode, get, type StoredRecord, type World } from '../api.js'
import { Button, CopyButton, Empty, Toggle } from '../parts/bits.js'
import { Filter } from '../parts/inputs.js'
import { useLoaded } from '../parts/jobs.js'
import { route, toHash, withQuery } from '../router.js'
import { loadDocument } from '../schema.js'
import { about, collections, dataVersion, world } from '../store.js'
import { useNamed } from './cell.js'
import { titleOf } from './columns.js'
import { Elsewhere } from './elsewhere.js'
import { environmentOf, findRecord, type Identity, labelOf, toIdentity } from './place.js'
import { draftOf, keepDraft, noDraft, RecordForm } from './record-form.js'
import { RecordHistory } from './record-history.js'
import { RecordTable } from './record-table.js'
import { RelatedRecords } from './related-records.js'

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

type Tab = 'Values' | 'Related' | 'History'

const tabs: readonly Tab[] = ['Values', 'Related', 'History']

/** @param props.tab stays the same for the next record */
function RecordPane(props: { collection: Collection; identity: Identity | undefined; tab: Signal<Tab> }): JSX.Element {
  const { collection, identity, tab } = props
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  const [key = '', ...owners] = identity ?? []
  const record = useNamed(identity && { collection, key, parents: owners.includes('') ? [] : owners })
  const name = record ? titleOf(collection, record.values) : ''
  const hasDraft = draftOf(toHash(world.value, environmentOf(collection), ...route.value.parts)) !== undefined
  return (
    <aside class="record-pane" aria-label={identity ? 'Record' : 'New record'}>
      <header>
        <h2 ref={title} tabIndex={-1}>
          {identity ? labelOf(collection, identity) : `New in ${collection.name}`}
          {name && ` · ${name}`}
        </h2>
        {hasDraft && <span class="tag warn">not saved</span>}
        <a class="close" href={withQuery(toHash('data', collection.name))} aria-label="Close">
          ×
        </a>
      </header>
      {identity && (
        <div class="tabs">
          <fieldset class="segments">
            <legend class="spoken">About {key}</legend>
            {tabs.map((each) => (
              <Toggle key={each} label={each} isOn={tab.value === each} onClick={() => (tab.value = each)} />
            ))}
          </fieldset>
          <CopyButton text={() => key} label={`Copy ${collection.key}`} />
        </div>
      )}
      {!identity || tab.value === 'Values' ? (
        <RecordEditor collection={collection} identity={identity} />
      ) : tab.value === 'Related' ? (
        <RelatedRecords collection={collection} identity={identity} />
      ) : (
        <RecordHistory collection={collection} identity={identity} />
      )}
    </aside>
  )
}

/** @param props.identity the identity of the record; undefined for a new one */
function RecordEditor(props: { collection: Collection; identity: Identity | undefined }): JSX.Element | null {
  const { collection, identity } = props
  const place = toHash(world.value, environmentOf(collection), ...route.value.parts)
  const record = useSignal<StoredRecord | undefined>(undefined)
  const load = async () => identity && findRecord(collection, identity)
  const isMissing = useSignal(false)
  const { problem } = useLoaded(async () => {
    const found = await load()
    isMissing.value = identity !== undefined && !found
    if (found) record.value = found
  }, [place, dataVersion.value])
  const hasDraft = draftOf(place) !== undefined
  if (identity === undefined || (record.value && (!isMissing.value || hasDraft)))
    return (
      <RecordForm
        key={place}
        {...{ collection, place, load }}
        record={record.value}
        isRemoved={isMissing.value}
        onSaved={(saved) => {
          record.value = saved
          isMissing.value = false
        }}
      />
    )
  if (!isMissing.value && problem.value === '') return null
  const none = `${collection.name} has no record with ${collection.key} ${identity[0]}.`
  return (
    <Empty title="It is not there" text={problem.value || none}>
      {hasDraft && <Button label="Discard what you typed" onClick={() => keepDraft(place, noDraft)} />}
      <a href={withQuery(toHash('data', collection.name))}>Close</a>
    </Empty>
  )
}
