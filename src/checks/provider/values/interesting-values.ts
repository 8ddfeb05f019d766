/** Values around every bound of a schema, valid and invalid ones. A validator decides which are which. */
import { sample } from '../../../compile/samples/sample.js'
import type { Located, OpenApiDocument, Schema, SchemaObject } from '../../../document/document.js'
import { toDecimal } from '../../../json/is-multiple.js'
import { isObject } from '../../../json/own-value.js'
import { flattenSchema, hasFlag, isObjectSchema } from '../../../schemas/flatten-schema.js'
import { findTag, withBranch } from '../../../schemas/tagged.js'

/** Objects and lists are varied down to this depth. */
const maxDepth = 3

/** Several scripts, two spaces, combining marks, emoji, quotes, a line break, markup, and a name that objects inherit. */
const awkwardText = 'Zoë  e\u0301 🐕‍🦺 שלום 中文 "quoted" \'single\' \\ \n <b>&amp;</b> __proto__'

/** Texts that often break database queries, formats and buffers: quotes, comments, scripts, patterns, NUL, long texts. */
export const unexpectedTexts: readonly string[] = [
  `O'Brien"; -- \\ %s $\{x} ([*?+ 🐕 中文`,
  'a\u0000b',
  'long '.repeat(400),
]
/** The same as far as headers and cookies can carry it. */
export const unexpectedPlainTexts: readonly string[] = [
  `O'Brien"; -- \\ %s $\{x} ([*?+`,
  `O'Brien<--%s$%00`,
  'long-'.repeat(400),
]

/** Awkward texts for properties that are too short for the whole one. */
const awkwardParts = ['<b>&amp;', '  x ', "O'N", 'e\u0301', '🐕']

/** Valid texts of formats that services often read wrong, and texts that only resemble the format. */
const formats: Readonly<Record<string, { valid: readonly string[]; invalid: readonly string[] }>> = {
  date: { valid: ['2024-02-29'], invalid: ['2023-02-30', '28.02.2023'] },
  'date-time': {
    valid: ['2024-02-29T23:30:00+05:30', '2024-02-29T23:59:59.123Z'],
    invalid: ['2023-02-30T10:00:00Z', '2023-02-28 10 o clock'],
  },
  email: { valid: ['first.last+tag@mail.example.com'], invalid: ['no-at-sign.example.com', 'two@signs@example.com'] },
  uuid: { valid: [], invalid: ['123e4567-e89b-12d3-a456-42661417400', 'not-a-uuid'] },
  uri: { valid: ['https://example.com/a%20b?c=d#e'], invalid: ['not a uri', 'example'] },
}

/** Integers that do not fit a 32-bit float or a 32-bit integer. */
const wideIntegers = [2 ** 24 + 1, 2 ** 31]
/** Lists of characters of four bytes are long: limits beyond this number are tested with letters only. */
const maxWideCharacters = 1000

/** Lowest and highest value of each integer format. */
const ranges: Record<string, readonly [low: bigint, high: bigint]> = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
}

/**
 * Values to test a schema with, without duplicates, most usual first.
 * @param name the name of the property or parameter
 */
export function interestingValues(
  document: OpenApiDocument,
  schema: Located<Schema>,
  name?: string,
  depth = 0,
): unknown[] {
  const flat = flattenSchema(document, withBranch(document, schema))
  const { keywords } = flat
  const given = [keywords.const, ...(keywords.enum ?? [])].filter((value) => value !== undefined)
  if (given.length > 0) return unique([...given, ...similar(given), ...ofOtherTypes(flat.types)])
  const values: unknown[] = [sample(document, schema, name)]
  if (flat.types.has('integer') || flat.types.has('number')) values.push(...numbers(keywords))
  if (flat.types.has('string')) values.push(...texts(keywords, values[0]))
  if (flat.types.has('boolean')) values.push(true, false)
  if (flat.types.has('null')) values.push(null)
  if (flat.types.has('array')) values.push(...lists(document, flat.items, keywords, depth))
  if (isObjectSchema(flat) && depth < maxDepth) values.push(...objects(document, schema, depth))
  const others = depth < maxDepth ? (findTag(document, schema)?.branches.slice(1) ?? []) : []
  for (const { whole } of others) values.push(...objects(document, { value: whole, path: schema.path }, depth))
  return unique([...values, ...ofOtherTypes(flat.types)])
}

/** Invalid values that are similar to an allowed one. */
function similar(allowed: unknown[]): unknown[] {
  const [first] = allowed
  return typeof first === 'string' ? [first.toUpperCase(), `${first}-other`, ''] : [1_000_003]
}

function numbers(keywords: SchemaObject): unknown[] {
  const { format = '', type, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf = 1 } = keywords
  const bounds = [minimum, maximum, exclusiveMinimum, exclusiveMaximum].filter((bound) => bound !== undefined)
  const step = Number(multipleOf)
  const around = bounds.flatMap((bound) => [bound - step, bound, bound + step].map(toDecimal))
  const [low, high] = ranges[format] ?? []
  const extremes = low === undefined || high === undefined ? [] : [low, high, low - 1n, high + 1n].map(toNumber)
  const isWhole = [type].flat().includes('integer')
  const fraction = isWhole ? [(minimum ?? 0) + 0.5] : [(minimum ?? 0) + step / 2]
  const odd = format === 'int64' ? [2n ** 53n + 1n] : low === undefined ? wideIntegers : []
  return [...around, ...extremes, ...odd, 0, 1, -1, ...fraction]
}

function toNumber(integer: bigint): number | bigint {
  return Number.isSafeInteger(Number(integer)) ? Number(integer) : integer
}

/** @param sample a valid text, if one could be made */
function texts({ minLength = 0, maxLength, pattern, format }: SchemaObject, sample: unknown): unknown[] {
  const { valid = [], invalid = [] } = formats[String(format)] ?? {}
  // A pattern that does not begin with ^ or end with $ allows other characters there.
  const beyond = pattern !== undefined && typeof sample === 'string' ? [`${sample}!`, `!${sample}`, `${sample}\n`] : []
  // Other valid texts for a format come from examples and from the generator.
  if (format !== undefined) return [...valid, ...invalid, ...beyond, ...(pattern === undefined ? [] : ['', '!'])]
  const filled = sizesAround(minLength, maxLength).map((length) => 'x'.repeat(length))
  const most = typeof maxLength === 'number' ? maxLength : undefined
  // A character may be two code units, or four bytes (JSON Schema Validation 2020-12, section 6.3.1).
  const wide = [most ?? 0, minLength - 1].filter((length) => length > 0 && length <= maxWideCharacters)
  const awkward = most === undefined || most >= [...awkwardText].length ? awkwardText : awkwardWithin(most)
  const long = most === undefined ? [`${'long '.repeat(60)}end`] : []
  const odd = pattern === undefined ? [] : ['!']
  return [...beyond, ...odd, '', 'a', ' a ', ...filled, awkward, ...wide.flatMap(wideTexts), ...long]
}

/** Characters of four bytes; in a long text also letters, which can be others where a service accepts a text only once. */
function wideTexts(length: number): string[] {
  const letters = 'x'.repeat(length < 12 ? 0 : 6)
  return ['🐕', 'é'].map((character) => letters + character.repeat(length - letters.length))
}

/** As many awkward parts as fit into a length. */
function awkwardWithin(most: number): string {
  return awkwardParts.reduce((text, part) => ([...`${text}${part}`].length > most ? text : `${text}${part}`), '')
}

/** The bounds of a length, and the lengths just outside. */
function sizesAround(least: number | undefined, most: unknown): number[] {
  const upper = typeof most === 'number' ? [most, most + 1] : []
  return [least ?? -1, (least ?? 0) - 1, ...upper].filter((length) => length >= 0)
}

function lists(
  document: OpenApiDocument,
  items: Located<Schema> | undefined,
  { minItems, maxItems }: SchemaObject,
  depth: number,
): unknown[] {
  const item = items === undefined ? 'x' : sample(document, items)
  const lengths = [0, 1, ...sizesAround(minItems, maxItems)]
  // The objects of a list are as deep as the list.
  const itemDepth = isObject(item) ? depth : depth + 1
  const inner = items === undefined || depth >= maxDepth ? [] : interestingValues(document, items, undefined, itemDepth)
  // Not only the first object of a list must be valid.
  const isAfterOther = isObject(item) && maxItems !== 1
  const wrap = (value: unknown) => (isAfterOther && isObject(value) ? [item, value] : [value])
  return [...lengths.map((length) => Array(length).fill(item)), ...inner.map(wrap)]
}

/** Objects in which one property at a time is changed or left out. */
export function objects(document: OpenApiDocument, schema: Located<Schema>, depth: number): unknown[] {
  const flat = flattenSchema(document, withBranch(document, schema))
  const whole = sample(document, schema)
  if (!isObject(whole)) return []
  const properties = [...flat.properties].filter(([, property]) => !hasFlag(document, property, 'readOnly'))
  const written = new Set(properties.map(([name]) => name))
  const keep = (object: object, isKept: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(object).filter(([name]) => isKept(name)))
  const base = keep(whole, (name) => written.has(name) || !flat.properties.has(name))
  const required = keep(base, (name) => flat.required.has(name))
  // A value of a map breaks it like a property.
  const other = Object.keys(base).find((name) => !flat.properties.has(name)) ?? 'other'
  const { additionalProperties: map } = flat.keywords
  const all = typeof map === 'object' ? [...properties, [other, { value: map, path: [] }] as const] : properties
  const varied = all.flatMap(([name, property]) =>
    interestingValues(document, property, name, depth + 1).map((value) => ({ ...base, [name]: value })),
  )
  const strange = depth === 0 ? unknownProperties(document, schema, base) : []
  return [base, required, ...strange, ...properties.map(([name]) => keep(base, (other) => other !== name)), ...varied]
}

/** The same value with a property that its schema rules out, in each object that has such a schema. */
function* unknownProperties(
  document: OpenApiDocument,
  schema: Located<Schema>,
  value: unknown,
  depth = 0,
): Iterable<unknown> {
  const { properties, items, keywords } = flattenSchema(document, withBranch(document, schema))
  if (Array.isArray(value)) {
    const [first = items && depth < maxDepth ? sample(document, items) : undefined, ...others] = value
    for (const each of items ? unknownProperties(document, items, first, depth + 1) : []) yield [each, ...others]
  }
  if (!isObject(value)) return
  const isClosed = keywords.additionalProperties === false || keywords.unevaluatedProperties === false
  if (isClosed) yield { ...value, unexpectedProperty: 'x' }
  for (const [name, property] of properties) {
    const inner = value[name] ?? (depth < maxDepth ? sample(document, property) : undefined)
    for (const each of unknownProperties(document, property, inner, depth + 1)) yield { ...value, [name]: each }
  }
}

/** Without `readOnly` properties, which callers must not send (OpenAPI 3.1, section 4.8.24; JSON Schema 9.4). */
export function withoutReadOnly(document: OpenApiDocument, schema: Located<Schema>, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const { items, properties } = flattenSchema(document, schema)
  if (Array.isArray(value)) return items ? value.map((item) => withoutReadOnly(document, items, item)) : value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const property = properties.get(name)
      if (!property) return [[name, inner]]
      return hasFlag(document, property, 'readOnly') ? [] : [[name, withoutReadOnly(document, property, inner)]]
    }),
  )
}

/** One value of each JSON type that the schema does not allow. */
function ofOtherTypes(types: ReadonlySet<string>): unknown[] {
  if (types.size === 0) return []
  const isNumeric = types.has('integer') || types.has('number')
  return [
    ...(types.has('string') ? [] : ['text', '']),
    ...(isNumeric ? ['1'] : [7]),
    ...(types.has('boolean') ? [] : [true]),
    ...(types.has('null') ? [] : [null]),
    ...(types.has('array') ? [] : [[]]),
    ...(types.has('object') ? [] : [{}]),
  ]
}

/** Removes duplicates, compared as JSON. */
export function unique(values: unknown[]): unknown[] {
  const seen = new Set<string>()
  return values.filter((value) => {
    const text = JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? `${inner}n` : inner))
    return !seen.has(text) && seen.add(text)
  })
}
