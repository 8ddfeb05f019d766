/** Finds how a query parameter or a search property filters records: `status`, `min_price`, `created_after`, `q`. */

import type { Effect } from '../../../contract/effects/effect.js'
import type { Comparison, ListFilter } from '../../../contract/effects/list-query.js'
import type { JsonType } from '../../../contract/request-model.js'
import type { Located, OpenApiDocument, Schema } from '../../../document/document.js'
import { createNamed } from '../../../json/own-value.js'
import { bareName, mostSearched, nounOf, singular, wordsOf } from '../../../lexicon/words.js'
import { type FlatSchema, flattenSchema } from '../../../schemas/flatten-schema.js'
import type { DescribedOperation } from '../../describe-operations.js'
import { parameterSchema } from '../../operations/compile-parameters.js'
import { findReferenceKeys, type Item, itemOf } from '../facts/find-reference-keys.js'
import {
  flattenItems,
  isNumber,
  isText,
  isTime,
  type ListParameter,
  lastName,
  resolveProperty,
  toSource,
} from './query-parameters.js'

const searches =
  /^(q|query|search|searchterm|searchtext|searchstring|searchquery|searchvalue|keywords?|term|terms|querystring|filterq|find|freetext|fulltext|contains)$/

const above: Record<string, Comparison> = {
  ...{ gt: 'above', after: 'above', greater: 'above', above: 'above' },
  ...{
    gte: 'from',
    ge: 'from',
    since: 'from',
    from: 'from',
    min: 'from',
    minimum: 'from',
    start: 'from',
    begin: 'from',
  },
  ...{ lt: 'below', before: 'below', less: 'below', below: 'below' },
  ...{ lte: 'to', le: 'to', until: 'to', to: 'to', max: 'to', maximum: 'to', end: 'to' },
  ...{ eq: 'is', in: 'is', is: 'is', like: 'text', contains: 'text', has: 'text', includes: 'text' },
}

/** Says that a text is an expression: "supported syntax", or `name eq "x"`. */
const saysExpression =
  /\b(scim|odata|expression|syntax|operators?)\b|\b(eq|ne|co|sw|gt|ge|lt|le) ["'`]|\w *[=<>] *["']/i

/** Says which word means records without the property: "`none` for issues with no assigned user". Three providers have one. */
export const saysUnset: RegExp = /[`'"]?\b(none|null)\b[`'"]?[^.]{0,60}\b(without|with no|not assigned|unassigned)\b/i

interface Comparing {
  property: string
  compare: Comparison
}

export interface FilterContext {
  document: OpenApiDocument
  properties: ReadonlyMap<string, Located<Schema>>
  /** The key of the records. */
  key: string | undefined
  /** The name of the collection. */
  collection: string
  /** Members of an expression that do not filter. */
  besides?: string[]
}

export function findFilter(parameter: ListParameter, context: FilterContext): ListFilter | undefined {
  const { document, properties, key, collection } = context
  const { flat } = parameter
  if (parameter.in === 'body' && parameter.conditions) {
    const { conditions } = parameter
    const open = findOpen(document, properties)
    const names = namesInExpressions()
    const form: ListFilter = {
      ...toSource(parameter),
      properties: [],
      compare: 'is',
      types: ['string'],
      names,
      conditions,
    }
    return { ...form, isExpression: true, ...(open !== undefined && { open }) }
  }
  if (flat.types.has('object')) return undefined
  const named: Record<string, string> = createNamed()
  for (const name of properties.keys()) named[lastName(name)] = name
  const words = wordsOf(parameter.whole.replace(/^filters?(?=[[._])/i, ''))
  const [, word] = saysUnset.exec(parameter.said) ?? []
  const unset = word !== undefined && { unset: [word] }
  const special = toSelector() ?? toRevealed(words)
  if (special) return special
  const found = toComparison(words, named, isOrderedProperty) ?? toKey(words) ?? toReference(words) ?? toEnding(words)
  if (found) {
    if (found.compare === 'is' && saysPart(parameter.said) && isPlainText(found.property)) found.compare = 'text'
    const property = schemaOf(found.property)
    const own = property && flattenSchema(document, property)
    const referring = property && toReferring(found, itemOf(document, property))
    if (referring) return referring
    if (!own || own.types.has('object') || own.properties.size > 0) return undefined
    const inner = own.types.has('array') && own.items ? flattenSchema(document, own.items) : own
    if (found.compare !== 'is' && found.compare !== 'text' && !isOrderedProperty(found.property)) return undefined
    if (found.compare === 'text' && !isText(inner)) return undefined
    const standard = flat.keywords.default
    const isKnown = isKnownValue(standard, inner) || (isNamedValue(standard) && saysValue(inner, standard))
    // A default that is not a known value of the property means no filter.
    const unknown = standard === undefined || isKnown ? [] : [String(standard)]
    const others = [...new Set([...otherValues(flat, inner), ...unknown])]
    return {
      ...toSource(parameter),
      properties: [found.property],
      compare: found.compare,
      types: [...inner.types] as JsonType[],
      ...(others.length > 0 && { all: others }),
      ...unset,
      ...(standard !== undefined && isKnown && { default: standard }),
    }
  }
  const isSearch = searches.test(bareName(parameter.whole))
  const isFilter =
    parameter.in !== 'body' &&
    /^(filters?|filter(by|query|string|expression)|where|odatafilter)$/.test(bareName(parameter.whole))
  if (!(isSearch || isFilter) || !isText(flat) || flat.keywords.enum) return undefined
  const texts = [...properties].filter(([, schema]) => {
    const { types, keywords } = flattenSchema(document, schema)
    return types.has('string') && (keywords.format === undefined || /^(idn-)?email$/.test(keywords.format))
  })
  const isExpression = isFilter || saysExpression.test(`${parameter.said} ${String(flat.keywords.example ?? '')}`)
  return {
    ...toSource(parameter),
    // Words search in texts, but a filter is always an expression.
    properties: isSearch ? texts.map(([name]) => name) : [],
    compare: 'text',
    types: ['string'],
    ...(parameter.in !== 'body' && { names: namesInExpressions() }),
    ...(parameter.in !== 'body' && isExpression && { isExpression: true as const }),
    ...(parameter.in === 'header' && { besides: context.besides ?? [] }),
  }

  /** Whether a value is one of several that the parameter may have, and not `all`. */
  function isNamedValue(value: unknown): boolean {
    const allowed = flat.keywords.enum ?? []
    return allowed.length > 1 && allowed.includes(value) && !isNoValue(value)
  }

  function isOrderedProperty(name: string): boolean {
    const property = schemaOf(name)
    const own = property && flattenSchema(document, property)
    const inner = own?.types.has('array') && own.items ? flattenSchema(document, own.items) : own
    return inner !== undefined && (isNumber(inner) || isTime(inner) || (isText(inner) && isTimeNamed(parameter, name)))
  }

  /** `labelSelector` and `fieldSelector`, by the labels of records or of their metadata. */
  function toSelector(): ListFilter | undefined {
    const kind = /^(label|field)selector$/.exec(bareName(parameter.whole))?.[1]
    if (kind === undefined || !isText(flat)) return undefined
    const labels = ['labels', 'metadata/labels'].find((name) => schemaOf(name) !== undefined)
    if (kind === 'label' && labels === undefined) return undefined
    const within = kind === 'label' && labels !== undefined ? [labels] : []
    return { ...toSource(parameter), properties: within, compare: 'is', types: ['string'], isSelector: true }
  }

  /** `include_archived` shows the records whose flag `archived` is set, which are hidden otherwise. */
  function toRevealed([verb = '', ...flag]: readonly string[]): ListFilter | undefined {
    const name = named[flag.join('')] ?? named[`is${flag.join('')}`]
    const property = name === undefined ? undefined : schemaOf(name)
    const isFlag = property && flattenSchema(document, property).types.has('boolean')
    if (!/^(include|with|show)$/.test(verb) || !flat.types.has('boolean') || !isFlag || name === undefined)
      return undefined
    return {
      ...toSource(parameter),
      properties: [name],
      compare: 'is',
      types: ['boolean'],
      default: false,
      all: ['true'],
    }
  }

  function namesInExpressions(): NonNullable<ListFilter['names']> {
    const entries = [...properties].flatMap(([name, schema]): [string, [string, JsonType[]]][] => {
      const own = flattenSchema(document, schema)
      const inner = own.types.has('array') && own.items ? flattenSchema(document, own.items) : own
      if (inner.types.has('object') || inner.properties.size > 0) return []
      return [[lastName(name), [name, [...inner.types] as JsonType[]]]]
    })
    return Object.fromEntries(entries)
  }

  /** Records are chosen by the key of a record that they show. */
  function toReferring({ property, compare }: Comparing, { flat: shown }: Item): ListFilter | undefined {
    if (shown.properties.size === 0 || (compare !== 'is' && compare !== 'text')) return undefined
    const sent = (flat.items ? flattenSchema(document, flat.items) : flat).types
    // `ContactIDs` are the values of `ContactID` in `Contact`.
    const same = [...shown.properties.keys()].filter((name) => bareName(name) === singular(words.join('')))
    const possible = findReferenceKeys(document, shown, sent, same)
    const keys = same.length > 0 ? possible.filter(([name]) => same.includes(name)) : possible
    if (keys.length === 0) return undefined
    const types = [...new Set(keys.flatMap(([, own]) => own))]
    // The property may also hold the key itself, in place of the record.
    const bare = shown.types.has('string') || shown.types.has('integer') ? [property] : []
    const names = [...keys.map(([name]) => `${property}/${name}`), ...bare]
    return { ...toSource(parameter), properties: names, compare: 'is', types, ...unset }
  }

  function schemaOf(name: string): Located<Schema> | undefined {
    const known = properties.get(name)
    const [outer = '', inner = ''] = name.split('/')
    const owner = known ? undefined : properties.get(outer)
    return owner ? flattenSchema(document, owner).properties.get(inner) : known
  }

  function isPlainText(name: string): boolean {
    const schema = schemaOf(name)
    const own = schema && flattenSchema(document, schema)
    const isKey = /(id|ids|uuid|guid|key|code)$/.test(lastName(name))
    return !isKey && own !== undefined && isText(own) && own.types.size > 0 && own.keywords.enum === undefined
  }

  /** `partner_id` is the id of the object `partner`, and `label_ids` those of `labels`. */
  function toReference(all: readonly string[]): Comparing | undefined {
    const [base, last] = [all.slice(0, -1).map(singular).join(''), singular(all.at(-1) ?? '')]
    const name = named[base] ?? named[`${base}s`]
    const schema = name === undefined ? undefined : properties.get(name)
    const members = [...(schema ? itemOf(document, schema).flat.properties.keys() : [])]
    const isKey = last === 'id' || (last === bareName(key ?? '') && members.some((each) => bareName(each) === last))
    return name !== undefined && members.length > 0 && isKey ? { property: name, compare: 'is' } : undefined
  }

  /**
   * The only property with the same ending as the parameter: `role` may mean `organizationRole`, and `resourceGroupId` may
   * mean `groupId` of resources.
   */
  function toEnding(all: readonly string[]): Comparing | undefined {
    if (parameter.in !== 'query' || unclear.test(all.join(''))) return undefined
    const noun = wordsOf(nounOf(collection))
    const isOwn = noun.length > 0 && noun.length < all.length && noun.every((word, index) => all[index] === word)
    const own = isOwn ? named[all.slice(noun.length).join('')] : undefined
    const ending = [...properties.keys()].filter((name) => {
      const own = wordsOf(name)
      return own.length > all.length && all.every((word, index) => own[own.length - all.length + index] === word)
    })
    const property = own ?? (ending.length === 1 ? ending[0] : undefined)
    return property === undefined ? undefined : { property, compare: 'is' }
  }

  function toKey(all: readonly string[]): Comparing | undefined {
    const bare = singular(all.join(''))
    const noun = bareName(nounOf(collection))
    const isKey = key !== undefined && ['id', `${noun}id`].includes(bare) && /ids?$/.test(all.join(''))
    return isKey && properties.has(key) ? { property: key, compare: 'is' } : undefined
  }
}

/** The property of records that may have any others, which conditions and orders name. */
export function findOpen(
  document: OpenApiDocument,
  properties: ReadonlyMap<string, Located<Schema>>,
): string | undefined {
  return ['properties', 'attributes', 'fields'].find((name) => {
    const schema = properties.get(name)
    const flat = schema && flattenSchema(document, schema)
    return flat?.types.has('object') === true && flat.properties.size === 0
  })
}

/** Whether the description of a parameter says that it matches substrings. */
export function saysPart(said: string): boolean {
  return /\b(part of|partial(ly)?|contain(s|ing)?|substring|(starts?|begins?) with|fuzzy|wildcard|search(es)? (by|for))\b/i.test(
    said,
  )
}

/** Names that many properties end with, or that control how a list is shown. */
const unclear =
  /^(ids?|type|value|fields?|format|view|mode|version|code|key|language|locale|lang|currency|date|time|url|expand|include|count|total)$/

/** Whether a text without a format is a time, by the format of the parameter or the name of the property. */
function isTimeNamed({ flat }: ListParameter, property: string): boolean {
  return isTime(flat) || /(^|[_\W])(date|time|timestamp)$|[a-z](Date|Time|At|On)$|_(at|on)$/.test(property)
}

/** Whether the schema of a property lists the value. */
export function isKnownValue(value: unknown, { types, keywords }: FlatSchema): boolean {
  const isFlag = types.has('boolean') && /^(true|false)$/.test(String(value))
  return isFlag || keywords.enum?.includes(value) === true
}

/** The comparison that the words of a parameter mean: `created_after`, `min_price`, `price[gte]`, `statuses`. */
function toComparison(
  words: readonly string[],
  named: Readonly<Record<string, string>>,
  isOrdered: (property: string) => boolean,
): Comparing | undefined {
  const bare = words.join('')
  const whole = named[bare] ?? named[singular(bare)] ?? named[`${bare}s`]
  if (whole !== undefined) return { property: whole, compare: 'is' }
  const tries = [
    { compare: above[words.at(-1) ?? ''], rest: words.slice(0, -1) },
    { compare: above[words[0] ?? ''], rest: words.slice(1) },
  ]
  for (const { compare, rest } of tries) {
    if (compare === undefined) continue
    const base = rest.filter((word) => word !== 'or' && word !== 'than' && word !== 'equal').join('')
    // `completed_since` is about the time `completed_at`, not about the flag `completed`.
    const time = /^(from|to|above|below)$/.test(compare) ? resolveProperty(named, base, isOrdered) : undefined
    const property = time ?? resolveProperty(named, base)
    if (property !== undefined && base !== '') return { property, compare }
    const isBare = ['', 'date', 'time', 'at', 'datetime', 'timestamp'].includes(base)
    const usual = /^(from|to|above|below)$/.test(compare) && isBare ? usualTime(named, words) : undefined
    if (usual !== undefined) return { property: usual, compare }
  }
  return undefined
}

/** The time property that `since` and `until` refer to. */
function usualTime(named: Readonly<Record<string, string>>, words: readonly string[]): string | undefined {
  const updated = ['updatedat', 'updated', 'modifiedat', 'modified', 'lastmodified']
  const created = ['date', 'createdat', 'created', 'createdon', 'timestamp', 'time', 'creationdate', 'publishedat']
  const started = ['startdatetime', 'starttime', 'startsat', 'startedat', 'startat', 'start', 'begintime', 'beginsat']
  // `startDate` and `endDate` refer to the start of records, if these have one.
  const first = /^(start|begin|end)$/.test(words[0] ?? '') ? started : []
  const wanted = words[0] === 'since' ? [...updated, ...created] : [...first, ...created, ...updated]
  return wanted.map((name) => named[name]).find((name) => name !== undefined)
}

/** The values of a parameter that no record can have, such as `all` next to the values of a status. */
export function otherValues({ keywords, types, items }: FlatSchema, property: FlatSchema): string[] {
  const allowed = keywords.enum ?? (types.has('array') && items ? flattenItems({ keywords } as FlatSchema) : undefined)
  const known = property.keywords.enum
  if (!allowed || (!known && allowed.length < 3)) return []
  return allowed
    .filter((value) => !known?.includes(value) && /^(all|any|both|everything|\*)$/i.test(String(value)))
    .map(String)
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

/** Values that mean all records, or no particular ones. */
const isNoValue = (value: unknown) => typeof value !== 'string' || /^(|all|any|both|none|everything|\*)$/i.test(value)

/**
 * The values that list filters name for properties that may have any text.
 * @param lists the operations of a collection with their effects
 */
export function findFilterValues(
  document: OpenApiDocument,
  record: Located<Schema>,
  lists: readonly { operation: DescribedOperation; effect: Effect }[],
): Record<string, string[]> {
  const { properties } = flattenSchema(document, record)
  const found = new Map<string, string[]>()
  for (const { operation, effect } of lists) {
    if (effect.kind !== 'list') continue
    const named = effect.query.filters.flatMap(({ in: place, name, properties: names, compare }) =>
      place === 'query' && /^(equal|is)$/.test(compare) ? names.map((property) => ({ name, property })) : [],
    )
    for (const { name, property } of named) {
      const described = properties.get(property)
      const values = valuesOf(document, operation, name)
      if (described && values.length > 0 && !found.has(property) && mayBeAny(document, described))
        found.set(property, values)
    }
  }
  return Object.fromEntries(found)
}

function valuesOf(document: OpenApiDocument, { parameters }: DescribedOperation, name: string): string[] {
  const parameter = parameters.find(({ value }) => value.in === 'query' && value.name === name)
  if (!parameter) return []
  const { keywords, items } = flattenSchema(document, parameterSchema(parameter))
  const allowed: unknown = keywords.enum ?? (items && flattenSchema(document, items).keywords.enum)
  return Array.isArray(allowed) ? allowed.filter((value) => !isNoValue(value)) : []
}

/** Whether the schema of a property only says that it is a text. */
function mayBeAny(document: OpenApiDocument, property: Located<Schema>): boolean {
  const { types, keywords } = flattenSchema(document, property)
  const limits = ['enum', 'const', 'pattern', 'format', 'maxLength', 'minLength', 'example', 'examples']
  return types.has('string') && limits.every((keyword) => !(keyword in keywords))
}
