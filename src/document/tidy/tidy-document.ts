/**
 * Converts a parsed document to the form that all other code expects: OpenAPI 3.1 in which every member has the right type
 * and every `$ref` has a target. Notes problems, and leaves out as little as possible.
 */
import { isObject } from '../../json/own-value.js'
import {
  type DocumentPath,
  DocumentProblem,
  isOld,
  isReference,
  type MediaTypeObject,
  methodNames,
  type OpenApiDocument,
  type Reference,
  type SchemaObject,
} from '../document.js'
import { referable } from '../link-sources.js'
import { namePart, quoteValue } from '../quote-value.js'
import { followOnce, resolve, toPointer } from '../references.js'
import { boundSchemas } from './bound-schemas.js'
import { hasFreeNames, type Member, memberOf, type ObjectKind, one, redirect, type ScalarKind } from './object-kinds.js'
import { findLiterals, tidyLiterals } from './tidy-literals.js'
import { repairScalar } from './tidy-scalar.js'
import { allowNull, liftRequired, tidySchema, upgradeKeywords } from './tidy-schema.js'
import { type FoundReference, type Holder, leaveOut, remove, type Tidying } from './tidying.js'

/** Objects with literal values. */
const literalKinds: ReadonlySet<ObjectKind> = new Set(['schema', 'mediaType', 'parameter', 'header', 'example'])

/** RFC 9110, section 5.6.2 */
const token = /^[!#$%&'*+.^_`|~\w-]+$/

const scalarKinds: readonly string[] = ['text', 'flag', 'number', 'positive', 'count', 'texts'] satisfies ScalarKind[]

export type TidyOptions = Pick<Tidying, 'versionOf' | 'missing' | 'notes'>

/** @param written is modified */
export function tidyDocument(written: object, options: TidyOptions): OpenApiDocument {
  const document = written as OpenApiDocument
  const tidying: Tidying = {
    ...{ document, ...options, visited: new Map(), references: [], schemas: new Map(), literals: [], lists: new Set() },
    isNullNoted: false,
  }
  tidyObject(tidying, { document }, 'document', 'document', [])
  // The list grows during the loop.
  for (const reference of tidying.references) follow(tidying, reference)
  boundSchemas(document, tidying.schemas, tidying.notes)
  for (const list of tidying.lists) list.splice(0, list.length, ...Object.values(list))
  tidyLiterals(document, tidying.literals, (value) => tidying.visited.get(value as object), tidying.notes)
  addKinds(document)
  return Object.assign(document, { openapi: '3.1.0' })
}

/** Objects of Kubernetes and of its extensions say their kind in an extension of their schema alone. */
function addKinds({ components }: OpenApiDocument): void {
  for (const schema of Object.values(components?.schemas ?? {})) {
    const kinds = isObject(schema) ? schema['x-kubernetes-group-version-kind'] : undefined
    const [only, ...others] = Array.isArray(kinds) ? kinds : []
    if (!isObject(schema) || !isObject(only) || others.length > 0) continue
    const { group, kind, version } = only
    const known = { kind, apiVersion: group ? `${group}/${version}` : version }
    const properties = schema['properties'] as Record<string, object> | undefined
    for (const [name, value] of Object.entries(known))
      if (isObject(properties?.[name])) properties[name] = { ...properties[name], default: value }
  }
}

function tidyMember(
  tidying: Tidying,
  holder: Holder,
  key: string | number,
  { kind, holds }: Member,
  path: DocumentPath,
): void {
  if (holds === 'map') tidyMap(tidying, holder, key, kind, path)
  else if (holds === 'list') tidyList(tidying, holder, key, kind, path)
  else if (scalarKinds.includes(kind)) tidyScalar(tidying, holder, key, kind as ScalarKind, path)
  else tidyObject(tidying, holder, key, kind as ObjectKind, path)
}

function tidyMap(
  tidying: Tidying,
  holder: Holder,
  key: string | number,
  kind: Member['kind'],
  path: DocumentPath,
): void {
  const map = spread(tidying, holder, key, kind, path)
  if (!isObject(map)) leaveOut(tidying, holder, key, path, `must be an object (got ${quoteValue(map)})`)
  else for (const name of Object.keys(map)) tidyMember(tidying, map, name, one(kind), [...path, name])
}

/** Maximum names and indexes that lead to a map with a `$ref`. */
const maxDepth = 100

/**
 * Replaces a `$ref` to a map by a `$ref` for each of its members. OpenAPI only allows the latter, but authors use one `$ref`
 * for all content of a response, or for all properties.
 */
function spread(
  tidying: Tidying,
  holder: Holder,
  key: string | number,
  kind: Member['kind'],
  path: DocumentPath,
): unknown {
  const map = holder[key]
  if (!isReference(map) || !referable.includes(kind)) return map
  const { $ref: _, ...own } = map
  let members: [string, Reference][] = []
  try {
    const target = resolve<Holder>(tidying.document, map, path)
    const isWithin = target.path.every((part, index) => String(part) === String(path[index]))
    // Two maps that lead to what the other one is in never end either.
    if (isWithin || path.length > maxDepth)
      throw new DocumentProblem(`$ref "${map.$ref}" leads to what contains it`, path)
    const names = isObject(target.value) ? Object.keys(target.value) : []
    members = names.map((name) => [name, { $ref: toPointer([...target.path, name]) }])
  } catch (error) {
    if (!(error instanceof DocumentProblem)) throw error
    tidying.notes.add(error.path, error.message, 'it is ignored')
  }
  holder[key] = { ...Object.fromEntries(members), ...own }
  return holder[key]
}

function tidyList(
  tidying: Tidying,
  holder: Holder,
  key: string | number,
  kind: Member['kind'],
  path: DocumentPath,
): void {
  const written = holder[key]
  if (!Array.isArray(written)) {
    const why = `must be an array (got ${quoteValue(written)})`
    if (!isObject(written)) {
      leaveOut(tidying, holder, key, path, why)
      return
    }
    tidying.notes.add(path, `${namePart(path)} ${why}`, 'it is read as an array of one')
    const list = [written]
    holder[key] = list
    // The place in the text has no index.
    tidyMember(tidying, list as unknown as Holder, 0, one(kind), path)
    return
  }
  for (const index of written.keys())
    tidyMember(tidying, written as unknown as Holder, index, one(kind), [...path, index])
  if (kind === 'schema' && written.length === 0) leaveOut(tidying, holder, key, path, 'must not be empty')
}

function tidyScalar(
  tidying: Tidying,
  holder: Holder,
  key: string | number,
  kind: ScalarKind,
  path: DocumentPath,
): void {
  if (typeof holder[key] === 'bigint' && kind !== 'text') holder[key] = Number(holder[key])
  const repair = repairScalar(kind, holder[key])
  if (!repair) return
  const why = `must be ${repair.expected} (got ${quoteValue(holder[key])})`
  if (repair.value === undefined) leaveOut(tidying, holder, key, path, why)
  else {
    holder[key] = repair.value
    tidying.notes.add(path, `${namePart(path)} ${why}`, `it is read as ${quoteValue(repair.value)}`)
  }
}

function tidyObject(
  tidying: Tidying,
  holder: Holder,
  key: string | number,
  kind: ObjectKind,
  path: DocumentPath,
): void {
  const value = readObject(tidying, holder, key, kind, path)
  if (!value || tidying.visited.has(value)) return
  tidying.visited.set(value, kind)
  const { notes } = tidying
  if (kind === 'schema') {
    tidying.schemas.set(value, path)
    noteNull(tidying, value, path)
  }
  if (isReference(value)) {
    tidying.references.push({ holder, key, kind, path })
    if (!keepsSiblings(tidying, value, kind, path)) return
  } else if ('$ref' in value && !hasFreeNames(kind))
    leaveOut(tidying, value, '$ref', [...path, '$ref'], 'must be a string')
  if (kind === 'pathItem') tidyMethods(tidying, value, path)
  else if (literalKinds.has(kind)) findLiterals(tidying, kind, value, path)
  if (kind === 'schema') {
    liftRequired(value, path, notes)
    upgradeKeywords(value, path, tidying.versionOf(path), notes)
  }
  for (const name of Object.keys(value)) {
    const member = memberOf(kind, name)
    if (member) tidyMember(tidying, value, name, member, [...path, name])
  }
  if (kind === 'schema') tidySchema(value, path, notes)
  if (kind === 'requestBody' && !isReference(value) && value['content'] === undefined) {
    value['content'] = {}
    notes.add(path, `${namePart(path)} has no content`, 'bodies are not read')
  }
  const wrong = findUseless(kind, value)
  if (wrong) leaveOut(tidying, holder, key, wrong.key in value ? [...path, wrong.key] : path, wrong.why, path)
}

/** @returns undefined if the value is no object, which is left out, or a boolean schema */
function readObject(
  tidying: Tidying,
  holder: Holder,
  key: string | number,
  kind: ObjectKind,
  path: DocumentPath,
): Holder | undefined {
  const free = memberOf(kind, '*')
  const value = free && kind !== 'callback' ? spread(tidying, holder, key, free.kind, path) : holder[key]
  if (kind === 'schema' && typeof value === 'boolean') return undefined
  if (kind === 'schema' && (value === 'true' || value === 'false')) {
    holder[key] = value === 'true'
    tidying.notes.add(path, `${namePart(path)} must be an object or a boolean`, `it is read as ${value}`)
    return undefined
  }
  if (isObject(value)) return value
  leaveOut(tidying, holder, key, path, `must be an object (got ${quoteValue(value)})`)
  return undefined
}

/** Generators write it in hundreds of places, so it is noted once. */
function noteNull(tidying: Tidying, schema: SchemaObject, path: DocumentPath): void {
  const beside = allowNull(schema)
  if (beside === undefined || tidying.isNullNoted) return
  tidying.isNullNoted = true
  tidying.notes.addLimit(
    path,
    `nullable beside ${beside} has no effect by the letter`,
    'null is accepted wherever it is written so',
  )
}

/**
 * Whether members beside a `$ref` count. Removes those of schemas before OpenAPI 3.1, where they are ignored (OpenAPI 3.0.3,
 * section 4.7.23). A path item is not a Reference Object.
 */
function keepsSiblings(tidying: Tidying, value: Holder, kind: ObjectKind, path: DocumentPath): boolean {
  if (kind !== 'schema') return kind === 'pathItem'
  if (!isOld(tidying.versionOf(path))) return true
  for (const name of Object.keys(value)) if (name !== '$ref') delete value[name]
  return false
}

/** Leaves out what is no operation before OpenAPI 3.2, and what has no method there. Webhooks are sent with any method. */
function tidyMethods(tidying: Tidying, item: Holder, path: DocumentPath): void {
  const isSent = /^(x-)?webhooks$/.test(String(path[0])) || path.includes('callbacks')
  for (const name of isSent || tidying.versionOf(path) === '3.2' ? [] : ['query', 'additionalOperations'])
    if (name in item) leaveOut(tidying, item, name, [...path, name], 'is for operations only since OpenAPI 3.2')
  const { additionalOperations: further } = item
  for (const name of isObject(further) ? Object.keys(further) : []) {
    const isFixed = [...methodNames, 'query'].includes(name.toLowerCase())
    const why = isFixed ? `must be written as the member "${name.toLowerCase()}" of the path` : 'is not a method'
    if (isFixed || !token.test(name))
      leaveOut(tidying, further as Holder, name, [...path, 'additionalOperations', name], why)
  }
}

/** Follows a `$ref` and tidies its target. */
function follow(tidying: Tidying, { holder, key, kind, path }: FoundReference): void {
  const value = holder[key]
  if (!isReference(value)) return
  const lost = tidying.missing.get(value.$ref)
  if (lost) value.$ref = lost.$ref
  const found = redirect(tidying.document, value.$ref, kind)
  if (found !== undefined) {
    tidying.notes.add(path, `$ref "${value.$ref}" points to nothing`, `"${found}" is used`)
    value.$ref = found
  }
  try {
    if (lost && found === undefined) throw new DocumentProblem(lost.message, path)
    const target = followOnce(tidying.document, value, path)
    tidyTarget(tidying, target.path, kind, path)
    if (kind !== 'schema' && leadsBack(tidying, value)) {
      throw new DocumentProblem(`$ref "${value.$ref}" leads back to itself`, path)
    }
    if (kind === 'mediaType') holder[key] = behind(tidying, value, path)
  } catch (error) {
    if (!(error instanceof DocumentProblem)) throw error
    const isSchema = kind === 'schema'
    if (isSchema || kind === 'pathItem') delete (value as Partial<typeof value>).$ref
    else remove(tidying, holder, key)
    tidying.notes.add(error.path, error.message, isSchema ? 'any value is accepted' : 'it is ignored')
  }
}

/** A copy of a media type without its encoding: nothing reads that, and it may contain the media type itself. */
function behind(tidying: Tidying, reference: Reference, path: DocumentPath): object {
  const { encoding, ...media } = resolve<MediaTypeObject>(tidying.document, reference, path).value
  if (!encoding) return media
  const parts = Object.entries(encoding as Record<string, Holder>).map(([name, { headers: _, ...part }]) => [
    name,
    part,
  ])
  return { ...media, encoding: Object.fromEntries(parts) }
}

/** Whether a chain of `$ref`s is a cycle. */
function leadsBack(tidying: Tidying, first: Reference): boolean {
  const seen = new Set<unknown>()
  for (let value: unknown = first; isReference(value) && !seen.has(value); ) {
    seen.add(value)
    value = followOnce(tidying.document, value, []).value
    if (value === first) return true
  }
  return false
}

/** Tidies targets that are reachable only by a `$ref`, such as a schema in an extension. */
function tidyTarget(tidying: Tidying, target: DocumentPath, kind: ObjectKind, from: DocumentPath): void {
  const key = target.at(-1)
  let holder: unknown = tidying.document
  for (const part of target.slice(0, -1)) holder = (holder as Holder)[part]
  if (key === undefined) throw new DocumentProblem('$ref points to the whole document', from)
  const value = (holder as Holder)[key]
  const known = typeof value === 'object' && value !== null ? tidying.visited.get(value) : undefined
  if (known === undefined) tidyObject(tidying, holder as Holder, key, kind, target)
  else if (known !== kind && isUnlike(known, kind)) {
    throw new DocumentProblem(`$ref leads to a ${known}, not to a ${kind}`, from)
  }
}

/** Headers and parameters are alike, so a reference to one may lead to the other. */
function isUnlike(known: ObjectKind, kind: ObjectKind): boolean {
  return ![known, kind].every((each) => each === 'header' || each === 'parameter')
}

const places = ['query', 'header', 'path', 'cookie', 'querystring']

/** Finds a required member that is missing or wrong, which makes an object unusable. */
function findUseless(kind: ObjectKind, value: Holder): { key: string; why: string } | undefined {
  if (kind === 'server' && typeof value['url'] !== 'string') return { key: 'url', why: 'has no url' }
  if (kind !== 'parameter' || isReference(value)) return undefined
  if (typeof value['name'] !== 'string') return { key: 'name', why: 'has no name' }
  const place = String(value['in']).toLowerCase()
  if (!places.includes(place)) {
    return { key: 'in', why: `must be one of ${places.join(', ')} (got ${quoteValue(value['in'])})` }
  }
  value['in'] = place
  return undefined
}
