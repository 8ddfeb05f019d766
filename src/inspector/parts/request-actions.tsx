/** An action of request views: enter a hidden key. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { isTypedKey, rememberKey, worldName } from '../store.js'
import { Button } from './bits.js'
import { TextField } from './inputs.js'
import { ProblemText, useJobs } from './jobs.js'

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
      <TextField label={`Key of the world ${worldName(world)}`} required value={key} />
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
