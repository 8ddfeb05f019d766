/** Unsaved input in record forms. It is kept when a form is closed. */
import { type Signal, signal } from '@preact/signals'
import type { Values } from '../api-types.js'
import { writeExact } from '../json-text.js'
import { toInputText } from '../parts/value-input.js'

export interface Draft {
  /** Texts of the changed properties. Undefined removes a property. */
  readonly texts: Readonly<Record<string, string | undefined>>
  /** The values of these properties when the user changed them. */
  readonly base: Values
}

export const noDraft: Draft = { texts: {}, base: {} }

/** Drafts by world, environment and address of the record. */
const drafts: Signal<Readonly<Record<string, Draft>>> = signal({})

addEventListener('beforeunload', (event) => {
  if (Object.keys(drafts.value).length > 0) event.preventDefault()
})

export function draftOf(place: string): Draft | undefined {
  return drafts.value[place]
}

/** Stores a draft, or removes it if it has no texts. */
export function keepDraft(place: string, draft: Draft): void {
  const { [place]: _, ...others } = drafts.value
  drafts.value = Object.keys(draft.texts).length > 0 ? { ...others, [place]: draft } : others
}

/** Records an edit. Editing back to the saved value removes it. */
export function withText(draft: Draft, name: string, text: string | undefined, values: Values): Draft {
  if (isUnedited(text, values[name])) return without(draft, [name])
  const base = name in draft.texts ? draft.base : { ...draft.base, [name]: values[name] }
  return { texts: { ...draft.texts, [name]: text }, base }
}

export function without({ texts, base }: Draft, names: readonly string[]): Draft {
  const isLeft = ([name]: [string, unknown]) => !names.includes(name)
  return {
    texts: Object.fromEntries(Object.entries(texts).filter(isLeft)),
    base: Object.fromEntries(Object.entries(base).filter(isLeft)),
  }
}

/** The rest of a draft after saving: the input since then. */
export function afterSaving(draft: Draft, sent: Draft, saved: Values): Draft {
  const names = Object.keys(sent.texts)
  const unchanged = names.filter((name) => draft.texts[name] === sent.texts[name])
  const { texts, base } = without(draft, unchanged)
  return { texts, base: { ...base, ...Object.fromEntries(names.map((name) => [name, saved[name]])) } }
}

/** The edited properties that somebody else has changed to another value in the meantime. */
export function conflictsOf({ texts, base }: Draft, latest: Values): string[] {
  return Object.keys(texts).filter(
    (name) => writeExact(base[name]) !== writeExact(latest[name]) && !isUnedited(texts[name], latest[name]),
  )
}

function isUnedited(text: string | undefined, value: unknown): boolean {
  return value === undefined ? text === undefined : text === toInputText(value)
}
