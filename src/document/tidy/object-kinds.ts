/** The objects of OpenAPI, and their members that this program reads (OpenAPI 3.0.4, 3.1.1 and 3.2.0, section 4). */
import { ownValue } from '../../json/own-value.js'
import type { OpenApiDocument } from '../document.js'

/** The objects of OpenAPI. A header has the members of a parameter except for name and place. */
export type ObjectKind =
  | 'document'
  | 'info'
  | 'server'
  | 'serverVariable'
  | 'paths'
  | 'pathItem'
  | 'operation'
  | 'parameter'
  | 'header'
  | 'requestBody'
  | 'responses'
  | 'response'
  | 'mediaType'
  | 'example'
  | 'encoding'
  | 'callback'
  | 'securityScheme'
  | 'requirement'
  | 'components'
  | 'schema'

/** Values that are not objects. */
export type ScalarKind = 'text' | 'flag' | 'number' | 'positive' | 'count' | 'texts'

/** The type of a member. */
export interface Member {
  kind: ObjectKind | ScalarKind
  /** Whether the member is one value, an array of values, or a map with names chosen by the author. */
  holds: 'one' | 'list' | 'map'
}

export const one = (kind: Member['kind']): Member => ({ kind, holds: 'one' })

const holders = { '': 'one', '[]': 'list', '{}': 'map' } as const

/** The names of members by what they are: `schema[]` is an array of schemas, `schema{}` a map. */
type NamesByType = Partial<Record<`${Member['kind']}${keyof typeof holders}`, string>>

/** The members that a parameter and a header share. */
const ofParameter: NamesByType = {
  ...{ text: 'style', flag: 'required explode allowEmptyValue', schema: 'schema' },
  ...{ 'mediaType{}': 'content', 'example{}': 'examples' },
}

const ofPathItem: NamesByType = { 'parameter[]': 'parameters', 'server[]': 'servers' }

/** The members by object. `*` is every name except extensions. Other members are plain values, or are not read. */
const written: Record<ObjectKind, NamesByType> = {
  document: {
    ...{ info: 'info', 'server[]': 'servers', paths: 'paths', components: 'components', 'requirement[]': 'security' },
    // The second one is the vendor extension for documents of OpenAPI 3.0.
    'pathItem{}': 'webhooks x-webhooks',
  },
  info: { text: 'title version description' },
  server: {
    text: 'url name description x-sandbox-name x-sandbox-environment',
    'serverVariable{}': 'variables',
  },
  serverVariable: { text: 'default', texts: 'enum' },
  paths: { pathItem: '*' },
  pathItem: {
    ...ofPathItem,
    operation: 'get put post delete options head patch trace query',
    'operation{}': 'additionalOperations',
  },
  operation: {
    ...{ ...ofPathItem, text: 'operationId', flag: 'deprecated', requestBody: 'requestBody', responses: 'responses' },
    ...{ 'callback{}': 'callbacks', 'requirement[]': 'security' },
  },
  parameter: { ...ofParameter, text: 'name in style' },
  header: ofParameter,
  requestBody: { flag: 'required', 'mediaType{}': 'content' },
  responses: { response: '*' },
  response: { 'header{}': 'headers', 'mediaType{}': 'content' },
  mediaType: { schema: 'schema itemSchema', 'example{}': 'examples', 'encoding{}': 'encoding' },
  example: {},
  encoding: { text: 'contentType style', 'header{}': 'headers', flag: 'explode' },
  callback: { pathItem: '*' },
  securityScheme: { text: 'type scheme in name' },
  requirement: { texts: '*' },
  components: {
    ...{ 'schema{}': 'schemas', 'response{}': 'responses', 'parameter{}': 'parameters', 'example{}': 'examples' },
    ...{ 'requestBody{}': 'requestBodies', 'header{}': 'headers', 'securityScheme{}': 'securitySchemes' },
    ...{ 'callback{}': 'callbacks', 'pathItem{}': 'pathItems', 'mediaType{}': 'mediaTypes' },
  },
  schema: {
    ...{ text: 'format pattern', texts: 'required', 'texts{}': 'dependentRequired', positive: 'multipleOf' },
    number: 'minimum maximum exclusiveMinimum exclusiveMaximum',
    count: 'minLength maxLength minItems maxItems minContains maxContains minProperties maxProperties',
    flag: 'uniqueItems readOnly writeOnly deprecated',
    'schema{}': 'properties patternProperties dependentSchemas $defs definitions',
    'schema[]': 'allOf anyOf oneOf prefixItems',
    schema: 'items additionalProperties unevaluatedProperties unevaluatedItems contains propertyNames not if then else',
  },
}

const members = Object.fromEntries(Object.entries(written).map(([kind, names]) => [kind, toMembers(names)]))

function toMembers(byType: NamesByType): Record<string, Member> {
  const all = Object.entries(byType).flatMap(([type, names]) => {
    const [kind = '', end = ''] = type.split(/\b(?=\W)/)
    const member = { kind, holds: holders[end as ''] } as Member
    return names.split(' ').map((name) => [name, member])
  })
  return Object.fromEntries(all)
}

/** The type of a member of an object. Undefined for a plain value, or a member that this program does not read. */
export function memberOf(kind: Member['kind'], name: string): Member | undefined {
  const known = members[kind]
  return known && (ownValue(known, name) ?? (name.startsWith('x-') ? undefined : known['*']))
}

/** Whether the author chooses all names of the object, except extensions. */
export function hasFreeNames(kind: ObjectKind): boolean {
  return members[kind]?.['*'] !== undefined
}

/**
 * @returns the corrected `$ref`, or undefined if the given one does not have such a form
 * @example redirect(document, 'Book', 'schema') // '#/components/schemas/Book', if there is one
 */
export function redirect(document: OpenApiDocument, $ref: string, kind: ObjectKind): string | undefined {
  const [section] = Object.entries(members['components'] ?? {}).find(([, member]) => member.kind === kind) ?? []
  const name = /^(?:#\/(?:definitions|parameters|responses|components)\/|#|#\/)?([\w.-]+)$/.exec($ref)?.[1]
  if (section === undefined || name === undefined) return undefined
  const known = document.components?.[section]
  if (typeof known !== 'object' || known === null || ownValue(known as Record<string, unknown>, name) === undefined) {
    return undefined
  }
  // It may already be correct.
  const [, first] = $ref.split('/')
  if (first === 'definitions' && 'definitions' in document) return undefined
  return `#/components/${section}/${name}`
}
