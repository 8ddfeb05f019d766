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
  const fits = (type: string) => other.types.has(type) || (isText && isAcceptedAsText(type, other))
  for (const type of one.types) if (!fits(type)) yield { is: 'type', kind: type }
  const isShared = (type: string) => one.types.has(type) && other.types.has(type)
  if (other.values) {
    const { values } = other
    const own = one.values?.filter((value) => isShared(typeOf(value)))
    const extra = own?.filter((value) => !values.some((each) => isSameJson(each, value)))
    const types = new Set(values.map(typeOf))
    const isFree = !own && [...one.types].some((type) => isShared(type) && types.has(type) && type !== 'null')
    if (isFree || (extra && extra.length > 0)) yield { is: 'values', kind: 'enum', values: extra ?? [] }
  }
  // Few values have no limits.
  if (one.values) return
  for (const [keyword, limit] of other.limits) {
    const own = one.limits.get(keyword)
    const isWider = own === undefined || (isLowerLimit(keyword) ? own < limit : own > limit)
    if (isWider && isShared(typeOfKeyword(keyword))) yield { is: 'limit', kind: keyword, limits: [own, limit] }
  }
  for (const condition of other.conditions) {
    if (one.conditions.has(condition) || !isShared(typeOfKeyword(condition))) continue
    yield { is: condition === 'integer' ? 'type' : 'condition', kind: condition }
  }
  if (one.isOpen && !other.isOpen && isShared('object')) yield { is: 'unknown', kind: 'additionalProperties' }
}

function isAcceptedAsText(type: string, { types }: SchemaView): boolean {
  return types.has('string') && type !== 'object' && type !== 'array'
}
