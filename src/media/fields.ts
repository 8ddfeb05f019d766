/** The named values of forms, multipart bodies and queries, including nested names. */
import type { JsonType, TextType } from '../contract/request-model.js'
import { parseExactJson } from '../json/exact-json.js'
import { toJsonPointer } from '../json/json-pointer.js'
import { decodeText } from '../json/typed-value.js'

/** A file in a multipart body. */
export interface FilePart {
  bytes: Uint8Array
  /** Its `Content-Type`, or `application/octet-stream`. */
  type: string
  /** Absent if it has none. */
  name?: string
}

/** A value that was sent as JSON. */
export interface JsonPart {
  json: unknown
}

export interface Pair {
  name: string
  value: string | FilePart | JsonPart
  /** The value before its percent-encoding was decoded. */
  raw?: string
}

/** The values of a name: `a=1&a=2` has two leaves, `a[b]=1` has a member. */
export interface Field {
  leaves: Pair['value'][]
  /** Fields by the next name in brackets. The items of a list have their index. */
  members?: Map<string, Field>
}

export interface FieldContext {
  textTypes: readonly TextType[]
  /** Returns one of the readings of a text at a place, a JSON Pointer. @default the first one */
  choose?: Choose | undefined
  /** The place of the value, if it is not the whole one. */
  at?: string
  /** Returns the value that represents a file. */
  fromFile?(file: FilePart): unknown
}

/** The values that a text may mean, the preferred one first. */
export type Readings = readonly (() => unknown)[]

export type Choose = (at: string, readings: Readings) => unknown

/** Maximum depth of nested names, because recursive decoders and validators would overflow the stack. */
const maxBrackets = 100

const anyText: TextType = { types: [] }

/** Reads pairs of a form or query: `+` is a space, and invalid percent-encoding stays unchanged. */
export function parsePairs(text: string): Pair[] {
  const pairs: Pair[] = []
  for (const part of text.split('&')) {
    // A question mark at the start would be cut off.
    const [pair] = new URLSearchParams(`&${part}`)
    if (!pair) continue
    const start = part.indexOf('=')
    pairs.push({ name: pair[0], value: pair[1], raw: start === -1 ? '' : part.slice(start + 1) })
  }
  return pairs
}

/**
 * Collects pairs by name. Brackets lead to members: `a[b][c]=1`, `a[]=1`, `a[0][b]=1`.
 * @param isWhole whether the document has this name including its brackets
 */
export function collectFields(pairs: readonly Pair[], isWhole: (name: string) => boolean): Map<string, Field> {
  const fields = new Map<string, Field>()
  for (const { name, value } of pairs) {
    const [first = name, ...below] = isWhole(name) ? [name] : toSegments(name)
    let field = memberOf(fields, first)
    for (const [index, segment] of below.entries()) {
      field.members ??= new Map()
      const place = segment === '' ? placeInList(field.members, below.slice(index + 1)) : segment
      field = memberOf(field.members, place)
    }
    field.leaves.push(value)
  }
  return fields
}

/** `a[b][]` is `a`, `b` and an empty name. */
function toSegments(name: string): string[] {
  const [, first = name, rest = ''] = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name) ?? []
  const below = rest === '' ? [] : rest.slice(1, -1).split('][')
  return below.length > maxBrackets ? [name] : [first, ...below]
}

function memberOf(members: Map<string, Field>, name: string): Field {
  const known = members.get(name)
  if (known) return known
  const field: Field = { leaves: [] }
  members.set(name, field)
  return field
}

/** `a[][b]=1&a[][c]=2` is one item. The next item begins when a name is repeated. */
function placeInList(items: Map<string, Field>, below: readonly string[]): string {
  const last = items.get(String(items.size - 1))
  return String(below.length > 0 && last && !isTaken(last, below) ? items.size - 1 : items.size)
}

function isTaken(field: Field, below: readonly string[]): boolean {
  let found: Field | undefined = field
  for (const segment of below) {
    // A nested list can always take another item.
    if (segment === '') return false
    found = found?.members?.get(segment)
  }
  return found !== undefined
}

/** Decodes the fields of an object. */
export function decodeFields(
  fields: ReadonlyMap<string, Field>,
  type: TextType | undefined,
  context: FieldContext,
  at: string = context.at ?? '',
): Record<string, unknown> {
  return Object.fromEntries(
    [...fields].map(([name, field]) => {
      const place = `${at}${toJsonPointer([name])}`
      return [name, decodeField(field, propertyType(type, name), context, place)]
    }),
  )
}

/** The number of the type of a property. */
export function propertyType(type: TextType | undefined, name: string): number | undefined {
  const known = type?.properties?.find(([each]) => each === name)
  return known ? known[1] : type?.others
}

/**
 * @param number the number of its type. Undefined if the document has none
 * @param before further readings, which are preferred
 */
export function decodeField(
  { leaves, members }: Field,
  number: number | undefined,
  context: FieldContext,
  at: string = context.at ?? '',
  before: Readings = [],
): unknown {
  const type = context.textTypes[number ?? -1] ?? anyText
  const decodeItem = (item: Field, index: number) => decodeField(item, type.items, context, `${at}/${index}`)
  const toField = (leaf: Pair['value']): Field => ({ leaves: [leaf] })
  if (members) {
    if (!isList(members, type)) return decodeFields(members, type, context, at)
    const items = [...members].toSorted(([a], [b]) => Number(a) - Number(b)).map(([, item]) => item)
    return [...leaves.map(toField), ...items].map(decodeItem)
  }
  const [leaf = ''] = leaves
  if (leaves.length > 1) return leaves.map(toField).map(decodeItem)
  if (type.separator !== undefined && typeof leaf === 'string') {
    return leaf.split(type.separator).map(toField).map(decodeItem)
  }
  const { choose } = context
  const [preferred] = before
  if (preferred && !choose) return preferred()
  const value = decodeLeaf(leaf, type, context)
  const toList = () => [decodeItem(toField(leaf), 0)]
  const isOne = isItem(value, type)
  if (!choose || typeof leaf !== 'string') return isOne ? toList() : value
  const others = new Set([value, ...type.types.map((each) => decodeText(leaf, [each])), leaf])
  const scalars = [...others].map((each) => () => each)
  return choose(at, [
    ...before,
    ...(isOne ? [toList] : []),
    ...scalars,
    ...(before.length === 0 && type.types.includes('array') ? [toList] : []),
  ])
}

/** Whether members with these names are the items of a list. */
function isList(members: ReadonlyMap<string, Field>, { types }: TextType): boolean {
  const isObject = types.includes('object') && !types.includes('array')
  return !isObject && [...members.keys()].every((name) => /^\d{1,9}$/.test(name))
}

/** Whether a single value is the only item of a list. */
function isItem(value: unknown, { types }: TextType): boolean {
  if (!types.includes('array') || Array.isArray(value)) return false
  if (typeof value === 'object' && value !== null && types.includes('object')) return false
  const isScalar = types.some((type) => type !== 'array' && type !== 'object' && type !== 'string' && type !== 'null')
  return !(types.includes('string') || (typeof value !== 'string' && isScalar) || value === null)
}

/** Decodes one text, which may be JSON if an object or a list of values other than texts is expected. */
function decodeLeaf(leaf: Pair['value'], type: TextType, context: FieldContext): unknown {
  if (typeof leaf !== 'string') return 'json' in leaf ? leaf.json : context.fromFile?.(leaf)
  const { types, items } = type
  const itemTypes: readonly JsonType[] = context.textTypes[items ?? -1]?.types ?? []
  const isObject = types.includes('object') && /^\s*\{/.test(leaf)
  const isArray =
    types.includes('array') && /^\s*\[/.test(leaf) && !itemTypes.includes('string') && itemTypes.length > 0
  return (isObject || isArray ? tryJson(leaf) : undefined) ?? decodeText(leaf, types)
}

/** @returns undefined if the text is not JSON */
export function tryJson(text: string): unknown {
  try {
    return parseExactJson(text).exact
  } catch {
    return undefined
  }
}
