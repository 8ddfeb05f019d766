/** A message about the last change of this page, with a button that undoes it. */
import { effect, type Signal, signal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { call, encode, type ReplacedRecord, replaced } from '../api.js'
import { toText } from '../json-text.js'
import { collections, refresh, undoPrefix } from '../store.js'
import { Button } from './bits.js'
import { ProblemText, useJobs } from './jobs.js'

interface Offer {
  text: string
  /** Absent if it cannot be undone. */
  undo?: (() => Promise<unknown>) | undefined
  /** Called when it cannot be undone any more. */
  forget?: (() => unknown) | undefined
}

const offer: Signal<Offer | undefined> = signal<Offer | undefined>()

/** Milliseconds until the message disappears. */
const shownMs = 10_000

export function offerUndo(next: Offer | undefined): void {
  offer.value?.forget?.()
  offer.value = next
}

/** Changes a world. Undoing gives it the records and the clock back that it had before. @param back runs before that */
export async function changeWorld(
  id: string,
  text: string,
  work: () => Promise<unknown>,
  back?: () => Promise<unknown>,
): Promise<void> {
  const path = `/snapshots/${encode(undoPrefix + id)}`
  const isKept = await call('PUT', path, { world: id }).then(
    () => '',
    ({ message }: Error) => `. It cannot be undone: ${message}`,
  )
  await work()
  const undo = async () => {
    await back?.()
    await call('POST', `${path}/restore`, { to: id })
  }
  offerUndo({ text: text + isKept, ...(isKept === '' && { undo, forget: () => call('DELETE', path).catch(() => {}) }) })
}

/** Each record that this page replaces or removes can be had back. */
effect(() => {
  const { value: change } = replaced
  if (change) queueMicrotask(() => offerUndo(toOffer(change)))
})

function toOffer({ path, isRemoved, values }: ReplacedRecord): Offer {
  const [whole = '', base = '', name = ''] = /^(.*\/collections\/([^/]*)\/records)\/\d+/.exec(path) ?? []
  const query = `${path.slice(whole.length)}&validate=false`
  const collection = decodeURIComponent(name)
  const key = collections.value.find((each) => each.name === collection)?.key ?? 'id'
  return {
    text: `${isRemoved ? 'Removed' : 'Saved'} ${collection} ${toText(values[key])}`,
    undo: () => (isRemoved ? call('POST', base + query, values) : call('PUT', whole + query, values)),
  }
}

export function Toast(): JSX.Element {
  const jobs = useJobs()
  const { value: shown } = offer
  useEffect(() => {
    const timer = setTimeout(() => shown && shown === offer.value && offerUndo(undefined), shownMs)
    return () => clearTimeout(timer)
  }, [shown])
  async function undo(): Promise<void> {
    const done = await jobs.run(async () => {
      await shown?.undo?.()
      await refresh()
    })
    if (done && offer.value === shown) offerUndo({ text: 'Undone' })
  }
  return (
    <div class="toast" role="status">
      {shown && (
        <>
          <span>{shown.text}</span>
          {shown.undo && <Button label="Undo" disabled={jobs.isBusy.value} onClick={undo} />}
          <button type="button" class="quiet" aria-label="Dismiss" onClick={() => offerUndo(undefined)}>
            ×
          </button>
          <ProblemText jobs={jobs} />
        </>
      )}
    </div>
  )
}
