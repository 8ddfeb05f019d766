/** Puts together what a consumer has sent from the values in a lock, so that the next version itself says what it refuses. */

import { sample } from '../../compile/samples/sample.js'
import { valueContentOf } from '../../contract/body-content.js'
import { judge, type Violation } from '../../contract/violations.js'
import { type Located, type OpenApiDocument, type Schema, schemaOf } from '../../document/document.js'
import { toRounded } from '../../json/rounding.js'
import { isSameJson } from '../../json/same-json.js'
import { flattenSchema } from '../../schemas/flatten-schema.js'
import { jsonContent } from '../../schemas/operations/describe-operations.js'
import { parameterSchema } from '../../schemas/operations/request-content.js'
import { isSentValue } from '../consumer/lock.js'
import type { Impact, OperationPair, VersionOperation } from './change.js'
import type { OperationUse } from './operation-use.js'

/** What may have been sent in one place: the first value, and each other one with one difference from it. */
interface Samples {
  values: readonly unknown[]
  /** Whether the first is what was sent, and the only one. */
  isOnly: boolean
  /** Places of which the lock has no value, so that one was made. */
  made: readonly string[]
}

/** Maximum values that are judged. */
const maxSamples = 64

/**
 * @param kind of the change; of what is not compared, the names of the keywords
 * @returns whose a change of what is sent is, by its place. Undefined if the lock does not say
 */
export type JudgeSent = (at: string, kind: string | undefined) => Impact | undefined

/** Keywords that validators know, among those that no rule compares. */
const validated =
  /^(?:not|if|then|else|dependent\w+|contains|m\w+Contains|propertyNames|oneOf|anyOf|alternatives|prefixItems|unevaluated\w+)$/
/** Members of parameters that only allow some texts (OpenAPI 3.0, section 4.7.12.1; RFC 3986, section 2.2). */
const allowances: Readonly<Record<string, RegExp>> = { allowReserved: /[:/?#[\]@!$&'()*+,;=]/, allowEmptyValue: /^$/ }

/** Whether validators say whether a change refuses what was sent. @param kind the names of keywords that are not compared */
export function isValidated(kind: string): boolean {
  const isOther = kind === 'callbacks' || kind === 'links' || kind === 'encoding'
  return isOther || kind.split(', ').every((name) => validated.test(name) || Object.hasOwn(allowances, name))
}

/** Judges by the validators of the next version. */
export function createJudgeSent(pair: OperationPair): JudgeSent {
  const { old, next, use } = pair
  const verdicts = new Map<string, ReturnType<typeof judgePart>>()
  return (at, kind) => {
    if (use && at === '' && kind === 'callbacks') return callbackImpact(old, use)
    if (use && kind === 'links') return linkImpact(pair, at)
    if (use && kind === 'encoding') return encodingImpact(pair, use)
    const [, part = ''] = /^(body|query|header|cookie)\b/.exec(at) ?? []
    if (!use || part === '') return undefined
    const root = part === 'body' ? part : at.split(/[ .[]/).slice(0, 2).join(' ')
    const allowance = part === 'query' && kind !== undefined ? allowances[kind] : undefined
    if (allowance) return allowedBy(use.parameterPlaces.get(root), allowance)
    if (!verdicts.has(root)) verdicts.set(root, judgePart(old, next, use, root))
    const verdict = verdicts.get(root)
    if (!verdict) return undefined
    const isMade = (place: string) => verdict.madeAt.includes(place)
    if (isMade(at) || verdict.refused.some(isMade)) return undefined
    if (verdict.refused.length === 0) return 'unused'
    if (!verdict.isOnly) return undefined
    // Of an object that is refused, the parts that are not at fault are not changed for it.
    const isAtFault = verdict.refused.some(
      (place) => place === at || isWithin(at, place) || isWithin(place, at) || isBeside(at, place),
    )
    return isAtFault ? 'yours' : 'unused'
  }
}

/** Whether the address of a callback was sent. */
function callbackImpact({ value }: VersionOperation, { bodyPlaces }: OperationUse): Impact | undefined {
  const expressions = Object.values(value.callbacks ?? {}).flatMap((callback) => Object.keys(callback as object))
  const pointers = expressions.flatMap(
    (each) => /\$request\.body#\/([^}]+)/.exec(each)?.[1]?.replaceAll('/', '.') ?? [],
  )
  if (pointers.length === 0 || pointers.length < expressions.length) return undefined
  const isSent = (place: string) => [...(bodyPlaces.get(place) ?? [])].some((kind) => kind !== 'absent')
  return pointers.some(isSent) ? 'yours' : 'unused'
}

interface Link {
  operationId?: string
  operationRef?: string
}

/** Whether an operation is called that a link of an answer leads to, and leads to in another way now. */
function linkImpact({ old, next, isCalled }: OperationPair, at: string): Impact | undefined {
  const status = at.replace('response ', '')
  const [was = {}, now = {}] = [old, next].map(
    (each) => (each.responses.get(status)?.value as { links?: Record<string, Link> } | undefined)?.links,
  )
  const changed = Object.entries(was).filter(([name, link]) => !isSameJson(link, now[name]))
  const targets = changed.map(([, { operationId, operationRef }]) =>
    old.version.contract.operations.find(({ id, method, path }) => {
      const pointer = `/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method.toLowerCase()}`
      return id === operationId || operationRef?.endsWith(pointer)
    }),
  )
  if (targets.includes(undefined)) return undefined
  return targets.some((target) => target && isCalled(target)) ? 'yours' : 'unused'
}

/** Whether a field of a form was sent that is written in another way now. A lock has no fields of a form with files. */
function encodingImpact({ old, next }: OperationPair, { bodyPlaces, types }: OperationUse): Impact | undefined {
  if (bodyPlaces.size < 2) return undefined
  const fields = [...types].flatMap((type) => {
    const [was = {}, now = {}] = [old, next].map(({ body }) => body?.value.content[type]?.encoding)
    return Object.keys({ ...was, ...now }).filter((name) => !isSameJson(was[name], now[name]))
  })
  const isSent = (name: string) => [...(bodyPlaces.get(name) ?? [])].some((kind) => kind !== 'absent')
  return fields.some(isSent) ? 'yours' : 'unused'
}

/** Whether one of the sent texts needs an allowance. */
function allowedBy(kinds: ReadonlySet<string> | undefined, allowance: RegExp): Impact | undefined {
  const sent = [...(kinds ?? [])].filter((kind) => kind !== 'absent')
  if (sent.some((kind) => kind === 'of 0 characters' && allowance.test(''))) return 'yours'
  if (sent.some((kind) => (kind.startsWith('=') || isSentValue(kind)) && allowance.test(kind.slice(1)))) return 'yours'
  const isKnown = sent.some(isSentValue) || sent.every((kind) => kind !== 'other')
  return isKnown ? 'unused' : undefined
}

/** Whether both are in one object below the whole, which may be one of several alternatives. */
function isBeside(place: string, other: string): boolean {
  const [one, two] = [place, other].map((each) => each.slice(0, each.lastIndexOf('.')))
  return one !== '' && one === two
}

function isWithin(place: string, other: string): boolean {
  return place.startsWith(`${other}.`) || place.startsWith(`${other} `) || place.startsWith(`${other}[`)
}

/** @returns the places at which the next version refuses what was sent. Undefined if it is not known */
function judgePart(
  old: VersionOperation,
  next: VersionOperation,
  use: OperationUse,
  root: string,
): { refused: string[]; isOnly: boolean; madeAt: string[] } | undefined {
  const samples = root === 'body' ? bodySamples(old, use) : parameterSamples(old, use, root)
  const judges = samples && judgesOf(next, root)
  if (!samples || !judges) return undefined
  // A lock of another version, or values that belong together, may be put together to what was never accepted.
  const before = judgesOf(old, root)
  const values = samples.values.filter((value) => before?.(value).length === 0)
  if (values.length === 0) return undefined
  const violations = values.flatMap(judges)
  const at = violations.map(placeOf)
  const refused = [...new Set([...at, ...at.map((place) => withoutKeys(place, use.bodyPlaces))])]
  const madeAt = samples.made.map((at) => (root === 'body' ? `body ${at}`.trim() : at))
  // Another value than the one that was made may be accepted, and the other way round.
  return { refused, isOnly: samples.isOnly && values.length === 1, madeAt }
}

function placeOf({ in: place, at, path }: Violation): string {
  const parts = path ?? at.split('.').filter((part) => part !== '')
  const written = parts.reduce<string>(
    (text, part) => (/^\d+$/.test(part) ? `${text}[]` : text === '' ? part : `${text}.${part}`),
    '',
  )
  return written === '' ? place : `${place} ${written}`
}

/** A place in the body with `{}` for the names that a lock does not have. */
function withoutKeys(place: string, places: Places): string {
  if (!place.startsWith('body ')) return place
  const parts = place.slice('body '.length).split('.')
  const general = parts.reduce((at, part) => {
    const any = joined(at, part.replace(/^[^[]*/, '{}'))
    return places.has(joined(at, part)) || !places.has(any) ? joined(at, part) : any
  }, '')
  return `body ${general}`
}

function judgesOf(
  { operation, version: { contract } }: VersionOperation,
  root: string,
): ((value: unknown) => Violation[]) | undefined {
  const isBody = root === 'body'
  const number = isBody ? valueContentOf(operation)?.validate : operation.validateParameters
  const validate = number === undefined ? undefined : contract.validators[number]
  if (isBody) return validate && ((value) => judge(validate, toRounded(value), value, false))
  if (!validate) return undefined
  const [place = '', name = ''] = root.split(' ')
  return (value) => {
    const parameters = { query: {}, header: {}, cookie: {}, [place]: { [name]: value } }
    // The others are judged by themselves.
    return judge(validate, toRounded(parameters), parameters, true).filter(
      (each) => each.in === place && (each.path?.[0] ?? each.at.split(/[.[]/)[0]) === name,
    )
  }
}

function bodySamples({ body, version: { document } }: VersionOperation, use: OperationUse): Samples | undefined {
  const content = body && jsonContent(body.value.content, body.path)
  if (!content?.value.schema) return undefined
  return samplesAt(document, schemaOf(content), use.bodyPlaces, '')
}

function parameterSamples(
  { parameters, version: { document } }: VersionOperation,
  use: OperationUse,
  root: string,
): Samples | undefined {
  const found = parameters.find(({ value }) => `${value.in} ${value.name}` === root)
  return found && samplesAt(document, parameterSchema(found), use.parameterPlaces, root)
}

type Places = ReadonlyMap<string, ReadonlySet<string>>

/** @param at the place in the lock @returns undefined if it has no value there */
function samplesAt(
  document: OpenApiDocument,
  schema: Located<Schema>,
  places: Places,
  at: string,
): Samples | undefined {
  const flat = flattenSchema(document, schema)
  const kinds = [...(places.get(at) ?? [])].filter((kind) => kind !== 'absent')
  const names = [...flat.properties.keys()].filter((name) => places.has(joined(at, name)))
  if (flat.types.has('array') && !flat.types.has('string') && names.length === 0) {
    // The items of a parameter are at its own place.
    const items = samplesAt(
      document,
      flat.items ?? { value: true, path: [] },
      places,
      places.has(`${at}[]`) ? `${at}[]` : at === '' ? '[]' : at,
    )
    // Of a parameter they are values of its items.
    const isText = /^(?:query|header|cookie) /.test(at)
    const sizes = isText ? [] : kinds.filter(isSentValue).map((kind) => Number(kind.slice(1)))
    return items && listsOf(items, sizes, isText)
  }
  const isMap = flat.types.has('object') && kinds.some(isSentValue) && places.has(joined(at, '{}'))
  if (names.length > 0 || isMap) return objectAt(document, schema, places, at, names)
  const values = kinds.flatMap((kind) => readKind(kind, flat.types))
  if (values.length > 0) return { values: values.slice(0, maxSamples), isOnly: values.length === 1, made: [] }
  const isScalar = !flat.types.has('object') && !flat.types.has('array')
  const standard = isScalar && kinds.length > 0 ? sample(document, schema, at) : undefined
  return standard === undefined ? undefined : { values: [standard], isOnly: true, made: [at] }
}

/** Lists of all items, in the sizes that were sent. Without a known size, all are in one. */
function listsOf(items: Samples, sizes: readonly number[], isText: boolean): Samples {
  const { values } = items
  const lists = sizes.flatMap((size) =>
    Array.from({ length: Math.ceil(values.length / (size || 1)) }, (_, index) =>
      Array.from({ length: size }, (_, place) => values[(index * size + place) % values.length]),
    ),
  )
  const all = lists.length > 0 ? lists.slice(0, maxSamples) : [[...values]]
  const isScalar = !isText && values.every((value) => typeof value !== 'object')
  return { ...items, values: all, isOnly: all.length === 1 && (items.isOnly || isScalar) }
}

function objectAt(
  document: OpenApiDocument,
  schema: Located<Schema>,
  places: Places,
  at: string,
  names: readonly string[],
): Samples | undefined {
  const { properties, keywords } = flattenSchema(document, schema)
  const { additionalProperties: map, patternProperties: patterns = {} } = keywords
  const [byPattern = true] = Object.values(patterns) as Schema[]
  // Names that the document does not have.
  const keys = [...(places.get(at) ?? [])].filter(isSentValue).map((kind) => kind.slice(1))
  if (places.has(joined(at, '{}')) && keys.length === 0) return undefined
  let isOnly = true
  const made: string[] = []
  const first: Record<string, unknown> = {}
  const others: [name: string, value: unknown][] = []
  for (const name of names) {
    const kinds = places.get(joined(at, name)) ?? new Set<string>()
    if ([...kinds].every((kind) => kind === 'absent')) continue
    const inner = samplesAt(document, properties.get(name) ?? { value: true, path: [] }, places, joined(at, name))
    if (!inner) return undefined
    const [value, ...rest] = inner.values
    first[name] = value
    const more = kinds.has('absent') ? [...rest, undefined] : rest
    made.push(...inner.made)
    isOnly &&= inner.isOnly && more.length === 0
    others.push(...more.map((each): [string, unknown] => [name, each]))
  }
  for (const [index, key] of keys.entries()) {
    const value = { value: typeof map === 'object' ? map : byPattern, path: [] }
    const inner = samplesAt(document, value, places, joined(at, '{}'))
    if (!inner) return undefined
    first[key] = inner.values[index % inner.values.length]
    made.push(...(inner.made.length > 0 ? [joined(at, key)] : []))
  }
  const varied = others.slice(0, maxSamples).map(([name, value]) => {
    const { [name]: _, ...kept } = first
    return value === undefined ? kept : { ...kept, [name]: value }
  })
  return { values: [first, ...varied], isOnly, made }
}

function joined(at: string, name: string): string {
  if (at === '') return name
  return /^(?:query|header|cookie) [^ ]*$/.test(at) ? `${at} ${name}` : `${at}.${name}`
}

function readKind(kind: string, types: ReadonlySet<string>): unknown[] {
  if (kind === 'null') return [null]
  if (!kind.startsWith('=') && !isSentValue(kind)) return []
  const text = kind.slice(1)
  if ((types.has('integer') || types.has('number')) && text !== '' && !Number.isNaN(Number(text))) return [Number(text)]
  if (types.has('boolean') && /^(?:true|false)$/.test(text)) return [text === 'true']
  return [text]
}
