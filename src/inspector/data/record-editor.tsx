/** Edits, adds and removes a record. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Collection, StoredRecord } from '../api-types.js'
import { Button, Empty } from '../parts/bits.js'
import { route, toHash, withQuery } from '../router.js'
import { dataVersion, world } from '../store.js'
import { draftOf, keepDraft, noDraft } from './drafts.js'
import { environmentOf, findRecord, type Identity } from './place.js'
import { RecordForm } from './record-form.js'

/** @param props.identity the identity of the record; undefined for a new one */
export function RecordEditor(props: { collection: Collection; identity: Identity | undefined }): JSX.Element | null {
  const { collection, identity } = props
  const record = useSignal<StoredRecord | undefined>(undefined)
  const isMissing = useSignal(false)
  const problem = useSignal('')
  const version = dataVersion.value
  const place = toHash(world.value, environmentOf(collection), ...route.value.parts)

  async function load(): Promise<StoredRecord | undefined> {
    return identity && findRecord(collection, identity)
  }

  useEffect(() => {
    load().then(
      (found) => {
        problem.value = ''
        isMissing.value = identity !== undefined && !found
        if (found) record.value = found
      },
      (error: Error) => {
        problem.value = error.message
      },
    )
  }, [place, version])
  const hasDraft = draftOf(place) !== undefined
  const isShown = identity === undefined || (record.value && (!isMissing.value || hasDraft))
  if (isShown)
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
  return (
    <Empty title="It is not there">
      <p>{problem.value || `${collection.name} has no record with ${collection.key} ${identity?.[0]}.`}</p>
      {hasDraft && <Button label="Discard what you typed" onClick={() => keepDraft(place, noDraft)} />}
      <a href={withQuery(toHash('data', collection.name))}>Close</a>
    </Empty>
  )
}
