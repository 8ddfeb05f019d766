/** HTTP semantics around an effect: conditions, entity tags, idempotency keys and `Location`. */
import type { HttpSemantics, ItemPath, RecordLocation, VersionUse } from '../../contract/http/http-semantics.js'
import { fillPath, parsePathTemplate } from '../../contract/path-template.js'
import { shorten } from '../../contract/violations.js'
import { addressOf } from '../lists/page-links.js'
import { Refusal, type Written, type WrittenOutcome } from '../outcome.js'
import type { EffectInput } from '../writes/effect-input.js'
import { answerOnce } from './answer-once.js'
import { judgeConditions, toHttpDate, type Verdict, type Version } from './judge-conditions.js'
import {
  changedRecord,
  isStoredAsSent,
  type ReadTarget,
  toCompared,
  versionAfter,
  versionOfAnswer,
  versionOfTarget,
} from './versions.js'

/** @param run applies the effect */
export function applyHttp(
  use: HttpSemantics,
  input: EffectInput,
  run: () => WrittenOutcome,
  readTarget: ReadTarget,
): WrittenOutcome {
  const { versions, idempotencyKey, idempotencyProperty, location } = use
  const { method } = input.operation
  const isReading = method === 'GET' || method === 'HEAD'
  const changes = versions && !isReading ? () => changeOnCondition(versions, input, run, readTarget) : run
  const apply = versions && isReading ? () => readOnCondition(versions, input, run) : changes
  const answer = location ? () => addLocation(location, input, apply()) : apply
  // A repeated request gets its first answer even if its condition no longer holds.
  const isOnce = idempotencyKey !== undefined || idempotencyProperty !== undefined
  return isOnce ? answerOnce(use, input, answer) : answer()
}

function readOnCondition(use: VersionUse, input: EffectInput, run: () => WrittenOutcome): WrittenOutcome {
  const outcome = run()
  if (outcome instanceof Refusal || outcome.status > 299) return outcome
  const version = versionOfAnswer(use, input, outcome)
  const verdict = judgeConditions((name) => input.sent.header(name), version, true)
  if (verdict.is === 'failed') return refuseFailed(verdict, version)
  return withVersion(verdict.is === 'unchanged' ? { status: 304, headers: outcome.headers } : outcome, version)
}

function changeOnCondition(
  use: VersionUse,
  input: EffectInput,
  run: () => WrittenOutcome,
  readTarget: ReadTarget,
): WrittenOutcome {
  const refusal = refuseChange(use, input, readTarget)
  if (refusal) return refusal
  const outcome = run()
  if (outcome instanceof Refusal) return outcome
  const version = versionAfter(use, input, outcome)
  return version && !isMisleading(input, outcome) ? withVersion(outcome, version) : outcome
}

/**
 * Whether an answer to PUT must not have a validator: the stored record differs from the body that was sent, and the answer
 * does not show it, so a client would take its own body for the current representation (RFC 9110, section 9.3.4). Headers
 * that the document requires are sent anyway.
 */
function isMisleading(input: EffectInput, answer: Written): boolean {
  const { operation, effect } = input
  const { body = '', headers = {} } = answer
  const isShown = body !== '' && !('answer' in effect && effect.answer)
  if (operation.method !== 'PUT' || isShown) return false
  const isRequired = Object.keys(headers).some((name) => /^(etag|last-modified)$/i.test(name))
  return !isRequired && !isStoredAsSent(input, answer)
}

const conditional = ['if-match', 'if-none-match', 'if-unmodified-since']

/** Does not check conditions if the target is missing: that refusal comes first (RFC 9110, section 13.2.1). */
function refuseChange(use: VersionUse, input: EffectInput, readTarget: ReadTarget): Refusal | undefined {
  const sent = (name: string) => input.sent.header(name)
  const isConditional = conditional.some((name) => sent(name) !== undefined)
  if (!isConditional && !use.isRequired) return undefined
  const target = versionOfTarget(use, input, readTarget)
  if (target === 'missing') return undefined
  if (!isConditional && target) {
    const now = target === 'unknown' ? '' : `: ${target.tag}`
    const message = `A change needs If-Match with the current ETag${now}`
    return new Refusal('precondition_required', message, { status: 428 })
  }
  if (target === 'unknown') return undefined
  const verdict = judgeConditions(
    (name) => {
      const field = sent(name)
      return field === undefined || !name.endsWith('match') ? field : toCompared(use, field)
    },
    target,
    false,
  )
  return verdict.is === 'met' ? undefined : refuseFailed(verdict, target)
}

function refuseFailed({ header, value }: Exclude<Verdict, { is: 'met' }>, version: Version | undefined): Refusal {
  const changed = version?.modified === undefined ? '' : `, changed ${toHttpDate(version.modified)}`
  const found = version ? `the current ETag is ${version.tag}${changed}` : 'there is no such resource'
  const message = `${header}: ${shorten(value)} does not hold: ${found}`
  return new Refusal('precondition_failed', message, { status: 412 })
}

function withVersion(answer: Written, { tag, modified }: Version): Written {
  const date = modified === undefined ? undefined : { 'Last-Modified': toHttpDate(modified) }
  return withHeaders(answer, { ETag: tag, ...date })
}

/** Adds the address of a new record (RFC 9110, section 10.2.2). */
function addLocation(location: RecordLocation, input: EffectInput, outcome: WrittenOutcome): WrittenOutcome {
  // Without a created record there is no address.
  if (outcome instanceof Refusal || (!location.item && outcome.status !== 201)) return outcome
  const { header, item, isAbsolute } = location
  const path = item ? pathOf(item, input, outcome) : input.sent.path
  if (path === undefined) return outcome
  const origin = isAbsolute ? addressOf(input).origin : ''
  return withHeaders(outcome, { [header]: `${origin}${input.sent.mount}${path}` })
}

function pathOf({ path, parameter, others }: ItemPath, input: EffectInput, answer: Written): string | undefined {
  const key = changedRecord(input, answer)?.[input.model.key]
  if (key === undefined) return undefined
  const values = new Map(others.map(([own, name]) => [own, input.request.texts[name] ?? '']))
  return fillPath(parsePathTemplate(path), (name) => {
    const text = name === parameter ? String(key) : (values.get(name) ?? '')
    return encodeURIComponent(text.toWellFormed())
  })
}

/** Adds headers to the answer. They replace those with the same case-insensitive name (RFC 9110, section 5.1). */
function withHeaders(answer: Written, added: Readonly<Record<string, string>>): Written {
  const headers = { ...answer.headers }
  for (const [name, value] of Object.entries(added)) {
    const known = Object.keys(headers).find((each) => each.toLowerCase() === name.toLowerCase())
    headers[known ?? name] = value
  }
  return { ...answer, headers }
}
