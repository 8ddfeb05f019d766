/** Answers with a body that does not show a record: that of an example, with values of the request and of a new record. */
import { encodeBase64, tokenLifetime, toUrlSafe } from '../../contract/credentials.js'
import {
  type AnswerValue,
  type CreateEffect,
  type Effect,
  type FixedBody,
  type KeyedEffect,
  type StartedRecord,
  type Success,
  sampleTime,
  type ValueUse,
} from '../../contract/effects/effect.js'
import { decodeBytes } from '../../json/base64.js'
import type { ExactValue } from '../../json/exact-value.js'
import { valueAt, withNested } from '../../json/nested.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { createRandom, toSeed } from '../../json/random.js'
import { toRounded } from '../../json/rounding.js'
import { makeValue } from '../../json/sampler/make-value.js'
import { toTyped } from '../../json/typed-value.js'
import { writeByShape } from '../../json/write-by-shape.js'
import type { Key, Values } from '../../state/stored-record.js'
import { readBasic } from '../credentials/read-credentials.js'
import { type Answer, type Outcome, Refusal, textContent } from '../outcome.js'
import { refuseNotMade } from '../responses/write-answer.js'
import { chosenValue, withoutNested } from './chosen-values.js'
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
  record: Values,
): Outcome {
  const { keyName, starts } = answer
  const fixed = answerFixed(input, answer, record)
  if (fixed instanceof Refusal) return fixed
  const shown = key === undefined || keyName === undefined ? fixed : showKey(input, answer, fixed, keyName, key)
  return starts && !(shown instanceof Refusal) ? startRecord(input, answer, starts, shown) : shown
}

/** Answers with a body that does not depend on the state. */
export function answerFixed(
  input: EffectInput<Success & Effect>,
  { body, base64, ensure }: FixedBody,
  record?: Values,
): Outcome {
  const { contract, context, effect, operation, lists } = input
  const { status, mediaType, headers } = effect
  const isReading = operation.method === 'GET' || operation.method === 'HEAD'
  if (base64 !== undefined) return { status, mediaType, headers, content: { bytes: decodeBytes(base64) } }
  if (body === undefined) return { status, mediaType, headers }
  const toBody = (text: string) => (isReading ? text : writeTimes(text, context.now))
  if (!ensure) return { status, mediaType, headers, content: textContent(toBody(body), undefined, record) }
  const id = `example ${operation.id}`
  let written = lists.get(id)
  if (!written) {
    const text = ensureText(contract, ensure, body, operation.id)
    if (text === undefined) return refuseNotMade(input)
    written = lists.set(id, { text, bytes: new TextEncoder().encode(text) })
  }
  const text = toBody(written.text)
  const bytes = text === written.text ? written.bytes : undefined
  return { status, mediaType, headers, content: textContent(text, bytes, record) }
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
  { collection, keyName, properties, serviceWritten = [], location }: StartedRecord,
  answered: Answer,
): Outcome {
  const { contract, world, server } = input
  const model = modelOf(contract, collection)
  const records = storedOf(contract, world, server, collection)
  const key = makeKey(contract, model, records)
  if (key === undefined) return answered
  const address = `${input.sent.mount}${location?.path.replace(/\{[^{}]*\}$/, encodeURIComponent(String(key)))}`
  const fixed = location ? { ...answered, headers: { ...answered.headers, [location.header]: address } } : answered
  const whole = withOwnValues(input, fixed)
  const shown = keyName === undefined ? whole : showKey(input, answer, whole, keyName, key)
  const body = shown instanceof Refusal ? undefined : (shown.content?.value?.() ?? {})
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
  const text = writeByShape(shown, contract.shapes, 0)
  return { ...fixed, content: textContent(text, undefined, fixed.content?.record) }
}

/** The answer with the values. The same request gets the same ones. */
export function withValues<O extends Outcome>(
  { values, record = [], ensure }: ValueUse,
  input: EffectInput,
  outcome: O,
): O {
  const body = outcome instanceof Refusal ? undefined : outcome.content?.value?.()
  const isWhole = values.some(({ pointer }) => pointer.length === 0)
  if (outcome instanceof Refusal || !(isObject(body) || isWhole)) return outcome
  const { contract } = input
  const own = outcome.content?.record ?? valueAt(body, record)
  const use = (at: unknown, each: AnswerValue): unknown => {
    if (each.chosen?.from === 'none') return isObject(at) ? withoutNested(at, each.pointer) : at
    const value = each.chosen
      ? chosenValue(input, each.chosen, isObject(own) ? own : {}, each.types)
      : newValue(input, each)
    return value === undefined ? at : isObject(at) ? withNested(at, each.pointer, value) : value
  }
  const isValid = (each: unknown) => contract.validators[ensure.validate]?.(toRounded(each as ExactValue)) === true
  // A value that the schema does not allow leaves the others as they are.
  const useValid = (at: unknown, each: AnswerValue) => {
    const used = use(at, each)
    return each.isRecorded || isValid(used) ? used : at
  }
  const all = values.reduce(use, body)
  const changed = (isValid(all) ? all : values.reduce<unknown>(useValid, body)) as ExactValue
  if (changed === body) return outcome
  const content = { ...outcome.content, bytes: undefined, value: () => changed }
  return { ...outcome, content: { ...content, text: () => writeByShape(changed, contract.shapes, 0) } }
}

/** The same for an operation that may have such values. */
export function withOwnValues(input: EffectInput, answer: Answer): Answer {
  const { extras } = input.operation
  const all = extras?.kind === 'http' ? extras.extras : extras
  const use = all?.kind === 'author' ? all.others : all
  return use?.kind === 'values' ? withValues(use, input, answer) : answer
}

type TokenNames = NonNullable<AnswerValue['token']>

function newValue(input: EffectInput, { pointer, from, types = [], plan, token, isNow, as }: AnswerValue): unknown {
  const { request, contract, operation, context } = input
  if (token) return writeToken(input, token)
  if (isNow) return as ? writeTime(context.now, as) : new Date(context.now).toISOString()
  if (plan !== undefined) {
    const seed = toSeed(JSON.stringify([operation.id, pointer, context.now, context.seed]))
    return makeValue(contract.plans, plan, { random: createRandom(seed), now: context.now })
  }
  const [place, name = ''] = from ?? []
  const source = place === 'path' ? request.path : request.body.value
  const sent = isObject(source) ? ownValue(source, name) : undefined
  return sent === undefined ? undefined : toTyped(sent, types)
}

/**
 * A JSON Web Token (RFC 7519) without a signature, for the world of the request, or that of the client which asks for it as in
 * OAuth 2.0. A key that the request does not have, and that may be secret, is not disclosed: then it opens no world.
 */
function writeToken({ world: { key }, request, sent, context }: EffectInput, token: TokenNames): string {
  const isKnown =
    key === 'sandbox' || ['authorization', 'sandbox-world'].some((name) => sent.header(name)?.includes(key))
  const body = isObject(request.body.value) ? request.body.value : {}
  const given = (name: string | undefined) => (name === undefined ? undefined : valueAt(body, name.split('/')))
  const client = token.client === undefined ? undefined : (given(token.client) ?? readBasic(sent)?.split(':')[0])
  const iat = Math.floor(context.now / 1000)
  const seed = toSeed(JSON.stringify([body, context.now, context.seed]))
  const claims = {
    sub: String(given(token.user) ?? client ?? 'sandbox'),
    ...(isKnown && { client_id: String(client ?? key) }),
    iat,
    exp: iat + tokenLifetime,
  }
  const encode = (part: object) => toUrlSafe(encodeBase64(JSON.stringify(part)))
  return `${encode({ alg: 'none', typ: 'JWT' })}.${encode(claims)}.${seed}`
}
