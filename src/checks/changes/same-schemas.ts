/** Finds out cheaply that schemas of two documents are the same, so that only the others are compared. */
import { isReference, type OpenApiDocument } from '../../compile/document.js'
import { oncePer } from '../../compile/once.js'
import { getOrInsert, isObject } from '../../json/own-value.js'
import { toComparable } from '../../json/same-json.js'

/** Keywords that do not change which values are valid. */
const descriptions = new Set(['description', 'title', 'summary', 'example', 'examples', 'externalDocs', 'deprecated'])
/** Keywords whose members have any name, and keywords whose values are no schemas. */
const maps = new Set(['properties', 'patternProperties', 'dependentSchemas', 'dependentRequired', '$defs', 'mapping'])
const literals = new Set(['enum', 'const', 'default'])

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
    const kept = Object.entries(member).filter(([keyword]) => isMap || !descriptions.has(keyword))
    const sorted = Object.fromEntries(kept.sort(([one], [other]) => (one < other ? -1 : 1)))
    if (isMap) named.add(sorted)
    return sorted
  })
  return { text, references }
})
