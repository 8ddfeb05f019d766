/** What changes for the answers that an operation has. */
import { bareMediaType, isJson } from '../../../contract/http/media-types.js'
import type { Located, ResponseObject } from '../../../document/document.js'
import { toRules } from '../../finding.js'
import { type AnsweredPair, below, type Change, type ChangeFamily, type Impact, type OperationPair } from '../change.js'
import { type Excess, excessOf } from '../excess.js'
import type { AnswerUse } from '../operation-use.js'
import { headersOf, responseFor, statusesOf } from '../pair-parts.js'
import { pairAnswered } from '../pair-values.js'
import { allTypes, isAnything, type SchemaPart } from '../schema-view.js'
import { describeLimit, listTypes, listValues, verbFor } from './describe-values.js'
import { uncomparedAt } from './not-compared.js'
import { hasOtherParameters, includesType, withParameters } from './parameter-rules.js'

const rules = toRules({
  'status-removed': {
    severity: 'error',
    restsOn: 'OpenAPI 3.1, section 4.8.16',
    looksAt: 'a success that the next version does not document (a warning for errors)',
    help: 'Handle the statuses that the next version documents',
  },
  'response-type-removed': {
    severity: 'error',
    restsOn: 'OpenAPI 3.1, section 4.8.17',
    looksAt: 'a media type of an answer that the next version does not have (a warning for another JSON type)',
    help: 'Read a media type that the next version documents',
  },
  'response-header-removed': {
    severity: 'warning',
    restsOn: 'OpenAPI 3.1, section 4.8.21',
    looksAt: 'a header of an answer that the next version does not document, or that can be missing there',
    help: 'Do not depend on it',
  },
  'status-added': {
    severity: 'info',
    restsOn: 'OpenAPI 3.1, section 4.8.16',
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
      const isSame = (each: string) => includesType(each, kind) || includesType(kind, each)
      if (types.some((each) => isSame(each) && !hasOtherParameters(kind, each))) continue
      const used = statuses.flatMap((each) => [...(use?.answers.get(each) ?? [])])
      yield {
        rule: rules['response-type-removed'],
        at,
        kind,
        message: `${kind} is gone; documented: ${types.join(', ') || 'no content'}`,
        // Most consumers read any JSON.
        ...(isJson(kind) && types.some(isJson) && { severity: 'warning' }),
        impact: used.some((each) => includesType(bareMediaType(kind), bareMediaType(each))) ? 'yours' : 'unused',
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
  return Object.keys(value.content ?? {}).map(withParameters)
}

const valueRules = toRules({
  'response-property-removed': {
    severity: 'error',
    restsOn: 'the document: responses',
    looksAt: 'a property of an answer that the next version does not have',
    help: 'Do not read it',
  },
  'response-property-optional': {
    severity: 'error',
    restsOn: 'OpenAPI 3.1, section 4.8.24 (JSON Schema Validation, section 6.5.3)',
    looksAt: 'a property of an answer that can be missing in the next version',
    help: 'Handle answers without it',
  },
  'response-type-widened': {
    severity: 'error',
    restsOn: 'OpenAPI 3.1, section 4.8.24 (JSON Schema Validation, section 6.1.1)',
    looksAt: 'a value of an answer that can have another type or be null in the next version',
    help: 'Handle it',
  },
  'response-value-added': {
    severity: 'warning',
    restsOn: 'OpenAPI 3.1, section 4.8.24 (JSON Schema Validation, section 6.1.2)',
    looksAt: 'a value of an answer that the old version does not list (an error if it is read)',
    help: 'Handle unknown values',
  },
  'response-limit-widened': {
    severity: 'warning',
    restsOn: 'OpenAPI 3.1, section 4.8.24 (JSON Schema Validation, section 6.2)',
    looksAt: 'a limit of a value of an answer that is wider in the next version (an error if it is read)',
    help: 'Handle values beyond the old limit',
  },
  'response-format-widened': {
    severity: 'warning',
    restsOn: 'OpenAPI 3.1, section 4.8.24 (JSON Schema Validation, section 7)',
    looksAt: 'a value of an answer with another format or pattern in the next version (an error if it is read)',
    help: 'Handle the new form',
  },
  'response-property-deprecated': {
    severity: 'warning',
    restsOn: 'OpenAPI 3.1, section 4.8.24 (JSON Schema Validation, section 9.3)',
    looksAt: 'a value of an answer that the next version deprecates',
    help: 'Stop reading it before it is gone',
  },
  'response-property-added': {
    severity: 'info',
    restsOn: 'the document: responses',
    looksAt: 'a property of an answer that only the next version has',
    help: 'Nothing needs to be done',
  },
})

export const answerValueFamily: ChangeFamily = { rules: Object.values(valueRules), find: answerValueChanges }

const impacts: Record<AnswerUse, Impact> = { read: 'yours', returned: 'maybe', unused: 'unused' }

function* answerValueChanges(operations: OperationPair): Generator<Change> {
  for (const pair of pairAnswered(operations)) {
    const { at, old, next, nextPath, use } = pair
    const own = use()
    const rest = { at, impact: impacts[own], place: { of: 'next', path: nextPath } } as const
    yield* uncomparedAt(pair, impacts[own])
    yield* propertyChanges(pair)
    if (next.isDeprecated && !old.isDeprecated)
      yield { ...rest, rule: valueRules['response-property-deprecated'], message: 'It is deprecated now' }
    if (old.isWriteOnly || next.isWriteOnly) continue
    for (const excess of excessOf(next, old)) {
      // A schema without keywords is one change.
      if (isAnything(next) && old.types.size < allTypes.length && excess.is !== 'type') continue
      const change = wideningOf(excess, pair)
      // What needs attention in general breaks the consumer who reads it.
      if (change) yield { ...rest, ...change, ...(own === 'read' && { severity: 'error' }) }
    }
  }
}

/** What was not allowed and is. */
function wideningOf(
  { is, kind, types = [], values = [], limits: [own, other] = [undefined, 0] }: Excess,
  { old, next }: AnsweredPair,
): Pick<Change, 'rule' | 'kind' | 'message'> | undefined {
  if (is === 'type') {
    const names = types.map((type) => (type === 'integer' ? 'a fraction' : type))
    const now = listTypes(next) === 'anything' ? 'anything' : names.join(' or ')
    return { rule: valueRules['response-type-widened'], kind, message: `It can be ${now}; it was ${listTypes(old)}` }
  }
  if (is === 'values') {
    const any = `It can be any value; it was one of ${listValues(old.values ?? [])}`
    const message = values.length === 0 ? any : `${listValues(values)} ${verbFor(values)} new`
    return { rule: valueRules['response-value-added'], message }
  }
  if (is === 'limit') {
    const now = own === undefined ? 'has no limit' : `can be ${describeLimit(kind, own)}`
    return {
      rule: valueRules['response-limit-widened'],
      kind,
      message: `It ${now}; it was ${describeLimit(kind, other)}`,
    }
  }
  if (is === 'unknown') return undefined
  const [keyword = ''] = kind.split(' ')
  const now = [...next.conditions].find((each) => each.startsWith(`${keyword} `))
  const message = `It had the ${kind}, and has ${now ? `the ${now}` : 'none'} now`
  return {
    rule: valueRules['response-format-widened'],
    kind: keyword,
    message: kind === 'uniqueItems' ? 'Its items can be equal' : message,
  }
}

function* propertyChanges({ at, old, next, use }: AnsweredPair): Generator<Change> {
  const isWriteOnly = (part: SchemaPart) => part.view().isWriteOnly
  // A schema without keywords is one change.
  if (next.types.has('object') && !isAnything(next)) {
    const isGone = next.properties.size > 0 || !next.isOpen
    const map: [string, SchemaPart][] = old.others && !next.others && isGone ? [['{}', old.others]] : []
    for (const [name, part] of [...old.properties, ...map]) {
      // A property that only requests have is gone from answers.
      const now = next.properties.get(name)
      if ((now && !isWriteOnly(now)) || isWriteOnly(part)) continue
      const place = { of: 'old', path: part.path } as const
      const impact = impacts[use(name)]
      yield { rule: valueRules['response-property-removed'], at: below(at, name), message: 'It is gone', impact, place }
    }
  }
  for (const [name, part] of next.properties) {
    if (isWriteOnly(part)) continue
    const common = { at: below(at, name), place: { of: 'next', path: part.path } } as const
    if (!old.properties.has(name))
      yield { rule: valueRules['response-property-added'], ...common, message: 'It is new' }
    if (!old.required.has(name) || next.required.has(name)) continue
    const impact = impacts[use(name)]
    yield { rule: valueRules['response-property-optional'], ...common, message: 'It can be missing', impact }
  }
}
