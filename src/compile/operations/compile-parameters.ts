/** Compiles parameters, which are decoded from text to typed values (OpenAPI 3.1, section 4.8.12). */

import { bareMediaType, isJson } from '../../contract/http/media-types.js'
import type { JsonType, Parameter, ParameterPlace, ParameterStyle, StyleName } from '../../contract/request-model.js'
import type { Located, OpenApiDocument, ParameterObject, Schema } from '../../document/document.js'
import type { Notes } from '../../document/notes.js'
import { swaggerStyle } from '../../document/tidy/swagger-parts.js'
import { isDirection, saysMinus } from '../../lexicon/orders.js'
import { isSeveral, type TextTypeCompiler, typesOf } from '../../schemas/compile-text-types.js'
import type { ObjectMembers, ValidatorCompiler } from '../../schemas/compile-validators.js'
import { flattenSchema } from '../../schemas/flatten-schema.js'
import type { DescribedOperation } from '../../schemas/operations/describe-operations.js'
import { parameterSchema } from '../../schemas/operations/request-content.js'
import { isBareKey, isCondition } from './compile-http.js'

/** OpenAPI ignores header parameters with these names, because other parts of a document describe the headers. */
const ignoredHeaders = ['accept', 'content-type', 'authorization']

export interface CompiledParameters {
  parameters: Parameter[]
  /** Schemas of the path parameters, by place and name. */
  path: ObjectMembers
  /** Schemas of all other parameters, by place and name. */
  others: ObjectMembers
}

/** The compilers that parameters need. */
export interface ParameterContext {
  document: OpenApiDocument
  notes: Notes
  textTypes: TextTypeCompiler
  validators: ValidatorCompiler
}

/** @param key the path parameter that holds the key of a record, if any */
export function compileParameters(
  context: ParameterContext,
  operation: DescribedOperation,
  key: string | undefined,
): CompiledParameters {
  const { document } = context
  const located = operation.parameters
    .filter(({ value }) => !(value.in === 'header' && ignoredHeaders.includes(value.name.toLowerCase())))
    .map((parameter) =>
      isRefusedLater(operation, parameter.value) || isEmptyObject(document, parameter)
        ? withoutRequired(parameter)
        : parameter,
    )
    .map((parameter) =>
      parameter.value.in === 'path' && parameter.value.name === key ? withWholeKey(document, parameter) : parameter,
    )
  const membersIn = (place: Parameter['in']): ObjectMembers =>
    Object.fromEntries(
      located
        .filter(({ value }) => placeOf(value) === place)
        .map((parameter) => [
          parameter.value.name,
          { schema: withType(document, parameter), required: isRequired(parameter.value) },
        ]),
    )
  const byPlace = (...places: Parameter['in'][]): ObjectMembers =>
    Object.fromEntries(
      places
        .map((place) => [place, { schema: membersIn(place), required: false }] as const)
        .filter(([, members]) => Object.keys(members.schema).length > 0),
    )
  return {
    parameters: located.map((parameter) => compileParameter(context, parameter)),
    path: byPlace('path'),
    others: byPlace('query', 'header', 'cookie'),
  }
}

/** Whether a missing condition is refused later, with a documented 428 (RFC 6585, section 3). */
function isRefusedLater({ responses }: DescribedOperation, { in: place, name }: ParameterObject): boolean {
  return place === 'header' && isCondition(name) && responses.has('428')
}

/** Whether an object in the query requires none of its members, so that without them nothing of it is sent: `pageable` */
function isEmptyObject(document: OpenApiDocument, parameter: Located<ParameterObject>): boolean {
  const { in: place, style = 'form', explode = style === 'form', content } = parameter.value
  if (place !== 'query' || style !== 'form' || !explode || content) return false
  const { types, required, properties } = flattenSchema(document, parameterSchema(parameter))
  return types.size === 1 && types.has('object') && properties.size > 0 && required.size === 0
}

function withoutRequired({ value, path }: Located<ParameterObject>): Located<ParameterObject> {
  return { value: { ...value, required: false }, path }
}

function compileParameter(context: ParameterContext, located: Located<ParameterObject>): Parameter {
  const { document } = context
  const { name } = located.value
  const schema = parameterSchema(located)
  const flat = flattenSchema(document, schema)
  const parameter: Parameter = {
    name,
    in: placeOf(located.value),
    required: isRequired(located.value),
    types: textTypesIn(document, schema),
  }
  const style = compileStyle(context, located, parameter.types)
  if (style && context.textTypes.isAmbiguous(style.type)) {
    style.validate = context.validators.add(withType(document, located), 'request')
  }
  if (style) parameter.style = style
  if (flat.keywords.default !== undefined) parameter.default = flat.keywords.default
  return parameter
}

/** The types of the texts. Those of listed values are only read if a schema has no type of its own. */
function textTypesIn(document: OpenApiDocument, schema: Located<Schema>): JsonType[] {
  const { value } = schema
  // The type of the schema itself restricts those of its parts.
  if (typeof value === 'object' && typeof value.type === 'string') return [value.type as JsonType]
  const { types, keywords } = flattenSchema(document, schema)
  const { enum: listed, const: only, pattern, format } = keywords
  if (listed === undefined && only === undefined && pattern === undefined && format === undefined) {
    return [...types] as JsonType[]
  }
  const all = typesOf(document, schema)
  // Null comes first, because hardly any such text is `null`. Any other text is that text.
  return all.length === 2 && all.includes('null') && !listed?.includes('null') ? all.toSorted(nullFirst) : all
}

const nullFirst = (one: JsonType) => (one === 'null' ? -1 : 1)

function placeOf({ in: place }: ParameterObject): ParameterPlace {
  return place === 'querystring' ? 'query' : place
}

/** A parameter that may be empty (`allowEmptyValue`) is absent if it is empty. */
function isRequired({ in: place, required = place === 'path', allowEmptyValue }: ParameterObject): boolean {
  return required && !(place === 'query' && allowEmptyValue)
}

/** The styles of each place, the default one first (OpenAPI 3.2, section 4.12.2). */
const stylesOf: Record<ParameterPlace, readonly [StyleName, ...StyleName[]]> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form', 'cookie'],
}

/** @returns undefined if the value is plain text */
function compileStyle(
  { document, notes, textTypes }: ParameterContext,
  located: Located<ParameterObject>,
  allowed: readonly JsonType[],
): ParameterStyle | undefined {
  const { value: parameter, path } = located
  const place = placeOf(parameter)
  const schema = parameterSchema(located)
  const isEmptyNone = place === 'query' && parameter.allowEmptyValue === true
  const toStyle = (name: StyleName, explode: boolean): ParameterStyle => {
    return { name, explode, type: textTypes.add(schema), ...(isEmptyNone && { isEmptyNone }) }
  }
  const [mediaType] = Object.keys(parameter.content ?? {})
  const isWhole = parameter.in === 'querystring'
  if (mediaType !== undefined && isJson(mediaType)) return toStyle(isWhole ? 'query-json' : 'json', false)
  if (isWhole) return toStyle('query-form', true)
  if (mediaType !== undefined && bareMediaType(mediaType) === 'application/x-www-form-urlencoded') {
    return toStyle('urlencoded', false)
  }
  const [standard, ...others] = stylesOf[place]
  const written = parameter.style as StyleName | undefined
  const isKnown = written === undefined || written === standard || others.includes(written) || swaggerStyle in parameter
  if (!isKnown) {
    const message = `style ${JSON.stringify(written)} must be one of ${stylesOf[place].join(', ')} in the ${place}`
    notes.add([...path, 'style'], message, `it is read as ${standard}`)
  }
  const name = isKnown ? (written ?? standard) : standard
  const { types, items, properties } = flattenSchema(document, schema)
  const isStructured = types.has('array') || types.has('object') || items !== undefined || properties.size > 0
  const isPlain = name === 'simple' || (name === 'form' && place === 'query')
  if (isPlain && !isEmptyNone && (!isStructured || mediaType !== undefined)) {
    if (isBareKey(document, parameter, schema)) return { ...toStyle(name, false), isQuotable: true }
    return isSeveral(allowed) ? toStyle(name, false) : undefined
  }
  return toStyle(name, parameter.explode ?? (name === 'form' || name === 'cookie'))
}

const allTypes = ['string', 'number', 'boolean', 'null', 'array', 'object']

/** The schema of a parameter. If its text can be malformed, adds a type, which refuses malformed text. */
function withType(document: OpenApiDocument, located: Located<ParameterObject>): Located<Schema> {
  const schema = withDescending(document, located)
  const { value, path } = schema
  const { style, content } = located.value
  const isStyled = content !== undefined || style === 'label' || style === 'matrix'
  if (!isStyled || value === false || flattenSchema(document, schema).types.size > 0) return schema
  return { value: { ...(value === true ? {} : value), type: allTypes }, path }
}

/** The schema of a parameter. If the description says that a minus before a value sorts descending, its enum has these, too. */
function withDescending(document: OpenApiDocument, located: Located<ParameterObject>): Located<Schema> {
  const schema = parameterSchema(located)
  const { value, path } = schema
  const { keywords, types } = flattenSchema(document, schema)
  const { description = '' } = { ...keywords, ...located.value } as { description?: string }
  const allowed = types.has('array') ? [] : (keywords.enum ?? [])
  const names = allowed.filter((each) => typeof each === 'string' && /^\w/.test(each) && !isDirection(each))
  if (names.length === 0 || typeof value === 'boolean' || !value.enum || !saysMinus(description)) return schema
  const known = new Set<unknown>(allowed)
  const descending = names.map((each) => `-${each}`).filter((each) => !known.has(each))
  return { value: { ...value, enum: [...allowed, ...descending] }, path }
}

/** Makes a numeric key an integer, so that each record has only one address: `1.0` does not lead to record 1. */
function withWholeKey(document: OpenApiDocument, located: Located<ParameterObject>): Located<ParameterObject> {
  const schema = parameterSchema(located)
  const { types } = flattenSchema(document, schema)
  if (typeof schema.value === 'boolean' || !types.has('number') || types.has('string')) return located
  const { content, ...value } = located.value
  return { value: { ...value, schema: { ...schema.value, type: 'integer' } }, path: located.path }
}
