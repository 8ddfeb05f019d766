/** Writes what stands around a record or a list in a body. */
import type { Envelope } from '../../contract/effects/effect.js'
import { parseExactJson } from '../../json/exact-json.js'
import type { ExactValue } from '../../json/exact-value.js'
import { isObject } from '../../json/own-value.js'
import { toSeed } from '../../json/random.js'
import { writeByShape } from '../../json/write-by-shape.js'
import type { EffectInput, WrittenList } from '../effects/effect.js'

/** A text that no example has. */
const mark = '\u0000here'

/** What is around does not depend on the state: it is made once for an operation. */
export function addEnvelope(input: EffectInput, envelope: Envelope, text: string): string {
  if (envelope.pointer.length === 0) return text
  const { lists, operation } = input
  const id = `envelope ${operation.id}`
  const known =
    lists.get(id) ?? lists.set(id, toWritten(writeByShape(makeBody(input, envelope), input.contract.shapes, 0)))
  const [before = '', after = ''] = known.text.split(JSON.stringify(mark))
  return before + text + after
}

/** The same for a value. */
export function addEnvelopeToValue(
  input: EffectInput,
  { pointer, ...envelope }: Envelope,
  value: ExactValue,
): ExactValue {
  return pointer.length === 0 ? value : put(makeBody(input, { pointer, ...envelope }), pointer, value)
}

function toWritten(text: string): WrittenList {
  return { text, bytes: new Uint8Array() }
}

function makeBody({ contract, sampler, operation }: EffectInput, { pointer, body, ensure }: Envelope): ExactValue {
  const toEnsured = (value: ExactValue) => ensure && sampler?.ensure(contract, ensure, value, toSeed(operation.id))
  const example = parseExactJson(body).exact
  const ensured = toEnsured(example) ?? example
  // What an example has around the record may be wrong, so that it is left out; it is needed all the same.
  const [name = ''] = pointer
  const isThere = isObject(ensured) ? Object.hasOwn(ensured, name) : true
  return put(isThere ? ensured : (toEnsured(put(ensured, pointer, [])) ?? ensured), pointer, mark)
}

/** A copy with a value where a pointer leads. A list before it has no other items. */
function put(value: ExactValue, [name, ...rest]: readonly string[], inner: ExactValue): ExactValue {
  if (name === undefined) return inner
  if (name === '0' && !isObject(value)) return [put(Array.isArray(value) ? value[0] : undefined, rest, inner)]
  const object = isObject(value) ? value : {}
  return { ...object, [name]: put(object[name] as ExactValue, rest, inner) }
}
