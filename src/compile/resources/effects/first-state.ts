/** Finds what a new record has in a property that its request does not give: the state from which all others are reached. */

import type { Located, OpenApiDocument, Schema, SchemaObject } from '../../../document/document.js'
import { oncePer } from '../../../document/once.js'
import { isObject, ownValue } from '../../../json/own-value.js'
import { isKey } from '../../../lexicon/keys.js'
import {
  firstBeginning,
  firstWorking,
  isAwaiting,
  isBegun,
  isCaused,
  isEnded,
  isEndFlag,
  isOpenFlag,
  isStateName,
  isSuccessFlag,
  isUseFlag,
  isWorking,
  switchedOn,
} from '../../../lexicon/stages.js'
import { saysCount, saysFirst, saysNone, saysVersion } from '../../../lexicon/texts.js'
import { isSetByService } from '../../../lexicon/times.js'
import { bareName, isPlural, isSameName, sameName, singular, wordsOf } from '../../../lexicon/words.js'
import {
  exampleValue,
  type FlatSchema,
  flattenSchema,
  hasFlag,
  isObjectSchema,
} from '../../../schemas/flatten-schema.js'
import { withBranch } from '../../../schemas/tagged.js'
import { sample } from '../../samples/sample.js'
import type { Evidence } from '../facts/evidence.js'
import { findItems } from './find-link.js'
import { makeResult } from './make-result.js'
import { sampleTimeIn, timeFormOf } from './time-form.js'

export interface FirstValue {
  value: unknown
  evidence: Evidence
  /** Why, as a clause without a full stop. */
  why: string
}

/** A property that a request does not give. */
export interface NewProperty {
  name: string
  schema: Located<Schema>
  /** Whether only the service writes it. */
  isOwned: boolean
  isRequired: boolean
  /** The name of the collection, for properties of records. */
  collection?: string
  /** Its value in the example of the creation's own answer. */
  shown?: unknown
  /** Whether it is in an object of counts: `stats`. */
  isCounted?: boolean
  /** Whether callers have the property, too, because requests have the schema of records. */
  isShared?: boolean
  /** Whether a creation has it, and not a later change. */
  isNew?: boolean
  /** Whether the example of the creation's own request lacks what that of its answer has. */
  isAdded?: boolean
  /** Whether actions change the state of records, so that no record begins at an end. */
  isActed?: boolean
  /** Whether the record is what the operation has made, so that lists have something. */
  isResult?: boolean
}

const isKind = /^(object|kind|type|subtype|entity)$/
/** Names of numbers that count what happened since. */
const isCount =
  /\bcounts?$|^(total|num|number of|count of|usage|used)\b|\b(balance|used|usage|progress)$|^amount \w+(ed|able)$/
const isSize = /^((actual|current|total|used) )?(size|bytes)( in)?( bytes)?$/
/** What is empty at first. */
const containers =
  /^(folder|directory|bucket|repo|repository|room|registry|mailbox|drive|index|database|library|album)$/
const isUnit =
  /^(seconds|minutes|hours|days|weeks|months|years|ms|millis|milliseconds|pixels|points|units|degrees|bytes|status)$/
/** Objects that say when the record was made and changed. */
const isAbout = /^(meta|metadata|history|audit|auditinfo|dates|timestamps|systemdata)$/
const isCounts = /^(counts?|stats|statistics|usage|totals?|metrics|summary)$/
/** Maximum depth of objects. */
const maxDepth = 3
/** Maximum properties of an object that has a list and describes its page. */
const maxPage = 12

/** @returns undefined if nothing says what it has, so that a new record does not have it unless its schema requires it */
export function findFirstValue(document: OpenApiDocument, property: NewProperty, depth = 0): FirstValue | undefined {
  const { name, schema, isOwned, isRequired, shown } = property
  const flat = flattenSchema(document, schema)
  const { keywords, types } = flat
  const words = wordsOf(name).filter((word) => word !== 'is')
  const last = words.at(-1) ?? ''
  const allowed = keywords.const !== undefined ? [keywords.const] : keywords.enum
  const only = allowed?.filter((each) => each !== null)
  // Only an alternative for the end has such a flag: `"deleted": {"enum": [true]}`
  if (isEndFlag(last) && only?.length === 1 && only[0] === true) return undefined
  if (isOwned && only?.length === 1) return { value: only[0], evidence: 'schema', why: 'it is the only value' }
  const described = defaultIn(flat, only)
  if (types.has('boolean')) {
    const flag = words.join(' ')
    const isEnd = isEndFlag(last) && (isOwned || words.length === 1)
    if (keywords.default !== undefined) return ofSchema(keywords.default)
    if (isSuccessFlag(flag)) return { value: true, evidence: 'name', why: 'it says that all is well' }
    if (isEnd) return { value: false, evidence: 'name', why: 'it marks an end' }
    if (described !== undefined) return described
    if (isUseFlag(flag) && (isOwned || flag === 'active' || flag === 'enabled'))
      return { value: true, evidence: 'name', why: 'it marks a record in use' }
    if (property.isShared || words[0] === 'can' || (!isOwned && isOpenFlag(flag))) return undefined
    if (isOwned && typeof shown === 'boolean') return ofExample(shown)
    return { value: false, evidence: 'name', why: 'nothing has set it' }
  }
  const isNumber = !types.has('string') && (types.has('integer') || types.has('number'))
  if (isNumber && !only && isOwned && !timeFormOf(name, flat, isSetByService(name))) {
    const isPlain = isRequired && types.has('integer') && isPlural(last) && !isUnit.test(last) && words.length <= 2
    const isTold = saysCount(String(keywords.description ?? ''))
    const isEmpty =
      isSize.test(words.join(' ')) && containers.test(singular(wordsOf(property.collection ?? '').at(-1) ?? ''))
    if ((property.isCounted || isCount.test(words.join(' ')) || isTold || isPlain || isEmpty) && isWithin(keywords, 0))
      return { value: 0, evidence: 'name', why: 'it counts what happens later' }
  }
  const isCounting = isNumber && isVersion(name, flat, !isOwned)
  const isEnd = property.isActed && isStateName(last) && typeof shown === 'string' && isEnded(shown)
  const begun = isEnd ? chooseState(statesIn(only) ?? valuesIn(keywords), keywords) : undefined
  if (isScalar(shown) && isAmong(shown, only) && (begun === undefined || isCaused(begun))) {
    const isStanding = (isOwned || property.isAdded) && isUsual(words, shown)
    if (isStanding || (isOwned && (only || isKind.test(last) || types.has('null')))) return ofExample(shown)
  }
  if (keywords.default !== undefined) return ofSchema(keywords.default)
  if (described !== undefined) return described
  if (isCounting && isWithin(keywords, 1)) return { value: 1, evidence: 'name', why: 'it counts changes' }
  if (isOwned && !property.isShared && types.has('string') && isStateName(last)) {
    const state = chooseState(statesIn(only) ?? valuesIn(keywords), keywords)
    if (state !== undefined) return { value: state, evidence: 'name', why: 'other states are reached from it' }
  }
  if (property.isNew && types.has('string') && isStateName(last) && isStateOf(words, property.collection)) {
    const [first, ...others] = statesIn(only) ?? []
    // Callers may send it, so that more has to say what it is without them.
    const isFirst = first !== undefined && others.length > 0 && (isBegun(first) || isWorking(first))
    const isChosen = isFirst && chooseState([first, ...others], keywords) === first
    if (isChosen && !saysNone(String(keywords.description ?? '')))
      return { value: first, evidence: 'name', why: 'its schema begins with it, and other states are reached from it' }
  }
  const usual = only?.find((value) => wordsOf(String(value)).includes('default'))
  if (usual !== undefined) return { value: usual, evidence: 'name', why: 'its name says that it is the default' }
  const kind = isOwned && types.has('string') && isKind.test(last) ? kindOf(document, property, keywords) : undefined
  if (kind !== undefined) return { value: kind, evidence: 'example', why: 'examples have the name of the resource' }
  const isPair = !isOwned && only?.length === 2 && isStateName(last) && types.has('string')
  const active = isPair ? switchedOn(only.map(String)) : undefined
  if (active !== undefined) return { value: active, evidence: 'name', why: 'it marks a record in use' }
  const isList = types.has('array') && (keywords.minItems ?? 0) === 0 && !keywords.contains && !only
  const made = property.isResult && isOwned ? makeResult(document, property) : undefined
  if (made !== undefined) return { value: made, evidence: 'schema', why: 'the operation makes it' }
  if (isList && !types.has('null')) return { value: [], evidence: 'schema', why: 'it has no entries yet' }
  const isSmall = flat.properties.size <= maxPage && isObjectSchema(flat)
  const isPage = isSmall && findItems(document, schema)?.inner?.count !== undefined
  const page = isPage ? makeObject(document, property, depth, isPage) : undefined
  if (page) return { value: page, evidence: 'schema', why: 'it has no entries yet' }
  const isNullable = types.has('null') && (!allowed || (isOwned && allowed.includes(null)))
  if (isNullable && (isOwned || isRequired)) return { value: null, evidence: 'schema', why: 'nothing has set it' }
  const given = exampleValue(keywords)
  if (isOwned && isRequired && isObject(given)) return ofSchema(given)
  if (isOwned && isObjectSchema(flat)) {
    const value = makeObject(document, property, depth)
    if (value) return { value, evidence: 'schema', why: 'its properties have first values' }
  }
  if (isOwned && isRequired && given === undefined && isFreeState(name, flat))
    return { value: property.isActed ? 'pending' : 'active', evidence: 'name', why: 'nothing has ended it' }
  // In 120 of 177 documents, most defaults are the first value.
  if (!isOwned && isRequired && only && only.length > 1 && types.has('string')) {
    const first = [given, ...only].find((each) => typeof each === 'string' && only.includes(each) && !isCaused(each))
    return first === undefined ? undefined : ofSchema(first)
  }
  return isOwned && isRequired ? ofSchema(given ?? sample(document, schema, name)) : undefined
}

/** The first values of an object that only the service writes. */
function makeObject(
  document: OpenApiDocument,
  property: NewProperty,
  depth: number,
  isPage = false,
): object | undefined {
  if (depth >= maxDepth) return undefined
  const { name, schema, isRequired, shown } = property
  const flat = flattenSchema(document, withBranch(document, schema))
  // An object with a key is another record.
  if (!isRequired && !isPage && [...flat.properties.keys()].some((each) => isKey(each) || each === 'href'))
    return undefined
  const isCounted = property.isCounted || isCounts.test(wordsOf(name).at(-1) ?? '')
  const entries = [...flat.properties].flatMap(([inner, each]): [string, unknown][] => {
    if (hasFlag(document, each, 'writeOnly')) return []
    const form = isSetByService(inner) ? timeFormOf(inner, flattenSchema(document, each), true) : undefined
    if (form) return [[inner, sampleTimeIn(form.as)]]
    const isInnerRequired = flat.required.has(inner)
    const found = findFirstValue(
      document,
      {
        ...{ name: inner, schema: each, isOwned: true, isRequired: isInnerRequired, isCounted },
        shown: isObject(shown) ? ownValue(shown, inner) : undefined,
      },
      depth + 1,
    )
    // Examples of links are those of other records.
    const isSample = isPage && typeof found?.value === 'string' && !isKind.test(inner)
    return found && !isSample ? [[inner, found.value]] : []
  })
  // What has only flags and kinds is about something that has not happened, unless a new record shows it.
  const isTelling =
    (isObject(shown) && Object.keys(shown).every((inner) => entries.some(([each]) => each === inner))) ||
    isStateName(wordsOf(name).at(-1) ?? '') ||
    (isAbout.test(bareName(name)) && entries.some(([inner]) => /^creat/i.test(inner))) ||
    entries.some(([, value]) => typeof value === 'number' || (isObject(value) && !Array.isArray(value)))
  return isRequired || (isTelling && entries.length > 0) ? Object.fromEntries(entries) : undefined
}

/** The nouns in the paths of a document. */
const nounsIn = oncePer((document: OpenApiDocument) => {
  const segments = Object.keys(document.paths ?? {}).flatMap((path) => path.split(/[/.:]/))
  return new Set(segments.filter((segment) => segment !== '' && !segment.startsWith('{')).map(sameName))
})

/** The name of a kind of records: an example that names another kind shows the form. */
function kindOf(
  document: OpenApiDocument,
  { collection }: NewProperty,
  { example, examples, description, enum: allowed }: SchemaObject,
): string | undefined {
  const shown = example ?? examples?.[0]
  if (allowed) return allowed.find((each): each is string => typeof each === 'string' && each === shown)
  const [quoted, ...others] = [...String(description ?? '').matchAll(/["'`*]([\w.-]+)["'`*]/g)].map(([, each]) => each)
  if (quoted !== undefined && others.length === 0 && collection !== undefined && isSameName(quoted, collection))
    return quoted
  if (typeof shown !== 'string') return undefined
  if (collection === undefined || isSameName(shown, collection) || !nounsIn(document).has(sameName(shown))) return shown
  const words = wordsOf(collection)
  return [...words.slice(0, -1), singular(words.at(-1) ?? '')].join('_')
}

/** Whether a text is the state of a record whose values are not listed. */
export function isFreeState(property: string, { types, keywords }: FlatSchema): boolean {
  const { enum: allowed, const: only, format, pattern, maxLength = minState } = keywords
  const isFree = allowed === undefined && only === undefined && format === undefined && pattern === undefined
  return (
    isFree && types.has('string') && wordsOf(property).length === 1 && isStateName(property) && maxLength >= minState
  )
}

/** Shorter states are codes. */
const minState = 12

function ofSchema(value: unknown): FirstValue {
  return { value, evidence: 'schema', why: 'its schema has it' }
}

function ofExample(value: unknown): FirstValue {
  return { value, evidence: 'example', why: 'the answer to a creation shows it' }
}

function isScalar(value: unknown): boolean {
  return value === null || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string'
}

function isAmong(value: unknown, allowed: readonly unknown[] | undefined): boolean {
  return value === null || !allowed || allowed.includes(value)
}

function statesIn(allowed: readonly unknown[] | undefined): string[] | undefined {
  return allowed?.filter((each): each is string => typeof each === 'string' && each !== '')
}

/** Names of what examples show of any new record: its state, its kind, and what its account has. */
const usual =
  /^(status|state|phase|stage|lifecycle|object|kind|type|subtype|entity|version|revision|source|origin|mode|action|currency|country|locale|language|timezone|zone)$/

/** Whether an example shows what any new record has: `"currency": "EUR"` */
function isUsual(words: readonly string[], shown: unknown): boolean {
  if (typeof shown === 'number') return shown < maxVersion && /^(version|revision)$/.test(words.at(-1) ?? '')
  const last = words.at(-1) === 'code' ? words.at(-2) : words.at(-1)
  const isWord = typeof shown === 'string' && /^\w[\w.-]*(\/\w+)*$/.test(shown) && !/^(string|\d+)$/.test(shown)
  return isWord && usual.test(last ?? '') && sameName(shown) !== sameName(words.join('_'))
}

/** Names of numbers that count the changes of a record. */
const versionNames = /^((object|record|row|lock|resource|entity) )?(version|revision)( number)?$/

/** Whether a number counts the changes of a record. @param isSent whether callers may send it: then its description has to say so */
export function isVersion(name: string, { types, keywords }: FlatSchema, isSent: boolean): boolean {
  if (types.has('string') || !types.has('integer') || keywords.enum || !versionNames.test(wordsOf(name).join(' ')))
    return false
  return !isSent || saysVersion(String(keywords.description ?? ''))
}

/** Larger numbers are times. */
const maxVersion = 1e6

/** Whether a state is that of the record itself: `status`, `document_status` of documents */
function isStateOf(words: readonly string[], collection = ''): boolean {
  return words.length === 1 || isSameName(words.slice(0, -1).join('_'), collection)
}

function isWithin({ minimum, exclusiveMinimum, maximum, exclusiveMaximum }: SchemaObject, value: number): boolean {
  const isAbove = value >= (minimum ?? value) && value > (exclusiveMinimum ?? value - 1)
  return isAbove && value <= (maximum ?? value) && value < (exclusiveMaximum ?? value + 1)
}

/** `'auto' is the default value` */
const saysDefaultAfter = /[`"'*]{1,3}([\w.-]{1,60})[`"'*]{1,3} is the default\b/i
/** `Defaults to true`, `default: "open"`, `The default is 'auto'` */
const saysDefault = /\bdefaults?(?: value)?(?:\s+(?:to|is|as)|\s*[:=])\s*[`"'*]*([\w.-]+)/i

/** The default that a description names. */
export function defaultIn(
  { keywords, types }: FlatSchema,
  allowed: readonly unknown[] | undefined,
): FirstValue | undefined {
  const text = String(keywords.description ?? '')
  const said = (saysDefault.exec(text) ?? saysDefaultAfter.exec(text))?.[1]?.replace(/\.$/, '')
  if (said === undefined) return undefined
  const number = /^-?\d+(\.\d+)?$/.test(said) ? Number(said) : undefined
  const isNumber = number !== undefined && (types.has('number') || (types.has('integer') && Number.isInteger(number)))
  const numbers = isNumber && isWithin(keywords, number) ? [number] : []
  const values = allowed ?? (types.has('boolean') ? [true, false] : numbers)
  const value = values.find((each) => String(each).toLowerCase() === said.toLowerCase())
  return value === undefined
    ? undefined
    : { value, evidence: 'description', why: 'its description calls it the default' }
}

/** Values that a description lists in quotes, or in capitals. */
function valuesIn({ description, example, pattern, format }: SchemaObject): string[] {
  if (pattern !== undefined || format !== undefined) return []
  const quoted = [...String(description ?? '').matchAll(/[`"'*]([A-Za-z][\w -]{1,30})[`"'*]/g)].map(
    ([, value]) => value ?? '',
  )
  if (quoted.length > 1) return [...new Set(quoted)]
  const capitals = String(description ?? '').match(/\b[A-Z][A-Z_]{3,}\b/g) ?? []
  const isKnown = (state: string) => isBegun(state) || isWorking(state) || isCaused(state)
  if (capitals.length > 1 && capitals.some(isKnown)) return [...new Set(capitals)]
  return typeof example === 'string' && example !== '' ? [example] : []
}

/** The state in which a record begins. @returns undefined if all are states in which records end */
export function chooseState(
  values: readonly string[],
  { description, examples, example }: SchemaObject,
): string | undefined {
  const text = String(description ?? '')
  const placeOf = (value: string) => findWord(text, value)
  const isListed = values.every((value) => placeOf(value) >= 0)
  const ordered = isListed ? values.toSorted((one, other) => placeOf(one) - placeOf(other)) : values
  // A description has what it says of a state behind its name.
  const said = ordered.filter((value, index) => {
    const at = placeOf(value)
    if (at < 0) return false
    const next = isListed && index + 1 < ordered.length ? placeOf(ordered[index + 1] ?? '') : undefined
    const own = text.slice(at, Math.min(next ?? text.length, at + 160))
    return saysFirst((isListed ? own : own.split(/[\n;]|\. /)[0]) ?? '')
  })
  if (said.length === 1) return said[0]
  const open = ordered.filter((value) => !isCaused(value))
  const shown = example ?? examples?.[0]
  return (
    firstBeginning(ordered) ??
    ordered.find(isAwaiting) ??
    open.find((value) => value === shown) ??
    firstWorking(ordered) ??
    open[0]
  )
}

/** The place of a whole word in a text, or -1. */
function findWord(text: string, word: string): number {
  const isInside = (at: number) => /[\w-]/.test(text[at] ?? ' ')
  let at = word === '' ? -1 : text.indexOf(word)
  while (at >= 0 && (isInside(at - 1) || isInside(at + word.length))) at = text.indexOf(word, at + 1)
  return at
}
