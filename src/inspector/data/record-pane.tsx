/** A record beside the table: its form, the records that it is related to, and its history. */
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Collection, StoredRecord } from '../api.js'
import { Button, CopyButton, Empty, Toggle } from '../parts/bits.js'
import { useLoaded } from '../parts/jobs.js'
import { route, toHash, withQuery } from '../router.js'
import { dataVersion, world } from '../store.js'
import { useNamed } from './cell.js'
import { titleOf } from './columns.js'
import { environmentOf, findRecord, type Identity, labelOf } from './place.js'
import { draftOf, keepDraft, noDraft, RecordForm } from './record-form.js'
import { RecordHistory } from './record-history.js'
import { RelatedRecords } from './related-records.js'

export type Tab = 'Values' | 'Related' | 'History'

const tabs: readonly Tab[] = ['Values', 'Related', 'History']

/** @param props.tab stays the same for the next record */
export function RecordPane(props: {
  collection: Collection
  identity: Identity | undefined
  tab: Signal<Tab>
}): JSX.Element {
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
