/** Makes generated records refer to each other. */

import type { CollectionModel, Link } from '../contract/contract.js'
import { oncePer } from '../document/once.js'
import { getOrInsert, isObject, ownValue } from '../json/own-value.js'
import { toSeed } from '../json/random.js'
import { endsLikeKey, isKey } from '../lexicon/keys.js'
import { isOwnUser, makerOf } from '../lexicon/persons.js'
import { calledName, familyName, givenName, isKeyOf, isKeyWord, isUsual, wholeName } from '../lexicon/record-names.js'
import { bareName, countTexts, isShortFor, nounOf, wordsOf } from '../lexicon/words.js'
import type { Scenario } from '../state/scenario.js'
import type { Values } from '../state/stored-record.js'
import { bornAt, withTimesSince } from '../values/agreed-times.js'
import { inAgreement, withNamesOf } from '../values/agreement.js'
import type { Origin } from './collection-to-generate.js'
import type { PropertyReference } from './find-references.js'

/** Up to this number of records, each owner has two. */
const fewRecords = 100

export interface References {
  /** Values of properties that refer to other records, by the number of the record. */
  references: (index: number) => Values
  /**
   * Replaces keys of missing records by keys of existing ones. An undefined value is left out.
   * @param from where its values are from: times that were made move behind the creation of those that it refers to
   */
  named: (index: number, values: Values, from: Origin) => Values
  /** The number of records, so that every owner has one. */
  count: number
}

/** Maximum depth of nested objects and lists in a record. */
const maxDepth = 6
/** Number of other records in a list of keys. */
const namedAtOnce = 2

/** Where a record says which other one it refers to. */
type Place = Pick<PropertyReference, 'property' | 'collection' | 'key' | 'isShown' | 'pattern'>

/** The record that each reference is resolved to, by what the references call it. */
type Chosen = Map<string, Values>

export interface ReferencesToCreate {
  links: readonly Link[]
  /** The property with the key of the records. */
  key: string
  /** The properties with keys. Optional ones are left out if the other collection has no records. */
  properties: readonly PropertyReference[]
  /** The same in the records of another collection. */
  placesIn: (collection: string) => readonly Place[]
  scenario: Scenario
  /** The requested number of records. */
  records: number
  /** Whether the first records are examples of the document, like the newest ones of other collections. */
  hasExamples: boolean
  /** Milliseconds since 1970. */
  now: number
  /** The words of the noun of the records. */
  owner: string
  /** Whether they have no key that answers show, so that they may be parts of what they name. */
  isPart: boolean
}

export function createReferences(input: ReferencesToCreate): References {
  const { links, key, properties, placesIn, scenario, records, hasExamples, now, owner, isPart } = input
  const recordsOf = (collection: string) => ownValue(scenario, collection) ?? []
  const known = links.flatMap((link) => {
    const others = recordsOf(link.collection)
    return others.length > 0 ? [{ ...link, others }] : []
  })
  const owners = Math.max(0, ...known.map(({ isOwner, others }) => (isOwner ? others.length : 0)))
  const count = countFor(records, owners)
  const byName = new Map(properties.map((reference) => [reference.property, reference]))
  /** The names of references, which are no copies of what others have. */
  const named = new Set([...byName.keys(), ...links.flatMap(({ values }) => values.map(([own]) => own))])
  const single = [...placesOf(known.filter(({ isOwner }) => !isOwner)), ...properties.filter(({ isList }) => !isList)]
  const indexes = new Map<string, Map<unknown, Values[]>>()
  const parents = new Map<string, readonly Place[]>()
  const parentsOf = (collection: string) =>
    getOrInsert(parents, collection, () => placesIn(collection).filter(({ property }) => !makerOf(property)))
  /** The names that any record of a collection has. */
  const namesOf = oncePer((all: readonly Values[]) => new Set(all.flatMap((each) => Object.keys(each))))
  /** The last keys of what has no collection, by what it is called, and the keys by all that they have. */
  const made = new Map<string, number>()
  const keysOf = new Map<string, number>()
  const copies = new WeakSet<object>()
  const bornOf = oncePer(bornAt)

  /** The records of a collection with a value, which are indexed when the first ones are needed. */
  function having(collection: string, place: Pick<Place, 'property' | 'key' | 'isShown'>, value: unknown): Values[] {
    const index = getOrInsert(indexes, `${collection} ${place.property}`, () => {
      const groups = new Map<unknown, Values[]>()
      for (const each of recordsOf(collection)) getOrInsert(groups, keyIn(each, place), () => []).push(each)
      return groups
    })
    return value == null ? [] : (index.get(value) ?? [])
  }

  const find = ({ collection, key }: Place, value: unknown) => having(collection, { property: key, key }, value).at(-1)

  /** Resolves a reference, and with it those that the other record has itself. */
  function adopt(chosen: Chosen, name: string, other: Values, collection: string): void {
    chosen.set(name, other)
    for (const parent of parentsOf(collection)) {
      const found = chosen.has(calledBy(parent)) ? undefined : find(parent, keyIn(other, parent))
      if (found) adopt(chosen, calledBy(parent), found, parent.collection)
    }
  }

  /** Resolves each reference of an object to a record that belongs to the same ones as the object. */
  function choose(index: number, object: Values, above: Chosen): Chosen {
    const chosen = new Map(above)
    for (const place of single) {
      if (object[place.property] == null || chosen.has(calledBy(place))) continue
      const other = pick(index, place, keyIn(object, place), chosen)
      if (other) adopt(chosen, calledBy(place), other, place.collection)
    }
    return chosen
  }

  /** A record names the one that it belongs to, and no other one of that collection. */
  function ownersOf(values: Values): Chosen {
    const chosen: Chosen = new Map()
    for (const { isOwner, collection, values: pairs } of known) {
      const [[own, name] = ['', '']] = pairs
      const other = having(collection, { property: name, key: name }, values[own]).find((each) =>
        pairs.every(([mine, its]) => values[mine] === each[its]),
      )
      if (!isOwner || !other) continue
      adopt(chosen, calledBy({ property: own }) || nounOf(collection), other, collection)
      for (const each of single) if (each.collection === collection) chosen.set(calledBy(each), other)
    }
    return chosen
  }

  function pick(index: number, place: Place, own: unknown, chosen: Chosen): Values | undefined {
    const { collection, key, pattern, property } = place
    const isAllowed = (each: Values) => each[key] !== undefined && (!pattern || pattern.test(String(each[key])))
    const fits = (each: Values) =>
      parentsOf(collection).every((parent) => {
        const [other, its] = [chosen.get(calledBy(parent)), keyIn(each, parent)]
        return !other || its == null || other[parent.key] === its
      })
    const same = find(place, own)
    if (same && fits(same)) return same
    const near = parentsOf(collection).find((parent) => chosen.has(calledBy(parent)))
    const fitting = near && having(collection, near, chosen.get(calledBy(near))?.[near.key]).filter(fits)
    if (same && !fitting?.length) return same
    const candidates = fitting?.length ? fitting : recordsOf(collection)
    const others = pattern || candidates === fitting ? candidates.filter(isAllowed) : candidates
    // The newest records are the examples of the document. Two properties of a record rarely name the same one.
    const turn = index + Math.floor(index / others.length) + (hasExamples ? 0 : toSeed(property))
    return others[others.length - 1 - (turn % others.length)]
  }

  /** Returns the same value if it has no references. */
  function nameOthers(
    index: number,
    value: unknown,
    depth: number,
    record: Values,
    above: Chosen,
    from: Origin,
    holder = '',
  ): unknown {
    const isMade = from === 'made'
    if (depth > maxDepth || typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) {
      const items = value.map((each, at) => nameOthers(index + at, each, depth + 1, record, above, from, holder))
      const keys = items.map((each) => Object.entries(each ?? {}).find(([name]) => isKeyOf(name, holder))?.[1])
      // Two items of a list do not have the same key.
      const differing = isMade ? items.filter((_, at) => keys[at] == null || keys.indexOf(keys[at]) === at) : items
      return differing.length === value.length && items.every((each, at) => each === value[at]) ? value : differing
    }
    const object = value as Values
    const chosen = choose(index, object, above)
    const below = new Map([...chosen].filter(([name]) => !makerOf(name)))
    const before = Object.entries(object)
    const after = before.flatMap(([name, own]): [string, unknown][] => {
      const reference = byName.get(name)
      const within = withinOf(name, record, holder)
      if (within !== undefined) return [[name, within]]
      const mayName = isMade || !reference?.isName
      const named = reference && mayName ? otherOf(index, own, reference, chosen, record) : undefined
      if (named === null) return []
      const other = reference ? undefined : chosen.get(bareName(name))
      if (named === undefined && other && isObject(own)) return [[name, { ...own, ...sharedOf(own, other) }]]
      const inner = named ?? nameOthers(index, own, depth + 1, record, below, from, name)
      return [[name, reference || !isMade ? inner : withOwnKey(name, inner)]]
    })
    for (const { isOwner, isList, values: pairs } of depth === 0 ? known : []) {
      const other = isOwner || isList ? undefined : chosen.get(calledBy({ property: pairs[0]?.[0] ?? '' }))
      for (const entry of other ? after : [])
        entry[1] = other?.[pairs.find(([own]) => own === entry[0])?.[1] ?? ''] ?? entry[1]
    }
    // What an example says stays beside the records that it names itself, and beside its own parts.
    const isNamed = (name: string, other: Values) =>
      single.some((each) => calledBy(each) === name && keyIn(object, each) === other[each.key])
    for (const [name, other] of chosen)
      if (from !== 'example' || !isNamed(name, other)) copyBeside(after, name, other, named)
    for (const { property } of isMade ? single : []) {
      const other = makerOf(property) || object[property] == null ? undefined : chosen.get(calledBy({ property }))
      if (other) copyShared(after, other, named, depth > 0 || isPart)
    }
    const owner = properties.find(({ isWithin }) => isWithin?.has(holder))
    if (owner) copyBeside(after, calledBy(owner), record, named)
    for (const entry of isMade ? after : []) {
      const noun = calledBy({ property: entry[0] })
      const isKeyOfNone = typeof entry[1] === 'number' && !named.has(entry[0])
      if (isKeyOfNone && after.some(([name]) => ofNoun(name, noun) === 'name')) entry[1] = nextOf(noun)
    }
    for (const [name, own] of from === 'example' ? [] : after)
      if (isObject(own)) copyBeside(after, bareName(name), own as Values, named)
    const isSame = after.length === before.length && after.every(([, each], at) => each === before[at]?.[1])
    // What a user is, such as a teacher, has the names of the user.
    const [, user] = after.find(([name, own]) => isOwnUser(name) && isObject(own)) ?? []
    const isOfRecord = depth === 1 && before.some(([name]) => byName.get(name)?.isWithin?.has(holder))
    return isSame ? value : withNamesOf(Object.fromEntries(after), (isOfRecord ? record : (user ?? {})) as Values)
  }

  const isOwnKey = (name: string, noun: string) =>
    isKey(name) || (isKeyOf(name, noun) && (!named.has(name) || byName.get(name)?.collection === ''))

  /** The keys of a reference, or what shows the other records. Null if it is left out, and undefined if it stays. */
  function otherOf(index: number, own: unknown, reference: PropertyReference, chosen: Chosen, record: Values): unknown {
    const { isShown, isList, key } = reference
    const isRequired = reference.isRequired || reference.isName
    const shown = own === null && isShown && !isList ? chosen.get(calledBy(reference)) : undefined
    // What has a key is there, if all that it must have is known.
    if (shown && [...(reference.needs ?? [])].every((name) => shown[name] != null))
      return shownAs({}, shown, reference, record)
    if (own == null || (typeof own === 'object') !== (isShown === true || isList)) return undefined
    if (!Array.isArray(own)) {
      const other = chosen.get(calledBy(reference))
      if (isShown) return other && shownAs(own as Values, other, reference, record)
      return other?.[key] ?? (isRequired ? undefined : null)
    }
    const all = own.slice(0, isShown ? own.length : namedAtOnce)
    const others = new Set(all.map((each, at) => pick(index + at, reference, isShown ? each?.[key] : each, chosen)))
    const found = [...others].filter((other) => other !== undefined)
    if (found.length === 0) return isRequired || isShown ? undefined : null
    return found.map((other, at) => (isShown ? shownAs(own[at], other, reference, record) : other[key]))
  }

  /** What an object within a record names as that. */
  function withinOf(name: string, record: Values, holder: string): unknown {
    const reference = byName.get(name)
    return reference?.isWithin?.has(holder) && !reference.isList ? record[reference.key] : undefined
  }

  /** An object that shows a record has no other values than the record. */
  function shownAs(value: Values, record: Values, reference: PropertyReference, outer: Values): Values {
    const { collection, key, needs, shows = [] } = reference
    const known = namesOf(recordsOf(collection))
    const names = [...new Set([...shows, ...Object.keys(value)])]
    const isCopied = (name: string) =>
      record[name] != null && (value[name] !== undefined || typeof record[name] !== 'object')
    const isKept = (name: string) => value[name] !== undefined && (needs?.has(name) || !known.has(name))
    const copied = Object.fromEntries(names.filter(isCopied).map((name) => [name, record[name]]))
    const kept = names.filter((name) => !isCopied(name) && isKept(name)).map((name) => [name, value[name]])
    const agreed = kept.length > 0 ? inAgreement({ ...copied, ...Object.fromEntries(kept) }, now) : copied
    const all = { ...withNamesOf(agreed, record), ...copied, [key]: record[key] }
    const copy = Object.fromEntries(
      names.flatMap((name) => (name in all ? [[name, withinOf(name, outer, reference.property) ?? all[name]]] : [])),
    )
    copies.add(copy)
    return copy
  }

  /** What has no collection has its key in one record only, so that no other one says something else of it. */
  function withOwnKey(noun: string, value: unknown, used = new Set<unknown>()): unknown {
    if (Array.isArray(value)) return value.map((each) => withOwnKey(noun, each, used))
    if (!isObject(value)) return value
    const key = Object.keys(value).find((name) => isOwnKey(name, noun) && typeof ownValue(value, name) === 'number')
    if (key === undefined) return value
    const others = Object.entries(value).filter(([name, own]) => name !== key && typeof own === 'string')
    const known = getOrInsert(keysOf, `${noun} ${others.join()}`, () => nextOf(noun))
    const own = others.length === 0 || used.has(known) ? nextOf(noun) : known
    used.add(own)
    return { ...value, [key]: own }
  }

  function nextOf(noun: string): number {
    const next = (made.get(noun) ?? 0) + 1
    made.set(noun, next)
    return next
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

  return {
    count,
    named(index, values, from) {
      const chosen = ownersOf(values)
      const all = nameOthers(index, withLinked(index, values), 0, values, chosen, from) as Values
      // The record is found by its key, which no other value of it changes.
      const whole = all[key] === values[key] ? all : { ...all, [key]: values[key] }
      if (from !== 'made') return whole
      const since = Math.max(...[...choose(index, values, chosen).values()].map(bornOf))
      return withTimesSince(whole, since, { now, owner, isCopy: (part) => copies.has(part) })
    },
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

/** How many records there are, if others are their owners. */
export function countFor(records: number, owners: number): number {
  return records === 0 ? 0 : Math.max(records, owners * 2 <= fewRecords ? owners * 2 : owners)
}

/** Where records name those that they are linked to. */
export function placesOf(links: readonly Link[]): Place[] {
  return links.flatMap(({ collection, isList, values: [pair] }) =>
    pair && !isList ? [{ property: pair[0], collection, key: pair[1] }] : [],
  )
}

function keyIn(record: Values, { property, isShown, key }: Pick<Place, 'property' | 'key' | 'isShown'>): unknown {
  const value = record[property]
  return isShown && isObject(value) ? ownValue(value, key) : value
}

/** What a property calls the record that it refers to: `customer` for `customer`, `customerId` and `customer_uuid` */
function calledBy({ property, isShown }: Pick<Place, 'property' | 'isShown'>): string {
  const words = wordsOf(property)
  return (!isShown && isKeyWord(words.at(-1)) ? words.slice(0, -1) : words).join('')
}

/** What a name says beside a noun, which it may shorten: `name` for `customerName` and `custName`. Undefined if it is no name of that. */
function ofNoun(name: string, noun: string): string | undefined {
  const words = wordsOf(name)
  const count = words.findIndex((_, index) => words.slice(0, index + 1).join('') === noun) + 1
  const [short = ''] = words
  const isOfPerson = givenName([name]) !== undefined || familyName([name]) !== undefined
  const isShort = words.length > 1 && noun !== short && isShortFor(short, noun) && !isOfPerson
  return count > 0 ? words.slice(count).join('') : isShort ? words.slice(1).join('') : undefined
}

/** What an object shows of a record: the values of the properties that both have. */
function sharedOf(object: object, record: Values): Values {
  return Object.fromEntries(Object.keys(object).flatMap((name) => (record[name] == null ? [] : [[name, record[name]]])))
}

/**
 * Values beside a reference are those of the record: `customer_name` beside `customer_id`. They are changed in place.
 * @param references the names of references, which stay
 */
function copyBeside(entries: [string, unknown][], noun: string, record: Values, references: ReadonlySet<string>): void {
  let own: Map<string, unknown> | undefined
  for (const entry of entries) {
    const [name, value] = entry
    const rest = noun === '' || value == null || typeof value === 'object' ? undefined : ofNoun(name, noun)
    if (rest === undefined || references.has(name)) continue
    own ??= new Map(Object.entries(record).map(([each, its]) => [bareName(each), its]))
    const named = rest === '' || calledName([rest]) !== undefined ? nameIn(own) : undefined
    const copy = own.get(rest) ?? own.get(bareName(name)) ?? named
    if (typeof copy === typeof value && typeof copy !== 'object') entry[1] = copy
  }
}

/**
 * An object that names a record, and mostly has its properties, or several that few others have, repeats what the record has.
 * @param isPart whether it is no record itself
 */
function copyShared(
  entries: [string, unknown][],
  record: Values,
  references: ReadonlySet<string>,
  isPart: boolean,
): void {
  const shared = entries.filter(([name, value]) => {
    const its = record[name]
    const isOther = !references.has(name) && !endsLikeKey(name)
    return its != null && typeof its !== 'object' && isOther && typeof value === typeof its
  })
  const special = shared.filter(([name]) => wordsOf(name).length > 1 && !isUsual(name))
  const isView = isPart && shared.length > 1 && (shared.length + 1) * 2 > entries.length
  for (const entry of isView ? shared : special.length > 1 ? special : []) entry[1] = record[entry[0]]
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
  const named = new Map(models.map((model) => [model.name, new Set(namesOf(model))]))
  const uses = countTexts([...named.values()].flatMap((names) => [...names]))
  // Of two that refer to each other, the one that more others refer to is first: a member has a subscription.
  const isLater = (name: string, { name: own }: CollectionModel) =>
    named.get(name)?.has(own) === true && (uses.get(name) ?? 0) < (uses.get(own) ?? 0)
  const sorted = new Set<CollectionModel>()
  const visit = (model: CollectionModel, above: readonly CollectionModel[]): void => {
    if (sorted.has(model) || above.includes(model)) return
    const linked = (model.links ?? []).map(({ collection }) => collection)
    for (const collection of [
      ...linked,
      ...[...(named.get(model.name) ?? [])].filter((name) => !isLater(name, model)),
    ]) {
      const other = byName.get(collection)
      if (other) visit(other, [...above, model])
    }
    sorted.add(model)
  }
  for (const model of models) visit(model, [])
  return [...sorted]
}
