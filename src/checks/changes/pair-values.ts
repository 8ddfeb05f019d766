/** Walks through the values of two versions side by side. */
import { jsonContent } from '../../compile/describe-operations.js'
import { parameterSchema } from '../../compile/operations/compile-parameters.js'
import { bareMediaType, isJson } from '../../compile/operations/media-types.js'
import { shorten } from '../../contract/violations.js'
import type {
  DocumentPath,
  Located,
  MediaTypeObject,
  OpenApiDocument,
  ParameterObject,
  ResponseObject,
  Schema,
} from '../../document/document.js'
import { oncePer } from '../../document/once.js'
import { resolve } from '../../document/references.js'
import { toJson } from '../../json/exact-json.js'
import { getOrInsert, isObject } from '../../json/own-value.js'
import { toComparable } from '../../json/same-json.js'
import type { AnsweredPair, Comparison, OperationPair, SentPair, ValuePair, VersionOperation } from './change.js'
import { excessOf } from './excess.js'
import { noClasses, type OperationUse, unknownClasses, withoutItems } from './operation-use.js'
import { createSameness, differencesOf, restOf, type Uncompared } from './same-schemas.js'
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
  /** Whether it is part of a request. Requests have no read-only values, and answers no write-only ones. */
  isSent: boolean
  isUsed(path: string): boolean
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
  tag?: Alternative['tag']
}

type WalkedPair = Omit<ValuePair, 'at'> & { path: string; within?: Within | undefined }

interface OpenPair {
  old: SchemaPart
  next: SchemaPart
  path: string
  /** Whether the place around it is used. */
  isInUsed: boolean
  within?: Within | undefined
  isRequired?: boolean
}

/** What differs at a place that has no schema. */
function* pairUncompared(
  path: string,
  nextPath: DocumentPath,
  uncompared: readonly Uncompared[],
): Generator<WalkedPair> {
  if (uncompared.length > 0) yield { path, old: anything, next: anything, nextPath, uncompared }
}

/** What differs in an object of both versions, and no rule looks at. @param rests what else differs there */
function pairMembers(
  old: Located<object>,
  next: Located<object>,
  { toSign }: Comparison,
  rests: readonly object[][] = [],
): Generator<WalkedPair> {
  const [one = [], other = []] = [old, next].map(({ value }, index) => [...membersOf(value), ...(rests[index] ?? [])])
  return pairUncompared('', next.path, differencesOf(one, other, toSign))
}

/** Each pair of schemas that differ, once, and once more at each path that is used. */
function* walk(
  { old: one, next: other, comparison }: OperationPair,
  { old, next, type = '', isHeader = false, isSent, isUsed }: Start,
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
      const name = 'what is too large or refers to itself in too many ways'
      yield* pairUncompared('', next.path, [{ name }])
      return
    }
    const hidden = [oldView, nextView].filter(isHidden).length
    if (hidden === 2) continue
    const uncompared =
      hidden > 0 ? [] : differencesOf(oldView.opaque.filter(isRead), nextView.opaque.filter(isRead), toSign)
    if (uncompared.length > 0 || summaryOf(oldView) !== summaryOf(nextView)) {
      yield { path, isRequired, old: oldView, next: nextView, nextPath: nextPart.path, within, uncompared }
    }
    if (hidden > 0 || (isAnything(nextView) && !isAnything(oldView))) continue
    const descend = (old: SchemaPart, next: SchemaPart, path: string, more: Partial<OpenPair> = {}) =>
      open.push({ old, next, path, isInUsed: isOwnUsed, within, ...more })
    for (const [before, after, isOnly] of pairAlternatives(oldPart, nextPart, isSent)) {
      if (before && after) {
        descend(before.part, after.part, path, isOnly ? {} : { within: { path, tag: before.tag } })
        continue
      }
      const { schema = 'this combination' } = (before ?? after)?.part ?? {}
      const values = `none is like ${shorten(toJson(schema))} of the ${before ? 'old' : 'next'} version`
      yield* pairUncompared(path, nextPart.path, [{ name: 'alternatives', values }])
    }
    const { others: oldOthers = anyPart, items: oldItems = anyPart } = oldView
    const { others: nextOthers = anyPart, items: nextItems = anyPart } = nextView
    const inMap = join(path, '{}')
    if (oldOthers !== nextOthers && oldView.isOpen && nextView.isOpen) descend(oldOthers, nextOthers, inMap)
    const areLists = oldView.types.has('array') && nextView.types.has('array')
    if (oldItems !== nextItems && areLists) descend(oldItems, nextItems, `${path}[]`)
    for (const name of new Set([...oldView.inner.keys(), ...nextView.inner.keys()])) {
      descend(innerOf(oldView, name), innerOf(nextView, name), isItem(name) ? `${path}[]` : inMap)
    }
    for (const [name, property] of oldView.properties) {
      const other = nextView.properties.get(name)
      const isRequired = oldView.required.has(name) && nextView.required.has(name)
      if (other) descend(property, other, join(path, name), { isRequired })
    }
    // What is a property now was a value of the map.
    for (const [name, property] of oldView.others && oldView.isOpen ? nextView.properties : []) {
      if (!oldView.properties.has(name)) descend(oldOthers, property, join(path, name))
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

type AlternativePair = [old: Alternative | undefined, next: Alternative | undefined, isOnly?: boolean]

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
    // If there is one, the whole schema says the same but for its values.
    const [[, only] = []] = offered.length === 1 ? offered : []
    if (only && !only.tag && only.part.view().values) {
      for (const [, each] of alternativesOf(from, type)) pairs.push(isSent ? [each, only, true] : [only, each, true])
    }
    if (offered.length < 2 && !only?.tag) continue
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
        offered.slice(0, maxSearched).find(([, other]) => isWithin(each.part.view(), other.part.view(), isSent)) ??
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
function isWithin(from: SchemaView, to: SchemaView, isSent: boolean): boolean {
  const [old, next] = isSent ? [from, to] : [to, from]
  return (
    [...excessOf(from, to)].length === 0 &&
    [...to.required].every((name) => from.required.has(name)) &&
    [...old.properties.keys()].every((name) => next.properties.has(name))
  )
}

/** Parameters and properties of bodies that both versions have. */
export function* pairSent(pair: OperationPair): Generator<SentPair> {
  const { old, next, use, comparison } = pair
  const rests = [old, next].map(({ body }) => {
    const isOpen = body && old.body && next.body && Object.keys(body.value.content).length === 0
    return isOpen ? [{ 'content of the body': 'not documented' }] : []
  })
  const [one, other] = [old, next].map(({ value, at }) => ({ value, path: at })) as [Located<object>, Located<object>]
  for (const found of pairMembers(one, other, comparison, rests)) {
    yield { ...found, at: '', isText: false, classes: () => (use?.isCalled ? unknownClasses : noClasses) }
  }
  for (const [old, next] of pairParameters(pair.old, pair.next)) {
    const at = `${old.value.in} ${old.value.name}`
    const isUsed = (path: string) => path === '' || path === '[]' || use?.isParameterAbove(`${at} ${path}`) === true
    for (const { path, ...found } of walk(pair, { old, next, isSent: true, isUsed })) {
      // A lock has the values of the items of a list.
      const classes = (name = '') => use?.parameter(toPlace(at, join(path, name).replace(/^\[\]$/, ''))) ?? noClasses
      const place = /^[^[]/.test(path) ? `${at}.${path}` : toPlace(at, path)
      yield { ...found, at: place, isText: old.value.content === undefined, classes }
    }
  }
  for (const [type, one, other] of pairContents(old.body, next.body)) {
    // A lock has the properties of JSON bodies and forms.
    const isForm = type === 'application/x-www-form-urlencoded' || type === 'multipart/form-data'
    const isLocked = isForm ? use?.types.has(type) === true : isJson(type)
    const isUsed = (path: string) => isLocked && use?.isBodyAbove(path) === true
    for (const { path, within, ...found } of walk(pair, { old: one, next: other, type, isSent: true, isUsed })) {
      const inAlternative = within && use && isLocked ? isSentAs(use, within) : 'yes'
      const classes = (name = '') => {
        if (!isLocked) return use?.types.has(type) ? unknownClasses : noClasses
        const own = use?.body(join(path, name)) ?? noClasses
        if (inAlternative === 'yes' || own.size === 0) return own
        return inAlternative === 'no' ? noClasses : unknownClasses
      }
      yield { ...found, at: toPlace('body', path), isText: !isJson(type), classes }
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
export function* pairAnswered(pair: OperationPair): Generator<AnsweredPair> {
  const { old, next, use, comparison } = pair
  const added = [...next.responses.keys()].map((status) => [status, responseBefore(old, status)] as const)
  for (const [status, one] of [...old.responses, ...added]) {
    const other = one && responseFor(next, status)
    if (!other) continue
    const at = `response ${status}`
    const statuses = statusesOf(old, status, use)
    const useOf = (path: string) => use?.answer(statuses, path) ?? 'unused'
    for (const found of pairMembers(one, other, comparison)) yield { ...found, at, use: () => useOf('') }
    const nextHeaders = new Map(headersOf(next, other))
    for (const [name, old] of headersOf(pair.old, one)) {
      const next = nextHeaders.get(name)
      const start = next && { old, next, isHeader: true, isSent: false, isUsed: () => false }
      for (const { path, ...found } of start ? walk(pair, start) : []) {
        // A lock has no headers, so they are used as the whole answer is.
        yield { ...found, at: toPlace(`${at} header ${name}`, path), use: () => useOf('') }
      }
    }
    for (const [type, old, next] of pairContents(one, other)) {
      // A lock has the properties of JSON.
      const isTyped = isJson(type) || statuses.some((each) => use?.answers.get(each)?.has(type))
      const isUsed = (path: string) => isTyped && useOf(path) === 'read'
      for (const { path, ...found } of walk(pair, { old, next, type, isSent: false, isUsed })) {
        yield { ...found, at: toPlace(at, path), use: (name = '') => (isTyped ? useOf(join(path, name)) : 'unused') }
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

/** The range, or of errors the default, that documents a status which has no response of its own. */
function responseBefore({ responses }: VersionOperation, status: string): Located<ResponseObject> | undefined {
  const keys = [`${status[0]}XX`, `${status[0]}xx`, ...(/^[45]/.test(status) ? ['default'] : [])]
  return responses.has(status) ? undefined : keys.flatMap((key) => responses.get(key) ?? [])[0]
}

/** The statuses that a documented response is for, as far as a lock has some. */
export function statusesOf(operation: VersionOperation, key: string, use: OperationUse | undefined): string[] {
  const documented = operation.responses.get(key)
  const used = [...(use?.answers.keys() ?? [])].filter((status) => responseFor(operation, status) === documented)
  return [...used, ...(used.includes(key) ? [] : [key])]
}

/** The content of media types that both versions have. A JSON type that only the old version has is paired with the first one. */
function* pairContents(
  old: Located<WithContent> | undefined,
  next: Located<WithContent> | undefined,
): Generator<[type: string, old: Located<MediaTypeObject>, next: Located<MediaTypeObject>]> {
  if (!old || !next) return
  const nextTypes = new Map(contentsOf(next))
  const json = jsonContent(old.value.content, old.path)
  for (const [type, one] of contentsOf(old)) {
    const isJson = one.value === json?.value
    const other = nextTypes.get(type) ?? (isJson ? jsonContent(next.value.content, next.path) : undefined)
    if (other) yield [type, one, other]
  }
}

type WithContent = Pick<ResponseObject, 'content'>

function contentsOf({ value: { content = {} }, path }: Located<WithContent>): [string, Located<MediaTypeObject>][] {
  return Object.entries(content).map(([type, value]) => [
    bareMediaType(type),
    { value, path: [...path, 'content', type] },
  ])
}
