/** Looks up schemas in the served document. */
import { signal } from '@preact/signals'
import { get } from './api.js'
import { isObject } from './json-text.js'

export type Schema = Record<string, unknown>
export type Property = [name: string, schema: Schema, isRequired: boolean]

const openApi = signal<unknown>(undefined)
let loading: Promise<void> | undefined

/** Loads the document when the first schema is looked up. */
export function loadDocument(): Promise<void> {
  loading ??= get<unknown>('/openapi.json').then((loaded) => {
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
  return resolve(find(pointer))
}

function find(pointer: string): unknown {
  const parts = pointer.split('/').slice(1)
  return parts
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (value, part) => (isObject(value) || Array.isArray(value) ? value[part as never] : undefined),
      openApi.value,
    )
}

/** Resolves the references of a schema, and merges the properties of its parts. */
export function resolve(value: unknown, depth = 0): Schema {
  if (!isObject(value) || depth > 8) return {}
  const { $ref, allOf, ...own } = value
  const referred = typeof $ref === 'string' && $ref.startsWith('#') ? atReference($ref, depth) : {}
  const parts = Array.isArray(allOf) ? allOf.map((each) => resolve(each, depth + 1)) : []
  const all = [own, referred, ...parts]
  const properties = Object.assign({}, ...all.toReversed().map((each) => each['properties']))
  return {
    ...Object.assign({}, ...all.toReversed()),
    ...(Object.keys(properties).length > 0 && { properties }),
    required: all.flatMap((each) => listOf(each['required'])),
  }
}

function atReference(reference: string, depth: number): Schema {
  let path = reference.slice(1)
  try {
    path = decodeURIComponent(path)
  } catch {
    // An invalid URI is used unchanged.
  }
  return resolve(find(path), depth + 1)
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

export function propertiesOf(schema: Schema): Property[] {
  const required = listOf(schema['required'])
  const { properties } = schema
  return Object.entries(isObject(properties) ? properties : {}).map(([name, each]) => [
    name,
    resolve(each),
    required.includes(name),
  ])
}

/** The type for an input: the first type that is not null. */
export function typeOf({ type, enum: values, properties, items }: Schema): string {
  const first = listOf(type).find((each) => each !== 'null') ?? (Array.isArray(type) ? undefined : type)
  if (typeof first === 'string') return first
  if (properties) return 'object'
  if (items) return 'array'
  return Array.isArray(values) && values.length > 0 ? typeof values[0] : 'any'
}

/** The allowed values, if they are listed. */
export function choicesOf({ enum: values, const: only, type }: Schema): unknown[] | undefined {
  if (Array.isArray(values)) return values
  if (only !== undefined) return [only]
  return type === 'boolean' || (Array.isArray(type) && type.includes('boolean') && type.length <= 2)
    ? [true, false]
    : undefined
}

/** A short description of the allowed values. */
export function describeSchema(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength, pattern, format, enum: values } = schema
  const words = [
    Array.isArray(values) ? values.slice(0, 6).map(String).join(' | ') : typeOf(schema),
    format,
    minimum !== undefined && `≥ ${minimum}`,
    maximum !== undefined && `≤ ${maximum}`,
    minLength !== undefined && `${minLength}+ characters`,
    maxLength !== undefined && `up to ${maxLength} characters`,
    pattern !== undefined && `matches ${pattern}`,
  ]
  return words.filter((each) => typeof each === 'string' && each !== 'any').join(', ')
}
