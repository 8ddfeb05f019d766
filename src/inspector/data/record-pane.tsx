/** A record beside the table: its form, the records that it is related to, and its history. */
import type { Signal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Collection } from '../api-types.js'
import { CopyButton, Toggle } from '../parts/bits.js'
import { route, toHash, withQuery } from '../router.js'
import { world } from '../store.js'
import { titleOf } from './columns.js'
import { draftOf } from './drafts.js'
import { useNamed } from './named.js'
import { environmentOf, type Identity, labelOf } from './place.js'
import { RecordEditor } from './record-editor.js'
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
