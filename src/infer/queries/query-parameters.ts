/** Finds the query parameters or search properties that control the order and the pages of a list. */

import type {
  ConditionForm,
  ListOrder,
  OrderDirection,
  PagePosition,
  PropertyOrder,
  RequestValue,
} from '../../contract/effects/list-query.js'
import type { Located, OpenApiDocument, Schema } from '../../document/document.js'
import { ownValue } from '../../json/own-value.js'
import { fullNames, shortNames } from '../../lexicon/conditions.js'
import {
  directionIn,
  flagDirection,
  isCreationTime,
  isDirection,
  saysFirst,
  saysOrder,
  usualOrders,
  withoutDirection,
} from '../../lexicon/orders.js'
import { saysDefault, saysFirstNumber, saysMoment, saysPaging } from '../../lexicon/parameter-texts.js'
import { hasRole } from '../../lexicon/parameters.js'
import { isCalledBy } from '../../lexicon/record-names.js'
import { bareName } from '../../lexicon/words.js'
import { type FlatSchema, flattenSchema } from '../../schemas/flatten-schema.js'

/** A value of a request that may control a list. */
export interface ListParameter extends RequestValue {
  /** The whole name: `page[size]` */
  whole: string
  flat: FlatSchema
  /** Its description. */
  said: string
  /** How it states conditions, if it is the property of a body. */
  conditions?: ConditionForm
}

export const isTime = ({ keywords }: FlatSchema): boolean =>
  keywords.format === 'date-time' || keywords.format === 'date'
export const isNumber = ({ types }: FlatSchema): boolean => types.has('integer') || types.has('number')
export const isText = ({ types }: FlatSchema): boolean => types.size === 0 || types.has('string')

/** Whether the members of an object are parameters of a list, as one of them is the page size: `{ where, order, limit }` */
export const controlsList = ({ properties }: FlatSchema): boolean =>
  [...properties.keys()].some((name) => hasRole(name, 'size'))

/** Whether a request can send a number here, possibly as text. */
function mayCount({ flat }: ListParameter): boolean {
  const { keywords } = flat
  const isDigits =
    isText(flat) && (typeof keywords.default === 'number' || /^\d+$/.test(String(keywords.example ?? '')))
  return isNumber(flat) || isDigits || (isText(flat) && keywords.enum === undefined && keywords.format === undefined)
}

/** The parameters with the page size, numbers first. */
export function findSizes(parameters: readonly ListParameter[]): ListParameter[] {
  const found = parameters.filter((each) => hasRole(each.whole, 'size') && mayCount(each))
  return found.toSorted((one, other) => Number(isNumber(other.flat)) - Number(isNumber(one.flat)))
}

/** The default page size, by the schema or the description. */
export function defaultSizeOf({ flat, said }: ListParameter): number | undefined {
  const { default: standard, maximum } = flat.keywords
  const written = Number(standard ?? saysDefault(said))
  if (Number.isInteger(written) && written > 0) return written
  return typeof maximum === 'number' && maximum > 0 && maximum < 10 ? maximum : undefined
}

export function findPositions(parameters: readonly ListParameter[], others: readonly ListParameter[]): PagePosition[] {
  return parameters.flatMap((each): PagePosition[] => {
    const { whole, flat, said } = each
    if (others.includes(each) || isTime(flat) || saysMoment(said) || flat.types.has('boolean')) return []
    const source = toSource(each)
    if (hasRole(whole, 'page') && mayCount(each)) return [{ ...source, as: 'page', first: firstOf(each, 1) }]
    if (hasRole(whole, 'offset') && isNumber(flat)) return [{ ...source, as: 'offset', first: firstOf(each, 0) }]
    if (hasRole(whole, 'before') && isText(flat)) return [{ ...source, as: 'before', first: 0 }]
    if (hasRole(whole, 'after') && isText(flat)) return [{ ...source, as: 'after', first: 0 }]
    const isCursor = hasRole(whole, 'cursor') && (bareName(whole) !== 'token' || saysPaging(said))
    const isCount = isNumber(flat) && !isText(flat)
    if (isCursor && !flat.types.has('object'))
      return [{ ...source, as: 'cursor', first: 0, ...(isCount && { isNumber: true as const }) }]
    return hasRole(whole, 'textOffset') && isText(flat) ? [{ ...source, as: 'offset', first: firstOf(each, 0) }] : []
  })
}

/** The first number of pages or records: 0 or 1. */
function firstOf({ flat, said }: ListParameter, usual: number): number {
  const { minimum, default: standard } = flat.keywords
  const written = saysFirstNumber(said)
  if (written !== undefined) return written
  if (standard === 0 || minimum === 0) return 0
  return standard === 1 || minimum === 1 ? 1 : usual
}

export function findSort(
  parameters: readonly ListParameter[],
  properties: ReadonlyMap<string, Located<Schema>>,
  isScalar: (name: string) => boolean,
): ListOrder | undefined {
  const named = Object.fromEntries([...properties.keys()].filter(isScalar).map((name) => [lastName(name), name]))
  const isName = (value: unknown) => resolveProperty(named, withoutDirection(String(value))) !== undefined
  const candidates = parameters.filter(
    ({ whole, flat }) => hasRole(whole, 'sort') && !flat.types.has('boolean') && !flat.types.has('object'),
  )
  // `order` may be a property or a direction.
  const saysDirection = ({ flat }: ListParameter) => {
    const allowed = flat.keywords.enum ?? flattenItems(flat) ?? []
    return allowed.length > 0 && allowed.every(isDirection)
  }
  const sort = candidates.find((each) => !saysDirection(each))
  const direction = parameters.find(
    (each) => each !== sort && hasRole(each.whole, 'direction') && (saysDirection(each) || sort !== undefined),
  )
  if (!sort && !direction) return undefined
  const standard = sort?.flat.keywords.default
  const usual =
    standard !== undefined && isName(standard) ? resolveProperty(named, bareName(String(standard))) : undefined
  const other = usual ?? usualOrders.map((name) => named[name]).find((name) => name !== undefined)
  return {
    ...toSource(sort ?? (direction as ListParameter)),
    properties: namesInRequests(named),
    ...(direction && { direction: { ...toSource(direction), ...flagOf(direction.name) } }),
    ...(other !== undefined && { default: other }),
  }
}

/** The properties that follow the order of creation: the time of it, and keys that count. */
export function findCreated(
  document: OpenApiDocument,
  properties: ReadonlyMap<string, Located<Schema>>,
  key: string | undefined,
): string[] {
  return [...properties].flatMap(([name, schema]) => {
    const isCount = name === key && isNumber(flattenSchema(document, schema))
    return isCount || isCreationTime(lastName(name)) ? [name] : []
  })
}

/**
 * The order of a list if a request gives none: by the defaults of its parameters, else by its description. Undefined if neither says
 * by which property.
 * @param created properties that follow the order of creation
 */
export function findStandardOrder(
  said: string,
  properties: readonly string[],
  parameters: readonly ListParameter[],
  { sort, created }: { sort: ListOrder | undefined; created: readonly string[] },
): PropertyOrder | undefined {
  const [made] = created.toSorted(
    (one, other) => Number(isCreationTime(lastName(other))) - Number(isCreationTime(lastName(one))),
  )
  const standardOf = (value: RequestValue | undefined) =>
    parameters.find(({ name, member }) => name === value?.name && member === value.member)?.flat.keywords.default
  const [standard] = [standardOf(sort)].flat()
  const written = standardOf(sort?.direction)
  const isFlag = typeof written === 'boolean' && sort?.direction?.is !== undefined
  // A flag that is false says the other direction.
  const direction = isFlag
    ? (sort?.direction?.is === 'descending') === written
      ? 'descending'
      : 'ascending'
    : directionIn(String(written ?? standard ?? ''))
  const name = typeof standard === 'string' ? withoutDirection(standard) : ''
  const property = sort?.properties[name] ?? (name === '' ? made : undefined)
  // A default that only names what records are called by sorts by it.
  const isNamed = property !== undefined && name !== '' && isCalledBy(lastName(property))
  if (direction || isNamed)
    return property === undefined ? undefined : { property, isDescending: direction === 'descending' }
  const told = saysOrder(said)
  const named = properties.find((each) => lastName(each) === (told?.property ?? ''))
  if (told && named !== undefined) return { property: named, isDescending: told.isDescending }
  const first = made === undefined ? undefined : saysFirst(said)
  return made === undefined || first === undefined ? undefined : { property: made, isDescending: first === 'newest' }
}

/** The bare name of a property, which may be nested. */
export function lastName(name: string): string {
  return bareName(name.slice(name.lastIndexOf('/') + 1))
}

/** The property that a request means: `created` may be `created_at` or `date_created`. */
export function resolveProperty(
  named: Readonly<Record<string, string>>,
  bare: string,
  isFitting: (property: string) => boolean = () => true,
): string | undefined {
  return fullNames(bare)
    .map((name) => ownValue(named, name))
    .find((property) => property !== undefined && isFitting(property))
}

/** Properties by every name that requests may use. */
function namesInRequests(named: Readonly<Record<string, string>>): Record<string, string> {
  const names = Object.keys(named).flatMap(shortNames)
  return Object.fromEntries(names.map((name) => [name, resolveProperty(named, name) ?? '']))
}

function flagOf(name: string): Pick<OrderDirection, 'is'> {
  const is = flagDirection(name)
  return is ? { is } : {}
}

export function flattenItems({ keywords }: FlatSchema): unknown[] | undefined {
  const { items } = keywords
  return typeof items === 'object' ? items.enum : undefined
}

export function toSource({ in: place, name, member, pointer }: RequestValue): RequestValue {
  return { in: place, name, ...(member !== undefined && { member }), ...(pointer && { pointer }) }
}
