/** Enters and forgets the key of a world whose key is hidden. */
import type { JSX } from 'preact'
import { ShortForm } from '../forms/inline-fields.js'
import { isTypedKey, rememberKey, worldName } from '../store.js'
import { Button } from './bits.js'

/** Asks for the key of a world that only shows its id. */
export function KeyPrompt({ world, onKey }: { world: string; onKey: () => void }): JSX.Element {
  return (
    <ShortForm
      fields={[
        { name: 'key', label: `Key of the world ${worldName(world)}`, schema: { type: 'string' }, isRequired: true },
      ]}
      submit="Use this key"
      onSubmit={(values) => rememberKey(world, String(values['key'])).then(onKey)}
    >
      <p class="dim">The sandbox hides keys that may be credentials. This tab keeps it until it is closed.</p>
    </ShortForm>
  )
}

/** Forgets a key that somebody entered, so that the next request asks for it. */
export function ForgetKey({ world }: { world: string }): JSX.Element | null {
  return isTypedKey(world) ? (
    <Button label="Forget the key" kind="quiet" onClick={() => rememberKey(world, undefined)} />
  ) : null
}
