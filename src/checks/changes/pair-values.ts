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
import type { SchemaPart } from './schema-view.js'

export type IsSame = (one: Schema, other: Schema) => boolean

const maxDepth = 12

/** A pair of schemas, before their views are known. */
interface Start {
  old: Located<Schema>
  next: Located<Schema>
}

/**
 * Each pair of schemas once, and once more at each path that is used.
 * @param root the place of the whole value, e.g. `body`
 */
function* walk(
  { viewOf: viewOld }: VersionOperation,
  { viewOf: viewNext }: VersionOperation,
  { old, next }: Start,
  isSame: IsSame,
  isUsed: (path: string) => boolean,
): Generator<Omit<ValuePair, 'at'> & { path: string }> {
  const areSame = ({ schema: one }: SchemaPart, { schema: other }: SchemaPart) =>
    one !== undefined && other !== undefined && isSame(one, other)
  const seen = new Set<string>()
  const open: { old: SchemaPart; next: SchemaPart; path: string; depth: number }[] = [
    { old: viewOld(old), next: viewNext(next), path: '', depth: 0 },
  ]
  // Shallow places first, as they are the shortest way to say where a change is.
  for (const { old: oldPart, next: nextPart, path, depth } of open) {
    const key = `${oldPart.id} ${nextPart.id} ${isUsed(path) ? path : '-'}`
    if (seen.has(key) || depth > maxDepth || areSame(oldPart, nextPart)) continue
    seen.add(key)
    const oldView = oldPart.view()
    const nextView = nextPart.view()
    yield { path, old: oldView, next: nextView, oldPath: oldPart.path, nextPath: nextPart.path }
    const { items: oldItems } = oldView
    const { items: nextItems } = nextView
    if (oldView.others && nextView.others) {
      const inner = path === '' ? '{}' : `${path}.{}`
      open.push({ old: oldView.others, next: nextView.others, path: inner, depth: depth + 1 })
    }
    if (oldItems && nextItems) open.push({ old: oldItems, next: nextItems, path: `${path}[]`, depth: depth + 1 })
    for (const [name, oldProperty] of oldView.properties) {
      const nextProperty = nextView.properties.get(name)
      const inner = path === '' ? name : `${path}.${name}`
      if (nextProperty) open.push({ old: oldProperty, next: nextProperty, path: inner, depth: depth + 1 })
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
    const classes = (name = '') => (name === '' ? (use?.parameter(at) ?? noClasses) : noClasses)
    for (const { path, ...pair } of walk(old, next, start, isSame, (each) => each === '')) {
      const own = path === '' ? classes : () => noClasses
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
    for (const { path, ...pair } of walk(old, next, start, isSame, isUsed)) {
      const classes = (name = '') => {
        if (!isLocked) return use?.types.has(type) ? unknownClasses : noClasses
        return use?.body(name === '' ? path : path === '' ? name : `${path}.${name}`) ?? noClasses
      }
      yield { ...pair, at: toPlace('body', path), isText: !isJson(type), classes }
    }
  }
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
    const start = other && pairJson(one, other)
    if (!start) continue
    const statuses = statusesOf(old, status, use)
    const isUsed = (path: string) => use !== undefined && use.answer(statuses, path) !== 'unused'
    for (const { path, ...pair } of walk(old, next, start, isSame, isUsed)) {
      const ask = (name = '') => {
        const inner = name === '' || path === '' ? path + name : `${path}.${name}`
        return use?.answer(statuses, inner) ?? 'unused'
      }
      yield { ...pair, at: toPlace(`response ${status}`, path), use: ask }
    }
  }
}

function toPlace(root: string, path: string): string {
  return path === '' ? root : `${root} ${path}`
}

/** Both schemas of the JSON content. */
function pairJson(one: Located<ResponseObject>, other: Located<ResponseObject>): Start | undefined {
  const old = jsonContent(one.value.content, one.path)
  const next = jsonContent(other.value.content, other.path)
  return old?.value.schema !== undefined && next ? { old: schemaOf(old), next: schemaOf(next) } : undefined
}

/** The response that is documented for a status, or for a key such as `2XX`. */
export function responseFor({ responses }: VersionOperation, status: string): Located<ResponseObject> | undefined {
  return (
    responses.get(status) ??
    responses.get(`${status[0]}XX`) ??
    responses.get(`${status[0]}xx`) ??
    responses.get('default')
  )
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

/** The content of media types that both versions have. The first JSON type stands for all. */
function* pairContents(
  old: Content,
  next: Content,
  paths: BodyPaths,
): Generator<[type: string, old: Located<MediaTypeObject>, next: Located<MediaTypeObject>]> {
  const oldJson = jsonContent(old, paths.old)
  const nextJson = jsonContent(next, paths.next)
  if (oldJson && nextJson) yield [oldJson.mediaType, oldJson, nextJson]
  for (const [type, value] of Object.entries(old ?? {})) {
    const other = Object.entries(next ?? {}).find(([name]) => bareMediaType(name) === bareMediaType(type))
    if (isJson(type) || !other) continue
    yield [
      bareMediaType(type),
      { value, path: [...paths.old, 'content', type] },
      { value: other[1], path: [...paths.next, 'content', other[0]] },
    ]
  }
}
