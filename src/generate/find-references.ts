/** Finds the properties of records with keys of other records: `ownerId`, `tag_ids`. */

import type { CollectionModel, Contract } from '../contract/contract.js'
import type { Located, OpenApiDocument, Schema } from '../document/document.js'
import { oncePer } from '../document/once.js'
import { type BoundedPattern, boundPattern } from '../document/patterns/bounded-pattern.js'
import { isKey } from '../lexicon/keys.js'
import { makerOf } from '../lexicon/persons.js'
import { calledName, isKeyOf, isKeyWord } from '../lexicon/record-names.js'
import { isSameName, ownerOfReference, sameName, wordsOf } from '../lexicon/words.js'
import { type FlatSchema, flattenSchema } from '../schemas/flatten-schema.js'
import { createFindNamed } from '../schemas/named-keys.js'
import { findRecordSchema } from './collection-to-generate.js'

export interface PropertyReference {
  property: string
  collection: string
  /** The property of the other record whose value it has. */
  key: string
  /** Whether it holds several keys. */
  isList: boolean
  /** Whether a record must have it. */
  isRequired: boolean
  /** The names of the objects and lists in which it holds the key of the record that they are inside of. */
  isWithin?: Set<string>
  /** Whether it only says what people call the record. */
  isName?: true
  /** Whether it shows the record itself, or several, with the key inside. */
  isShown?: true
  /** What an object that shows it must have. */
  needs?: ReadonlySet<string>
  /** All that such an object may have. */
  shows?: readonly string[]
  /** Matches the allowed values, if they are restricted. */
  pattern?: Pick<BoundedPattern, 'test'>
}

/** A property of an object, which may name a record. */
interface Member extends Pick<PropertyReference, 'property' | 'isList' | 'isRequired' | 'isName'> {
  /** Words of its name, without the last one. */
  words: string[]
  scalar: FlatSchema
  /** The schema of its objects. */
  inner: Located<Schema> | undefined
}

/** What makes a record: `created_by` has the key of a user. */
const maker = 'user'
/** Maximum depth of nested objects, and maximum number of objects. */
const maxDepth = 3
const maxObjects = 200
/** @returns a function that finds the references of one collection */
export function createFindReferences(
  document: OpenApiDocument,
  { collections, recordSchemas, recordSources }: Pick<Contract, 'collections' | 'recordSchemas' | 'recordSources'>,
  isGenerated: (name: string) => boolean,
): (model: CollectionModel) => PropertyReference[] {
  const known = collections.flatMap((model) =>
    isGenerated(model.name) ? [{ model, record: findRecordSchema(document, recordSchemas[model.record] ?? []) }] : [],
  )
  const findNamed = createFindNamed(document, known)
  const byNoun = new Map(known.map((each) => [sameName(each.model.name.split('/').at(-1) ?? ''), each]))
  /** Keys whose names say of which records they are. */
  const telling = new Set(known.flatMap(({ model: { key } }) => (wordsOf(key).length > 1 ? [key] : [])))
  /** The properties of an object that are objects or named like keys. Cached, because many records share objects. */
  const membersOf = oncePer(findMembers)
  return oncePer(find)

  function find(model: CollectionModel): PropertyReference[] {
    const owned = new Set((model.links ?? []).flatMap(({ values }) => values.map(([own]) => own)))
    const found = new Map<string, PropertyReference>()
    const seen = new Set<unknown>()
    const { value: whole = {} } = findRecordSchema(document, recordSchemas[model.record] ?? [])
    const reference = typeof whole === 'object' && ownerOfReference(whole.$ref ?? '')
    const nouns = [model.name.split('/').at(-1) ?? '', ...(reference ? [reference] : [])]
    for (const path of [recordSchemas[model.record] ?? [], ...(recordSources?.[model.name]?.shownSchemas ?? [])]) {
      const record = findRecordSchema(document, path)
      // Some records are not described.
      if (record.value !== undefined) visit(record, 0, { property: '', isList: false })
    }
    return [...found.values()]

    function visit(schema: Located<Schema>, depth: number, holder: Pick<Member, 'property' | 'isList'>): void {
      const flat = flattenSchema(document, schema)
      if (depth > maxDepth || seen.has(flat) || seen.size > maxObjects) return
      seen.add(flat)
      for (const { property, words, scalar, inner, ...others } of membersOf(flat)) {
        if (inner) {
          const shown = found.has(property) || owned.has(property) ? undefined : shownIn(property, inner)
          const { required: needs, properties } = flattenSchema(document, inner)
          const shows = [...properties.keys()]
          const isChild = shown?.links?.some(({ isOwner, collection }) => isOwner && collection === model.name)
          if (shown && shown.name !== model.name && !isChild)
            found.set(property, {
              ...others,
              property,
              collection: shown.name,
              key: shown.key,
              isShown: true,
              needs,
              shows,
            })
          visit(inner, depth + 1, { property, isList: others.isList })
          continue
        }
        const isWithin =
          depth > 0 && nouns.some((noun) => isSameName(words.join('-'), noun)) && belongs(flat, holder, property)
        if (isWithin) found.get(property)?.isWithin?.add(holder.property)
        if (found.has(property) || (depth === 0 && (property === model.key || owned.has(property)))) continue
        const target = isWithin
          ? { named: { model }, key: model.key }
          : others.isName
            ? findCalled(words, model.name)
            : (findNamed(words, scalar, model.name) ??
              (makerOf(property) ? findNamed([maker], scalar, model.name) : undefined))
        if (!target) continue
        const pattern = patternOf(scalar)
        const { named, key } = target
        const own = isWithin && { isWithin: new Set([holder.property]) }
        const reference = { property, collection: named.model.name, key, ...others, ...own }
        found.set(property, { ...reference, ...(pattern && { pattern }) })
      }
    }
  }

  /** The property by which people call the records of a noun. */
  function findCalled(
    words: readonly string[],
    own: string,
  ): { named: (typeof known)[number]; key: string } | undefined {
    const named = byNoun.get(sameName(words.join('-')))
    if (named?.record.value === undefined || named.model.name === own) return undefined
    const key = calledName([...flattenSchema(document, named.record).properties.keys()])
    return key === undefined ? undefined : { named, key }
  }

  /** Whether objects belong to the record that they are inside of: they have a key of their own, or say when they were. */
  function belongs({ properties }: FlatSchema, holder: Pick<Member, 'property' | 'isList'>, property: string): boolean {
    const isOwn = (name: string) => name !== property && (isKey(name) || isKeyOf(name, holder.property))
    const isTime = (each: Located<Schema>) => flattenSchema(document, each).keywords.format?.startsWith('date') === true
    return [...properties.keys()].some(isOwn) || (holder.isList && [...properties.values()].some(isTime))
  }

  /** The collection whose records an object shows: it has their schema, or their noun, their key and mostly their properties. */
  function shownIn(property: string, inner: Located<Schema>): CollectionModel | undefined {
    const { properties } = flattenSchema(document, inner)
    const matches = known.filter(({ model, record }) => {
      if (record.value === undefined || !properties.has(model.key)) return false
      const whole = flattenSchema(document, record).properties
      const isNamed = sameName(property).endsWith(sameName(model.name.split('/').at(-1) ?? ''))
      const shared = [...properties].filter(([name, { value }]) =>
        isNamed ? whole.has(name) : whole.get(name)?.value === value,
      ).length
      return isNamed ? shared > 1 && shared * 2 > properties.size : shared === properties.size && shared === whole.size
    })
    return matches.toSorted((one, other) => one.model.name.length - other.model.name.length)[0]?.model
  }

  function findMembers(flat: FlatSchema): Member[] {
    return [...flat.properties].flatMap(([property, located]): Member[] => {
      const { types, items } = flattenSchema(document, located)
      const isList = types.has('array') && items !== undefined
      const shown = isList ? items : located
      const scalar = flattenSchema(document, shown)
      const inner = scalar.properties.size > 0 ? shown : undefined
      const words = inner ? [] : wordsOf(property)
      const isBare =
        scalar.types.has('integer') && [...flat.properties.keys()].some((each) => isSameName(each, `${property} name`))
      const isMaker = !inner && makerOf(property)?.of === '' && (words.length > 1 || !scalar.types.has('string'))
      const isOfKey = words.length > 1 && (isKeyWord(words.at(-1)) || telling.has(property))
      const noun = words.at(-1) === 'name' ? words.slice(0, -1) : words
      const { format, enum: allowed, pattern } = scalar.keywords
      const isText = !isList && scalar.types.has('string') && !allowed && format === undefined && pattern === undefined
      const hasKey = [...flat.properties.keys()].some(
        (each) => wordsOf(each).length > 1 && isKeyOf(each, noun.join('-')),
      )
      const isName =
        !inner && !isBare && !isMaker && !isOfKey && isText && byNoun.has(sameName(noun.join('-'))) && !hasKey
      if (!inner && !isBare && !isMaker && !isOfKey && !isName) return []
      const isRequired = flat.required.has(property)
      const own = isBare || isMaker ? words : isName ? noun : words.slice(0, -1)
      return [{ property, isList, isRequired, words: own, scalar, inner, ...(isName && { isName }) }]
    })
  }
}

/** Undefined for a pattern that is invalid or cannot be matched in bounded time: then records are tried. */
function patternOf({ keywords: { pattern, enum: allowed } }: FlatSchema): PropertyReference['pattern'] {
  if (Array.isArray(allowed)) return { test: (value: string) => allowed.includes(value) }
  try {
    return typeof pattern === 'string' ? boundPattern(pattern) : undefined
  } catch {
    return undefined
  }
}
