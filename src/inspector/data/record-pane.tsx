/** A record beside the table: its form, the records that it is related to, and its history. */
import type { Signal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import type { Collection } from '../api-types.js'
import { CopyButton, Toggle } from '../parts/bits.js'
import { toHash, withQuery } from '../router.js'
import type { Identity } from './place.js'
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
  if (!identity)
    return (
      <div class="record-pane">
        <RecordEditor collection={collection} identity={undefined} />
      </div>
    )
  const [key] = identity
  return (
    <div class="record-pane">
      <div class="tabs">
        <fieldset class="segments">
          <legend class="spoken">About {key}</legend>
          {tabs.map((each) => (
            <Toggle key={each} label={each} isOn={tab.value === each} onClick={() => (tab.value = each)} />
          ))}
        </fieldset>
        <CopyButton text={() => key} label={`Copy ${collection.key}`} />
      </div>
      {tab.value === 'Values' ? (
        <RecordEditor collection={collection} identity={identity} />
      ) : (
        <Side title={`${collection.key} ${key}`} close={withQuery(toHash('data', collection.name))}>
          {tab.value === 'Related' ? (
            <RelatedRecords collection={collection} identity={identity} />
          ) : (
            <RecordHistory collection={collection} identity={identity} />
          )}
        </Side>
      )}
    </div>
  )
}

function Side(props: { title: string; close: string; children: ComponentChildren }): JSX.Element {
  return (
    <aside class="editor about" aria-label="Record">
      <header>
        <h2>{props.title}</h2>
        <a class="close" href={props.close} aria-label="Close">
          ×
        </a>
      </header>
      {props.children}
    </aside>
  )
}
