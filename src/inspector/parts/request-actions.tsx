/** Actions of request views: make the next one fail, and enter a hidden key. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { call } from '../api.js'
import type { Fault } from '../api-types.js'
import { faults, isOver, isTypedKey, loadFaults, rememberKey } from '../store.js'
import { Button, Said } from './bits.js'
import { TextField } from './inputs.js'
import { type Jobs, ProblemText, useJobs } from './jobs.js'

/** Makes the next request fail. @param props.requests the affected requests, as the rule of a fault */
export function FailNext(props: {
  requests: Pick<Fault, 'operation' | 'method' | 'path' | 'key'>
  jobs: Jobs
}): JSX.Element {
  const { requests, jobs } = props
  const added = useSignal('')
  const isWaiting = faults.value.some((each) => each.id === added.value && !isOver(each))
  async function fail(): Promise<void> {
    await jobs.run(async () => {
      const { id } = await call<Fault>('POST', '/faults', { ...requests, times: 1, status: 503 })
      added.value = id
      await loadFaults()
    })
  }
  return (
    <>
      <Button label="Fail the next one" disabled={jobs.isBusy.value} onClick={fail} />
      <Said text={isWaiting ? 'The next one gets 503' : ''} />
    </>
  )
}

/** Asks for the key of a world that only shows its id. */
export function KeyPrompt({ world, onKey }: { world: string; onKey: () => void }): JSX.Element {
  const key = useSignal('')
  const jobs = useJobs()
  async function remember(event: Event): Promise<void> {
    event.preventDefault()
    if (await jobs.run(() => rememberKey(world, key.value))) onKey()
  }
  return (
    <form class="inline-form" onSubmit={remember}>
      <TextField label={`Key of the world ${world}`} required value={key} />
      <button type="submit">Use this key</button>
      <p class="dim">The sandbox hides keys that may be credentials. This tab keeps it until it is closed.</p>
      <ProblemText jobs={jobs} />
    </form>
  )
}

/** Forgets a key that somebody entered, so that the next request asks for it. */
export function ForgetKey({ world }: { world: string }): JSX.Element | null {
  return isTypedKey(world) ? (
    <Button label="Forget the key" kind="quiet" onClick={() => rememberKey(world, undefined)} />
  ) : null
}
