/** What changes for the answers that an operation has. */

import { bareMediaType, isJson } from '../../../contract/http/media-types.js'
import type { Located, ResponseObject } from '../../../document/document.js'
import { toRules } from '../../rule.js'
import type { Change, ChangeFamily, OperationPair } from '../change.js'
import { headersOf, responseFor, statusesOf } from '../pair-parts.js'
import { includesType } from './parameter-rules.js'

const rules = toRules({
  'status-removed': {
    severity: 'error',
    looksAt: 'a success that the next version does not document (a warning for errors)',
    help: 'Handle the statuses that the next version documents',
  },
  'response-type-removed': {
    severity: 'error',
    looksAt: 'a media type of an answer that the next version does not have (a warning for another JSON type)',
    help: 'Read a media type that the next version documents',
  },
  'response-header-removed': {
    severity: 'warning',
    looksAt: 'a header of an answer that the next version does not document, or that can be missing there',
    help: 'Do not depend on it',
  },
  'status-added': {
    severity: 'info',
    looksAt: 'a status that only the next version documents (a warning for a success)',
    help: 'Handle it',
  },
})

export const answerFamily: ChangeFamily = { rules: Object.values(rules), find: answerChanges }

function* answerChanges({ old, next, use }: OperationPair): Generator<Change> {
  for (const [status, one] of old.responses) {
    const at = `response ${status}`
    const statuses = statusesOf(old, status, use)
    const isUsed = statuses.some((each) => use?.answers.has(each))
    if (!next.responses.has(status) && !isCovered(next.responses, status)) {
      yield {
        rule: rules['status-removed'],
        at,
        message: `${status} is gone; documented: ${[...next.responses.keys()].join(', ') || 'none'}`,
        ...(!status.startsWith('2') && { severity: 'warning' }),
        impact: isUsed ? 'yours' : 'unused',
        place: { of: 'old', path: one.path },
      }
    }
    const other = responseFor(next, status)
    if (!other) continue
    const place = { of: 'next', path: other.path } as const
    const types = contentTypes(other)
    for (const kind of contentTypes(one)) {
      if (types.some((each) => includesType(each, kind) || includesType(kind, each))) continue
      const used = statuses.flatMap((each) => [...(use?.answers.get(each) ?? [])])
      yield {
        rule: rules['response-type-removed'],
        at,
        kind,
        message: `${kind} is gone; documented: ${types.join(', ') || 'no content'}`,
        // Most consumers read any JSON.
        ...(isJson(kind) && types.some(isJson) && { severity: 'warning' }),
        impact: used.some((each) => includesType(kind, bareMediaType(each))) ? 'yours' : 'unused',
        place,
      }
    }
    const kept = new Map(headersOf(next, other))
    const names = Object.keys(one.value.headers ?? {})
    for (const [index, [lower, { value }]] of headersOf(old, one).entries()) {
      const kind = names[index] ?? lower
      const now = kept.get(lower)?.value
      if (now && (now.required || !value.required)) continue
      const message = now ? `The header ${kind} can be missing` : `The header ${kind} is gone`
      yield { rule: rules['response-header-removed'], at, kind, message, impact: isUsed ? 'maybe' : 'unused', place }
    }
  }
  for (const [status, { path }] of next.responses) {
    if (old.responses.has(status) || status === 'default' || isCovered(old.responses, status)) continue
    yield {
      rule: rules['status-added'],
      at: `response ${status}`,
      message: `${status} is new`,
      ...(status.startsWith('2') && { severity: 'warning' }),
      impact: use?.isCalled ? 'maybe' : 'unused',
      place: { of: 'next', path },
    }
  }
}

/** Whether a range such as `2XX` or, for what is no success, `default` documents a status. */
function isCovered(responses: ReadonlyMap<string, unknown>, status: string): boolean {
  const isWide = /^[1-5]XX$/i.test(status) && [...responses.keys()].some((key) => key[0] === status[0])
  const isRange = isWide || responses.has(`${status[0]}XX`) || responses.has(`${status[0]}xx`)
  const hasSuccess = [...responses.keys()].some((each) => each.startsWith('2'))
  return isRange || (responses.has('default') && (!status.startsWith('2') || !hasSuccess))
}

function contentTypes({ value }: Located<ResponseObject>): string[] {
  return [...new Set(Object.keys(value.content ?? {}).map(bareMediaType))]
}
