/** Input in the forms of operations, kept until the page is closed. */
import { type Signal, signal } from '@preact/signals'
import { getOrInsert } from '../../json/own-value.js'
import type { Values, Violation } from '../api-types.js'
import { writeExact } from '../json-text.js'

export interface Draft {
  /** Values of parameters, by place and name. Undefined leaves one out. */
  parameters: Signal<Values>
  mediaType: Signal<string | undefined>
  /** Whether an optional body is sent. */
  hasBody: Signal<boolean | undefined>
  /** The idempotency key of the next request. */
  onceKey: Signal<string>
  /** Whether further requests have the same one. */
  isKeyKept: Signal<boolean>
  /** What was wrong with the request that it was filled from. */
  refused: Signal<readonly Violation[]>
  /** Bodies by media type. */
  bodies: Map<string, BodyDraft>
  /** What was in it when it was sent or filled in. */
  kept: string
}

export interface BodyDraft {
  /** The value, if it is not the example. */
  value: Signal<{ value: unknown } | undefined>
  /** The text of the whole body, if the user typed it. */
  text: Signal<string | undefined>
  /** Files by property. The body itself has an empty name. */
  files: Signal<Record<string, File[]>>
  /** Properties for which no sample is sent. */
  without: Signal<string[]>
}

const drafts = new Map<string, Draft>()

addEventListener('beforeunload', (event) => {
  if ([...drafts.values()].some((each) => each.kept !== contentOf(each))) event.preventDefault()
})

/** What a user would have to type again. */
function contentOf({ parameters, bodies }: Draft): string {
  const typed = [...bodies.values()].map(({ value, text, files }) => [
    value.value,
    text.value,
    Object.keys(files.value),
  ])
  return writeExact([parameters.value, typed.filter((each) => writeExact(each) !== '[null,null,[]]')])
}

/** Leaving the page loses nothing that was not sent. */
export function markKept(draft: Draft): void {
  draft.kept = contentOf(draft)
}

export function draftOf(environment: string, operation: string): Draft {
  return getOrInsert(drafts, `${environment} ${operation}`, () => ({
    ...{ parameters: signal({}), mediaType: signal(undefined), hasBody: signal(undefined), bodies: new Map() },
    ...{ onceKey: signal(newKey()), isKeyKept: signal(false), refused: signal([]), kept: '[{},[]]' },
  }))
}

export function forgetDraft(environment: string, operation: string): void {
  drafts.delete(`${environment} ${operation}`)
}

export function bodyDraftOf({ bodies }: Draft, mediaType: string): BodyDraft {
  return getOrInsert(bodies, mediaType, () => ({
    ...{ value: signal(undefined), text: signal(undefined), files: signal({}), without: signal([]) },
  }))
}

/** A random UUID (RFC 9562). Pages without HTTPS on another machine have no `crypto.randomUUID`. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5')
}
