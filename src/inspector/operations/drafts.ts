/** Input in the forms of operations, kept until the page is closed. */
import { type Signal, signal } from '@preact/signals'
import { getOrInsert } from '../../json/own-value.js'

/** Texts by name. Undefined leaves a value out. */
export type Texts = Record<string, string | undefined>

export interface Draft {
  /** Texts of parameters, by place and name. */
  parameters: Signal<Texts>
  mediaType: Signal<string | undefined>
  /** Whether an optional body is sent. */
  hasBody: Signal<boolean | undefined>
  /** Bodies by media type. */
  bodies: Map<string, BodyDraft>
}

export interface BodyDraft {
  /** Whether JSON text is shown instead of fields. */
  isText: Signal<boolean>
  /** The value that the fields change, if it is not the example. */
  base: Signal<Record<string, unknown> | undefined>
  fields: Signal<Texts>
  /** The text of the whole body. */
  text: Signal<string | undefined>
  /** Files by property. The body itself has an empty name. */
  files: Signal<Record<string, File[]>>
  /** Properties for which no sample is sent. */
  without: Signal<string[]>
}

const drafts = new Map<string, Draft>()

export function draftOf(environment: string, operation: string): Draft {
  return getOrInsert(drafts, `${environment} ${operation}`, () => ({
    ...{ parameters: signal({}), mediaType: signal(undefined), hasBody: signal(undefined), bodies: new Map() },
  }))
}

export function forgetDraft(environment: string, operation: string): void {
  drafts.delete(`${environment} ${operation}`)
}

export function bodyDraftOf({ bodies }: Draft, mediaType: string): BodyDraft {
  return getOrInsert(bodies, mediaType, () => ({
    ...{ isText: signal(false), base: signal(undefined), text: signal(undefined) },
    ...{ fields: signal({}), files: signal({}), without: signal([]) },
  }))
}
