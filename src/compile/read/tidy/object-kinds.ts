/** The objects of OpenAPI, and their members that this program reads (OpenAPI 3.0.4, 3.1.1 and 3.2.0, section 4). */
import { ownValue } from '../../../json/own-value.js'
import type { OpenApiDocument } from '../../document.js'

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
const listOf = (kind: ObjectKind): Member => ({ kind, holds: 'list' })
const mapOf = (kind: Member['kind']): Member => ({ kind, holds: 'map' })

const text = one('text')
const flag = one('flag')
const count = one('count')
const number = one('number')
const schema = one('schema')

/** Members that a parameter and a header share. */
const parameterMembers = {
  required: flag,
  style: text,
  explode: flag,
  allowEmptyValue: flag,
  schema,
  content: mapOf('mediaType'),
  examples: mapOf('example'),
}

const pathItem = { parameters: listOf('parameter'), servers: listOf('server') }
const operation = one('operation')

/** The members by object. `*` is every name except extensions. Other members are plain values, or are not read. */
const members: Record<ObjectKind, Record<string, Member>> = {
  document: {
    info: one('info'),
    servers: listOf('server'),
    paths: one('paths'),
    webhooks: mapOf('pathItem'),
    // The vendor extension for documents of OpenAPI 3.0.
    'x-webhooks': mapOf('pathItem'),
    components: one('components'),
    security: listOf('requirement'),
  },
  info: { title: text, version: text, description: text },
  server: {
    ...{ url: text, name: text, description: text, variables: mapOf('serverVariable') },
    ...{ 'x-sandbox-name': text, 'x-sandbox-environment': text },
  },
  serverVariable: { default: text, enum: one('texts') },
  paths: { '*': one('pathItem') },
  pathItem: {
    ...pathItem,
    get: operation,
    put: operation,
    post: operation,
    delete: operation,
    options: operation,
    head: operation,
    patch: operation,
    trace: operation,
    query: operation,
    additionalOperations: mapOf('operation'),
  },
  operation: {
    ...pathItem,
    operationId: text,
    deprecated: flag,
    requestBody: one('requestBody'),
    responses: one('responses'),
    callbacks: mapOf('callback'),
    security: listOf('requirement'),
  },
  parameter: { name: text, in: text, ...parameterMembers },
  header: parameterMembers,
  requestBody: { required: flag, content: mapOf('mediaType') },
  responses: { '*': one('response') },
  response: { headers: mapOf('header'), content: mapOf('mediaType') },
  mediaType: { schema, itemSchema: schema, examples: mapOf('example'), encoding: mapOf('encoding') },
  example: {},
  encoding: { contentType: text, headers: mapOf('header'), style: text, explode: flag },
  callback: { '*': one('pathItem') },
  securityScheme: { type: text, scheme: text, in: text, name: text },
  requirement: { '*': one('texts') },
  components: {
    schemas: mapOf('schema'),
    responses: mapOf('response'),
    parameters: mapOf('parameter'),
    examples: mapOf('example'),
    requestBodies: mapOf('requestBody'),
    headers: mapOf('header'),
    securitySchemes: mapOf('securityScheme'),
    callbacks: mapOf('callback'),
    pathItems: mapOf('pathItem'),
    mediaTypes: mapOf('mediaType'),
  },
  schema: {
    format: text,
    pattern: text,
    required: one('texts'),
    multipleOf: one('positive'),
    minimum: number,
    maximum: number,
    exclusiveMinimum: number,
    exclusiveMaximum: number,
    minLength: count,
    maxLength: count,
    minItems: count,
    maxItems: count,
    minContains: count,
    maxContains: count,
    minProperties: count,
    maxProperties: count,
    uniqueItems: flag,
    readOnly: flag,
    writeOnly: flag,
    deprecated: flag,
    properties: mapOf('schema'),
    patternProperties: mapOf('schema'),
    dependentSchemas: mapOf('schema'),
    dependentRequired: mapOf('texts'),
    $defs: mapOf('schema'),
    definitions: mapOf('schema'),
    allOf: listOf('schema'),
    anyOf: listOf('schema'),
    oneOf: listOf('schema'),
    prefixItems: listOf('schema'),
    items: schema,
    additionalProperties: schema,
    unevaluatedProperties: schema,
    unevaluatedItems: schema,
    contains: schema,
    propertyNames: schema,
    not: schema,
    if: schema,
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    then: schema,
    else: schema,
  },
}

/** The type of a member of an object. Undefined for a plain value, or a member that this program does not read. */
export function memberOf(kind: Member['kind'], name: string): Member | undefined {
  if (!(kind in members)) return undefined
  const known = members[kind as ObjectKind]
  return ownValue(known, name) ?? (name.startsWith('x-') ? undefined : known['*'])
}

/** Whether the author chooses all names of the object, except extensions. */
export function hasFreeNames(kind: ObjectKind): boolean {
  return members[kind]['*'] !== undefined
}

/** The sections of components by the kind of object. */
const sections: Partial<Record<ObjectKind, string>> = {
  schema: 'schemas',
  parameter: 'parameters',
  header: 'headers',
  response: 'responses',
  requestBody: 'requestBodies',
  example: 'examples',
  pathItem: 'pathItems',
}

/**
 * @returns the corrected `$ref`, or undefined if the given one does not have such a form
 * @example redirect(document, 'Book', 'schema') // '#/components/schemas/Book', if there is one
 */
export function redirect(document: OpenApiDocument, $ref: string, kind: ObjectKind): string | undefined {
  const section = sections[kind]
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
