/** Finds what a new record has in a property that its request does not give. */

import type { Source } from '../../behaviour/line.js'
import { made } from '../../behaviour/values.js'
import type { Located, OpenApiDocument, Schema, SchemaObject } from '../../document/document.js'
import { oncePer } from '../../document/once.js'
import { resolve } from '../../document/references.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { endsLikeKey, isKey } from '../../lexicon/keys.js'
import { isAboutRecord, isKindName, isOfAnyNew } from '../../lexicon/kinds.js'
import { hasCounts, isContainer, isCountName, isSizeName, isUnit, isVersionName } from '../../lexicon/numbers.js'
import {
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
} from '../../lexicon/stages.js'
import { saidDefault, saysCount, saysNone } from '../../lexicon/texts.js'
import { isSetByService, isTimeName } from '../../lexicon/times.js'
import { isPlural, isSameName, sameName, singular, wordsOf } from '../../lexicon/words.js'
import { exampleValue, type FlatSchema, flattenSchema, hasFlag, isObjectSchema } from '../../schemas/flatten-schema.js'
import { withBranch } from '../../schemas/tagged.js'
import { sampleTimeIn, timeFormOf } from '../../schemas/time-form.js'
import { habitsOf } from '../habits.js'
import { findItems } from './find-link.js'
import { findResult } from './find-result.js'
import { isVersion } from './find-version.js'
import { chooseState, isFreeState, statesOf, textsIn } from './first-states.js'

export interface FirstValue {
  value: unknown
  evidence: Source
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

/** Maximum depth of objects. */
const maxDepth = 3
/** Maximum properties of an object that has a list and describes its page. */
const maxPage = 12

/** What the rules read of a property. */
interface Known extends NewProperty {
  document: OpenApiDocument
  depth: number
  flat: FlatSchema
  keywords: SchemaObject
  types: FlatSchema['types']
  /** Its name without `is`, as words. */
  words: readonly string[]
  description: string
  /** The values that its schema allows, and those besides null. */
  allowed: readonly unknown[] | undefined
  only: readonly unknown[] | undefined
  isFlag: boolean
  isNumber: boolean
  isText: boolean
  isState: boolean
}

/** A value, or the decision that a new record does not have the property. */
type Found = { value: unknown } | 'absent' | undefined

interface FirstRule {
  evidence: Source
  why: string
  find(known: Known): Found
}

/** @returns undefined if nothing says what it has, so that a new record does not have it unless its schema requires it */
export function findFirstValue(document: OpenApiDocument, property: NewProperty, depth = 0): FirstValue | undefined {
  const known = toKnown(document, property, depth)
  // Where the service leaves out what nobody gives, only a documented default stands for it.
  const isOfCaller = !known.isOwned || known.isShared
  const isLeftOut = isOfCaller && !known.isRequired && habitsOf(document).value('optional') === 'sent'
  for (const { find, evidence, why } of rules) {
    if (isLeftOut && (evidence !== 'schema' || known.keywords.default === undefined)) continue
    const found = find(known)
    if (found === 'absent') return undefined
    if (found) return { value: found.value, evidence, why }
  }
  return undefined
}

function toKnown(document: OpenApiDocument, property: NewProperty, depth: number): Known {
  const { name, schema, isOwned, isRequired, collection, shown } = property
  const { isCounted, isShared, isNew, isAdded, isActed, isResult } = property
  const flat = flattenSchema(document, schema)
  const { keywords, types } = flat
  const allowed = keywords.const !== undefined ? [keywords.const] : keywords.enum
  const isText = types.has('string')
  // Documents may have hundreds of thousands of these, so that all have one shape.
  return {
    document,
    depth,
    name,
    schema,
    isOwned,
    isRequired,
    collection: collection ?? '',
    shown,
    isCounted: isCounted === true,
    isShared: isShared === true,
    isNew: isNew === true,
    isAdded: isAdded === true,
    isActed: isActed === true,
    isResult: isResult === true,
    flat,
    keywords,
    types,
    allowed,
    words: wordsOf(name).filter((word) => word !== 'is'),
    description: typeof keywords.description === 'string' ? keywords.description : '',
    only: allowed?.filter((each) => each !== null),
    isFlag: types.has('boolean'),
    isText,
    isNumber: !isText && (types.has('integer') || types.has('number')),
    isState: isStateName(name),
  }
}

const value = (found: unknown): Found => (found === undefined ? undefined : { value: found })

/** The first one that finds something decides. */
const rules: readonly FirstRule[] = [
  {
    evidence: 'schema',
    why: 'it is the only value',
    find: ({ only, isOwned, name }) => {
      if (only?.length !== 1) return undefined
      // Only an alternative for the end has such a flag: `"deleted": {"enum": [true]}`
      if (only[0] === true && isEndFlag(name)) return 'absent'
      return isOwned ? { value: only[0] } : undefined
    },
  },
  {
    evidence: 'schema',
    why: 'its schema has it',
    find: ({ isFlag, keywords }) => (isFlag ? value(keywords.default) : undefined),
  },
  {
    evidence: 'name',
    why: 'it says that all is well',
    find: ({ isFlag, words }) => (isFlag && isSuccessFlag(words.join(' ')) ? { value: true } : undefined),
  },
  {
    evidence: 'name',
    why: 'it marks an end',
    find: ({ isFlag, isOwned, words }) =>
      isFlag && isEndFlag(words.at(-1) ?? '') && (isOwned || words.length === 1) ? { value: false } : undefined,
  },
  {
    evidence: 'description',
    why: 'its description calls it the default',
    find: ({ isFlag, flat, only }) => (isFlag ? value(defaultIn(flat, only)) : undefined),
  },
  {
    evidence: 'name',
    why: 'it marks a record in use',
    find: ({ isFlag, isOwned, words }) => {
      const flag = words.join(' ')
      const isMeant = isUseFlag(flag) && (isOwned || flag === 'active' || flag === 'enabled')
      return isFlag && isMeant ? { value: true } : undefined
    },
  },
  {
    evidence: 'example',
    why: 'the answer to a creation shows it',
    find: ({ isFlag, isOwned, isShared, words, shown }) => {
      if (!isFlag) return undefined
      if (isShared || words[0] === 'can' || (!isOwned && isOpenFlag(words.join(' ')))) return 'absent'
      return isOwned && typeof shown === 'boolean' ? { value: shown } : undefined
    },
  },
  { evidence: 'name', why: 'nothing has set it', find: ({ isFlag }) => (isFlag ? { value: false } : undefined) },
  {
    evidence: 'name',
    why: 'it counts what happens later',
    find: (known) => (isCountOf(known) && isWithin(known.keywords, 0) ? { value: 0 } : undefined),
  },
  {
    evidence: 'example',
    why: 'the answer to a creation shows it',
    find: (known) => (isStanding(known) ? { value: known.shown } : undefined),
  },
  { evidence: 'schema', why: 'its schema has it', find: ({ keywords }) => value(keywords.default) },
  {
    evidence: 'description',
    why: 'its description calls it the default',
    find: ({ document, schema, flat, only }) => value(defaultIn(flat, only) ?? defaultAmong(document, schema)),
  },
  {
    evidence: 'name',
    why: 'it counts changes',
    find: ({ name, flat, isNumber, isOwned, keywords }) =>
      isNumber && isVersion(name, flat, !isOwned) && isWithin(keywords, 1) ? { value: 1 } : undefined,
  },
  {
    evidence: 'name',
    why: 'other states are reached from it',
    find: ({ isOwned, isShared, isText, isState, keywords, only }) =>
      isOwned && !isShared && isText && isState ? value(chooseState(statesOf(keywords, only), keywords)) : undefined,
  },
  {
    evidence: 'name',
    why: 'its schema begins with it, and other states are reached from it',
    find: ({ isNew, isText, isState, words, collection, only, keywords, description }) => {
      if (!isNew || !isText || !isState || !isStateOf(words, collection) || saysNone(description)) return undefined
      const [first, ...others] = textsIn(only) ?? []
      // Callers may send it, so that more has to say what it is without them.
      const isFirst = first !== undefined && others.length > 0 && (isBegun(first) || isWorking(first))
      return isFirst && chooseState([first, ...others], keywords) === first ? { value: first } : undefined
    },
  },
  {
    evidence: 'name',
    why: 'its name says that it is the default',
    find: ({ only }) => value(only?.find((each) => wordsOf(String(each)).includes('default'))),
  },
  {
    evidence: 'example',
    why: 'examples have the name of the resource',
    find: (known) => (known.isOwned && known.isText && isKindName(known.name) ? value(kindOf(known)) : undefined),
  },
  {
    evidence: 'name',
    why: 'it marks a record in use',
    find: ({ isText, isState, only }) =>
      isText && isState && only?.length === 2 ? value(switchedOn(only.map(String))) : undefined,
  },
  {
    evidence: 'schema',
    why: 'the operation makes it',
    find: (known) => (known.isResult && known.isOwned ? value(findResult(known.document, known)) : undefined),
  },
  {
    evidence: 'schema',
    why: 'it has no entries yet',
    find: (known) => {
      const { document, schema, flat, types, keywords, only } = known
      const isList = types.has('array') && (keywords.minItems ?? 0) === 0 && !keywords.contains && !only
      if (isList && !types.has('null')) return { value: [] }
      const isSmall = flat.properties.size <= maxPage && isObjectSchema(flat)
      const isPage = isSmall && findItems(document, schema)?.inner?.count !== undefined
      return isPage ? value(makeObject(known, isPage)) : undefined
    },
  },
  {
    evidence: 'schema',
    why: 'nothing has set it',
    find: ({ types, allowed, isOwned, isRequired, name, flat }) => {
      // What has nothing to count has counts all the same.
      const isNullable =
        types.has('null') &&
        !(hasCounts(name) && flat.properties.size > 0) &&
        (!allowed || (isOwned && allowed.includes(null)))
      return isNullable && (isOwned || isRequired) ? { value: null } : undefined
    },
  },
  {
    evidence: 'schema',
    why: 'its schema has it',
    find: ({ isOwned, isRequired, keywords }) => {
      const given = exampleValue(keywords)
      return isOwned && isRequired && isObject(given) ? { value: given } : undefined
    },
  },
  {
    evidence: 'schema',
    why: 'its properties have first values',
    find: (known) => (known.isOwned && isObjectSchema(known.flat) ? value(makeObject(known)) : undefined),
  },
  {
    evidence: 'name',
    why: 'nothing has ended it',
    find: ({ isOwned, isRequired, isActed, keywords, name, flat }) =>
      isOwned && isRequired && exampleValue(keywords) === undefined && isFreeState(name, flat)
        ? { value: isActed ? 'pending' : 'active' }
        : undefined,
  },
  {
    evidence: 'schema',
    why: 'its schema has it',
    find: ({ isOwned, isRequired, isText, only, keywords, types }) => {
      const given = exampleValue(keywords)
      // In 120 of 177 documents, most defaults are the first value.
      if (!isOwned && isRequired && only && only.length > 1 && isText)
        return value(
          [given, ...only].find((each) => typeof each === 'string' && only.includes(each) && !isCaused(each)),
        )
      // Times in what is made are those of the clock.
      const mayTell = types.has('array') || types.has('object') || /^date/.test(keywords.format ?? '')
      return isOwned && isRequired ? value(given ?? (mayTell ? made : undefined)) : undefined
    },
  },
  { evidence: 'habit', why: 'the service shows all properties', find: findEmpty },
]

/** What a property without a value has, if the service shows it. */
function findEmpty({ document, depth, isCounted, name, schema, flat, only, ...known }: Known): Found {
  const habit = habitsOf(document).value('optional')
  if (
    habit === undefined ||
    (known.isRequired && known.isOwned) ||
    habit === 'absent' ||
    habit === 'sent' ||
    depth > 0 ||
    isCounted ||
    hasFlag(document, schema, 'writeOnly')
  )
    return undefined
  const { types, keywords, isFlag, isText, isNumber } = known
  if (types.has('null')) return keywords.enum && !keywords.enum.includes(null) ? undefined : { value: null }
  const isBound = only !== undefined || ['format', 'pattern', 'not'].some((keyword) => keyword in keywords)
  if (habit === 'null' || isBound || endsLikeKey(name) || isTimeName(name)) return undefined
  if (isText) return (keywords.minLength ?? 0) > 0 ? undefined : { value: '' }
  if (isFlag) return { value: false }
  if (isNumber) return isWithin(keywords, 0) ? { value: 0 } : undefined
  const isMap = types.has('object') && flat.properties.size === 0 && flat.required.size === 0
  return isMap && (keywords.minProperties ?? 0) === 0 ? { value: {} } : undefined
}

/** Whether a number counts what happens to its record. */
function isCountOf(known: Known): boolean {
  const { name, flat, isNumber, only, isOwned, isRequired, isCounted, types, words, description, collection } = known
  if (!isNumber || only || !isOwned || timeFormOf(name, flat, isSetByService(name))) return false
  const last = words.at(-1) ?? ''
  const isPlain = isRequired && types.has('integer') && isPlural(last) && !isUnit(last) && words.length <= 2
  const isEmpty = isSizeName(name) && isContainer(collection ?? '')
  return isCounted || isCountName(words.join(' ')) || saysCount(description) || isPlain || isEmpty
}

/** Whether any new record has the value that the example of a creation shows. */
function isStanding({ isActed, isState, isOwned, isAdded, shown, only, keywords, types, name, words }: Known): boolean {
  const isEnd = isActed && isState && typeof shown === 'string' && isEnded(shown)
  const begun = isEnd ? chooseState(statesOf(keywords, only), keywords) : undefined
  const isPossible = isScalar(shown) && (shown === null || !only || only.includes(shown))
  if (!isPossible || (begun !== undefined && !isCaused(begun))) return false
  if ((isOwned || isAdded) && isUsual(words, shown)) return true
  return isOwned && (only !== undefined || isKindName(name) || types.has('null'))
}

/** The first values of an object that only the service writes. */
function makeObject(known: Known, isPage = false): object | undefined {
  const { document, depth, name, schema, isRequired, shown } = known
  if (depth >= maxDepth) return undefined
  const flat = flattenSchema(document, withBranch(document, schema))
  // An object with a key is another record.
  const hasKey = [...flat.properties.keys()].some((each) => isKey(each) || each === 'href')
  if (!isRequired && !isPage && hasKey) return undefined
  const isCounted = known.isCounted || hasCounts(name)
  const entries = [...flat.properties].flatMap(([inner, each]): [string, unknown][] => {
    if (hasFlag(document, each, 'writeOnly')) return []
    const form = isSetByService(inner) ? timeFormOf(inner, flattenSchema(document, each), true) : undefined
    if (form) return [[inner, sampleTimeIn(form.as)]]
    const property: NewProperty = {
      ...{ name: inner, schema: each, isOwned: true, isRequired: flat.required.has(inner), isCounted },
      shown: isObject(shown) ? ownValue(shown, inner) : undefined,
    }
    const found = findFirstValue(document, property, depth + 1)
    // Examples of links are those of other records.
    const isSample = isPage && typeof found?.value === 'string' && !isKindName(inner)
    return found && !isSample ? [[inner, found.value]] : []
  })
  return isRequired || (isTelling(known, entries) && entries.length > 0) ? Object.fromEntries(entries) : undefined
}

/** What has only flags and kinds is about something that has not happened, unless a new record shows it. */
function isTelling({ shown, name, isState }: Known, entries: readonly [string, unknown][]): boolean {
  const isStructured = ([, each]: readonly [string, unknown]) =>
    typeof each === 'number' || (isObject(each) && !Array.isArray(each))
  return (
    (isObject(shown) && Object.keys(shown).every((inner) => entries.some(([each]) => each === inner))) ||
    isState ||
    (isAboutRecord(name) && entries.some(([inner]) => inner.toLowerCase().startsWith('creat'))) ||
    entries.some(isStructured)
  )
}

/** The nouns in the paths of a document. */
const nounsIn = oncePer((document: OpenApiDocument) => {
  const segments = Object.keys(document.paths ?? {}).flatMap((path) => path.split(/[/.:]/))
  return new Set(segments.filter((segment) => segment !== '' && !segment.startsWith('{')).map(sameName))
})

/** The name of a kind of records: an example that names another kind shows the form. */
function kindOf({ document, collection, keywords, description }: Known): string | undefined {
  const { example, examples, enum: allowed } = keywords
  const shown = example ?? examples?.[0]
  if (allowed) return allowed.find((each): each is string => typeof each === 'string' && each === shown)
  const [quoted, ...others] = [...description.matchAll(/["'`*]([\w.-]+)["'`*]/g)].map(([, each]) => each)
  if (quoted !== undefined && others.length === 0 && collection && isSameName(quoted, collection)) return quoted
  if (typeof shown !== 'string') return undefined
  if (!collection || isSameName(shown, collection) || !nounsIn(document).has(sameName(shown))) return shown
  const words = wordsOf(collection)
  return [...words.slice(0, -1), singular(words.at(-1) ?? '')].join('_')
}

function isScalar(each: unknown): boolean {
  return each === null || typeof each === 'boolean' || typeof each === 'number' || typeof each === 'string'
}

/** Whether an example shows what any new record has: `"currency": "EUR"` */
function isUsual(words: readonly string[], shown: unknown): boolean {
  const name = words.join('_')
  if (typeof shown === 'number') return shown < maxVersion && isVersionName(words.at(-1) ?? '')
  const isWord = typeof shown === 'string' && /^\w[\w.-]*(\/\w+)*$/.test(shown) && !/^(string|\d+)$/.test(shown)
  return isWord && isOfAnyNew(name) && sameName(shown) !== sameName(name)
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

/** The only value of an alternative whose description calls it the default: ``{ "enum": ["auto"], "description": "`auto` is the default value" }`` */
function defaultAmong(document: OpenApiDocument, { value: written, path }: Located<Schema>): unknown {
  if (!isObject(written)) return undefined
  const { oneOf, anyOf = oneOf ?? [] } = resolve<SchemaObject>(document, written, [...path]).value
  const branches = anyOf.filter((each): each is SchemaObject => isObject(each))
  return branches.find(({ enum: [only, ...others] = [], description }) => {
    return others.length === 0 && only !== undefined && saidDefault(String(description ?? '')) === only
  })?.enum?.[0]
}

/** The default that a description names. */
export function defaultIn({ keywords, types }: FlatSchema, allowed: readonly unknown[] | undefined): unknown {
  const said = saidDefault(String(keywords.description ?? ''))
  if (said === undefined) return undefined
  const number = /^-?\d+(\.\d+)?$/.test(said) ? Number(said) : undefined
  const isNumber = number !== undefined && (types.has('number') || (types.has('integer') && Number.isInteger(number)))
  const numbers = isNumber && isWithin(keywords, number) ? [number] : []
  const values = allowed ?? (types.has('boolean') ? [true, false] : numbers)
  return values.find((each) => String(each).toLowerCase() === said.toLowerCase())
}
