/** Walks through the values of two versions side by side. */
import { jsonContent } from '../../compile/describe-operations.js'
import {
  type Located,
  type MediaTypeObject,
  type ResponseObject,
  type Schema,
  schemaOf,
} from '../../compile/document.js'
import { bareMediaType, isJson } from '../../compile/operations/media-types.js'
import type { AnsweredPair, SentPair, ValuePair, VersionOperation } from './change-rule.js'
import type { OperationUse } from './operation-use.js'
import { anyPart, type SchemaPart, type SchemaView } from './schema-view.js'

export type IsSame = (one: Schema, other: Schema) => boolean

const maxDepth = 12
/** Maximum pairs of one body. Schemas that refer to each other can have endlessly many. */
const maxPairs = 5000

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
  depth: number
  within?: Within
}

/**
 * Each pair of schemas once, and once more at each path that is used.
 * @param isHidden whether a value is not in such messages, as a read-only one is not in requests
 */
function* walk(
  { viewOf: viewOld }: VersionOperation,
  { viewOf: viewNext }: VersionOperation,
  { old, next }: Start,
  isSame: IsSame,
  isUsed: (path: string) => boolean,
  isHidden: (view: SchemaView) => boolean,
): Generator<WalkedPair> {
  const areSame = ({ schema: one }: SchemaPart, { schema: other }: SchemaPart) =>
    one !== undefined && other !== undefined && isSame(one, other)
  const seen = new Set<string>()
  const open: OpenPair[] = [{ old: viewOld(old), next: viewNext(next), path: '', depth: 0 }]
  // Shallow places first, as they are the shortest way to say where a change is.
  for (const { old: oldPart, next: nextPart, path, depth, within } of open) {
    const key = `${oldPart.id} ${nextPart.id} ${isUsed(path) ? path : '-'}`
    if (seen.has(key) || depth > maxDepth || seen.size > maxPairs || areSame(oldPart, nextPart)) continue
    seen.add(key)
    const oldView = oldPart.view()
    const nextView = nextPart.view()
    const hidden = [oldView, nextView].filter(isHidden).length
    if (hidden === 2) continue
    yield {
      path,
      old: oldView,
      next: nextView,
      oldPath: oldPart.path,
      nextPath: nextPart.path,
      ...(within && { within }),
    }
    if (hidden > 0) continue
    const inherited = { depth: depth + 1, ...(within && { within }) }
    for (const [name, { part, tag }] of oldView.alternatives ?? []) {
      const other = nextView.alternatives?.get(name)
      const own = { path, ...(tag && { tag }) }
      if (other) open.push({ old: part, next: other.part, path, depth: depth + 1, within: own })
    }
    const { others: oldOthers = anyPart, items: oldItems = anyPart } = oldView
    const { others: nextOthers = anyPart, items: nextItems = anyPart } = nextView
    if (oldOthers !== nextOthers && oldView.isOpen && nextView.isOpen) {
      const inner = path === '' ? '{}' : `${path}.{}`
      open.push({ old: oldOthers, next: nextOthers, path: inner, ...inherited })
    }
    if (oldItems !== nextItems && oldView.types.has('array') && nextView.types.has('array')) {
      open.push({ old: oldItems, next: nextItems, path: `${path}[]`, ...inherited })
    }
    for (const [name, oldProperty] of oldView.properties) {
      const nextProperty = nextView.properties.get(name)
      const inner = path === '' ? name : `${path}.${name}`
      if (nextProperty) open.push({ old: oldProperty, next: nextProperty, path: inner, ...inherited })
    }
  }
}

/** Parameters and properties of bodies that both versions have. */
export function* pairSent(
  old: VersionOperation,
  next: VersionOperation,
  use: OperationUse | undefined,
  isSame: IsSame,
): Generator<SentPair> {
  for (const [one, other] of pairParameters(old, next)) {
    const at = `${one.value.in} ${one.value.name}`
    const start = { old: schemaOf(one), next: schemaOf(other) }
    const isKnown = (path: string) => path === '' || path === '[]'
    const classes = (name = '') => (name === '' ? (use?.parameter(at) ?? noClasses) : noClasses)
    for (const { path, ...pair } of walk(old, next, start, isSame, isKnown, isReadOnly)) {
      // A lock has the values of the items of a list.
      const own = isKnown(path) ? classes : () => noClasses
      yield { ...pair, at: path === '' ? at : `${at} ${path}`, isText: true, classes: own }
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
    for (const { path, within, ...pair } of walk(old, next, start, isSame, isUsed, isReadOnly)) {
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
  isSame: IsSame,
): Generator<AnsweredPair> {
  for (const [status, one] of old.responses) {
    const other = responseFor(next, status)
    if (!other) continue
    const statuses = statusesOf(old, status, use)
    const paths = { old: one.path, next: other.path }
    for (const [type, before, after] of pairContents(one.value.content, other.value.content, paths)) {
      // A lock has the properties of JSON.
      const isTyped = isJson(type) || statuses.some((each) => use?.answers.get(each)?.has(type))
      const isUsed = (path: string) => use !== undefined && isTyped && use.answer(statuses, path) !== 'unused'
      const start = { old: schemaOf(before), next: schemaOf(after) }
      for (const { path, within: _, ...pair } of walk(old, next, start, isSame, isUsed, isWriteOnly)) {
        const ask = (name = '') => (isTyped ? (use?.answer(statuses, join(path, name)) ?? 'unused') : 'unused')
        yield { ...pair, at: toPlace(`response ${status}`, path), use: ask }
      }
    }
  }
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
