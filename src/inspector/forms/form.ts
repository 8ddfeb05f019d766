/** A form is data: fields, the values under their ids, and the messages about them. It is made from a schema, or written down. */
import type { ComponentChildren, RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import { encode, type Form, get, type Page, type Values, type Violation } from '../api.js'
import { type Target, toPath as toRecords } from '../data/place.js'
import { isObject, toText } from '../json-text.js'
import { fixedOf, propertiesOf, type Schema, typeOf } from '../schema.js'
import { collections } from '../store.js'
import { trim, variantsOf } from './variants.js'

export type FormReference = Form['references'][number]

export interface FormField {
  name: string
  /** What a user reads. @default the name */
  label?: string
  /** Its type, choices, bounds, description and example, and the fields in it. */
  schema: Schema
  isRequired?: boolean
  /** Whether it comes before the optional ones. @default isRequired */
  isFirst?: boolean
  /** Whether nobody may change it. */
  isFixed?: boolean
  /** @default what the schema allows */
  hint?: string | undefined
  /** The part of a request that has it. Absent if all fields of the form are in the same one. */
  in?: Violation['in']
  /** The records that the value names. @default those of the form with this name */
  reference?: FormReference | undefined
  /** The record that the value names. @default that with this key, of a reference to keys */
  target?: Target | undefined
  /** Set if files are chosen for it. */
  files?: FileChoice
  /** Further content in its head, which opens the fold around it. */
  after?: ComponentChildren
}

export interface FileChoice {
  chosen: File[]
  isMany?: boolean
  accept?: string | undefined
  /** Whether a sample is sent without a file. Undefined if the user cannot choose that. */
  hasSample?: boolean
  onFiles: (files: File[]) => void
  onSample?: (isSent: boolean) => void
}

export interface FormFacts {
  violations: readonly Violation[]
  /** The records that a value names, by the name of its property. */
  referenceOf: (name: string) => FormReference | undefined
  /** Whether properties are shown that requests cannot have. */
  hasReadOnly?: boolean
}

/** The member of the values of a form that has the value of a field. @example idOf({ in: 'path', name: 'id' }) // 'path id' */
export function idOf({ in: part, name }: Pick<FormField, 'in' | 'name'>): string {
  return part === undefined ? name : `${part} ${name}`
}

/** A copy of the values with that of a field. Undefined leaves it out. */
export function withMember(values: Values, id: string, next: unknown): Values {
  if (next !== undefined) return { ...values, [id]: next }
  const { [id]: _, ...others } = values
  return others
}

/** The fields of an object. */
export function fieldsOf(schema: Schema, value: Values, { hasReadOnly = false }: Partial<FormFacts> = {}): FormField[] {
  return propertiesOf(schema)
    .filter(
      ([name, own]) =>
        (hasReadOnly || own['readOnly'] !== true || Object.hasOwn(value, name)) &&
        // The choice of the variant shows it.
        !(own['$isTag'] === true && own['const'] === value[name]),
    )
    .map(([name, schema, isRequired]) => ({ name, schema, isRequired }))
}

/** The messages about a value, and about those in it for which no field is shown. */
export function messagesFor(
  { violations }: Pick<FormFacts, 'violations'>,
  path: string,
  shown: readonly string[] = [],
  part?: Violation['in'],
): string[] {
  const isShown = (at: string) => shown.some((each) => isAt(at, toPath(path, each)))
  return violations
    .filter((each) => (part === undefined || each.in === part) && isAt(each.at, path) && !isShown(each.at))
    .map(({ message }) => message)
}

/** Whether a violation concerns a property or a nested value. */
function isAt(at: string, path: string): boolean {
  return path === '' || at === path || at.startsWith(`${path}.`) || at.startsWith(`${path}[`)
}

/** The path of a property. @example toPath('owner', 'city') // 'owner.city' */
export function toPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

/** Focuses the first wrong field when there is another problem. */
export function useFocusOnWrong(form: RefObject<HTMLElement | null>, problem: unknown): void {
  useEffect(() => {
    if (problem) form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-wrong]')?.focus()
  }, [problem])
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
