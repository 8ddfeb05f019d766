/** Writes the envelope of a record or a list. */
import type { Envelope } from '../../contract/effects/effect.js'
import { parseExactJson } from '../../json/exact-json.js'
import type { ExactValue } from '../../json/exact-value.js'
import { isObject } from '../../json/own-value.js'
import { toSeed } from '../../json/random.js'
import { writeByShape } from '../../json/write-by-shape.js'
import type { EffectInput } from '../writes/effect-input.js'
import { ensureValue } from '../writes/sampler.js'

/** A text that no example has. */
const mark = '\u0000here'

/**
 * Puts the JSON text of a record or a list into its envelope.
 * @param text the JSON text inside the envelope. Undefined to leave it out
 * @param put writes facts into the envelope. Without it, the envelope is made once per operation
 */
export function addEnvelope(
  input: EffectInput,
  envelope: Envelope,
  text: string | undefined,
  put?: (body: ExactValue) => void,
): string {
  if (envelope.pointer.length === 0) return text ?? ''
  const { lists, operation } = input
  const around = () =>
    writeByShape(makeBody(input, envelope, text === undefined ? undefined : mark, put), input.contract.shapes, 0)
  const id = `envelope ${operation.id}`
  const isFixed = put === undefined && text !== undefined
  const known = isFixed ? (lists.get(id) ?? lists.set(id, { text: around(), bytes: new Uint8Array() })).text : around()
  const [before = '', after = ''] = known.split(JSON.stringify(mark))
  return text === undefined ? known : before + text + after
}

/** The same for a value. */
export function addEnvelopeToValue(
  input: EffectInput,
  envelope: Envelope,
  value: ExactValue | undefined,
  put?: (body: ExactValue) => void,
): ExactValue {
  return envelope.pointer.length === 0 ? (value ?? null) : makeBody(input, envelope, value, put)
}

function makeBody(
  { contract, operation }: EffectInput,
  { pointer, body, ensure }: Envelope,
  inner: ExactValue | undefined,
  putFacts?: (body: ExactValue) => void,
): ExactValue {
  const toEnsured = (value: ExactValue) =>
    (ensure && ensureValue(contract, ensure, value, toSeed(operation.id))) ?? value
  // biome-ignore lint/plugin: an example of the document
  const example = parseExactJson(body).exact
  putFacts?.(example)
  const ensured = toEnsured(example)
  const [name = ''] = pointer
  if (inner === undefined) return without(ensured, name)
  // An invalid envelope of the example was dropped, and with it the property that has the record: put it back.
  const isThere = isObject(ensured) ? Object.hasOwn(ensured, name) : true
  return put(isThere ? ensured : toEnsured(put(ensured, pointer, [])), pointer, inner)
}

function without(value: ExactValue, name: string): ExactValue {
  if (!isObject(value)) return value
  const { [name]: _, ...others } = value
  return others as ExactValue
}

/** A copy with a value at a pointer. A list on the way only keeps this item. */
function put(value: ExactValue, [name, ...rest]: readonly string[], inner: ExactValue): ExactValue {
  if (name === undefined) return inner
  if (name === '0' && !isObject(value)) return [put(Array.isArray(value) ? value[0] : undefined, rest, inner)]
  const object = isObject(value) ? value : {}
  return { ...object, [name]: put(object[name] as ExactValue, rest, inner) }
}
