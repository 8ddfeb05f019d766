/** Upgrades a Swagger 2.0 document to OpenAPI 3.0 (OpenAPI Initiative: "Upgrading from OpenAPI 2.0 to 3.0"). */
import { separators } from '../../contract/item-types.js'
import { toJson } from '../../json/exact-json.js'
import { isObject } from '../../json/own-value.js'
import { type DocumentPath, methodNames } from '../document.js'
import {
  addressOf,
  type Json,
  listOf,
  separatorName,
  swaggerStyle,
  upgradeSchemas,
  upgradeScheme,
} from './swagger-parts.js'

export interface UpgradedDocument {
  document: Json
  /** Returns the original place of a part of the upgraded document. */
  toWritten(path: DocumentPath): DocumentPath
}

/** Keywords of a parameter or header that OpenAPI 3 moved to its schema. */
const schemaKeywords = [
  ...['type', 'format', 'items', 'default', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum', 'enum'],
  ...['maxLength', 'minLength', 'pattern', 'maxItems', 'minItems', 'uniqueItems', 'multipleOf', 'x-nullable'],
]
/** Styles of arrays by `collectionFormat`. Only Swagger 2.0 has them outside of the query, and `tsv` at all. */
const styles: Record<string, string> = { ssv: 'spaceDelimited', pipes: 'pipeDelimited', tsv: 'tabDelimited' }

/** The style of an array, which is `csv` if it has none. */
function styleOf({ type, collectionFormat, in: place }: Json): Json {
  if (type !== 'array') return {}
  const isForm = place === 'query' || place === 'formData'
  if (collectionFormat === 'multi' && isForm) return { style: 'form', explode: true }
  const style = styles[String(collectionFormat)]
  if (style !== undefined) return { style, explode: false, [swaggerStyle]: true }
  return isForm ? { style: 'form', explode: false } : {}
}

/** Items that are arrays themselves, with their separators. */
function withSeparators(items: unknown): unknown {
  if (!isObject(items) || items['type'] !== 'array') return items
  const style = styles[String(items['collectionFormat'])] ?? ''
  return { ...items, items: withSeparators(items['items']), [separatorName]: separators[style] ?? ',' }
}
/** The original places of components, by their place in OpenAPI 3. */
const sections: Record<string, string> = {
  schemas: 'definitions',
  responses: 'responses',
  parameters: 'parameters',
  securitySchemes: 'securityDefinitions',
}

/** What is known of a Swagger document while it is upgraded. */
interface Upgrading {
  /** The original places of moved parts, by their place as JSON. */
  origins: Map<string, DocumentPath>
  /** The parameters of the document. */
  shared: Json
  /** The media types of all operations. */
  consumes: unknown
  produces: unknown
}

/** Members with wrong types are kept unchanged, or left out if they would be moved. */
export function upgradeSwagger(written: Json): UpgradedDocument {
  const shared = objectAt(written, 'parameters')
  const { swagger: _, host: __, basePath: ___, schemes: ____, consumes, produces, definitions, ...rest } = written
  const upgrading: Upgrading = { origins: new Map(), shared, consumes, produces }
  for (const name of ['parameters', 'responses', 'securityDefinitions', 'paths']) delete rest[name]
  const document: Json = {
    ...rest,
    openapi: '3.0.3',
    servers: [{ url: addressOf(written) }],
    paths: mapMembers(written['paths'], (item, path) => upgradePathItem(upgrading, item, ['paths', path])),
    components: {
      schemas: definitions ?? {},
      parameters: mapMembers(
        Object.fromEntries(Object.entries(shared).filter(([, each]) => !isBody(each))),
        (each, name) => upgradeParameter(upgrading, each, ['components', 'parameters', name], ['parameters', name]),
      ),
      responses: mapMembers(written['responses'], (response, name) =>
        upgradeResponse(upgrading, response, produces, ['components', 'responses', name], ['responses', name]),
      ),
      securitySchemes: mapMembers(written['securityDefinitions'], upgradeScheme),
    },
  }
  upgradeSchemas(document)
  return { document, toWritten: (path) => toWritten(upgrading, path) }
}

function toWritten(upgrading: Upgrading, path: DocumentPath): DocumentPath {
  for (let length = path.length; length > 0; length--) {
    const origin = upgrading.origins.get(JSON.stringify(path.slice(0, length)))
    if (origin) return [...origin, ...path.slice(length)]
  }
  const [first, section, ...inner] = path
  const name = first === 'components' ? sections[String(section)] : undefined
  return name === undefined ? path : [name, ...inner]
}

function moved<Value>(upgrading: Upgrading, value: Value, to: DocumentPath, from: DocumentPath): Value {
  upgrading.origins.set(JSON.stringify(to), from)
  return value
}

function upgradePathItem(upgrading: Upgrading, item: unknown, path: DocumentPath): unknown {
  if (!isObject(item)) return item
  const { parameters, ...upgraded } = item
  const common = listOf(parameters).map((value, index) => ({ value, from: [...path, 'parameters', index] }))
  for (const method of methodNames) {
    if (isObject(item[method])) upgraded[method] = upgradeOperation(upgrading, item[method], [...path, method], common)
  }
  return upgraded
}

function upgradeOperation(upgrading: Upgrading, operation: Json, path: DocumentPath, common: WrittenParameter[]): Json {
  const {
    parameters,
    consumes: accepted = upgrading.consumes,
    produces: returned = upgrading.produces,
    schemes,
    ...upgraded
  } = operation
  const own = listOf(parameters).map((value, index) => ({ value, from: [...path, 'parameters', index] }))
  // A parameter of the operation overrides one of the path.
  const all = new Map([...common, ...own].map((each) => [identify(upgrading, each), each]))
  const written = [...all.values()]
  const others = written.filter((each) => !isBody(follow(upgrading, each).value))
  upgraded['parameters'] = others.map(({ value, from }, index) =>
    upgradeParameter(upgrading, value, [...path, 'parameters', index], from),
  )
  const bodies = written.filter((each) => isBody(follow(upgrading, each).value))
  if (bodies.length > 0) upgraded['requestBody'] = upgradeBody(upgrading, bodies, accepted, [...path, 'requestBody'])
  upgraded['responses'] = mapMembers(operation['responses'], (response, status) => {
    const place = [...path, 'responses', status]
    return status.startsWith('x-') ? response : upgradeResponse(upgrading, response, returned, place, place)
  })
  return upgraded
}

/** A parameter, or the target of its `$ref`. */
function follow(upgrading: Upgrading, written: WrittenParameter): WrittenParameter {
  const $ref = isObject(written.value) ? String(written.value['$ref']) : ''
  const name = /^#\/parameters\/(.+)$/.exec($ref)?.[1]?.replaceAll('~1', '/').replaceAll('~0', '~')
  return name === undefined ? written : { value: upgrading.shared[name], from: ['parameters', name] }
}

function identify(upgrading: Upgrading, parameter: WrittenParameter): string {
  const { value: followed } = follow(upgrading, parameter)
  if (!isObject(followed)) return toJson(parameter.value) ?? ''
  return followed['in'] === 'body' ? 'body' : JSON.stringify([followed['in'], followed['name']])
}

/** Also for headers, which have the same members. */
function upgradeParameter(upgrading: Upgrading, parameter: unknown, to: DocumentPath, from: DocumentPath): unknown {
  moved(upgrading, parameter, to, from)
  if (!isObject(parameter) || '$ref' in parameter) return parameter
  const { collectionFormat, ...upgraded } = withSchema(upgrading, parameter, to, from)
  return { ...upgraded, ...styleOf(parameter) }
}

/** Moves the keywords of a schema into one. */
function withSchema(upgrading: Upgrading, value: Json, to: DocumentPath, from: DocumentPath): Json {
  const upgraded: Json = {}
  const schema: Json = {}
  for (const [name, member] of Object.entries(value))
    (schemaKeywords.includes(name) ? schema : upgraded)[name] = name === 'items' ? withSeparators(member) : member
  if (Object.keys(schema).length > 0) upgraded['schema'] = moved(upgrading, schema, [...to, 'schema'], from)
  return upgraded
}

function upgradeBody(upgrading: Upgrading, bodies: WrittenParameter[], accepted: unknown, to: DocumentPath): Json {
  const [first] = bodies
  const parameters = bodies.map((each) => follow(upgrading, each)) as { value: Json; from: DocumentPath }[]
  const whole = parameters.find(({ value }) => value['in'] === 'body')
  moved(upgrading, undefined, to, first?.from ?? [])
  const contentOf = (types: string[], schema: unknown, from: DocumentPath): Json =>
    Object.fromEntries(
      types.map((type) => [type, { schema: moved(upgrading, schema, [...to, 'content', type, 'schema'], from) }]),
    )
  if (whole) {
    const { value, from } = whole
    const content = contentOf(mediaTypesOf(accepted, 'application/json'), value['schema'] ?? {}, [...from, 'schema'])
    return { required: value['required'] === true, description: value['description'], content }
  }
  const isFile = ({ value }: { value: Json }) => value['type'] === 'file'
  const standard = parameters.some(isFile) ? 'multipart/form-data' : 'application/x-www-form-urlencoded'
  const isForm = (type: string) => /^(multipart\/form-data|application\/x-www-form-urlencoded)/.test(type)
  // A form has no file, so that it is only accepted without one.
  const isFileRequired = parameters.some((each) => isFile(each) && each.value['required'] === true)
  const types = mediaTypesOf(accepted, standard).filter(
    (type) => isForm(type) && (!isFileRequired || /^multipart/.test(type)),
  )
  if (!types.some((type) => type.startsWith(standard)) && parameters.some(isFile)) types.push(standard)
  const required = parameters
    .filter(({ value }) => value['required'] === true)
    .map(({ value }) => String(value['name']))
  const properties = parameters.map(({ value, from }) => [
    String(value['name']),
    { ...(withSchema(upgrading, value, [], from)['schema'] as Json | undefined), description: value['description'] },
  ])
  const schema = {
    type: 'object',
    ...(required.length > 0 ? { required } : {}),
    properties: Object.fromEntries(properties),
  }
  const content = contentOf(types.length > 0 ? types : [standard], schema, first?.from ?? [])
  const encoding = Object.fromEntries(
    parameters.flatMap(({ value }) => (value['type'] === 'array' ? [[String(value['name']), styleOf(value)]] : [])),
  )
  for (const media of Object.values(content)) Object.assign(media as Json, { encoding })
  return { required: required.length > 0, content }
}

function upgradeResponse(
  upgrading: Upgrading,
  response: unknown,
  returned: unknown,
  to: DocumentPath,
  from: DocumentPath,
): unknown {
  moved(upgrading, response, to, from)
  if (!isObject(response) || '$ref' in response) return response
  const { schema, examples, headers, ...upgraded } = response
  const shown = isObject(examples) ? examples : {}
  if (isObject(headers)) {
    upgraded['headers'] = mapMembers(headers, (header, name) =>
      upgradeParameter(upgrading, header, [...to, 'headers', name], [...from, 'headers', name]),
    )
  }
  if (schema === undefined && Object.keys(shown).length === 0) return upgraded
  const types = schema === undefined ? Object.keys(shown) : mediaTypesOf(returned, 'application/json')
  const toContent = (type: string) => ({
    ...(schema !== undefined && {
      schema: moved(upgrading, schema, [...to, 'content', type, 'schema'], [...from, 'schema']),
    }),
    ...(Object.hasOwn(shown, type) && { example: shown[type] }),
  })
  const all = [...new Set([...types, ...Object.keys(shown)])]
  return { ...upgraded, content: Object.fromEntries(all.map((type) => [type, toContent(type)])) }
}

/** A parameter with its original place. */
interface WrittenParameter {
  value: unknown
  from: DocumentPath
}

function isBody(parameter: unknown): boolean {
  return isObject(parameter) && (parameter['in'] === 'body' || parameter['in'] === 'formData')
}

function mediaTypesOf(written: unknown, standard: string): string[] {
  const types = listOf(written).filter((type): type is string => typeof type === 'string')
  return types.length > 0 ? types : [standard]
}

function objectAt(value: Json, name: string): Json {
  const member = value[name]
  return isObject(member) ? member : {}
}

function mapMembers(value: unknown, change: (member: unknown, name: string) => unknown): unknown {
  if (!isObject(value)) return value ?? {}
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member, name)]))
}
