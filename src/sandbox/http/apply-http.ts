/** Applies an operation with HTTP semantics: conditions, entity tags, idempotency keys and `Location`. */
import type { Operation } from '../../contract/contract.js'
import type { EffectUse, FileUse } from '../../contract/effects/effect.js'
import type { HttpSemantics, ItemPath, RecordLocation, VersionUse } from '../../contract/http/http-semantics.js'
import { fillPath, parsePathTemplate } from '../../contract/path-template.js'
import { shorten } from '../../contract/violations.js'
import { undoTo } from '../../state/world-content.js'
import { addressOf } from '../lists/page-links.js'
import { type Outcome, Refusal, type Written, type WrittenOutcome } from '../outcome.js'
import { noBody } from '../request/read-body.js'
import { writeAnswer } from '../responses/write-answer.js'
import { applyEffect } from '../writes/all-effects.js'
import { applyBulk } from '../writes/bulk.js'
import { type EffectInput, modelOf } from '../writes/effect-input.js'
import { noteUnchanged } from '../writes/existing-record.js'
import { applyFiles } from '../writes/files.js'
import { withValues } from '../writes/fixed-answer.js'
import { applyLink } from '../writes/use-link.js'
import { applyUser, refuseLogin, refuseOther, withAuthor } from '../writes/use-user.js'
import { firstAnswer, keepAnswer, readIdempotencyKey } from './answer-once.js'
import { judgeConditions, toHttpDate, type Verdict, type Version } from './judge-conditions.js'
import {
  changedRecord,
  isStoredAsSent,
  toCompared,
  versionAfter,
  versionOfAnswer,
  versionOfTarget,
} from './versions.js'

/** Applies an operation that does more than its effect. */
export const applyOperation: ApplyOperation = (extras, input, run = applyExtras) =>
  extras?.kind === 'http' ? applyHttp(extras, input, run) : writeAnswer(input, run)

/**
 * @param extras undefined: without HTTP semantics
 * @param run in place of what the operation does
 */
export type ApplyOperation = (
  extras: Operation['extras'],
  input: EffectInput,
  run?: (input: EffectInput) => Outcome,
) => WrittenOutcome

/** Applies an operation with HTTP semantics. A repeated request gets its first answer even if its condition no longer holds. */
export function applyHttp(
  use: HttpSemantics,
  input: EffectInput,
  run: (input: EffectInput) => Outcome = applyExtras,
): WrittenOutcome {
  const key = readIdempotencyKey(use, input)
  if (key instanceof Refusal) return key
  const first = key && firstAnswer(key, input)
  if (first) return first
  const { versions, location } = use
  const { method } = input.operation
  const isReading = method === 'GET' || method === 'HEAD'
  const refused = versions && !isReading ? refuseChange(versions, input) : undefined
  const applied = refused ?? writeAnswer(input, run)
  const toVersioned = isReading ? withReadVersion : withChangedVersion
  const versioned = versions ? toVersioned(versions, input, applied) : applied
  const answer = location ? addLocation(location, input, versioned) : versioned
  if (key) keepAnswer(key, input, answer)
  return answer
}

/** An answer to a read, or what its conditions make of it. */
function withReadVersion(use: VersionUse, input: EffectInput, outcome: WrittenOutcome): WrittenOutcome {
  if (outcome instanceof Refusal || outcome.status > 299) return outcome
  const version = versionOfAnswer(use, input, outcome)
  const verdict = judgeConditions((name) => input.sent.header(name), version, true)
  if (verdict.is === 'failed') return refuseFailed(verdict, version)
  return withVersion(verdict.is === 'unchanged' ? { status: 304, headers: outcome.headers } : outcome, version)
}

function withChangedVersion(use: VersionUse, input: EffectInput, outcome: WrittenOutcome): WrittenOutcome {
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
function refuseChange(use: VersionUse, input: EffectInput): Refusal | undefined {
  const sent = (name: string) => input.sent.header(name)
  const isConditional = conditional.some((name) => sent(name) !== undefined)
  if (!isConditional && !use.isRequired) return undefined
  const target = versionOfTarget(use, input, () => readTarget(input))
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

/** Answers GET at the path of a request, without a query. @returns undefined if no operation does */
function readTarget(input: EffectInput): WrittenOutcome | undefined {
  const { contract, operation, server, request } = input
  const reads = ({ method, path, servers }: Operation) =>
    method === 'GET' && path === operation.path && servers.includes(server)
  const found = contract.operations.find(reads)
  if (!found) return undefined
  const { effect } = found
  const model =
    'collection' in effect && effect.collection !== undefined ? modelOf(contract, effect.collection) : input.model
  const read = { ...input, operation: found, effect, model, query: '' }
  return writeAnswer({ ...read, request: { ...request, query: {}, body: noBody } }, applyExtras)
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
  const record = changedRecord(input, answer)
  const key = record?.[input.model.key]
  if (key === undefined) return undefined
  const values = new Map(others.map(([own, name]) => [own, input.request.texts[name] ?? '']))
  return fillPath(parsePathTemplate(path), (name) => {
    const text = name === parameter ? String(key) : (values.get(name) ?? String(record?.[name] ?? ''))
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

/** Stores nothing without a body. */
function applyWithBody(input: EffectInput): Outcome {
  const { request, world } = input
  const { length } = world.log
  const outcome = applyEffect(input)
  if (request.body.value === undefined) {
    undoTo(world, length)
    noteUnchanged(input)
  }
  return outcome
}

/** Applies the effect of an operation, with what it does in addition. */
export function applyExtras(input: EffectInput): Outcome {
  const { extras } = input.operation
  const use = extras?.kind === 'http' ? extras.extras : extras
  const refused = refuseLogin(input)
  if (refused) return refused
  if (use?.kind !== 'author') return applyUse(input, use)
  return refuseOther(use, input) ?? applyUse(withAuthor(use, input), use.others)
}

function applyUse(input: EffectInput, use: EffectUse | FileUse | undefined): Outcome {
  if (!use || use.kind === 'author') return applyEffect(input)
  if (use.kind === 'user') return applyUser(use, input)
  if (use.kind === 'link') return applyLink(use, input)
  if (use.kind === 'body') return applyWithBody(input)
  if (use.kind === 'values') return withValues(use, input, applyEffect(input))
  return use.kind === 'bulk' ? applyBulk(use, input) : applyFiles(use, input)
}
