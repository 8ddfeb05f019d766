/** Infers the effect of each operation on the state from its path and its response. */

import type { CollectionModel } from '../../contract/contract.js'
import type { Effect, EffectKind, ExampleEffect, KeyedEffect, Success } from '../../contract/effect.js'
import { wholeParameter } from '../../contract/path-template.js'
import type { OperationContext } from '../compile-operation.js'
import { type DescribedSuccess, describeSuccess } from '../compile-success.js'
import { type DescribedOperation, jsonContent } from '../describe-operations.js'
import type { Located, OpenApiDocument, Schema } from '../document.js'
import { withLazy } from '../lazy-value.js'
import { flattenSchema, isObjectSchema } from '../schemas/flatten-schema.js'
import { applyCorrections, correctKey } from './apply-corrections.js'
import type { Candidate } from './candidate.js'
import { compileFills } from './compile-fills.js'
import { compileKey } from './compile-key.js'
import { compileList } from './compile-list.js'
import { ensureRecords } from './ensure-records.js'
import { type ExplainedOperation, explainOperation } from './explain-operation.js'
import { findKey } from './find-key.js'
import { findList } from './find-list.js'
import { nounOf } from './words.js'

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

const keyedKinds: Partial<Record<string, KeyedEffect['kind']>> = {
  GET: 'read',
  PUT: 'replace',
  PATCH: 'update',
  DELETE: 'remove',
}

export function inferEffects(context: OperationContext, operations: DescribedOperation[]): InferredEffects {
  const { document } = context
  const inferred = operations.map((operation) => classify(document, operation, hasSibling(operation, operations)))
  const candidates = applyCorrections(document, inferred)
  const collections = new Map<string, CollectionModel>()
  const effects = new Map<DescribedOperation, Effect>()
  const add = (candidate: Candidate, model: CollectionModel | undefined): Effect => {
    const effect = compileEffect(context, candidate, model)
    effects.set(candidate.operation, effect)
    return effect
  }
  for (const [path, group] of groupByPath(candidates)) {
    const record = recordOf(group)
    if (!record) continue
    const members = hasKey(document, record, group) ? group : group.filter((member) => !leaveKeyed(member))
    const model = compileCollection(context, path, members, record, [...collections.values()])
    collections.set(path, model)
    const stateful = members.map((candidate) => ({ candidate, effect: add(candidate, model) }))
    ensureRecords(context, model, record, stateful)
  }
  for (const candidate of candidates) if (!effects.has(candidate.operation)) add(candidate, undefined)
  const written = candidates.flatMap(({ operation, kind, record }) =>
    record && isWriting(kind) ? [[operation, record] as const] : [],
  )
  return {
    effects,
    written: new Map(written),
    collections: [...collections.values()],
    explanations: candidates.map((candidate) => explainOperation(document, candidate, collections.get(candidate.path))),
    paths: new Map([...collections].map(([path, { name }]) => [name, path])),
  }
}

/** Whether only a parameter tells an operation apart from another one, so that it may do anything. */
function hasSibling({ method, template, selector }: DescribedOperation, operations: DescribedOperation[]): boolean {
  const isSame = (other: DescribedOperation) => other.method === method && other.template.path === template.path
  return selector !== undefined || (template.query.length > 0 && operations.filter(isSame).length > 1)
}

function classify(document: OpenApiDocument, operation: DescribedOperation, isVariant: boolean): Candidate {
  const { method, template, body } = operation
  const { segments } = template
  const success = describeSuccess(document, operation)
  const last = segments.at(-1)
  const fixed = segments.flatMap(({ texts, names }) => (names.length === 0 ? texts : []))
  const isCollection = fixed.length === segments.length && fixed.at(-1) !== ''
  const isBelow = fixed.length === segments.length - 1 && fixed.length > 0
  const parameter = isBelow && last ? wholeParameter(last) : undefined
  const candidate: Candidate = {
    operation,
    success,
    kind: success ? 'example' : 'undescribed',
    path: `/${fixed.join('/')}`,
    parameter,
    record: undefined,
    isChosen: false,
  }
  const { flat, schema } = success ?? {}
  const isObject = flat !== undefined && isObjectSchema(flat)
  const hasBody = jsonContent(body?.value.content, []) !== undefined
  if (isVariant) return candidate
  if (isCollection && method === 'GET' && flat) {
    candidate.record = findList(document, flat)?.record
    if (candidate.record) candidate.kind = 'list'
  } else if (isCollection && method === 'POST' && hasBody && isObject) {
    candidate.record = schema
    candidate.kind = 'create'
  } else if (parameter !== undefined && success) {
    const kind = keyedKinds[method]
    const answers = isObject || (success.mediaType === undefined && kind !== 'read')
    if (kind && answers && (hasBody || kind === 'read' || kind === 'remove')) candidate.kind = kind
    if (isObject) candidate.record = schema
  }
  return candidate
}

function groupByPath(candidates: Candidate[]): Map<string, Candidate[]> {
  const groups = new Map<string, Candidate[]>()
  for (const candidate of candidates) {
    if (candidate.kind === 'example' || candidate.kind === 'undescribed') continue
    groups.set(candidate.path, [...(groups.get(candidate.path) ?? []), candidate])
  }
  return groups
}

/** Effects by how well their response describes a record, best first. */
const kindsByDetail: EffectKind[] = ['read', 'list', 'create', 'replace', 'update', 'remove']

/** Whether records show a key by which operations can find them. */
function hasKey(document: OpenApiDocument, record: Located<Schema>, members: Candidate[]): boolean {
  const flat = flattenSchema(document, record)
  if (flat.open || flat.properties.size === 0 || members.some(({ isChosen }) => isChosen)) return true
  const parameter = members.find((member) => member.parameter !== undefined)?.parameter
  return parameter === undefined || findKey(flat, parameter, nounOf(members[0]?.path ?? '')) !== undefined
}

/** Answers an operation on one record by example. @returns whether it is one */
function leaveKeyed(member: Candidate): boolean {
  if (member.parameter === undefined) return false
  member.kind = member.success ? 'example' : 'undescribed'
  return true
}

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
  others: CollectionModel[],
): CollectionModel {
  const { document, servers, recordValidators } = context
  const flat = flattenSchema(document, record)
  const last = path.slice(path.lastIndexOf('/') + 1)
  const parameter = members.find((member) => member.parameter !== undefined)?.parameter
  // Without a path of one record, no property need tell records apart.
  const inferred = (parameter !== undefined && findKey(flat, parameter, nounOf(last))?.property) || 'id'
  const key = correctKey(members, [...flat.properties.keys()]) ?? inferred
  const model: CollectionModel = {
    // Use the whole path if another collection has the same last segment.
    name: [last, path.slice(1)].find((name) => !others.some((other) => other.name === name)) ?? path,
    key,
    ...compileKey(context, flat.properties.get(key), members),
    servers: [...new Set(members.flatMap(({ operation }) => servers.namesOf(operation)))],
    record: recordValidators.add(record, 'response'),
  }
  const isKnown = members.some(({ kind }) => kind === 'list' || kind === 'create')
  const sampled = members.find((member) => member.record === record)?.success
  return isKnown || !sampled ? model : withLazy(model, 'sample', () => sampled.example)
}

function compileEffect(
  context: OperationContext,
  candidate: Candidate,
  collection: CollectionModel | undefined,
): Effect {
  const { document, shapes, validators } = context
  const { kind, operation, success, parameter, record } = candidate
  if (!success || kind === 'undescribed') return { kind: 'undescribed' }
  const answer: Success = { status: success.status }
  if (success.mediaType !== undefined) answer.mediaType = success.mediaType
  if (success.headers !== undefined) answer.headers = success.headers
  if (kind === 'example' || !collection) {
    return compileExample(context, success, answer)
  }
  const common = { ...answer, collection: collection.name, shape: record ? shapes.add(record, 'response') : 0 }
  if (kind === 'list') return { kind, ...common, ...compileList(context, operation, success, candidate.list) }
  const fills = isWriting(kind) ? compileFills(document, operation, record, collection) : []
  if (kind === 'create') return { kind, ...common, fills }
  const keyed: KeyedEffect = { kind, ...common, parameter: parameter ?? collection.key, fills }
  if (kind === 'update' && record) keyed.validatePatched = validators.add(record, 'response')
  if (isWriting(kind) && record) keyed.writable = shapes.add(record, 'request')
  return keyed
}

function isWriting(kind: EffectKind): boolean {
  return kind === 'create' || kind === 'replace' || kind === 'update'
}

/** Its body is made when it is needed for the first time. */
function compileExample({ ensures }: OperationContext, success: DescribedSuccess, answer: Success): ExampleEffect {
  const { mediaType, schema, base64 } = success
  const effect: ExampleEffect = { kind: 'example', ...answer }
  if (mediaType === undefined) return effect
  if (base64 !== undefined) return { ...effect, base64 }
  const ensure = schema && ensures.addFor(schema, () => JSON.parse(success.example ?? 'null'))
  return withLazy(ensure ? { ...effect, ensure } : effect, 'body', () => success.example)
}
