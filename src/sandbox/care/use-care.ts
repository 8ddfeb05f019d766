/** Takes care of HTTP around an effect: conditions, entity tags, requests that are sent again, and `Location`. */
import type { HttpCare, VersionUse } from '../../contract/http-care.js'
import type { EffectInput } from '../effects/effect.js'
import { type Answer, type Outcome, Refusal } from '../outcome.js'
import { addLocation } from './add-location.js'
import { answerOnce } from './answer-once.js'
import { judgeConditions, toHttpDate, type Verdict, type Version } from './judge-conditions.js'
import { toCompared, versionOfAnswer, versionOfTarget, writeVersion } from './versions.js'

/** @param run applies the effect */
export function useCare(use: HttpCare, input: EffectInput, run: () => Outcome): Outcome {
  const { versions, idempotencyKey, location } = use
  const apply = versions ? () => applyOnCondition(versions, input, run) : run
  const answer = location ? () => addLocation(location, input, apply()) : apply
  // A request that is sent again gets its answer also where its condition no longer holds.
  return idempotencyKey === undefined ? answer() : answerOnce(idempotencyKey, input, answer)
}

function applyOnCondition(use: VersionUse, input: EffectInput, run: () => Outcome): Outcome {
  const { method } = input.operation
  return method === 'GET' || method === 'HEAD' ? readOnCondition(use, input, run) : changeOnCondition(use, input, run)
}

function readOnCondition(use: VersionUse, input: EffectInput, run: () => Outcome): Outcome {
  const outcome = run()
  if (outcome instanceof Refusal || outcome.status > 299) return outcome
  const version = versionOfAnswer(use, input, outcome)
  const verdict = judgeConditions((name) => input.sent.header(name), version, true)
  if (verdict.is === 'failed') return refuseFailed(verdict, version)
  return withVersion(verdict.is === 'unchanged' ? { status: 304, headers: outcome.headers } : outcome, version)
}

function changeOnCondition(use: VersionUse, input: EffectInput, run: () => Outcome): Outcome {
  const target = versionOfTarget(use, input)
  // A request that would be refused anyway is, whatever its conditions (RFC 9110, section 13.2.1).
  const refusal = target === 'unknown' ? undefined : refuseChange(use, input, target)
  if (refusal) return refusal
  const outcome = run()
  if (outcome instanceof Refusal) return outcome
  const written = writeVersion(use, input, outcome)
  if (written.outcome instanceof Refusal || !written.version) return written.outcome
  return withVersion(written.outcome, written.version)
}

function refuseChange(use: VersionUse, input: EffectInput, target: Version | undefined): Refusal | undefined {
  const header = (name: string) => {
    const sent = input.sent.header(name)
    return sent === undefined || !name.endsWith('match') ? sent : toCompared(use, sent)
  }
  if (use.isRequired && target && conditional.every((name) => header(name) === undefined)) {
    const message = `A change needs If-Match with the ETag of what it changes, now ${target.tag}`
    return new Refusal('precondition_required', message, { status: 428 })
  }
  const verdict = judgeConditions(header, target, false)
  return verdict.is === 'met' ? undefined : refuseFailed(verdict, target)
}

const conditional = ['if-match', 'if-none-match', 'if-unmodified-since']

function refuseFailed({ header, value }: Exclude<Verdict, { is: 'met' }>, version: Version | undefined): Refusal {
  const found = version
    ? `the current ETag is ${version.tag}${version.modified === undefined ? '' : `, changed ${toHttpDate(version.modified)}`}`
    : 'there is no such resource'
  return new Refusal('precondition_failed', `${header}: ${value} does not hold: ${found}`, { status: 412 })
}

function withVersion(answer: Answer, { tag, modified }: Version): Answer {
  const date = modified === undefined ? undefined : { 'Last-Modified': toHttpDate(modified) }
  return { ...answer, headers: { ...answer.headers, ETag: tag, ...date } }
}
