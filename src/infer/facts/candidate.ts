/** Converts the decision about an operation to a form that can be compiled. */

import { Lines } from '../../behaviour/line.js'
import type { OperationLines } from '../../behaviour/members.js'
import type { EffectKind } from '../../contract/effects/effect.js'
import type { Located, OpenApiDocument, Schema } from '../../document/document.js'
import { isKeyOf } from '../../lexicon/record-names.js'
import { bareName, nounOf } from '../../lexicon/words.js'
import { flattenSchema } from '../../schemas/flatten-schema.js'
import type { DescribedOperation } from '../../schemas/operations/describe-operations.js'
import type { FoundSuccess } from '../../schemas/operations/find-success.js'
import type { FoundResources } from '../paths/find-resources.js'
import type { PathNode } from '../paths/path-tree.js'
import { lineOf } from '../paths/path-tree.js'
import type { Resource } from '../paths/resource.js'
import type { Decision } from './decide.js'
import { lookupParameter, segmentVerb } from './facts.js'
import { findKey } from './find-key.js'
import type { OwnProperty } from './find-own-property.js'

/** An operation with its possible effect and collection. */
export interface Candidate {
  operation: DescribedOperation
  kind: EffectKind
  success: FoundSuccess | undefined
  /** The documented path of the collection, or of a record that exists once. */
  path: string
  /** The node of the operation in the tree of paths. */
  node: PathNode
  resource: Resource | undefined
  /** The path parameter with the key. Undefined if there is none. */
  parameter: string | undefined
  /** The place of the parameter, if not in the path. */
  keyIn?: 'query' | 'body' | 'header'
  /** Schema of one record in the success response of this operation. */
  record: Located<Schema> | undefined
  /** The names that lead to the list or the record in the success body. */
  pointer: string[]
  /** Whether the list is an object with the records by their keys. */
  isMap: boolean
  /** The type of the items of a list that contains only keys of records. */
  keys?: 'string' | 'integer'
  /** The key property of the record, if `x-sandbox-effect` chose one. */
  key?: string
  /** The names that lead to the record in the request, if a line says them. */
  requestAt?: string[]
  /** The property of each item of the list that has the record. */
  wrapper: string | undefined
  /** The property of the record that the body is about. */
  at?: OwnProperty
  /** Whether only requests say what its records have. */
  isBlank?: true
  /** Whether `x-sandbox-effect` chose the effect. */
  isChosen: boolean
  /** Whether its path is below that of the record that it shows or changes. */
  isBelow?: true
  /** What is said of it. */
  lines: OperationLines
  /** The decision before corrections and checks. */
  decision: Decision
}

export function toCandidate(document: OpenApiDocument, resources: FoundResources, decision: Decision): Candidate {
  const { facts, resource, recordSchema, list, record } = decision
  const { operation, success, node } = facts
  const candidate: Candidate = {
    operation,
    success,
    kind: success ? 'example' : 'undescribed',
    path: resource?.home ?? node.step.template,
    node,
    resource,
    parameter: resource && keyParameter(resources, decision, resource, decision.effect),
    record: recordSchema,
    pointer: list ?? record?.pointer ?? [],
    isMap: list !== undefined && facts.list?.isMap === true,
    isChosen: false,
    wrapper: decision.wrapper,
    lines: new Lines(),
    ...(decision.isBelow && { isBelow: true }),
    ...(decision.at && { at: decision.at }),
    decision,
  }
  if (!success || !resource) return candidate
  if (facts.list && decision.effect === 'list' && !facts.list.hasRecords) {
    const { types, keywords } = flattenSchema(document, facts.list.item)
    candidate.record = undefined
    // Any other text may not be a key.
    const isPlain = !plainKeywords.some((keyword) => keyword in keywords)
    if (!isPlain) return candidate
    if (types.has('string') || types.has('integer')) candidate.keys = types.has('string') ? 'string' : 'integer'
  }
  // Only their number is shown.
  if (decision.effect === 'list' && decision.rule === 'part-count') candidate.keys = 'string'
  const other = candidate.parameter === undefined ? otherKey(document, decision, resource) : undefined
  if (other) Object.assign(candidate, other)
  // A body that may be anything shows the record.
  if (success.isAny && showing.includes(decision.effect)) candidate.record = resource.record
  if (isPossible(candidate, decision.effect) && isRecordOrNone(decision)) candidate.kind = decision.effect
  return candidate
}

const showing: readonly string[] = ['create', 'read', 'replace', 'update']

/** Keywords that keys rarely have. */
const plainKeywords = ['enum', 'const', 'pattern', 'minLength', 'format', 'minimum', 'oneOf', 'anyOf']

/** Effects on the records of a path instead of a record of the same kind above it: `POST /folders/{folderId}/folders` */
const inner: readonly EffectKind[] = ['list', 'create', 'replace', 'update', 'remove']

/** The path parameter with the key of a record of the resource. */
export function keyParameter(
  resources: FoundResources,
  { facts, steps }: Decision,
  resource: Resource,
  effect?: string,
): string | undefined {
  const line = lineOf(facts.node)
  const index = line.findLastIndex((node) => resources.byItem.get(node) === resource)
  const isAbove = line.slice(index + 1).some((node) => resources.at.get(node) === resource)
  return index === -1 || (isAbove && inner.some((each) => each === effect)) ? undefined : steps[index]?.parameter
}

/** A key in the query or the body, if the path has none. */
function otherKey(
  document: OpenApiDocument,
  { facts, effect }: Decision,
  resource: Resource,
): Pick<Candidate, 'parameter' | 'keyIn'> | undefined {
  if (effect === 'list' || effect === 'create' || resource.kind === 'singleton') return undefined
  const noun = bareName(nounOf(resource.name))
  // What a verb is about may have its name: `/channels/rename` with a `channel`
  const own = segmentVerb(facts.node) || facts.node.step.isNoun ? [noun, resource.wrapper ?? noun] : []
  const isKey = (name: string) =>
    isKeyOf(name, resource.name, resource.key) || own.some((each) => bareName(each) === bareName(name))
  const inQuery = facts.operation.parameters.find(({ value }) => value.in === 'query' && isKey(value.name))
  if (inQuery) return { parameter: inQuery.value.name, keyIn: 'query' }
  const lookup = effect === 'read' ? lookupParameter(document, facts, resource.record) : undefined
  if (lookup !== undefined) return { parameter: lookup, keyIn: 'query' }
  const inBody = [...(facts.body.flat?.properties ?? [])].find(
    ([name, schema]) => isKey(name) && !/object|array/.test([...flattenSchema(document, schema).types].join()),
  )
  return inBody && { parameter: inBody[0], keyIn: 'body' }
}

/** Whether the written value may be a record: an array or a text is not. */
function isRecordOrNone({ effect, facts }: Decision): boolean {
  if (effect !== 'create' && effect !== 'replace' && effect !== 'update') return true
  const types = facts.body.flat?.types ?? new Set()
  return types.size === 0 || types.has('object')
}

/** Whether the document has everything that an effect needs. */
function isPossible({ success, resource, parameter, record, keys }: Candidate, kind: EffectKind): boolean {
  if (kind === 'example' || kind === 'undescribed' || !success) return false
  if (kind === 'list') return record !== undefined || keys !== undefined
  if (kind === 'create') return true
  if (resource?.kind !== 'singleton' && parameter === undefined) return false
  const isObject = [...(success.flat?.types ?? [])].every(
    (type) => type === 'object' || type === 'null' || type === 'array',
  )
  return kind !== 'read' || (record !== undefined && isObject) || success.mediaType === undefined
}

/** Whether it is about a record that exists once. */
export function isSingle({ resource, isChosen, kind }: Candidate): boolean {
  return resource?.kind === 'singleton' && !(isChosen && (kind === 'list' || kind === 'create'))
}

/** The parameter with the key of a record, of the first operation that has one. */
export function parameterOf(members: readonly Candidate[]): string | undefined {
  return members.find((member) => member.parameter !== undefined)?.parameter
}

/** The property of a body that shows the key of a record. */
export function shownKey(
  document: OpenApiDocument,
  body: Located<Schema>,
  { resource, model }: { resource: Resource | undefined; model: { key: string } },
): string | undefined {
  const flat = flattenSchema(document, body)
  if (flat.properties.has(model.key)) return model.key
  const found = resource && findKey(document, flat, resource.item?.step.parameter, resource.name)
  return found?.isCertain ? found.property : undefined
}
