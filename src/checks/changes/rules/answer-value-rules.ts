/** What changes for values of answers: what a consumer could rely on, and cannot in the next version. */
import { type AnsweredPair, below, type Change, type Impact, type OperationPair } from '../change.js'
import { type Excess, excessOf } from '../excess.js'
import type { AnswerUse } from '../operation-use.js'
import { pairAnswered } from '../pair-values.js'
import { allTypes, isAnything, type SchemaPart } from '../schema-view.js'
import { describeLimit, listTypes, listValues, verbFor } from './describe-values.js'
import { uncomparedAt } from './not-compared.js'

const impacts: Record<AnswerUse, Impact> = { read: 'yours', returned: 'maybe', unused: 'unused' }

export function* answerValueChanges(operations: OperationPair): Generator<Change> {
  for (const pair of pairAnswered(operations)) {
    const { at, old, next, nextPath, use } = pair
    const own = use()
    const rest = { at, impact: impacts[own], place: { of: 'next', path: nextPath } } as const
    yield* uncomparedAt(pair, own !== 'unused')
    yield* propertyChanges(pair)
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
    return { rule: 'response-type-widened', kind, message: `It can be ${now}; it was ${listTypes(old)}` }
  }
  if (is === 'values') {
    const any = `It can be any value; it was one of ${listValues(old.values ?? [])}`
    const message = values.length === 0 ? any : `${listValues(values)} ${verbFor(values)} new`
    return { rule: 'response-value-added', message }
  }
  if (is === 'limit') {
    const now = own === undefined ? 'has no limit' : `can be ${describeLimit(kind, own)}`
    return { rule: 'response-limit-widened', kind, message: `It ${now}; it was ${describeLimit(kind, other)}` }
  }
  if (is === 'unknown') return undefined
  const [keyword = ''] = kind.split(' ')
  const now = [...next.conditions].find((each) => each.startsWith(`${keyword} `))
  const message = `It had the ${kind}, and has ${now ? `the ${now}` : 'none'} now`
  return {
    rule: 'response-format-widened',
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
      yield { rule: 'response-property-removed', at: below(at, name), message: 'It is gone', impact, place }
    }
  }
  for (const [name, part] of next.properties) {
    if (isWriteOnly(part)) continue
    const common = { at: below(at, name), place: { of: 'next', path: part.path } } as const
    if (!old.properties.has(name)) yield { rule: 'response-property-added', ...common, message: 'It is new' }
    if (!old.required.has(name) || next.required.has(name)) continue
    const impact = impacts[use(name)]
    yield { rule: 'response-property-optional', ...common, message: 'It can be missing', impact }
  }
}
