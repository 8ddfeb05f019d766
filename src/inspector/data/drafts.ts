/** What was typed into the form of a record and is not saved. It stays when the form is closed. */
import { type Signal, signal } from '@preact/signals'
import type { Values } from '../api-types.js'
import { writeExact } from '../exact-json.js'

export interface Draft {
  /** Texts of the properties that were changed. Undefined removes one. */
  texts: Readonly<Record<string, string | undefined>>
  /** The record that was changed, as it was then. */
  base: Values
}

/** By world, environment and address of the record. */
const drafts: Signal<Readonly<Record<string, Draft>>> = signal({})

addEventListener('beforeunload', (event) => {
  if (Object.keys(drafts.value).length > 0) event.preventDefault()
})

export function draftOf(place: string): Draft | undefined {
  return drafts.value[place]
}

/** A draft without texts is none. */
export function keepDraft(place: string, draft: Draft | undefined): void {
  const { [place]: _, ...others } = drafts.value
  drafts.value = draft && Object.keys(draft.texts).length > 0 ? { ...others, [place]: draft } : others
}

/** The properties that somebody changed here, and somebody else meanwhile. */
export function conflictsOf({ texts, base }: Draft, latest: Values): string[] {
  return Object.keys(texts).filter((name) => writeExact(base[name]) !== writeExact(latest[name]))
}
