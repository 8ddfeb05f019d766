/** Infers the effect of each operation on the state from its path and its response. */

import type {
  CollectionModel,
  Effect,
  EffectKind,
  EnvelopeField,
  JsonType,
  KeyedEffect,
  ListFilter,
  Success,
} from '../../contract/contract.js'
import { wholeParameter } from '../../contract/path-template.js'
import type { OperationContext } from '../compile-operation.js'
import { parameterSchema } from '../compile-parameters.js'
import { type DescribedSuccess, describeSuccess } from '../compile-success.js'
import { type DescribedOperation, jsonContent } from '../describe-operations.js'
import { DocumentProblem, type Located, type OpenApiDocument, type Schema } from '../document.js'
import { type FlatSchema, flattenSchema, isObjectSchema } from '../schemas/flatten-schema.js'
import { sample, sampleGiven } from '../schemas/sample.js'
import type { Candidate } from './candidate.js'
import { compileFills } from './compile-fills.js'
import { type ExplainedOperation, explainOperation } from './explain-operation.js'
import { findList } from './find-list.js'

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
  const candidates = operations.map((operation) => classify(document, operation, hasSibling(operation, operations)))
  const collections = new Map<string, CollectionModel>()
  for (const [path, members] of groupByPath(candidates)) {
    const model = compileCollection(context, path, members, [...collections.values()])
    if (model) collections.set(path, model)
  }
  const effects = candidates.map(
    (candidate) => [candidate.operation, compileEffect(context, candidate, collections.get(candidate.path))] as const,
  )
  const written = candidates.flatMap(({ operation, kind, record }) =>
    record && isWriting(kind) ? [[operation, record] as const] : [],
  )
  return {
    effects: new Map(effects),
    written: new Map(written),
    collections: [...collections.values()],
    explanations: candidates.map((candidate) => explainOperation(document, candidate, collections.get(candidate.path))),
    paths: new Map([...collections].map(([path, { name }]) => [name, path])),
  }
}

/** Whether only the query of its path tells an operation apart from another one, so that it may do anything. */
function hasSibling({ method, template }: DescribedOperation, operations: DescribedOperation[]): boolean {
  const isSame = (other: DescribedOperation) => other.method === method && other.template.path === template.path
  return template.query.length > 0 && operations.filter(isSame).length > 1
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
  if (isVariant) return override(candidate)
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
  return override(candidate)
}

/** Applies `x-sandbox-effect` if the operation has everything that the effect needs. */
function override(candidate: Candidate): Candidate {
  const { value, at } = candidate.operation
  const chosen = value['x-sandbox-effect']
  if (chosen === undefined) return candidate
  if (chosen === candidate.kind) return { ...candidate, isChosen: true }
  const possible: EffectKind[] = ['example', 'undescribed']
  const keyed: EffectKind[] = ['read', 'replace', 'update', 'remove']
  if (candidate.parameter !== undefined && candidate.success) possible.push(...keyed)
  if (candidate.parameter === undefined && candidate.operation.body && candidate.success?.flat) possible.push('create')
  if (!possible.includes(chosen as EffectKind)) {
    const allowed = [...new Set([candidate.kind, ...possible])].join(', ')
    throw new DocumentProblem(`x-sandbox-effect must be one of ${allowed} here (got "${chosen}")`, [
      ...at,
      'x-sandbox-effect',
    ])
  }
  const record =
    candidate.success?.flat && isObjectSchema(candidate.success.flat) ? candidate.success.schema : undefined
  return { ...candidate, kind: chosen as EffectKind, record: candidate.record ?? record, isChosen: true }
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

function compileCollection(
  { document, servers, recordValidators }: OperationContext,
  path: string,
  members: Candidate[],
  others: CollectionModel[],
): CollectionModel | undefined {
  const describing = kindsByDetail.flatMap(
    (kind) => members.find((member) => member.kind === kind && member.record) ?? [],
  )
  const record = describing[0]?.record
  if (!record) return undefined
  const flat = flattenSchema(document, record)
  const parameter = members.find((member) => member.parameter !== undefined)?.parameter
  const key = parameter !== undefined && flat.properties.has(parameter) ? parameter : 'id'
  const property = flat.properties.get(key)
  const keySchema = property && flattenSchema(document, property)
  const last = path.slice(path.lastIndexOf('/') + 1)
  return {
    // Use the whole path if another collection has the same last segment.
    name: [last, path.slice(1)].find((name) => !others.some((other) => other.name === name)) ?? path,
    key,
    keyKind: !keySchema?.types.has('string') ? 'integer' : keySchema.keywords.format === 'uuid' ? 'uuid' : 'string',
    servers: [...new Set(members.flatMap(({ operation }) => servers.namesOf(operation)))],
    record: recordValidators.add(record, 'response'),
  }
}

function compileEffect(
  { document, shapes, validators }: OperationContext,
  candidate: Candidate,
  collection: CollectionModel | undefined,
): Effect {
  const { kind, operation, success, parameter, record } = candidate
  if (!success || kind === 'undescribed') return { kind: 'undescribed' }
  const answer: Success = { status: success.status }
  if (success.mediaType !== undefined) answer.mediaType = success.mediaType
  if (kind === 'example' || !collection) {
    const { example: body, base64 } = success
    return { kind: 'example', ...answer, ...(body !== undefined && { body }), ...(base64 !== undefined && { base64 }) }
  }
  const common = { ...answer, collection: collection.name, shape: record ? shapes.add(record, 'response') : 0 }
  if (kind === 'list') return { kind, ...common, ...compileList(document, operation, success) }
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

function compileList(document: OpenApiDocument, { parameters }: DescribedOperation, { flat }: DescribedSuccess) {
  const list = flat && findList(document, flat)
  const properties = list ? flattenSchema(document, list.record).properties : new Map<string, Located<Schema>>()
  const names = parameters.filter(({ value }) => value.in === 'query').map(({ value }) => value.name)
  const filters = names.flatMap((name): ListFilter[] => {
    const property = name === 'limit' ? undefined : properties.get(name)
    if (!property) return []
    const types = [...typesOfFilter(document, property)] as JsonType[]
    return [{ parameter: name, property: name, types, ...defaultOf(document, parameters, name) }]
  })
  const limit = names.includes('limit') ? defaultOf(document, parameters, 'limit') : undefined
  return {
    filters,
    ...(limit ? { limit: 'limit' } : {}),
    ...(typeof limit?.default === 'number' ? { defaultLimit: limit.default } : {}),
    ...(flat && list?.property !== undefined ? { envelope: compileEnvelope(document, flat, list.property) } : {}),
  }
}

/** The types of a property, or of its items if it is an array. */
function typesOfFilter(document: OpenApiDocument, property: Located<Schema>): Set<string> {
  const { types, items } = flattenSchema(document, property)
  return types.has('array') && items ? flattenSchema(document, items).types : types
}

/** The default of a query parameter, if any. */
function defaultOf(
  document: OpenApiDocument,
  parameters: DescribedOperation['parameters'],
  name: string,
): { default?: unknown } {
  const parameter = parameters.find(({ value }) => value.in === 'query' && value.name === name)
  const standard = parameter && flattenSchema(document, parameterSchema(parameter)).keywords.default
  return standard === undefined ? {} : { default: standard }
}

function compileEnvelope(document: OpenApiDocument, flat: FlatSchema, listProperty: string): EnvelopeField[] {
  return [...flat.properties].flatMap(([name, schema]): EnvelopeField[] => {
    if (name === listProperty) return [{ name, from: 'records' }]
    const { types, keywords } = flattenSchema(document, schema)
    const isNumber = types.has('integer') || types.has('number')
    if (isNumber && /^total([_-]?(count|items|records|results))?$/i.test(name)) return [{ name, from: 'total' }]
    if (isNumber && /^(count|size)$/i.test(name)) return [{ name, from: 'count' }]
    if (types.has('boolean') && /^has[_-]?(more|next)$/i.test(name)) return [{ name, from: 'more' }]
    const value = flat.required.has(name) ? sample(document, schema) : sampleGiven(keywords)
    return value === undefined ? [] : [{ name, from: 'constant', value }]
  })
}
