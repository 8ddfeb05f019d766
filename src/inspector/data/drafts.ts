/** What was typed into the form of a record and is not saved. It stays when the form is closed. */
import { type Signal, signal } from '@preact/signals'
import type { Values } from '../api-types.js'
import { writeExact } from '../exact-json.js'
import { toInputText } from '../parts/value-input.js'

export interface Draft {
  /** Texts of the properties that were changed. Undefined removes one. */
  readonly texts: Readonly<Record<string, string | undefined>>
  /** What these properties were when they were changed. */
  readonly base: Values
}

export const noDraft: Draft = { texts: {}, base: {} }

/** By world, environment and address of the record. */
const drafts: Signal<Readonly<Record<string, Draft>>> = signal({})

addEventListener('beforeunload', (event) => {
  if (Object.keys(drafts.value).length > 0) event.preventDefault()
})

export function draftOf(place: string): Draft | undefined {
  return drafts.value[place]
}

/** A draft without texts is none. */
export function keepDraft(place: string, draft: Draft): void {
  const { [place]: _, ...others } = drafts.value
  drafts.value = Object.keys(draft.texts).length > 0 ? { ...others, [place]: draft } : others
}

/** A property that was changed. One that is as it was is not. */
export function withText(draft: Draft, name: string, text: string | undefined, values: Values): Draft {
  if (isSame(text, values[name])) return without(draft, [name])
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

/** What is left of a draft of which another one was saved: what was typed meanwhile. */
export function afterSaving(draft: Draft, sent: Draft, saved: Values): Draft {
  const names = Object.keys(sent.texts)
  const left = without(
    draft,
    names.filter((name) => draft.texts[name] === sent.texts[name]),
  )
  return { texts: left.texts, base: { ...left.base, ...pick(saved, names) } }
}

/** The properties that somebody changed here, and somebody else meanwhile to another value. */
export function conflictsOf({ texts, base }: Draft, latest: Values): string[] {
  return Object.keys(texts).filter(
    (name) => writeExact(base[name]) !== writeExact(latest[name]) && !isSame(texts[name], latest[name]),
  )
}

function isSame(text: string | undefined, value: unknown): boolean {
  return value === undefined ? text === undefined : text === toInputText(value)
}

function pick(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(names.map((name) => [name, values[name]]))
}
