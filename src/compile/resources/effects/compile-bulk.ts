/** Compiles changes of many records at once, in the collection of the path of the operation. */

import type { BulkUse, CreateEffect, KeyedEffect } from '../../../contract/effects/effect.js'
import { type Located, type OpenApiDocument, type Schema, schemaOf } from '../../../document/document.js'
import { nameOf, withoutVerb } from '../../../infer/facts/facts.js'
import { findKeyName } from '../../../infer/facts/find-key-name.js'
import { findRequestRecord, isLikeRecord } from '../../../infer/facts/request-record.js'
import type { FoundResources } from '../../../infer/paths/find-resources.js'
import { isReading, saysMany } from '../../../lexicon/verbs.js'
import { bareName, isSameName, nounOf, wordsOf } from '../../../lexicon/words.js'
import { flattenSchema, isObjectSchema, placeOf } from '../../../schemas/flatten-schema.js'
import { type DescribedOperation, jsonBody } from '../../../schemas/operations/describe-operations.js'
import type { OperationContext } from '../../operations/compile-operation.js'
import type { CompiledCandidate } from '../compiled-candidate.js'
import { compileEnvelope } from './compile-access.js'
import { compileEffect } from './compile-effect.js'
import { compileScope, type Group } from './compile-scope.js'

/** What operations on many records have in common. */
interface Many {
  document: OpenApiDocument
  candidate: CompiledCandidate
  group: Group
  /** The path of the collection. */
  path: string
  /** The list in the body. */
  items: ReturnType<typeof findItems>
  /** The property of an item that has the key of its record. */
  key: string | undefined
  isUpsert: boolean
  use: BulkUse
  /** The effect on one of them. @param parameter the property with its key */
  toEffect(kind: 'create', parameter?: undefined): CreateEffect
  toEffect(kind: KeyedEffect['kind'], parameter: string): KeyedEffect
}

/** @returns undefined if the records are unknown */
export function compileBulk(
  context: OperationContext,
  resources: FoundResources,
  groups: ReadonlyMap<string, Group>,
  candidate: CompiledCandidate,
): BulkUse | undefined {
  const { kind, decision, operation } = candidate
  const isAdded = isBatch(context.document, candidate) || wrapsMany(context.document, groups, candidate)
  const isRead = kind === 'list' && operation.method === 'POST' && readsMany(candidate)
  const state = isAdded ? 'bulk-create' : decision.state
  if (!isRead && ((kind !== 'example' && !isAdded) || !state.startsWith('bulk'))) return undefined
  const many = findMany(context, resources, groups, candidate)
  if (!many) return undefined
  if (isRead) return readMany(many)
  return state === 'bulk-remove' ? removeMany(many) : writeMany(many, state === 'bulk-create')
}

function findMany(
  context: OperationContext,
  resources: FoundResources,
  groups: ReadonlyMap<string, Group>,
  candidate: CompiledCandidate,
): Many | undefined {
  const { document } = context
  const { operation, success } = candidate
  const { facts } = candidate.decision
  const found = findGroup(groups, candidate)
  if (!found) return undefined
  const { group, member } = found
  const { resource, path, model } = group
  const items = findItems(document, operation, group)
  const isShown = ({ item }: { item: Located<Schema> }) =>
    flattenSchema(document, item).properties.has(model.key) ||
    placeOf(document, item) === placeOf(document, group.record)
  const shown = facts.list && isShown(facts.list) ? facts.list : undefined
  const place = compileScope(document, resources, groups, group, member)
  const record = shown ? shown.item : group.record
  const plain: CompiledCandidate = {
    ...candidate,
    resource,
    path,
    record,
    pointer: [],
    isMap: false,
    parameter: undefined,
  }
  const toEffect = (one: CreateEffect['kind'] | KeyedEffect['kind'], parameter?: string) => {
    const own = { ...operation, method: one === 'create' ? ('POST' as const) : ('PATCH' as const), body: undefined }
    const keyed = parameter !== undefined && { parameter, keyIn: 'body' as const }
    return compileEffect(context, { ...plain, kind: one, operation: own, ...keyed }, group, place)
  }
  const envelope = shown && compileEnvelope(context, { ...candidate, pointer: shown.pointer, isMap: shown.isMap })
  const answer = shown && success ? { isShown: true as const, ...(envelope && { envelope }) } : {}
  return {
    ...{ document, candidate, group, items, path: member.operation.path },
    key: items && findKeyName(document, items.schema, group),
    // What is put, or added or changed, may exist already.
    isUpsert: operation.method === 'PUT' || facts.saysUpsert,
    use: { kind: 'bulk', key: model.key, ...(items && { items: items.pointer }), ...answer },
    toEffect: toEffect as Many['toEffect'],
  }
}

/** Whether the items are objects, and not keys. */
function hasObjects({ document, items }: Many): boolean {
  return items !== undefined && isObjectSchema(flattenSchema(document, items.schema))
}

function readMany(many: Many): BulkUse | undefined {
  const { items, use, group, toEffect } = many
  if (!use.isShown || !items || (many.key === undefined && hasObjects(many))) return undefined
  const key = many.key ?? group.model.key
  return { ...use, key, read: toEffect('read', key) }
}

function removeMany(many: Many): BulkUse | undefined {
  const { items, key, use, group, toEffect } = many
  const { operation } = many.candidate
  const isWhole = operation.method === 'DELETE' && !operation.body && !operation.path.endsWith('}')
  const keys = keysInQuery(operation, group)
  if (!items && !isWhole && keys === undefined) return undefined
  if (hasObjects(many) && key === undefined) return undefined
  const remove = toEffect('remove', key ?? group.model.key)
  return { ...use, remove, ...(key !== undefined && { key }), ...(keys !== undefined && { keys }) }
}

/** Adds records, changes those that exist, or both. */
function writeMany(many: Many, isCreation: boolean): BulkUse | undefined {
  const { key, use, group, path, isUpsert, toEffect } = many
  const { method, path: own } = many.candidate.operation
  if (!hasObjects(many)) return undefined
  const create = toEffect('create')
  if (isCreation && (key === undefined || !isUpsert)) return { ...use, create }
  if (key === undefined) return undefined
  // A POST changes many records as the operation on one of them does.
  const isReplaced = method === 'PUT' || (method === 'POST' && !group.members.some(({ kind }) => kind === 'update'))
  const change = toEffect(isReplaced && !isCreation ? 'replace' : 'update', key)
  if (isCreation) return { ...use, key, change, create }
  const isWhole = method === 'PUT' && own === path
  return { ...use, key, change, ...(isWhole && { create, remove: toEffect('remove', key) }) }
}

/** Whether a creation takes a list where it answers one: each item becomes a record. */
export function isBatch(
  document: OpenApiDocument,
  { kind, operation, pointer, record, keyIn }: CompiledCandidate,
): boolean {
  if (kind !== 'create' || keyIn || !pointer.includes('0')) return false
  return findRequestRecord(document, operation, pointer, record)?.given.includes('0') === true
}

/**
 * Whether a creation takes its records in a list, because its body has nothing else of them and the list has their name, or that of
 * the list which shows them: `POST /members/{memberId}/tags` with `{"tags": [{"name": "x"}]}`
 */
function wrapsMany(
  document: OpenApiDocument,
  groups: ReadonlyMap<string, Group>,
  candidate: CompiledCandidate,
): boolean {
  const { kind, keyIn, operation, path } = candidate
  const group = groups.get(path)
  const items = kind === 'create' && !keyIn && group ? findItems(document, operation, group) : undefined
  const [name, ...others] = items?.pointer ?? []
  if (!group || !items || name === undefined || others.length > 0) return false
  const own = flattenSchema(document, group.record).properties
  const content = jsonBody(operation)
  const sent = content ? [...flattenSchema(document, schemaOf(content)).properties.keys()] : []
  const lists = group.members.filter((member) => member.kind === 'list').map(({ pointer }) => pointer.at(-1))
  const isNamed = isSameName(name, group.resource?.name ?? '') || lists.includes(name)
  return isNamed && !sent.some((each) => own.has(each)) && isLikeRecord(document, items.schema, own)
}

/** The collection that another operation on the same path lists or adds to. */
function findGroup(
  groups: ReadonlyMap<string, Group>,
  { operation, node }: CompiledCandidate,
): { group: Group; member: CompiledCandidate } | undefined {
  const paths = [operation.path, withoutVerb(node)]
  for (const path of paths) {
    for (const group of groups.values()) {
      const isMember = ({ kind, operation: other }: CompiledCandidate) =>
        (kind === 'list' || kind === 'create') && other.path === path
      const member = group.members.find(isMember)
      if (member && group.resource?.kind === 'collection') return { group, member }
    }
  }
  return undefined
}

/** Whether an operation that answers a list reads the records whose keys are in its body. */
function readsMany({ node, decision }: CompiledCandidate): boolean {
  const words = [...wordsOf(nameOf(node)), ...decision.facts.words]
  return words.some(saysMany) && words.some(isReading)
}

/** The list in the body of a request: the body, the only array among its properties or the only one with keys. */
function findItems(
  document: OpenApiDocument,
  operation: DescribedOperation,
  group: Group,
): { pointer: string[]; schema: Located<Schema> } | undefined {
  const content = jsonBody(operation)
  if (content?.value.schema === undefined) return undefined
  const flat = flattenSchema(document, schemaOf(content))
  if (flat.items) return { pointer: [], schema: flat.items }
  const lists = [...flat.properties].flatMap(([name, property]) => {
    const { items } = flattenSchema(document, property)
    return items ? [{ pointer: [name], schema: items }] : []
  })
  if (lists.length <= 1) return lists[0]
  const keyed = lists.filter(
    ({ schema }) => flattenSchema(document, schema).properties.size > 0 && findKeyName(document, schema, group),
  )
  return keyed.length === 1 ? keyed[0] : undefined
}

/** The query parameter with the keys of the records. */
function keysInQuery({ parameters }: DescribedOperation, { model, resource }: Group): string | undefined {
  const noun = bareName(nounOf(resource?.name ?? ''))
  const key = bareName(model.key)
  const names = new Set([key, `${key}s`, 'id', 'ids', `${noun}id`, `${noun}ids`, 'keys'])
  return parameters.find(({ value }) => value.in === 'query' && names.has(bareName(value.name)))?.value.name
}
