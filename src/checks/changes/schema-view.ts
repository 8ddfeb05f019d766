/** What a schema allows at one place, whichever way it is written. */
import type { DocumentPath, Schema } from '../../document/document.js'
import { once, oncePer } from '../../document/once.js'
import type { ExactValue } from '../../json/exact-value.js'

/** One place in a schema. Equal ids mean the same schemas. */
export interface SchemaPart {
  readonly id: string
  /** Where it is written. Of combined schemas, where the first of them is. */
  readonly path: DocumentPath
  /** The schema; undefined if several are combined. */
  readonly schema: Schema | undefined
  /** The same object for each call. */
  view(): SchemaView
}

export interface SchemaView {
  /** JSON types that a value can have; `number` includes `integer`. Empty: nothing is valid. */
  readonly types: ReadonlySet<string>
  /** The only allowed values. Absent: not limited to some. */
  readonly values?: readonly ExactValue[]
  /** Bounds by keyword. */
  readonly limits: ReadonlyMap<string, number>
  /** Further conditions on a value: `format uuid`, `pattern ^a`, `multipleOf 5`, `uniqueItems`. */
  readonly conditions: ReadonlySet<string>
  readonly properties: ReadonlyMap<string, SchemaPart>
  /** Properties that each object has. */
  readonly required: ReadonlySet<string>
  /** Whether objects can have properties that are not in `properties`. */
  readonly isOpen: boolean
  readonly items?: SchemaPart
  /** The values of properties that are not in `properties`, as in maps. Absent: any or none. */
  readonly others?: SchemaPart
  /** The values at one position or with some names, by keyword: `prefixItems 0`, `patternProperties ^x-`. */
  readonly inner: ReadonlyMap<string, SchemaPart>
  /** Keywords that are only compared as a whole. */
  readonly opaque: readonly object[]
  /** Whether it is too large, so that it was not read. */
  readonly isCut?: true
  /** The schemas of which a value has to match one, by name, or by `#` and an id without one. Absent if it is one schema. */
  readonly alternatives?: ReadonlyMap<string, Alternative>
  readonly default?: ExactValue
  readonly isDeprecated: boolean
  readonly isReadOnly: boolean
  readonly isWriteOnly: boolean
}

export interface Alternative {
  part: SchemaPart
  /** The property that tells it apart, and its value there. Absent without a discriminator. */
  tag?: [property: string, value: string] | undefined
}

export const allTypes: readonly string[] = ['string', 'number', 'boolean', 'object', 'array', 'null']

export const anything: SchemaView = {
  types: new Set(allTypes),
  limits: new Map(),
  conditions: new Set(),
  properties: new Map(),
  required: new Set(),
  inner: new Map(),
  opaque: [],
  isOpen: true,
  isDeprecated: false,
  isReadOnly: false,
  isWriteOnly: false,
}

/** Of values about which a schema says nothing. */
export const anyPart: SchemaPart = { id: '*', path: [], schema: undefined, view: () => anything }

export const nothing: SchemaView = { ...anything, types: new Set() }

/** Whether a value can be anything, whatever it is beside others. */
export function isAnything({ types, values, items, others, inner, properties, isOpen }: SchemaView): boolean {
  return types.size === allTypes.length && !values && !items && !others && inner.size + properties.size === 0 && isOpen
}

/** What a part says about one of its types. */
const typedParts: (part: SchemaPart) => Map<string, SchemaPart> = oncePer(
  (part: SchemaPart) =>
    new Map(
      [...part.view().types].map((type) => {
        const view = part.view()
        const values = view.values?.filter((value) => typeOf(value) === type)
        const own = once(() => ({ ...view, types: new Set([type]), ...(values && { values }) }))
        return [
          type,
          view.types.size === 1 ? part : { ...part, id: `${part.id} ${type}`, schema: undefined, view: own },
        ]
      }),
    ),
)

/** The alternatives that have a type, each without its other types. A part without alternatives is one itself. */
export function alternativesOf(part: SchemaPart, type: string): [name: string, each: Alternative][] {
  const { alternatives = new Map<string, Alternative>([['#', { part }]]) } = part.view()
  return [...alternatives].flatMap(([name, each]): [string, Alternative][] => {
    const typed = typedParts(each.part).get(type)
    return typed ? [[name, { ...each, part: typed }]] : []
  })
}

const nothingPart: SchemaPart = { ...anyPart, id: '-', view: () => nothing }

const cut: SchemaView = { ...anything, isCut: true }

export const cutPart: SchemaPart = { ...anyPart, id: '?', view: () => cut }

/** @param name of a member of `inner`, which this view or another one has */
export function innerOf({ inner, items, others, isOpen }: SchemaView, name: string): SchemaPart {
  return inner.get(name) ?? (isItem(name) ? items : isOpen ? others : nothingPart) ?? anyPart
}

/** Whether a member of `inner` is about an item of a list, not about a value of an object. */
export function isItem(name: string): boolean {
  return name.startsWith('prefixItems ')
}

export const lowerLimits: readonly string[] = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
export const upperLimits: readonly string[] = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']

/** Of the format `int32`. */
export const int32Limits: ReadonlyMap<string, number> = new Map([
  ['minimum', -(2 ** 31)],
  ['maximum', 2 ** 31 - 1],
])

/** Whether a keyword bounds from below. */
export function isLowerLimit(keyword: string): boolean {
  return lowerLimits.includes(keyword)
}

/** The JSON type of a value, without `integer`. */
export function typeOf(value: ExactValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'bigint' ? 'number' : typeof value
}

/** The type that a limit or a condition is about. */
export function typeOfKeyword(keyword: string): string {
  if (/Length$|^pattern |^format |^contentEncoding /.test(keyword)) return 'string'
  if (/Items$/.test(keyword)) return 'array'
  return keyword.endsWith('Properties') ? 'object' : 'number'
}

/** The types that the values have, as a type without a value is none. */
export function typesWith(values: readonly ExactValue[] | undefined, types: ReadonlySet<string>): ReadonlySet<string> {
  return values ? new Set(values.map(typeOf).filter((type) => types.has(type))) : types
}
