/** Finds out cheaply that schemas of two documents are the same, so that only the others are compared. */
import { isReference, type OpenApiDocument, type Schema } from '../../compile/document.js'
import { oncePer } from '../../compile/once.js'
import { toJson } from '../../json/exact-json.js'
import { isObject } from '../../json/own-value.js'

/** Keywords that do not change which values are valid. */
const descriptions = new Set(['description', 'title', 'summary', 'example', 'examples', 'externalDocs', 'deprecated'])

/** A part of a document without descriptions, with sorted keywords. */
interface Text {
  text: string
  references: ReadonlySet<string>
}

/** @returns whether a schema of the first document and one of the second are equal with everything that they refer to */
export function createSameness(old: OpenApiDocument, next: OpenApiDocument): (one: Schema, other: Schema) => boolean {
  const others = componentsOf(next)
  const equal = new Map([...componentsOf(old)].filter(([name, { text }]) => others.get(name)?.text === text))
  // What refers to something that has changed has changed, too.
  for (let count = -1; count !== equal.size; ) {
    count = equal.size
    for (const [name, { references }] of equal) if (!areEqual(references)) equal.delete(name)
  }

  function areEqual(references: ReadonlySet<string>): boolean {
    return [...references].every((name) => equal.has(name))
  }

  return (one, other) => {
    if (typeof one === 'boolean' || typeof other === 'boolean') return one === other
    const { text, references } = textOf(one)
    return text === textOf(other).text && areEqual(references)
  }
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
  const text = toJson(value, (name, member: unknown) => {
    if (!isObject(member)) return member
    if (isReference(member)) references.add(member.$ref)
    const kept = Object.entries(member).filter(([keyword]) => name === 'properties' || !descriptions.has(keyword))
    return Object.fromEntries(kept.sort(([one], [other]) => (one < other ? -1 : 1)))
  })
  return { text, references }
})
