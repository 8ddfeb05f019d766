/** Applies `x-sandbox-effect`, by which authors correct the inferred effect of an operation. */
import type { EffectKind } from '../../contract/effects/effect.js'
import { suggestion } from '../../contract/suggest-closest.js'
import { toJsonPointer } from '../../json/json-pointer.js'
import { isObject } from '../../json/own-value.js'
import { type DescribedOperation, jsonBody } from '../describe-operations.js'
import { DocumentProblem, type Located, type OpenApiDocument, type Schema, schemaOf } from '../document.js'
import { placeOf } from '../operations/compile-ensure.js'
import { resolve } from '../references.js'
import { type FlatSchema, flattenSchema, isObjectSchema } from '../schemas/flatten-schema.js'
import { findRecordSchema } from './facts/body-shape.js'
import type { Candidate } from './facts/candidate.js'
import { keyParameter } from './facts/candidate.js'
import type { FoundResources } from './paths/find-resources.js'
import { lineOf } from './paths/path-tree.js'

const name = 'x-sandbox-effect'

/** The members of a correction: see spec/sandbox-effect.schema.json. */
interface Correction {
  effect?: string
  collection?: string
  key?: string
  parameter?: string
  list?: string
}

const members: readonly string[] = ['effect', 'collection', 'key', 'parameter', 'list']
/** Effects on an existing record. */
const keyed: readonly string[] = ['read', 'replace', 'update', 'remove', 'action']
const effects: readonly string[] = ['list', 'create', ...keyed, 'example', 'undescribed']

/** @throws DocumentProblem for an invalid correction, and for one that names what the document does not have */
export function applyCorrections(
  document: OpenApiDocument,
  resources: FoundResources,
  candidates: Candidate[],
): Candidate[] {
  checkPlaces(document)
  const paths = new Set(candidates.flatMap(({ path, operation }) => [path, operation.template.path]))
  return candidates.map((candidate) => {
    const correction = readCorrection(candidate.operation)
    return correction ? applyCorrection(document, resources, candidate, correction, [...paths]) : candidate
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

function readCorrection({ value, at }: DescribedOperation): Correction | undefined {
  const written: unknown = value[name]
  if (written === undefined) return undefined
  if (typeof written === 'string') return { effect: written }
  if (!isObject(written)) throw new DocumentProblem(`${name} must be an effect or an object`, [...at, name])
  for (const [member, text] of Object.entries(written)) {
    const path = [...at, name, member]
    if (!members.includes(member)) {
      throw new DocumentProblem(`${name} has no member "${member}"${suggestion(member, members)}`, path)
    }
    if (typeof text !== 'string') throw new DocumentProblem(`${name}.${member} must be a string`, path)
  }
  return written
}

function applyCorrection(
  document: OpenApiDocument,
  resources: FoundResources,
  inferred: Candidate,
  { effect, collection, key, parameter, list }: Correction,
  paths: readonly string[],
): Candidate {
  const { operation, success } = inferred
  const candidate = { ...inferred, isChosen: true }
  if (collection !== undefined) candidate.path = oneOf(operation, 'collection', collection, paths, 'path')
  const homes = [...resources.at.values(), ...resources.byItem.values()]
  candidate.resource = homes.findLast(({ home }) => home === candidate.path) ?? candidate.resource
  if (collection !== undefined && candidate.resource) {
    const own = keyParameter(resources, inferred.decision, candidate.resource, effect ?? candidate.kind)
    candidate.parameter = own ?? (effect === 'create' ? undefined : candidate.parameter)
  }
  if (parameter !== undefined) {
    const names = operation.template.segments.flatMap(({ names }) => names)
    candidate.parameter = oneOf(operation, 'parameter', parameter, names, 'path parameter')
  }
  if (key?.startsWith('$')) Object.assign(candidate, keyInRequest(document, operation, key))
  else if (key !== undefined) candidate.key = key
  const flat = success?.flat
  const lists = success?.schema ? findLists(document, success.schema) : []
  const pointers = lists.map(({ pointer }) => toJsonPointer(pointer))
  const chosen = list === undefined ? undefined : oneOf(operation, 'list', list, pointers, 'array of objects')
  const known =
    inferred.kind === 'list' ? toJsonPointer(inferred.pointer) : pointers.length === 1 ? pointers[0] : undefined
  const found = lists[pointers.indexOf(chosen ?? known ?? '')]
  const kind = effect ?? (chosen !== undefined ? 'list' : candidate.kind)
  const isRecord = flat !== undefined && isObjectSchema(flat)
  const isAbove = collection === undefined && keyed.includes(kind) && !hasRecord(candidate)
  const nearest = isAbove ? recordAbove(document, resources, candidate) : undefined
  const isOther = candidate.resource !== inferred.resource
  if (kind === 'list') {
    candidate.record = found?.record ?? candidate.record
    candidate.pointer = found?.pointer ?? candidate.pointer
  } else if (nearest) Object.assign(candidate, nearest)
  else if ((candidate.record === undefined || isOther) && isRecord && success?.schema) {
    const { name = '', key: own } = candidate.resource ?? {}
    const hasKey = ({ properties }: FlatSchema) => own !== undefined && properties.has(own)
    const inner = findRecordSchema(document, success.schema, name, hasKey) ?? {
      flat,
      schema: success.schema,
      pointer: [],
    }
    if (mayShow(document, inner.flat, candidate))
      Object.assign(candidate, { record: inner.schema, pointer: inner.pointer })
  }
  if (kind !== inferred.kind) checkPossible(candidate, kind, found !== undefined)
  return { ...candidate, kind: kind as EffectKind }
}

/** Where a runtime expression of OpenAPI says that requests have the key. */
function keyInRequest(
  document: OpenApiDocument,
  operation: DescribedOperation,
  expression: string,
): Pick<Candidate, 'parameter' | 'keyIn'> {
  const [, place, ofParameter, ofBody] =
    /^\$request\.(?:(path|query|header)\.(.+)|body#\/([^/]+))$/.exec(expression) ?? []
  const body = jsonBody(operation)
  const properties = body?.value.schema === undefined ? [] : flattenSchema(document, schemaOf(body)).properties.keys()
  const inPlace = operation.parameters.filter(({ value }) => value.in === place).map(({ value }) => value.name)
  const form = '$request.body#/name, $request.path.name, $request.query.name or $request.header.name'
  const given = ofParameter ?? ofBody?.replaceAll('~1', '/').replaceAll('~0', '~')
  if (given === undefined) throw new DocumentProblem(`${name}.key must be ${form}`, [...operation.at, name, 'key'])
  const known = place === undefined ? [...properties] : inPlace
  const parameter = oneOf(
    operation,
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

/** The nearest owner in the path of an operation, with its schema if the answer has the same one. */
function recordAbove(
  document: OpenApiDocument,
  resources: FoundResources,
  { node, decision, success }: Candidate,
): Partial<Candidate> | undefined {
  for (const each of lineOf(node).toReversed()) {
    const resource = resources.byItem.get(each) ?? resources.at.get(each)
    const parameter = resource && keyParameter(resources, decision, resource)
    if (!resource || !hasRecord({ parameter, resource })) continue
    const { record, home } = resource
    const isShown = success?.schema && record && placeOf(document, success.schema) === placeOf(document, record)
    return { path: home, parameter, resource, record: isShown ? success.schema : undefined, pointer: [] }
  }
  return undefined
}

/** Checks that an operation has everything that its effect needs. */
function checkPossible(candidate: Candidate, kind: string, hasList: boolean): void {
  const { operation, success, kind: inferred } = candidate
  const possible = new Set<string>([inferred, 'example', 'undescribed'])
  if (hasRecord(candidate) && success) for (const each of keyed) possible.add(each)
  const isSending = operation.method === 'POST' || operation.body !== undefined
  if (!hasRecord(candidate) && isSending && success) possible.add('create')
  if (hasList) possible.add('list')
  if (possible.has(kind)) return
  const hint = effects.includes(kind) ? '' : suggestion(kind, effects)
  const message = `${name} must be one of ${[...possible].join(', ')} here (got "${kind}")${hint}`
  throw new DocumentProblem(message, [...operation.at, name])
}

/** The key property that the members of a collection choose. @throws DocumentProblem if the record does not have it */
export function correctKey(candidates: readonly Candidate[], properties: readonly string[]): string | undefined {
  const chosen = candidates.filter(({ key }) => key !== undefined)
  for (const { operation, key = '' } of chosen) oneOf(operation, 'key', key, properties, 'property of the record')
  return chosen[0]?.key
}

function oneOf(
  { at }: DescribedOperation,
  member: keyof Correction,
  text: string,
  known: readonly string[],
  what: string,
): string {
  if (known.includes(text)) return text
  throw new DocumentProblem(`${name}.${member}: there is no ${what} "${text}"${suggestion(text, known)}`, [
    ...at,
    name,
    member,
  ])
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
