/** Repairs the keywords of a schema if their meaning is clear, and leaves out those without meaning. */

import { suggestion } from '../../contract/suggest-closest.js'
import { exactBounds, toJson } from '../../json/exact-json.js'
import { isObject } from '../../json/own-value.js'
import { toDoubleBelow } from '../../json/rounding.js'
import { type DocumentPath, isOld, type OpenApiVersion, type SchemaObject } from '../document.js'
import type { Notes } from '../notes.js'
import { readPattern } from '../patterns/read-pattern.js'
import { quoteValue } from '../quote-value.js'
import { convert, hasType } from './tidy-scalar.js'

const types = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']

/** Marks schemas whose null only some readers allow, so that answers avoid it. */
export const rarelyNull = 'x-sandbox-rarely-null'

/** Marks schemas whose `enum` and `type` contradict each other, so that no value satisfies them as written. */
export const contradictory = 'x-sandbox-contradictory'

/** Keeps keywords that are ignored, so that two versions of a document can be compared. */
export const unread = 'x-sandbox-unread'

/** Common mistakes in `type`, by the type and the format that they mean. */
const mistakes = {
  ...{ '': 'any mixed', integer: 'int short', 'integer int32': 'int32', 'integer int64': 'int64 long' },
  ...{ number: 'float double decimal', boolean: 'bool', string: 'str text enum char', 'string date': 'date' },
  ...{ 'string date-time': 'datetime date-time timestamp', 'string time': 'time', 'string uuid': 'uuid' },
  ...{ 'string uri': 'uri url', 'string email': 'email', 'string binary': 'file binary', array: 'list' },
  ...{ object: 'map dict hash json', null: 'none nil' },
}
const meant = new Map(
  Object.entries(mistakes).flatMap(([meaning, names]) => {
    const [type, format] = meaning === '' ? [] : meaning.split(' ')
    return names.split(' ').map((name) => [name, { ...(type && { type }), ...(format && { format }) }] as const)
  }),
)

/** Keywords that identify schemas. They are not needed, because each `$ref` is already a pointer. */
const identifiers = ['id', '$id', '$anchor', '$dynamicAnchor', '$recursiveAnchor', '$schema', '$vocabulary', '$async']
/** Other keywords that refer to a schema. */
const dynamic = ['$dynamicRef', '$recursiveRef']

/** Moves `required: true` of a property to the list of its object (JSON Schema, draft 3). */
export function liftRequired(schema: SchemaObject, path: DocumentPath, notes: Notes): void {
  const { properties } = schema
  if (typeof properties !== 'object' || properties === null) return
  for (const [name, property] of Object.entries(properties)) {
    if (typeof property !== 'object' || property === null) continue
    const flag: unknown = property.required
    if (flag !== true && flag !== false && flag !== 'true' && flag !== 'false') continue
    delete property.required
    const isRequired = String(flag) === 'true'
    if (isRequired) schema.required = [...new Set([...[schema.required ?? []].flat(), name])]
    const message = `required must be an array of names (got ${quoteValue(flag)})`
    notes.add(
      [...path, 'properties', name, 'required'],
      message,
      isRequired ? `"${name}" is required in its object` : 'it is ignored',
    )
  }
}

export const annotations: RegExp =
  /^(title|description|default|examples?|readOnly|writeOnly|deprecated|externalDocs|xml|x-.*)$/

/**
 * Makes null an alternative where `nullable` is beside `$ref`, parts or alternatives. They have no null themselves, so that
 * `nullable` has no effect by the letter (OpenAPI 3.0.3, section 4.7.24), but generators write it there to mean null.
 * @returns the keyword beside it. Undefined if there is none
 */
export function allowNull(schema: Record<string, unknown>): string | undefined {
  const beside = ['$ref', 'allOf', 'anyOf', 'oneOf'].find((keyword) => schema[keyword] !== undefined)
  if (schema['nullable'] !== true || beside === undefined) return undefined
  const inner: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(schema)) {
    if (annotations.test(name)) continue
    if (name !== 'nullable') inner[name] = value
    delete schema[name]
  }
  Object.assign(schema, { anyOf: [inner, { type: 'null' }], [rarelyNull]: true })
  return beside
}

/** Rewrites the keywords that 3.1 changed (OpenAPI Initiative: "Migrating from OpenAPI 3.0 to 3.1"). */
export function upgradeKeywords(schema: SchemaObject, path: DocumentPath, version: OpenApiVersion, notes: Notes): void {
  upgradeBound('exclusiveMinimum', 'minimum')
  upgradeBound('exclusiveMaximum', 'maximum')
  keepExactBounds(schema)
  const { nullable, items } = schema
  if ('nullable' in schema) delete schema['nullable']
  if (Array.isArray(items)) {
    notes.add([...path, 'items'], 'items must be one schema (got an array)', 'they are read as prefixItems')
    schema.prefixItems = items
    delete schema.items
  }
  if (nullable !== true) return
  if (!isOld(version)) {
    noteOld('nullable', true, 'requests may have null')
    schema[rarelyNull] = true
  }
  // OpenAPI 3.0.3, section 4.7.24: `nullable` has no effect without a type.
  if (typeof schema.type === 'string') schema.type = [schema.type, 'null']
  const { enum: allowed } = schema
  if (Array.isArray(allowed) && !allowed.includes(null)) schema.enum = [...allowed, null]

  function upgradeBound(exclusive: 'exclusiveMinimum' | 'exclusiveMaximum', inclusive: 'minimum' | 'maximum'): void {
    const flag: unknown = schema[exclusive]
    if (typeof flag !== 'boolean') return
    if (!isOld(version)) noteOld(exclusive, flag, 'it is read as in OpenAPI 3.0')
    delete schema[exclusive]
    const bound = schema[inclusive]
    if (!flag || bound === undefined) return
    schema[exclusive] = bound
    delete schema[inclusive]
  }

  function noteOld(keyword: string, value: unknown, instead: string): void {
    notes.add([...path, keyword], `${keyword}: ${quoteValue(value)} is from OpenAPI 3.0`, instead)
  }
}

const boundKeywords = ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum', 'multipleOf'] as const

/** Everything that calculates with bounds uses doubles. Only validators, `diff` and messages need more. */
function keepExactBounds(schema: SchemaObject): void {
  if (exactBounds in schema) delete schema[exactBounds]
  if (!boundKeywords.some((keyword) => typeof schema[keyword] === 'bigint')) return
  const found: Record<string, bigint> = {}
  for (const keyword of boundKeywords) {
    const bound: unknown = schema[keyword]
    if (typeof bound !== 'bigint') continue
    const isInside = schema.format !== 'int64' || (bound > -(2n ** 63n) && bound < 2n ** 63n - 1n)
    const double = /min/i.test(keyword) ? -toDoubleBelow(-bound) : toDoubleBelow(bound)
    schema[keyword] = isInside ? double : Number(bound)
    if (isInside) found[keyword] = bound
  }
  if (Object.keys(found).length > 0) schema[exactBounds] = found
}

/** Repairs `type`, `enum`, `default` and `pattern`, and removes keywords that validators do not support. */
export function tidySchema(schema: SchemaObject, path: DocumentPath, notes: Notes): void {
  const remove = (keyword: string) => {
    schema[unread] = { ...(schema[unread] as object | undefined), [keyword]: schema[keyword] }
    delete schema[keyword]
  }
  const ignore = (keyword: string, message: string) => {
    remove(keyword)
    notes.add([...path, keyword], message, 'it is ignored')
  }
  for (const keyword of identifiers) delete schema[keyword]
  for (const keyword of dynamic) {
    if (!(keyword in schema)) continue
    remove(keyword)
    notes.addLimit([...path, keyword], `${keyword} is not supported`, 'it is ignored')
  }
  tidyType(schema, path, notes)
  tidyForm(schema, path, notes)
  tidyInteger(schema)
  if (/^(uuid[1-8]?|guid)$/i.test(String(schema.format))) schema.format = 'uuid'
  tidyEnum(schema, path, notes, ignore)
  tidyDefault(schema, path, notes, ignore)
  tidyPatterns(schema, path, notes, ignore)
  const { discriminator } = schema
  if (discriminator !== undefined && (typeof discriminator !== 'object' || discriminator === null)) {
    ignore('discriminator', `discriminator must be an object (got ${quoteValue(discriminator)})`)
  }
  if (schema.examples !== undefined && !Array.isArray(schema.examples)) {
    ignore('examples', `examples must be an array (got ${quoteValue(schema.examples)})`)
  }
  if (isObject(schema.properties)) tidyHints(schema, path, notes)
}

/** Leaves out hints that cannot be used. */
function tidyHints({ properties = {}, required }: SchemaObject, path: DocumentPath, notes: Notes): void {
  for (const [name, property] of Object.entries(properties)) {
    if (!isObject(property) || !Object.hasOwn(property, hint)) continue
    const given = property[hint]
    const isRequired = Array.isArray(required) && required.includes(name)
    const expected = expectedHint(given, isRequired)
    if (expected === undefined) continue
    delete (property as Record<string, unknown>)[hint]
    notes.add(
      [...path, 'properties', name, hint],
      `${hint} ${expected} (got ${toJson(given).slice(0, 80)})`,
      'it is ignored',
    )
  }
}

const hint = 'x-sandbox-hint'
/** The modules of Faker. */
const modules =
  'airline animal book color commerce company database datatype date finance food git hacker helpers image internet location lorem music number person phone science string system vehicle word'.split(
    ' ',
  )

/** What a hint must be. Undefined if it is that. */
function expectedHint(given: unknown, isRequired: boolean): string | undefined {
  if (!isObject(given)) return 'must be an object such as { "faker": "person.fullName" } or { "enum": ["open"] }'
  const { faker, absent } = given
  const method = isObject(faker) ? Object.keys(faker)[0] : faker
  if (Object.hasOwn(given, 'faker')) {
    const [module = '', own] = String(method).split('.')
    if (own === undefined || !modules.includes(module))
      return `must name a method of Faker as "module.method"${suggestion(module, modules)}`
  }
  if (absent === undefined) return undefined
  if (typeof absent !== 'number' || absent < 0 || absent > 1) return 'must have an absent from 0 to 1'
  return isRequired && absent > 0 ? 'must have no absent, because the property is required' : undefined
}

type Ignore = (keyword: string, message: string) => void

function tidyType(schema: SchemaObject, path: DocumentPath, notes: Notes): void {
  if (schema.type === undefined) return
  const written: unknown[] = [schema.type].flat()
  if (written.length > 0 && written.every((type) => types.includes(type as string))) {
    if (written.length > 1) schema.type = [...new Set(written as string[])]
    return
  }
  const read = written.map((type): { type?: string; format?: string } => {
    const name = String(type === null ? 'null' : type).toLowerCase()
    return types.includes(name) ? { type: name } : (meant.get(name) ?? {})
  })
  const names = [...new Set(read.flatMap(({ type }) => type ?? []))]
  const isKnown = names.length > 0 && read.every(({ type }) => type !== undefined)
  const wrong = written.find((type) => !types.includes(type as string))
  const message = `type must be one of ${types.join(', ')} (got ${quoteValue(wrong)})`
  notes.add([...path, 'type'], message, isKnown ? `it is read as ${names.join(' or ')}` : 'any type is accepted')
  if (!isKnown) {
    delete schema.type
    return
  }
  schema.type = oneOrAll(names)
  const format = read.find((each) => each.format !== undefined)?.format
  if (format !== undefined) schema.format ??= format
}

/** A form that is written as a text, as in Swagger 2.0, has a file. */
function tidyForm(schema: SchemaObject, path: DocumentPath, notes: Notes): void {
  const isForm = path.at(-1) === 'schema' && /^multipart\//i.test(String(path.at(-2)))
  if (!isForm || schema.type !== 'string') return
  schema.type = 'object'
  delete schema.format
  schema.properties = { file: { type: 'string', format: 'binary' } }
  notes.add([...path, 'type'], 'a form of several parts must be an object', 'it is read as a form with a file')
}

/** The formats of integers also apply to numbers (OpenAPI Format Registry): their values have no fraction. */
function tidyInteger(schema: SchemaObject): void {
  if (schema.format !== 'int32' && schema.format !== 'int64') return
  const types = [schema.type ?? []].flat()
  if (!types.includes('number')) return
  const read = [...new Set(types.map((type) => (type === 'number' ? 'integer' : type)))]
  schema.type = oneOrAll(read)
}

function oneOrAll(types: string[]): string | string[] {
  const [first = '', ...others] = types
  return others.length === 0 ? first : types
}

function tidyEnum(schema: SchemaObject, path: DocumentPath, notes: Notes, ignore: Ignore): void {
  const allowed: unknown = schema.enum
  if (allowed === undefined) return
  if (!Array.isArray(allowed) || allowed.length === 0) {
    ignore('enum', `enum must be an array with at least one value (got ${quoteValue(allowed)})`)
    return
  }
  if (allowed.some((value) => hasType(schema, value))) return
  schema[contradictory] = true
  const converted = allowed.map((value) => convert(schema, value))
  if (converted.includes(undefined)) {
    ignore('enum', `no value of enum is of the type ${[schema.type].flat().join(' or ')}`)
    return
  }
  schema.enum = converted
  const message = `the values of enum must be of the type ${[schema.type].flat().join(' or ')}`
  notes.add([...path, 'enum'], `${message} (got ${quoteValue(allowed[0])})`, `read as ${quoteValue(converted[0])}`)
}

function tidyDefault(schema: SchemaObject, path: DocumentPath, notes: Notes, ignore: Ignore): void {
  const { default: standard } = schema
  if (standard === undefined || hasType(schema, standard)) return
  const message = `default must be of the type ${[schema.type].flat().join(' or ')} (got ${quoteValue(standard)})`
  const converted = convert(schema, standard)
  if (converted === undefined) {
    ignore('default', message)
    return
  }
  schema.default = converted
  notes.add([...path, 'default'], message, `it is read as ${quoteValue(converted)}`)
}

function tidyPatterns(schema: SchemaObject, path: DocumentPath, notes: Notes, ignore: Ignore): void {
  if (schema.pattern !== undefined) {
    const { pattern, why } = readPattern(String(schema.pattern), schema.example ?? schema.examples?.[0])
    if (pattern === undefined) ignore('pattern', `pattern ${why}`)
    else {
      if (why !== undefined) notes.add([...path, 'pattern'], `pattern ${why}`, `it is read as ${quoteValue(pattern)}`)
      schema.pattern = pattern
    }
  }
  if (schema.patternProperties === undefined) return
  const read = Object.entries(schema.patternProperties).flatMap(([written, value]) => {
    const { pattern, why } = readPattern(written)
    const place = [...path, 'patternProperties', written]
    if (why !== undefined) {
      const instead = pattern === undefined ? 'it is ignored' : `it is read as ${quoteValue(pattern)}`
      notes.add(place, `pattern ${why}`, instead)
    }
    return pattern === undefined ? [] : [[pattern, value] as const]
  })
  schema.patternProperties = Object.fromEntries(read)
}
