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
  type OpenApiVersion,
  type Reference,
  type Schema,
  type SchemaObject,
} from '../document.js'
import { type MissingReference, referable } from '../link-sources.js'
import type { Notes } from '../notes.js'
import { namePart, quoteValue } from '../quote-value.js'
import { followOnce, resolve, toPointer } from '../references.js'
import { boundSchemas } from './bound-schemas.js'
import { hasFreeNames, type Member, memberOf, type ObjectKind, one, redirect, type ScalarKind } from './object-kinds.js'
import { type Literal, tidyLiterals } from './tidy-literals.js'
import { repairScalar } from './tidy-scalar.js'
import { allowNull, liftRequired, tidySchema, upgradeKeywords } from './tidy-schema.js'

/** Objects with literal values. */
const literalKinds: ReadonlySet<ObjectKind> = new Set(['schema', 'mediaType', 'parameter', 'header', 'example'])

/** RFC 9110, section 5.6.2 */
const token = /^[!#$%&'*+.^_`|~\w-]+$/

/** Any object or array of a document. It is modified. */
type Holder = Record<string | number, unknown>

/** A `$ref` with the member that holds it. */
interface FoundReference {
  holder: Holder
  key: string | number
  kind: ObjectKind
  path: DocumentPath
}

const scalarKinds: readonly string[] = ['text', 'flag', 'number', 'positive', 'count', 'texts'] satisfies ScalarKind[]

export interface TidyOptions {
  /** The version of a part of the document: each file may have another one. */
  versionOf(path: DocumentPath): OpenApiVersion
  /** References without a target, by their replacement. */
  missing: ReadonlyMap<string, MissingReference>
  notes: Notes
}

/** @param document is modified */
export function tidyDocument(document: object, { versionOf, missing, notes }: TidyOptions): OpenApiDocument {
  const visited = new Map<object, ObjectKind>()
  const references: FoundReference[] = []
  const schemas = new Map<SchemaObject, DocumentPath>()
  const literals: Literal[] = []
  /** Lists with holes, which are closed at the end, so that indices match the text until then. */
  const lists = new Set<unknown[]>()
  let isNullNoted = false

  function remove(holder: Holder, key: string | number): void {
    delete holder[key]
    if (Array.isArray(holder)) lists.add(holder)
  }

  /** @param whole the part that is left out, if it is more than the wrong part */
  function leaveOut(holder: Holder, key: string | number, path: DocumentPath, why: string, whole = path): void {
    remove(holder, key)
    notes.add(path, `${namePart(path)} ${why}`, whole === path ? 'it is ignored' : `${namePart(whole)} is ignored`)
  }

  function tidyMember(holder: Holder, key: string | number, { kind, holds }: Member, path: DocumentPath): void {
    if (holds === 'map') tidyMap(holder, key, kind, path)
    else if (holds === 'list') tidyList(holder, key, kind, path)
    else if (scalarKinds.includes(kind)) tidyScalar(holder, key, kind as ScalarKind, path)
    else tidyObject(holder, key, kind as ObjectKind, path)
  }

  function tidyMap(holder: Holder, key: string | number, kind: Member['kind'], path: DocumentPath): void {
    const map = spread(holder, key, kind, path)
    if (!isObject(map)) leaveOut(holder, key, path, `must be an object (got ${quoteValue(map)})`)
    else for (const name of Object.keys(map)) tidyMember(map, name, one(kind), [...path, name])
  }

  /**
   * Replaces a `$ref` to a map by a `$ref` for each of its members. OpenAPI only allows the latter, but authors use one `$ref`
   * for all content of a response, or for all properties.
   */
  function spread(holder: Holder, key: string | number, kind: Member['kind'], path: DocumentPath): unknown {
    const map = holder[key]
    if (!isReference(map) || !referable.includes(kind)) return map
    const { $ref: _, ...own } = map
    let members: [string, Reference][] = []
    try {
      const target = resolve<Holder>(document as OpenApiDocument, map, path)
      const names = isObject(target.value) ? Object.keys(target.value) : []
      members = names.map((name) => [name, { $ref: toPointer([...target.path, name]) }])
    } catch (error) {
      if (!(error instanceof DocumentProblem)) throw error
      notes.add(error.path, error.message, 'it is ignored')
    }
    holder[key] = { ...Object.fromEntries(members), ...own }
    return holder[key]
  }

  function tidyList(holder: Holder, key: string | number, kind: Member['kind'], path: DocumentPath): void {
    const written = holder[key]
    if (!Array.isArray(written)) {
      const why = `must be an array (got ${quoteValue(written)})`
      if (!isObject(written)) {
        leaveOut(holder, key, path, why)
        return
      }
      notes.add(path, `${namePart(path)} ${why}`, 'it is read as an array of one')
      const list = [written]
      holder[key] = list
      // The place in the text has no index.
      tidyMember(list as unknown as Holder, 0, one(kind), path)
      return
    }
    for (const index of written.keys()) tidyMember(written as unknown as Holder, index, one(kind), [...path, index])
    if (kind === 'schema' && written.length === 0) leaveOut(holder, key, path, 'must not be empty')
  }

  function tidyScalar(holder: Holder, key: string | number, kind: ScalarKind, path: DocumentPath): void {
    if (typeof holder[key] === 'bigint' && kind !== 'text') holder[key] = Number(holder[key])
    const repair = repairScalar(kind, holder[key])
    if (!repair) return
    const why = `must be ${repair.expected} (got ${quoteValue(holder[key])})`
    if (repair.value === undefined) leaveOut(holder, key, path, why)
    else {
      holder[key] = repair.value
      notes.add(path, `${namePart(path)} ${why}`, `it is read as ${quoteValue(repair.value)}`)
    }
  }

  function tidyObject(holder: Holder, key: string | number, kind: ObjectKind, path: DocumentPath): void {
    const free = memberOf(kind, '*')
    const value = free && kind !== 'callback' ? spread(holder, key, free.kind, path) : holder[key]
    if (kind === 'schema' && typeof value === 'boolean') return
    if (kind === 'schema' && (value === 'true' || value === 'false')) {
      holder[key] = value === 'true'
      notes.add(path, `${namePart(path)} must be an object or a boolean`, `it is read as ${value}`)
      return
    }
    if (!isObject(value)) {
      leaveOut(holder, key, path, `must be an object (got ${quoteValue(value)})`)
      return
    }
    if (visited.has(value)) return
    visited.set(value, kind)
    if (kind === 'schema') {
      schemas.set(value, path)
      const beside = allowNull(value)
      if (beside !== undefined && !isNullNoted) {
        // Generators write it in hundreds of places.
        isNullNoted = true
        notes.addLimit(
          path,
          `nullable beside ${beside} has no effect by the letter`,
          'null is accepted wherever it is written so',
        )
      }
    }
    if (isReference(value)) {
      references.push({ holder, key, kind, path })
      if (kind !== 'schema' && kind !== 'pathItem') return
      // OpenAPI 3.0.3, section 4.7.23: siblings of a `$ref` are ignored. A path item is not a Reference Object.
      if (kind === 'schema' && isOld(versionOf(path))) {
        for (const name of Object.keys(value)) if (name !== '$ref') delete (value as Holder)[name]
        return
      }
    } else if ('$ref' in value && !hasFreeNames(kind)) leaveOut(value, '$ref', [...path, '$ref'], 'must be a string')
    if (kind === 'pathItem') tidyMethods(value, path)
    else if (literalKinds.has(kind)) findLiterals(kind, value, path)
    if (kind === 'schema') {
      liftRequired(value, path, notes)
      upgradeKeywords(value, path, versionOf(path), notes)
    }
    for (const name of Object.keys(value)) {
      const member = memberOf(kind, name)
      if (member) tidyMember(value, name, member, [...path, name])
    }
    if (kind === 'schema') tidySchema(value, path, notes)
    if (kind === 'requestBody' && !isReference(value) && value['content'] === undefined) {
      value['content'] = {}
      notes.add(path, `${namePart(path)} has no content`, 'bodies are not read')
    }
    const wrong = findUseless(kind, value)
    if (wrong) leaveOut(holder, key, wrong.key in value ? [...path, wrong.key] : path, wrong.why, path)
  }

  /** An example of OpenAPI 3.2 may have its value as data or as text. */
  function findLiterals(kind: ObjectKind, value: Holder, path: DocumentPath): void {
    const { schema, examples, externalValue, dataValue, serializedValue = dataValue } = value
    const at = [...path, 'externalValue']
    if (kind === 'example' && value['value'] === undefined) {
      if (serializedValue !== undefined) value['value'] = dataValue ?? serializedValue
      else if (externalValue !== undefined)
        leaveOut(value, 'externalValue', at, 'is not read: only JSON and YAML beside the document is')
    }
    const written = kind === 'schema' ? { value, path } : { value: schema as Schema, path: [...path, 'schema'] }
    const own = written.value === undefined ? undefined : written
    for (const key of ['example', 'default', 'value'])
      if (key in value) literals.push([value, key, [...path, key], own])
    for (const [name, each] of Object.entries(
      isObject(examples) || Array.isArray(examples) ? examples : {},
    ).toReversed()) {
      const place = [...path, 'examples', name]
      if (kind === 'schema') literals.push([examples as object, name, place, own])
      else if (isObject(each) && !isReference(each)) literals.push([each, 'value', [...place, 'value'], own])
    }
  }

  /** Leaves out what is no operation before OpenAPI 3.2, and what has no method there. Webhooks are sent with any method. */
  function tidyMethods(item: Holder, path: DocumentPath): void {
    const isSent = /^(x-)?webhooks$/.test(String(path[0])) || path.includes('callbacks')
    for (const name of isSent || versionOf(path) === '3.2' ? [] : ['query', 'additionalOperations'])
      if (name in item) leaveOut(item, name, [...path, name], 'is for operations only since OpenAPI 3.2')
    const { additionalOperations: further } = item
    for (const name of isObject(further) ? Object.keys(further) : []) {
      const isFixed = [...methodNames, 'query'].includes(name.toLowerCase())
      const why = isFixed ? `must be written as the member "${name.toLowerCase()}" of the path` : 'is not a method'
      if (isFixed || !token.test(name)) leaveOut(further as Holder, name, [...path, 'additionalOperations', name], why)
    }
  }

  /** Follows a `$ref` and tidies its target. */
  function follow({ holder, key, kind, path }: FoundReference): void {
    const value = holder[key]
    if (!isReference(value)) return
    const lost = missing.get(value.$ref)
    if (lost) value.$ref = lost.$ref
    const found = redirect(document as OpenApiDocument, value.$ref, kind)
    if (found !== undefined) {
      notes.add(path, `$ref "${value.$ref}" points to nothing`, `"${found}" is used`)
      value.$ref = found
    }
    try {
      if (lost && found === undefined) throw new DocumentProblem(lost.message, path)
      const target = followOnce(document as OpenApiDocument, value, path)
      tidyTarget(target.path, kind, path)
      if (kind !== 'schema' && leadsBack(value)) {
        throw new DocumentProblem(`$ref "${value.$ref}" leads back to itself`, path)
      }
      if (kind === 'mediaType') holder[key] = behind(value, path)
    } catch (error) {
      if (!(error instanceof DocumentProblem)) throw error
      const isSchema = kind === 'schema'
      if (isSchema || kind === 'pathItem') delete (value as Partial<typeof value>).$ref
      else remove(holder, key)
      notes.add(error.path, error.message, isSchema ? 'any value is accepted' : 'it is ignored')
    }
  }

  /** A copy of a media type without its encoding: nothing reads that, and it may contain the media type itself. */
  function behind(reference: Reference, path: DocumentPath): object {
    const { encoding, ...media } = resolve<MediaTypeObject>(document as OpenApiDocument, reference, path).value
    if (!encoding) return media
    const parts = Object.entries(encoding as Record<string, Holder>).map(([name, { headers: _, ...part }]) => [
      name,
      part,
    ])
    return { ...media, encoding: Object.fromEntries(parts) }
  }

  /** Whether a chain of `$ref`s is a cycle. */
  function leadsBack(first: Reference): boolean {
    const seen = new Set<unknown>()
    for (let value: unknown = first; isReference(value) && !seen.has(value); ) {
      seen.add(value)
      value = followOnce(document as OpenApiDocument, value, []).value
      if (value === first) return true
    }
    return false
  }

  /** Tidies targets that are reachable only by a `$ref`, such as a schema in an extension. */
  function tidyTarget(target: DocumentPath, kind: ObjectKind, from: DocumentPath): void {
    const key = target.at(-1)
    let holder: unknown = document
    for (const part of target.slice(0, -1)) holder = (holder as Holder)[part]
    if (key === undefined) throw new DocumentProblem('$ref points to the whole document', from)
    const value = (holder as Holder)[key]
    const known = typeof value === 'object' && value !== null ? visited.get(value) : undefined
    if (known === undefined) tidyObject(holder as Holder, key, kind, target)
    else if (known !== kind && isUnlike(known, kind)) {
      throw new DocumentProblem(`$ref leads to a ${known}, not to a ${kind}`, from)
    }
  }

  const root: Holder = { document }
  tidyObject(root, 'document', 'document', [])
  // The list grows during the loop.
  for (const reference of references) follow(reference)
  boundSchemas(document as OpenApiDocument, schemas, notes)
  for (const list of lists) list.splice(0, list.length, ...Object.values(list))
  tidyLiterals(document as OpenApiDocument, literals, (value) => visited.get(value as object), notes)
  return Object.assign(document, { openapi: '3.1.0' }) as OpenApiDocument
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
