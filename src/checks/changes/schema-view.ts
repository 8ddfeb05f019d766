/**
 * What a schema allows, with its references, parts and alternatives combined, so that two ways to write the same schema look
 * the same.
 */
import {
  type DocumentPath,
  isReference,
  type Located,
  type OpenApiDocument,
  type Reference,
  type Schema,
  type SchemaObject,
} from '../../compile/document.js'
import { resolve } from '../../compile/references.js'
import type { ExactValue } from '../../json/exact-value.js'
import { getOrInsert } from '../../json/own-value.js'
import { isSameJson } from '../../json/same-json.js'

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
  /** The named schemas of which a value has to match one, by name. Absent: none. */
  readonly alternatives?: ReadonlyMap<string, Alternative>
  readonly default?: ExactValue
  readonly isReadOnly: boolean
  readonly isWriteOnly: boolean
}

export interface Alternative {
  part: SchemaPart
  /** The property that tells it apart, and its value there. Absent without a discriminator. */
  tag?: [property: string, value: string] | undefined
}

const allTypes = ['string', 'number', 'boolean', 'object', 'array', 'null']

const anything: SchemaView = {
  types: new Set(allTypes),
  limits: new Map(),
  conditions: new Set(),
  properties: new Map(),
  required: new Set(),
  isOpen: true,
  isReadOnly: false,
  isWriteOnly: false,
}

/** Of values about which a schema says nothing. */
export const anyPart: SchemaPart = { id: '*', path: [], schema: undefined, view: () => anything }

const nothing: SchemaView = { ...anything, types: new Set() }

/** Maximum length of the id of a combination. Schemas that refer to each other can be combined without end. */
const maxId = 4000

/** Formats that limit which values are valid. Others only describe them. */
const checkedFormats = new Set(
  'date date-time time duration email hostname ipv4 ipv6 uuid uri uri-reference byte'.split(' '),
)

const lowerLimits = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
const upperLimits = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']

/** Whether a keyword bounds from below. */
export function isLowerLimit(keyword: string): boolean {
  return lowerLimits.includes(keyword)
}

/** Reads the schemas of a document. Results are shared. */
export function createViews(document: OpenApiDocument): (schema: Located<Schema>) => SchemaPart {
  const single = new Map<Schema, SchemaPart>()
  const combined = new Map<string, SchemaPart>()
  const membersOf = new Map<SchemaPart, { sign: string; parts: readonly SchemaPart[] }>()

  function toPart(schema: Located<Schema>): SchemaPart {
    const { value, path } =
      isReference(schema.value) && Object.keys(schema.value).length === 1 ? follow(schema) : schema
    return getOrInsert(single, value, () => toLazy(`${single.size}`, path, value, () => viewOf({ value, path })))
  }

  function follow({ value, path }: Located<Schema>): Located<Schema> {
    return resolve<Schema>(document, value, path)
  }

  function viewOf({ value, path }: Located<Schema>): SchemaView {
    if (typeof value === 'boolean') return value ? anything : nothing
    const at = (...keys: (string | number)[]) => [...path, ...keys]
    const own = ownView(value, (name, inner) => toPart({ value: inner, path: at(...name) }))
    const first = (value.prefixItems ?? []).map((inner, index) =>
      toPart({ value: inner, path: at('prefixItems', index) }),
    )
    const items = own.items ? [...first, own.items] : first
    const views = [first.length === 0 ? own : { ...own, items: combine(items, '|', anyOf) }]
    if (isReference(value)) views.push(toPart(resolve<Schema>(document, { $ref: value.$ref }, path)).view())
    for (const [index, part] of (value.allOf ?? []).entries()) {
      views.push(toPart({ value: part, path: at('allOf', index) }).view())
    }
    for (const keyword of ['oneOf', 'anyOf'] as const) {
      const parts = (value[keyword] ?? []).map((part, index) => toPart({ value: part, path: at(keyword, index) }))
      if (parts.length > 0) views.push(anyOf(parts.map((part) => part.view())))
    }
    const alternatives = value.oneOf ?? value.anyOf ?? []
    if (value.discriminator && alternatives.length > 0) views.push(tagView(value, path))
    if (alternatives.length > 1) views.push({ ...anything, alternatives: toAlternatives(value, alternatives, path) })
    return views.length === 1 ? (views[0] ?? anything) : allOf(views)
  }

  /** The names of the alternatives in the property that tells them apart (OpenAPI 3.1, section 4.8.25). */
  function tagView({ discriminator, oneOf, anyOf: any }: SchemaObject, path: DocumentPath): SchemaView {
    const { propertyName = '', mapping = {} } = discriminator ?? {}
    const targets = new Set(Object.values(mapping))
    const implied = (oneOf ?? any ?? []).flatMap((each) =>
      isReference(each) && !targets.has(each.$ref) ? [nameOf(each)] : [],
    )
    const values = [...Object.keys(mapping), ...implied]
    const id = `tag ${JSON.stringify([propertyName, ...values])}`
    const part = toLazy(id, path, undefined, () => ({ ...anything, values }))
    return { ...anything, properties: new Map([[propertyName, part]]) }
  }

  /** Those with a name: that of the `$ref`, or the only value of a property. */
  function toAlternatives(
    { discriminator }: SchemaObject,
    all: readonly Schema[],
    path: DocumentPath,
  ): Map<string, Alternative> {
    return new Map(
      all.flatMap((each): [string, Alternative][] => {
        const part = toPart({ value: each, path })
        const constant = constantOf(part.schema)
        const name = isReference(each) ? nameOf(each) : constant?.join('=')
        if (name === undefined) return []
        const mapped = Object.entries(discriminator?.mapping ?? {}).find(
          ([, target]) => isReference(each) && target === each.$ref,
        )
        const tag: Alternative['tag'] = discriminator ? [discriminator.propertyName, mapped?.[0] ?? name] : constant
        return [[name, { part, ...(tag && { tag }) }]]
      }),
    )
  }

  function combine(parts: readonly SchemaPart[], sign: string, merge: (views: SchemaView[]) => SchemaView): SchemaPart {
    // Parts of the same combination in another order or nesting are the same.
    const flat = parts.flatMap((part) => (membersOf.get(part)?.sign === sign ? membersOf.get(part)?.parts : part) ?? [])
    const distinct = [...new Map(flat.map((part) => [part.id, part])).values()].sort(byId)
    const [first] = distinct
    if (first && distinct.length === 1) return first
    const id = `(${distinct.map((part) => part.id).join(sign)})`
    if (first && id.length > maxId) return first
    return getOrInsert(combined, id, () => {
      const path = parts[0]?.path ?? []
      const part = toLazy(id, path, undefined, () => merge(distinct.map((each) => each.view())))
      membersOf.set(part, { sign, parts: distinct })
      return part
    })
  }

  /** What is valid by all views. */
  function allOf(views: readonly SchemaView[]): SchemaView {
    const values = views.flatMap((view) => (view.values ? [view.values] : []))
    const [first, ...others] = values
    const items = views.flatMap((view) => view.items ?? [])
    const maps = views.flatMap((view) => view.others ?? [])
    const given = views.find((view) => view.default !== undefined)
    const choice = views.find((view) => view.alternatives)
    const left = first?.filter((value) => others.every((list) => list.some((each) => isSameJson(each, value))))
    return {
      types: typesWith(left, new Set(allTypes.filter((type) => views.every((view) => view.types.has(type))))),
      ...(left && { values: left }),
      limits: mergeLimits(views, (lower) => (lower ? Math.max : Math.min)),
      conditions: new Set(views.flatMap((view) => [...view.conditions])),
      properties: mergeProperties(views, (parts) => combine(parts, '&', allOf)),
      required: new Set(views.flatMap((view) => [...view.required])),
      isOpen: views.every((view) => view.isOpen),
      ...(items.length > 0 && { items: combine(items, '&', allOf) }),
      ...(maps.length > 0 && { others: combine(maps, '&', allOf) }),
      ...(given && { default: given.default as ExactValue }),
      ...(choice?.alternatives && { alternatives: choice.alternatives }),
      isReadOnly: views.some((view) => view.isReadOnly),
      isWriteOnly: views.some((view) => view.isWriteOnly),
    }
  }

  /** What is valid by at least one view. */
  function anyOf(views: readonly SchemaView[]): SchemaView {
    const withType = (type: string) => views.filter((view) => view.types.has(type))
    const objects = withType('object')
    const items = withType('array').flatMap((view) => view.items ?? [])
    const maps = objects.flatMap((view) => view.others ?? [])
    const values = views.map(allValuesOf)
    return {
      types: new Set(views.flatMap((view) => [...view.types])),
      ...(values.every((list) => list !== undefined) && { values: values.flat() as ExactValue[] }),
      // An alternative of another type has no say about it.
      // An alternative of another type has no say about a limit or a condition.
      limits: new Map(
        [...upperLimits, ...lowerLimits].flatMap((keyword) => {
          const own = withType(typeOfKeyword(keyword)).map((view) => view.limits.get(keyword))
          const isKnown = own.length > 0 && own.every((limit) => limit !== undefined)
          return isKnown ? [[keyword, (isLowerLimit(keyword) ? Math.min : Math.max)(...(own as number[]))]] : []
        }),
      ),
      conditions: new Set(
        views.flatMap(({ conditions }) =>
          [...conditions].filter((condition) =>
            withType(typeOfKeyword(condition)).every((view) => view.conditions.has(condition)),
          ),
        ),
      ),
      properties: mergeProperties(objects, (parts) => combine(parts, '|', anyOf)),
      required: new Set(
        [...(objects[0]?.required ?? [])].filter((name) => objects.every((view) => view.required.has(name))),
      ),
      isOpen: objects.length === 0 || objects.some((view) => view.isOpen),
      ...(items.length > 0 && { items: combine(items, '|', anyOf) }),
      ...(maps.length > 0 && maps.length === objects.length && { others: combine(maps, '|', anyOf) }),
      isReadOnly: views.every((view) => view.isReadOnly),
      isWriteOnly: views.every((view) => view.isWriteOnly),
    }
  }

  return toPart
}

/** The last name of a `$ref`. */
function nameOf({ $ref }: Reference): string {
  return $ref.slice($ref.lastIndexOf('/') + 1)
}

/** The property that can have only one text, if there is one. */
function constantOf(schema: Schema | undefined): Alternative['tag'] {
  if (typeof schema !== 'object') return undefined
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const { const: value = undefined, enum: list = [value] } = typeof property === 'object' ? property : {}
    if (list.length === 1 && typeof list[0] === 'string') return [name, list[0]]
  }
  return undefined
}

function byId(one: SchemaPart, other: SchemaPart): number {
  return one.id < other.id ? -1 : 1
}

function toLazy(id: string, path: DocumentPath, schema: Schema | undefined, make: () => SchemaView): SchemaPart {
  let known: SchemaView | undefined
  let isOpen = false
  return {
    id,
    path,
    schema,
    view() {
      // A part of itself adds nothing.
      if (isOpen) return anything
      isOpen = true
      known ??= make()
      isOpen = false
      return known
    },
  }
}

/** The view of a schema without its references, parts and alternatives. */
function ownView(
  schema: Exclude<Schema, boolean>,
  toPart: (path: (string | number)[], schema: Schema) => SchemaPart,
): SchemaView {
  const { type, enum: list, properties = {}, required = [], items, format, pattern, multipleOf } = schema
  const listed = (schema.const === undefined ? list : [schema.const]) as ExactValue[] | undefined
  const written = type === undefined ? impliedTypes(schema) : [type].flat()
  // Who writes `nullable` beside an `enum` means null, although it is not listed.
  const values = listed && written.includes('null') && !listed.includes(null) ? [...listed, null] : listed
  const types = typesWith(values, new Set(written.map((each) => each.replace('integer', 'number'))))
  const isWhole = written.includes('integer') && !written.includes('number')
  // An `int64` has no limit that values reach.
  const isInt32 = isWhole && format === 'int32'
  const { additionalProperties: others, unevaluatedProperties: unevaluated } = schema
  return {
    types,
    ...(values && { values: type === undefined ? values : values.filter((value) => types.has(typeOf(value))) }),
    limits: new Map(
      [...lowerLimits, ...upperLimits].flatMap((keyword) => {
        const limit = isInt32 ? withinInt32(keyword, schema[keyword]) : schema[keyword]
        return typeof limit !== 'number' || (limit === 0 && /^min./.test(keyword) && keyword !== 'minimum')
          ? []
          : [toInclusive(keyword, limit, isWhole)]
      }),
    ),
    conditions: new Set([
      ...(isWhole ? ['integer'] : []),
      ...(format !== undefined && checkedFormats.has(format) ? [`format ${format}`] : []),
      ...(format === 'uri' ? ['format uri-reference'] : []),
      // OpenAPI 3.1 writes the format `byte` in this way.
      ...(schema['contentEncoding'] === 'base64' ? ['format byte'] : []),
      ...(pattern === undefined ? [] : [`pattern ${pattern}`]),
      ...(multipleOf === undefined ? [] : [`multipleOf ${multipleOf}`]),
      ...(schema.uniqueItems ? ['uniqueItems'] : []),
    ]),
    properties: new Map(Object.entries(properties).map(([name, inner]) => [name, toPart(['properties', name], inner)])),
    required: new Set(required),
    isOpen: others !== false && (others !== undefined || unevaluated !== false),
    ...(items !== undefined && { items: toPart(['items'], items) }),
    ...(isMap(others) && { others: toPart(['additionalProperties'], others) }),
    ...(schema.default !== undefined && { default: schema.default as ExactValue }),
    isReadOnly: schema.readOnly === true,
    isWriteOnly: schema.writeOnly === true,
  }
}

/** Whether `additionalProperties` says which values a map has. */
function isMap(others: Schema | undefined): others is SchemaObject {
  return typeof others === 'object' && Object.keys(others).length > 0
}

/** The types that the values have, as a type without a value is none. */
function typesWith(values: readonly ExactValue[] | undefined, types: ReadonlySet<string>): ReadonlySet<string> {
  return values ? new Set(values.map(typeOf).filter((type) => types.has(type))) : types
}

function withinInt32(keyword: string, limit: unknown): unknown {
  const own = typeof limit === 'number' ? limit : undefined
  if (keyword === 'minimum') return Math.max(own ?? -(2 ** 31), -(2 ** 31))
  return keyword === 'maximum' ? Math.min(own ?? 2 ** 31 - 1, 2 ** 31 - 1) : limit
}

/** An integer has no value between two others. */
function toInclusive(keyword: string, limit: number, isWhole: boolean): [string, number] {
  if (isWhole && /^m..imum$/.test(keyword))
    return [keyword, keyword === 'minimum' ? Math.ceil(limit) : Math.floor(limit)]
  if (!isWhole || !keyword.startsWith('exclusive')) return [keyword, limit]
  return keyword === 'exclusiveMinimum' ? ['minimum', Math.floor(limit) + 1] : ['maximum', Math.ceil(limit) - 1]
}

/** The types that a schema without `type` means by its other keywords. */
function impliedTypes(schema: Exclude<Schema, boolean>): string[] {
  const has = (...keywords: string[]) => keywords.some((keyword) => schema[keyword] !== undefined)
  if (schema.const !== undefined) return [typeOf(schema.const as ExactValue)]
  if (schema.enum) return [...new Set(schema.enum.map((value) => typeOf(value as ExactValue)))]
  if (has('properties', 'required', 'additionalProperties', 'patternProperties')) return ['object']
  if (has('items', 'prefixItems', 'minItems', 'maxItems')) return ['array']
  if (has('minLength', 'maxLength', 'pattern')) return ['string']
  if (has('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf')) return ['number']
  return allTypes
}

/** The JSON type of a value, without `integer`. */
export function typeOf(value: ExactValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'bigint' ? 'number' : typeof value
}

/** All values of a view with few of them. */
function allValuesOf({ types, values }: SchemaView): readonly ExactValue[] | undefined {
  return values ?? (types.size === 1 && types.has('null') ? [null] : undefined)
}

/** The type that a limit or a condition is about. */
export function typeOfKeyword(keyword: string): string {
  if (/Length$|^pattern |^format /.test(keyword)) return 'string'
  if (/Items$/.test(keyword)) return 'array'
  return keyword.endsWith('Properties') ? 'object' : 'number'
}

function mergeLimits(
  views: readonly SchemaView[],
  choose: (isLower: boolean) => (...limits: number[]) => number,
): Map<string, number> {
  const merged = new Map<string, number>()
  for (const { limits } of views) {
    for (const [keyword, limit] of limits) {
      merged.set(keyword, choose(isLowerLimit(keyword))(merged.get(keyword) ?? limit, limit))
    }
  }
  return merged
}

function mergeProperties(
  views: readonly SchemaView[],
  merge: (parts: SchemaPart[]) => SchemaPart,
): Map<string, SchemaPart> {
  const byName = new Map<string, SchemaPart[]>()
  for (const { properties } of views) {
    for (const [name, part] of properties) getOrInsert(byName, name, () => []).push(part)
  }
  return new Map([...byName].map(([name, parts]) => [name, merge(parts)]))
}
