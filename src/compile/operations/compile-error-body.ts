/** Compiles the documented schema of an error response to a body that a refusal can fill in. */
import type { ErrorBody, ErrorPart, ErrorSource, UsualField } from '../../contract/documented-response.js'
import { getOrInsert, isObject, ownValue } from '../../json/own-value.js'
import { jsonContent } from '../describe-operations.js'
import {
  type Located,
  type OpenApiDocument,
  type ResponseObject,
  type Schema,
  type SchemaObject,
  schemaOf,
} from '../document.js'
import { singular } from '../resources/paths/words.js'
import { givenExample } from '../samples/sample-body.js'
import { typesOf } from '../schemas/compile-plans.js'
import { flattenSchema } from '../schemas/flatten-schema.js'
import { sample, sampleGiven } from '../schemas/sample.js'
import { toVariants } from '../schemas/schema-variants.js'
import { type EnsureCompiler, placeOf } from './compile-ensure.js'
import {
  besideMessage,
  chooseByReason,
  isNamed,
  isStatus,
  isStatusPlace,
  isSuccess,
  type Strength,
  sourceOf,
  strengthOf,
} from './error-names.js'
import { bareMediaType, codecOf, isRange, isXml } from './media-types.js'

/** The fields of an error body if none is documented. */
export const usualFields: UsualField[] = ['code', 'message', 'status']

/** Compiles the error bodies of a document, each schema once. @returns undefined if the response documents no body */
export type CompileErrorBody = (response: Located<ResponseObject>) => ErrorBody | undefined

export function createErrorBodyCompiler(document: OpenApiDocument, ensures: EnsureCompiler): CompileErrorBody {
  const known = new Map<string, ErrorBody>()

  return function compileErrorBody(response) {
    const content = jsonContent(response.value.content, response.path)
    if (!content) return compileText(response)
    if (content.value.schema === undefined) return undefined
    const { mediaType } = content
    const schema = schemaOf(content)
    const shown = givenExample(document, content)
    const id = `${mediaType} ${placeOf(document, schema)} ${JSON.stringify(shown)}`
    return getOrInsert(known, id, () => compile(schema, mediaType, shown))
  }

  function compile(schema: Located<Schema>, mediaType: string, shown: unknown): ErrorBody {
    const part = compileRoot(document, schema.value, shown)
    const fields = toUsual(document, schema, part)
    const ensure = ensures.addFor(
      schema,
      () => fields && Object.fromEntries(fields.map((name) => [name, samples[name]])),
    )
    return { mediaType, ...(fields ? { fields } : { part }), ...(ensure && { ensure }) }
  }
}

/** An error body that is not JSON. */
function compileText({ value }: Located<ResponseObject>): ErrorBody | undefined {
  const names = Object.keys(value.content ?? {}).filter((name) => !isRange(name))
  const text = names.find((name) => codecOf(bareMediaType(name)) === 'text')
  const name = text ?? names.find(isXml)
  return name === undefined ? undefined : { mediaType: bareMediaType(name), form: text === undefined ? 'xml' : 'text' }
}

const samples: Record<UsualField, unknown> = { code: 'code', message: 'message', status: 500 }

/** Keywords that allow only some texts or numbers. */
const bounds = ['enum', 'const', 'pattern', 'format', 'minLength', 'maxLength', 'minimum', 'maximum', 'multipleOf']

/** The properties of an object with only usual properties that allow any text or number. */
function toUsual(document: OpenApiDocument, schema: Located<Schema>, part?: ErrorPart): UsualField[] | undefined {
  const members = !part ? [] : part.from === 'object' ? part.members : undefined
  // A schema without named properties may still allow the usual ones.
  if (members?.length === 0) return usualFields
  const { properties } = flattenSchema(document, schema)
  const isUsual = ([name, { from }]: [string, ErrorPart, boolean?]) => {
    const property = properties.get(name)
    const { keywords = {} } = property ? flattenSchema(document, property) : {}
    return name === from && name in samples && !bounds.some((keyword) => keyword in keywords)
  }
  return members?.every(isUsual) ? members.map(([name]) => name as UsualField) : undefined
}

/** The context of a part. */
interface Place {
  /** Name of the property, or of the list with the item. Undefined for the body. */
  name?: string | undefined
  /** A documented example of it. */
  shown: unknown
  isRequired: boolean
  /** Whether the part describes one violation. */
  isEntry: boolean
  /** Whether all enclosing parts describe errors. */
  isOfErrors: boolean
  /** The strongest sibling text. */
  beside: Strength
  depth: number
}

interface Draft {
  part: ErrorPart
  /** The strength of the strongest text in it that gets the message. */
  strength: Strength
  /** Whether it contains any fact about a refusal. */
  isTelling: boolean
}

const maxDepth = 6
/** Maximum schemas of one body. Further ones are left out. */
const maxSchemas = 2_000

/** Gives the message to the texts that are certainly for people, or else to the most likely one. */
function compileRoot(document: OpenApiDocument, schema: Schema, shown: unknown): ErrorPart | undefined {
  const root: Place = { shown, isRequired: true, isEntry: false, isOfErrors: true, beside: 0, depth: 0 }
  const texts: Texts = { surest: 0, left: 0 }
  compileParts(document, texts)(schema, root)
  texts.left = texts.surest >= 3 ? Infinity : 1
  return compileParts(document, texts)(schema, root)?.part
}

interface Texts {
  /** The greatest strength found. */
  surest: Strength
  /** How many texts may get the message. */
  left: number
}

function compileParts(document: OpenApiDocument, texts: Texts): (schema: Schema, place: Place) => Draft | undefined {
  const open = new Set<unknown>()
  let count = 0
  const flat = (value: Schema) => flattenSchema(document, { value, path: [] })
  const byType: Record<string, (variant: SchemaObject, place: Place) => Draft | undefined> = {
    object: compileObject,
    array: compileList,
    string: compileString,
    boolean: compileFlag,
  }
  return compile

  function compile(schema: Schema, place: Place): Draft | undefined {
    const id = typeof schema === 'object' ? (schema.$ref ?? schema) : schema
    if (open.has(id) || place.depth > maxDepth || ++count > maxSchemas) return undefined
    if (typeof schema === 'object') open.add(id)
    const { left } = texts
    let least = left
    const drafts = joinEnums(toVariants(document, schema)).flatMap((variant) => {
      texts.left = left
      const draft = compileVariant(variant, place)
      least = Math.min(least, texts.left)
      return draft ? [{ ...draft, properties: variant.properties ?? {} }] : []
    })
    texts.left = least
    open.delete(id)
    const rank = ({ strength, isTelling }: Draft) => 2 * strength + Number(isTelling)
    return joinBranches(
      drafts.toSorted((one, other) => rank(other) - rank(one)),
      place,
    )
  }

  /** Whether a text gets the message. */
  function isMessage(strength: Strength): boolean {
    if (strength > texts.surest) texts.surest = strength
    return strength > 0 && strength >= Math.min(texts.surest, 3) && texts.left-- > 0
  }

  /** Joins alternatives that a property distinguishes: a refusal takes the one with a matching value, else the first. */
  function joinBranches(drafts: (Draft & Pick<SchemaObject, 'properties'>)[], place: Place): Draft | undefined {
    const [first, ...others] = drafts
    for (const name of others.length > 0 ? Object.keys(first?.properties ?? {}) : []) {
      const tags = drafts.map(({ properties = {} }) => {
        const { keywords } = flat(ownValue(properties, name) ?? true)
        return 'const' in keywords ? [keywords.const] : (keywords.enum ?? [])
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

  function compileVariant(variant: SchemaObject, place: Place): Draft | undefined {
    if (variant.enum) return chooseValue(variant.enum, variant, place)
    const types = typesOf(variant) ?? []
    const type = types.find((each) => each !== 'null') ?? types[0]
    // JSON-LD and protobuf use such names for the type of an object.
    const isOfFormat = /^[@$]/.test(place.name ?? '')
    const draft = isOfFormat ? undefined : (ownValue(byType, type ?? 'string') ?? compileNumber)(variant, place)
    if (draft || !place.isRequired) return draft
    return toConstant(types.includes('null') ? null : madeOf(type, variant, place.shown))
  }

  /** A neutral value for a required property. */
  function madeOf(type: string | undefined, variant: SchemaObject, shown: unknown): unknown {
    const { minLength = 0, minItems = 0, format, pattern } = variant
    const isFree = format === undefined && pattern === undefined && minLength === 0 && minItems === 0
    const blank = isFree ? ownValue<unknown>({ array: [], string: '' }, type ?? '') : undefined
    return shown ?? sampleGiven(variant) ?? blank ?? sample(document, { value: variant, path: [] })
  }

  function chooseValue(values: unknown[], variant: SchemaObject, place: Place): Draft | undefined {
    const { shown, isRequired, isEntry, name } = place
    if (name !== undefined && isNamed('status', name) && values.some(isStatus))
      return toDraft(values.some((value) => typeof value === 'number') ? 'status' : 'statusText')
    const chosen = chooseByReason(values, textsOf(values, variant), isEntry)
    const failures = values.filter((value) => !isSuccess(value))
    const pick = (wanted: unknown) => failures.find((value) => value === wanted)
    const example = pick(shown) ?? (values.length === 1 ? values[0] : undefined)
    const otherwise = example ?? (isRequired ? (pick(sampleGiven(variant)) ?? failures[0] ?? values[0]) : undefined)
    const isTelling = Object.keys(chosen).length > 0
    if (!isTelling && otherwise === undefined) return undefined
    const part: ErrorPart = { from: 'choice', values: chosen, ...(otherwise !== undefined && { otherwise }) }
    return { part, strength: 0, isTelling }
  }

  function compileObject(variant: SchemaObject, place: Place): Draft | undefined {
    const { properties = {}, required = [], additionalProperties: others } = variant
    const names = [...new Set([...Object.keys(properties), ...required])]
    const isHolder =
      isNamed('holder', place.name ?? '') &&
      !names.some((name) => isNamed('message', name) || isNamed('summary', name) || isNamed('field', name))
    const described = names.flatMap((name) => {
      // A required property may have no schema.
      const schema = ownValue(properties, name) ?? (isObject(others) ? others : { type: 'string' })
      const { types, keywords } = flat(schema)
      const isText = types.has('string') && !keywords.enum
      const as = isHolder && isNamed('held', name) ? place.name : name
      const strength = isText ? strengthOf(as, keywords, keywords.example) : 0
      return keywords['writeOnly'] === true ? [] : [{ name, as, schema, strength, isRequired: required.includes(name) }]
    })
    if (described.length === 0) return isObject(others) ? compileMany('map', others, place) : undefined
    const beside = Math.max(...described.map(({ strength }) => strength)) as Strength
    const hasPointer = described.some(({ name }) => /pointer$/i.test(name))
    const drafts = described.flatMap(({ name, as, schema, isRequired }) => {
      const isOfErrors = isNamed('errors', name) || (place.isOfErrors && !isNamed('aside', name))
      const shown = isObject(place.shown) ? ownValue(place.shown, name) : undefined
      const inner = { ...place, name: as, shown, isRequired, isOfErrors, beside, depth: place.depth + 1 }
      const isParameter = hasPointer && /^param(eter)?$/i.test(name)
      const draft = isParameter ? toDraft('parameter') : compile(schema, inner)
      return draft && (isRequired || draft.isTelling) ? [{ ...draft, name, isRequired }] : []
    })
    const hasMessage = drafts.some(({ part }) => part.from === 'message')
    const isAlso = hasMessage || drafts.some(({ part, strength }) => strength > 0 && !('item' in part))
    const kept = drafts.filter(
      ({ name, part, isRequired }) =>
        isRequired || !isOfMembers(part) || !hasMessage || isNamed('errors', name) || place.isEntry,
    )
    // RFC 9457, section 4.2.1: the title of this type is the reason phrase of the status.
    const isBlank = kept.some(({ part }) => part.from === 'constant' && part.value === blankType)
    const members = kept.map(({ name, part, strength, isRequired }): [string, ErrorPart, boolean?] => {
      const isExtra = isAlso && !isRequired && (part.from === 'list' || part.from === 'map')
      const written = isBlank && part.from === 'title' ? ({ from: 'phrase' } as const) : part
      const all = isExtra ? { ...part, isExtra } : written
      return isRequired || strength > 0 ? [name, all] : [name, all, true]
    })
    const strength = Math.max(0, ...kept.map((draft) => draft.strength)) as Strength
    return { part: { from: 'object', members }, strength, isTelling: kept.some((draft) => draft.isTelling) }
  }

  function compileList({ items = true }: SchemaObject, place: Place): Draft | undefined {
    const { name = '', isEntry } = place
    if (!isEntry || sourceOf(name, isEntry, undefined) !== 'field') return compileMany('list', items, place)
    const { types } = flat(items)
    const part: ErrorPart = {
      from: 'steps',
      isPlaced: /^loc/i.test(name),
      isText: types.has('string') && types.size === 1,
    }
    return { part, strength: 0, isTelling: true }
  }

  function compileMany(from: 'list' | 'map', item: Schema, place: Place): Draft | undefined {
    const [shown] = typeof place.shown === 'object' ? Object.values(place.shown ?? {}) : []
    const isOfErrors = place.isOfErrors && (place.name === undefined || isNamed('errors', place.name))
    const one = singular(place.name ?? '')
    const isOfFields = from === 'list' && place.isOfErrors && isNamed('field', one)
    // The keys of a map are places, so the name of the map does not describe its values.
    const name = from === 'map' && isOfErrors ? undefined : isOfFields ? one : place.name
    const depth = place.depth + 1
    const draft = compile(item, { name, shown, isRequired: true, isEntry: true, isOfErrors, beside: 0, depth })
    return draft?.isTelling ? { ...draft, part: { from, item: draft.part } } : undefined
  }

  function compileString(variant: SchemaObject, place: Place): Draft | undefined {
    const { name, isRequired, isEntry, beside } = place
    const shown = place.shown ?? variant.example ?? variant.examples?.[0]
    const given = strengthOf(name, variant, shown)
    // A value without a type is rarely a text.
    const strength = place.isOfErrors && variant.type ? given : (Math.min(given, 1) as Strength)
    const isWeaker = beside === 4 && strength < 4
    const { format = '' } = variant
    if (name !== undefined) {
      // The URI of a problem type (RFC 9457, section 3.1.1).
      if (name === 'type' && /^(uri|iri|url)/.test(String(format))) return { ...toConstant(blankType), isTelling: true }
      if (format === 'json-pointer') return toDraft('pointer')
      if (isStatusPlace(name, variant, shown)) return toDraft('statusText')
      if (format === 'date-time' || (format === '' && isNamed('time', name)))
        return isRequired ? toDraft('time') : undefined
    }
    if (!isWeaker && isMessage(strength)) return toDraft('message', strength)
    if (name === undefined || !variant.type) return undefined
    const asCode = isWeaker || strength === 1 ? besideMessage(name, shown) : undefined
    const source = sourceOf(name, isEntry, shown) ?? asCode
    if (source) return toDraft(isEntry && source === 'code' ? 'keyword' : source)
    const isFree = [variant.format, variant.pattern, variant.default, place.shown].every((each) => each === undefined)
    if (!isRequired || !isFree) return undefined
    if (/^path$|request.?(path|ur[il])/i.test(name)) return toDraft('path')
    if (/(id|uuid)$/i.test(name)) return toDraft('id')
    if (isNamed('language', name)) return toConstant('en')
    if (strength === 0 || !place.isOfErrors) return undefined
    return toDraft(strength === 1 || (strength === 2 && beside > 2) ? 'code' : 'message')
  }

  function compileFlag(_: SchemaObject, { name = '', isRequired }: Place): Draft | undefined {
    const isTelling = /^(is_?)?(success(ful)?|succeeded|ok|error|failed|failure)$/i.test(name)
    return isTelling || isRequired ? { ...toConstant(isNamed('failure', name)), isTelling } : undefined
  }

  function compileNumber(variant: SchemaObject, { name = '', shown, isRequired }: Place): Draft | undefined {
    if (isStatusPlace(name, variant, shown)) return toDraft('status')
    if (!isRequired) return undefined
    if (/(count|total)$/i.test(name)) return toDraft('count')
    return isNamed('time', name) ? toDraft('milliseconds') : undefined
  }
}

/** The documented description of each enum value: from an extension, or from a description that names the values. */
function textsOf(values: readonly unknown[], variant: SchemaObject): string[] {
  const { description, 'x-enum-descriptions': told, 'x-enumDescriptions': said = told } = variant
  const named = values.map((value) => String(value).replace(/[^\w\s]/g, '\\$&'))
  const parts = String(description ?? '').split(new RegExp(`(?<!\\w)(${named.join('|')})(?!\\w)`))
  return values.map((value, index) => {
    const own = isObject(said) ? ownValue(said, String(value)) : Array.isArray(said) ? said[index] : undefined
    return String(own ?? parts[parts.indexOf(String(value)) + 1] ?? '')
  })
}

/** Joins alternatives that are single values with descriptions to one enum. */
function joinEnums(variants: SchemaObject[]): SchemaObject[] {
  if (variants.length < 2 || variants.some((each) => !each.enum)) return variants
  const texts = variants.flatMap(({ description, title, enum: values = [] }) => values.map(() => description ?? title))
  const values = variants.flatMap((each) => each.enum ?? [])
  return [{ ...variants[0], enum: values, description: undefined, 'x-enum-descriptions': texts }]
}

/** The type of a problem that has no meaning beyond its status (RFC 9457, section 4.2.1). */
const blankType = 'about:blank'

const isOfMembers = ({ from }: ErrorPart) => from === 'object' || from === 'branch'

function toDraft(from: ErrorSource, strength: Strength = 0): Draft {
  return { part: { from }, strength, isTelling: true }
}

function toConstant(value: unknown): Draft {
  return { part: { from: 'constant', value }, strength: 0, isTelling: false }
}
