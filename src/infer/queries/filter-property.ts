/** Finds the property of records that a parameter chooses by, and how it compares it: `status`, `min_price`, `created_after` */
import type { Located, OpenApiDocument, Schema } from '../../document/document.js'
import { createNamed } from '../../json/own-value.js'
import {
  type ComparisonWord,
  comparisonOf,
  endsLikeTime,
  isJoining,
  isUnclear,
  timesMeant,
} from '../../lexicon/conditions.js'
import { isKeyOf } from '../../lexicon/record-names.js'
import { bareName, nounOf, singular, wordsOf } from '../../lexicon/words.js'
import { type FlatSchema, flattenSchema } from '../../schemas/flatten-schema.js'
import { itemOf } from '../facts/find-reference-keys.js'
import { isNumber, isText, isTime, type ListParameter, lastName, resolveProperty } from './query-parameters.js'

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

const anything: Located<Schema> = { value: true, path: [] }

export interface Comparing {
  property: string
  compare: ComparisonWord
}

/** @param words those of the name of the parameter */
export function findComparing(
  parameter: ListParameter,
  words: readonly string[],
  context: FilterContext,
): Comparing | undefined {
  const named = namedProperties(context)
  const isOrdered = (name: string) => isOrderedProperty(parameter, name, context)
  const isPresentTime = (name: string) => {
    const flat = isOrdered(name) ? flattenValue(context.document, propertySchema(context, name) ?? anything) : undefined
    return flat !== undefined && !isNumber(flat) && !flat.types.has('null')
  }
  const compared = toComparison(words, named, isOrdered, isPresentTime)
  if (compared) return compared
  const property =
    toKey(words, context) ?? toReference(words, named, context) ?? toEnding(parameter, words, named, context)
  return property === undefined ? undefined : { property, compare: 'is' }
}

/** The names of properties by their last bare names. */
export function namedProperties({ properties }: FilterContext): Record<string, string> {
  const named: Record<string, string> = createNamed()
  for (const name of properties.keys()) named[lastName(name)] = name
  return named
}

/** The schema of a property, which may be inside of another. */
export function propertySchema({ document, properties }: FilterContext, name: string): Located<Schema> | undefined {
  const known = properties.get(name)
  const [outer = '', inner = ''] = name.split('/')
  const owner = known ? undefined : properties.get(outer)
  return owner ? flattenSchema(document, owner).properties.get(inner) : known
}

/** The schema of a value, or of the items of a list. */
export function flattenValue(document: OpenApiDocument, schema: Located<Schema>): FlatSchema {
  const flat = flattenSchema(document, schema)
  return flat.types.has('array') && flat.items ? flattenSchema(document, flat.items) : flat
}

/** Whether values of a property have an order: numbers and times. */
export function isOrderedProperty({ flat }: ListParameter, name: string, context: FilterContext): boolean {
  const schema = propertySchema(context, name)
  const inner = schema && flattenValue(context.document, schema)
  // A text without a format is a time by the format of the parameter or the name of the property.
  const isTimeText = () => isTime(flat) || endsLikeTime(name)
  return inner !== undefined && (isNumber(inner) || isTime(inner) || (isText(inner) && isTimeText()))
}

/** The comparison that the words of a parameter mean: `created_after`, `min_price`, `price[gte]`, `statuses`. */
function toComparison(
  words: readonly string[],
  named: Readonly<Record<string, string>>,
  isOrdered: (property: string) => boolean,
  isPresentTime: (property: string) => boolean,
): Comparing | undefined {
  const bare = words.join('')
  const whole = named[bare] ?? named[singular(bare)] ?? named[`${bare}s`]
  if (whole !== undefined) return { property: whole, compare: 'is' }
  const tries = [
    { compare: comparisonOf(words.at(-1)), rest: words.slice(0, -1) },
    { compare: comparisonOf(words[0]), rest: words.slice(1) },
  ]
  for (const { compare, rest } of tries) {
    if (compare === undefined) continue
    const base = rest.filter((word) => !isJoining(word)).join('')
    const isRange = compare !== 'is' && compare !== 'text'
    // `completed_since` is about the time `completed_at`, not about the flag `completed`.
    const exact = isRange ? resolveProperty(named, base, isOrdered) : undefined
    const property = exact ?? resolveProperty(named, base)
    if (property !== undefined && base !== '') return { property, compare }
    const usual = isRange ? timesMeant(words, base).find((name) => named[name] !== undefined) : undefined
    if (usual !== undefined) return { property: named[usual] ?? '', compare }
    // `from` is about the only time that every record has.
    const [time, ...times] = isRange && base === '' ? Object.values(named).filter(isPresentTime) : []
    if (time !== undefined && times.length === 0) return { property: time, compare }
    // `max_weight` is about the only number or time with this word: `weightKg`
    const asked = rest.filter((word) => !isJoining(word))
    const [only, ...others] = isRange
      ? Object.values(named).filter((name) => isOrdered(name) && hasWords(name, asked))
      : []
    if (only !== undefined && others.length === 0 && !isUnclear(base)) return { property: only, compare }
  }
  return undefined
}

function hasWords(name: string, words: readonly string[]): boolean {
  const own = wordsOf(name)
  return words.length > 0 && own.some((_, index) => words.every((word, place) => own[index + place] === word))
}

function toKey(words: readonly string[], { key, collection, properties }: FilterContext): string | undefined {
  const name = [...words.slice(0, -1), singular(words.at(-1) ?? '')].join('')
  return key !== undefined && properties.has(key) && isKeyOf(name, collection, key) ? key : undefined
}

/** `partner_id` is the id of the object `partner`, and `label_ids` those of `labels`. */
function toReference(
  words: readonly string[],
  named: Readonly<Record<string, string>>,
  { document, properties, key }: FilterContext,
): string | undefined {
  const [base, last] = [words.slice(0, -1).map(singular).join(''), singular(words.at(-1) ?? '')]
  // `class_id` is the id of `schoolClass` if no other name ends so.
  const [ending, ...more] = Object.keys(named).filter((name) => base.length > 2 && name.endsWith(base))
  const name = named[base] ?? named[`${base}s`] ?? (more.length === 0 ? named[ending ?? ''] : undefined)
  const schema = name === undefined ? undefined : properties.get(name)
  const members = [...(schema ? itemOf(document, schema).flat.properties.keys() : [])]
  const isKey = last === 'id' || (last === bareName(key ?? '') && members.some((each) => bareName(each) === last))
  return members.length > 0 && isKey ? name : undefined
}

/**
 * The only property with the same ending as the parameter: `role` may mean `organizationRole`, and `resourceGroupId` may
 * mean `groupId` of resources.
 */
function toEnding(
  parameter: ListParameter,
  words: readonly string[],
  named: Readonly<Record<string, string>>,
  { properties, collection }: FilterContext,
): string | undefined {
  if (parameter.in !== 'query' || isUnclear(words.join(''))) return undefined
  const noun = wordsOf(nounOf(collection))
  const isOwn = noun.length > 0 && noun.length < words.length && noun.every((word, index) => words[index] === word)
  const own = isOwn ? named[words.slice(noun.length).join('')] : undefined
  const ending = [...properties.keys()].filter((name) => {
    const all = wordsOf(name)
    return all.length > words.length && words.every((word, index) => all[all.length - words.length + index] === word)
  })
  return own ?? (ending.length === 1 ? ending[0] : undefined)
}
