/** What was typed into the forms of operations, until the page is closed. */
import { type Signal, signal } from '@preact/signals'

/** Texts by name. Undefined leaves a value out. */
export type Texts = Record<string, string | undefined>

export interface Draft {
  /** Of parameters, by place and name. */
  parameters: Signal<Texts>
  mediaType: Signal<string | undefined>
  /** Whether an optional body is sent. */
  hasBody: Signal<boolean | undefined>
  /** By media type. */
  bodies: Map<string, BodyDraft>
}

export interface BodyDraft {
  /** Whether JSON text is shown in place of fields. */
  isText: Signal<boolean>
  /** The value below the fields, if it is not the example. */
  base: Signal<Record<string, unknown> | undefined>
  fields: Signal<Texts>
  /** The whole body. */
  text: Signal<string | undefined>
  /** By property. The body itself has an empty name. */
  files: Signal<Record<string, File[]>>
  /** Properties for which no sample is sent. */
  without: Signal<string[]>
}

const drafts = new Map<string, Draft>()

export function draftOf(environment: string, operation: string): Draft {
  const key = `${environment} ${operation}`
  const draft = drafts.get(key) ?? createDraft()
  drafts.set(key, draft)
  return draft
}

export function forgetDraft(environment: string, operation: string): void {
  drafts.delete(`${environment} ${operation}`)
}

function createDraft(): Draft {
  return { parameters: signal({}), mediaType: signal(undefined), hasBody: signal(undefined), bodies: new Map() }
}

export function bodyDraftOf({ bodies }: Draft, mediaType: string): BodyDraft {
  const body = bodies.get(mediaType) ?? createBodyDraft()
  bodies.set(mediaType, body)
  return body
}

function createBodyDraft(): BodyDraft {
  return {
    isText: signal(false),
    base: signal(undefined),
    fields: signal({}),
    text: signal(undefined),
    files: signal({}),
    without: signal([]),
  }
}
