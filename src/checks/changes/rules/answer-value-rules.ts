/** Rules about values of answers: what a consumer could rely on, and cannot in the next version. */
import type { Severity } from '../../rule.js'
import { type AnsweredPair, below, type Change, type ChangeRule, type Impact } from '../change-rule.js'
import { type Excess, excessOf } from '../excess.js'
import type { AnswerUse } from '../operation-use.js'
import { allTypes, isAnything, type SchemaPart } from '../schema-view.js'
import { describeLimit, listTypes, listValues, verbFor } from './describe-values.js'

const impacts: Record<AnswerUse, Impact> = { read: 'yours', returned: 'maybe', unused: 'unused' }

/** What needs attention in general breaks the consumer who reads it. */
function withRead(use: AnswerUse): { impact: Impact; severity?: Severity } {
  return { impact: impacts[use], ...(use === 'read' && { severity: 'error' }) }
}

/** A rule about values that were not allowed and are. */
function widening(
  rule: Omit<ChangeRule, 'find'>,
  toChange: (excess: Excess, pair: AnsweredPair) => Omit<Change, 'at'> | undefined,
): ChangeRule {
  return {
    ...rule,
    *find(pairs) {
      for (const pair of pairs.answered()) {
        if (pair.old.isWriteOnly || pair.next.isWriteOnly) continue
        for (const excess of excessOf(pair.next, pair.old)) {
          // A schema without keywords is one change.
          if (isAnything(pair.next) && pair.old.types.size < allTypes.length && excess.is !== 'type') continue
          const change = toChange(excess, pair)
          if (change)
            yield { at: pair.at, place: { of: 'next', path: pair.nextPath }, ...withRead(pair.use()), ...change }
        }
      }
    },
  }
}

export const answerTypeWidened: ChangeRule = widening(
  {
    id: 'response-type-widened',
    severity: 'error',
    looksAt: 'a value of an answer that can have another type or be null in the next version',
    help: 'Handle it',
  },
  ({ is, kind, types = [] }, { old, next }) => {
    if (is !== 'type') return undefined
    const names = types.map((type) => (type === 'integer' ? 'a fraction' : type))
    const now = listTypes(next) === 'anything' ? 'anything' : names.join(' or ')
    return { kind, message: `It can be ${now}; it was ${listTypes(old)}` }
  },
)

export const answerValueAdded: ChangeRule = widening(
  {
    id: 'response-value-added',
    severity: 'warning',
    looksAt: 'a value of an answer that the old version does not list (an error if it is read)',
    help: 'Handle unknown values',
  },
  ({ is, values = [] }, { old }) => {
    if (is !== 'values') return undefined
    const known = listValues(old.values ?? [])
    return {
      message:
        values.length === 0
          ? `It can be any value; it was one of ${known}`
          : `${listValues(values)} ${verbFor(values)} new`,
    }
  },
)

export const answerLimitWidened: ChangeRule = widening(
  {
    id: 'response-limit-widened',
    severity: 'warning',
    looksAt: 'a limit of a value of an answer that is wider in the next version (an error if it is read)',
    help: 'Handle values beyond the old limit',
  },
  ({ is, kind, limits: [own, other] = [undefined, 0] }) => {
    if (is !== 'limit') return undefined
    const now = own === undefined ? 'has no limit' : `can be ${describeLimit(kind, own)}`
    return { kind, message: `It ${now}; it was ${describeLimit(kind, other)}` }
  },
)

export const answerFormatWidened: ChangeRule = widening(
  {
    id: 'response-format-widened',
    severity: 'warning',
    looksAt: 'a value of an answer with another format or pattern in the next version (an error if it is read)',
    help: 'Handle the new form',
  },
  ({ is, kind }, { next }) => {
    if (is !== 'condition') return undefined
    const [keyword = ''] = kind.split(' ')
    const now = [...next.conditions].find((each) => each.startsWith(`${keyword} `))
    if (kind === 'uniqueItems') return { kind, message: 'Its items can be equal' }
    return { kind: keyword, message: `It had the ${kind}, and has ${now ? `the ${now}` : 'none'} now` }
  },
)

export const answerPropertyRemoved: ChangeRule = {
  id: 'response-property-removed',
  severity: 'error',
  looksAt: 'a property of an answer that the next version does not have',
  help: 'Do not read it',
  *find(pairs) {
    for (const { at, old, next, use } of pairs.answered()) {
      // A schema without keywords is one change.
      if (!next.types.has('object') || isAnything(next)) continue
      const isGone = next.properties.size > 0 || !next.isOpen
      const map: [string, SchemaPart][] = old.others && !next.others && isGone ? [['{}', old.others]] : []
      for (const [name, part] of [...old.properties, ...map]) {
        // A property that only requests have is gone from answers.
        const now = next.properties.get(name)
        if ((now && !now.view().isWriteOnly) || part.view().isWriteOnly) continue
        yield {
          at: below(at, name),
          message: 'It is gone',
          impact: impacts[use(name)],
          place: { of: 'old', path: part.path },
        }
      }
    }
  },
}

export const answerPropertyOptional: ChangeRule = {
  id: 'response-property-optional',
  severity: 'error',
  looksAt: 'a property of an answer that can be missing in the next version',
  help: 'Handle answers without it',
  *find(pairs) {
    for (const { at, old, next, use } of pairs.answered()) {
      for (const name of old.required) {
        const part = next.properties.get(name)
        if (!part || next.required.has(name) || part.view().isWriteOnly) continue
        yield {
          at: below(at, name),
          message: 'It can be missing',
          impact: impacts[use(name)],
          place: { of: 'next', path: part.path },
        }
      }
    }
  },
}

export const answerPropertyAdded: ChangeRule = {
  id: 'response-property-added',
  severity: 'info',
  looksAt: 'a property of an answer that only the next version has',
  help: 'Nothing needs to be done',
  *find(pairs) {
    for (const { at, old, next } of pairs.answered()) {
      for (const [name, part] of next.properties) {
        if (old.properties.has(name) || part.view().isWriteOnly) continue
        yield { at: below(at, name), message: 'It is new', place: { of: 'next', path: part.path } }
      }
    }
  },
}

export const answerValueRules: readonly ChangeRule[] = [
  answerPropertyRemoved,
  answerPropertyOptional,
  answerTypeWidened,
  answerValueAdded,
  answerLimitWidened,
  answerFormatWidened,
  answerPropertyAdded,
]
