/** Compiles the effect of one operation. */

import { Lines } from '../../../behaviour/line.js'
import { type OperationLines, type OperationSaid, ownNameIn } from '../../../behaviour/members.js'
import { isMade } from '../../../behaviour/values.js'
import type {
  Alias,
  ChangeAccess,
  Effect,
  Envelope,
  ExamplePage,
  KeyedEffect,
  NestedWritten,
  PathScope,
  RecordAccess,
  ServiceWritten,
  Success,
} from '../../../contract/effects/effect.js'
import type { ListQuery } from '../../../contract/effects/list-query.js'
import type { Located, OpenApiDocument, Schema } from '../../../document/document.js'
import { withLazy } from '../../../document/once.js'
import { fromJson, toJson } from '../../../json/exact-json.js'
import { isObject } from '../../../json/own-value.js'
import { isRelation } from '../../../json/path-property.js'
import { type FlatSchema, flattenSchema } from '../../../schemas/flatten-schema.js'
import { describeChange, isWriting } from '../../../schemas/operations/change.js'
import type { RequestRecord } from '../../../schemas/operations/request-record.js'
import { findKinds, withBranch } from '../../../schemas/tagged.js'
import type { OperationContext } from '../../operations/compile-operation.js'
import type { DescribedSuccess } from '../../operations/compile-success.js'
import { resolveMade } from '../../samples/resolve-made.js'
import type { CompiledCandidate } from '../known-operation.js'
import { chooseSets } from './choose-changes.js'
import { chooseFirst } from './choose-first.js'
import { chooseQuery } from './choose-query.js'
import { compileEnvelope, compileFixed } from './compile-access.js'
import { chosenListed, compileAliases, compileGivenAliases } from './compile-aliases.js'
import { compileCreatedKey } from './compile-key.js'
import { compileList } from './compile-list.js'
import type { Group } from './compile-scope.js'
import { compileSoftRemoval, hideRemoved } from './soft-removal.js'

const allRecords: ListQuery = { filters: [], sizes: [], positions: [], facts: [], headers: [] }

/** Compiles how a request chooses a page of the list in an example. */
function compilePage(document: OpenApiDocument, candidate: CompiledCandidate): ExamplePage | undefined {
  const { list } = candidate
  if (!list || list.isMap) return undefined
  const pointer = [...list.pointer]
  const found = candidate.lines.value('query')
  const query = found ? chooseQuery(document, pageLines(candidate), new Map(), found) : allRecords
  const repeats = candidate.lines.value('repeats')
  if (query.sizes.length + query.positions.length === 0) return repeats && { pointer, query: allRecords, repeats }
  // Without a size the whole example is shown.
  const { defaultSize: _, order: __, ...others } = query
  return { pointer, query: { ...others, filters: [] }, ...(repeats && { repeats }) }
}

/** What is said of the pages of a list. */
function pageLines({ lines }: CompiledCandidate): OperationSaid {
  const pages: OperationLines = new Lines()
  for (const { about, says, evidence } of lines.all('page')) pages.add('page', about, says, evidence)
  return pages
}

/** What is known of an operation on a collection. */
interface Compiling {
  context: OperationContext
  document: OpenApiDocument
  candidate: CompiledCandidate
  group: Group
  success: DescribedSuccess
  /** The place of its records, without removed ones that are hidden. */
  place: PathScope | undefined
  envelope: Envelope | undefined
  common: Success & RecordAccess & { shape: number }
}

/** What a request of a change has of the record, and what becomes of it. */
interface Change {
  request: RequestRecord | undefined
  /** With the names of the record. */
  requested: FlatSchema | undefined
  givenAliases: Alias[]
  access: ChangeAccess
  /** The schema of what answers show, and of what callers write. */
  answered: Located<Schema>
  written: Located<Schema>
  /** Whether it puts a record with a key that the path has: it exists afterwards, whether it did before or not. */
  isPut: boolean
  /** Whether an action makes another record of the same kind. */
  isCopy: boolean
}

/**
 * @param group the collection whose records it shows or changes. Undefined if it answers with an example
 * @param path the owners in its path
 */
export function compileEffect(
  context: OperationContext,
  candidate: CompiledCandidate,
  group: Group | undefined,
  path?: PathScope,
): Effect {
  const { document, shapes } = context
  const { kind, success, record } = candidate
  if (!success || kind === 'undescribed') return { kind: 'undescribed' }
  if (kind === 'example' || !group) return compileExample(context, candidate, success, path)
  const soft = compileSoftRemoval(document, group)
  const place = soft ? hideRemoved(soft, candidate, path) : path
  const envelope = isPlainList(candidate) ? undefined : compileEnvelope(context, candidate)
  const common = {
    ...answerOf(success),
    collection: group.model.name,
    shape: record ? shapes.add(record, 'response') : 0,
    ...(place && { place }),
    ...(envelope && record && { envelope }),
    ...compileAliases(document, candidate, group),
  }
  const compiling: Compiling = { context, document, candidate, group, success, place, envelope, common }
  if (kind === 'list') return compileListEffect(compiling)
  const change = compileChange(compiling)
  const isCreation = kind === 'create' && !change.isPut
  return isCreation ? compileCreation(compiling, change) : compileKeyed(compiling, change)
}

function answerOf({ status, mediaType, headers }: DescribedSuccess): Success {
  return { status, ...(mediaType !== undefined && { mediaType }), ...(headers !== undefined && { headers }) }
}

function compileExample(
  context: OperationContext,
  candidate: CompiledCandidate,
  success: DescribedSuccess,
  path: PathScope | undefined,
): Effect {
  const { document } = context
  const page = compilePage(document, candidate)
  const made = withResults(document, success, candidate.lines)
  return {
    kind: 'example',
    ...answerOf(success),
    ...compileFixed(context, made),
    ...(page && { page }),
    ...(path && { place: path }),
  }
}

/** Whether a list needs no envelope, because its body has nothing else or one property with it. */
function isPlainList({ kind, pointer, isMap, keys }: CompiledCandidate): boolean {
  return kind === 'list' && pointer.length <= 1 && !isMap && !keys
}

function compileListEffect({ context, candidate, group, success, envelope, common }: Compiling): Effect {
  const { keys, pointer } = candidate
  const isNumber = keys !== undefined && !candidate.list
  const inner = isNumber ? '' : isPlainList(candidate) ? pointer[0] : undefined
  const list = compileList(context, success, inner, candidate, group)
  if (isNumber) return { kind: 'list', ...common, ...list, keys, least: { items: Infinity, isOptional: true } }
  if (keys) return { kind: 'list', ...common, ...(envelope && { envelope }), keys, query: list.query }
  return { kind: 'list', ...common, ...list }
}

function compileChange({ context, document, candidate, group, success }: Compiling): Change {
  const { kind, operation, record, parameter } = candidate
  const { at } = candidate
  const { request, requested, answered, written } = describeChange(
    document,
    candidate,
    group.record,
    ownNameIn(candidate.lines, group.lines),
  )
  const access: ChangeAccess = { collection: group.model.name, ...(at && { at }) }
  if (request && request.given.length > 0) access.given = request.given
  if (!record && success.mediaType !== undefined) access.answer = compileFixed(context, success)
  const shownKey = kind === 'create' && access.answer ? candidate.lines.value('answerKey') : undefined
  if (access.answer && shownKey !== undefined) access.answer.keyName = shownKey
  const givenAliases = request ? compileGivenAliases(document, request, candidate, group) : []
  if (givenAliases.length > 0) access.givenAliases = givenAliases
  const sentNames = request && flattenSchema(document, request.schema).properties
  const listed = isWriting(kind) ? chosenListed(document, group).filter(({ from }) => sentNames?.has(from)) : []
  if (listed.length > 0) access.listed = listed
  const isPut = kind === 'create' && parameter !== undefined && operation.method === 'PUT'
  const isCopy = candidate.lines.value('copies') === true
  return { request, requested, givenAliases, access, answered, written, isPut, isCopy }
}

/** What the service writes in the record, and in its objects. */
function compileWritten(compiling: Compiling, change: Change): ServiceWritten[] {
  const { document, candidate, group, common } = compiling
  const { kind, lines } = candidate
  const { access, written, answered, isPut, isCopy } = change
  if (!isWriting(kind) && !isCopy) return []
  const nested = lines.value('nested')
  if (nested) access.nested = nested.map((each) => nestedWithMade(document, written, each))
  const schemas = [written, answered, group.record]
  const made = (lines.value('writes') ?? []).map((each) => withMade(document, schemas, each))
  const all = isCopy ? made : chooseFirst(document, kind, group, isPut, made)
  // What shows a key has no value of its own.
  return all.filter(({ property }) => !common.aliases?.some(([name]) => name === property))
}

function compileCreation(compiling: Compiling, change: Change): Effect {
  const { document, candidate, group, place, common } = compiling
  const { operation, parameter } = candidate
  const serviceWritten = compileWritten(compiling, change)
  const created = compileCreatedKey(
    document,
    operation,
    change.request,
    parameter,
    { model: group.model, lines: candidate.lines },
    change.givenAliases,
  )
  // Where records are placed, those of examples can be replaced.
  const noPlace = created.exampleKeys && !place && { place: { values: [], owners: [] } }
  const repeated = created.exampleKeys && !candidate.lines.value('conflicts') && { isRepeatable: true as const }
  const status = candidate.lines.value('existing')
  const existing = status !== undefined && { existing: status }
  const upserts = candidate.lines.value('upserts')
  return {
    kind: 'create',
    ...common,
    ...noPlace,
    ...change.access,
    serviceWritten,
    ...created,
    ...repeated,
    ...existing,
    ...(upserts !== undefined && { upserts }),
  }
}

/** Compiles the effect on one record: it is read, replaced, changed, removed or acted on. */
function compileKeyed(compiling: Compiling, change: Change): Effect {
  const { document, candidate, group, success, place, common } = compiling
  const { operation, parameter, keyIn } = candidate
  const { isPut, access } = change
  const kind = candidate.kind as 'create' | KeyedEffect['kind']
  const { model } = group
  const isRelated = place?.values.some(({ property, link }) => link || isRelation(property, model.scope)) === true
  // Without a body, nothing else is put than the relation.
  const isAttached = isRelated && operation.method === 'PUT' && !operation.body && isWriting(kind)
  const serviceWritten = compileWritten(compiling, change)
  const keyed: KeyedEffect = {
    kind: isAttached ? 'action' : kind === 'create' ? 'replace' : kind,
    ...common,
    ...access,
    parameter: parameter ?? '',
    serviceWritten,
  }
  if (keyIn) keyed.keyIn = keyIn
  if (candidate.lines.value('renames') && !keyIn) keyed.renames = true
  const soft = kind === 'remove' ? compileSoftRemoval(document, group) : undefined
  if (soft) return { ...keyed, kind: 'action', sets: soft.sets }
  if (kind === 'remove' && isRelated && (hasOwnRemoval(group) || isLinked(group)) && !('sample' in model))
    keyed.detaches = true
  if (isAttached) return keyed
  const creates = isPut ? success.status : candidate.lines.value('creates')
  const shown = candidate.lines.value('showsRemoval')
  return {
    ...keyed,
    ...compileWriting(compiling, change, keyed.kind),
    ...(creates !== undefined && { creates }),
    ...(kind === 'action' && compileAction(compiling, change)),
    ...(shown && { sets: shown }),
  }
}

/** How a replacement or an update changes the record. */
function compileWriting(
  { context, document, candidate }: Compiling,
  { requested, written }: Change,
  kind: KeyedEffect['kind'],
): Partial<KeyedEffect> {
  if (!isWriting(candidate.kind)) return {}
  const keyed: Partial<KeyedEffect> = {}
  // A request that the document allows is not refused because of the schema of another body.
  if (!(requested && hasOtherTypes(document, requested, written)))
    keyed.validateChanged = context.validators.add(written, 'response')
  if (candidate.kind === 'update') {
    const merges = candidate.lines.all('merges').map(({ says }) => says)
    if (merges.length > 0) keyed.merges = merges
  }
  const keeps = kind === 'replace' && requested ? unsentIn(document, requested, written) : []
  if (keeps.length > 0) keyed.keeps = keeps
  keyed.writable = context.shapes.add(written, 'request')
  return keyed
}

/** What an action sets, and what it takes from the body. */
function compileAction({ document, candidate, group }: Compiling, change: Change): Partial<KeyedEffect> {
  if (candidate.isAdding && !candidate.lines.isComplete('changes')) return {}
  const { sets, takes } = chooseSets(document, candidate, group, change.access)
  return { sets, ...(takes.length > 0 && { takes }), ...(change.isCopy && { copies: true }) }
}

/** Whether requests have a key where the record has an object, or the reverse. */
function hasOtherTypes(document: OpenApiDocument, request: FlatSchema, record: Located<Schema>): boolean {
  const { properties } = flattenSchema(document, record)
  return [...request.properties].some(([name, schema]) => {
    const both = [schema, properties.get(name) ?? schema].map((each) => flattenSchema(document, each).types)
    return both.every(({ size }) => size > 0) && both[0]?.has('object') !== both[1]?.has('object')
  })
}

/** Whether an operation on the path of the collection itself removes records. */
function hasOwnRemoval({ members, path }: Group): boolean {
  const isOwn = (other: string) => other.startsWith(`${path}/`) && !other.slice(path.length + 1).includes('/{')
  return members.some(({ kind, operation }) => kind === 'remove' && isOwn(operation.path))
}

/** Whether an operation links records that exist, so that its opposite removes none. */
function isLinked({ members, path }: Group): boolean {
  return members.some(({ lines }) => {
    const link = lines.value('links')
    return link?.to === path && link.does !== 'remove' && link.names !== undefined
  })
}

/** The properties of a record that a request cannot have. */
function unsentIn(document: OpenApiDocument, { open, properties }: FlatSchema, record: Located<Schema>): string[] {
  const others = [...flattenSchema(document, record).properties.keys()].filter((name) => !properties.has(name))
  return open || properties.size === 0 ? [] : others
}

/** The value that a line only says to be made, from the first schema that has the property. */
function withMade(
  document: OpenApiDocument,
  schemas: readonly Located<Schema>[],
  written: ServiceWritten,
): ServiceWritten {
  if (written.with !== 'constant') return written
  const { property, value } = written
  let found: Located<Schema> | undefined
  for (const each of schemas) found ??= propertyIn(document, each, property)
  if (!found) return written
  const made = resolveMade(document, found, value, property)
  // What is made has the time of samples.
  const isStructured = isMade(value) && typeof made === 'object' && made !== null
  return { ...written, value: made, ...(isStructured && { as: 'sample' as const }) }
}

function nestedWithMade(document: OpenApiDocument, record: Located<Schema>, written: NestedWritten): NestedWritten {
  const { property, serviceWritten, nested } = written
  const schema = flattenSchema(document, record).properties.get(property) ?? record
  return {
    property,
    serviceWritten: serviceWritten.map((each) => withMade(document, [schema], each)),
    ...(nested && { nested: nested.map((each) => nestedWithMade(document, schema, each)) }),
  }
}

/** The schema of a property that all records have, or only those of some alternatives. */
function propertyIn(document: OpenApiDocument, schema: Located<Schema>, name: string): Located<Schema> | undefined {
  const own = flattenSchema(document, schema).properties.get(name)
  const branches = own ? [] : (findKinds(document, schema)?.branches ?? [])
  const inBranches = branches.flatMap(
    (_, index) => flattenSchema(document, withBranch(document, schema, index)).properties.get(name) ?? [],
  )
  return own ?? inBranches[0]
}

/** An answer whose example is made of its schema, with entries in its lists. */
export function withResults(
  document: OpenApiDocument,
  success: DescribedSuccess,
  lines: OperationSaid,
): DescribedSuccess {
  const { status, schema } = success
  const results = lines.all('results')
  if (!schema || results.length === 0) return success
  return withLazy({ status, schema }, 'example', () => {
    const text = success.example ?? 'null'
    const body: unknown = fromJson(text)
    if (!isObject(body)) return text
    const { properties } = flattenSchema(document, schema)
    const made = results.flatMap(({ about: name, says }) => {
      const property = properties.get(name)
      const isEmpty = Array.isArray(body[name]) && body[name].length === 0
      return isEmpty && property ? [[name, resolveMade(document, property, says, name)]] : []
    })
    return made.length > 0 ? toJson({ ...body, ...Object.fromEntries(made) }) : text
  })
}
