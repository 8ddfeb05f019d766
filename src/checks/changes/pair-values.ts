/** Walks through the values of two versions side by side. */
import { jsonContent } from '../../compile/describe-operations.js'
import type {
  Located,
  MediaTypeObject,
  OpenApiDocument,
  ParameterObject,
  ResponseObject,
  Schema,
} from '../../compile/document.js'
import { oncePer } from '../../compile/once.js'
import { parameterSchema } from '../../compile/operations/compile-parameters.js'
import { bareMediaType, isJson } from '../../compile/operations/media-types.js'
import { resolve } from '../../compile/references.js'
import { shorten } from '../../contract/violations.js'
import { toJson } from '../../json/exact-json.js'
import { getOrInsert, isObject } from '../../json/own-value.js'
import { toComparable } from '../../json/same-json.js'
import type { AnsweredPair, Comparison, OperationPair, SentPair, ValuePair, VersionOperation } from './change.js'
import { excessOf } from './excess.js'
import { type OperationUse, withoutItems } from './operation-use.js'
import { createSameness, differencesOf, restOf } from './same-schemas.js'
import {
  type Alternative,
  alternativesOf,
  anyPart,
  anything,
  innerOf,
  isAnything,
  isItem,
  type SchemaPart,
  type SchemaView,
} from './schema-view.js'

/** Maximum pairs of one body, with the length of their paths, and of two documents. Schemas can refer to each other endlessly. */
const maxPairs = 200_000
const maxText = 10_000_000
const maxAllPairs = 20_000_000

export function createComparison(old: OpenApiDocument, next: OpenApiDocument): Comparison {
  return { toSign: createSameness(old, next), left: maxAllPairs }
}

/** What has a schema. Parameters and headers have no `itemSchema`, and media types have no style. */
type Holder = Omit<ParameterObject, 'name' | 'in'> & MediaTypeObject & { in?: string }

/** A parameter, a header or a media type of both versions. */
interface Start {
  old: Located<Holder>
  next: Located<Holder>
  isHeader?: boolean
  /** The media type of a body. */
  type?: string
}

/** Members of objects other than schemas that rules look at. All others are only compared as a whole. */
const comparedMembers = new Set([
  ...['openapi', '$self', 'info', 'servers', 'paths', 'components', 'security', 'webhooks', 'operationId'],
  ...['parameters', 'requestBody', 'responses', 'headers', 'content', 'schema', 'itemSchema', 'name', 'in', 'required'],
  ...['style', 'explode'],
])

/** The members that no rule looks at. What is false or empty is as good as absent. */
export const membersOf: (object: object) => object[] = oncePer((object: object) => {
  const isGiven = (value: unknown) => value !== false && !(isObject(value) && Object.keys(value).length === 0)
  return restOf(object, comparedMembers).filter((each) => Object.values(each).every(isGiven))
})

/** The alternative that a place is in: where, and by which property it is told apart. */
interface Within {
  path: string
  tag?: [property: string, value: string]
}

type WalkedPair = Omit<ValuePair, 'at'> & { path: string; within?: Within }

interface OpenPair {
  old: SchemaPart
  next: SchemaPart
  path: string
  /** Whether the place around it is used. */
  isInUsed: boolean
  within?: Within
  isRequired?: boolean
}

/** What differs in an object of both versions, and no rule looks at. */
function* pairMembers(
  { value: old }: Located<object>,
  { value: next, path: nextPath }: Located<object>,
  { toSign }: Comparison,
  [oldRest = [], nextRest = []]: object[][] = [],
): Generator<WalkedPair> {
  const uncompared = differencesOf([...membersOf(old), ...oldRest], [...membersOf(next), ...nextRest], toSign)
  if (uncompared.length > 0) yield { path: '', old: anything, next: anything, nextPath, uncompared }
}

/**
 * Each pair of schemas that differ, once, and once more at each path that is used.
 * @param isSent whether it is part of a request. Requests have no read-only values, and answers no write-only ones
 */
function* walk(
  one: VersionOperation,
  other: VersionOperation,
  { old, next, type = '', isHeader = false }: Start,
  comparison: Comparison,
  isUsed: (path: string) => boolean,
  isSent: boolean,
): Generator<WalkedPair> {
  const { toSign } = comparison
  const isHidden = ({ isReadOnly, isWriteOnly }: SchemaView) => (isSent ? isReadOnly : isWriteOnly)
  const isRead = (keyword: object) => /xml/.test(type) || !('xml' in keyword)
  const signOf = ({ schema }: SchemaPart) => (schema === undefined ? undefined : toSign(schema))
  const areSame = (one: SchemaPart, other: SchemaPart) => signOf(one) !== undefined && signOf(one) === signOf(other)
  const seen = new Map<SchemaPart, Set<SchemaPart>>()
  const seenAt = new Set<string>()
  let length = 0
  const startAt = (path: string, toSchema: (holder: Located<Holder>) => Located<Schema>) =>
    ({ old: one.viewOf(toSchema(old)), next: other.viewOf(toSchema(next)), path, isInUsed: true }) satisfies OpenPair
  const isRequired = old.value.required === true && next.value.required === true
  const open: OpenPair[] = [{ ...startAt('', parameterSchema), isRequired }]
  if ('itemSchema' in old.value || 'itemSchema' in next.value) open.push(startAt('[]', itemSchemaOf))
  const styles = isHeader ? differentStyles([one, old], [other, next]) : undefined
  const rests = [old, next].map(({ value: { content = {} } }, index) => [
    ...Object.values(content).flatMap(membersOf),
    ...(styles ? [{ style: styles[index] }] : []),
  ])
  yield* pairMembers(old, next, comparison, rests)
  // Shallow places first, as they are the shortest way to say where a change is.
  for (const { old: oldPart, next: nextPart, path, isInUsed, within, isRequired = false } of open) {
    if (areSame(oldPart, nextPart)) continue
    const isOwnUsed = isInUsed && isUsed(path)
    const known = getOrInsert(seen, oldPart, () => new Set())
    const place = isOwnUsed ? `${oldPart.id} ${nextPart.id} ${withoutItems(path)}` : ''
    if (isOwnUsed ? seenAt.has(place) : known.has(nextPart)) continue
    known.add(nextPart)
    if (isOwnUsed) seenAt.add(place)
    const oldView = oldPart.view()
    const nextView = nextPart.view()
    length += path.length
    comparison.left -= 1 + path.length / 50
    const isTooLarge = open.length > maxPairs || length > maxText || comparison.left < 0
    if (oldView.isCut || nextView.isCut || isTooLarge) {
      const unknown = { path: '', old: anything, next: anything, nextPath: next.path }
      yield { ...unknown, uncompared: [{ name: 'what is too large or refers to itself in too many ways' }] }
      return
    }
    const hidden = [oldView, nextView].filter(isHidden).length
    if (hidden === 2) continue
    const uncompared =
      hidden > 0 ? [] : differencesOf(oldView.opaque.filter(isRead), nextView.opaque.filter(isRead), toSign)
    if (uncompared.length > 0 || summaryOf(oldView) !== summaryOf(nextView)) {
      yield {
        path,
        isRequired,
        old: oldView,
        next: nextView,
        nextPath: nextPart.path,
        ...(within && { within }),
        ...(uncompared.length > 0 && { uncompared }),
      }
    }
    if (hidden > 0 || (isAnything(nextView) && !isAnything(oldView))) continue
    const inherited = { isInUsed: isOwnUsed, ...(within && { within }) }
    for (const [before, after] of pairAlternatives(oldPart, nextPart, isSent)) {
      const tag = before?.tag
      if (before && after) {
        const own = { path, ...(tag && { tag }) }
        open.push({ old: before.part, next: after.part, path, isInUsed: isOwnUsed, within: own })
        continue
      }
      const { schema = 'this combination' } = (before ?? after)?.part ?? {}
      const values = `none is like ${shorten(toJson(schema))} of the ${before ? 'old' : 'next'} version`
      const uncompared = [{ name: 'alternatives', values }]
      yield { path, old: anything, next: anything, nextPath: nextPart.path, uncompared }
    }
    const { others: oldOthers = anyPart, items: oldItems = anyPart } = oldView
    const { others: nextOthers = anyPart, items: nextItems = anyPart } = nextView
    const inMap = join(path, '{}')
    if (oldOthers !== nextOthers && oldView.isOpen && nextView.isOpen) {
      open.push({ old: oldOthers, next: nextOthers, path: inMap, ...inherited })
    }
    if (oldItems !== nextItems && oldView.types.has('array') && nextView.types.has('array')) {
      open.push({ old: oldItems, next: nextItems, path: `${path}[]`, ...inherited })
    }
    for (const name of new Set([...oldView.inner.keys(), ...nextView.inner.keys()])) {
      const inner = isItem(name) ? `${path}[]` : inMap
      open.push({ old: innerOf(oldView, name), next: innerOf(nextView, name), path: inner, ...inherited })
    }
    for (const [name, oldProperty] of oldView.properties) {
      const nextProperty = nextView.properties.get(name)
      const isRequired = oldView.required.has(name) && nextView.required.has(name)
      if (nextProperty)
        open.push({ old: oldProperty, next: nextProperty, path: join(path, name), isRequired, ...inherited })
    }
  }
}

/** All of a view that rules about its own place look at. */
const summaryOf: (view: SchemaView) => string = oncePer((view: SchemaView) => {
  const { types, values, limits, conditions, properties, required, isOpen, others, isReadOnly, isWriteOnly } = view
  const flags = ({ isReadOnly, isWriteOnly }: SchemaView) => `${Number(isReadOnly)}${Number(isWriteOnly)}`
  const lists = [types, conditions, required, values?.map(toComparable), [...limits].map(String)]
  return JSON.stringify([
    ...lists.map((list) => list && [...list].sort()),
    [...properties].map(([name, part]) => [name, flags(part.view())]).sort(),
    [isOpen, others !== undefined, isReadOnly, isWriteOnly, toComparable(view.default)],
  ])
})

type AlternativePair = [old: Alternative | undefined, next: Alternative | undefined]

/**
 * Of each alternative that can be sent or answered, the one of the other version that is most like it; undefined if there is none.
 * What several alternatives of a type have in common does not say what is valid.
 */
function pairAlternatives(old: SchemaPart, next: SchemaPart, isSent: boolean): AlternativePair[] {
  const pairs: AlternativePair[] = []
  const [from, to] = isSent ? [old, next] : [next, old]
  const { alternatives, values } = to.view()
  if (!alternatives || values) return pairs
  const toPair = (one: Alternative, other?: Alternative): AlternativePair => (isSent ? [one, other] : [other, one])
  for (const type of from.view().types) {
    const offered = alternativesOf(to, type)
    // If there is one, the whole schema says the same.
    if (offered.length < 2 && !offered.some(([, { tag }]) => tag)) continue
    const free = new Set(offered)
    let left = alternativesOf(from, type)
    const keys: ((name: string, view: SchemaView) => string)[] = [
      (name, view) => (name.startsWith('#') ? summaryOf(view) : name),
      (_, view) => summaryOf(view),
      // If there are as many, those with the same properties, and then all in their order.
      (_, { properties }) => (left.length === free.size ? [...properties.keys()].sort().join() : ''),
    ]
    for (const key of keys) {
      const byKey = new Map([...free].reverse().map((each) => [key(each[0], each[1].part.view()), each]))
      left = left.filter(([name, each]) => {
        const own = key(name, each.part.view())
        const found = own === '' ? undefined : byKey.get(own)
        if (!found || !free.delete(found)) return true
        pairs.push(toPair(each, found[1]))
        return false
      })
    }
    const rest = left.length === free.size ? [...free] : undefined
    for (const [index, [, each]] of left.entries()) {
      const [, other] =
        rest?.[index] ??
        offered.slice(0, maxSearched).find(([, other]) => isWithin(...toPair(each, other), isSent)) ??
        []
      // That a name is gone is said where the name is.
      const isNamed = each.tag && offered.some(([, { tag }]) => tag?.[0] === each.tag?.[0])
      if (other || !isNamed) pairs.push(toPair(each, other))
    }
  }
  return pairs
}

/** How many alternatives are searched for one that has all values of another one. */
const maxSearched = 100

/** Whether all values of one alternative are those of the other one, as far as their own keywords say. */
function isWithin(one: Alternative | undefined, other: Alternative | undefined, isSent: boolean): boolean {
  const [old, next] = [one?.part.view() ?? anything, other?.part.view() ?? anything]
  const [from, to] = isSent ? [old, next] : [next, old]
  return (
    [...excessOf(from, to)].length === 0 &&
    [...to.required].every((name) => from.required.has(name)) &&
    [...old.properties.keys()].every((name) => next.properties.has(name))
  )
}

/** Parameters and properties of bodies that both versions have. */
export function* pairSent({ old, next, use, comparison }: OperationPair): Generator<SentPair> {
  const whole = [old, next].map(({ value, at }) => ({ value, path: at })) as [Located<object>, Located<object>]
  const rests = [old, next].map(({ body }) => {
    const isOpen = body && old.body && next.body && Object.keys(body.value.content).length === 0
    return isOpen ? [{ 'content of the body': 'not documented' }] : []
  })
  for (const { path: _, ...pair } of pairMembers(...whole, comparison, rests)) {
    yield { ...pair, at: '', isText: false, classes: () => (use?.isCalled ? unknownClasses : noClasses) }
  }
  for (const [one, other] of pairParameters(old, next)) {
    const at = `${one.value.in} ${one.value.name}`
    const start = { old: one, next: other }
    const isUsed = (path: string) => path === '' || path === '[]' || use?.isParameterAbove(`${at} ${path}`) === true
    for (const { path, ...pair } of walk(old, next, start, comparison, isUsed, true)) {
      // A lock has the values of the items of a list.
      const classes = (name = '') => use?.parameter(toPlace(at, join(path, name).replace(/^\[\]$/, ''))) ?? noClasses
      const place = /^[^[]/.test(path) ? `${at}.${path}` : toPlace(at, path)
      yield { ...pair, at: place, isText: one.value.content === undefined, classes }
    }
  }
  for (const [type, one, other] of pairContents(
    old.body?.value.content,
    next.body?.value.content,
    pathsOfBodies(old, next),
  )) {
    const start = { old: one, next: other, type }
    // A lock has the properties of JSON bodies and forms.
    const isForm = type === 'application/x-www-form-urlencoded' || type === 'multipart/form-data'
    const isLocked = isForm ? use?.types.has(type) === true : isJson(type)
    const isUsed = (path: string) => isLocked && use?.isBodyAbove(path) === true
    for (const { path, within, ...pair } of walk(old, next, start, comparison, isUsed, true)) {
      const inAlternative = within && use && isLocked ? isSentAs(use, within) : 'yes'
      const classes = (name = '') => {
        if (!isLocked) return use?.types.has(type) ? unknownClasses : noClasses
        const own = use?.body(join(path, name)) ?? noClasses
        if (inAlternative === 'yes' || own.size === 0) return own
        return inAlternative === 'no' ? noClasses : unknownClasses
      }
      yield { ...pair, at: toPlace('body', path), isText: !isJson(type), classes }
    }
  }
}

/** Whether an alternative was sent: a lock knows the names of alternatives that a discriminator gives them. */
function isSentAs(use: OperationUse, { path, tag }: Within): 'yes' | 'no' | 'unknown' {
  const [property, value] = tag ?? []
  if (property === undefined) return 'unknown'
  const sent = use.body(join(path, property))
  if (sent.has(`=${value}`)) return 'yes'
  return [...sent].some((kind) => kind.startsWith('=')) ? 'no' : 'unknown'
}

/** @param name of a property; empty for the place itself */
function join(path: string, name: string): string {
  return name === '' || path === '' ? path + name : `${path}.${name}`
}

const noClasses: ReadonlySet<string> = new Set()
/** Of values that are not in a lock. */
const unknownClasses: ReadonlySet<string> = new Set(['?'])

export type Parameter = VersionOperation['parameters'][number]

/** The parameters that both versions have. Those in a path may have other names. */
export function pairParameters(old: VersionOperation, next: VersionOperation): [Parameter, Parameter][] {
  const toNext = new Map(namesInPath(old).map((name, index) => [name, namesInPath(next)[index]]))
  return old.parameters.flatMap((one) => {
    const { name, in: place } = one.value
    const other = next.parameters.find(
      ({ value }) =>
        value.in === place &&
        (place === 'path' ? value.name === toNext.get(name) : isSameName(place, value.name, name)),
    )
    return other ? [[one, other]] : []
  })
}

function namesInPath({ template }: VersionOperation): string[] {
  return template.segments.flatMap(({ names }) => names)
}

function isSameName(place: string, one: string, other: string): boolean {
  return place === 'header' ? one.toLowerCase() === other.toLowerCase() : one === other
}

/** The schema of each item of a stream (OpenAPI 3.2, section 4.14). */
function itemSchemaOf({ value, path }: Located<Holder>): Located<Schema> {
  return { value: value.itemSchema ?? true, path: [...path, 'itemSchema'] }
}

type Version = [VersionOperation, Located<Holder>]

/** How a parameter or a header is written in both versions, if that is not the same. */
export function differentStyles(old: Version, next: Version): [was: string, now: string] | undefined {
  const [was, now] = [styleOf(...old), styleOf(...next)]
  // A single value is the same in many styles.
  const isSame = was.isSeveral && now.isSeveral ? was.words === now.words : was.single === now.single
  return isSame ? undefined : [was.words, now.words]
}

/** How a value is written, and how a single one is. */
function styleOf({ viewOf }: VersionOperation, located: Located<Holder>) {
  const [media] = Object.keys(located.value.content ?? {})
  const { types } = viewOf(parameterSchema(located)).view()
  const isSeveral = types.has('array') || types.has('object')
  if (media !== undefined) return { isSeveral, words: bareMediaType(media), single: bareMediaType(media) }
  const { in: place, style = place === 'query' || place === 'cookie' ? 'form' : 'simple' } = located.value
  const { explode = style === 'form' } = located.value
  const single = style === 'label' || style === 'matrix' ? style : ''
  // A simple list is the same in both ways, and an object that is a `deepObject` has only one.
  const hasBoth = isSeveral && style !== 'deepObject' && (style !== 'simple' || types.has('object'))
  return { isSeveral, words: `${style}${hasBoth ? `, explode: ${explode}` : ''}`, single }
}

/** Values of answers that both versions have. */
export function* pairAnswered({ old, next, use, comparison }: OperationPair): Generator<AnsweredPair> {
  for (const [status, one] of old.responses) {
    const other = responseFor(next, status)
    if (!other) continue
    const statuses = statusesOf(old, status, use)
    const paths = { old: one.path, next: other.path }
    for (const { path: _, ...pair } of pairMembers(one, other, comparison)) {
      yield { ...pair, at: `response ${status}`, use: () => use?.answer(statuses, '') ?? 'unused' }
    }
    const nextHeaders = new Map(headersOf(next, other))
    for (const [name, header] of headersOf(old, one)) {
      const same = nextHeaders.get(name)
      const start = same && { old: header, next: same, isHeader: true }
      // A lock has no headers, so they are used as the whole answer is.
      const ask = () => use?.answer(statuses, '') ?? 'unused'
      for (const { path, ...pair } of start ? walk(old, next, start, comparison, () => false, false) : []) {
        yield { ...pair, at: toPlace(`response ${status} header ${name}`, path), use: ask }
      }
    }
    for (const [type, before, after] of pairContents(one.value.content, other.value.content, paths)) {
      // A lock has the properties of JSON.
      const isTyped = isJson(type) || statuses.some((each) => use?.answers.get(each)?.has(type))
      const isUsed = (path: string) => isTyped && use?.answer(statuses, path) === 'read'
      const start = { old: before, next: after, type }
      for (const { path, within: _, ...pair } of walk(old, next, start, comparison, isUsed, false)) {
        const ask = (name = '') => (isTyped ? (use?.answer(statuses, join(path, name)) ?? 'unused') : 'unused')
        yield { ...pair, at: toPlace(`response ${status}`, path), use: ask }
      }
    }
  }
}

/** By names in lower case (RFC 9110, section 5.1). */
export function headersOf(
  { version: { document } }: VersionOperation,
  { value, path }: Located<ResponseObject>,
): [name: string, header: Located<ParameterObject>][] {
  return Object.entries(value.headers ?? {}).map(([name, header]) => [
    name.toLowerCase(),
    resolve<ParameterObject>(document, header, [...path, 'headers', name]),
  ])
}

function toPlace(root: string, path: string): string {
  return path === '' ? root : `${root} ${path}`
}

/** The response that is documented for a status, or for a key such as `2XX`. */
export function responseFor({ responses }: VersionOperation, status: string): Located<ResponseObject> | undefined {
  const ranges = [status, `${status[0]}XX`, `${status[0]}xx`].flatMap((key) => responses.get(key) ?? [])
  // Of a range, the first status that is documented.
  const within = /^[1-5]XX$/i.test(status) ? [...responses].find(([key]) => key[0] === status[0])?.[1] : undefined
  return ranges[0] ?? within ?? responses.get('default')
}

/** The statuses that a documented response is for, as far as a lock has some. */
export function statusesOf(operation: VersionOperation, key: string, use: OperationUse | undefined): string[] {
  const documented = operation.responses.get(key)
  const used = [...(use?.answers.keys() ?? [])].filter((status) => responseFor(operation, status) === documented)
  return [...used, ...(used.includes(key) ? [] : [key])]
}

interface BodyPaths {
  old: VersionOperation['at']
  next: VersionOperation['at']
}

function pathsOfBodies(old: VersionOperation, next: VersionOperation): BodyPaths {
  return { old: old.body?.path ?? [], next: next.body?.path ?? [] }
}

type Content = Record<string, MediaTypeObject> | undefined

/** The content of media types that both versions have. A JSON type that only the old version has is paired with the first one. */
function* pairContents(
  old: Content,
  next: Content,
  paths: BodyPaths,
): Generator<[type: string, old: Located<MediaTypeObject>, next: Located<MediaTypeObject>]> {
  const oldJson = jsonContent(old, paths.old)
  const nextJson = jsonContent(next, paths.next)
  const nextTypes = new Map(Object.keys(next ?? {}).map((type) => [bareMediaType(type), type]))
  for (const [type, value] of Object.entries(old ?? {})) {
    const same = nextTypes.get(bareMediaType(type))
    const found = same === undefined ? undefined : next?.[same]
    const equal = found && { value: found, path: [...paths.next, 'content', same ?? ''] }
    const other = equal ?? (value === oldJson?.value ? nextJson : undefined)
    if (other) yield [bareMediaType(type), { value, path: [...paths.old, 'content', type] }, other]
  }
}
