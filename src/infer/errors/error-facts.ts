/** Finds which fact about a refusal a text, a number or a value of an enum shows. */

import type { ErrorPart, ErrorSource } from '../../contract/documented-response.js'
import type { OpenApiDocument, SchemaObject } from '../../document/document.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { isNamed, isNumberFormat, isWritten } from '../../lexicon/error-properties.js'
import { chooseByReason, isStatus, isSuccess } from '../../lexicon/error-words.js'
import { mostSearched } from '../../lexicon/words.js'
import { exampleValue } from '../../schemas/flatten-schema.js'
import { chooseShown, type ErrorExample } from './error-examples.js'
import { besideMessage, isStatusPlace, type Strength, sourceOf, strengthOf } from './error-names.js'

/** The response with an error body. */
export interface ErrorResponse {
  /** `default` and ranges stand for several. */
  status: string
  /** A pointer to the content. */
  at: string
  /** The examples of all responses with the same schema. */
  examples: readonly ErrorExample[]
}

/** What the parts of one body share. */
export interface Drafting {
  document: OpenApiDocument
  source: ErrorResponse
  /** The greatest strength of a text found. */
  surest: Strength
  /** How many texts may get the message. */
  left: number
  /** The schemas of the enclosing parts. */
  open: Set<unknown>
  /** The number of schemas. */
  count: number
}

/** The context of a part. */
export interface Place {
  /** Name of the property, or of the list with the item. Undefined for the body. */
  name?: string | undefined
  /** A documented example of it. */
  shown: unknown
  /** All documented examples of it. */
  examples: readonly ErrorExample[]
  isRequired: boolean
  /** Whether the schema requires nothing, so that it does not say what is always there. */
  isOpen?: boolean
  /** Whether the part describes one violation. */
  isEntry: boolean
  /** Whether all enclosing parts describe errors. */
  isOfErrors: boolean
  /** The strongest sibling text. */
  beside: Strength
  depth: number
}

export interface Draft {
  part: ErrorPart
  /** The strength of the strongest text in it that gets the message. */
  strength: Strength
  /** Whether it contains any fact about a refusal. */
  isTelling: boolean
}

/** A text: the message, a fact about the refusal, or what fits its name. */
export function compileString(drafting: Drafting, variant: SchemaObject, place: Place): Draft | undefined {
  const { name, beside } = place
  const shown = shownOf(variant, place)
  const given = strengthOf(name, variant, shown)
  // A value without a type is rarely a text.
  const strength = place.isOfErrors && variant.type ? given : (Math.min(given, 1) as Strength)
  const isWeaker = beside === 4 && strength < 4
  const formatted = name === undefined ? undefined : compileFormatted(name, variant, place)
  if (formatted) return formatted.draft
  const codes = place.examples.filter(({ value, at }) => at !== undefined && isCode(value))
  const coded = codes.length > 0 ? chooseFrom(drafting, { ...place, examples: codes }, 'string', 'message') : undefined
  if (coded && strength > 0) return coded
  if (!isWeaker && isMessage(drafting, strength)) return toDraft('message', strength)
  if (name === undefined || !variant.type) return undefined
  const asCode = isWeaker || strength === 1 ? besideMessage(name, shown) : undefined
  return compileFact(drafting, name, place, shown, asCode) ?? compileNeeded(name, variant, place, strength)
}

/** Whether a text is a code, although its name may be that of a message: `{"detail": "EMAIL_TAKEN"}` */
const isCode = (value: unknown) => typeof value === 'string' && /^[A-Z][A-Z\d]*(_[A-Z\d]+)+$/.test(value)

/** A text whose format or name says what it is. @returns an empty object if it is left out */
function compileFormatted(name: string, variant: SchemaObject, place: Place): { draft?: Draft } | undefined {
  const { format = '' } = variant
  // The URI of a problem type (RFC 9457, section 3.1.1).
  if (name === 'type' && /^(uri|iri|url)/.test(String(format)))
    return { draft: { ...toConstant(blankType), isTelling: true } }
  if (format === 'json-pointer') return { draft: toDraft('pointer') }
  const isNumeric = isNumberFormat(String(format)) && isNamed('code', name)
  if (isNumeric || isStatusAt(name, variant, place)) return { draft: toDraft('statusText') }
  if (format !== 'date-time' && (format !== '' || !isNamed('time', name))) return undefined
  return place.isRequired || place.isOpen ? { draft: toDraft('time') } : {}
}

/** A fact about the refusal. */
function compileFact(
  drafting: Drafting,
  name: string,
  place: Place,
  shown: unknown,
  asCode: ErrorSource | undefined,
): Draft | undefined {
  const { isEntry, isOfErrors } = place
  const fact = sourceOf(name, isEntry, shown) ?? asCode
  const from = isEntry && fact === 'code' ? 'keyword' : fact
  const isOfKind = from ? isOfReason[from] : isOfErrors && !isEntry && isNamed('kind', name)
  return isOfKind ? chooseFrom(drafting, place, 'string', from) : from && toDraft(from)
}

/** A required text of which nothing else is known. */
function compileNeeded(
  name: string,
  variant: SchemaObject,
  { isRequired, isOpen, isOfErrors, beside, shown }: Place,
  strength: Strength,
): Draft | undefined {
  const isFree = [variant.format, variant.pattern, variant.default, shown].every((each) => each === undefined)
  if (!(isRequired || isOpen) || !isFree) return undefined
  if (isWritten('path', name)) return toDraft('path')
  if (!isRequired) return undefined
  if (isWritten('id', name)) return toDraft('id')
  if (isNamed('language', name)) return toConstant('en')
  if (strength === 0 || !isOfErrors) return undefined
  return toDraft(strength === 1 || (strength === 2 && beside > 2) ? 'code' : 'message')
}

/** Whether a text gets the message. */
function isMessage(drafting: Drafting, strength: Strength): boolean {
  // biome-ignore lint/style/noParameterAssign: counts within one error body
  if (strength > drafting.surest) drafting.surest = strength
  return strength > 0 && strength >= Math.min(drafting.surest, 3) && drafting.left-- > 0
}

export function compileNumber(drafting: Drafting, variant: SchemaObject, place: Place): Draft | undefined {
  const { name = '', isRequired } = place
  if (isStatusAt(name, variant, place)) return toDraft('status')
  const draft = place.isOfErrors && isNamed('code', name) ? chooseFrom(drafting, place, 'number') : undefined
  if (draft || !isRequired) return draft
  if (isWritten('count', name)) return toDraft('count')
  return isNamed('time', name) ? toDraft('milliseconds') : undefined
}

export function compileFlag(_drafting: Drafting, _: SchemaObject, { name = '', isRequired }: Place): Draft | undefined {
  const isTelling = isWritten('flag', name)
  return isTelling || isRequired ? { ...toConstant(isNamed('failure', name)), isTelling } : undefined
}

export function chooseValue(
  drafting: Drafting,
  values: unknown[],
  variant: SchemaObject,
  place: Place,
): Draft | undefined {
  const { shown, isRequired, isEntry, name } = place
  if (name !== undefined && isNamed('status', name) && values.some(isStatus))
    return toDraft(values.some((value) => typeof value === 'number') ? 'status' : 'statusText')
  const examples = place.examples.filter(({ value }) => values.includes(value))
  const inExamples = chooseShown(examples, { ...drafting.source, isEntry })
  const inWords = chooseByReason(values, textsOf(values, variant), isEntry)
  // An example for any status may be of another reason.
  const isOfStatus = isStatus(drafting.source.status)
  const chosen = isOfStatus ? { ...inWords, ...inExamples.values } : { ...inExamples.values, ...inWords }
  const failures = values.filter((value) => !isSuccess(value))
  const pick = (wanted: unknown) => failures.find((value) => value === wanted)
  const example = inExamples.otherwise ?? pick(shown) ?? (values.length === 1 ? values[0] : undefined)
  // A request that is refused for another reason is a wrong request, too.
  const usual = () => chosen['invalid_request'] ?? pick(exampleValue(variant)) ?? failures[0] ?? values[0]
  const otherwise = example ?? (isRequired ? usual() : undefined)
  const isTelling = Object.keys(chosen).length > 0
  if (!isTelling && otherwise === undefined) return undefined
  const part: ErrorPart = { from: 'choice', values: chosen, ...(otherwise !== undefined && { otherwise }) }
  return { part, strength: 0, isTelling }
}

/** A value that examples show, else one from the source. */
function chooseFrom(
  drafting: Drafting,
  place: Place,
  type: 'string' | 'number',
  from?: ErrorSource,
): Draft | undefined {
  const examples = place.examples.flatMap((example) => {
    const value = type === 'string' && typeof example.value === 'number' ? String(example.value) : example.value
    return typeof value === type ? [{ ...example, value }] : []
  })
  const shown = chooseShown(examples, { ...drafting.source, isEntry: place.isEntry })
  const isShown = Object.keys(shown.values).length > 0 || shown.otherwise !== undefined
  if (!isShown) return from && toDraft(from)
  return { part: { from: 'choice', ...shown, ...(from && { source: from }) }, strength: 0, isTelling: true }
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

/** A documented example of a part: of the response, of the schema, or of another response. */
function shownOf({ example, examples = [] }: SchemaObject, place: Place): unknown {
  return place.shown ?? example ?? examples[0] ?? place.examples[0]?.value
}

/** Whether a part is the status. Examples with other values show that a code is not. */
function isStatusAt(name: string, variant: SchemaObject, { shown, examples }: Place): boolean {
  const known = isWritten('http', name) ? [] : examples.filter(({ status }) => status !== undefined)
  const equal = known.filter(({ value, status }) => String(value) === status)
  if (known.length > 0 && equal.length * 2 < known.length) return false
  return isStatusPlace(name, variant, equal[0]?.value ?? shown ?? variant.example ?? variant.examples?.[0])
}

/** Sources whose values depend only on the reason. */
const isOfReason: Partial<Record<ErrorSource, true>> = { code: true, keyword: true, title: true, phrase: true }

/** The type of a problem that has no meaning beyond its status (RFC 9457, section 4.2.1). */
export const blankType = 'about:blank'

export function toDraft(from: ErrorSource, strength: Strength = 0): Draft {
  return { part: { from }, strength, isTelling: true }
}

export function toConstant(value: unknown): Draft {
  return { part: { from: 'constant', value }, strength: 0, isTelling: false }
}
