/** Rules about which answers an operation has. */
import type { ResponseObject } from '../../../compile/document.js'
import { bareMediaType, isJson } from '../../../compile/operations/media-types.js'
import type { ChangeRule, Impact, OperationPair } from '../change-rule.js'
import { headersOf, responseFor, statusesOf } from '../pair-values.js'
import { includesType } from './parameter-rules.js'

export const statusRemoved: ChangeRule = {
  id: 'status-removed',
  severity: 'error',
  looksAt: 'a success that the next version does not document (a warning for errors)',
  help: 'Handle the statuses that the next version documents',
  *find({ old, next, use }) {
    if (!old || !next) return
    for (const [status, response] of old.responses) {
      if (next.responses.has(status) || isCovered(next.responses, status)) continue
      const isUsed = statusesOf(old, status, use).some((each) => use?.answers.has(each))
      yield {
        at: `response ${status}`,
        message: `${status} is gone; documented: ${[...next.responses.keys()].join(', ') || 'none'}`,
        ...(!status.startsWith('2') && { severity: 'warning' }),
        impact: isUsed ? 'yours' : 'unused',
        place: { of: 'old', path: response.path },
      }
    }
  },
}

/** Whether a range such as `2XX` or, for what is no success, `default` documents a status. */
function isCovered(responses: ReadonlyMap<string, unknown>, status: string): boolean {
  const isWide = /^[1-5]XX$/i.test(status) && [...responses.keys()].some((key) => key[0] === status[0])
  const isRange = isWide || responses.has(`${status[0]}XX`) || responses.has(`${status[0]}xx`)
  const hasSuccess = [...responses.keys()].some((each) => each.startsWith('2'))
  return isRange || (responses.has('default') && (!status.startsWith('2') || !hasSuccess))
}

export const statusAdded: ChangeRule = {
  id: 'status-added',
  severity: 'info',
  looksAt: 'a status that only the next version documents (a warning for a success)',
  help: 'Handle it',
  *find({ old, next, use }) {
    if (!old || !next) return
    for (const [status, response] of next.responses) {
      if (old.responses.has(status) || status === 'default' || isCovered(old.responses, status)) continue
      const isSuccess = status.startsWith('2')
      yield {
        at: `response ${status}`,
        message: `${status} is new`,
        ...(isSuccess && { severity: 'warning' }),
        impact: use?.isCalled ? 'maybe' : 'unused',
        place: { of: 'next', path: response.path },
      }
    }
  },
}

export const answerTypeRemoved: ChangeRule = {
  id: 'response-type-removed',
  severity: 'error',
  looksAt: 'a media type of an answer that the next version does not have (a warning for another JSON type)',
  help: 'Read a media type that the next version documents',
  *find({ old, next, use }) {
    for (const { status, one, other, statuses } of pairResponses({ old, next, use })) {
      const types = contentTypes(other)
      for (const name of contentTypes(one)) {
        if (types.some((each) => includesType(each, name) || includesType(name, each))) continue
        const used = statuses.flatMap((each) => [...(use?.answers.get(each) ?? [])])
        yield {
          at: `response ${status}`,
          kind: name,
          message: `${name} is gone; documented: ${types.join(', ') || 'no content'}`,
          // Most consumers read any JSON.
          ...(isJson(name) && types.some(isJson) && { severity: 'warning' }),
          impact: used.some((each) => includesType(name, bareMediaType(each))) ? 'yours' : 'unused',
          place: { of: 'next', path: other.path },
        }
      }
    }
  },
}

export const answerHeaderRemoved: ChangeRule = {
  id: 'response-header-removed',
  severity: 'warning',
  looksAt: 'a header of an answer that the next version does not document, or that can be missing there',
  help: 'Do not depend on it',
  *find({ old, next, use }) {
    if (!old || !next) return
    for (const { status, one, other, statuses } of pairResponses({ old, next, use })) {
      const kept = new Map(headersOf(next, other))
      const impact: Impact = statuses.some((each) => use?.answers.has(each)) ? 'maybe' : 'unused'
      for (const [index, [lower, { value }]] of headersOf(old, one).entries()) {
        const name = Object.keys(one.value.headers ?? {})[index] ?? lower
        const now = kept.get(lower)?.value
        if (now && (now.required || !value.required)) continue
        yield {
          at: `response ${status}`,
          kind: name,
          message: now ? `The header ${name} can be missing` : `The header ${name} is gone`,
          impact,
          place: { of: 'next', path: other.path },
        }
      }
    }
  },
}

type Located = { value: ResponseObject; path: readonly (string | number)[] }

/** The responses that both versions document. */
function* pairResponses({ old, next, use }: Pick<OperationPair, 'old' | 'next' | 'use'>): Generator<{
  status: string
  one: Located
  other: Located
  statuses: string[]
}> {
  if (!old || !next) return
  for (const [status, one] of old.responses) {
    const other = responseFor(next, status)
    if (other) yield { status, one, other, statuses: statusesOf(old, status, use) }
  }
}

function contentTypes({ value }: Located): string[] {
  return [...new Set(Object.keys(value.content ?? {}).map(bareMediaType))]
}

export const answerRules: readonly ChangeRule[] = [statusRemoved, answerTypeRemoved, answerHeaderRemoved, statusAdded]
