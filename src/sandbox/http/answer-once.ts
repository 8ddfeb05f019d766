/**
 * Repeats the first answer for a request with the same idempotency key: in a header (IETF draft "The Idempotency-Key HTTP Header
 * Field"), or in the body.
 */
import type { RequestContract } from '../../contract/contract.js'
import type { HttpSemantics } from '../../contract/http/http-semantics.js'
import { decodeBytes, encodeBytes } from '../../json/base64.js'
import type { ExactValue } from '../../json/exact-value.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { writeByShape } from '../../json/write-by-shape.js'
import { type StoredAnswer, StoredAnswers, sizeOf } from '../../state/stored-answers.js'
import type { StoredWorld } from '../../state/stored-world.js'
import { type Reason, Refusal, textContent, type WrittenOutcome } from '../outcome.js'
import type { ReadBody } from '../request/read-body.js'
import { maxKeyLength, parseKey } from '../request/read-parameters.js'
import type { EffectInput } from '../writes/effect-input.js'
import { hashText } from './entity-tag.js'

/** How long an answer is kept, by the clock of the world, in milliseconds. */
const lifetime = 24 * 60 * 60 * 1000

/** The maximum number of answers of a world, and of characters in their bodies. The oldest are removed first. */
const maxAnswers = 10_000
const maxCharacters = 16 * 1024 * 1024

export interface IdempotencyKey {
  key: string
  /** Identifies it in its world. */
  id: string
  /** Distinguishes requests with the same key. */
  print: string
}

/** @returns undefined if a request has no key; a refusal if it is malformed */
export function readIdempotencyKey(
  { idempotencyKey: header, idempotencyProperty: property }: HttpSemantics,
  input: EffectInput,
): IdempotencyKey | Refusal | undefined {
  const { server, operation, request } = input
  const sent = header === undefined ? undefined : input.sent.header(header)
  const { value } = request.body
  const given = property !== undefined && isObject(value) ? ownValue(value, property) : undefined
  const own = typeof given === 'string' && given !== '' ? given : undefined
  const key = sent === undefined ? own : parseKey(sent)
  if (key === undefined) {
    if (sent === undefined) return undefined
    return new Refusal(
      'invalid_request',
      `${header} must be 1 to ${maxKeyLength} characters of ASCII, in quotes or not`,
    )
  }
  // Bodies name their keys for one operation.
  const id = sent === undefined ? `${server} ${operation.method} ${operation.path} ${key}` : `${server} ${key}`
  return { key, id, print: fingerprint(input) }
}

/** The first answer to a request with the same key. Undefined if there is none. */
export function firstAnswer({ key, id, print }: IdempotencyKey, input: EffectInput): WrittenOutcome | undefined {
  const known = input.world.extras?.answers?.get(id)
  return known && input.context.now - known.at < lifetime ? repeat(known, print, key, input) : undefined
}

/** Keeps the first answer to a request. */
export function keepAnswer(
  { id, print }: IdempotencyKey,
  { world, context }: EffectInput,
  outcome: WrittenOutcome,
): void {
  if (!isKept(outcome)) return
  const { delayMs } = context.progress.delivery ?? {}
  keep(world, {
    ...toStored(outcome),
    id,
    print,
    at: context.now,
    ...(delayMs !== undefined && { until: Date.now() + delayMs }),
  })
}

/** Distinguishes requests with the same key by their method, address and body. */
function fingerprint({ operation, sent, query, request, contract }: EffectInput): string {
  return hashText(`${operation.method} ${sent.path}?${query}\n${bodyOf(request.body, contract)}`)
}

/** The body as it was sent. For multipart, whose boundary changes each time, its values. */
function bodyOf({ text = '', value, codec, file }: ReadBody, { shapes }: Pick<RequestContract, 'shapes'>): string {
  const isText = codec === undefined || codec.name !== 'multipart'
  if (isText && !file) return text
  const { bytes, type, name } = file ?? {}
  const values = isText ? '' : writeByShape((value ?? null) as ExactValue, shapes, 0)
  return JSON.stringify([values, type, name, bytes && encodeBytes(bytes)])
}

function repeat(known: StoredAnswer, print: string, key: string, { context }: EffectInput): WrittenOutcome {
  if (known.print !== print) {
    const message = `The idempotency key "${key}" was already used for another request; use a new one`
    return new Refusal('key_reused', message, { status: 422 })
  }
  if (known.until !== undefined && Date.now() < known.until) {
    return new Refusal(
      'conflict',
      `The first request with the idempotency key "${key}" is not answered yet; try again later`,
      {
        status: 409,
      },
    )
  }
  const { progress } = context
  const cause = { kind: 'repetition', key } as const
  progress.notes = [...progress.notes, `answered like the first request with the idempotency key "${key}"`]
  const { status = 500, mediaType, headers, body, base64, refused, message = '', violations } = known
  if (refused !== undefined) return new Refusal(refused as Reason, message, { violations, cause })
  const answer = { status, mediaType, headers, cause }
  if (base64 !== undefined) return { ...answer, body: decodeBytes(base64) }
  return { ...answer, body, ...(body !== undefined && { content: textContent(body) }) }
}

/** Other refusals are not kept, so that the client can correct the request or try again. */
function isKept(outcome: WrittenOutcome): boolean {
  return !(outcome instanceof Refusal) || outcome.reason === 'not_found' || outcome.reason === 'conflict'
}

function toStored(outcome: WrittenOutcome): Omit<StoredAnswer, 'id' | 'print' | 'at'> {
  if (outcome instanceof Refusal) {
    const { reason: refused, message, violations } = outcome
    return { refused, message, ...(violations && { violations: [...violations] }) }
  }
  const { status, mediaType, headers, body } = outcome
  return {
    status,
    ...(mediaType !== undefined && { mediaType }),
    ...(headers && { headers: { ...headers } }),
    ...(typeof body === 'string' ? { body } : body && { base64: encodeBytes(body) }),
  }
}

function keep(world: StoredWorld, answer: StoredAnswer): void {
  const answers = world.extras?.answers ?? new StoredAnswers()
  // A snapshot may have the object without answers.
  if (!world.extras?.answers) world.extras = { ...world.extras, answers }
  const change = (id: string, after: StoredAnswer | undefined) => {
    world.log.push({ kind: 'answer', id, before: answers.get(id), after })
    if (after) answers.set(after)
    else answers.delete(id)
  }
  for (const oldest of answers.values()) {
    const isRoom = answers.size < maxAnswers && answers.characters + sizeOf(answer) <= maxCharacters
    if (isRoom && answer.at - oldest.at < lifetime) break
    change(oldest.id, undefined)
  }
  change(answer.id, answer)
}
