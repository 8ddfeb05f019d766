/** Answers with a body that does not show a record: that of an example, with values of the request and of a new record. */
import type {
  CreateEffect,
  Effect,
  FixedBody,
  KeyedEffect,
  StartedRecord,
  Success,
} from '../../contract/effects/effect.js'
import { sampleTime } from '../../contract/effects/effect.js'
import { decodeBytes } from '../../json/base64.js'
import type { ExactValue } from '../../json/exact-value.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { writeByShape } from '../../json/write-by-shape.js'
import type { Key, Values } from '../../state/stored-record.js'
import { type Answer, type Outcome, Refusal, textContent } from '../outcome.js'
import { refuseNotMade } from '../responses/write-answer.js'
import { withOwnValues } from './answer-values.js'
import { type EffectInput, modelOf, storedOf } from './effect-input.js'
import { toValid } from './ensured.js'
import { withBeginning } from './progress.js'
import { ensureText, ensureValue, makeKey } from './sampler.js'
import { fill, writeTime } from './service-written.js'

/** Answers with a body in place of the record. @param key the key of a new record */
export function answerInstead(
  input: EffectInput<CreateEffect | KeyedEffect>,
  answer: FixedBody,
  key: Key | undefined,
): Outcome {
  const fixed = answerFixed(input, answer)
  const { keyName, starts } = answer
  if (fixed instanceof Refusal) return fixed
  const shown = key === undefined || keyName === undefined ? fixed : showKey(input, answer, fixed, keyName, key)
  return starts && !(shown instanceof Refusal) ? startRecord(input, answer, starts, shown) : shown
}

/** Answers with a body that does not depend on the state. */
export function answerFixed(input: EffectInput<Success & Effect>, { body, base64, ensure }: FixedBody): Outcome {
  const { contract, context, effect, operation, lists } = input
  const { status, mediaType, headers } = effect
  const isReading = operation.method === 'GET' || operation.method === 'HEAD'
  if (base64 !== undefined) return { status, mediaType, headers, content: { bytes: decodeBytes(base64) } }
  if (body === undefined) return { status, mediaType, headers }
  const toBody = (text: string) => (isReading ? text : writeTimes(text, context.now))
  if (!ensure) return { status, mediaType, headers, content: textContent(toBody(body)) }
  const id = `example ${operation.id}`
  let written = lists.get(id)
  if (!written) {
    const text = ensureText(contract, ensure, body, operation.id)
    if (text === undefined) return refuseNotMade(input)
    written = lists.set(id, { text, bytes: new TextEncoder().encode(text) })
  }
  const text = toBody(written.text)
  const bytes = text === written.text ? written.bytes : undefined
  return { status, mediaType, headers, content: textContent(text, bytes) }
}

/** Replaces the times of samples by the time of the clock: an event happens now. */
function writeTimes(text: string, now: number): string {
  // biome-ignore lint/plugin: a time of an example in the document
  return text.replace(sampledTimes, (sampled) => JSON.stringify(writeTime(now, 'sample', JSON.parse(sampled))))
}

// unmeasured: fixed times without a repeat
const sampledTimes = new RegExp(
  [new Date(sampleTime).toISOString(), sampleTime, sampleTime / 1000, writeTime(sampleTime, 'date')]
    .map((time) => `(?<=[:[,])${JSON.stringify(time).replaceAll('.', '\\.')}(?=[,}\\]])`)
    .join('|'),
  'g',
)

/** Adds the record that an answer names. What else the answer says of it, it has, too. */
export function startRecord(
  input: EffectInput,
  answer: FixedBody,
  { collection, keyName, properties, serviceWritten = [] }: StartedRecord,
  fixed: Answer,
): Outcome {
  const { contract, world, server } = input
  const model = modelOf(contract, collection)
  const records = storedOf(contract, world, server, collection)
  const key = makeKey(contract, model, records)
  if (key === undefined) return fixed
  const shown = showKey(input, answer, withOwnValues(input, fixed), keyName, key)
  const body = shown instanceof Refusal ? undefined : shown.content?.value?.()
  if (!isObject(body)) return fixed
  const given = properties.map(([name, own]): [string, unknown] => [own, ownValue(body, name)])
  const known = Object.fromEntries(given.filter(([, value]) => value !== undefined))
  const values: Values = { ...fill(serviceWritten, input.context.now, known), ...known, [model.key]: key }
  const stored = toValid({ ...input, model } as EffectInput<CreateEffect>, values)
  if (!(stored instanceof Refusal) && stored[model.key] === key)
    records.add(withBeginning(model, stored, input.context.now))
  return shown
}

/** The same body with the key, in the type that its schema allows. */
function showKey({ contract }: EffectInput, { ensure }: FixedBody, fixed: Answer, name: string, key: Key): Outcome {
  const body = fixed.content?.value?.()
  const isWhole = name === ''
  if (!isWhole && !isObject(body)) return fixed
  const shown = [key, String(key), Number(key)]
    .map((each): ExactValue => (isWhole || !isObject(body) ? each : { ...body, [name]: each }))
    .find((each) => !ensure || ensureValue(contract, ensure, each, 0) === each)
  if (shown === undefined) return fixed
  return { ...fixed, content: textContent(writeByShape(shown, contract.shapes, 0)) }
}
