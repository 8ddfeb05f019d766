/** Unsaved input in record forms. It is kept when a form is closed. */
import { type Signal, signal } from '@preact/signals'
import type { Values } from '../api-types.js'
import { writeExact } from '../json-text.js'

export interface Draft {
  /** The changed properties. Undefined removes one. */
  readonly changed: Values
  /** Their values when the user changed them. */
  readonly base: Values
}

export const noDraft: Draft = { changed: {}, base: {} }

/** Drafts by world, environment and address of the record. */
const drafts: Signal<Readonly<Record<string, Draft>>> = signal({})

addEventListener('beforeunload', (event) => {
  if (Object.keys(drafts.value).length > 0) event.preventDefault()
})

export function draftOf(place: string): Draft | undefined {
  return drafts.value[place]
}

/** Stores a draft, or removes it if it changes nothing. */
export function keepDraft(place: string, draft: Draft): void {
  const { [place]: _, ...others } = drafts.value
  drafts.value = Object.keys(draft.changed).length > 0 ? { ...others, [place]: draft } : others
}

/** Records an edit. Editing back to the saved value removes it. */
export function withValue(draft: Draft, name: string, next: unknown, values: Values): Draft {
  if (isSame(next, values[name])) return without(draft, [name])
  const base = name in draft.changed ? draft.base : { ...draft.base, [name]: values[name] }
  return { changed: { ...draft.changed, [name]: next }, base }
}

export function without({ changed, base }: Draft, names: readonly string[]): Draft {
  const isLeft = ([name]: [string, unknown]) => !names.includes(name)
  return {
    changed: Object.fromEntries(Object.entries(changed).filter(isLeft)),
    base: Object.fromEntries(Object.entries(base).filter(isLeft)),
  }
}

/** The values with the input. Unedited ones keep every digit. */
export function withChanges(values: Values, { changed }: Draft): Values {
  const all = Object.entries({ ...values, ...changed })
  return Object.fromEntries(all.filter(([, value]) => value !== undefined))
}

/** The rest of a draft after saving: the input since then. */
export function afterSaving(draft: Draft, sent: Draft, saved: Values): Draft {
  const names = Object.keys(sent.changed)
  const unchanged = names.filter((name) => isSame(draft.changed[name], sent.changed[name]))
  const { changed, base } = without(draft, unchanged)
  return { changed, base: { ...base, ...Object.fromEntries(names.map((name) => [name, saved[name]])) } }
}

/** The edited properties that somebody else has changed to another value in the meantime. */
export function conflictsOf({ changed, base }: Draft, latest: Values): string[] {
  return Object.keys(changed).filter(
    (name) => !isSame(base[name], latest[name]) && !isSame(changed[name], latest[name]),
  )
}

function isSame(one: unknown, other: unknown): boolean {
  return writeExact(one) === writeExact(other)
}
