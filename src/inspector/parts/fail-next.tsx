/** Adds faults: makes the next request fail, and says so until it has. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { call, type Fault } from '../api.js'
import { isObject } from '../json-text.js'
import { exampleIn, loadDocument, objectAt } from '../schema.js'
import { faults, isOver, loadFaults, operations } from '../store.js'
import { Button, Said } from './bits.js'
import type { Jobs } from './jobs.js'

interface AddedFault {
  /** About the last added fault. Empty if it has hit all its requests, or was removed. */
  said: string
  add(rule: Partial<Fault>, text: string): Promise<void>
  /** Removes the message. */
  forget(): void
}

const nothing = { id: '', text: '' }

export function useFault(): AddedFault {
  const last = useSignal(nothing)
  const { id, text } = last.value
  return {
    said: faults.value.some((each) => each.id === id && !isOver(each)) ? text : '',
    async add(rule, text) {
      const message = await documentedMessage(rule)
      const { id } = await call<Fault>('POST', '/faults', { ...(message !== undefined && { message }), ...rule })
      last.value = { id, text }
      await loadFaults()
    },
    forget: () => (last.value = nothing),
  }
}

/** The message in the documented example of a failure. */
async function documentedMessage({ operation, status }: Partial<Fault>): Promise<string | undefined> {
  const { pointer } = operations.value?.find((each) => each.id === operation) ?? {}
  if (pointer === undefined || status === undefined) return undefined
  await loadDocument().catch(() => {})
  const { content } = objectAt(`${pointer}/responses/${status}`)
  const [first] = isObject(content) ? Object.values(content) : []
  return isObject(first) ? messageIn(exampleIn(first)) : undefined
}

function messageIn(example: unknown): string | undefined {
  if (!isObject(example)) return undefined
  const own = Object.entries(example).find(([name, value]) => isMessage.test(name) && typeof value === 'string')
  return own ? String(own[1]) : Object.values(example).map(messageIn).find(Boolean)
}

const isMessage = /^(message|detail|error_?description|title|error)$/i

/** The failures that an operation documents. */
export function failuresOf(operation: string | undefined): number[] {
  const { documented = [] } = operations.value?.find((each) => each.id === operation) ?? {}
  return documented.filter((each) => /^[45]\d\d$/.test(each)).map(Number)
}

export function describeFault({ status, delayMs, drop, truncate, rate, message }: Fault): string {
  const what = [
    status !== undefined && `status ${status}`,
    message !== undefined && `“${message}”`,
    delayMs !== undefined && `${Array.isArray(delayMs) ? delayMs.join('–') : delayMs} ms later`,
    drop && 'no answer',
    truncate !== undefined && `cut off after ${truncate} bytes`,
    rate && `at most ${rate.limit} in ${rate.seconds ?? 60} s`,
  ]
  return what.filter((each) => typeof each === 'string').join(', ') || 'nothing'
}

/**
 * Makes the next request fail, with a click on one of the documented statuses or 503.
 * @param props.requests the affected requests, as the rule of a fault
 * @param props.operation id of the operation that documents the statuses
 */
export function FailNext(props: {
  requests: Pick<Fault, 'operation' | 'method' | 'path' | 'key'>
  operation: string | undefined
  jobs: Jobs
}): JSX.Element {
  const { requests, operation, jobs } = props
  const { said, add } = useFault()
  const statuses = new Set([...failuresOf(operation), 503])
  return (
    <fieldset class="actions fail-next" aria-label="Fail the next one">
      {/* The message takes the place of the name, so that nothing moves. */}
      <legend>
        <Said text={said} />
        {said === '' && 'Fail the next one'}
      </legend>
      {[...statuses].map((status) => (
        <Button
          key={status}
          label={String(status)}
          disabled={jobs.isBusy.value}
          onClick={() => jobs.run(() => add({ ...requests, times: 1, status }, `The next one gets ${status}`))}
        />
      ))}
    </fieldset>
  )
}
