/** Compiles changes of many records at once, in the collection of the path of the operation. */
import type { BulkUse, CreateEffect, KeyedEffect } from '../../../contract/effects/effect.js'
import { type Located, type OpenApiDocument, type Schema, schemaOf } from '../../../document/document.js'
import { isReading, saysMany } from '../../../lexicon/verbs.js'
import { bareName, isSameName, nounOf, wordsOf } from '../../../lexicon/words.js'
import { flattenSchema, isObjectSchema } from '../../../schemas/flatten-schema.js'
import { type DescribedOperation, jsonBody } from '../../describe-operations.js'
import { placeOf } from '../../operations/compile-ensure.js'
import type { OperationContext } from '../../operations/compile-operation.js'
import type { Candidate } from '../facts/candidate.js'
import { nameOf } from '../facts/facts.js'
import { findKeyName } from '../facts/find-key-name.js'
import { findRequestRecord, isLikeRecord } from '../facts/request-record.js'
import type { FoundResources } from '../paths/find-resources.js'
import { compileEnvelope } from './compile-access.js'
import { withoutVerb } from './compile-collection.js'
import { compileEffect } from './compile-effect.js'
import { compileScope, type Group } from './compile-scope.js'

/**
 * @returns undefined if the records are unknown
 */
export function compileBulk(
  context: OperationContext,
  resources: FoundResources,
  groups: ReadonlyMap<string, Group>,
  candidate: Candidate,
): BulkUse | undefined {
  const { kind, decision, operation, success } = candidate
  const { facts } = decision
  const isAdded = isBatch(context.document, candidate) || wrapsMany(context.document, groups, candidate)
  const isRead = kind === 'list' && operation.method === 'POST' && readsMany(candidate)
  const state = isAdded ? 'bulk-create' : decision.state
  if (!isRead && ((kind !== 'example' && !isAdded) || !state.startsWith('bulk'))) return undefined
  const found = findGroup(groups, candidate)
  if (!found) return undefined
  const { group, member } = found
  const { document } = context
  const items = findItems(document, operation, group)
  const isShown = ({ item }: { item: Located<Schema> }) =>
    flattenSchema(document, item).properties.has(group.model.key) ||
    placeOf(document, item) === placeOf(document, group.record)
  const shown = facts.list && isShown(facts.list) ? facts.list : undefined
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
  const key = items && findKeyName(document, items.schema, group)
  if (isRead) {
    const isPlain = items !== undefined && !isObjectSchema(flattenSchema(document, items.schema))
    if (!shown || !items || !(key !== undefined || isPlain)) return undefined
    const named = key ?? group.model.key
    return { ...use, key: named, read: toEffect('read', named) as KeyedEffect }
  }
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
  // A POST changes many records as the operation on one of them does.
  const isReplaced =
    operation.method === 'PUT' || (operation.method === 'POST' && !group.members.some((each) => each.kind === 'update'))
  use.change = toEffect(isReplaced && state !== 'bulk-create' ? 'replace' : 'update', key) as KeyedEffect
  if (state === 'bulk-create') return { ...use, create }
  if (!isWhole) return use
  return { ...use, create, remove: toEffect('remove', key) as KeyedEffect }
}

/** Whether a creation takes a list where it answers one: each item becomes a record. */
export function isBatch(document: OpenApiDocument, { kind, operation, pointer, record, keyIn }: Candidate): boolean {
  if (kind !== 'create' || keyIn || !pointer.includes('0')) return false
  return findRequestRecord(document, operation, pointer, record)?.given.includes('0') === true
}

/**
 * Whether a creation takes its records in a list, because its body has nothing else of them and the list has their name, or that of
 * the list which shows them: `POST /members/{memberId}/tags` with `{"tags": [{"name": "x"}]}`
 */
function wrapsMany(document: OpenApiDocument, groups: ReadonlyMap<string, Group>, candidate: Candidate): boolean {
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

/** Whether an operation that answers a list reads the records whose keys are in its body. */
function readsMany({ node, decision }: Candidate): boolean {
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
