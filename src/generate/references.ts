/** Makes generated records refer to each other. */

import type { CollectionModel, Link } from '../contract/contract.js'
import { once, oncePer } from '../document/once.js'
import { isObject, ownValue } from '../json/own-value.js'
import { toSeed } from '../json/random.js'
import { isOwnUser, makerOf } from '../lexicon/persons.js'
import { calledName, familyName, givenName, isKeyWord, wholeName } from '../lexicon/record-names.js'
import { bareName, isSameName, wordsOf } from '../lexicon/words.js'
import type { Scenario } from '../state/scenario.js'
import type { Values } from '../state/stored-record.js'
import { withNamesOf } from '../values/agreement.js'
import { hasKey, type PropertyReference } from './find-references.js'

/** Up to this number of records, each owner has two. */
const fewRecords = 100

export interface References {
  /** Values of properties that refer to other records, by the number of the record. */
  references: (index: number) => Values
  /** Replaces keys of missing records by keys of existing ones. An undefined value is left out. */
  named: (index: number, values: Values) => Values
  /** The number of records, so that every owner has one. */
  count: number
}

/** Maximum depth of nested objects and lists in a record. */
const maxDepth = 6
/** Number of other records in a list of keys. */
const namedAtOnce = 2

/**
 * @param properties the properties with keys. Optional ones are left out if the other collection has no records
 * @param records the requested number of records
 * @param hasExamples whether the first records are examples of the document, like the newest ones of other collections
 */
export function createReferences(
  links: readonly Link[],
  properties: readonly PropertyReference[],
  scenario: Scenario,
  { records, hasExamples }: { records: number; hasExamples: boolean },
): References {
  const known = links.flatMap((link) => {
    const others = ownValue(scenario, link.collection) ?? []
    return others.length > 0 ? [{ ...link, others }] : []
  })
  const owners = Math.max(0, ...known.map(({ isOwner, others }) => (isOwner ? others.length : 0)))
  const count = records === 0 ? 0 : Math.max(records, owners * 2 <= fewRecords ? owners * 2 : owners)
  const keysOf = oncePer(({ collection, key, pattern }: PropertyReference): unknown[] => {
    const all = (ownValue(scenario, collection) ?? []).map((each) => each[key])
    return all.filter((each) => each !== undefined && (!pattern || pattern.test(String(each))))
  })
  const byName = new Map(properties.map((reference) => [reference.property, reference]))
  const owning = [
    ...properties.flatMap(({ property, isShown, isList }) => (isShown || isList ? [] : [property])),
    ...known.flatMap(({ values, isList }) => (isList ? [] : values.map(([own]) => own))),
  ].filter((name) => !makerOf(name))
  /** The names that any record of a collection has. */
  const namesOf = oncePer(
    (records: readonly Values[]): ReadonlySet<string> => new Set(records.flatMap((each) => Object.keys(each))),
  )
  const copied = [
    ...properties.flatMap(({ property, key, collection, isList, isShown }) =>
      isList || isShown ? [] : [{ property, find: finder(key, () => ownValue(scenario, collection) ?? []) }],
    ),
    ...known.flatMap(({ values: [pair], others, isList }) =>
      pair && !isList ? [{ property: pair[0], find: finder(pair[1], () => others) }] : [],
    ),
  ]

  /** Returns the same value if it has no references. */
  function nameOthers(index: number, value: unknown, depth: number, record: Values): unknown {
    if (byName.size + copied.length === 0 || depth > maxDepth || typeof value !== 'object' || value === null)
      return value
    if (Array.isArray(value)) {
      const items = value.map((each, offset) => nameOthers(index + offset, each, depth + 1, record))
      return items.every((each, at) => each === value[at]) ? value : items
    }
    const before = Object.entries(value)
    const after = before.flatMap(([name, own]): [string, unknown][] => {
      const reference = byName.get(name)
      if (reference?.isWithin && depth > 0 && hasKey(Object.keys(value))) return [[name, record[reference.key]]]
      const isKey = reference && !reference.isShown
      const named = isKey
        ? toNamed(index, own, reference)
        : nameOthers(index, shownOf(index, own, reference, record), depth + 1, record)
      return named === undefined ? [] : [[name, named]]
    })
    for (const each of after) each[1] = besideOf(each, after)
    for (const [name, shown] of after) {
      const { key = '', isShown } = byName.get(name) ?? {}
      const beside = isShown && isObject(shown) ? after.find(([own]) => isSameName(own, `${name} ${key}`)) : undefined
      if (beside && isObject(shown)) beside[1] = shown[key]
    }
    for (const { property, find } of copied) copyBeside(after, property, find)
    const isSame = after.length === before.length && after.every(([, each], at) => each === before[at]?.[1])
    // What a user is, such as a teacher, has the names of the user.
    const [, user] = after.find(([name, own]) => isOwnUser(name) && isObject(own)) ?? []
    return isSame ? value : withNamesOf(Object.fromEntries(after), (user ?? {}) as Values)
  }

  /** Objects that show other records show existing ones. */
  function shownOf(index: number, value: unknown, reference: PropertyReference | undefined, record: Values): unknown {
    const all = reference ? (ownValue(scenario, reference.collection) ?? []) : []
    if (!reference || all.length === 0) return value
    // Parts of a record belong to what the record belongs to.
    const fitting = all.filter((each) =>
      owning.every((name) => [each[name] ?? record[name], undefined].includes(record[name])),
    )
    const others = fitting.length > 0 ? fitting : all
    if (Array.isArray(value)) {
      const items = value.slice(0, others.length)
      return items.map((each, offset) => shownOf(index + offset, each, reference, record))
    }
    // Two properties of a record rarely show the same one.
    if (!isObject(value)) return value
    const other =
      others.find((each) => each[reference.key] === ownValue(value, reference.key)) ??
      others[others.length - 1 - ((index + toSeed(reference.property)) % others.length)] ??
      {}
    return shownAs(value, other, reference)
  }

  /** An object that shows a record has no other values than the record. */
  function shownAs(value: object, record: Values, { collection, key, needs }: PropertyReference): Values {
    const known = namesOf(ownValue(scenario, collection) ?? [])
    const kept = Object.entries(value).filter(([name]) => !known.has(name) || needs?.has(name) || record[name] != null)
    const own = withNamesOf(Object.fromEntries(kept), record)
    return { ...own, ...sharedOf(own, record), [key]: record[key] }
  }

  /** An object beside the key of a record shows that record. */
  function besideOf([object, value]: [string, unknown], entries: readonly [string, unknown][]): unknown {
    const reference = properties.find(({ beside }) => beside?.[0] === object)
    const [, inner = ''] = reference?.beside ?? []
    const key = entries.find(([name]) => name === reference?.property)?.[1]
    if (!reference || key == null || !isObject(value) || !Object.hasOwn(value, inner)) return value
    const other = (ownValue(scenario, reference.collection) ?? []).find((each) => each[reference.key] === key)
    return other ? { ...shownAs(value, other, reference), [inner]: key } : { ...value, [inner]: key }
  }

  /** What a record shows of others in its lists is what one of them has. */
  function withLinked(index: number, values: Values): Values {
    const lists = known.flatMap(({ isList, others, values: [pair] }): [string, unknown][] => {
      const [own = '', key = ''] = pair ?? []
      const [first] = [ownValue(values, own) ?? []].flat()
      const other = others[index % others.length] ?? {}
      if (!isList || first === undefined || other[key] === undefined) return []
      if (isList === 'keys' || !isObject(first)) return [[own, [other[key]]]]
      return [[own, [{ ...first, ...sharedOf(first, other), [key]: other[key] }]]]
    })
    return lists.length === 0 ? values : { ...values, ...Object.fromEntries(lists) }
  }

  /** A record names the one that it belongs to, and no other one of that collection. */
  function withOwners(values: Values): Values {
    const own = properties.flatMap(({ property, collection, key, isList, pattern }): [string, unknown][] => {
      const owner = known.find((link) => link.isOwner && link.collection === collection)
      const [name] = owner?.values.find(([, other]) => other === key) ?? []
      const value = name === undefined || isList || values[property] === undefined ? undefined : values[name]
      return value === undefined || (pattern && !pattern.test(String(value))) ? [] : [[property, value]]
    })
    return own.length === 0 ? values : { ...values, ...Object.fromEntries(own) }
  }

  /** The key for a property. Undefined if it is left out, because there is no other record. */
  function toNamed(index: number, own: unknown, reference: PropertyReference): unknown {
    if (own === null || own === undefined || (typeof own === 'object') !== reference.isList) return own
    const all = keysOf(reference)
    if ([own].flat().every((each) => all.includes(each))) return own
    if (all.length === 0) return reference.isRequired ? own : undefined
    // The newest records are the examples of the document.
    const at = (offset: number) => all[all.length - 1 - ((index + offset) % all.length)]
    if (!reference.isList) return at(0)
    const several = Array.from({ length: Math.min(namedAtOnce, all.length) }, (_, offset) => at(offset))
    return [...new Set(several)].slice(0, Math.max([own].flat().length, 1))
  }

  return {
    count,
    named: (index, values) => nameOthers(index, withLinked(index, withOwners(values)), 0, values) as Values,
    references: (index) => {
      const values: Record<string, unknown> = {}
      for (const { others, isList, values: pairs } of known) {
        if (isList) continue
        const at = index % others.length
        const other = others[hasExamples ? others.length - 1 - at : at] ?? {}
        for (const [own, name] of pairs) {
          const value = ownValue(other, name)
          if (value !== undefined) values[own] = value
        }
      }
      return values
    },
  }
}

/** Finds records by the value of a property, which is indexed when the first one is needed. */
function finder(key: string, records: () => readonly Values[]): (value: unknown) => Values | undefined {
  const byKey = once(() => new Map(records().map((each) => [each[key], each])))
  return (value) => byKey().get(value)
}

/** What an object shows of a record: the values of the properties that both have. */
function sharedOf(object: object, record: Values): Values {
  return Object.fromEntries(Object.keys(object).flatMap((name) => (record[name] == null ? [] : [[name, record[name]]])))
}

/** Values beside the key of a record are those of the record: `customer_name` beside `customer_id`. They are changed in place. */
function copyBeside(entries: [string, unknown][], property: string, find: (key: unknown) => Values | undefined): void {
  const key = entries.find(([name]) => name === property)?.[1]
  const words = wordsOf(property)
  const noun = (isKeyWord(words.at(-1)) ? words.slice(0, -1) : words).join('')
  if (key == null || noun === '') return
  const beside = entries.filter(
    ([name, value]) => name !== property && value != null && bareName(name).startsWith(noun),
  )
  const record = beside.length > 0 ? find(key) : undefined
  if (!record) return
  const own = new Map(Object.entries(record).map(([name, value]) => [bareName(name), value]))
  for (const entry of beside) {
    const rest = bareName(entry[0]).slice(noun.length)
    const value = own.get(rest) ?? (rest === 'name' ? nameIn(own) : undefined)
    if (typeof value === typeof entry[1] && typeof value !== 'object') entry[1] = value
  }
}

/** The name of a record for people. */
function nameIn(own: ReadonlyMap<string, unknown>): unknown {
  const names = [...own].flatMap(([name, value]) => (value == null ? [] : [name]))
  const valueAt = (name = '') => own.get(name)
  const found = calledName(names)
  const [first, last] = [givenName(names), familyName(names)].map(valueAt)
  return found === undefined && first !== undefined && last !== undefined
    ? `${first} ${last}`
    : valueAt(found ?? wholeName(names))
}

/**
 * Sorts each collection after those to which it refers. If collections refer to each other, one of them is first.
 * @param namesOf returns the collections to which a collection refers
 */
export function sortByReferences(
  models: readonly CollectionModel[],
  namesOf: (model: CollectionModel) => readonly string[],
): CollectionModel[] {
  const byName = new Map(models.map((model) => [model.name, model]))
  const sorted = new Set<CollectionModel>()
  const visit = (model: CollectionModel, above: readonly CollectionModel[]): void => {
    if (sorted.has(model) || above.includes(model)) return
    const linked = (model.links ?? []).map(({ collection }) => collection)
    for (const collection of [...linked, ...namesOf(model)]) {
      const other = byName.get(collection)
      if (other) visit(other, [...above, model])
    }
    sorted.add(model)
  }
  for (const model of models) visit(model, [])
  return [...sorted]
}
