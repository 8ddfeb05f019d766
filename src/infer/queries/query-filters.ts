/** Finds how a query parameter or a search property filters records: `status`, `min_price`, `created_after`, `q`. */

import { guess } from '../../behaviour/line.js'
import type { ListFilter } from '../../contract/effects/list-query.js'
import type { JsonType } from '../../contract/request-model.js'
import type { Located, OpenApiDocument, Schema } from '../../document/document.js'
import {
  isComparedWhole,
  isParticular,
  isRevealing,
  labelProperties,
  meansAll,
  openProperties,
  saysExpression,
  saysPart,
  saysSearch,
  saysSearchBy,
  saysUnended,
  saysUnset,
  withoutFilter,
} from '../../lexicon/conditions.js'
import { hasRole, selectorOf } from '../../lexicon/parameters.js'
import { bareName, mostSearched, singular, wordsOf } from '../../lexicon/words.js'
import { type FlatSchema, flattenSchema } from '../../schemas/flatten-schema.js'
import type { DescribedOperation } from '../../schemas/operations/describe-operations.js'
import { parameterSchema } from '../../schemas/operations/request-content.js'
import type { KnownCollection } from '../collection.js'
import { findReferenceKeys, type Item, itemOf } from '../facts/find-reference-keys.js'
import {
  type Comparing,
  type FilterContext,
  findComparing,
  flattenValue,
  isOrderedProperty,
  namedProperties,
  propertySchema,
} from './filter-property.js'
import { flattenItems, isText, type ListParameter, lastName, toSource } from './query-parameters.js'

/** Returns undefined if a parameter does not filter. */
export function findFilter(parameter: ListParameter, context: FilterContext): ListFilter | undefined {
  if (parameter.in === 'body' && parameter.conditions) return toConditions(parameter, context)
  const { types, open, properties } = parameter.flat
  if (types.has('object') && open && properties.size === 0 && hasRole(parameter.whole, 'filter'))
    return toConditions(parameter, context)
  if (types.has('object')) return undefined
  const words = wordsOf(withoutFilter(parameter.whole))
  const special = toSelector(parameter, context) ?? toRevealed(parameter, words, context)
  if (special) return special
  const found = findComparing(parameter, words, context)
  return found ? toFilter(parameter, words, found, context) : toSearch(parameter, context)
}

/** `{ field, operator, value }`, and an object with the names of properties: `{ age: { gt: 5 } }` */
function toConditions(parameter: ListParameter, context: FilterContext): ListFilter {
  const open = findOpen(context.document, context.properties)
  return {
    ...toSource(parameter),
    properties: [],
    compare: 'is',
    types: ['string'],
    names: namesInExpressions(context),
    ...(parameter.conditions && { conditions: parameter.conditions }),
    isExpression: true,
    ...(open !== undefined && { open }),
  }
}

/** `labelSelector` and `fieldSelector`, by the labels of records or of their metadata. */
function toSelector(parameter: ListParameter, context: FilterContext): ListFilter | undefined {
  const kind = selectorOf(parameter.whole)
  if (kind === undefined || !isText(parameter.flat)) return undefined
  const labels = labelProperties.find((name) => propertySchema(context, name) !== undefined)
  if (kind === 'label' && labels === undefined) return undefined
  const within = kind === 'label' && labels !== undefined ? [labels] : []
  return { ...toSource(parameter), properties: within, compare: 'is', types: ['string'], isSelector: true }
}

/** `include_archived` shows the records whose flag `archived` is set, which are hidden otherwise. */
function toRevealed(
  parameter: ListParameter,
  [verb = '', ...flag]: readonly string[],
  context: FilterContext,
): ListFilter | undefined {
  if (!isRevealing(verb) || !parameter.flat.types.has('boolean')) return undefined
  const named = namedProperties(context)
  const name = named[flag.join('')] ?? named[`is${flag.join('')}`]
  const property = name === undefined ? undefined : propertySchema(context, name)
  const isFlag = property && flattenSchema(context.document, property).types.has('boolean')
  if (!isFlag || name === undefined) return undefined
  const source = toSource(parameter)
  return { ...source, properties: [name], compare: 'is', types: ['boolean'], default: false, all: ['true'] }
}

/** The filter by a property, or by the key of the record that it shows. */
function toFilter(
  parameter: ListParameter,
  words: readonly string[],
  found: Comparing,
  context: FilterContext,
): ListFilter | undefined {
  const { document } = context
  const { flat, said } = parameter
  const { property } = found
  const schema = propertySchema(context, property)
  const compare = found.compare === 'is' && saysPart(said) && isPlainText(property, context) ? 'text' : found.compare
  if (!schema) return undefined
  const shown = itemOf(document, schema)
  const referring = toReferring(parameter, words, { property, compare }, shown, document)
  if (referring) return referring
  const own = flattenSchema(document, schema)
  if (own.types.has('object') || own.properties.size > 0) return undefined
  const inner = flattenValue(document, schema)
  if (compare === 'text' ? !isText(inner) : compare !== 'is' && !isOrderedProperty(parameter, property, context))
    return undefined
  const standard = flat.keywords.default
  const isKnown = isKnownValue(standard, inner) || (isNamedValue(flat, standard) && saysValue(inner, standard))
  // A default that is not a known value of the property means no filter.
  const unknown = standard === undefined || isKnown ? [] : [String(standard)]
  const others = [...new Set([...otherValues(flat, inner), ...unknown])]
  return {
    ...toSource(parameter),
    properties: [property],
    compare,
    types: [...inner.types] as JsonType[],
    ...(others.length > 0 && { all: others }),
    ...unsetOf(said),
    ...(compare !== 'is' && saysUnended(said) && { isOpen: true }),
    ...(standard !== undefined && isKnown && { default: standard }),
  }
}

function unsetOf(said: string): Pick<ListFilter, 'unset'> {
  const word = saysUnset(said)
  return word === undefined ? {} : { unset: [word] }
}

/** Records are chosen by the key of a record that they show. */
function toReferring(
  parameter: ListParameter,
  words: readonly string[],
  { property, compare }: Comparing,
  { flat: shown }: Item,
  document: OpenApiDocument,
): ListFilter | undefined {
  if (shown.properties.size === 0 || (compare !== 'is' && compare !== 'text')) return undefined
  const { items } = parameter.flat
  const sent = (items ? flattenSchema(document, items) : parameter.flat).types
  // `ContactIDs` are the values of `ContactID` in `Contact`.
  const same = [...shown.properties.keys()].filter((name) => bareName(name) === singular(words.join('')))
  const possible = findReferenceKeys(document, shown, sent, same)
  const keys = same.length > 0 ? possible.filter(([name]) => same.includes(name)) : possible
  if (keys.length === 0) return undefined
  const types = [...new Set(keys.flatMap(([, own]) => own))]
  // The property may also hold the key itself, in place of the record.
  const bare = shown.types.has('string') || shown.types.has('integer') ? [property] : []
  const names = [...keys.map(([name]) => `${property}/${name}`), ...bare]
  return { ...toSource(parameter), properties: names, compare: 'is', types, ...unsetOf(parameter.said) }
}

/** Words that any text may have, or an expression about several properties. */
function toSearch(parameter: ListParameter, context: FilterContext): ListFilter | undefined {
  const { flat, whole, said } = parameter
  const { document, properties, besides = [] } = context
  const isSearch = hasRole(whole, 'search') || saysSearch(said)
  const isFilter = parameter.in !== 'body' && hasRole(whole, 'filter')
  if (!(isSearch || isFilter) || !isText(flat) || flat.keywords.enum) return undefined
  const texts = [...properties].filter(([, schema]) => {
    const { types, keywords } = flattenSchema(document, schema)
    return types.has('string') && (keywords.format === undefined || ['email', 'idn-email'].includes(keywords.format))
  })
  const named = texts.filter(([name]) => saysSearchBy(said, lastName(name)))
  const isExpression = isFilter || saysExpression(`${said} ${String(flat.keywords.example ?? '')}`)
  return {
    ...toSource(parameter),
    // Words search in texts, but a filter is always an expression.
    properties: isSearch ? (named.length > 0 ? named : texts).map(([name]) => name) : [],
    compare: 'text',
    types: ['string'],
    ...(parameter.in !== 'body' && { names: namesInExpressions(context) }),
    ...(parameter.in !== 'body' && isExpression && { isExpression: true as const }),
    ...(parameter.in === 'header' && { besides }),
  }
}

function namesInExpressions({ document, properties }: FilterContext): NonNullable<ListFilter['names']> {
  const entries = [...properties].flatMap(([name, schema]): [string, [string, JsonType[]]][] => {
    const inner = flattenValue(document, schema)
    if (inner.types.has('object') || inner.properties.size > 0) return []
    return [[lastName(name), [name, [...inner.types] as JsonType[]]]]
  })
  return Object.fromEntries(entries)
}

/** Whether a text may be compared by a part of it. */
function isPlainText(name: string, context: FilterContext): boolean {
  const schema = propertySchema(context, name)
  const own = schema && flattenSchema(context.document, schema)
  return own?.types.has('string') === true && own.keywords.enum === undefined && !isComparedWhole(name)
}

/** The property of records that may have any others, which conditions and orders name. */
export function findOpen(
  document: OpenApiDocument,
  properties: ReadonlyMap<string, Located<Schema>>,
): string | undefined {
  return openProperties.find((name) => {
    const schema = properties.get(name)
    const flat = schema && flattenSchema(document, schema)
    return flat?.types.has('object') === true && flat.properties.size === 0
  })
}

/** Whether the schema of a property lists the value. */
export function isKnownValue(value: unknown, { types, keywords }: FlatSchema): boolean {
  const isFlag = types.has('boolean') && /^(true|false)$/.test(String(value))
  return isFlag || keywords.enum?.includes(value) === true
}

/** Whether a value is one of several that the parameter may have, and not `all`. */
function isNamedValue({ keywords }: FlatSchema, value: unknown): boolean {
  const allowed = keywords.enum ?? []
  return allowed.length > 1 && allowed.includes(value) && isParticular(value)
}

/** The values of a parameter that no record can have, such as `all` next to the values of a status. */
export function otherValues({ keywords, types, items }: FlatSchema, property: FlatSchema): string[] {
  const allowed = keywords.enum ?? (types.has('array') && items ? flattenItems({ keywords } as FlatSchema) : undefined)
  const known = property.keywords.enum
  if (!allowed || (!known && allowed.length < 3)) return []
  return allowed.filter((value) => !known?.includes(value) && meansAll(value)).map(String)
}

/** Whether the example or the description of a text names a value. */
function saysValue({ keywords, types }: FlatSchema, value: unknown): boolean {
  const { example, examples = [], description, enum: allowed } = keywords
  const text = String(value)
  const isSaid =
    text.length <= mostSearched &&
    new RegExp(`[\`'"*]${text.replace(/\W/g, '\\$&')}[\`'"*]`).test(String(description ?? ''))
  return types.has('string') && !allowed && (isSaid || [example, ...examples].includes(value))
}

/** Says which values the filters of lists name, for properties that may have any text. */
export function findFilterValues(
  document: OpenApiDocument,
  { record, members, lines: ofRecords }: KnownCollection,
): void {
  const { properties } = flattenSchema(document, record)
  for (const { kind, operation, lines } of members) {
    if (kind !== 'list') continue
    const guessed = (lines.value('query')?.filters ?? []).flatMap(({ in: place, name, properties: names, compare }) =>
      place === 'query' && (compare === 'equal' || compare === 'is') && !lines.get('filters', name)
        ? names.map((property) => ({ name, property }))
        : [],
    )
    const said = lines.all('filters').flatMap(({ about: name, says }) => {
      const { property, compare = 'is' } = typeof says === 'string' ? { property: says } : says
      return compare === 'is' ? [{ name, property }] : []
    })
    for (const { name, property } of [...guessed, ...said]) {
      const described = properties.get(property)
      const values = valuesOf(document, operation, name)
      if (described && values.length > 0 && mayBeAny(document, described) && !ofRecords.get('filterValues', property))
        ofRecords.add('filterValues', property, values, guess('schema', 'a filter names them'))
    }
  }
}

function valuesOf(document: OpenApiDocument, { parameters }: DescribedOperation, name: string): string[] {
  const parameter = parameters.find(({ value }) => value.in === 'query' && value.name === name)
  if (!parameter) return []
  const { keywords, items } = flattenSchema(document, parameterSchema(parameter))
  const allowed: unknown = keywords.enum ?? (items && flattenSchema(document, items).keywords.enum)
  return Array.isArray(allowed) ? allowed.filter((value) => isParticular(value)) : []
}

/** Whether the schema of a property only says that it is a text. */
function mayBeAny(document: OpenApiDocument, property: Located<Schema>): boolean {
  const { types, keywords } = flattenSchema(document, property)
  const limits = ['enum', 'const', 'pattern', 'format', 'maxLength', 'minLength', 'example', 'examples']
  return types.has('string') && limits.every((keyword) => !(keyword in keywords))
}
