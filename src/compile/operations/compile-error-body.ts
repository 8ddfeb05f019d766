/** Compiles the documented schema of an error response to a body that a refusal can fill in. */
import type { ErrorBody, ErrorPart, ErrorSource, UsualField } from '../../contract/documented-response.js'
import type { EffectKind } from '../../contract/effects/effect.js'
import {
  isReference,
  type Located,
  type OpenApiDocument,
  type ResponseObject,
  type Schema,
  type SchemaObject,
  schemaOf,
} from '../../document/document.js'
import { toPointer } from '../../document/references.js'
import { toJson } from '../../json/exact-json.js'
import { getOrInsert, isObject, ownValue } from '../../json/own-value.js'
import { typesOf } from '../../schemas/compile-plans.js'
import { flattenSchema } from '../../schemas/flatten-schema.js'
import { toVariants } from '../../schemas/schema-variants.js'
import { mostSearched, singular } from '../../values/words.js'
import { type DescribedOperation, jsonContent } from '../describe-operations.js'
import { sample, sampleGiven } from '../samples/sample.js'
import { givenExample } from '../samples/sample-body.js'
import { type EnsureCompiler, placeOf } from './compile-ensure.js'
import {
  chooseShown,
  collectErrorBodies,
  type ErrorContent,
  type ErrorExample,
  errorContent,
  examplesAt,
  findUndescribed,
  withoutOthers,
} from './error-examples.js'
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

/** Compiles the error bodies of a document, each schema once. */
export interface ErrorBodyCompiler {
  /**
   * The body of a response. If it has none, that of `default` of the same operation, or the usual one of its status.
   * @param effect of the operation
   * @returns undefined if none is documented
   */
  compile(
    status: string,
    response: Located<ResponseObject>,
    responses: DescribedOperation['responses'],
    effect: EffectKind,
  ): ErrorBody | undefined
  /** The body that most error responses of the document have. */
  compileUsual(): ErrorBody | undefined
  /** The body of a document without error responses, if its schemas show one with a message. */
  compileUndescribed(): ErrorBody | undefined
}

export function createErrorBodyCompiler(document: OpenApiDocument, ensures: EnsureCompiler): ErrorBodyCompiler {
  const known = new Map<string, ErrorBody>()
  const { findExamples, findUsual } = collectErrorBodies(document)

  return {
    compile(status, response, responses, effect) {
      const isOfState = effect === 'action' || effect === 'remove'
      const { content } = response.value
      if (content && Object.keys(content).length > 0) {
        const json = jsonContent(content, response.path)
        return json ? compileContent(status, json, isOfState) : compileText(response)
      }
      const others = responses.get('default')
      const found = others && errorContent(others)
      return found ? compileContent(status, found, isOfState) : compileUsual(status, isOfState)
    },
    compileUsual: () => compileUsual(),
    compileUndescribed() {
      const content = findUndescribed(document)
      const body = content && compileContent('default', content)
      return toJson(body)?.includes('"message"') ? body : undefined
    },
  }

  /** The most frequent body, of which an object says more than a text. */
  function compileUsual(status?: string, isOfState?: boolean): ErrorBody | undefined {
    const contents = findUsual(status).slice(0, maxUsual)
    const bodies = contents.flatMap((content) => compileContent(status ?? 'default', content, isOfState) ?? [])
    return (
      bodies.find(({ fields, part }) => fields ?? (part?.from === 'object' && part.members.length > 0)) ?? bodies[0]
    )
  }

  function compileContent(status: string, content: ErrorContent, isOfState = false): ErrorBody | undefined {
    if (content.value.schema === undefined) return undefined
    const { mediaType } = content
    const schema = schemaOf(content)
    const shown = givenExample(document, content)
    const at = toPointer(content.path)
    const examples = withoutOthers(findExamples(schema), at, isOfState)
    const source = { status, at, examples }
    const isOwn = examples.some((each) => each.at === at)
    const kept = examples.map(({ code }) => code).join()
    const variant = examples.length > 0 ? `${status} ${isOwn ? at : ''} ${kept}` : ''
    const id = `${mediaType} ${placeOf(document, schema)} ${toJson(shown)} ${variant}`
    return getOrInsert(known, id, () => compile(schema, mediaType, shown, source))
  }

  function compile(schema: Located<Schema>, mediaType: string, shown: unknown, source: Source): ErrorBody {
    const part = compileRoot(document, schema.value, shown, source)
    const fields = toUsual(document, schema, part)
    const isMade = schema.path.length === 1 && !isReference(schema.value)
    const toSample = () => fields && Object.fromEntries(fields.map((name) => [name, samples[name]]))
    const ensure = isMade ? undefined : ensures.addFor(schema, toSample)
    return { mediaType, ...(fields ? { fields } : { part }), ...(ensure && { ensure }) }
  }
}

/** The response with an error body. */
interface Source {
  /** `default` and ranges stand for several. */
  status: string
  /** A pointer to the content. */
  at: string
  /** The examples of all responses with the same schema. */
  examples: readonly ErrorExample[]
}

/** The maximum schemas of which one is chosen as the usual one. */
const maxUsual = 3

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
  /** All documented examples of it. */
  examples: readonly ErrorExample[]
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
function compileRoot(document: OpenApiDocument, schema: Schema, shown: unknown, source: Source): ErrorPart | undefined {
  const { examples } = source
  const root: Place = { shown, examples, isRequired: true, isEntry: false, isOfErrors: true, beside: 0, depth: 0 }
  const texts: Texts = { surest: 0, left: 0 }
  compileParts(document, texts, source)(schema, root)
  texts.left = texts.surest >= 3 ? Infinity : 1
  return compileParts(document, texts, source)(schema, root)?.part
}

interface Texts {
  /** The greatest strength found. */
  surest: Strength
  /** How many texts may get the message. */
  left: number
}

function compileParts(
  document: OpenApiDocument,
  texts: Texts,
  source: Source,
): (schema: Schema, place: Place) => Draft | undefined {
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
    const examples = place.examples.filter(({ value }) => values.includes(value))
    const inExamples = chooseShown(examples, { ...source, isEntry })
    const inWords = chooseByReason(values, textsOf(values, variant), isEntry)
    // An example for any status may be of another reason.
    const isOfStatus = isStatus(source.status)
    const chosen = isOfStatus ? { ...inWords, ...inExamples.values } : { ...inExamples.values, ...inWords }
    const failures = values.filter((value) => !isSuccess(value))
    const pick = (wanted: unknown) => failures.find((value) => value === wanted)
    const example = inExamples.otherwise ?? pick(shown) ?? (values.length === 1 ? values[0] : undefined)
    // A request that is refused for another reason is a wrong request, too.
    const usual = () => chosen['invalid_request'] ?? pick(sampleGiven(variant)) ?? failures[0] ?? values[0]
    const otherwise = example ?? (isRequired ? usual() : undefined)
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
      const examples = examplesAt(place.examples, name)
      const inner = { ...place, name: as, shown, examples, isRequired, isOfErrors, beside, depth: place.depth + 1 }
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
    const examples = examplesAt(place.examples)
    const draft = compile(item, {
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

  function compileString(variant: SchemaObject, place: Place): Draft | undefined {
    const { name, isRequired, isEntry, beside } = place
    const shown = shownOf(variant, place)
    const given = strengthOf(name, variant, shown)
    // A value without a type is rarely a text.
    const strength = place.isOfErrors && variant.type ? given : (Math.min(given, 1) as Strength)
    const isWeaker = beside === 4 && strength < 4
    const { format = '' } = variant
    if (name !== undefined) {
      // The URI of a problem type (RFC 9457, section 3.1.1).
      if (name === 'type' && /^(uri|iri|url)/.test(String(format))) return { ...toConstant(blankType), isTelling: true }
      if (format === 'json-pointer') return toDraft('pointer')
      if (isStatusAt(name, variant, place)) return toDraft('statusText')
      if (format === 'date-time' || (format === '' && isNamed('time', name)))
        return isRequired ? toDraft('time') : undefined
    }
    if (!isWeaker && isMessage(strength)) return toDraft('message', strength)
    if (name === undefined || !variant.type) return undefined
    const asCode = isWeaker || strength === 1 ? besideMessage(name, shown) : undefined
    const fact = sourceOf(name, isEntry, shown) ?? asCode
    const from = isEntry && fact === 'code' ? 'keyword' : fact
    const isOfKind = from ? isOfReason.test(from) : place.isOfErrors && !isEntry && isNamed('kind', name)
    const draft = isOfKind ? chooseFrom(place, 'string', from) : from && toDraft(from)
    if (draft) return draft
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

  /** A value that examples show, else one from the source. */
  function chooseFrom(place: Place, type: 'string' | 'number', from?: ErrorSource): Draft | undefined {
    const examples = place.examples.flatMap((example) => {
      const value = type === 'string' && typeof example.value === 'number' ? String(example.value) : example.value
      return typeof value === type ? [{ ...example, value }] : []
    })
    const shown = chooseShown(examples, { ...source, isEntry: place.isEntry })
    const isShown = Object.keys(shown.values).length > 0 || shown.otherwise !== undefined
    if (!isShown) return from && toDraft(from)
    return { part: { from: 'choice', ...shown, ...(from && { source: from }) }, strength: 0, isTelling: true }
  }

  function compileNumber(variant: SchemaObject, place: Place): Draft | undefined {
    const { name = '', isRequired } = place
    if (isStatusAt(name, variant, place)) return toDraft('status')
    const draft = place.isOfErrors && isNamed('code', name) ? chooseFrom(place, 'number') : undefined
    if (draft || !isRequired) return draft
    if (/(count|total)$/i.test(name)) return toDraft('count')
    return isNamed('time', name) ? toDraft('milliseconds') : undefined
  }
}

/** The documented description of each enum value: from an extension, or from a description that names the values. */
function textsOf(values: readonly unknown[], variant: SchemaObject): string[] {
  const { description, 'x-enum-descriptions': told, 'x-enumDescriptions': said = told } = variant
  const searched = values.map(String).filter((value) => value.length <= mostSearched)
  const named = searched.slice(0, mostSearched).map((value) => value.replace(/[^\w\s]/g, '\\$&'))
  const parts = String(description ?? '').split(new RegExp(`(?<!\\w)(${named.join('|')})(?!\\w)`))
  // The first mention counts.
  const texts = new Map(parts.map((part, index) => [part, parts[index + 1]] as const).reverse())
  return values.map((value, index) => {
    const own = isObject(said) ? ownValue(said, String(value)) : Array.isArray(said) ? said[index] : undefined
    return String(own ?? texts.get(String(value)) ?? (texts.has(String(value)) ? '' : parts[0]))
  })
}

/** Joins alternatives that are single values with descriptions to one enum. */
function joinEnums(variants: SchemaObject[]): SchemaObject[] {
  if (variants.length < 2 || variants.some((each) => !each.enum)) return variants
  const texts = variants.flatMap(({ description, title, enum: values = [] }) => values.map(() => description ?? title))
  const values = variants.flatMap((each) => each.enum ?? [])
  return [{ ...variants[0], enum: values, description: undefined, 'x-enum-descriptions': texts }]
}

/** A documented example of a part: of the response, of the schema, or of another response. */
function shownOf({ example, examples = [] }: SchemaObject, place: Place): unknown {
  return place.shown ?? example ?? examples[0] ?? place.examples[0]?.value
}

/** Whether a part is the status. Examples with other values show that a code is not. */
function isStatusAt(name: string, variant: SchemaObject, { shown, examples }: Place): boolean {
  const known = /status|http/i.test(name) ? [] : examples.filter(({ status }) => status !== undefined)
  const equal = known.filter(({ value, status }) => String(value) === status)
  if (known.length > 0 && equal.length * 2 < known.length) return false
  return isStatusPlace(name, variant, equal[0]?.value ?? shown ?? variant.example ?? variant.examples?.[0])
}

/** Sources whose values depend only on the reason. */
const isOfReason = /^(code|keyword|title|phrase)$/

/** The type of a problem that has no meaning beyond its status (RFC 9457, section 4.2.1). */
const blankType = 'about:blank'

const isOfMembers = ({ from }: ErrorPart) => from === 'object' || from === 'branch'

function toDraft(from: ErrorSource, strength: Strength = 0): Draft {
  return { part: { from }, strength, isTelling: true }
}

function toConstant(value: unknown): Draft {
  return { part: { from: 'constant', value }, strength: 0, isTelling: false }
}
