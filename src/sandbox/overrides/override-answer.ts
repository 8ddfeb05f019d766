/** The answers of overrides: marked objects, and what becomes of them. */
import type { Operation } from '../../contract/contract.js'
import { documentedResponse } from '../../contract/documented-status.js'
import { isJson } from '../../contract/http/media-types.js'
import { parseExactJson } from '../../json/exact-json.js'
import type { ExactValue } from '../../json/exact-value.js'
import { findNonJson } from '../../json/find-non-json.js'
import { isObject } from '../../json/own-value.js'
import { toComparable } from '../../json/same-json.js'
import { writeByShape } from '../../json/write-by-shape.js'
import { type Answer, type Outcome, Refusal, type RenderedRefusal, textContent, type Written } from '../outcome.js'

/** Symbols of the registry: two copies of the package know each other's answers. */
export const answered: unique symbol = Symbol.for('petstore-sandbox.answer')

/** An answer as an override sees it. */
export interface MarkedAnswer {
  /** What it was made from. A spread keeps it. */
  [answered]: { from?: Written | Refusal; rendered?: RenderedRefusal; text?: string }
  status: number
  headers: Record<string, string>
  body: unknown
}

export function isMarked(value: unknown): value is MarkedAnswer {
  return isObject(value) && answered in value
}

/** @param body is read when it is needed */
export function mark(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: () => unknown,
  made: MarkedAnswer[typeof answered] = {},
): MarkedAnswer {
  let known: { body: unknown } | undefined
  return Object.defineProperty({ [answered]: made, status, headers: { ...headers }, body: undefined }, 'body', {
    enumerable: true,
    get() {
      if (!known) {
        known = { body: body() }
        made.text = toComparable(known.body as ExactValue)
      }
      return known.body
    },
    set(changed: unknown) {
      known = { body: changed }
    },
  })
}

/** Any result of an override, as another one gets it. */
export async function toMarked(result: unknown, operation: Operation): Promise<MarkedAnswer> {
  if (isMarked(result)) return result
  const outcome = (await toOutcome(result, operation)) as Answer
  return mark(outcome.status, outcome.headers ?? {}, () => bodyOf(outcome), { from: outcome })
}

/** The body of an answer as a value that may be changed. */
export function bodyOf(written: Written | RenderedRefusal): unknown {
  const { body, content } = written
  if (content?.text && body === undefined) return bodyOf({ status: 0, body: content.text() })
  // biome-ignore lint/plugin: code of a person gets a copy that it may change
  if (content?.value) return parseExactJson(writeByShape(content.value(), [], 0)).exact
  if (typeof body !== 'string') return body
  try {
    // biome-ignore lint/plugin: an error body, which is text already
    return parseExactJson(body).exact
  } catch {
    return body
  }
}

/** What an override answers, as the outcome of an effect. @throws TypeError for a body that can't be sent */
export async function toOutcome(result: unknown, operation: Operation): Promise<Outcome> {
  if (result instanceof Response) return fromResponse(result)
  if (!isMarked(result)) return toAnswer(operation, successOf(operation), result)
  const { status, headers, body, [answered]: made } = result
  const { from, rendered, text } = made
  const isSame = from && (text === undefined || toComparable(toJsonValue(body)) === text)
  if (from instanceof Refusal) {
    if (!rendered || (isSame && status === rendered.status)) return from
    const changed = { ...rendered, status, headers, body: writeByShape(toJsonValue(body), [], 0) }
    return new Refusal(from.reason, from.message, { status, rendered: changed })
  }
  if (!isSame) return { ...toAnswer(operation, status, body, from?.mediaType), headers }
  const { mediaType, body: sent, bytes, content } = from
  const whole = typeof sent === 'string' ? textContent(sent, bytes, content?.record) : sent && { bytes: sent }
  return { status, mediaType, headers, content: content ?? whole }
}

function successOf({ effect, responses }: Operation): number {
  if ('status' in effect) return effect.status
  return Number(responses.map(({ status }) => status).find((status) => /^2\d\d$/.test(status)) ?? 200)
}

function toAnswer(operation: Operation, status: number, value: unknown, given?: string): Answer {
  const { effect } = operation
  const own = 'status' in effect && effect.status === status ? effect.mediaType : undefined
  const documented = given ?? own ?? documentedResponse(operation, status)?.mediaType
  if (value === undefined || status === 204 || status === 304) return { status }
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
    const bytes =
      value instanceof ArrayBuffer
        ? new Uint8Array(value)
        : new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice()
    return { status, mediaType: documented ?? 'application/octet-stream', content: { bytes } }
  }
  if (typeof value === 'string' && documented !== undefined && !isJson(documented))
    return { status, mediaType: documented, content: textContent(value) }
  const json = toJsonValue(value)
  const mediaType = documented ?? 'application/json'
  return { status, mediaType, content: { text: () => writeByShape(json, [], 0), value: () => json } }
}

/** A JSON value, in which dates are texts. @throws TypeError */
export function toJsonValue(value: unknown): ExactValue {
  const json = withoutDates(value)
  const wrong = findNonJson(json)
  if (wrong !== undefined) throw new TypeError(`only JSON can be stored and sent (got ${wrong})`)
  return json as ExactValue
}

function withoutDates(value: unknown): unknown {
  if (value instanceof Date) return value.toJSON()
  if (Array.isArray(value)) return value.map(withoutDates)
  if (!isObject(value) || Object.getPrototypeOf(Object.getPrototypeOf(value) ?? null) !== null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withoutDates(item)]))
}

async function fromResponse(response: Response): Promise<Answer> {
  const { 'content-type': mediaType, ...headers } = Object.fromEntries(response.headers)
  const bytes = new Uint8Array(await response.arrayBuffer())
  const isText = /^text\/|json|xml/.test(mediaType ?? '')
  const content = bytes.length === 0 ? undefined : isText ? textContent(new TextDecoder().decode(bytes)) : { bytes }
  return { status: response.status, mediaType, headers, content }
}
