/** Looks up schemas in the served document. */
import { signal } from '@preact/signals'
import { getOrInsert } from '../json/own-value.js'
import { get } from './api.js'
import { Digits, isComposite, isObject } from './json-text.js'
import { decode } from './router.js'

/** A schema without references. `$at` is its place in the document, `$name` the name of the schema that it refers to. */
export type Schema = Record<string, unknown>
export type Property = [name: string, schema: Schema, isRequired: boolean]

const openApi = signal<unknown>(undefined)
let loading: Promise<void> | undefined
/** Resolved schemas by their places, and the properties of each. */
let known = new Map<string, Schema>()
const properties = new WeakMap<Schema, Property[]>()

/** Loads the document when the first schema is looked up. */
export function loadDocument(): Promise<void> {
  loading ??= get<unknown>('/openapi.json').then((loaded) => {
    known = new Map()
    openApi.value = loaded
  })
  return loading
}

/** Reloads the document if it was loaded, because another one may be served now. */
export async function reloadDocument(): Promise<void> {
  if (!loading) return
  loading = undefined
  await loadDocument()
}

/** @param pointer a JSON Pointer (RFC 6901) */
export function schemaAt(pointer: string | undefined): Schema {
  if (pointer === undefined) return {}
  const found = partAt(pointer)
  return openApi.value === undefined ? {} : getOrInsert(known, pointer, () => resolve(found, pointer))
}

/** A part of the document, as it is written. */
export function partAt(pointer: string): unknown {
  const parts = pointer.split('/').slice(1)
  return parts
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, part) => (isComposite(value) ? value[part as never] : undefined), openApi.value)
}

/** A part of the document that is an object, without a reference at its top. */
export function objectAt(pointer: string): Record<string, unknown> {
  const part = partAt(pointer)
  if (!isObject(part)) return {}
  return typeof part['$ref'] === 'string' ? objectAt(decode(part['$ref'].slice(1))) : part
}

/** The JSON Pointer of a member. @example memberOf('/paths', '/a') // '/paths/~1a' */
export function memberOf(pointer: string, name: string | number): string {
  return `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** Resolves the references of a schema, and merges the properties of its parts. */
export function resolve(value: unknown, pointer: string = placeOf(value), depth = 0): Schema {
  if (!isObject(value) || depth > 8) return {}
  const { $ref, allOf, ...own } = value
  const reference = typeof $ref === 'string' && $ref.startsWith('#') ? decode($ref.slice(1)) : undefined
  const referred = reference === undefined ? {} : resolve(partAt(reference), reference, depth + 1)
  const parts = listOf(allOf).map((each, index) => inherited(resolve(each, `${pointer}/allOf/${index}`, depth + 1)))
  const name = reference?.split('/').at(-1)
  const merged = merge([
    { ...located(own, pointer || (reference ?? '')), ...(name !== undefined && { $name: name }) },
    referred,
    ...parts,
  ])
  return withoutOnlyChoice(merged, depth)
}

/** Merges schemas: the first one counts most, and its properties come last, behind those that it extends. */
function merge(all: readonly Schema[]): Schema {
  const ordered = [...all.slice(1), ...all.toReversed()]
  const own = Object.assign({}, ...ordered.map((each) => each['properties']))
  return {
    ...Object.assign({}, ...all.toReversed()),
    ...(Object.keys(own).length > 0 && { properties: own }),
    required: [...new Set(all.flatMap((each) => listOf(each['required'])))],
  }
}

/** A part of a schema is one of its variants already. */
function inherited({ discriminator, $name, ...schema }: Schema): Schema {
  return schema['oneOf'] || schema['anyOf'] ? { discriminator, ...schema } : schema
}

function placeOf(value: unknown): string {
  return isObject(value) && typeof value['$at'] === 'string' ? value['$at'] : ''
}

/** Writes the places of the inner schemas into them. */
function located(schema: Schema, pointer: string): Schema {
  const at = (value: unknown, place: string) => (isObject(value) ? { $at: place, ...value } : value)
  const members = Object.entries(schema).map(([name, value]) => {
    const place = `${pointer}/${name}`
    if (name === 'items' || name === 'additionalProperties') return [name, at(value, place)]
    if (Array.isArray(value) && /^(oneOf|anyOf|prefixItems)$/.test(name))
      return [name, value.map((each, index) => at(each, `${place}/${index}`))]
    if (name !== 'properties' || !isObject(value)) return [name, value]
    return [name, Object.fromEntries(Object.entries(value).map(([own, each]) => [own, at(each, memberOf(place, own))]))]
  })
  return { $at: pointer, ...Object.fromEntries(members) }
}

/** One alternative besides null is no choice, and neither are several plain values: they have one input. */
function withoutOnlyChoice(schema: Schema, depth: number): Schema {
  const { oneOf, anyOf, ...others } = schema
  const listed = listOf(oneOf ?? anyOf)
  const all = listed.map((each) => resolve(each, undefined, depth + 1))
  const real = all.filter(
    ({ type, enum: values }) => type !== 'null' && !(listOf(values).length === 1 && listOf(values)[0] === null),
  )
  const mayBeNull = real.length < all.length
  const [only] = real
  if (!only) return schema
  const nullable = (type: unknown) => ({ type: [...(Array.isArray(type) ? type : [type]), 'null'] })
  if (real.length === 1) {
    const { $at, $name, ...inner } = only
    const merged = merge([{ ...others, ...(!others['$name'] && $name !== undefined && { $name }) }, inner])
    return mayBeNull && merged['type'] !== undefined ? { ...merged, ...nullable(merged['type']) } : merged
  }
  const types = new Set(real.map(typeOf))
  if (types.has('object') || types.has('array') || types.has('any')) return schema
  const values = real.flatMap((each) => choicesOf(each) ?? [])
  const isWhole = real.every((each) => choicesOf(each) !== undefined)
  const [type] = types.size === 1 ? types : ['any']
  return {
    ...others,
    ...(mayBeNull ? nullable(type) : { type }),
    ...(isWhole ? { enum: mayBeNull ? [...values, null] : values } : { $suggestions: values }),
  }
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

export function propertiesOf(schema: Schema): Property[] {
  const found = properties.get(schema)
  if (found) return found
  const required = listOf(schema['required'])
  const { properties: own } = schema
  const all = Object.entries(isObject(own) ? own : {}).map(
    ([name, each]): Property => [name, resolve(each), required.includes(name)],
  )
  properties.set(schema, all)
  return all
}

/** The schema of an item of a list. */
export function itemOf({ prefixItems, items }: Schema, index: number): Schema {
  return resolve(listOf(prefixItems)[index] ?? items)
}

/** The schema of the properties that an object has besides those with names. Undefined if it should have none. */
export function othersOf({
  additionalProperties: own,
  patternProperties,
  properties: named,
}: Schema): Schema | undefined {
  if (isObject(own)) return resolve(own)
  const [first] = isObject(patternProperties) ? Object.values(patternProperties) : []
  if (isObject(first)) return resolve(first)
  return own === true || (own === undefined && named === undefined) ? {} : undefined
}

/** The type for an input: the only type that is not null. */
export function typeOf({
  type,
  enum: values,
  const: only,
  properties: named,
  additionalProperties,
  items,
}: Schema): string {
  const types = (Array.isArray(type) ? type : [type]).filter((each) => each !== 'null' && each !== undefined)
  if (types.length > 0) return types.length === 1 ? String(types[0]) : 'any'
  if (named || additionalProperties) return 'object'
  if (items) return 'array'
  const [first] = only === undefined ? listOf(values) : [only]
  return first === undefined || first === null ? 'any' : typeof first
}

export function isNullable({ type, enum: values }: Schema): boolean {
  return listOf(type).includes('null') || listOf(values).includes(null)
}

/** The allowed values, if they are listed. */
export function choicesOf(schema: Schema): unknown[] | undefined {
  const { enum: values, const: only } = schema
  if (Array.isArray(values)) return values
  if (only !== undefined) return [only]
  if (typeOf(schema) !== 'boolean') return undefined
  return isNullable(schema) ? [true, false, null] : [true, false]
}

/** The only allowed value. */
export function fixedOf({ const: only, enum: values }: Schema): unknown {
  return only ?? (listOf(values).length === 1 ? listOf(values)[0] : undefined)
}

export function isOfType(schema: Schema, value: unknown): boolean {
  const type = typeOf(schema)
  if (value === null) return type === 'any' || isNullable(schema)
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value)
  const isNumber = typeof value === 'number' || value instanceof Digits
  if (type === 'integer' || type === 'number') return isNumber
  return type === 'any' || typeof value === type
}

/** A short description of the allowed values. */
export function describeSchema(schema: Schema): string {
  const {
    minimum,
    maximum,
    minLength,
    maxLength,
    pattern,
    format,
    enum: values,
    minItems,
    maxItems,
    default: usual,
  } = schema
  const words = [
    Array.isArray(values) ? values.slice(0, 6).map(String).join(' | ') : typeOf(schema),
    format,
    minimum !== undefined && `≥ ${minimum}`,
    maximum !== undefined && `≤ ${maximum}`,
    describeRange(minLength, maxLength, 'character'),
    describeRange(minItems, maxItems, 'item'),
    pattern !== undefined && `matches ${pattern}`,
    usual !== undefined && !isComposite(usual) && `${usual} if left out`,
  ]
  return words.filter((each) => typeof each === 'string' && each !== 'any').join(', ')
}

function describeRange(least: unknown, most: unknown, noun: string): string | false {
  const nouns = (number: unknown) => `${noun}${number === 1 ? '' : 's'}`
  if (most === undefined) return least !== undefined && `${least}+ ${noun}s`
  if (least === most) return `${most} ${nouns(most)}`
  return least ? `${least} to ${most} ${noun}s` : `up to ${most} ${nouns(most)}`
}

/** The first example of a schema or a parameter. */
export function exampleIn({ example, examples }: Record<string, unknown>): unknown {
  if (example !== undefined) return example
  const [first] = isComposite(examples) ? Object.values(examples) : []
  return isObject(first) && 'value' in first ? first['value'] : first
}
