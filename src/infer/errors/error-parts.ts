/** Compiles the schema of an error body to its parts: a template with the places of the facts about a refusal. */
import type { SampledPart } from '../../behaviour/members.js'
import type { ErrorPart } from '../../contract/documented-response.js'
import type { OpenApiDocument, Schema, SchemaObject } from '../../document/document.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { isNamed, isWritten } from '../../lexicon/error-properties.js'
import { chooseByReason } from '../../lexicon/error-words.js'
import { singular } from '../../lexicon/words.js'
import { typesOf } from '../../schemas/compile-plans.js'
import { allowedValues, exampleValue, type FlatSchema, flattenSchema } from '../../schemas/flatten-schema.js'
import { toVariants } from '../../schemas/schema-variants.js'
import { examplesAt } from './error-examples.js'
import {
  blankType,
  chooseValue,
  compileFlag,
  compileNumber,
  compileString,
  type Draft,
  type Drafting,
  type ErrorResponse,
  type Place,
  toConstant,
  toDraft,
} from './error-facts.js'
import { type Strength, sourceOf, strengthOf } from './error-names.js'

const maxDepth = 6
/** Maximum schemas of one body. Further ones are left out. */
const maxSchemas = 2_000

/** Gives the message to the texts that are certainly for people, or else to the most likely one. */
export function compileErrorPart(
  document: OpenApiDocument,
  schema: Schema,
  shown: unknown,
  source: ErrorResponse,
): ErrorPart | undefined {
  const { examples } = source
  const root: Place = { shown, examples, isRequired: true, isEntry: false, isOfErrors: true, beside: 0, depth: 0 }
  const first: Drafting = { document, source, surest: 0, left: 0, open: new Set(), count: 0 }
  compile(first, schema, root)
  const { surest } = first
  const second: Drafting = { ...first, left: surest >= 3 ? Infinity : 1, open: new Set(), count: 0 }
  return compile(second, schema, root)?.part
}

function compile(drafting: Drafting, schema: Schema, place: Place): Draft | undefined {
  const id = typeof schema === 'object' ? (schema.$ref ?? schema) : schema
  if (drafting.open.has(id) || place.depth > maxDepth || ++drafting.count > maxSchemas) return undefined
  if (typeof schema === 'object') drafting.open.add(id)
  const { left } = drafting
  let least = left
  const drafts = joinEnums(toVariants(drafting.document, schema)).flatMap((variant) => {
    // biome-ignore lint/style/noParameterAssign: counts within one error body
    drafting.left = left
    const draft = compileVariant(drafting, variant, place)
    least = Math.min(least, drafting.left)
    return draft ? [{ ...draft, properties: variant.properties ?? {} }] : []
  })
  // biome-ignore lint/style/noParameterAssign: counts within one error body
  drafting.left = least
  drafting.open.delete(id)
  const rank = ({ strength, isTelling }: Draft) => 2 * strength + Number(isTelling)
  return joinBranches(
    drafting,
    drafts.toSorted((one, other) => rank(other) - rank(one)),
    place,
  )
}

/** Joins alternatives that a property distinguishes: a refusal takes the one with a matching value, else the first. */
function joinBranches(
  drafting: Drafting,
  drafts: (Draft & Pick<SchemaObject, 'properties'>)[],
  place: Place,
): Draft | undefined {
  const [first, ...others] = drafts
  for (const name of others.length > 0 ? Object.keys(first?.properties ?? {}) : []) {
    const tags = drafts.map(({ properties = {} }) => {
      return allowedValues(flat(drafting, ownValue(properties, name) ?? true).keywords) ?? []
    })
    if (tags.some((values) => values.length === 0)) continue
    const chosen = Object.entries(chooseByReason([...new Set(tags.flat())], [], place.isEntry))
    const branches = chosen.map(([key, value]) => [key, tags.findIndex((values) => values.includes(value))] as const)
    if (!first || branches.every(([, index]) => index === 0)) continue
    const parts = drafts.map(({ part }) => part)
    return { ...first, part: { from: 'branch', values: Object.fromEntries(branches), parts } }
  }
  return first
}

const byType: Record<string, (drafting: Drafting, variant: SchemaObject, place: Place) => Draft | undefined> = {
  object: compileObject,
  array: compileList,
  string: compileString,
  boolean: compileFlag,
}

function compileVariant(drafting: Drafting, variant: SchemaObject, place: Place): Draft | undefined {
  if (variant.enum) return chooseValue(drafting, variant.enum, variant, place)
  const types = typesOf(variant) ?? []
  const type = types.find((each) => each !== 'null') ?? types[0]
  // JSON-LD and protobuf use such names for the type of an object.
  const isOfFormat = isWritten('format', place.name ?? '')
  const draft = isOfFormat ? undefined : (ownValue(byType, type ?? 'string') ?? compileNumber)(drafting, variant, place)
  if (draft || !place.isRequired) return draft
  if (types.includes('null')) return toConstant(null)
  const value = madeOf(type, variant, place.shown)
  const part: SampledPart = { from: 'sample', schema: variant }
  return value === undefined ? { ...toConstant(value), part: part as unknown as ErrorPart } : toConstant(value)
}

/** A neutral value for a required property. Undefined if one must be made. */
function madeOf(type: string | undefined, variant: SchemaObject, shown: unknown): unknown {
  const { minLength = 0, minItems = 0, format, pattern } = variant
  const isFree = format === undefined && pattern === undefined && minLength === 0 && minItems === 0
  const blank = isFree ? ownValue<unknown>({ array: [], string: '' }, type ?? '') : undefined
  return shown ?? exampleValue(variant) ?? blank
}

function compileObject(drafting: Drafting, variant: SchemaObject, place: Place): Draft | undefined {
  const { additionalProperties: others } = variant
  const described = describeMembers(drafting, variant, place)
  if (described.length === 0) return isObject(others) ? compileMany(drafting, 'map', others, place) : undefined
  const beside = Math.max(...described.map(({ strength }) => strength)) as Strength
  const hasPointer = described.some(({ name }) => isWritten('pointer', name))
  const drafts = described.flatMap(({ name, as, schema, isRequired }) => {
    const isOfErrors = isNamed('errors', name) || (place.isOfErrors && !isNamed('aside', name))
    const shown = isObject(place.shown) ? ownValue(place.shown, name) : undefined
    const examples = examplesAt(place.examples, name)
    const isOpen = !variant.required?.length
    const inner = {
      ...place,
      name: as,
      shown,
      examples,
      isRequired,
      isOpen,
      isOfErrors,
      beside,
      depth: place.depth + 1,
    }
    const isParameter = hasPointer && isWritten('parameter', name)
    const draft = isParameter ? toDraft('parameter') : compile(drafting, schema, inner)
    return draft && (isRequired || draft.isTelling) ? [{ ...draft, name, isRequired }] : []
  })
  const kept = withoutDoubled(drafts, place.isEntry)
  const strength = Math.max(0, ...kept.map((draft) => draft.strength)) as Strength
  const isTelling = kept.some((draft) => draft.isTelling)
  return { part: { from: 'object', members: toMembers(kept, drafts) }, strength, isTelling }
}

/** A member of an object. */
interface MemberDraft extends Draft {
  name: string
  isRequired: boolean
}

/** The properties of an object, with the names that say what they are. */
function describeMembers(drafting: Drafting, variant: SchemaObject, place: Place) {
  const { properties = {}, required = [], additionalProperties: others } = variant
  const names = [...new Set([...Object.keys(properties), ...required])]
  const isHolder =
    isNamed('holder', place.name ?? '') &&
    !names.some((name) => isNamed('message', name) || isNamed('summary', name) || isNamed('field', name))
  return names.flatMap((name) => {
    // A required property may have no schema.
    const schema = ownValue(properties, name) ?? (isObject(others) ? others : { type: 'string' })
    const { types, keywords } = flat(drafting, schema)
    const isText = types.has('string') && !keywords.enum
    const as = isHolder && isNamed('held', name) ? place.name : name
    const strength = isText ? strengthOf(as, keywords, keywords.example) : 0
    return keywords['writeOnly'] === true ? [] : [{ name, as, schema, strength, isRequired: required.includes(name) }]
  })
}

/** Leaves out optional objects beside a message, which would repeat it, unless they are errors. */
function withoutDoubled(drafts: readonly MemberDraft[], isEntry: boolean): MemberDraft[] {
  const hasMessage = drafts.some(({ part }) => part.from === 'message')
  return drafts.filter(
    ({ name, part, isRequired }) =>
      isRequired || !isOfMembers(part) || !hasMessage || isNamed('errors', name) || isEntry,
  )
}

function toMembers(
  kept: readonly MemberDraft[],
  all: readonly MemberDraft[],
): [name: string, part: ErrorPart, isOptional?: boolean][] {
  const isAlso = all.some(({ part, strength }) => part.from === 'message' || (strength > 0 && !('item' in part)))
  // RFC 9457, section 4.2.1: the title of this type is the reason phrase of the status.
  const isBlank = kept.some(({ part }) => part.from === 'constant' && part.value === blankType)
  return kept.map(({ name, part, strength, isRequired }) => {
    const isExtra = isAlso && !isRequired && (part.from === 'list' || part.from === 'map')
    const written = isBlank && part.from === 'title' ? ({ from: 'phrase' } as const) : part
    const whole = isExtra ? { ...part, isExtra } : written
    return isRequired || strength > 0 ? [name, whole] : [name, whole, true]
  })
}

function compileList(drafting: Drafting, { items = true }: SchemaObject, place: Place): Draft | undefined {
  const { name = '', isEntry } = place
  if (!isEntry || sourceOf(name, isEntry, undefined) !== 'field') return compileMany(drafting, 'list', items, place)
  const { types } = flat(drafting, items)
  const part: ErrorPart = {
    from: 'steps',
    isPlaced: isWritten('location', name),
    isText: types.has('string') && types.size === 1,
  }
  return { part, strength: 0, isTelling: true }
}

function compileMany(drafting: Drafting, from: 'list' | 'map', item: Schema, place: Place): Draft | undefined {
  const [shown] = typeof place.shown === 'object' ? Object.values(place.shown ?? {}) : []
  const isOfErrors = place.isOfErrors && (place.name === undefined || isNamed('errors', place.name))
  const one = singular(place.name ?? '')
  const isOfFields = from === 'list' && place.isOfErrors && isNamed('field', one)
  // The keys of a map are places, so the name of the map does not describe its values.
  const name = from === 'map' && isOfErrors ? undefined : isOfFields ? one : place.name
  const depth = place.depth + 1
  const examples = examplesAt(place.examples)
  const draft = compile(drafting, item, {
    name,
    shown,
    examples,
    isRequired: true,
    isEntry: true,
    isOfErrors,
    beside: 0,
    depth,
  })
  return draft?.isTelling ? { ...draft, part: { from, item: draft.part } } : undefined
}

function flat({ document }: Drafting, value: Schema): FlatSchema {
  return flattenSchema(document, { value, path: [] })
}

/** Joins alternatives that are single values with descriptions to one enum. */
function joinEnums(variants: SchemaObject[]): SchemaObject[] {
  if (variants.length < 2 || variants.some((each) => !each.enum)) return variants
  const texts = variants.flatMap(({ description, title, enum: values = [] }) => values.map(() => description ?? title))
  const values = variants.flatMap((each) => each.enum ?? [])
  return [{ ...variants[0], enum: values, description: undefined, 'x-enum-descriptions': texts }]
}

const isOfMembers = ({ from }: ErrorPart) => from === 'object' || from === 'branch'
