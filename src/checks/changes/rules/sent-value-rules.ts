/** Rules about values of requests: what was accepted, and is refused or ignored in the next version. */
import { toExactNumber, toJson } from '../../../json/exact-json.js'
import { isSameJson } from '../../../json/same-json.js'
import { below, type Change, type ChangeRule, type Impact, type SentPair } from '../change-rule.js'
import { type Excess, excessOf } from '../excess.js'
import { isAnything, isLowerLimit } from '../schema-view.js'
import { describeLimits, listTypes, listValues, verbFor } from './describe-values.js'

type Classes = ReadonlySet<string>

/** Classes of a sent value, without those that say that there was none. */
function sentOf(classes: Classes): string[] {
  return [...classes].filter((kind) => kind !== 'absent')
}

function impactOf(classes: Classes, isMet: (kind: string) => boolean = (kind) => kind !== 'null'): Impact {
  const sent = sentOf(classes)
  if (sent.includes('?')) return 'maybe'
  return sent.some(isMet) ? 'yours' : 'unused'
}

/** A lock knows null and fractions. Of several types that were allowed, it does not say which one was sent. */
function typeImpact(kind: string, old: SentPair['old'], next: SentPair['next'], classes: Classes): Impact {
  if (kind === 'null') return impactOf(classes, (each) => each === 'null')
  if (kind === 'integer') return impactOf(classes, (each) => each === 'fraction')
  const impact = impactOf(classes)
  const isShared = [...old.types].some((type) => type !== 'null' && next.types.has(type))
  return impact === 'yours' && isShared ? 'maybe' : impact
}

/** A rule about values that were allowed and are not. */
function refusal(
  rule: Omit<ChangeRule, 'find'>,
  toChange: (excess: Excess, pair: SentPair) => Omit<Change, 'at'> | undefined,
): ChangeRule {
  return {
    ...rule,
    *find(pairs) {
      for (const pair of pairs.sent()) {
        if (pair.old.isReadOnly || pair.next.isReadOnly) continue
        for (const excess of excessOf(pair.old, pair.next, pair.isText)) {
          const change = toChange(excess, pair)
          if (change) yield { at: pair.at, place: { of: 'next', path: pair.nextPath }, ...change }
        }
      }
    },
  }
}

export const typeNarrowed: ChangeRule = refusal(
  {
    id: 'type-narrowed',
    severity: 'error',
    looksAt: 'a type of a sent value that the next version refuses',
    help: 'Send a value of a type that the next version accepts',
  },
  ({ is, kind, types = [] }, pair) => {
    if (is !== 'type') return undefined
    const names = types.map((type) => (type === 'integer' ? 'fractions' : type))
    const impacts = new Set(types.map((type) => typeImpact(type, pair.old, pair.next, pair.classes())))
    return {
      kind,
      message: `${names.join(', ')} ${types.includes('integer') ? 'are' : verbFor(names)} refused; accepted: ${listTypes(pair.next)}`,
      impact: impacts.has('yours') ? 'yours' : impacts.has('maybe') ? 'maybe' : 'unused',
    }
  },
)

export const valueRemoved: ChangeRule = refusal(
  {
    id: 'value-removed',
    severity: 'error',
    looksAt: 'a sent value that the next version does not list any more',
    help: 'Send one of the values that the next version lists',
  },
  ({ is, values = [] }, { next, classes }) => {
    if (is !== 'values') return undefined
    const labels = new Set(values.map((value) => `=${String(value)}`))
    const isMet = (kind: string) => (values.length === 0 ? kind !== 'null' : labels.has(kind))
    return {
      message:
        values.length === 0
          ? `It has to be one of ${listValues(next.values ?? [])}`
          : `${listValues(values)} ${verbFor(values)} refused; accepted: ${listValues(next.values ?? [])}`,
      impact: impactOf(classes(), isMet),
    }
  },
)

export const limitNarrowed: ChangeRule = refusal(
  {
    id: 'limit-narrowed',
    severity: 'error',
    looksAt: 'a limit of a sent value that is narrower in the next version',
    help: 'Send values within the limit',
  },
  (excess, { classes }) => {
    if (excess.is !== 'limit') return undefined
    return {
      kind: excess.kind,
      message: `It accepts ${describeLimits(excess)}`,
      impact: limitImpact(excess, classes()),
    }
  },
)

/** A lock knows the values at the limits, but no others. */
function limitImpact({ kind, limits: [, limit] = [undefined, 0] }: Excess, classes: Classes): Impact {
  const sent = sentOf(classes).filter((each) => each !== 'null')
  // Of a list it knows the items, and not how many.
  if (/Items$|Properties$/.test(kind)) return sent.length > 0 ? 'maybe' : 'unused'
  const isBeyond = (each: string) => {
    const [, number] = /^(?:=|of )(-?[\d.e+]+)(?: characters?)?$/.exec(each) ?? []
    const sentNumber = toExactNumber(number ?? '', Number(number))
    return number !== undefined && (isLowerLimit(kind) ? sentNumber < limit : sentNumber > limit)
  }
  if (sent.some(isBeyond)) return 'yours'
  return sent.some((each) => each === 'other' || each === 'fraction' || each === '?') ? 'maybe' : 'unused'
}

export const formatNarrowed: ChangeRule = refusal(
  {
    id: 'format-narrowed',
    severity: 'error',
    looksAt: 'a format or pattern that the next version demands of a sent value',
    help: 'Send values in this form',
  },
  ({ is, kind }, { old, classes }) => {
    if (is !== 'condition') return undefined
    const [keyword = ''] = kind.split(' ')
    const before = [...old.conditions].find((each) => each.startsWith(`${keyword} `))
    return {
      kind: keyword,
      message:
        kind === 'uniqueItems'
          ? 'Its items must be unique'
          : `It needs the ${kind}${before ? `, not the ${before}` : ''}`,
      // Values of another pattern may fit this one, too.
      ...(before && keyword === 'pattern' && { severity: 'warning' }),
      // A lock does not know whether a list has an item twice, and no numbers between the limits.
      impact:
        (keyword === 'uniqueItems' || kind === 'format int32') && sentOf(classes()).length > 0
          ? 'maybe'
          : impactOf(classes()),
    }
  },
)

export const unknownRefused: ChangeRule = refusal(
  {
    id: 'unknown-properties-refused',
    severity: 'error',
    looksAt: 'an object in a body that refuses undocumented properties in the next version',
    help: 'Send only documented properties',
  },
  ({ is }, { classes, isText }) => {
    if (is !== 'unknown' || isText) return undefined
    return { message: 'Undocumented properties are refused', impact: impactOf(classes('{}')) }
  },
)

export const propertyRequired: ChangeRule = {
  id: 'property-required',
  severity: 'error',
  looksAt: 'a property of a body that only the next version requires',
  help: 'Send it',
  *find(pairs) {
    for (const { at, old, next, nextPath, classes } of pairs.sent()) {
      if (!old.types.has('object')) continue
      for (const name of next.required) {
        if ((old.required.has(name) && !isReadOnly(old, name)) || isReadOnly(next, name)) continue
        const isNew = !old.properties.has(name)
        const own = classes(name)
        const parent = impactOf(classes())
        const isSent = own.size > 0 && !own.has('absent') && !own.has('?')
        yield {
          at: below(at, name),
          message: isNew ? 'It is new, and required' : 'It is required now',
          impact: isSent ? 'unused' : parent,
          place: { of: 'next', path: next.properties.get(name)?.path ?? nextPath },
        }
      }
    }
  },
}

export const propertyRemoved: ChangeRule = {
  id: 'property-removed',
  severity: 'warning',
  looksAt: 'a property of a body that the next version does not have (an error if it is refused)',
  help: 'Do not send it: the service ignores it, or refuses it',
  *find(pairs) {
    for (const { at, old, next, classes } of pairs.sent()) {
      if (!next.types.has('object') || isAnything(next)) continue
      for (const [name, part] of old.properties) {
        if (next.properties.has(name) || part.view().isReadOnly) continue
        yield {
          at: below(at, name),
          message: next.isOpen ? 'It is gone' : 'It is gone, and refused',
          ...(!next.isOpen && { severity: 'error' }),
          impact: impactOf(classes(name), () => true),
          place: { of: 'old', path: part.path },
        }
      }
    }
  },
}

export const propertyReadOnly: ChangeRule = {
  id: 'property-read-only',
  severity: 'warning',
  looksAt: 'a property of a body that only the service writes in the next version',
  help: 'Do not send it',
  *find(pairs) {
    for (const { at, old, next, classes, nextPath } of pairs.sent()) {
      if (old.isReadOnly || !next.isReadOnly) continue
      yield {
        at,
        message: 'It is read-only now',
        impact: impactOf(classes(), () => true),
        place: { of: 'next', path: nextPath },
      }
    }
  },
}

export const propertyAdded: ChangeRule = {
  id: 'property-added',
  severity: 'info',
  looksAt: 'an optional property of a body that only the next version has',
  help: 'Nothing needs to be done',
  *find(pairs) {
    for (const { at, old, next } of pairs.sent()) {
      for (const [name, part] of next.properties) {
        if (old.properties.has(name) || next.required.has(name) || part.view().isReadOnly) continue
        yield { at: below(at, name), message: 'It is new, and optional', place: { of: 'next', path: part.path } }
      }
    }
  },
}

export const defaultChanged: ChangeRule = {
  id: 'default-changed',
  severity: 'warning',
  looksAt: 'a default that is another one in the next version',
  help: 'Send the value that you mean',
  *find(pairs) {
    for (const { at, old, next, classes, nextPath, isRequired } of pairs.sent()) {
      // It never applies to what is required.
      if (isSameJson(old.default, next.default) || next.isReadOnly || isRequired) continue
      const write = (value: unknown) => (value === undefined ? 'nothing' : toJson(value))
      yield {
        at,
        message: `The default is ${write(next.default)}, not ${write(old.default)}`,
        impact: classes().has('absent') ? 'yours' : classes().has('?') ? 'maybe' : 'unused',
        place: { of: 'next', path: nextPath },
      }
    }
  },
}

function isReadOnly({ properties }: SentPair['next'], name: string): boolean {
  return properties.get(name)?.view().isReadOnly === true
}

export const sentValueRules: readonly ChangeRule[] = [
  typeNarrowed,
  valueRemoved,
  limitNarrowed,
  formatNarrowed,
  unknownRefused,
  propertyRequired,
  propertyRemoved,
  propertyReadOnly,
  defaultChanged,
  propertyAdded,
]
