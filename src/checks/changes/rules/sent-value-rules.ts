/** What changes for values of requests: what was accepted, and is refused or ignored in the next version. */
import { boundPattern } from '../../../document/patterns/bounded-pattern.js'
import { toExactNumber, toJson } from '../../../json/exact-json.js'
import { isMultiple } from '../../../json/is-multiple.js'
import { isSameJson } from '../../../json/same-json.js'
import { matchesFormat } from '../../../schemas/formats.js'
import { isSentValue, maxSentValues } from '../../consumer/lock.js'
import { type Rule, toRules } from '../../finding.js'
import { below, type Change, type ChangeFamily, type Impact, type OperationPair, type SentPair } from '../change.js'
import { type Excess, excessOf } from '../excess.js'
import { pairSent } from '../pair-values.js'
import { isAnything, isLowerLimit, type SchemaPart, type SchemaView } from '../schema-view.js'
import { describeLimits, listTypes, listValues, verbFor } from './describe-values.js'
import { uncomparedAt } from './not-compared.js'

const rules = toRules({
  'type-narrowed': {
    severity: 'error',
    restsOn: 'OpenAPI 3.1, section 4.8.24 (JSON Schema Validation, section 6.1.1)',
    looksAt: 'a type of a sent value that the next version refuses',
    help: 'Send a value of a type that the next version accepts',
  },
  'value-removed': {
    severity: 'error',
    restsOn: 'OpenAPI 3.1, section 4.8.24 (JSON Schema Validation, section 6.1.2)',
    looksAt: 'a sent value that the next version does not list any more',
    help: 'Send one of the values that the next version lists',
  },
  'limit-narrowed': {
    severity: 'error',
    restsOn: 'OpenAPI 3.1, section 4.8.24 (JSON Schema Validation, section 6.2)',
    looksAt: 'a limit of a sent value that is narrower in the next version',
    help: 'Send values within the limit',
  },
  'format-narrowed': {
    severity: 'error',
    restsOn: 'OpenAPI 3.1, section 4.8.24 (JSON Schema Validation, section 7)',
    looksAt: 'a format or pattern that the next version demands of a sent value',
    help: 'Send values in this form',
  },
  'unknown-properties-refused': {
    severity: 'error',
    restsOn: 'OpenAPI 3.1, section 4.8.24 (JSON Schema, section 10.3.2.3)',
    looksAt: 'an object in a body that refuses undocumented properties in the next version',
    help: 'Send only documented properties',
  },
  'property-required': {
    severity: 'error',
    restsOn: 'OpenAPI 3.1, section 4.8.24 (JSON Schema Validation, section 6.5.3)',
    looksAt: 'a property of a body that only the next version requires',
    help: 'Send it',
  },
  'property-removed': {
    severity: 'warning',
    restsOn: 'the document: requestBody',
    looksAt: 'a property of a body that the next version does not have (an error if it is refused)',
    help: 'Do not send it: the service ignores it, or refuses it',
  },
  'property-read-only': {
    severity: 'warning',
    restsOn: 'OpenAPI 3.1, section 4.8.24 (JSON Schema Validation, section 9.4)',
    looksAt: 'a property of a body that only the service writes in the next version',
    help: 'Do not send it',
  },
  'default-changed': {
    severity: 'warning',
    restsOn: 'OpenAPI 3.1, section 4.8.24 (JSON Schema Validation, section 9.2)',
    looksAt: 'a default that is another one in the next version',
    help: 'Send the value that you mean',
  },
  'property-deprecated': {
    severity: 'warning',
    restsOn: 'OpenAPI 3.1, section 4.8.24 (JSON Schema Validation, section 9.3)',
    looksAt: 'a sent value that the next version deprecates',
    help: 'Stop sending it before it is gone',
  },
  'property-added': {
    severity: 'info',
    restsOn: 'the document: requestBody',
    looksAt: 'an optional property of a body that only the next version has',
    help: 'Nothing needs to be done',
  },
})

/** Changes that let the next version refuse what was sent. */
export const refusals: ReadonlySet<Rule> = new Set([
  ...[rules['type-narrowed'], rules['value-removed'], rules['limit-narrowed'], rules['format-narrowed']],
  ...[rules['unknown-properties-refused'], rules['property-required']],
])

/** Kinds of changes of which validators, or the values of a lock, do not say whether they refuse what was sent. */
export const unjudged: ReadonlySet<string> = new Set([
  'contentEncoding',
  'discriminator',
  'uniqueItems',
  'minItems',
  'maxItems',
])

export const sentValueFamily: ChangeFamily = { rules: Object.values(rules), find: sentValueChanges }

type Classes = ReadonlySet<string>

/** Classes of a sent value, without those that say that there was none. */
function sentOf(classes: Classes): string[] {
  return [...classes].filter((kind) => kind !== 'absent' && !isOfList(kind) && !isSentValue(kind))
}

function isOfList(kind: string): boolean {
  return kind === 'several' || kind === 'repeated'
}

/** The values that were sent, as texts. Undefined if the lock does not have all of them. */
function allValuesOf(classes: Classes): string[] | undefined {
  const values = valuesOf(classes)
  const isAll =
    values.length < maxSentValues && sentOf(classes).every((kind) => kind.startsWith('=') || values.length > 0)
  return isAll && !classes.has('?') ? values : undefined
}

function valuesOf(classes: Classes): string[] {
  return [...classes].flatMap((kind) => (kind.startsWith('=') || isSentValue(kind) ? [kind.slice(1)] : []))
}

function hasValue(labels: ReadonlySet<string>, classes: Classes): boolean {
  return valuesOf(classes).some((value) => labels.has(`=${value}`))
}

/** The texts of encodings (RFC 4648). */
const encodings: Readonly<Record<string, RegExp>> = {
  base64url: /^[\w-]*={0,2}$/,
  base32: /^[A-Z2-7]*=*$/,
  base16: /^[\dA-F]*$/i,
}

/** Whether a value that was sent breaks a condition. Without all values, it may. */
function conditionImpact(condition: string, classes: Classes): Impact {
  const [keyword = '', rest = ''] = [condition.split(' ', 1)[0], condition.slice(condition.indexOf(' ') + 1)]
  const isBroken = (text: string) => {
    if (condition === 'format int32') return Number(text) !== (Number(text) | 0)
    if (keyword === 'format') return !matchesFormat(rest, text)
    if (keyword === 'contentEncoding') return encodings[rest]?.test(text) === false
    if (keyword === 'pattern') return boundPattern(rest)?.test(text) === false
    return keyword === 'multipleOf' && !isMultiple(Number(text), Number(rest))
  }
  if (condition === 'uniqueItems') {
    // One value of several items is there twice, and a list of which the size is known would be `repeated`.
    const isTwice = classes.has('several') && allValuesOf(classes)?.length === 1
    if (classes.has('repeated') || isTwice) return 'yours'
    return impactOf(classes) === 'unused' || valuesOf(classes).length > 0 ? 'unused' : 'maybe'
  }
  if (valuesOf(classes).some(isBroken)) return 'yours'
  if (allValuesOf(classes)) return 'unused'
  return impactOf(classes) === 'unused' ? 'unused' : 'maybe'
}

function impactOf(classes: Classes, isMet: (kind: string) => boolean = (kind) => kind !== 'null'): Impact {
  const sent = sentOf(classes)
  if (sent.includes('?')) return 'maybe'
  return sent.some(isMet) ? 'yours' : 'unused'
}

function* sentValueChanges(operations: OperationPair): Generator<Change> {
  for (const pair of pairSent(operations)) {
    const { at, old, next, nextPath, classes, isRequired } = pair
    const place = { of: 'next', path: nextPath } as const
    const own = classes()
    const impact = impactOf(own, () => true)
    // A name in XML is in each body that has the element.
    const isRenamed = isRequired && pair.uncompared.every(({ name }) => name === 'xml')
    yield* uncomparedAt(pair, impact === 'unused' ? impact : isRenamed ? 'yours' : 'maybe')
    yield* propertyChanges(pair)
    if (next.isDeprecated && !old.isDeprecated)
      yield { rule: rules['property-deprecated'], at, message: 'It is deprecated now', impact, place }
    if (next.isReadOnly) {
      if (!old.isReadOnly)
        yield { rule: rules['property-read-only'], at, message: 'It is read-only now', impact, place }
      continue
    }
    for (const excess of old.isReadOnly ? [] : excessOf(old, next, pair.isText)) {
      const change = refusalOf(excess, pair)
      if (change) yield { at, place, ...change }
    }
    // It never applies to what is required.
    if (isSameJson(old.default, next.default) || isRequired) continue
    const write = (value: unknown) => (value === undefined ? 'nothing' : toJson(value))
    yield {
      rule: rules['default-changed'],
      at,
      message: `The default is ${write(next.default)}, not ${write(old.default)}`,
      impact: own.has('absent') ? 'yours' : own.has('?') ? 'maybe' : 'unused',
      place,
    }
  }
}

/** What was allowed and is not. */
function refusalOf(excess: Excess, { old, next, classes, isText }: SentPair): Omit<Change, 'at'> | undefined {
  const { is, kind, types = [], values = [] } = excess
  const sent = classes()
  if (is === 'type') {
    const names = types.map((type) => (type === 'integer' ? 'fractions' : type))
    const impacts = new Set(types.map((type) => typeImpact(type, old, next, sent)))
    return {
      rule: rules['type-narrowed'],
      kind,
      message: `${names.join(', ')} ${types.includes('integer') ? 'are' : verbFor(names)} refused; accepted: ${listTypes(next)}`,
      impact: impacts.has('yours') ? 'yours' : impacts.has('maybe') ? 'maybe' : 'unused',
    }
  }
  if (is === 'values') {
    const labels = new Set(values.map((value) => `=${String(value)}`))
    const isAny = values.length === 0
    const listed = next.values ? `; accepted: ${listValues(next.values)}` : ''
    return {
      rule: rules['value-removed'],
      message: isAny
        ? `It has to be one of ${listValues(next.values ?? [])}`
        : `${listValues(values)} ${verbFor(values)} refused${listed}`,
      impact: impactOf(sent, (each) => (isAny ? each !== 'null' : labels.has(each) || hasValue(labels, sent))),
    }
  }
  if (is === 'limit') {
    const message = `It accepts ${describeLimits(excess)}`
    return { rule: rules['limit-narrowed'], kind, message, impact: limitImpact(excess, sent, isText) }
  }
  if (is === 'unknown') {
    if (isText) return undefined
    const message = 'Undocumented properties are refused'
    return { rule: rules['unknown-properties-refused'], message, impact: impactOf(classes('{}')) }
  }
  const [keyword = ''] = kind.split(' ')
  const before = [...old.conditions].find((each) => each.startsWith(`${keyword} `))
  return {
    rule: rules['format-narrowed'],
    kind: keyword,
    message:
      kind === 'uniqueItems'
        ? 'Its items must be unique'
        : `It needs the ${kind}${before ? `, not the ${before}` : ''}`,
    // Values of another pattern may fit this one, too.
    ...(before && keyword === 'pattern' && { severity: 'warning' }),
    impact: conditionImpact(kind, sent),
  }
}

/** A lock knows null and fractions. Of several types that were allowed, it does not say which one was sent. */
function typeImpact(kind: string, old: SchemaView, next: SchemaView, classes: Classes): Impact {
  if (kind === 'null') return impactOf(classes, (each) => each === 'null')
  if (kind === 'integer') return impactOf(classes, (each) => each === 'fraction')
  const impact = impactOf(classes)
  const isShared = [...old.types].some((type) => type !== 'null' && next.types.has(type))
  return impact === 'yours' && isShared ? 'maybe' : impact
}

function limitImpact({ kind, limits: [, limit] = [undefined, 0] }: Excess, classes: Classes, isText: boolean): Impact {
  const sent = sentOf(classes).filter((each) => each !== 'null')
  // Of a list in a text it knows the items, and not how many.
  const sizes = isText || !kind.endsWith('Items') ? [] : valuesOf(classes).map(Number)
  if (sizes.length > 0)
    return sizes.some((size) => (isLowerLimit(kind) ? size < limit : size > limit)) ? 'yours' : 'unused'
  if (/Items$|Properties$/.test(kind)) return sent.length > 0 ? 'maybe' : 'unused'
  const isBeyond = (each: string) => {
    const [, number] = /^(?:[=~]|of )(-?[\d.e+]+)(?: characters?)?$/.exec(each) ?? []
    const length = kind.endsWith('Length') && isSentValue(each) ? String([...each].length - 1) : undefined
    const own = length ?? number
    const sentNumber = toExactNumber(own ?? '', Number(own))
    return own !== undefined && (isLowerLimit(kind) ? sentNumber < limit : sentNumber > limit)
  }
  const values = [...classes].filter(isSentValue)
  if ([...sent, ...values].some(isBeyond)) return 'yours'
  // The smallest and the largest number are kept.
  if (values.length > 0 && (values.length < maxSentValues || !kind.endsWith('Length'))) return 'unused'
  return sent.some((each) => each === 'other' || each === 'fraction' || each === '?') ? 'maybe' : 'unused'
}

function* propertyChanges({ at, old, next, nextPath, classes }: SentPair): Generator<Change> {
  for (const name of old.types.has('object') ? next.required : []) {
    if ((old.required.has(name) && !isReadOnly(old.properties.get(name))) || isReadOnly(next.properties.get(name)))
      continue
    const own = classes(name)
    const isSent = own.size > 0 && !own.has('absent') && !own.has('?')
    const isTag = [...(next.alternatives?.values() ?? [])].some(({ tag }) => tag?.[0] === name)
    yield {
      rule: rules['property-required'],
      at: below(at, name),
      ...(isTag && { kind: 'discriminator' }),
      message: old.properties.has(name) ? 'It is required now' : 'It is new, and required',
      impact: isSent ? 'unused' : impactOf(classes()),
      place: { of: 'next', path: next.properties.get(name)?.path ?? nextPath },
    }
  }
  for (const [name, part] of next.types.has('object') && !isAnything(next) ? old.properties : []) {
    if (next.properties.has(name) || isReadOnly(part)) continue
    yield {
      rule: rules['property-removed'],
      at: below(at, name),
      message: next.isOpen ? 'It is gone' : 'It is gone, and refused',
      ...(!next.isOpen && { severity: 'error' }),
      impact: impactOf(classes(name), () => true),
      place: { of: 'old', path: part.path },
    }
  }
  for (const [name, part] of next.properties) {
    if (old.properties.has(name) || next.required.has(name) || isReadOnly(part)) continue
    const message = 'It is new, and optional'
    yield { rule: rules['property-added'], at: below(at, name), message, place: { of: 'next', path: part.path } }
  }
}

function isReadOnly(part: SchemaPart | undefined): boolean {
  return part?.view().isReadOnly === true
}
