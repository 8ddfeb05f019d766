/** Asks for the key of a world that only shows its id. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { rememberKey } from '../store.js'
import { TextField } from './inputs.js'

export function KeyPrompt({ world, onKey }: { world: string; onKey: () => void }): JSX.Element {
  const key = useSignal('')
  return (
    <form
      class="inline-form"
      onSubmit={(event) => {
        event.preventDefault()
        rememberKey(world, key.value)
        onKey()
      }}
    >
      <TextField label={`Key of the world ${world}`} required value={key} />
      <button type="submit">Use this key</button>
      <p class="dim">The sandbox hides keys that may be credentials. This tab keeps it until it is closed.</p>
    </form>
  )
}
