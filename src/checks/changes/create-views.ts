/**
 * Reads schemas with their references, parts and alternatives combined, so that two ways to write the same schema look the same.
 */
import {
  type DocumentPath,
  isReference,
  type Located,
  type OpenApiDocument,
  type Schema,
  type SchemaObject,
} from '../../document/document.js'
import { resolve } from '../../document/references.js'
import type { ExactValue } from '../../json/exact-value.js'
import { getOrInsert } from '../../json/own-value.js'
import { toComparable } from '../../json/same-json.js'
import { implicitName } from '../../schemas/family.js'
import { behindReference } from '../../schemas/flatten-schema.js'
import { constantOf, ownView } from './own-view.js'
import {
  type Alternative,
  allTypes,
  anything,
  cutPart,
  innerOf,
  isAnything,
  isItem,
  isLowerLimit,
  lowerLimits,
  nothing,
  type SchemaPart,
  type SchemaView,
  typeOfKeyword,
  typesWith,
  upperLimits,
} from './schema-view.js'

/** Maximum parts of all combinations of a document. Schemas that refer to each other can be combined without end. */
const maxParts = 5_000_000

/** What was read of a document. */
interface Reader {
  document: OpenApiDocument
  single: Map<Schema, SchemaPart>
  combined: Map<string, SchemaPart>
  /** What each combined part consists of. */
  membersOf: Map<SchemaPart, { sign: Sign; parts: readonly SchemaPart[] }>
  /** Number of parts that may still be combined. */
  left: number
  /** Number of views of what is beside alternatives. */
  rests: number
}

/** `&` for what is valid by all parts, `|` by at least one. */
type Sign = '&' | '|'

/** Reads the schemas of a document. Results are shared. */
export function createViews(document: OpenApiDocument): (schema: Located<Schema>) => SchemaPart {
  const [single, combined, membersOf] = [new Map(), new Map(), new Map()]
  const reader: Reader = { document, single, combined, membersOf, left: maxParts, rests: 0 }
  return (schema) => toPart(reader, schema)
}

function toPart(reader: Reader, schema: Located<Schema>): SchemaPart {
  const { single } = reader
  const { value, path } = behindReference(reader.document, schema)
  return getOrInsert(single, value, () => toLazy(`${single.size}`, path, value, () => viewOf(reader, { value, path })))
}

function viewOf(reader: Reader, { value, path }: Located<Schema>): SchemaView {
  if (typeof value === 'boolean') return value ? anything : nothing
  const partAt = (part: Schema, ...keys: (string | number)[]) =>
    toPart(reader, { value: part, path: [...path, ...keys] })
  const views = [ownView(value, (keys, inner) => partAt(inner, ...keys))]
  if (isReference(value)) {
    views.push(toPart(reader, resolve<Schema>(reader.document, { $ref: value.$ref }, path)).view())
  }
  for (const [index, part] of (value.allOf ?? []).entries()) views.push(partAt(part, 'allOf', index).view())
  const whole = views.length
  for (const keyword of ['oneOf', 'anyOf'] as const) {
    const parts = (value[keyword] ?? []).map((part, index) => partAt(part, keyword, index))
    if (parts.length > 0)
      views.push(
        anyOf(
          reader,
          parts.map((part) => part.view()),
        ),
      )
  }
  const alternatives = value.oneOf ?? value.anyOf ?? []
  if (value.discriminator && alternatives.length > 0) views.push(tagView(value, path))
  if (alternatives.length > 1) views.push(choiceView(reader, value, views.slice(0, whole), path))
  return views.length === 1 ? (views[0] ?? anything) : allOf(reader, views)
}

/** The names of the alternatives in the property that tells them apart (OpenAPI 3.1, section 4.8.25). */
function tagView({ discriminator, oneOf, anyOf: any }: SchemaObject, path: DocumentPath): SchemaView {
  const { propertyName = '', mapping = {} } = discriminator ?? {}
  const targets = new Set(Object.values(mapping))
  const implied = (oneOf ?? any ?? []).flatMap((each) =>
    isReference(each) && !targets.has(each.$ref) ? (implicitName(each) ?? []) : [],
  )
  const values = [...Object.keys(mapping), ...implied]
  const id = `tag ${JSON.stringify([propertyName, ...values])}`
  const part = toLazy(id, path, undefined, () => ({ ...anything, values }))
  return { ...anything, properties: new Map([[propertyName, part]]), required: new Set([propertyName]) }
}

/** The alternatives, each with what is beside them. */
function choiceView(
  reader: Reader,
  { discriminator, oneOf, anyOf: any = [] }: SchemaObject,
  beside: readonly SchemaView[],
  path: DocumentPath,
): SchemaView {
  // Of several names for one schema, the first.
  const mapped = new Map(
    Object.entries(discriminator?.mapping ?? {})
      .reverse()
      .map(([name, target]) => [target, name]),
  )
  const isPlain = beside.every(saysNothing)
  const rest = isPlain ? [] : [toLazy(`r${reader.rests++}`, path, undefined, () => allOf(reader, beside))]
  const own = (oneOf ?? any).map((value) => toPart(reader, { value, path }))
  const alternatives = (oneOf ?? any).map((each, index): [string, Alternative] => {
    const alone = own[index] ?? cutPart
    const part = combine(reader, [...rest, alone], '&')
    const constant = constantOf(alone.schema)
    if (!isReference(each)) return [constant?.join('=') ?? `#${part.id}`, { part, ...(constant && { tag: constant }) }]
    const name = mapped.get(each.$ref) ?? implicitName(each) ?? ''
    const tag: Alternative['tag'] = discriminator ? [discriminator.propertyName, name] : constant
    return [name, { part, ...(tag && { tag }) }]
  })
  // A value that fits several alternatives is valid with `anyOf` only.
  const isExclusive =
    oneOf && !areTagged(alternatives.map(([, { tag }]) => tag)) && !areDisjoint(own.map((part) => part.view()))
  return {
    ...anything,
    alternatives: toMap(alternatives),
    ...(isExclusive && { opaque: [{ oneOf: 'no value fits two of them' }] }),
  }
}

function combine(reader: Reader, parts: readonly SchemaPart[], sign: Sign): SchemaPart {
  const { combined, membersOf } = reader
  reader.left -= parts.length
  // Parts of the same combination in another order or nesting are the same.
  const flat = parts.flatMap((part) => (membersOf.get(part)?.sign === sign ? membersOf.get(part)?.parts : part) ?? [])
  const distinct = [...new Map(flat.map((part) => [part.id, part])).values()].sort(byId)
  const [first] = distinct
  if (first && distinct.length === 1) return first
  if (reader.left < 0) return cutPart
  return getOrInsert(combined, distinct.map((part) => part.id).join(sign), () => {
    const path = parts[0]?.path ?? []
    const merge = sign === '&' ? allOf : anyOf
    const part = toLazy(`c${combined.size}`, path, undefined, () =>
      merge(
        reader,
        distinct.map((each) => each.view()),
      ),
    )
    membersOf.set(part, { sign, parts: distinct })
    return part
  })
}

/** What is valid by all views. */
function allOf(reader: Reader, views: readonly SchemaView[]): SchemaView {
  const [first, ...others] = views.flatMap((view) => (view.values ? [view.values] : []))
  const given = views.find((view) => view.default !== undefined)
  const sets = others.map((list) => new Set(list.map(toComparable)))
  const shared = first?.filter((value) => sets.every((set) => set.has(toComparable(value))))
  return {
    types: typesWith(shared, new Set(allTypes.filter((type) => views.every((view) => view.types.has(type))))),
    ...(shared && { values: shared }),
    conditions: new Set(views.flatMap((view) => [...view.conditions])),
    required: new Set(views.flatMap((view) => [...view.required])),
    isOpen: views.every((view) => view.isOpen),
    ...mergeParts(reader, views, '&', () => views),
    ...(given && { default: given.default as ExactValue }),
    isDeprecated: views.some((view) => view.isDeprecated),
    isReadOnly: views.some((view) => view.isReadOnly),
    isWriteOnly: views.some((view) => view.isWriteOnly),
  }
}

/** What is valid by at least one view. */
function anyOf(reader: Reader, views: readonly SchemaView[]): SchemaView {
  const withType = (type: string) => views.filter((view) => view.types.has(type))
  const objects = withType('object')
  const values = views.map(allValuesOf)
  return {
    types: new Set(views.flatMap((view) => [...view.types])),
    ...(values.every((list) => list !== undefined) && { values: values.flat() as ExactValue[] }),
    conditions: new Set(
      // A condition that all have is one of the first that it is about.
      allTypes.flatMap((type) => {
        const [{ conditions = new Set<string>() } = {}, ...others] = withType(type)
        const own = [...conditions].filter((condition) => typeOfKeyword(condition) === type)
        return own.filter((condition) => others.every((view) => view.conditions.has(condition)))
      }),
    ),
    required: new Set(
      [...(objects[0]?.required ?? [])].filter((name) => objects.every((view) => view.required.has(name))),
    ),
    isOpen: objects.length === 0 || objects.some((view) => view.isOpen),
    ...mergeParts(reader, views, '|', withType),
    isDeprecated: views.every((view) => view.isDeprecated),
    isReadOnly: views.every((view) => view.isReadOnly),
    isWriteOnly: views.every((view) => view.isWriteOnly),
  }
}

/** What both ways to combine views have in common. @param withType those that have a say about values of a type */
function mergeParts(
  reader: Reader,
  views: readonly SchemaView[],
  sign: Sign,
  withType: (type: string) => readonly SchemaView[],
): Pick<SchemaView, 'limits' | 'properties' | 'inner' | 'items' | 'others' | 'opaque' | 'alternatives' | 'isCut'> {
  const objects = withType('object')
  const items = withType('array').flatMap((view) => view.items ?? [])
  const maps = objects.flatMap((view) => view.others ?? [])
  const hasMaps = sign === '&' || maps.length === objects.length
  const alternatives = views.flatMap((view) => [...(view.alternatives ?? [])])
  const limits = [...upperLimits, ...lowerLimits].flatMap((keyword): [string, number][] => {
    const all = withType(typeOfKeyword(keyword)).map((view) => view.limits.get(keyword))
    const known = all.filter((limit) => limit !== undefined)
    // An alternative of another type has no say about a limit or a condition.
    if (known.length === 0 || (sign === '|' && known.length < all.length)) return []
    return [[keyword, known.reduce(isLowerLimit(keyword) === (sign === '|') ? least : greatest)]]
  })
  const properties = new Map<string, SchemaPart[]>()
  for (const [name, part] of objects.flatMap((view) => [...view.properties])) {
    getOrInsert(properties, name, () => []).push(part)
  }
  const inner = new Map<string, SchemaPart[]>()
  for (const name of views.flatMap((view) => [...view.inner.keys()])) {
    const typed = views.filter(({ types }) => types.has(isItem(name) ? 'array' : 'object'))
    const toParts = () => typed.map((view) => innerOf(view, name))
    if (typed.length > 0) getOrInsert(inner, name, toParts)
  }
  const mergeAll = (all: ReadonlyMap<string, SchemaPart[]>) =>
    new Map([...all].map(([name, parts]) => [name, combine(reader, parts, sign)]))
  return {
    limits: new Map(limits),
    properties: mergeAll(properties),
    inner: mergeAll(inner),
    ...(items.length > 0 && { items: combine(reader, items, sign) }),
    ...(maps.length > 0 && hasMaps && { others: combine(reader, maps, sign) }),
    opaque: views.flatMap(({ opaque }) => opaque),
    ...(alternatives.length > 0 && { alternatives: toMap(alternatives) }),
    ...(views.some(({ isCut }) => isCut) && { isCut: true }),
  }
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

function saysNothing(view: SchemaView): boolean {
  return isAnything(view) && view.limits.size + view.conditions.size + view.required.size + view.opaque.length === 0
}

/** Whether a property tells alternatives apart. */
function areTagged(tags: readonly Alternative['tag'][]): boolean {
  const distinct = new Set(tags.map((tag) => tag?.join('=')))
  return !distinct.has(undefined) && distinct.size === tags.length
}

/** Whether no value can fit two views, by their types or listed values. */
function areDisjoint(views: readonly SchemaView[]): boolean {
  const kinds = views.flatMap(({ values, types }) => values?.map(toComparable) ?? [...types])
  return new Set(kinds).size === kinds.length
}

/** Several alternatives can have one name. */
function toMap(alternatives: readonly [name: string, each: Alternative][]): Map<string, Alternative> {
  const map = new Map<string, Alternative>()
  for (const [name, each] of alternatives) {
    const known = map.get(name)
    map.set(known && known.part !== each.part ? `#${each.part.id}` : name, each)
  }
  return map
}

/** All values of a view with few of them. */
function allValuesOf({ types, values }: SchemaView): readonly ExactValue[] | undefined {
  return values ?? (types.size === 1 && types.has('null') ? [null] : undefined)
}

// Limits beyond doubles are bigints, which `Math.max` refuses.
const greatest = (one: number, other: number) => (other > one ? other : one)
const least = (one: number, other: number) => (other < one ? other : one)
