/** Upgrades the schemas of an OpenAPI 3.0 document to 3.1, so that all other code reads one dialect. */
import { ownValue } from '../../json/own-value.js'
import { type DocumentPath, isReference } from '../document.js'
import { fromPointer } from '../references.js'

/** The objects of OpenAPI that lead to schemas. A header is a `parameter`: both have the same members. */
type Kind =
  | 'document'
  | 'paths'
  | 'pathItem'
  | 'operation'
  | 'parameter'
  | 'requestBody'
  | 'responses'
  | 'response'
  | 'mediaType'
  | 'encoding'
  | 'callback'
  | 'components'
  | 'schema'

interface Member {
  kind: Kind
  /** Whether the member is the object itself, an array of such objects, or a map by names that users choose. */
  holds: 'one' | 'list' | 'map'
}

const one = (kind: Kind): Member => ({ kind, holds: 'one' })
const listOf = (kind: Kind): Member => ({ kind, holds: 'list' })
const mapOf = (kind: Kind): Member => ({ kind, holds: 'map' })

/**
 * The members that lead to schemas (OpenAPI 3.0.3, section 4.7). `*` is every name except those of extensions. All
 * other members are left as they are: examples, defaults and extensions are values, even if they look like schemas.
 */
const members: Record<Kind, Record<string, Member>> = {
  document: { paths: one('paths'), components: one('components') },
  paths: { '*': one('pathItem') },
  pathItem: {
    parameters: listOf('parameter'),
    get: one('operation'),
    put: one('operation'),
    post: one('operation'),
    delete: one('operation'),
    options: one('operation'),
    head: one('operation'),
    patch: one('operation'),
    trace: one('operation'),
  },
  operation: {
    parameters: listOf('parameter'),
    requestBody: one('requestBody'),
    responses: one('responses'),
    callbacks: mapOf('callback'),
  },
  parameter: { schema: one('schema'), content: mapOf('mediaType') },
  requestBody: { content: mapOf('mediaType') },
  responses: { '*': one('response') },
  response: { headers: mapOf('parameter'), content: mapOf('mediaType') },
  mediaType: { schema: one('schema'), encoding: mapOf('encoding') },
  encoding: { headers: mapOf('parameter') },
  callback: { '*': one('pathItem') },
  components: {
    schemas: mapOf('schema'),
    responses: mapOf('response'),
    parameters: mapOf('parameter'),
    requestBodies: mapOf('requestBody'),
    headers: mapOf('parameter'),
    callbacks: mapOf('callback'),
  },
  schema: {
    properties: mapOf('schema'),
    additionalProperties: one('schema'),
    items: one('schema'),
    not: one('schema'),
    allOf: listOf('schema'),
    oneOf: listOf('schema'),
    anyOf: listOf('schema'),
  },
}

/** Rewrites the keywords that 3.1 changed (OpenAPI Initiative: "Migrating from OpenAPI 3.0 to 3.1"). */
export function upgradeDocument(document: unknown): unknown {
  const references = new Map<string, Kind>()
  let upgraded = upgrade(document, one('document'), references)
  // A `$ref` can lead to a schema in an extension. The map grows while it is read.
  for (const [$ref, kind] of references) {
    const path = toPath($ref)
    if (path && !isUpgraded(path)) upgraded = changeAt(upgraded, path, (value) => upgrade(value, one(kind), references))
  }
  return { ...(upgraded as object), openapi: '3.1.0' }
}

/** @param references collects the targets of `$ref`s */
function upgrade(node: unknown, { kind, holds }: Member, references: Map<string, Kind>): unknown {
  if (typeof node !== 'object' || node === null) return node
  if (Array.isArray(node)) return holds === 'list' ? node.map((item) => upgrade(item, one(kind), references)) : node
  if (holds === 'map') return mapValues(node, (value) => upgrade(value, one(kind), references))
  if (isReference(node)) {
    references.set(node.$ref, kind)
    // OpenAPI 3.0.3, section 4.7.23: siblings of a `$ref` are ignored. A path item is no Reference Object.
    if (kind !== 'pathItem') return { $ref: node.$ref }
  }
  const upgraded = mapValues(node, (value, name) => {
    const member = memberOf(kind, name)
    return member ? upgrade(value, member, references) : value
  })
  return kind === 'schema' ? upgradeKeywords(upgraded) : upgraded
}

function memberOf(kind: Kind, name: string): Member | undefined {
  return ownValue(members[kind], name) ?? (name.startsWith('x-') ? undefined : members[kind]['*'])
}

function upgradeKeywords({ nullable, ...schema }: Record<string, unknown>): Record<string, unknown> {
  upgradeBound(schema, 'exclusiveMinimum', 'minimum')
  upgradeBound(schema, 'exclusiveMaximum', 'maximum')
  if (nullable !== true) return schema
  // OpenAPI 3.0.3, section 4.7.24: `nullable` has no effect without a type.
  if (typeof schema['type'] === 'string') schema['type'] = [schema['type'], 'null']
  const { enum: allowed } = schema
  if (Array.isArray(allowed) && !allowed.includes(null)) schema['enum'] = [...allowed, null]
  return schema
}

function upgradeBound(schema: Record<string, unknown>, exclusive: string, inclusive: string): void {
  if (typeof schema[exclusive] !== 'boolean') return
  if (schema[exclusive] && schema[inclusive] !== undefined) {
    schema[exclusive] = schema[inclusive]
    delete schema[inclusive]
  } else delete schema[exclusive]
}

/** @returns undefined for a `$ref` that leads outside the file, or is malformed: it is refused where it is used */
function toPath($ref: string): DocumentPath | undefined {
  try {
    return fromPointer($ref, [])
  } catch {
    return undefined
  }
}

/** Whether only members that lead to schemas lead to a place. */
function isUpgraded(path: DocumentPath): boolean {
  let member: Member | undefined = one('document')
  for (const key of path) {
    if (member) member = member.holds === 'one' ? memberOf(member.kind, String(key)) : one(member.kind)
  }
  return member !== undefined
}

/** Returns a copy in which the value at a place is changed. The original if the place does not exist. */
function changeAt(root: unknown, [key, ...rest]: DocumentPath, change: (value: unknown) => unknown): unknown {
  if (key === undefined) return change(root)
  if (typeof root !== 'object' || root === null || !Object.hasOwn(root, key)) return root
  if (Array.isArray(root)) return root.with(Number(key), changeAt(root[Number(key)], rest, change))
  return mapValues(root, (value, name) => (name === String(key) ? changeAt(value, rest, change) : value))
}

function mapValues(object: object, change: (value: unknown, name: string) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]))
}
