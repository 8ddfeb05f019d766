/** Input in the forms of operations, kept until the page is closed, and filled from exchanges. */
import { type Signal, signal } from '@preact/signals'
import { getOrInsert } from '../../json/own-value.js'
import type { Exchange, Operation, Values, Violation } from '../api.js'
import { idOf } from '../forms/form.js'
import { parseExact, writeExact } from '../json-text.js'
import { bareType, headerOf } from '../requests/replay.js'
import { decode } from '../router.js'
import { environment, lookAt, world } from '../store.js'

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

/** Takes the values of the path, the query and a body in JSON. */
export function fillDraft(
  { world: key, environment: of, request, violations = [] }: Exchange,
  { id, path }: Operation,
): void {
  if (of !== undefined) environment.value = of
  if (key !== undefined && key !== world.value) lookAt(key)
  forgetDraft(environment.value, id)
  const draft = draftOf(environment.value, id)
  const sent = request.path.split('/')
  const inPath = path.split('/').flatMap((part, at) => {
    const [, name] = /^\{(.*)\}$/.exec(part) ?? []
    return name === undefined ? [] : [[idOf({ in: 'path', name }), decode(sent[at] ?? '')]]
  })
  const inQuery = [...new URLSearchParams(request.query)].map(([name, value]) => [idOf({ in: 'query', name }), value])
  draft.parameters.value = Object.fromEntries([...inPath, ...inQuery])
  const type = bareType(headerOf(request.headers, 'content-type') ?? '')
  draft.hasBody.value = type !== ''
  if (request.body !== undefined && /json$/.test(type)) fillBody(draft, type, request.body)
  draft.refused.value = violations
  markKept(draft)
}

function fillBody(draft: Draft, type: string, body: string): void {
  draft.mediaType.value = type
  try {
    bodyDraftOf(draft, type).value.value = { value: parseExact(body) }
  } catch {
    bodyDraftOf(draft, type).text.value = body
  }
}

/** A random UUID (RFC 9562). Pages without HTTPS on another machine have no `crypto.randomUUID`. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5')
}
