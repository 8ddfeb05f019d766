/** Makes the body of a callback or webhook: an example with the values of the record and the event, made valid. */

import type { RequestContract } from '../../contract/contract.js'
import type { Ensure } from '../../contract/effects/ensure.js'
import type { WebhookBody } from '../../contract/webhook.js'
import { decodeBytes } from '../../json/base64.js'
import { copyValue } from '../../json/copy.js'
import { parseExactJson } from '../../json/exact-json.js'
import type { ExactValue } from '../../json/exact-value.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { isPathProperty } from '../../json/path-property.js'
import { pruneByShape } from '../../json/prune-by-shape.js'
import { createRandom, toSeed } from '../../json/random.js'
import { makeValue } from '../../json/sampler/make-value.js'
import { writeByShape } from '../../json/write-by-shape.js'
import type { Values } from '../../state/stored-record.js'
import { ensureValue } from '../writes/sampler.js'

export interface BodyValues {
  /** The collection of the operation, and its record. */
  collection: string | undefined
  record: Values | undefined
  /** Milliseconds since 1970. */
  now: number
  /** The same seed makes the same body. */
  seed: string
}

/** @returns undefined if no valid body is found */
export function makeBody(
  contract: RequestContract,
  { codec, example, base64, ensure, records, events, ids, times }: WebhookBody,
  { collection, record, now, seed }: BodyValues,
): string | Uint8Array | undefined {
  if (codec === undefined) return base64 === undefined ? example : decodeBytes(base64)
  // biome-ignore lint/plugin: an example of the document
  let value: unknown = parseExactJson(example).exact
  for (const pointer of times ?? []) value = withValue(value, pointer, new Date(now).toISOString())
  for (const [pointer, text] of events ?? []) value = withValue(value, pointer, text)
  for (const [pointer, plan] of ids ?? []) {
    const random = createRandom(toSeed(`${seed} ${pointer.join()}`))
    value = withValue(value, pointer, makeValue(contract.plans, plan, { random }))
  }
  const known = record && collection !== undefined ? ownValue(records ?? {}, collection) : undefined
  const shown = known && record && withoutHidden(contract, record, known.shape)
  for (const { pointer, values } of (shown && known.places) ?? []) {
    if (!values) value = withValue(value, pointer, shown)
    for (const [name, own] of values ?? []) {
      const each = shown && ownValue(shown, own)
      if (each !== undefined) value = withValue(value, [...pointer, name], each)
    }
  }
  const valid = ensure ? makeValid(contract, ensure, value as ExactValue, seed) : (value as ExactValue)
  if (valid === undefined) return undefined
  return codec === 'json' ? writeByShape(valid, contract.shapes, 0) : writeForm(valid)
}

/** Makes the body valid. Keeps values that were set even if no schema names them. */
function makeValid(contract: RequestContract, ensure: Ensure, value: ExactValue, seed: string): ExactValue | undefined {
  const { shapes } = contract
  const named = copyValue(value)
  pruneByShape(named, shapes, ensure.shape, () => {})
  const valid = ensureValue(contract, ensure, named, toSeed(seed))
  if (valid === named) return named
  // The schema may require properties that it does not name, for example by `minProperties`.
  const whole = copyValue(value)
  const open = shapes.map((shape) => ({ ...shape, open: true }))
  pruneByShape(whole, open, ensure.shape, () => {})
  return ensureValue(contract, ensure, whole, toSeed(seed)) === whole ? whole : valid
}

/** The part of a record that answers show. Names in braces are properties that no body shows. */
function withoutHidden({ shapes }: RequestContract, record: Values, shape: number): Values {
  const shown = Object.fromEntries(Object.entries(record).filter(([name]) => !isPathProperty(name)))
  const copy = copyValue(shown)
  pruneByShape(copy, shapes, shape, () => {})
  return copy
}

/** A copy with a value at a pointer. Creates missing objects on the way. */
function withValue(root: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value
  if (Array.isArray(root)) return [withValue(root[0], rest, value)]
  const known = isObject(root) ? root : {}
  return { ...known, [name]: withValue(ownValue(known, name), rest, value) }
}

/** Writes objects and lists as JSON. */
function writeForm(value: ExactValue): string {
  const fields = new URLSearchParams()
  for (const [name, each] of Object.entries(isObject(value) ? value : {})) {
    for (const item of Array.isArray(each) ? each : [each]) {
      fields.append(name, typeof item === 'object' ? writeByShape(item as ExactValue, [], 0) : String(item))
    }
  }
  return String(fields)
}
