/** Puts values of the request and new keys into an answer. */
import { encodeBase64, tokenLifetime, toUrlSafe } from '../../contract/credentials.js'
import type { AnswerValue, ValueUse } from '../../contract/effects/effect.js'
import type { ExactValue } from '../../json/exact-value.js'
import { valueAt, withNested } from '../../json/nested.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { createRandom, toSeed } from '../../json/random.js'
import { toRounded } from '../../json/rounding.js'
import { makeValue } from '../../json/sampler/make-value.js'
import { toTyped } from '../../json/typed-value.js'
import { writeByShape } from '../../json/write-by-shape.js'
import type { Values } from '../../state/stored-record.js'
import { readBasic } from '../credentials/read-credentials.js'
import { type Answer, type Outcome, Refusal } from '../outcome.js'
import { chosenValue } from './chosen-values.js'
import type { EffectInput } from './effect-input.js'
import { findRecord } from './existing-record.js'
import { writeTime } from './service-written.js'

/** The answer with the values. The same request gets the same ones. */
export function withValues<O extends Outcome>(
  { values, record = [], ensure }: ValueUse,
  input: EffectInput,
  outcome: O,
): O {
  const body = outcome instanceof Refusal ? undefined : outcome.content?.value?.()
  if (outcome instanceof Refusal || !isObject(body)) return outcome
  const { contract } = input
  const own = recordOf(input) ?? valueAt(body, record)
  const changed = values.reduce<Readonly<Record<string, unknown>>>((at, each) => {
    const value = each.chosen
      ? chosenValue(input, each.chosen, isObject(own) ? own : {}, each.types)
      : newValue(input, each)
    return value === undefined ? at : withNested(at, each.pointer, value)
  }, body) as ExactValue
  const isValid = contract.validators[ensure.validate]?.(toRounded(changed)) === true
  if (!isValid) return outcome
  const content = { ...outcome.content, bytes: undefined, value: () => changed }
  return { ...outcome, content: { ...content, text: () => writeByShape(changed, contract.shapes, 0) } }
}

/** The record of an effect whose answer shows another body. */
function recordOf({ effect, ...input }: EffectInput): Values | undefined {
  if ((effect.kind !== 'read' && effect.kind !== 'action') || !effect.answer) return undefined
  const found = findRecord({ ...input, effect })
  return found instanceof Refusal ? undefined : found.record.values
}

/** The same for an operation that may have such values. */
export function withOwnValues(input: EffectInput, answer: Answer): Answer {
  const { extras } = input.operation
  const use = extras?.kind === 'http' ? extras.extras : extras
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
  const given = (name: string | undefined) => (name === undefined ? undefined : ownValue(body, name))
  const client = token.client === undefined ? undefined : (given(token.client) ?? readBasic(sent)?.split(':')[0])
  const iat = Math.floor(context.now / 1000)
  const claims = {
    sub: String(given(token.user) ?? client ?? 'sandbox'),
    ...(isKnown && { client_id: String(client ?? key) }),
    iat,
    exp: iat + tokenLifetime,
  }
  const encode = (part: object) => toUrlSafe(encodeBase64(JSON.stringify(part)))
  return `${encode({ alg: 'none', typ: 'JWT' })}.${encode(claims)}.sandbox`
}
