/** Compiles how parameters are decoded from text to typed values (OpenAPI 3.1, section 4.8.12). */

import type { JsonType, Parameter } from '../contract/contract.js'
import type { DescribedOperation } from './describe-operations.js'
import type { Located, OpenApiDocument, ParameterObject, Schema } from './document.js'
import type { ObjectMembers } from './schemas/compile-validators.js'
import { flattenSchema } from './schemas/flatten-schema.js'

/** OpenAPI ignores header parameters with these names, because other parts of a document describe the headers. */
const ignoredHeaders = ['accept', 'content-type', 'authorization']

export interface CompiledParameters {
  parameters: Parameter[]
  /** Schemas of the path parameters, by place and name. */
  path: ObjectMembers
  /** Schemas of all other parameters, by place and name. */
  others: ObjectMembers
}

/** @param key the path parameter that holds the key of a record, if any */
export function compileParameters(
  document: OpenApiDocument,
  operation: DescribedOperation,
  key: string | undefined,
): CompiledParameters {
  const located = operation.parameters
    .filter(({ value }) => !(value.in === 'header' && ignoredHeaders.includes(value.name.toLowerCase())))
    .map((parameter) =>
      parameter.value.in === 'path' && parameter.value.name === key ? withWholeKey(document, parameter) : parameter,
    )
  const membersIn = (place: Parameter['in']): ObjectMembers =>
    Object.fromEntries(
      located
        .filter(({ value }) => value.in === place)
        .map((parameter) => [
          parameter.value.name,
          { schema: parameterSchema(parameter), required: parameter.value.required === true },
        ]),
    )
  const byPlace = (...places: Parameter['in'][]): ObjectMembers =>
    Object.fromEntries(
      places
        .map((place) => [place, { schema: membersIn(place), required: false }] as const)
        .filter(([, members]) => Object.keys(members.schema).length > 0),
    )
  return {
    parameters: located.map((parameter) => compileParameter(document, parameter)),
    path: byPlace('path'),
    others: byPlace('query', 'header', 'cookie'),
  }
}

function compileParameter(document: OpenApiDocument, located: Located<ParameterObject>): Parameter {
  const { name, in: place, required = place === 'path', style, explode } = located.value
  const schema = parameterSchema(located)
  const flat = flattenSchema(document, schema)
  // Its own type restricts those of its parts.
  const own =
    typeof schema.value === 'object' && typeof schema.value.type === 'string' ? [schema.value.type] : flat.types
  const parameter: Parameter = { name, in: place, required, types: [...own] as JsonType[] }
  if (flat.types.has('array')) {
    const items = flat.items ? flattenSchema(document, flat.items).types : []
    parameter.list = { separator: separatorOf(place, style, explode), itemTypes: [...items] as JsonType[] }
  }
  if (flat.keywords.default !== undefined) parameter.default = flat.keywords.default
  return parameter
}

/** A key that is a number is an integer. Read as one, each record has one address: `1.0` does not lead to record 1. */
function withWholeKey(document: OpenApiDocument, located: Located<ParameterObject>): Located<ParameterObject> {
  const schema = parameterSchema(located)
  const { types } = flattenSchema(document, schema)
  if (typeof schema.value === 'boolean' || !types.has('number') || types.has('string')) return located
  const { content, ...value } = located.value
  return { value: { ...value, schema: { ...schema.value, type: 'integer' } }, path: located.path }
}

/** The schema of a parameter: its `schema`, or that of its only media type. */
export function parameterSchema({ value, path }: Located<ParameterObject>): Located<Schema> {
  const [media] = Object.entries(value.content ?? {})
  if (media) return { value: media[1].schema ?? true, path: [...path, 'content', media[0], 'schema'] }
  return { value: value.schema ?? true, path: [...path, 'schema'] }
}

function separatorOf(
  place: Parameter['in'],
  style = place === 'query' || place === 'cookie' ? 'form' : 'simple',
  explode = style === 'form',
): NonNullable<Parameter['list']>['separator'] {
  if (style === 'spaceDelimited' && !explode) return ' '
  if (style === 'pipeDelimited' && !explode) return '|'
  return explode && place === 'query' ? 'repeat' : ','
}
