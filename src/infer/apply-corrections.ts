/** Applies `x-sandbox-effect`, by which authors correct the inferred effect of an operation. */

import type { OperationLines } from '../behaviour/members.js'
import { effects } from '../behaviour/vocabulary.js'
import type { EffectKind } from '../contract/effects/effect.js'
import { suggestion } from '../contract/suggest-closest.js'
import { DocumentProblem, type Located, type OpenApiDocument, type Schema, schemaOf } from '../document/document.js'
import { resolve } from '../document/references.js'
import { effectName as name, refuseUnknown } from '../document/refuse-unknown.js'
import { toJson } from '../json/exact-json.js'
import { fromJsonPointer, toJsonPointer } from '../json/json-pointer.js'
import { isObject } from '../json/own-value.js'
import { type FlatSchema, flattenSchema, isObjectSchema } from '../schemas/flatten-schema.js'
import type { DescribedOperation } from '../schemas/operations/describe-operations.js'
import { recordContent } from '../schemas/operations/request-content.js'
import { findRecordSchema } from './facts/body-shape.js'
import type { Candidate } from './facts/candidate.js'
import { keyParameter } from './facts/candidate.js'
import type { FoundResources } from './paths/find-resources.js'
import { lineOf } from './paths/path-tree.js'
import { readEffectLines } from './read-extensions.js'

/** Effects on an existing record. */
const keyed: readonly string[] = ['read', 'replace', 'update', 'remove', 'action']

/** Effects that write nothing. */
const unwritten: readonly string[] = ['read', 'example', 'undescribed']

/** @throws DocumentProblem for an invalid correction, and for one that names what the document does not have */
export function applyCorrections(
  document: OpenApiDocument,
  resources: FoundResources,
  candidates: Candidate[],
): Candidate[] {
  checkPlaces(document)
  const paths = new Set(candidates.flatMap(({ path, operation }) => [path, operation.template.path]))
  const written = new Set(candidates.flatMap(({ kind, path }) => (unwritten.includes(kind) ? [] : path)))
  return candidates.map((candidate) => {
    const lines = readEffectLines(candidate.operation)
    const places = candidate.resource?.lines
    const isSaid = lines.members().length > 0 || places?.get('record') || places?.get('request')
    if (!isSaid) return candidate
    return applyLines({ document, resources, paths: [...paths], written }, candidate, lines)
  })
}

/** Refuses corrections outside of operations, which would have no effect. */
function checkPlaces(document: OpenApiDocument): void {
  const refuse = (path: string[]) => {
    throw new DocumentProblem(`${name} must be in an operation`, [...path, name])
  }
  if (name in document) refuse([])
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    // The values of extensions can be anything.
    if (isObject(item) && name in resolve<object>(document, item, ['paths', path]).value) refuse(['paths', path])
  }
}

interface Applying {
  document: OpenApiDocument
  resources: FoundResources
  /** The paths that lines can name as collections. */
  paths: readonly string[]
  /** Those of the collections that requests write. */
  written: ReadonlySet<string>
}

/** What is guessed of an operation, with what a person says. What nobody says follows it. */
function applyLines(applying: Applying, inferred: Candidate, lines: OperationLines): Candidate {
  const { document } = applying
  checkNames(inferred.operation, lines)
  const own: Candidate = { ...inferred, lines, isChosen: true }
  const placed = { ...own, ...chooseCollection(applying, own) }
  const selecting = { ...placed, ...chooseKey(document, inferred, placed) }
  const list = chooseList(document, inferred, lines)
  const kind = lines.value('effect') ?? (list.isChosen ? 'list' : inferred.kind)
  const above = chooseAbove(applying, selecting, kind)
  const owned = { ...selecting, ...above }
  const shown = { ...owned, ...chooseShown(document, inferred, owned, kind, list, above !== undefined) }
  if (kind !== inferred.kind) checkPossible(shown, kind, list.found !== undefined)
  const chosen = kind === 'list' || kind === 'example' ? shown : { ...shown, ...chooseRecord(document, shown) }
  const result = { ...chosen, kind: kind as EffectKind }
  if (hidesRecord(document, inferred, result)) result.record = undefined
  const requestAt = chooseRequest(document, result)
  if (requestAt) result.requestAt = requestAt
  // A replacement that only updates becomes one later: see `findPartialUpdates`.
  const isLight = kind === inferred.kind || (kind === 'update' && inferred.kind === 'replace')
  const isSame = isLight && facets.every((name) => toJson(result[name]) === toJson(inferred[name]))
  return isSame ? { ...inferred, lines, ...(requestAt && { requestAt }) } : result
}

/** The collection that a line names, and the parameter that selects its records. */
function chooseCollection(
  { resources, paths }: Applying,
  { lines, path: inferred, resource: guessed, parameter, decision, kind }: Candidate,
): Pick<Candidate, 'path' | 'resource' | 'parameter'> {
  const said = lines.value('collection')
  const isOther = said !== undefined && said !== inferred
  const path = isOther ? oneOf(lines, 'collection', said, paths, 'path') : inferred
  const homes = [...resources.at.values(), ...resources.byItem.values()]
  const resource = homes.findLast(({ home }) => home === path) ?? guessed
  if (!isOther || !resource) return { path, resource, parameter }
  const effect = lines.value('effect')
  const own = keyParameter(resources, decision, resource, effect ?? kind)
  return { path, resource, parameter: own ?? (effect === 'create' ? undefined : parameter) }
}

/** Where requests have the key, and which property has it, as lines say. */
function chooseKey(
  document: OpenApiDocument,
  inferred: Candidate,
  { operation, lines }: Candidate,
): Partial<Candidate> {
  const parameter = lines.value('parameter')
  const key = lines.value('key')
  const names = operation.template.segments.flatMap((segment) => segment.names)
  const named =
    parameter === undefined ? {} : { parameter: oneOf(lines, 'parameter', parameter, names, 'path parameter') }
  if (key?.startsWith('$')) return { ...named, ...keyInRequest(document, operation, lines, key, inferred) }
  return { ...named, ...(key !== undefined && key !== inferred.resource?.key && { key }) }
}

interface ChosenList {
  found: ListInBody | undefined
  /** Whether a line names it, and it is not the one that is guessed. */
  isChosen: boolean
}

function chooseList(document: OpenApiDocument, inferred: Candidate, lines: OperationLines): ChosenList {
  const { schema } = inferred.success ?? {}
  const lists = schema ? findLists(document, schema) : []
  const pointers = lists.map(({ pointer }) => toJsonPointer(pointer))
  const own = inferred.kind === 'list' ? toJsonPointer(inferred.pointer) : undefined
  const said = lines.value('list')
  const chosen =
    said === undefined || said === own ? undefined : oneOf(lines, 'list', said, pointers, 'array of objects')
  const known = own ?? (pointers.length === 1 ? pointers[0] : undefined)
  return { found: lists[pointers.indexOf(chosen ?? known ?? '')], isChosen: chosen !== undefined }
}

/** The record above the path of an operation, if that is the one which it shows or changes. */
function chooseAbove(
  { document, resources, written }: Applying,
  candidate: Candidate,
  kind: string,
): Partial<Candidate> | undefined {
  const { lines, success, path } = candidate
  const effect = lines.value('effect')
  const isUnwritten = (effect === 'read' || effect === 'action') && !written.has(path)
  const isFree = !lines.get('collection') && keyed.includes(kind) && (!hasRecord(candidate) || isUnwritten)
  const above = isFree ? recordAbove(resources, candidate) : undefined
  if (!above || !hasRecord(candidate) || effect === 'action') return above
  // An answer that shows nothing of the record above it is a record of its own.
  const { flat } = success ?? {}
  const isShown = flat && isObjectSchema(flat) && mayShow(document, flat, { ...candidate, ...above })
  return isShown ? above : undefined
}

/** Where the answer has the list or the record. */
function chooseShown(
  document: OpenApiDocument,
  inferred: Candidate,
  candidate: Candidate,
  kind: string,
  list: ChosenList,
  isPart: boolean,
): Partial<Candidate> {
  const { record, pointer, resource, success } = candidate
  if (kind === 'list') {
    const isOther = list.isChosen || inferred.kind !== 'list'
    return isOther ? { record: list.found?.record ?? record, pointer: list.found?.pointer ?? pointer } : {}
  }
  const isOther = resource !== inferred.resource || isPart || (record === undefined && kind !== inferred.kind)
  const { flat, schema } = success ?? {}
  if (!isOther || !flat || !isObjectSchema(flat) || !schema) return {}
  const { name = '', key } = resource ?? {}
  const hasKey = ({ properties }: FlatSchema) => key !== undefined && properties.has(key)
  const inner = findRecordSchema(document, schema, name, hasKey) ?? { flat, schema, pointer: [] }
  return mayShow(document, inner.flat, candidate) ? { record: inner.schema, pointer: inner.pointer } : {}
}

/** Whether the answer to a read shows nothing of the record of another collection. */
function hidesRecord(document: OpenApiDocument, inferred: Candidate, candidate: Candidate): boolean {
  const { kind, record, resource } = candidate
  if (kind !== 'read' || !record || resource === inferred.resource) return false
  return !mayShow(document, flattenSchema(document, record), candidate)
}

const facets = ['path', 'parameter', 'keyIn', 'pointer', 'key'] as const

/** Checks what names something of the operation itself, whatever its effect is. */
function checkNames(operation: DescribedOperation, lines: OperationLines): void {
  const parameters = operation.parameters.filter(({ value }) => value.in === 'query').map(({ value }) => value.name)
  for (const line of lines.all('page'))
    if (typeof line.says === 'string' && line.about !== 'order')
      refuseUnknown(line, line.says, parameters, 'query parameter', line.about)
  for (const line of lines.all('filters')) refuseUnknown(line, line.about, parameters, 'query parameter', line.about)
}

/** Takes the place that a line names. That of all operations of a resource counts where the answer has such a place. */
function chooseRecord(document: OpenApiDocument, candidate: Candidate): Partial<Candidate> {
  const { success, pointer, record, lines, resource } = candidate
  const own = lines.value('record')
  const place = own ?? resource?.lines.value('record')
  if (place === undefined || !success?.schema || (record && place === toJsonPointer(pointer))) return {}
  const objects = findObjects(document, success.schema)
  const found = objects.find((each) => toJsonPointer(each.pointer) === place)
  if (found) return { record: found.record, pointer: found.pointer }
  const known = objects.map((each) => toJsonPointer(each.pointer))
  if (own !== undefined) oneOf(lines, 'record', own, known, 'object in the body of the success')
  return {}
}

/** Where requests have the record, as a line says. */
function chooseRequest(document: OpenApiDocument, { operation, lines, resource }: Candidate): string[] | undefined {
  const own = lines.value('request')
  const place = own ?? resource?.lines.value('request')
  const content = recordContent(document, operation)
  const body = content?.value.schema === undefined ? undefined : content
  if (place === undefined || (!body && own === undefined)) return undefined
  const objects = body ? findObjects(document, schemaOf(body)) : []
  const found = objects.find((each) => toJsonPointer(each.pointer) === place)
  if (!found && own !== undefined) {
    const known = objects.map((each) => toJsonPointer(each.pointer))
    oneOf(lines, 'request', own, known, 'object in the body of the request')
  }
  return found?.pointer
}

/** Finds the objects in a body, outermost first. Names of items of lists are `0`. */
function findObjects(document: OpenApiDocument, schema: Located<Schema>, pointer: string[] = []): ListInBody[] {
  const flat = flattenSchema(document, schema)
  const own = isObjectSchema(flat) ? [{ pointer, record: schema }] : []
  if (pointer.length >= maxDepth) return own
  const inner = [...flat.properties, ...(flat.items ? [['0', flat.items] as const] : [])]
  return [...own, ...inner.flatMap(([name, each]) => findObjects(document, each, [...pointer, name]))]
}

/** Where a runtime expression of OpenAPI says that requests have the key. */
function keyInRequest(
  document: OpenApiDocument,
  operation: DescribedOperation,
  lines: OperationLines,
  expression: string,
  inferred: Pick<Candidate, 'parameter' | 'keyIn'>,
): Pick<Candidate, 'parameter' | 'keyIn'> {
  const [, place, ofParameter, ofBody] =
    /^\$request\.(?:(path|query|header)\.(.+)|body#\/([^/]+))$/.exec(expression) ?? []
  const body = recordContent(document, operation)
  const properties = body?.value.schema === undefined ? [] : flattenSchema(document, schemaOf(body)).properties.keys()
  const inPlace = operation.parameters.filter(({ value }) => value.in === place).map(({ value }) => value.name)
  const given = ofParameter ?? fromJsonPointer(`/${ofBody}`)[0] ?? ''
  const isSame = inferred.parameter === given && (inferred.keyIn ?? 'path') === (place ?? 'body')
  const known = isSame ? [given] : place === undefined ? [...properties] : inPlace
  const parameter = oneOf(
    lines,
    'key',
    given,
    known,
    place === undefined ? 'property of the body' : `${place} parameter`,
  )
  if (place === 'path') return { parameter }
  if (place === 'header') return { parameter: parameter.toLowerCase(), keyIn: 'header' }
  return { parameter, keyIn: place === 'query' ? 'query' : 'body' }
}

/** Whether a request selects one record of the resource. */
function hasRecord({ parameter, resource }: Pick<Candidate, 'parameter' | 'resource'>): boolean {
  return parameter !== undefined || resource?.kind === 'singleton'
}

/** Whether an answer may show a property of the record. */
function mayShow(document: OpenApiDocument, { properties }: FlatSchema, { resource }: Candidate): boolean {
  if (!resource?.record) return true
  return [...flattenSchema(document, resource.record).properties.keys()].some((name) => properties.has(name))
}

/** The nearest owner in the path of an operation. */
function recordAbove(
  resources: FoundResources,
  { node, decision, resource: own }: Candidate,
): Partial<Candidate> | undefined {
  for (const each of lineOf(node).toReversed()) {
    const resource = resources.byItem.get(each) ?? resources.at.get(each)
    const parameter = resource && keyParameter(resources, decision, resource)
    if (!resource || resource === own || !hasRecord({ parameter, resource })) continue
    return { path: resource.home, parameter, resource, record: undefined, pointer: [], isBelow: true }
  }
  return undefined
}

/** Checks that an operation has everything that its effect needs. */
function checkPossible(candidate: Candidate, kind: string, hasList: boolean): void {
  const { operation, success, kind: inferred } = candidate
  const possible = new Set<string>([inferred, 'example', 'undescribed'])
  if (hasRecord(candidate) && success) for (const each of keyed) possible.add(each)
  const isSending = operation.method === 'POST' || operation.body !== undefined
  // The caller may name what is created: then a correction names the parameter.
  const isNamed = candidate.lines.get('parameter') !== undefined
  if ((candidate.parameter === undefined || isNamed) && isSending && success) possible.add('create')
  if (hasList) possible.add('list')
  if (possible.has(kind)) return
  const hint = effects.includes(kind) ? '' : suggestion(kind, effects)
  const message = `${name} must be one of ${[...possible].join(', ')} here (got "${kind}")${hint}`
  throw new DocumentProblem(message, [...operation.at, name])
}

/** The key property that the members of a collection choose. @throws DocumentProblem if the record does not have it */
export function correctKey(candidates: readonly Candidate[], properties: readonly string[]): string | undefined {
  const chosen = candidates.filter(({ key }) => key !== undefined)
  for (const { lines, key = '' } of chosen) oneOf(lines, 'key', key, properties, 'property of the record')
  return chosen[0]?.key
}

function oneOf(
  lines: OperationLines,
  member: 'collection' | 'parameter' | 'key' | 'list' | 'record' | 'request',
  text: string,
  known: readonly string[],
  what: string,
): string {
  refuseUnknown(lines.get(member), text, known, what)
  return text
}

interface ListInBody {
  /** The properties that lead to the list. */
  pointer: string[]
  /** The schema of one item. */
  record: Located<Schema>
}

/** Maximum depth of nested objects to search. */
const maxDepth = 3

/** Finds the arrays of objects in a body, outermost first. */
function findLists(document: OpenApiDocument, schema: Located<Schema>, pointer: string[] = []): ListInBody[] {
  const { types, items, properties } = flattenSchema(document, schema)
  if (types.has('array')) {
    return items && isObjectSchema(flattenSchema(document, items)) ? [{ pointer, record: items }] : []
  }
  if (pointer.length >= maxDepth) return []
  const found = [...properties].flatMap(([name, inner]) => findLists(document, inner, [...pointer, name]))
  return found.toSorted((a, b) => a.pointer.length - b.pointer.length)
}
