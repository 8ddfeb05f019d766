/** What the fields of a form share: the messages about its values, the records that values name, and samples. */
import type { ComponentChildren, ComponentType } from 'preact'
import { encode, get } from '../api.js'
import type { Form, Page, Violation } from '../api-types.js'
import { toPath as toRecords } from '../data/place.js'
import { isObject, toText } from '../json-text.js'
import { fixedOf, type Schema, typeOf } from '../schema.js'
import { collections } from '../store.js'
import { trim, variantsOf } from './variants.js'

export type FormReference = Form['references'][number]

export interface FormFacts {
  /** Only those of this place: of the body, of the path … */
  violations: readonly Violation[]
  /** The records that a value names, by the name of its property. */
  referenceOf: (name: string) => FormReference | undefined
  /** Whether properties are shown that requests cannot have. */
  hasReadOnly?: boolean
}

export interface ValueFieldProps {
  name: string
  /** Where the value is in the body. @example 'items[0].price' */
  path: string
  schema: Schema
  value: unknown
  form: FormFacts
  isRequired?: boolean
  /** Whether the list or the map around it has the control that removes it. */
  isKept?: boolean
  /** Further buttons in the head. */
  after?: ComponentChildren
  /** Called with undefined if the value is to be left out. */
  onChange: (value: unknown) => void
}

/** Shows a value of any schema. */
export type ValueFields = ComponentType<ValueFieldProps>

/** The messages about a value, and about those in it for which no field is shown. */
export function messagesFor({ violations }: FormFacts, path: string, shown: readonly string[] = []): string[] {
  const isShown = (at: string) => shown.some((each) => isAt(at, toPath(path, each)))
  return violations.filter(({ at }) => isAt(at, path) && !isShown(at)).map(({ message }) => message)
}

/** Whether a violation concerns a property or a nested value. */
export function isAt(at: string, path: string): boolean {
  return path === '' || at === path || at.startsWith(`${path}.`) || at.startsWith(`${path}[`)
}

/** The path of a property. @example toPath('owner', 'city') // 'owner.city' */
export function toPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

/** A value for a new field, from the same source as the answers of the sandbox. @param name name of the property */
export async function sampleOf(schema: Schema, name: string): Promise<unknown> {
  const fixed = fixedOf(schema)
  if (fixed !== undefined) return fixed
  const type = typeOf(schema)
  const plain = type === 'object' ? {} : type === 'array' ? [] : type === 'boolean' ? false : undefined
  const { $at } = schema
  if (typeof $at !== 'string' || $at === '') return plain
  const query = `?pointer=${encode($at)}&name=${encode(name)}`
  const found = await get<{ value: unknown }>(`/sample${query}`).catch(() => ({ value: plain }))
  const [first] = variantsOf(schema)
  const sample = trim(found.value, schema)
  // With a choice, the first variant is what its select shows.
  return sample === null && first ? plain : sample
}

/** A copy of a sample in which each reference to no record has the key of the newest record instead, if there is one. */
export async function withRecords(value: unknown, referenceOf: FormFacts['referenceOf'], name = ''): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((each) => withRecords(each, referenceOf, name)))
  if (isObject(value)) {
    const all = Object.entries(value).map(async ([own, each]) => [own, await withRecords(each, referenceOf, own)])
    return Object.fromEntries(await Promise.all(all))
  }
  const { collection: named, property } = referenceOf(name) ?? {}
  const collection = collections.value.find((each) => each.name === named)
  if (!collection || property === undefined || value === null) return value
  const read = async (query: string) =>
    (await get<Page>(toRecords(collection, '', `${query}&limit=1`))).records[0]?.values[property]
  const found = value === undefined ? undefined : await read(`&where=${encode(`${property}=${toText(value)}`)}`)
  return found ?? (await read('')) ?? value
}
