/** Finds out cheaply that schemas of two documents are the same, so that only the others are compared. */
import { shorten } from '../../contract/violations.js'
import { isReference, type OpenApiDocument } from '../../document/document.js'
import { oncePer } from '../../document/once.js'
import { separatorName } from '../../document/tidy/swagger-parts.js'
import { unread } from '../../document/tidy/tidy-schema.js'
import { exactBounds, toJson } from '../../json/exact-json.js'
import { getOrInsert, isObject } from '../../json/own-value.js'
import { toComparable } from '../../json/same-json.js'

/** Members that do not change what is valid. */
const descriptions = new Set([
  ...['description', 'title', 'summary', 'example', 'examples', 'externalDocs', 'tags', '$comment'],
  ...['$defs', 'definitions'],
])
/** Members whose members have any name, and keywords whose values are no schemas. */
const maps = new Set([
  ...['properties', 'patternProperties', 'dependentSchemas', 'dependentRequired', '$defs', 'mapping'],
  ...['headers', 'encoding', 'content', 'callbacks', 'links', 'scopes'],
])
const literals = new Set(['enum', 'const', 'default'])
/** Extensions that the program itself writes for what OpenAPI 3.1 cannot say, or what it does not read. */
const meaningful = new Set<string>([separatorName, unread, exactBounds])

/** Whether a member says something about what is sent or answered. */
function isMeaningful(name: string): boolean {
  return !descriptions.has(name) && (!name.startsWith('x-') || meaningful.has(name))
}

/** Each member of an object that no rule looks at, as an object of its own. @param compared those that rules look at */
export function restOf(object: object, compared: ReadonlySet<string>): object[] {
  return Object.entries(object)
    .filter(([name, value]) => isMeaningful(name) && !compared.has(name) && value !== undefined)
    .map(([name, value]) => ({ [name]: value }))
}

/**
 * What only one of two versions has, or has in another way: each name, with both values.
 * @param isLoss whether what only the next version has is harmless
 */
export function differencesOf(
  old: readonly object[],
  next: readonly object[],
  toSign: ToSign,
  isLoss = false,
): Uncompared[] {
  if (old.length + next.length === 0) return []
  const signs = [old, next].map((list) => new Set(list.map(toSign)))
  const [lost = [], added = []] = [old, next].map((list, index) =>
    list.filter((each) => {
      const sign = toSign(each)
      return sign === undefined || !signs[1 - index]?.has(sign)
    }),
  )
  const names = new Set([...lost, ...(isLoss ? [] : added)].flatMap(Object.keys))
  const valueIn = (list: readonly object[], name: string) =>
    list.flatMap((each) => (name in each ? [shorten(toJson(each[name as never]))] : [])).join(' and ') || 'none'
  return [...names].map((name) => ({
    name,
    values: `${name} was ${valueIn(lost, name)}, and is ${valueIn(added, name)}`,
  }))
}

/** What differs at a place, and was not compared. */
export interface Uncompared {
  name: string
  /** A sentence without a full stop. */
  values?: string
}

/** A part of a document without descriptions, with sorted keywords. */
interface Text {
  text: string
  references: ReadonlySet<string>
}

/** @returns the same text for equal parts of both documents; undefined if they refer to something that has changed */
export type ToSign = (part: unknown) => string | undefined

/** Compares two documents with everything that their parts refer to. */
export function createSameness(old: OpenApiDocument, next: OpenApiDocument): ToSign {
  const others = componentsOf(next)
  const all = componentsOf(old)
  const isEqual = (name: string) => all.has(name) && others.get(name)?.text === all.get(name)?.text
  const changed = new Set([...all.keys(), ...others.keys()].filter((name) => !isEqual(name)))
  const users = new Map<string, string[]>()
  for (const [user, { references }] of all) {
    for (const name of references) {
      getOrInsert(users, name, () => []).push(user)
      // A reference to a part of a component.
      if (!all.has(name)) changed.add(name)
    }
  }
  // What refers to something that has changed has changed, too. The set grows while it is read.
  for (const name of changed) for (const user of users.get(name) ?? []) changed.add(user)

  // Equal texts are one object, so that they are compared at once.
  const signs = new Map<string, string>()
  const signOf = oncePer((part: object) => {
    const { text, references } = textOf(part)
    const isSame = [...references].every((name) => all.has(name) && !changed.has(name))
    return isSame ? getOrInsert(signs, text, () => text) : undefined
  })
  return (part) => (typeof part === 'object' && part !== null ? signOf(part) : String(part))
}

/** The components by the `$ref`s to them. */
function componentsOf({ components = {} }: OpenApiDocument): Map<string, Text> {
  return new Map(
    Object.entries(components).flatMap(([section, members]) =>
      Object.entries(isObject(members) ? members : {}).map(([name, value]) => [
        `#/components/${section}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
        textOf(value as object),
      ]),
    ),
  )
}

const textOf: (value: object) => Text = oncePer((value: object) => {
  const references = new Set<string>()
  const named = new WeakSet<object>()
  const text = JSON.stringify(value, function (this: object, name, member: unknown) {
    if (typeof member === 'bigint') return `${member}n`
    if (literals.has(name) && !named.has(this)) return member === undefined ? member : toComparable(member)
    if (!isObject(member)) return member
    if (isReference(member)) references.add(member.$ref)
    const isMap = maps.has(name) && !named.has(this)
    const kept = Object.entries(member).filter(([keyword]) => isMap || isMeaningful(keyword))
    const sorted = Object.fromEntries(kept.sort(([one], [other]) => (one < other ? -1 : 1)))
    if (isMap) named.add(sorted)
    return sorted
  })
  return { text, references }
})
