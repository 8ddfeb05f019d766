/** Finds the query parameters or search properties that control the order and the pages of a list. */

import type {
  ConditionForm,
  ListOrder,
  OrderDirection,
  PagePosition,
  PropertyOrder,
  RequestValue,
} from '../../../contract/effects/list-query.js'
import type { Located, OpenApiDocument, Schema } from '../../../document/document.js'
import { ownValue } from '../../../json/own-value.js'
import { bareName } from '../../../lexicon/words.js'
import { type FlatSchema, flattenSchema } from '../../../schemas/flatten-schema.js'

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

const sizes =
  /^(page)?(limit|size|length)$|^(per|itemsper|resultsper|recordsper)page$|^(max|num)(results?|items|records|keys|count|size|page|pagesize)?$|^(top|first|rows|take|count|limitto|pagecount|batchsize)$/
const offsets =
  /^(page)?(offset|skip|start|from|begin)$|^(start|begin|first)(index|at|row|position|result|record|item)$|^startingat$/
const pages = /^(p|page|pageid|paged|currentpage)$|^page(number|no|num|index|nr)$/
const cursors =
  /^(page|next|nextpage|start|scroll|continue|continuation|list)?(cursor|token|marker|bookmark|iterator)$|^(next|nextpage|continuation|continue|scrollid|startkey|skiptoken|lastkey|exclusivestartkey)$|^(page)?after(cursor|token)?$/
const after = /^(starting|page)?after(id|key)?$|^last(id|key)$/
const before = /^(ending|page)?before(id|key|cursor)?$/
const sorts =
  /^(sorts?|order|sorting|ordering|sortby|orderby|sortfield|sortkey|sortcolumn|orderfield|sortparam|orderbyfield)$/
const directions =
  /^(order|direction|dir|sortorder|sortdir|sortdirection|orderdirection|orderdir|sortmode|sorttype|ordertype|desc|descending|sortdesc|reverse|ascending|asc)$/

export const isTime = ({ keywords }: FlatSchema): boolean =>
  keywords.format === 'date-time' || keywords.format === 'date'
export const isNumber = ({ types }: FlatSchema): boolean => types.has('integer') || types.has('number')
export const isText = ({ types }: FlatSchema): boolean => types.size === 0 || types.has('string')

/** Whether a request can send a number here, possibly as text. */
function mayCount({ flat }: ListParameter): boolean {
  const { keywords } = flat
  const isDigits =
    isText(flat) && (typeof keywords.default === 'number' || /^\d+$/.test(String(keywords.example ?? '')))
  return isNumber(flat) || isDigits || (isText(flat) && keywords.enum === undefined && keywords.format === undefined)
}

/** The parameters with the page size, numbers first. */
export function findSizes(parameters: readonly ListParameter[]): ListParameter[] {
  const found = parameters.filter((each) => sizes.test(bareName(each.whole)) && mayCount(each))
  return found.toSorted((one, other) => Number(isNumber(other.flat)) - Number(isNumber(one.flat)))
}

/** The page size that the description of a page number says: "up to 100 contacts are returned". */
export function saidSizeOf(said: string): number | undefined {
  const [, size] =
    /\b(?:up to|maximum of|at most|groups of) (\d{1,4})\b(?=[^.]{0,300}\b(return|page|time|call))/i.exec(said) ?? []
  const [, returned] =
    /\breturn(?:s|ed)?\b[^.]{0,300}\b(?:up to|maximum of|at most|groups of|set of up to) (\d{1,4})\b/i.exec(said) ?? []
  return Number(size ?? returned) || undefined
}

/** The default page size, by the schema or the description. */
export function defaultSizeOf({ flat, said }: ListParameter): number | undefined {
  const { default: standard, maximum } = flat.keywords
  const written = Number(
    standard ?? /\bdefaults?(?: value)?(?: is| to|:|=)?\s*(?:of )?[`"']?(\d{1,5})\b/i.exec(said)?.[1],
  )
  if (Number.isInteger(written) && written > 0) return written
  return typeof maximum === 'number' && maximum > 0 && maximum < 10 ? maximum : undefined
}

export function findPositions(parameters: readonly ListParameter[], others: readonly ListParameter[]): PagePosition[] {
  return parameters.flatMap((each): PagePosition[] => {
    const name = bareName(each.whole)
    if (others.includes(each) || isTime(each.flat) || each.flat.types.has('boolean')) return []
    const source = toSource(each)
    if (pages.test(name) && mayCount(each)) return [{ ...source, as: 'page', first: firstOf(each, 1) }]
    if (offsets.test(name) && isNumber(each.flat)) return [{ ...source, as: 'offset', first: firstOf(each, 0) }]
    const isCount = isNumber(each.flat) && !isText(each.flat)
    if (before.test(name) && isText(each.flat)) return [{ ...source, as: 'before', first: 0 }]
    if (after.test(name) && isText(each.flat)) return [{ ...source, as: 'after', first: 0 }]
    // A token alone is a credential more often than a position: with 7 of 8 providers.
    const isPosition = name !== 'token' || /\b(next|pages?|paging|pagination|continu\w*)\b/i.test(each.said)
    if (cursors.test(name) && isPosition && !each.flat.types.has('object'))
      return [{ ...source, as: 'cursor', first: 0, ...(isCount && { isNumber: true as const }) }]
    if (offsets.test(name) && isText(each.flat) && /^(start|skip|offset)/.test(name))
      return [{ ...source, as: 'offset', first: firstOf(each, 0) }]
    return []
  })
}

/** The first number of pages or records: 0 or 1. */
function firstOf({ flat, said }: ListParameter, usual: number): number {
  const { minimum, default: standard } = flat.keywords
  if (/\b(zero|0)[- ]?(based|indexed)|\b(start|begin)s? (at|from|with) (0|zero)\b|first page is (0|zero)\b/i.test(said))
    return 0
  if (/\b(one|1)[- ]?(based|indexed)|\b(start|begin)s? (at|from|with) (1|one)\b/i.test(said)) return 1
  if (standard === 0 || minimum === 0) return 0
  return standard === 1 || minimum === 1 ? 1 : usual
}

export function findSort(
  parameters: readonly ListParameter[],
  properties: ReadonlyMap<string, Located<Schema>>,
  isScalar: (name: string) => boolean,
): ListOrder | undefined {
  const named = Object.fromEntries([...properties.keys()].filter(isScalar).map((name) => [lastName(name), name]))
  const isName = (value: unknown) => {
    const bare = bareName(String(value)).replace(/(asc|desc|ascending|descending)$/, '')
    return resolveProperty(named, bare) !== undefined
  }
  const candidates = parameters.filter(
    ({ whole, flat }) => sorts.test(bareName(whole)) && !flat.types.has('boolean') && !flat.types.has('object'),
  )
  // `order` may be a property or a direction.
  const isDirection = ({ flat }: ListParameter) => {
    const allowed = flat.keywords.enum ?? flattenItems(flat)
    return (
      allowed !== undefined && allowed.length > 0 && allowed.every((value) => /^-?(1|asc|desc)/i.test(String(value)))
    )
  }
  const sort = candidates.find((each) => !isDirection(each))
  const direction = parameters.find(
    (each) => each !== sort && directions.test(bareName(each.whole)) && (isDirection(each) || sort !== undefined),
  )
  if (!sort && !direction) return undefined
  const standard = sort?.flat.keywords.default
  const time = ['createdat', 'created', 'createdon', 'createddate', 'date', 'timestamp', 'updatedat', 'id', 'name']
  const usual =
    standard !== undefined && isName(standard) ? resolveProperty(named, bareName(String(standard))) : undefined
  const other = usual ?? time.map((name) => named[name]).find((name) => name !== undefined)
  return {
    ...toSource(sort ?? (direction as ListParameter)),
    properties: namesInRequests(named),
    ...(direction && { direction: { ...toSource(direction), ...flagOf(direction) } }),
    ...(other !== undefined && { default: other }),
  }
}

const createdNames =
  /^((date|time)?(created|inserted|added)|(created?|creation|inserted?)(at|on|date|time(stamp)?|utc|ms)+|timestamp)$/

/** The properties that follow the order of creation: the time of it, and keys that count. */
export function findCreated(
  document: OpenApiDocument,
  properties: ReadonlyMap<string, Located<Schema>>,
  key: string | undefined,
): string[] {
  return [...properties].flatMap(([name, schema]) => {
    const isCount = name === key && isNumber(flattenSchema(document, schema))
    return isCount || createdNames.test(lastName(name)) ? [name] : []
  })
}

const order = {
  oldest: /\boldest[- ]first\b|\boldest to newest\b/i,
  newest: /\b(newest|latest|most recent)( \w+)? first\b|\bnewest to oldest\b|\breverse[- ]chronological(ly)?\b/i,
  by: /\b(?:sorted|ordered|see|list|listed|returned)\b[^.]{0,300}\bby (ascending|descending) [`*_]{0,3}(\w+)/i,
  of: /\b(?:sorted|ordered)\b(?:[^.]{0,300}\border)? by [`*_]{0,3}(\w+?)[`*_]{0,3},?(?: in)? (ascending|descending)\b/i,
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
    (one, other) => Number(createdNames.test(lastName(other))) - Number(createdNames.test(lastName(one))),
  )
  const standardOf = (value: RequestValue | undefined) =>
    parameters.find(({ name, member }) => name === value?.name && member === value.member)?.flat.keywords.default
  const direction = String(standardOf(sort?.direction) ?? standardOf(sort) ?? '')
  const name =
    typeof standardOf(sort) === 'string'
      ? bareName(String(standardOf(sort)).replace(/(?<!\W)\W*(asc|desc)\w{0,20}$/i, ''))
      : ''
  const property = sort?.properties[name] ?? (name === '' || /^(asc|desc)/i.test(name) ? made : undefined)
  const isGiven = /^[-+]|^(asc|desc)|[\W_](asc|desc)(ending)?$/i.test(direction)
  if (isGiven) return property === undefined ? undefined : { property, isDescending: /^-|desc/i.test(direction) }
  const [, first, ofFirst] = order.by.exec(said) ?? []
  const [, ofOther, other] = order.of.exec(said) ?? []
  const named = properties.find((each) => lastName(each) === bareName(ofFirst ?? ofOther ?? ''))
  if (named !== undefined) return { property: named, isDescending: /^desc/i.test(first ?? other ?? '') }
  if (made === undefined) return undefined
  if (order.newest.test(said)) return { property: made, isDescending: true }
  return order.oldest.test(said) ? { property: made, isDescending: false } : undefined
}

/** The bare name of a property, which may be nested. */
export function lastName(name: string): string {
  return bareName(name.slice(name.lastIndexOf('/') + 1))
}

function flagOf({ name }: ListParameter): Pick<OrderDirection, 'is'> {
  if (/^(asc|ascending)$/i.test(name)) return { is: 'ascending' }
  return /desc|reverse/i.test(name) ? { is: 'descending' } : {}
}

const endings = ['', 'at', 'on', 'date', 'time', 'datetime', 'id']

/** The property that a request means: `created` may be `created_at` or `date_created`. */
export function resolveProperty(
  named: Readonly<Record<string, string>>,
  bare: string,
  isFitting: (property: string) => boolean = () => true,
): string | undefined {
  const names = [...endings.map((end) => bare + end), `date${bare}`]
  return names.map((name) => ownValue(named, name)).find((property) => property !== undefined && isFitting(property))
}

/** Properties by every name that requests may use. */
function namesInRequests(named: Readonly<Record<string, string>>): Record<string, string> {
  const names = Object.keys(named).flatMap((name) => {
    const shorter = endings.filter((end) => name.endsWith(end)).map((end) => name.slice(0, name.length - end.length))
    return [...shorter, name.replace(/^date/, '')]
  })
  return Object.fromEntries(names.flatMap((name) => (name === '' ? [] : [[name, resolveProperty(named, name) ?? '']])))
}

export function flattenItems({ keywords }: FlatSchema): unknown[] | undefined {
  const { items } = keywords
  return typeof items === 'object' ? items.enum : undefined
}

export function toSource({ in: place, name, member, pointer }: RequestValue): RequestValue {
  return { in: place, name, ...(member !== undefined && { member }), ...(pointer && { pointer }) }
}
