/** Finds what one schema allows at a place and another one does not. */
import { isSameJson } from '../../json/same-json.js'
import { isLowerLimit, type SchemaView, typeOf, typeOfKeyword } from './schema-view.js'

/** Values that the one allows and the other does not. */
export interface Excess {
  is: 'type' | 'values' | 'limit' | 'condition' | 'unknown'
  /** Identifies it: the type, the keyword or the condition. */
  kind: string
  /** Of a limit: that of the one, if it has any, and that of the other. */
  limits?: [own: number | undefined, other: number]
  /** Single values. Empty if the one allows any value. */
  values?: readonly unknown[]
}

/** @param isText whether values are written as text, as those of parameters are, so that a text can be any value */
export function* excessOf(one: SchemaView, other: SchemaView, isText = false): Generator<Excess> {
  const isAsText = (type: string) => isText && !other.types.has(type) && isAcceptedAsText(type, other)
  for (const type of one.types) if (!other.types.has(type) && !isAsText(type)) yield { is: 'type', kind: type }
  const texts = [...one.types].filter(isAsText)
  const types = texts.length > 0 && other.types.has('string') ? new Set([...one.types, 'string']) : one.types
  const isShared = (type: string) => types.has(type) && other.types.has(type)
  if (other.values) {
    const { values } = other
    const own = (one.values ?? valuesOfBoolean(one))
      ?.map((value) => (isAsText(typeOf(value)) ? String(value) : value))
      .filter((value) => isShared(typeOf(value)))
    const extra = own?.filter((value) => !values.some((each) => isSameJson(each, value)))
    const listed = new Set(values.map(typeOf))
    const isFree = !own && [...types].some((type) => isShared(type) && listed.has(type) && type !== 'null')
    if (isFree || (extra && extra.length > 0)) yield { is: 'values', kind: 'enum', values: extra ?? [] }
  }
  // Few values have no limits.
  if (one.values) return
  for (const [keyword, limit] of other.limits) {
    const own = one.limits.get(keyword)
    const isWider = !isWithin(one, keyword, limit)
    if (isWider && isShared(typeOfKeyword(keyword))) yield { is: 'limit', kind: keyword, limits: [own, limit] }
  }
  for (const condition of other.conditions) {
    if (meets(one, condition) || !isShared(typeOfKeyword(condition))) continue
    // Few patterns exclude the digits of a number.
    if (!one.types.has('string') && condition.startsWith('pattern ') && acceptsNumbers(condition.slice(8))) continue
    yield { is: condition === 'integer' ? 'type' : 'condition', kind: condition }
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
  const related = limits.get(prefix ? end.toLowerCase() : `exclusive${end[0]?.toUpperCase()}${end.slice(1)}`)
  if (related === undefined) return false
  if (prefix) return isLowerLimit(keyword) ? related > limit : related < limit
  return isLowerLimit(keyword) ? related >= limit : related <= limit
}

function meets({ conditions }: SchemaView, condition: string): boolean {
  if (conditions.has(condition)) return true
  const [keyword, divisor] = condition.split(' ')
  return (
    keyword === 'multipleOf' &&
    [...conditions].some((own) => own.startsWith('multipleOf ') && Number(own.slice(11)) % Number(divisor) === 0)
  )
}

function acceptsNumbers(pattern: string): boolean {
  try {
    const expression = new RegExp(pattern, 'u')
    return ['1', '42'].every((text) => expression.test(text))
  } catch {
    return false
  }
}

/** One value is written like a list of it. */
function isAcceptedAsText(type: string, { types, items }: SchemaView): boolean {
  if (type === 'object' || type === 'array') return false
  const inList = types.has('array') ? (items?.view().types ?? new Set([type])) : new Set<string>()
  return [types, inList].some((all) => all.has('string') || all.has(type))
}
