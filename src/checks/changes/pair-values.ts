/** Walks through the values of two versions side by side. */
import { jsonContent } from '../../compile/describe-operations.js'
import {
  type Located,
  type MediaTypeObject,
  type OpenApiDocument,
  type ParameterObject,
  type ResponseObject,
  type Schema,
  schemaOf,
} from '../../compile/document.js'
import { oncePer } from '../../compile/once.js'
import { parameterSchema } from '../../compile/operations/compile-parameters.js'
import { bareMediaType, isJson } from '../../compile/operations/media-types.js'
import { resolve } from '../../compile/references.js'
import { getOrInsert } from '../../json/own-value.js'
import { toComparable } from '../../json/same-json.js'
import type { AnsweredPair, SentPair, ValuePair, VersionOperation } from './change-rule.js'
import { type OperationUse, withoutItems } from './operation-use.js'
import { createSameness, type ToSign } from './same-schemas.js'
import {
  type Alternative,
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

/** What two documents have in common, and how many pairs of values are still compared. */
export interface Comparison {
  toSign: ToSign
  left: number
}

export function createComparison(old: OpenApiDocument, next: OpenApiDocument): Comparison {
  return { toSign: createSameness(old, next), left: maxAllPairs }
}

/** A pair of schemas, before their views are known. */
interface Start {
  old: Located<Schema>
  next: Located<Schema>
}

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
}

/**
 * Each pair of schemas that differ, once, and once more at each path that is used.
 * @param isHidden whether a value is not in such messages, as a read-only one is not in requests
 */
function* walk(
  { viewOf: viewOld }: VersionOperation,
  { viewOf: viewNext }: VersionOperation,
  { old, next }: Start,
  comparison: Comparison,
  isUsed: (path: string) => boolean,
  isHidden: (view: SchemaView) => boolean,
): Generator<WalkedPair> {
  const { toSign } = comparison
  const signOf = ({ schema }: SchemaPart) => (schema === undefined ? undefined : toSign(schema))
  const areSame = (one: SchemaPart, other: SchemaPart) => signOf(one) !== undefined && signOf(one) === signOf(other)
  const seen = new Map<SchemaPart, Set<SchemaPart>>()
  const seenAt = new Set<string>()
  let length = 0
  const open: OpenPair[] = [{ old: viewOld(old), next: viewNext(next), path: '', isInUsed: true }]
  // Shallow places first, as they are the shortest way to say where a change is.
  for (const { old: oldPart, next: nextPart, path, isInUsed, within } of open) {
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
      const unknown = { path: '', old: anything, next: anything, oldPath: old.path, nextPath: next.path }
      yield { ...unknown, uncompared: 'what is too large or refers to itself in too many ways' }
      return
    }
    const hidden = [oldView, nextView].filter(isHidden).length
    if (hidden === 2) continue
    const uncompared = hidden > 0 ? [] : differentKeywords(oldView.opaque, nextView.opaque, toSign)
    if (uncompared.length > 0 || summaryOf(oldView) !== summaryOf(nextView)) {
      yield {
        path,
        old: oldView,
        next: nextView,
        oldPath: oldPart.path,
        nextPath: nextPart.path,
        ...(within && { within }),
        ...(uncompared.length > 0 && { uncompared: uncompared.join(', ') }),
      }
    }
    if (hidden > 0 || (isAnything(nextView) && !isAnything(oldView))) continue
    const inherited = { isInUsed: isOwnUsed, ...(within && { within }) }
    for (const [one, other] of pairAlternatives(oldView, nextView, areSame)) {
      const own = { path, ...(one.tag && { tag: one.tag }) }
      open.push({ old: one.part, next: other.part, path, isInUsed: isOwnUsed, within: own })
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
      if (nextProperty) open.push({ old: oldProperty, next: nextProperty, path: join(path, name), ...inherited })
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

/** The keywords of which two schemas have different values. */
function differentKeywords(old: readonly object[], next: readonly object[], toSign: ToSign): string[] {
  const [one = new Set(), other = new Set()] = [old, next].map((list) => new Set(list.map(toSign)))
  const isLost = (found: ReadonlySet<unknown>) => (each: object) => {
    const sign = toSign(each)
    return sign === undefined || !found.has(sign)
  }
  const different = [...old.filter(isLost(other)), ...next.filter(isLost(one))]
  return [...new Set(different.flatMap((each) => Object.keys(each)))]
}

/** Those with the same name. Those without one are paired in their order, if there are as many and they are not the same. */
function* pairAlternatives(
  { alternatives: old = new Map() }: SchemaView,
  { alternatives: next = new Map() }: SchemaView,
  areSame: (one: SchemaPart, other: SchemaPart) => boolean,
): Generator<[Alternative, Alternative]> {
  for (const [name, one] of old) {
    const other = next.get(name)
    if (other && !name.startsWith('#')) yield [one, other]
  }
  const unnamed = (all: typeof old) => [...all].filter(([name]) => name.startsWith('#')).map(([, each]) => each)
  const isLeft = (among: Alternative[]) => (one: Alternative) => !among.some(({ part }) => areSame(one.part, part))
  const [left, other] = [unnamed(old), unnamed(next)]
  const [lost, added] = [left.filter(isLeft(other)), other.filter(isLeft(left))]
  if (lost.length === added.length)
    yield* lost.map((one, index): [Alternative, Alternative] => [one, added[index] ?? one])
}

/** Parameters and properties of bodies that both versions have. */
export function* pairSent(
  old: VersionOperation,
  next: VersionOperation,
  use: OperationUse | undefined,
  comparison: Comparison,
): Generator<SentPair> {
  for (const [one, other] of pairParameters(old, next)) {
    const at = `${one.value.in} ${one.value.name}`
    const start = { old: parameterSchema(one), next: parameterSchema(other) }
    const isUsed = (path: string) => path === '' || path === '[]' || use?.isParameterAbove(`${at} ${path}`) === true
    for (const { path, ...pair } of walk(old, next, start, comparison, isUsed, isReadOnly)) {
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
    const start = { old: schemaOf(one), next: schemaOf(other) }
    // A lock has the properties of JSON bodies and forms.
    const isForm = type === 'application/x-www-form-urlencoded' || type === 'multipart/form-data'
    const isLocked = isForm ? use?.types.has(type) === true : isJson(type)
    const isUsed = (path: string) => isLocked && use?.isBodyAbove(path) === true
    for (const { path, within, ...pair } of walk(old, next, start, comparison, isUsed, isReadOnly)) {
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

/** The parameters that both versions have. Those in a path may have other names. */
export function* pairParameters(
  old: VersionOperation,
  next: VersionOperation,
): Generator<[VersionOperation['parameters'][number], VersionOperation['parameters'][number]]> {
  const toNext = new Map(namesInPath(old).map((name, index) => [name, namesInPath(next)[index]]))
  for (const one of old.parameters) {
    const { name, in: place } = one.value
    const other = next.parameters.find(
      ({ value }) =>
        value.in === place &&
        (place === 'path' ? value.name === toNext.get(name) : isSameName(place, value.name, name)),
    )
    if (other) yield [one, other]
  }
}

function namesInPath({ template }: VersionOperation): string[] {
  return template.segments.flatMap(({ names }) => names)
}

function isSameName(place: string, one: string, other: string): boolean {
  return place === 'header' ? one.toLowerCase() === other.toLowerCase() : one === other
}

/** Values of answers that both versions have. */
export function* pairAnswered(
  old: VersionOperation,
  next: VersionOperation,
  use: OperationUse | undefined,
  comparison: Comparison,
): Generator<AnsweredPair> {
  for (const [status, one] of old.responses) {
    const other = responseFor(next, status)
    if (!other) continue
    const statuses = statusesOf(old, status, use)
    const paths = { old: one.path, next: other.path }
    const nextHeaders = new Map(headersOf(next, other))
    for (const [name, header] of headersOf(old, one)) {
      const same = nextHeaders.get(name)
      const start = same && { old: parameterSchema(header), next: parameterSchema(same) }
      // A lock has no headers, so they are used as the whole answer is.
      const ask = () => use?.answer(statuses, '') ?? 'unused'
      for (const { path, ...pair } of start ? walk(old, next, start, comparison, () => false, isWriteOnly) : []) {
        yield { ...pair, at: toPlace(`response ${status} header ${name}`, path), use: ask }
      }
    }
    for (const [type, before, after] of pairContents(one.value.content, other.value.content, paths)) {
      // A lock has the properties of JSON.
      const isTyped = isJson(type) || statuses.some((each) => use?.answers.get(each)?.has(type))
      const isUsed = (path: string) => isTyped && use?.answer(statuses, path) === 'read'
      const start = { old: schemaOf(before), next: schemaOf(after) }
      for (const { path, within: _, ...pair } of walk(old, next, start, comparison, isUsed, isWriteOnly)) {
        const ask = (name = '') => (isTyped ? (use?.answer(statuses, join(path, name)) ?? 'unused') : 'unused')
        yield { ...pair, at: toPlace(`response ${status}`, path), use: ask }
      }
    }
  }
}

/** By names in lower case (RFC 9110, section 5.1). */
function headersOf(
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

function isReadOnly(view: SchemaView): boolean {
  return view.isReadOnly
}

function isWriteOnly(view: SchemaView): boolean {
  return view.isWriteOnly
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
