/** Adds faults: makes the next request fail, and says so until it has. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { call } from '../api.js'
import type { Fault } from '../api-types.js'
import { isObject } from '../json-text.js'
import { exampleIn, loadDocument, objectAt } from '../schema.js'
import { faults, isOver, loadFaults, operations } from '../store.js'
import { Button, Said } from './bits.js'
import type { Jobs } from './jobs.js'

interface AddedFault {
  jobs: Jobs
  /** About the last added fault. Empty if it has hit all its requests, or was removed. */
  said: string
  /** @param toRule may throw an error, which is shown */
  add(toRule: () => Partial<Fault>, text: string): Promise<boolean>
  /** Removes the message and the error. */
  forget(): void
}

export function useFault(jobs: Jobs): AddedFault {
  const last = useSignal({ id: '', text: '' })
  const { id, text } = last.value
  return {
    jobs,
    said: faults.value.some((each) => each.id === id && !isOver(each)) ? text : '',
    add: (toRule, text) =>
      jobs.run(async () => {
        const rule = toRule()
        const message = await documentedMessage(rule)
        const { id } = await call<Fault>('POST', '/faults', { ...(message !== undefined && { message }), ...rule })
        last.value = { id, text }
        await loadFaults()
      }),
    forget() {
      last.value = { id: '', text: '' }
      jobs.problem.value = undefined
    },
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
  const { said, add } = useFault(jobs)
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
          onClick={() => add(() => ({ ...requests, times: 1, status }), `The next one gets ${status}`)}
        />
      ))}
    </fieldset>
  )
}
