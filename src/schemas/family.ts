/** Finds the schemas that inherit from one with a discriminator (OpenAPI 3.1, section 4.8.25): the classes of client libraries. */

import { isReference, type OpenApiDocument, type Schema, type SchemaObject } from '../document/document.js'
import { oncePer } from '../document/once.js'
import { resolve, toPointer } from '../document/references.js'
import { getOrInsert } from '../json/own-value.js'
import { flattenSchema } from './flatten-schema.js'

export interface Family {
  /** The property with the name of the schema. */
  name: string
  members: { schema: SchemaObject; values: string[] }[]
  /** The schema itself, and all that it inherits from or that inherit from it, which are parts of its members. */
  related: ReadonlySet<SchemaObject>
}

type Relations = Map<SchemaObject, SchemaObject[]>

/** Maximum members of a family. */
const maxMembers = 500

const familiesOf = oncePer((document: OpenApiDocument) => {
  const all = Object.entries(document.components?.schemas ?? {})
  // Most documents have no discriminator.
  const hasRoot = all.some(([, schema]) => isRoot(behind(document, schema)))
  return hasRoot
    ? { find: createFinder(document, all), known: new Map<SchemaObject, { family?: Family }>() }
    : undefined
})

/** @returns undefined if neither the schema nor one that it inherits from has a discriminator without alternatives */
export function familyOf(document: OpenApiDocument, schema: SchemaObject): Family | undefined {
  const families = familiesOf(document)
  return families && getOrInsert(families.known, schema, () => ({ ...families.find(schema) })).family
}

function createFinder(
  document: OpenApiDocument,
  all: readonly [name: string, schema: Schema][],
): (schema: SchemaObject) => { family?: Family } {
  const references = new Map<SchemaObject, SchemaObject>()
  const byPointer = new Map<string, SchemaObject>()
  const children: Relations = new Map()
  const parents: Relations = new Map()
  for (const [name, written] of all) {
    const schema = behind(document, written)
    if (typeof schema === 'boolean') continue
    const $ref = toPointer(['components', 'schemas', name])
    const own = getOrInsert(references, schema, (): SchemaObject => ({ $ref }))
    for (const each of [name, `#/components/schemas/${name}`, $ref]) byPointer.set(each, own)
    for (const part of (schema.allOf ?? []).filter(isReference)) {
      const parent = behind(document, part) as SchemaObject
      getOrInsert(children, parent, () => []).push(schema)
      getOrInsert(parents, schema, () => []).push(parent)
    }
  }

  return (schema) => {
    const above = reach([schema], parents)
    const root = [...above].find(isRoot)
    if (!root?.discriminator) return {}
    const { propertyName: name, mapping = {} } = root.discriminator
    const mapped = schema === root ? Object.values(mapping).map((to) => byPointer.get(to)) : []
    const below = reach([schema], children)
    const [own, ...inherited] = [...below].map((each) => references.get(each))
    // Nothing is only the first schema of a hierarchy.
    const others = [...mapped, ...inherited].filter((each) => each !== undefined)
    const found = own && (schema !== root || others.length === 0) ? [own, ...others] : others
    const property = flattenSchema(document, { value: root, path: [] }).properties.get(name)
    const { enum: allowed } = property ? flattenSchema(document, property).keywords : {}
    const members = [...new Set(found)].slice(0, maxMembers).flatMap((each) => {
      const values = mappedNames(root, each).filter((value) => allowed?.includes(value) ?? true)
      return values.length > 0 ? [{ schema: each, values }] : []
    })
    // Others than the mapped ones are often only parts of them.
    const chosen = members.filter(({ values }) => values.some((value) => Object.hasOwn(mapping, value)))
    if (members.length === 0) return {}
    return {
      family: { name, members: chosen.length > 0 ? chosen : members, related: reach([...above, ...below], parents) },
    }
  }
}

/** The target of a `$ref`. The `$ref` itself if it leads back to itself. */
function behind(document: OpenApiDocument, schema: Schema): Schema {
  try {
    return resolve<Schema>(document, schema, []).value
  } catch {
    return schema
  }
}

function isRoot(schema: Schema): boolean {
  if (typeof schema === 'boolean') return false
  const { discriminator, oneOf, anyOf } = schema
  return typeof discriminator?.propertyName === 'string' && !oneOf && !anyOf
}

function reach(start: readonly SchemaObject[], next: Relations): Set<SchemaObject> {
  const found = new Set(start)
  // The set grows during the loop.
  for (const each of found) for (const other of next.get(each) ?? []) found.add(other)
  return found
}

/** The names of an alternative in `discriminator`, or else the name of its schema (OpenAPI 3.1, section 4.8.25). */
export function mappedNames({ discriminator }: SchemaObject, branch: Schema): string[] {
  if (!discriminator || !isReference(branch)) return []
  const name = implicitName(branch) ?? ''
  const mapped = [branch.$ref, name].flatMap((to) => namesOf(discriminator).get(to) ?? [])
  return mapped.length > 0 ? mapped : [name]
}

/** The names in the mapping of a discriminator by what they name. */
const namesOf = oncePer(({ mapping = {} }: NonNullable<SchemaObject['discriminator']>) => {
  const names = new Map<string, string[]>()
  for (const [name, to] of Object.entries(mapping)) getOrInsert(names, to, () => []).push(name)
  return names
})

/** The schema name of an alternative, which is valid in addition to `mapping` (OpenAPI 3.0.4, section 4.7.25). */
export function implicitName(branch: Schema): string | undefined {
  return isReference(branch) ? branch.$ref.split('/').at(-1) : undefined
}
