/** Compiles the documented schema of an error response to a body that a refusal can fill in. */
import type { ErrorBody, ErrorPart, ErrorSource, UsualField } from '../contract/documented-response.js'
import { isObject } from '../json/is-object.js'
import { ownValue } from '../json/own-value.js'
import { type EnsureCompiler, placeOf } from './compile-ensure.js'
import { jsonContent } from './describe-operations.js'
import type { Located, MediaTypeObject, OpenApiDocument, ResponseObject, Schema, SchemaObject } from './document.js'
import {
  besideMessage,
  chooseByReason,
  isAside,
  isOfErrors,
  isStatus,
  isSuccess,
  isTimeName,
  type Strength,
  sourceOf,
  strengthOf,
} from './error-names.js'
import { bareMediaType, isRange, isXml } from './media-types.js'
import { typesOf } from './schemas/compile-plans.js'
import { flattenSchema, hasFlag } from './schemas/flatten-schema.js'
import { sample, sampleGiven, sampleMediaType } from './schemas/sample.js'
import { toVariants } from './schemas/schema-variants.js'

/** The fields of an error body where none is documented. */
export const usualFields: UsualField[] = ['code', 'message', 'status']

/** Compiles the error bodies of a document, each schema once. @returns undefined if the response documents no body */
export type CompileErrorBody = (response: Located<ResponseObject>) => ErrorBody | undefined

export function createErrorBodyCompiler(document: OpenApiDocument, ensures: EnsureCompiler): CompileErrorBody {
  const known = new Map<string, ErrorBody | undefined>()

  return function compileErrorBody(response) {
    const content = jsonContent(response.value.content, response.path)
    if (!content) return compileText(response)
    if (content.value.schema === undefined) return undefined
    const schema = { value: content.value.schema, path: [...content.path, 'schema'] }
    const shown = exampleOf(document, content)
    const id = `${content.mediaType} ${placeOf(document, schema)} ${JSON.stringify(shown)}`
    if (!known.has(id)) known.set(id, compile(schema, content.mediaType, shown))
    return known.get(id)
  }

  function compile(schema: Located<Schema>, mediaType: string, shown: unknown): ErrorBody | undefined {
    const part = compileRoot(document, schema.value, shown)
    const isEmpty = part === undefined || (part.from === 'object' && part.members.length === 0)
    // A schema that names no property may allow the usual ones all the same.
    const fields = isEmpty ? usualFields : toUsual(document, schema, part)
    const ensure = ensures.addFor(
      schema,
      () => fields && Object.fromEntries(fields.map((name) => [name, samples[name]])),
    )
    return { mediaType, ...(fields ? { fields } : { part: part as ErrorPart }), ...(ensure && { ensure }) }
  }
}

function exampleOf(document: OpenApiDocument, { value, path }: Located<MediaTypeObject>): unknown {
  const { schema: _, ...media } = value
  return sampleMediaType(document, { value: media, path })
}

/** An error of another media type than JSON. */
function compileText({ value }: Located<ResponseObject>): ErrorBody | undefined {
  const names = Object.keys(value.content ?? {}).map(bareMediaType)
  const text = names.find((name) => name.startsWith('text/') && !isXml(name) && !isRange(name))
  const xml = names.find((name) => isXml(name) && !isRange(name))
  if (text !== undefined) return { mediaType: text, form: 'text' }
  return xml === undefined ? undefined : { mediaType: xml, form: 'xml' }
}

const samples: Record<UsualField, unknown> = { code: 'code', message: 'message', status: 500 }

/** Keywords that allow only some texts or numbers. */
const bounds = ['enum', 'const', 'pattern', 'format', 'minLength', 'maxLength', 'minimum', 'maximum', 'multipleOf']

/** The properties of an object that has no others than the usual ones, with any text or number. */
function toUsual(document: OpenApiDocument, schema: Located<Schema>, part: ErrorPart): UsualField[] | undefined {
  if (part.from !== 'object') return undefined
  const { properties } = flattenSchema(document, schema)
  const fields = part.members.flatMap(([name, { from }]): UsualField[] => {
    const property = properties.get(name)
    const { keywords = {} } = property ? flattenSchema(document, property) : {}
    return name === from && name in samples && !bounds.some((keyword) => keyword in keywords)
      ? [name as UsualField]
      : []
  })
  return fields.length === part.members.length ? fields : undefined
}

/** Where a part is. */
interface Place {
  /** Of the property, or of the list whose item it is. Undefined for the body. */
  name: string | undefined
  /** A documented example of it. */
  shown: unknown
  isRequired: boolean
  /** Whether it is of one violation. */
  isEntry: boolean
  /** Whether all around it is of errors. */
  isOfErrors: boolean
  /** The surest text beside it. */
  beside: Strength
  depth: number
}

interface Draft {
  part: ErrorPart
  /** The surest text for people in it that gets the message. */
  strength: Strength
  /** Whether it says anything about a refusal. */
  isTelling: boolean
}

const maxDepth = 6
/** Schemas of one body. Further ones are left out. */
const maxSchemas = 2_000

/** Gives the message to the texts that are surely for people; if there is none, to the text that is most likely so. */
function compileRoot(document: OpenApiDocument, schema: Schema, shown: unknown): ErrorPart | undefined {
  const root = {
    name: undefined,
    shown,
    isRequired: true,
    isEntry: false,
    isOfErrors: true,
    beside: 0,
    depth: 0,
  } as const
  let surest: Strength = 0
  compileParts(document, (strength) => {
    if (strength > surest) surest = strength
    return false
  })(schema, root)
  let isGiven = false
  const compile = compileParts(document, (strength) => {
    if (surest >= 3) return strength >= 3
    if (isGiven || strength < surest || strength === 0) return false
    isGiven = true
    return true
  })
  return compile(schema, root)?.part
}

/** @param isMessage whether a text gets the message */
function compileParts(
  document: OpenApiDocument,
  isMessage: (strength: Strength) => boolean,
): (schema: Schema, place: Place) => Draft | undefined {
  const open = new Set<unknown>()
  let count = 0
  return compile

  function compile(schema: Schema, place: Place): Draft | undefined {
    const id = typeof schema === 'object' ? (schema.$ref ?? schema) : schema
    if (open.has(id) || place.depth > maxDepth || ++count > maxSchemas) return undefined
    if (typeof schema === 'object') open.add(id)
    const drafts = joinEnums(toVariants(document, schema)).flatMap((variant) => compileVariant(variant, place) ?? [])
    open.delete(id)
    const rank = ({ strength, isTelling }: Draft) => 2 * strength + Number(isTelling)
    return drafts.reduce<Draft | undefined>((one, each) => (one && rank(one) >= rank(each) ? one : each), undefined)
  }

  function compileVariant(variant: SchemaObject, place: Place): Draft | undefined {
    const types = typesOf(variant) ?? []
    const type = types.find((each) => each !== 'null')
    if (variant.enum) return chooseValue(variant.enum, variant, place)
    // JSON-LD and protobuf name the type of an object so.
    const draft = /^[@$]/.test(place.name ?? '')
      ? undefined
      : type === 'object'
        ? compileObject(variant, place)
        : type === 'array'
          ? compileList(variant, place)
          : type === 'string' || types.length === 0
            ? compileString(variant, place)
            : compileOther(type, place)
    if (draft || !place.isRequired) return draft
    return toConstant(types.includes('null') ? null : madeOf(type, variant, place.shown))
  }

  /** A value that says nothing, for a property that is required. */
  function madeOf(type: string | undefined, variant: SchemaObject, shown: unknown): unknown {
    const given = shown ?? sampleGiven(variant)
    if (given !== undefined) return given
    const { minLength = 0, minItems = 0, format, pattern } = variant
    if (type === 'array' && minItems === 0) return []
    if (type === 'string' && minLength === 0 && format === undefined && pattern === undefined) return ''
    return sample(document, { value: variant, path: [] })
  }

  function chooseValue(
    values: unknown[],
    variant: SchemaObject,
    { shown, isRequired, isEntry, name }: Place,
  ): Draft | undefined {
    if (name !== undefined && isStatus(name) && values.some((value) => Number(value) >= 400 && Number(value) < 600))
      return toDraft(values.some((value) => typeof value === 'number') ? 'status' : 'statusText')
    const chosen = chooseByReason(values, textsOf(values, variant), isEntry)
    const failures = values.filter((value) => !isSuccess(value))
    const pick = (wanted: unknown) => failures.find((value) => value === wanted)
    const example = pick(shown) ?? (values.length === 1 ? values[0] : undefined)
    const otherwise = example ?? (isRequired ? (pick(sampleGiven(variant)) ?? failures[0] ?? values[0]) : undefined)
    if (Object.keys(chosen).length === 0 && otherwise === undefined) return undefined
    const part: ErrorPart = { from: 'choice', values: chosen, ...(otherwise !== undefined && { otherwise }) }
    return { part, strength: 0, isTelling: Object.keys(chosen).length > 0 }
  }

  function compileObject(variant: SchemaObject, place: Place): Draft | undefined {
    const { properties = {}, required = [], additionalProperties: others } = variant
    const shownOf = (name: string) => (isObject(place.shown) ? ownValue(place.shown, name) : undefined)
    // A property that is required may be described nowhere.
    const schemaOf = (name: string) => ownValue(properties, name) ?? (isObject(others) ? others : { type: 'string' })
    const names = [...new Set([...Object.keys(properties), ...required])].filter(
      (name) => !hasFlag(document, { value: schemaOf(name), path: [] }, 'writeOnly'),
    )
    if (names.length === 0) return typeof others === 'object' ? compileMany('map', others, place) : undefined
    const beside = Math.max(...names.map((name) => strengthAt(schemaOf(name), name))) as Strength
    const hasPointer = names.some((name) => /pointer$/i.test(name))
    const drafts = names.flatMap((name): [string, Draft, boolean][] => {
      if (hasPointer && /^param(eter)?$/i.test(name)) return [[name, toDraft('parameter'), false]]
      const isRequired = required.includes(name)
      const inErrors = isOfErrors(name) || (place.isOfErrors && !isAside(name))
      const inner = {
        ...place,
        name,
        shown: shownOf(name),
        isRequired,
        isOfErrors: inErrors,
        beside,
        depth: place.depth + 1,
      }
      const draft = compile(schemaOf(name), inner)
      return draft && (isRequired || draft.isTelling) ? [[name, draft, isRequired]] : []
    })
    const hasMessage = drafts.some(([, { part }]) => part.from === 'message')
    const kept = drafts.filter(([name, { part }, isRequired]) => {
      return isRequired || part.from !== 'object' || !hasMessage || isOfErrors(name) || place.isEntry
    })
    // RFC 9457, section 4.2.1: the title of this type is the phrase of the status.
    const isBlank = kept.some(([, { part }]) => part.from === 'constant' && part.value === 'about:blank')
    const members = kept.map(([name, { part: own, strength }, isRequired]): [string, ErrorPart, boolean?] => {
      const part: ErrorPart = isBlank && own.from === 'title' ? { from: 'phrase' } : own
      const isMany = part.from === 'list' || part.from === 'map'
      const written = isMany && hasMessage && !isRequired ? { ...part, isExtra: true } : part
      return isRequired || strength > 0 || part.from === 'message' ? [name, written] : [name, written, true]
    })
    const all = kept.map(([, draft]) => draft)
    const strength = Math.max(0, ...all.map((draft) => draft.strength)) as Strength
    return { part: { from: 'object', members }, strength, isTelling: all.some((draft) => draft.isTelling) }
  }

  function strengthAt(schema: Schema, name: string): Strength {
    const { types, keywords } = flattenSchema(document, { value: schema, path: [] })
    return types.has('string') && !keywords.enum ? strengthOf(name, keywords, keywords.example) : 0
  }

  function compileList({ items = true }: SchemaObject, place: Place): Draft | undefined {
    const source = place.name === undefined ? undefined : sourceOf(place.name, place.isEntry, undefined)
    if (place.isEntry && source === 'field') {
      const { types } = flattenSchema(document, { value: items, path: [] })
      const isPlaced = /^loc/i.test(place.name ?? '') || ['body', 'query'].includes([place.shown].flat()[0] as string)
      const isText = types.has('string') && types.size === 1
      return { ...toDraft('field'), part: { from: 'steps', isPlaced, isText } }
    }
    return compileMany('list', items, place)
  }

  function compileMany(from: 'list' | 'map', item: Schema, place: Place): Draft | undefined {
    const [shown] = isObject(place.shown) || Array.isArray(place.shown) ? Object.values(place.shown) : []
    const isOfErrorsToo = place.isOfErrors && isOfErrors(place.name)
    // The keys of a map are places, so its own name says nothing of what is there.
    const name = from === 'map' && isOfErrorsToo ? undefined : place.name
    const inner = { name, shown, isRequired: true, isEntry: true, isOfErrors: isOfErrorsToo, beside: 0 } as const
    const draft = compile(item, { ...place, ...inner, depth: place.depth + 1 })
    return draft?.isTelling ? { ...draft, part: { from, item: draft.part } } : undefined
  }

  function compileString(variant: SchemaObject, place: Place): Draft | undefined {
    const { name, isRequired, isEntry, beside } = place
    const shown = place.shown ?? variant.example ?? variant.examples?.[0]
    const given = strengthOf(name, variant, shown)
    // A value of any type is rarely a text.
    const strength = place.isOfErrors && variant.type ? given : (Math.min(given, 1) as Strength)
    const isWeaker = beside === 4 && strength < 4
    if (name !== undefined) {
      const format = String(variant.format ?? '')
      // The URI of a problem type (RFC 9457, section 3.1.1).
      if (name === 'type' && /^(uri|iri|url)/.test(format)) return { ...toConstant('about:blank'), isTelling: true }
      if (isStatus(name) && /^\d{3}$/.test(String(shown ?? '500')) && (shown !== undefined || /status/i.test(name)))
        return toDraft('statusText')
      if (format === 'date-time' || (isTimeName(name) && format === '')) return isRequired ? toDraft('time') : undefined
    }
    if (!isWeaker && isMessage(strength)) return toDraft('message', strength)
    if (name === undefined || !variant.type) return undefined
    const source =
      sourceOf(name, isEntry, shown) ??
      (isWeaker || strength === 1 ? besideMessage(name, place.isOfErrors && shown) : undefined)
    if (source) return toDraft(isEntry && source === 'code' ? 'keyword' : source)
    if (!isRequired || variant.format !== undefined || variant.pattern !== undefined) return undefined
    if (place.shown !== undefined || variant.default !== undefined) return undefined
    if (/^path$|request.?(path|ur[il])/i.test(name)) return toDraft('path')
    if (/(id|uuid)$/i.test(name)) return toDraft('id')
    return strength >= 2 ? toDraft('message') : undefined
  }

  function compileOther(type: string | undefined, { name = '', shown, isRequired }: Place): Draft | undefined {
    if (type === 'boolean') {
      const isFlag = /^(is_?)?(success(ful)?|succeeded|ok|error|failed|failure)$/i.test(name)
      return isFlag || isRequired ? { ...toConstant(/err|fail/i.test(name)), isTelling: isFlag } : undefined
    }
    const isOther = typeof shown === 'number' && (shown < 100 || shown > 599)
    if (isStatus(name) && !isOther) return toDraft('status')
    if (!isRequired) return undefined
    if (/(count|total)$/i.test(name)) return toDraft('count')
    return isTimeName(name) ? toDraft('milliseconds') : undefined
  }
}

/** What a document says of each value of an enum: beside it, or in a description that names the values. */
function textsOf(values: readonly unknown[], variant: SchemaObject): string[] {
  const { description, 'x-enum-descriptions': told, 'x-enumDescriptions': said = told } = variant
  const named = values.map((value) => String(value).replace(/[^\w\s]/g, '\\$&'))
  const parts = String(description ?? '').split(new RegExp(`(?<!\\w)(${named.join('|')})(?!\\w)`))
  return values.map((value, index) => {
    const own = isObject(said) ? ownValue(said, String(value)) : Array.isArray(said) ? said[index] : undefined
    return String(own ?? parts[parts.indexOf(String(value)) + 1] ?? '')
  })
}

/** Alternatives that are values, each with its own description, are an enum. */
function joinEnums(variants: SchemaObject[]): SchemaObject[] {
  if (variants.length < 2 || variants.some((each) => !each.enum)) return variants
  const texts = variants.flatMap(({ description, title, enum: values = [] }) => values.map(() => description ?? title))
  const values = variants.flatMap((each) => each.enum ?? [])
  return [{ ...variants[0], enum: values, description: undefined, 'x-enum-descriptions': texts }]
}

function toDraft(from: ErrorSource, strength: Strength = 0): Draft {
  return { part: { from }, strength, isTelling: true }
}

function toConstant(value: unknown): Draft {
  return { part: { from: 'constant', value }, strength: 0, isTelling: false }
}
