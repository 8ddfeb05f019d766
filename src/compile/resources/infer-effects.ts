/** Infers the effect of each operation on the state from its path and its response. */

import type { CollectionModel } from '../../contract/contract.js'
import type { ChangeAccess, Effect, EffectKind, KeyedEffect, Place, Success } from '../../contract/effect.js'
import type { OperationContext } from '../compile-operation.js'
import type { DescribedOperation } from '../describe-operations.js'
import type { Located, OpenApiDocument, Schema } from '../document.js'
import { withLazy } from '../lazy-value.js'
import { type FlatSchema, flattenSchema } from '../schemas/flatten-schema.js'
import { applyCorrections, correctKey } from './apply-corrections.js'
import type { Candidate } from './candidate.js'
import { compileAround, compileFixed, findRequestRecord } from './compile-access.js'
import { compileFills } from './compile-fills.js'
import { compileKey } from './compile-key.js'
import { compileList } from './compile-list.js'
import { addHidden, compilePlace, type Group, scopeCollection } from './compile-place.js'
import { compileSettings } from './compile-settings.js'
import { type Decision, decideAll } from './decide.js'
import { ensureRecords } from './ensure-records.js'
import { type ExplainedOperation, explainOperation } from './explain-operation.js'
import { compileCreatedKey, findKeyName } from './find-key-name.js'
import { findWritten, saysCreate } from './find-written.js'
import { lineOf } from './path-tree.js'
import { toCandidate } from './to-candidate.js'

export interface InferredEffects {
  effects: Map<DescribedOperation, Effect>
  /** Schemas of the records that operations write. */
  written: Map<DescribedOperation, Located<Schema>>
  collections: CollectionModel[]
  /** Why each operation has its effect, in the order of the document. */
  explanations: ExplainedOperation[]
  /** Path templates of the collections by name. */
  paths: Map<string, string>
}

export function inferEffects(context: OperationContext, operations: DescribedOperation[]): InferredEffects {
  const { document } = context
  const { decisions, resources } = decideAll(document, operations)
  const inferred = decisions.map((decision): Candidate => {
    const candidate = toCandidate(document, resources, decision)
    const isExample = candidate.kind !== 'undescribed' && isVariant(candidate, operations)
    return isExample ? { ...candidate, kind: 'example', decision: toVariant(decision) } : candidate
  })
  const candidates = applyCorrections(document, resources, inferred)
  const groups = new Map<string, Group>()
  for (const [path, members] of groupByPath(candidates)) {
    const record = recordOf(members)
    if (!record) continue
    const model = compileCollection(context, path, members, record, [...groups.values()])
    groups.set(path, { path, members, record, model, resource: members[0]?.resource })
  }
  // The records of outer collections are known before those that belong to them.
  for (const group of [...groups.values()].toSorted((a, b) => depthOf(a.path) - depthOf(b.path))) {
    scopeCollection(document, resources, groups, group)
  }
  const effects = new Map<DescribedOperation, Effect>()
  for (const group of groups.values()) {
    const stateful = group.members.map((candidate) => {
      const place = compilePlace(document, resources, groups, group, candidate)
      const effect = compileEffect(context, candidate, group, place)
      effects.set(candidate.operation, effect)
      return { candidate, effect }
    })
    ensureRecords(context, group.model, group.record, stateful)
  }
  for (const effect of effects.values()) {
    if (!('collection' in effect)) continue
    const hidden = [...groups.values()].find(({ model }) => model.name === effect.collection)?.model.hidden
    if (hidden) effect.hidden = hidden
  }
  for (const candidate of candidates) {
    if (!effects.has(candidate.operation))
      effects.set(candidate.operation, compileEffect(context, candidate, undefined))
  }
  const written = candidates.flatMap(({ operation, kind, record }) =>
    record && isWriting(kind) ? [[operation, record] as const] : [],
  )
  return {
    effects,
    written: new Map(written),
    collections: [...groups.values()].map(({ model }) => model),
    explanations: candidates.map((candidate) => explainOperation(candidate, groups.get(candidate.path)?.model)),
    paths: new Map([...groups].map(([path, { model }]) => [model.name, path])),
  }
}

/** The decision about an operation that may do anything. */
function toVariant(decision: Decision): Decision {
  const reason = 'only a parameter tells it apart from another operation'
  return { ...decision, effect: 'example', state: 'none', resource: undefined, reason, sure: 'low' }
}

/** Whether only a parameter tells an operation apart from another one, so that it may do anything. */
function isVariant({ operation, node }: Candidate, operations: readonly DescribedOperation[]): boolean {
  const { method, template, selector } = operation
  // What a query or a header names may be a procedure, which says what it does.
  if (lineOf(node).some(({ step }) => step.isNoun)) return false
  const isSame = (other: DescribedOperation) => other.method === method && other.template.path === template.path
  return selector !== undefined || (template.query.length > 0 && operations.filter(isSame).length > 1)
}

function depthOf(path: string): number {
  return path.split('/').length
}

function groupByPath(candidates: Candidate[]): Map<string, Candidate[]> {
  const groups = new Map<string, Candidate[]>()
  for (const candidate of candidates) {
    if (candidate.kind === 'example' || candidate.kind === 'undescribed') continue
    groups.set(candidate.path, [...(groups.get(candidate.path) ?? []), candidate])
  }
  for (const [path, members] of groups) if (members.every(isConstant)) groups.delete(path)
  return groups
}

/** Whether nothing that a request does changes the answer: a record that exists once, and that nothing writes. */
function isConstant(candidate: Candidate): boolean {
  return isSingle(candidate) && candidate.kind === 'read' && !candidate.path.includes('{') && !candidate.isChosen
}

/** Effects by how well their response describes a record, best first. */
const kindsByDetail: EffectKind[] = ['read', 'list', 'create', 'replace', 'update', 'remove']

/** The schema that describes the records of a collection best. */
function recordOf(members: Candidate[]): Located<Schema> | undefined {
  const describing = kindsByDetail.flatMap(
    (kind) => members.find((member) => member.kind === kind && member.record) ?? [],
  )
  return describing[0]?.record
}

function compileCollection(
  context: OperationContext,
  path: string,
  members: Candidate[],
  record: Located<Schema>,
  others: readonly Group[],
): CollectionModel {
  const { document, servers, recordValidators } = context
  const flat = flattenSchema(document, record)
  const last = nameOf(path)
  const whole = path.replace(/^\//, '')
  const key = keyOf(members, [...flat.properties.keys()])
  const model: CollectionModel = {
    // Use the whole path if another collection has the same last segment.
    name: [last, whole].find((name) => !others.some((other) => other.model.name === name)) ?? path,
    key,
    ...(members.every(isSingle) ? { keyKind: 'string' } : compileKey(context, flat.properties.get(key), members)),
    servers: [...new Set(members.flatMap(({ operation }) => servers.namesOf(operation)))],
    record: recordValidators.add(record, 'response'),
  }
  if (key.startsWith('{')) addHidden(model, key)
  const isChosen = members.some((member) => member.key !== undefined)
  const otherKeys = isChosen ? [] : otherKeysOf(document, flat, key)
  if (parameterOf(members) !== undefined && otherKeys.length > 0) model.otherKeys = otherKeys
  const sampled = members.find((member) => member.record === record)
  if (!sampled) return model
  if (!isKnown(key, path, members)) return withLazy(model, 'sample', () => sampleOf(sampled))
  // Nobody can add records below a new one.
  const isAdding = ({ kind, operation }: Candidate) =>
    (kind === 'create' && count(operation.path) === count(path)) ||
    (kind === 'replace' && count(operation.path) === count(path) + 1)
  const isFixed = path.includes('{') && !members.some(isAdding)
  return isFixed ? withLazy({ ...model, isSampledIfEmpty: true }, 'sample', () => sampleOf(sampled)) : model
}

/** The number of parameters of a path, plus 1. */
function count(template: string): number {
  return template.split('{').length
}

/** Whether callers can know the keys of records: an operation on the path of the collection shows them. */
function isKnown(key: string, path: string, members: readonly Candidate[]): boolean {
  const shown = members.flatMap(({ kind, operation }) => (kind === 'list' || kind === 'create' ? operation.path : []))
  // Another path of the records may show them, too: `/authors/{authorId}/books` those of `/authors/{authorId}/books/{bookId}`.
  const isShownAt = (template: string) =>
    shown.some((each) => template.startsWith(`${each}/`) && count(each) === count(template) - 1)
  const isElsewhere = ({ keyIn, parameter, operation }: Candidate) =>
    keyIn !== undefined || (parameter !== undefined && !operation.path.startsWith(path) && !isShownAt(operation.path))
  const isChosen = members.some((member) => member.isChosen)
  if (key.startsWith('{') || (!isChosen && members.some(isElsewhere))) return false
  return shown.some((each) => count(each) === count(path))
}

/** The usual names of what names a record. */
const naming = /^(id|uuid|guid|key|code|slug|name|handle|username|login|sid|number)$/i

/** Other properties than the key by which a service may find a record. */
function otherKeysOf(document: OpenApiDocument, { properties }: FlatSchema, key: string): string[] {
  const isName = ([name, schema]: [string, Located<Schema>]) => {
    const { types } = flattenSchema(document, schema)
    return name !== key && naming.test(name) && (types.has('string') || types.has('integer'))
  }
  return [...properties].filter(isName).map(([name]) => name)
}

function parameterOf(members: readonly Candidate[]): string | undefined {
  return members.find((member) => member.parameter !== undefined)?.parameter
}

/** The last fixed segment of a path. */
function nameOf(path: string): string {
  return path.split('/').findLast((segment) => segment !== '' && !segment.includes('{')) ?? path.slice(1)
}

function isSingle({ resource }: Candidate): boolean {
  return resource?.kind === 'singleton'
}

/** The property that holds the key. A name in braces is one that only paths have. */
function keyOf(members: readonly Candidate[], properties: readonly string[]): string {
  const chosen = correctKey(members, properties)
  if (chosen !== undefined) return chosen
  if (members.every(isSingle)) return '{}'
  const parameter = members.find((member) => member.parameter !== undefined)?.parameter
  const known = members.find(({ resource }) => resource?.key !== undefined)?.resource?.key
  // Without a path of one record, no property need tell records apart.
  if (parameter === undefined) return 'id'
  return known !== undefined && (properties.length === 0 || properties.includes(known)) ? known : `{${parameter}}`
}

/** JSON text of an example of the record in the answer of an operation. */
function sampleOf({ success, pointer, kind, isMap }: Candidate): string {
  let value: unknown = JSON.parse(success?.example ?? 'null')
  for (const name of pointer) value = (value as Record<string, unknown> | null)?.[name]
  const isList = kind === 'list' && typeof value === 'object' && value !== null
  return JSON.stringify((isList && !isMap ? Object.values(value as object)[0] : value) ?? {})
}

function compileEffect(
  context: OperationContext,
  candidate: Candidate,
  group: Group | undefined,
  place?: Place,
): Effect {
  const { document, shapes, validators } = context
  const { kind, operation, success, parameter, record, pointer, keyIn } = candidate
  if (!success || kind === 'undescribed') return { kind: 'undescribed' }
  const answer: Success = { status: success.status }
  if (success.mediaType !== undefined) answer.mediaType = success.mediaType
  if (success.headers !== undefined) answer.headers = success.headers
  if (kind === 'example' || !group) return { kind: 'example', ...answer, ...compileFixed(context, success) }
  const { model } = group
  const isPlainList = kind === 'list' && pointer.length <= 1 && !candidate.isMap && !candidate.keys
  const around = isPlainList ? undefined : compileAround(context, candidate)
  const common = {
    ...answer,
    collection: model.name,
    shape: record ? shapes.add(record, 'response') : 0,
    ...(place && { place }),
    ...(around && record && { around }),
  }
  if (kind === 'list' && candidate.keys) {
    return { kind, ...common, ...(around && { around }), keys: candidate.keys, filters: [] }
  }
  if (kind === 'list') {
    return {
      kind,
      ...common,
      ...compileList(context, operation, success, isPlainList ? pointer[0] : undefined, candidate),
    }
  }
  const request = findRequestRecord(document, operation, pointer, group.record)
  const access: ChangeAccess = { collection: model.name }
  if (request && request.given.length > 0) access.given = request.given
  if (!record && success.mediaType !== undefined) access.answer = compileFixed(context, success)
  const shownKey = kind === 'create' && access.answer ? findKeyName(document, success.schema, group) : undefined
  if (access.answer && shownKey !== undefined) access.answer.keyName = shownKey
  const written = findWritten(document, record ?? group.record, group.record, request?.schema)
  const fills = isWriting(kind) ? compileFills(document, request?.schema, written, model) : []
  // What is put exists afterwards, whether it did before or not.
  const isPut = kind === 'create' && parameter !== undefined && operation.method === 'PUT'
  if (kind === 'create' && !isPut)
    return { kind, ...common, ...access, fills, ...compileCreatedKey(document, request?.schema, parameter, group) }
  const keyed: KeyedEffect = {
    kind: kind === 'create' ? 'replace' : kind,
    ...common,
    ...access,
    parameter: parameter ?? '',
    fills,
  }
  if (keyIn) keyed.keyIn = keyIn
  if (kind === 'update') {
    // A request that the document allows is not refused because of the schema of another body.
    const isWhole = !place && pointer.length === 0
    if (isWhole) keyed.validatePatched = validators.add(written, 'response')
    const merges = mergedIn(document, written)
    if (merges.length > 0) keyed.merges = merges
  }
  if (isWriting(kind)) keyed.writable = shapes.add(written, 'request')
  const creates = isPut ? success.status : statusOfCreation(candidate, group)
  if (creates !== undefined) keyed.creates = creates
  if (kind === 'action') keyed.sets = compileSettings(document, candidate, group)
  return keyed
}

/** The attributes of a resource object (JSON:API 1.1, section 7.2) are changed one by one. */
function mergedIn(document: OpenApiDocument, record: Located<Schema>): string[] {
  const { properties } = flattenSchema(document, record)
  return properties.has('type') && properties.has('attributes') ? ['attributes', 'relationships'] : []
}

/** The status if a change creates the record that it names. Undefined if it does not. */
function statusOfCreation({ operation, kind, success }: Candidate, { members }: Group): number | undefined {
  if (kind !== 'replace' && kind !== 'update') return undefined
  const documents = (status: string) => operation.responses.has(status)
  if (documents('201')) return 201
  if (operation.method === 'PUT' && saysCreate(operation.value)) return success?.status
  const isCreated = members.some((member) => member.kind === 'create')
  return kind === 'update' || isCreated || documents('404') ? undefined : success?.status
}

function isWriting(kind: EffectKind): boolean {
  return kind === 'create' || kind === 'replace' || kind === 'update'
}
