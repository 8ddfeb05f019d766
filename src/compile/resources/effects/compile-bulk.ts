/** Compiles changes of many records at once, in the collection of the path of the operation. */
import type { BulkUse, CreateEffect, KeyedEffect } from '../../../contract/effects/effect.js'
import { type DescribedOperation, jsonBody } from '../../describe-operations.js'
import { type Located, type OpenApiDocument, type Schema, schemaOf } from '../../document.js'
import type { OperationContext } from '../../operations/compile-operation.js'
import { flattenSchema, isObjectSchema } from '../../schemas/flatten-schema.js'
import { valuesOf } from '../facts/body-shape.js'
import type { Candidate } from '../facts/candidate.js'
import { findKeyName } from '../facts/find-key-name.js'
import { findRequestRecord } from '../facts/request-record.js'
import type { FoundResources } from '../paths/find-resources.js'
import { bareName, nounOf } from '../paths/words.js'
import { compileEnvelope } from './compile-access.js'
import { withoutVerb } from './compile-collection.js'
import { compileEffect } from './compile-effect.js'
import { compileScope, type Group } from './compile-scope.js'

/** @returns undefined if the records are unknown */
export function compileBulk(
  context: OperationContext,
  resources: FoundResources,
  groups: ReadonlyMap<string, Group>,
  candidate: Candidate,
): BulkUse | undefined {
  const { kind, decision, operation, success } = candidate
  const { facts } = decision
  const state = isBatch(context.document, candidate) ? 'bulk-create' : decision.state
  if ((kind !== 'example' && !isBatch(context.document, candidate)) || !state.startsWith('bulk')) return undefined
  const found = findGroup(groups, candidate)
  if (!found) return undefined
  const { group, member } = found
  const { document } = context
  const items = findItems(document, operation)
  const shown = facts.list && flattenSchema(document, facts.list.item).properties.has(group.model.key) && facts.list
  const place = compileScope(document, resources, groups, group, member)
  const record = shown ? shown.item : group.record
  const { resource, path } = group
  const plain: Candidate = { ...candidate, resource, path, record, pointer: [], isMap: false, parameter: undefined }
  const toEffect = (one: CreateEffect['kind'] | KeyedEffect['kind'], parameter?: string) =>
    compileEffect(
      context,
      {
        ...plain,
        kind: one,
        operation: { ...operation, method: one === 'create' ? 'POST' : 'PATCH', body: undefined },
        ...(parameter !== undefined && { parameter, keyIn: 'body' }),
      },
      group,
      place,
    )
  const envelope = shown && compileEnvelope(context, { ...candidate, pointer: shown.pointer, isMap: shown.isMap })
  const answer = shown && success ? { isShown: true as const, ...(envelope && { envelope }) } : {}
  const use: BulkUse = { kind: 'bulk', key: group.model.key, ...(items && { items: items.pointer }), ...answer }
  if (items?.isMap) use.isMap = true
  const key = items?.isMap ? group.model.key : items && findKeyName(document, items.schema, group)
  if (state === 'bulk-remove') {
    const isWhole = operation.method === 'DELETE' && !operation.body && !operation.path.endsWith('}')
    const keys = keysInQuery(operation, group)
    if (!items && !isWhole && keys === undefined) return undefined
    if (items && isObjectSchema(flattenSchema(document, items.schema)) && key === undefined) return undefined
    use.remove = toEffect('remove', key ?? group.model.key) as KeyedEffect
    return { ...use, ...(key !== undefined && { key }), ...(keys !== undefined && { keys }) }
  }
  if (!items || !isObjectSchema(flattenSchema(document, items.schema))) return undefined
  const create = toEffect('create') as CreateEffect
  // What is put, or added or changed, may exist already.
  const isUpsert = operation.method === 'PUT' || facts.saysUpsert
  if (state === 'bulk-create' && (key === undefined || !isUpsert)) return { ...use, create }
  if (key === undefined) return undefined
  const isWhole = operation.method === 'PUT' && operation.path === member.operation.path
  use.key = key
  const isReplaced = operation.method !== 'PATCH' && state !== 'bulk-create'
  use.change = toEffect(isReplaced ? 'replace' : 'update', key) as KeyedEffect
  if (state === 'bulk-create') return { ...use, create }
  if (!isWhole) return use
  return { ...use, create, remove: toEffect('remove', key) as KeyedEffect }
}

/** Whether a creation takes a list where it answers one: each item becomes a record. */
export function isBatch(document: OpenApiDocument, { kind, operation, pointer, record, keyIn }: Candidate): boolean {
  if (kind !== 'create' || keyIn || !pointer.includes('0')) return false
  return findRequestRecord(document, operation, pointer, record)?.given.includes('0') === true
}

/** The collection that another operation on the same path lists or adds to. */
function findGroup(
  groups: ReadonlyMap<string, Group>,
  { operation, node }: Candidate,
): { group: Group; member: Candidate } | undefined {
  const paths = [operation.path, withoutVerb(node)]
  for (const path of paths) {
    for (const group of groups.values()) {
      const isMember = ({ kind, operation: other }: Candidate) =>
        (kind === 'list' || kind === 'create') && other.path === path
      const member = group.members.find(isMember)
      if (member && group.resource?.kind === 'collection') return { group, member }
    }
  }
  return undefined
}

/** The list in the body of a request: the body, the only array among its properties, or its records by their keys. */
function findItems(
  document: OpenApiDocument,
  operation: DescribedOperation,
): { pointer: string[]; schema: Located<Schema>; isMap?: true } | undefined {
  const content = jsonBody(operation)
  if (content?.value.schema === undefined) return undefined
  const flat = flattenSchema(document, schemaOf(content))
  if (flat.items) return { pointer: [], schema: flat.items }
  const lists = [...flat.properties].flatMap(([name, property]) => {
    const { items } = flattenSchema(document, property)
    return items ? [{ pointer: [name], schema: items }] : []
  })
  const [only] = lists.length === 0 && flat.properties.size === 1 ? flat.properties : []
  const map = only && valuesOf(document, only[1])
  if (only && map) return { pointer: [only[0]], schema: map, isMap: true }
  return lists.length === 1 ? lists[0] : undefined
}

/** The query parameter with the keys of the records. */
function keysInQuery({ parameters }: DescribedOperation, { model, resource }: Group): string | undefined {
  const noun = bareName(nounOf(resource?.name ?? ''))
  const key = bareName(model.key)
  const names = new Set([key, `${key}s`, 'id', 'ids', `${noun}id`, `${noun}ids`, 'keys'])
  return parameters.find(({ value }) => value.in === 'query' && names.has(bareName(value.name)))?.value.name
}
