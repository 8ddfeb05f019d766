/** Reads the keywords of a schema itself, without its references, parts and alternatives. */
import type { Schema, SchemaObject } from '../../document/document.js'
import { exactBounds } from '../../json/exact-json.js'
import type { ExactValue } from '../../json/exact-value.js'
import { restOf } from './same-schemas.js'
import {
  type Alternative,
  allTypes,
  int32Limits,
  isLowerLimit,
  lowerLimits,
  type SchemaPart,
  type SchemaView,
  typeOf,
  typesWith,
  upperLimits,
} from './schema-view.js'

/** Formats that do not limit numbers further. Those of integers are read with their limits. */
const numberFormats = ['int32', 'int64', 'double']

/** Keywords that a view has. All others are only compared as a whole: what they allow cannot be said for one place. */
const comparedKeywords = new Set([
  ...[
    '$ref',
    'type',
    'enum',
    'const',
    'format',
    'pattern',
    'multipleOf',
    'uniqueItems',
    'contentEncoding',
    'default',
    'readOnly',
    'deprecated',
  ],
  ...['writeOnly', 'properties', 'required', 'additionalProperties', 'unevaluatedProperties', 'patternProperties'],
  ...['items', 'prefixItems', 'allOf', 'oneOf', 'anyOf', 'discriminator', exactBounds, ...lowerLimits, ...upperLimits],
])

/** The view of a schema without its references, parts and alternatives. */
export function ownView(
  schema: Exclude<Schema, boolean>,
  toPart: (path: (string | number)[], schema: Schema) => SchemaPart,
): SchemaView {
  const { type, enum: list, properties = {}, required = [], items, format, pattern, multipleOf } = schema
  const listed = (schema.const === undefined ? list : [schema.const]) as ExactValue[] | undefined
  const written = type === undefined ? impliedTypes(schema) : [type].flat()
  // Who writes `nullable` beside an `enum` means null, although it is not listed.
  const values = listed && written.includes('null') && !listed.includes(null) ? [...listed, null] : listed
  const types = typesWith(values, new Set(written.map((each) => each.replace('integer', 'number'))))
  const isWhole = written.includes('integer') && !written.includes('number')
  const { unevaluatedProperties: unevaluated, additionalProperties: others = unevaluated } = schema
  const exact = (schema[exactBounds] ?? {}) as Record<string, number>
  const isBase64 = schema['contentEncoding'] === 'base64'
  const isBinary = !isBase64 && schema['contentMediaType'] === 'application/octet-stream'
  const isLimiting =
    format !== undefined && format !== 'password' && !(types.has('number') && numberFormats.includes(format))
  const inner = ['prefixItems', 'patternProperties'].flatMap((keyword) =>
    Object.entries((schema[keyword] as Record<string, Schema> | undefined) ?? {}).map(
      ([name, part]) => [`${keyword} ${name}`, toPart([keyword, name], part)] as const,
    ),
  )
  return {
    types,
    ...(values && { values: type === undefined ? values : values.filter((value) => types.has(typeOf(value))) }),
    limits: limitsOf(schema, exact, isWhole),
    conditions: new Set([
      ...(isWhole ? ['integer'] : []),
      ...(isWhole && format === 'int64' ? ['format int64'] : []),
      ...(isLimiting && types.has('string') ? [`format ${format}`] : []),
      ...(format === 'uri' ? ['format uri-reference'] : []),
      // OpenAPI 3.1 writes the formats `byte` and `binary` in this way.
      ...(isBase64 ? ['format byte'] : []),
      ...(isBinary ? ['format binary'] : []),
      ...(schema['contentEncoding'] && !isBase64 ? [`contentEncoding ${schema['contentEncoding']}`] : []),
      ...(pattern === undefined ? [] : [`pattern ${pattern}`]),
      ...(multipleOf === undefined ? [] : [`multipleOf ${exact['multipleOf'] ?? multipleOf}`]),
      ...(schema.uniqueItems ? ['uniqueItems'] : []),
    ]),
    properties: new Map(Object.entries(properties).map(([name, inner]) => [name, toPart(['properties', name], inner)])),
    required: new Set(required),
    isOpen: others !== false,
    inner: new Map(inner),
    opaque: [
      ...restOf(schema, comparedKeywords).filter((each) => !(isBinary && 'contentMediaType' in each)),
      ...(isLimiting && !types.has('string') ? [{ format }] : []),
      // That of alternatives names them.
      ...(schema.discriminator && !schema.oneOf && !schema.anyOf ? [{ discriminator: schema.discriminator }] : []),
    ],
    ...(items !== undefined && { items: toPart(['items'], items) }),
    ...(isMap(others) && { others: toPart(['additionalProperties'], others) }),
    ...(schema.default !== undefined && { default: schema.default as ExactValue }),
    isDeprecated: schema.deprecated === true,
    isReadOnly: schema.readOnly === true,
    isWriteOnly: schema.writeOnly === true,
  }
}

function limitsOf(
  schema: Exclude<Schema, boolean>,
  exact: Readonly<Record<string, number>>,
  isWhole: boolean,
): SchemaView['limits'] {
  const isInt32 = isWhole && schema.format === 'int32'
  return new Map(
    [...lowerLimits, ...upperLimits].flatMap((keyword) => {
      if (exact[keyword] !== undefined) return [[keyword, exact[keyword]]]
      const limit = isInt32 ? withinInt32(keyword, schema[keyword]) : schema[keyword]
      return typeof limit !== 'number' || (limit === 0 && /^min./.test(keyword) && keyword !== 'minimum')
        ? []
        : [toInclusive(keyword, limit, isWhole)]
    }),
  )
}

/** Whether `additionalProperties` says which values a map has. */
function isMap(others: Schema | undefined): others is SchemaObject {
  return typeof others === 'object' && Object.keys(others).length > 0
}

function withinInt32(keyword: string, limit: unknown): unknown {
  const end = int32Limits.get(keyword)
  if (end === undefined) return limit
  return (isLowerLimit(keyword) ? Math.max : Math.min)(typeof limit === 'number' ? limit : end, end)
}

/** An integer has no value between two others. */
function toInclusive(keyword: string, limit: number, isWhole: boolean): [string, number] {
  if (isWhole && /^m..imum$/.test(keyword))
    return [keyword, keyword === 'minimum' ? Math.ceil(limit) : Math.floor(limit)]
  if (!isWhole || !keyword.startsWith('exclusive')) return [keyword, limit]
  return keyword === 'exclusiveMinimum' ? ['minimum', Math.floor(limit) + 1] : ['maximum', Math.ceil(limit) - 1]
}

/** The types that a schema without `type` means by its other keywords. */
function impliedTypes(schema: Exclude<Schema, boolean>): readonly string[] {
  const has = (...keywords: string[]) => keywords.some((keyword) => schema[keyword] !== undefined)
  if (schema.const !== undefined) return [typeOf(schema.const as ExactValue)]
  if (schema.enum) return [...new Set(schema.enum.map((value) => typeOf(value as ExactValue)))]
  if (has('properties', 'required', 'additionalProperties', 'patternProperties')) return ['object']
  if (has('items', 'prefixItems', 'minItems', 'maxItems')) return ['array']
  if (has('minLength', 'maxLength', 'pattern')) return ['string']
  if (has('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf')) return ['number']
  return allTypes
}

/** The property that can have only one text, if there is one. */
export function constantOf(schema: Schema | undefined): Alternative['tag'] {
  if (typeof schema !== 'object') return undefined
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const { const: value = undefined, enum: list = [value] } = typeof property === 'object' ? property : {}
    if (list.length === 1 && typeof list[0] === 'string') return [name, list[0]]
  }
  return undefined
}
