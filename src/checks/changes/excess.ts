/** Finds what one schema allows at a place and another one does not. */
import { oncePer } from '../../document/once.js'
import { boundPattern } from '../../document/patterns/bounded-pattern.js'
import { isMultiple as isMultipleOf } from '../../json/is-multiple.js'
import { toComparable } from '../../json/same-json.js'
import {
  type Alternative,
  alternativesOf,
  anything,
  int32Limits,
  isLowerLimit,
  type SchemaPart,
  type SchemaView,
  typeOf,
  typeOfKeyword,
} from './schema-view.js'

/** Values that the one allows and the other does not. */
export interface Excess {
  is: 'type' | 'values' | 'limit' | 'condition' | 'unknown'
  /** Identifies it: the types, the keyword or the condition. */
  kind: string
  /** Of types: each of them, `integer` for a fraction. */
  types?: readonly string[]
  /** Of a limit: that of the one, if it has any, and that of the other. */
  limits?: [own: number | undefined, other: number]
  /** Single values. Empty if the one allows any value. */
  values?: readonly unknown[]
}

/** @param isText whether values are written as text, as those of parameters are, so that a text can be any value */
export function* excessOf(one: SchemaView, other: SchemaView, isText = false): Generator<Excess> {
  const isAsText = (type: string) => isText && !other.types.has(type) && isAcceptedAsText(type, other)
  const isDecimal = !one.values && one.types.has('number') && other.conditions.has('integer') && !meets(one, 'integer')
  const wrong = [...one.types].filter((type) => !other.types.has(type) && !isAsText(type))
  if (isDecimal) wrong.push('integer')
  // Of several types, the place is one.
  if (wrong.length > 0) yield { is: 'type', kind: wrong.length > 1 ? 'types' : String(wrong), types: wrong }
  const texts = [...one.types].filter(isAsText)
  const types = texts.length > 0 && other.types.has('string') ? new Set([...one.types, 'string']) : one.types
  const isShared = (type: string) => types.has(type) && other.types.has(type)
  const known = other.values && new Set(other.values.map(toComparable))
  const own = (one.values ?? valuesOfBoolean(one))
    ?.map((value) => (isAsText(typeOf(value)) ? String(value) : value))
    .filter((value) => isShared(typeOf(value)))
  const unfit = new Set(own && misfits(own, other))
  const extra = own?.filter((value) => known?.has(toComparable(value)) === false || unfit.has(value)) ?? []
  const listed = new Set(other.values?.map(typeOf))
  const isFree = !own && [...types].some((type) => isShared(type) && listed.has(type) && type !== 'null')
  if (isFree || extra.length > 0) yield { is: 'values', kind: 'enum', values: extra }
  // Each of few values was compared with the limits.
  if (one.values) return
  const wider = [...other.limits].filter(([keyword, limit]) => {
    // A fraction beyond the limit of an integer is one already.
    const isWhole = isDecimal && /^m..imum$/.test(keyword)
    const next = isWhole ? nextTo(limit, isLowerLimit(keyword) ? -1 : 1) : limit
    return isShared(typeOfKeyword(keyword)) && !isWithin(one, isWhole ? toExclusive(keyword) : keyword, next)
  })
  // Both limits of an int32 are one format.
  const isOfInt32 = ([keyword, limit]: [string, number]) => int32Limits.get(keyword) === limit
  const isInt32 = wider.filter(isOfInt32).length === 2
  for (const each of wider) {
    const [keyword, limit] = each
    if (isInt32 && isOfInt32(each)) continue
    yield { is: 'limit', kind: keyword, limits: [one.limits.get(keyword), limit] }
  }
  if (isInt32 && !isDecimal) yield { is: 'condition', kind: 'format int32' }
  for (const condition of other.conditions) {
    if (meets(one, condition) || !isShared(typeOfKeyword(condition))) continue
    // Few patterns exclude the digits of a number.
    const pattern = one.types.has('string') ? undefined : patternOf(condition)
    if (pattern?.test('1') && pattern.test('42')) continue
    // The format `uri` says it already.
    if (condition === 'format uri-reference' && other.conditions.has('format uri')) continue
    if (condition !== 'integer') yield { is: 'condition', kind: condition }
  }
  if (one.isOpen && !other.isOpen && isShared('object')) yield { is: 'unknown', kind: 'additionalProperties' }
}

/** All values of a boolean, which may be null; undefined for other types. */
function valuesOfBoolean({ types }: SchemaView): readonly unknown[] | undefined {
  const isBoolean = [...types].every((type) => type === 'boolean' || type === 'null')
  return isBoolean ? [true, false, ...(types.has('null') ? [null] : [])] : undefined
}

/** Whether each value within the limits of a view is also within another one. */
function isWithin({ limits }: SchemaView, keyword: string, limit: number): boolean {
  const own = limits.get(keyword)
  if (own !== undefined && (isLowerLimit(keyword) ? own >= limit : own <= limit)) return true
  // `minimum` and `exclusiveMinimum` bound the same values.
  const [, prefix, end = ''] = /^(exclusive)?(m(?:in|ax)imum)$/i.exec(keyword) ?? []
  if (end === '') return false
  const related = limits.get(prefix ? end.toLowerCase() : toExclusive(end))
  if (related === undefined) return false
  if (prefix) return isLowerLimit(keyword) ? related > limit : related < limit
  return isLowerLimit(keyword) ? related >= limit : related <= limit
}

/** `exclusiveMinimum` of `minimum` */
function toExclusive(keyword: string): string {
  return `exclusive${keyword[0]?.toUpperCase()}${keyword.slice(1)}`
}

/** The integer before or after a limit, which is a bigint if no double is exact. */
function nextTo(limit: number, step: 1 | -1): number {
  return typeof limit === 'bigint' ? ((limit + BigInt(step)) as unknown as number) : limit + step
}

/** Listed values that do not keep limits or conditions. Formats are not judged. */
function misfits(values: readonly unknown[], { values: _, ...other }: SchemaView): unknown[] {
  const patterns = [...other.conditions].map((each) => [each, patternOf(each)] as const)
  return values.filter((value) => {
    if (value === null || typeof value === 'object' || typeof value === 'boolean') return false
    const isText = typeof value === 'string'
    const size = (isText ? [...value].length : value) as number
    const limits = new Map((isText ? ['minLength', 'maxLength'] : ['minimum', 'maximum']).map((each) => [each, size]))
    const met = patterns.flatMap(([each, pattern]) => (pattern?.test(String(value)) === false ? [] : each))
    const conditions = new Set(isText ? met : [`multipleOf ${value}`])
    return !excessOf({ ...anything, types: new Set([typeOf(value)]), limits, conditions }, other).next().done
  })
}

function meets({ conditions, types }: SchemaView, condition: string): boolean {
  // An `int64` has no limit that values reach.
  if (conditions.has(condition) || (condition === 'format int64' && types.has('number'))) return true
  const stepOf = (each: string) => (each === 'integer' ? '1' : /^multipleOf (.*)/.exec(each)?.[1])
  const step = stepOf(condition)
  return step !== undefined && [...conditions].some((own) => isMultiple(stepOf(own) ?? 'none', step))
}

/** Exact for integers of any size. */
function isMultiple(number: string, divisor: string): boolean {
  const isWhole = /^\d+$/.test(number) && /^\d+$/.test(divisor)
  return isWhole ? BigInt(number) % BigInt(divisor) === 0n : isMultipleOf(Number(number), Number(divisor))
}

/** Patterns that cannot be read were removed when the document was. */
const patternOf = (each: string) => (each.startsWith('pattern ') ? boundPattern(each.slice(8)) : undefined)

/** One value is written like a list of it. */
function isAcceptedAsText(type: string, { types, items }: SchemaView): boolean {
  if (type === 'object' || type === 'array') return false
  const inList = types.has('array') ? (items?.view().types ?? new Set([type])) : new Set<string>()
  return [types, inList].some((all) => all.has('string') || all.has(type))
}

/** All of a view that rules about its own place look at. */
export const summaryOf: (view: SchemaView) => string = oncePer((view: SchemaView) => {
  const {
    types,
    values,
    limits,
    conditions,
    properties,
    required,
    isOpen,
    others,
    isReadOnly,
    isWriteOnly,
    isDeprecated,
  } = view
  const flags = ({ isReadOnly, isWriteOnly }: SchemaView) => `${Number(isReadOnly)}${Number(isWriteOnly)}`
  const lists = [types, conditions, required, values?.map(toComparable), [...limits].map(String)]
  return JSON.stringify([
    ...lists.map((list) => list && [...list].sort()),
    [...properties].map(([name, part]) => [name, flags(part.view())]).sort(),
    [isOpen, others !== undefined, isReadOnly, isWriteOnly, isDeprecated, toComparable(view.default)],
  ])
})

type AlternativePair = [old: Alternative | undefined, next: Alternative | undefined, isOnly?: boolean]

/**
 * Of each alternative that can be sent or answered, the one of the other version that is most like it; undefined if there is none.
 * What several alternatives of a type have in common does not say what is valid.
 */
export function pairAlternatives(old: SchemaPart, next: SchemaPart, isSent: boolean): AlternativePair[] {
  const pairs: AlternativePair[] = []
  const [from, to] = isSent ? [old, next] : [next, old]
  const { alternatives, values } = to.view()
  if (!alternatives || values) return pairs
  const toPair = (one: Alternative, other?: Alternative): AlternativePair => (isSent ? [one, other] : [other, one])
  for (const type of from.view().types) {
    const offered = alternativesOf(to, type)
    // If there is one, the whole schema says the same but for its values.
    const [[, only] = []] = offered.length === 1 ? offered : []
    if (only && !only.tag && only.part.view().values) {
      for (const [, each] of alternativesOf(from, type)) pairs.push(isSent ? [each, only, true] : [only, each, true])
    }
    if (offered.length < 2 && !only?.tag) continue
    const free = new Set(offered)
    let left = alternativesOf(from, type)
    const keys: ((name: string, view: SchemaView) => string)[] = [
      (name, view) => (name.startsWith('#') ? summaryOf(view) : name),
      (_, view) => summaryOf(view),
      // If there are as many, those with the same properties, and then all in their order.
      (_, { properties }) => (left.length === free.size ? [...properties.keys()].sort().join() : ''),
    ]
    for (const key of keys) {
      const byKey = new Map([...free].reverse().map((each) => [key(each[0], each[1].part.view()), each]))
      left = left.filter(([name, each]) => {
        const own = key(name, each.part.view())
        const found = own === '' ? undefined : byKey.get(own)
        if (!found || !free.delete(found)) return true
        pairs.push(toPair(each, found[1]))
        return false
      })
    }
    const rest = left.length === free.size ? [...free] : undefined
    for (const [index, [, each]] of left.entries()) {
      const [, other] =
        rest?.[index] ??
        offered.slice(0, maxSearched).find(([, other]) => acceptsAll(each.part.view(), other.part.view(), isSent)) ??
        []
      // That a name is gone is said where the name is.
      const isNamed = each.tag && offered.some(([, { tag }]) => tag?.[0] === each.tag?.[0])
      if (other || !isNamed) pairs.push(toPair(each, other))
    }
  }
  return pairs
}

/** How many alternatives are searched for one that has all values of another one. */
const maxSearched = 100

/** Whether all values of one alternative are those of the other one, as far as their own keywords say. */
function acceptsAll(from: SchemaView, to: SchemaView, isSent: boolean): boolean {
  const [old, next] = isSent ? [from, to] : [to, from]
  return (
    [...excessOf(from, to)].length === 0 &&
    [...to.required].every((name) => from.required.has(name)) &&
    [...old.properties.keys()].every((name) => next.properties.has(name))
  )
}
