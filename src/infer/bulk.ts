/** Says which operations change or read many records at once, in the collection of their path. */
import { guess, Lines } from '../behaviour/line.js'
import type { BulkOf, OperationLines } from '../behaviour/members.js'
import { type Located, type OpenApiDocument, type Schema, schemaOf } from '../document/document.js'
import { isWrapperName } from '../lexicon/envelopes.js'
import { countsChanged } from '../lexicon/numbers.js'
import { isKeyOf } from '../lexicon/record-names.js'
import { isReading, saysMany } from '../lexicon/verbs.js'
import { bareName, isSameName, singular, wordsOf } from '../lexicon/words.js'
import { type FlatSchema, flattenSchema, isObjectSchema, placeOf } from '../schemas/flatten-schema.js'
import { type DescribedOperation, jsonBody } from '../schemas/operations/describe-operations.js'
import { findRequestRecord, isLikeRecord } from '../schemas/operations/request-record.js'
import { findAction, findAnswers } from './changes.js'
import type { KnownCollection } from './collection.js'
import type { Candidate } from './facts/candidate.js'
import { nameOf, withoutVerb } from './facts/facts.js'
import { findKeyName } from './facts/find-key-name.js'
import type { Collections } from './owners.js'
import { behind } from './paths/path-tree.js'
import { findChosen } from './queries/find-query.js'
import { isNumber } from './queries/query-parameters.js'
import { isActing } from './rules/effects/many-records.js'
import { findWritesOf } from './writes.js'

/** What operations on many records have in common. */
interface Many {
  document: OpenApiDocument
  candidate: Candidate
  collection: KnownCollection
  /** The list in the body. */
  items: ReturnType<typeof findItems>
  /** The property of an item that has the key of its record. */
  key: string | undefined
  isUpsert: boolean
  /** Whether the answer has the records. */
  isShown: boolean
  /** The path of the collection. */
  path: string
}

export function findBulk(document: OpenApiDocument, collections: Collections, candidate: Candidate): void {
  const { kind, decision, operation, lines } = candidate
  const isAdded = isBatch(document, candidate) || wrapsMany(document, collections, candidate)
  const isRead = kind === 'list' && operation.method === 'POST' && readsMany(candidate)
  const state = isAdded ? 'bulk-create' : decision.state
  if (!isRead && ((kind !== 'example' && !isAdded) || !state.startsWith('bulk'))) return
  const many = findMany(document, collections, candidate)
  if (!many) return
  const does = isRead
    ? readMany(many)
    : state === 'bulk-remove'
      ? removeMany(many)
      : writeMany(many, state === 'bulk-create')
  const { collection, items, path, isShown } = many
  if (!does) return
  const counted = does.read ? [] : countsIn(document, decision.facts.success?.flat)
  const says: BulkOf = {
    to: collection.path,
    path,
    ...(items && { items: items.pointer }),
    ...(isShown && { isShown: true as const }),
    ...(counted.length > 0 && { counted }),
    ...does,
    one: {},
  }
  if (does.create) says.one.create = linesOfOne(many, 'create')
  if (does.change) says.one.change = linesOfOne(many, does.change)
  if (does.remove) says.one.remove = linesOfOne(many, 'remove')
  lines.add('bulk', '', says, guess('name', decision.reason))
}

/** The places of numbers that count what is changed: the whole answer, or a property, in an envelope or not. */
function countsIn(document: OpenApiDocument, flat: FlatSchema | undefined, isInner = false): string[][] {
  if (!flat) return []
  if (!isInner && isNumber(flat)) return [[]]
  return [...flat.properties].flatMap(([name, schema]) => {
    const inner = flattenSchema(document, schema)
    if (countsChanged(name) && isNumber(inner)) return [[name]]
    return isInner || !isWrapperName(name) ? [] : countsIn(document, inner, true).map((pointer) => [name, ...pointer])
  })
}

function findMany(document: OpenApiDocument, collections: Collections, candidate: Candidate): Many | undefined {
  const { facts } = candidate.decision
  const { operation } = candidate
  const found = findListed(collections, candidate)
  if (!found) return undefined
  const { collection, member } = found
  const items = findItems(document, operation, collection)
  return {
    ...{ document, candidate, collection, items, path: member.operation.path },
    key: items && findKeyName(document, items.schema, collection),
    // What is put, or added or changed, may exist already.
    isUpsert: operation.method === 'PUT' || facts.saysUpsert,
    isShown: facts.list !== undefined && showsRecords(document, facts.list.item, collection),
  }
}

function showsRecords(document: OpenApiDocument, item: Located<Schema>, { model, record }: KnownCollection): boolean {
  const isSame = placeOf(document, item) === placeOf(document, record)
  return isSame || flattenSchema(document, item).properties.has(model.key)
}

/** Whether the items are objects, and not keys. */
function hasObjects({ document, items }: Many): boolean {
  return items !== undefined && isObjectSchema(flattenSchema(document, items.schema))
}

type Does = Omit<BulkOf, 'to' | 'path' | 'items' | 'isShown' | 'one'>

function readMany(many: Many): Does | undefined {
  const { items, isShown, collection, key } = many
  if (!isShown || !items || (key === undefined && hasObjects(many))) return undefined
  return { key: key ?? collection.model.key, read: true }
}

function removeMany(many: Many): Does | undefined {
  const { items, key, collection } = many
  const { operation } = many.candidate
  const isWhole = operation.method === 'DELETE' && !operation.body && !operation.path.endsWith('}')
  const keys = keysInQuery(operation, collection)
  const query = items || keys !== undefined ? undefined : findChosen(many.document, many.candidate, collection)
  if (query) return { key: collection.model.key, remove: true, query }
  if (!items && !isWhole && keys === undefined) return undefined
  if (hasObjects(many) && key === undefined) return undefined
  return { key: key ?? collection.model.key, remove: true, ...(keys !== undefined && { keys }) }
}

/** Adds records, changes those that exist, or both. */
function writeMany(many: Many, isCreation: boolean): Does | undefined {
  const { collection, path, isUpsert, key } = many
  const { method, path: own } = many.candidate.operation
  if (!hasObjects(many)) return isCreation ? undefined : shareMany(many)
  if (isCreation && (key === undefined || !isUpsert)) return { key: collection.model.key, create: true }
  if (key === undefined) return undefined
  // A POST changes many records as the operation on one of them does.
  const isReplaced =
    method === 'PUT' || (method === 'POST' && !collection.members.some(({ kind }) => kind === 'update'))
  const change = isReplaced && !isCreation ? 'replace' : 'update'
  if (isCreation) return { key, change, create: true }
  const isWhole = method === 'PUT' && own === path
  return { key, change, ...(isWhole && { create: true, remove: true }) }
}

/** Gives the records whose keys are in a list what else the body has: `{"ids": [1, 2], "status": "done"}` */
function shareMany({ document, candidate, collection, items }: Many): Does | undefined {
  const content = jsonBody(candidate.operation)
  const query = items ? undefined : findChosen(document, candidate, collection)
  if (query) return { key: collection.model.key, change: 'update', shared: [], query }
  const [list, ...deeper] = items?.pointer ?? []
  if (!content || list === undefined || deeper.length > 0) return undefined
  const own = flattenSchema(document, collection.record).properties
  const sent = [...flattenSchema(document, schemaOf(content)).properties].filter(([name]) => name !== list)
  if (own.has(list) || !isOfKeys(list, collection)) return undefined
  if (isActing(candidate.node)) return { key: collection.model.key, change: 'action', shared: [] }
  const isOwn = ([name]: [string, unknown]) => own.has(name) && name !== collection.model.key
  const inner = sent.filter((each) => !isOwn(each) && isLikeRecord(document, each[1], own))
  const shared = sent.some(isOwn) ? [] : inner.length === 1 ? inner.map(([name]) => name) : undefined
  return shared && { key: collection.model.key, change: 'update', shared }
}

/** What is said of the effect on one of many records. */
function linesOfOne(
  { document, candidate, collection }: Many,
  kind: 'create' | 'replace' | 'update' | 'remove' | 'action',
): OperationLines {
  const { decision, operation: whole } = candidate
  const lines: OperationLines = new Lines()
  const item = decision.facts.list?.item
  const record = item && showsRecords(document, item, collection) ? item : collection.record
  const operation = { ...whole, method: kind === 'create' ? 'POST' : 'PATCH', body: undefined }
  const one = { ...candidate, kind, lines, record, pointer: [], operation }
  // What one change merges, a change of many does.
  const merged = kind === 'update' ? collection.members.flatMap((each) => each.lines.all('merges')) : []
  for (const { about, says, evidence } of merged) lines.add('merges', about, says, evidence)
  if (kind === 'action') findAction(document, { ...one, operation: whole }, collection)
  else if (kind !== 'remove') findWritesOf(document, one, collection, false)
  findAnswers(document, one, collection)
  return lines
}

/** Whether a creation takes a list where it answers one: each item becomes a record. */
function isBatch(document: OpenApiDocument, candidate: Candidate): boolean {
  const { kind, pointer, record, keyIn } = candidate
  if (kind !== 'create' || keyIn || !pointer.includes('0')) return false
  return findRequestRecord(document, candidate, record)?.given.includes('0') === true
}

/**
 * Whether a creation takes its records in a list, because its body has nothing else of them and the list has their name, or that of
 * the list which shows them: `POST /members/{memberId}/tags` with `{"tags": [{"name": "x"}]}`
 */
function wrapsMany(document: OpenApiDocument, collections: Collections, candidate: Candidate): boolean {
  const { kind, keyIn, operation, path } = candidate
  const collection = collections.get(path)
  const items = kind === 'create' && !keyIn && collection ? findItems(document, operation, collection) : undefined
  const [name, ...others] = items?.pointer ?? []
  if (!collection || !items || name === undefined || others.length > 0) return false
  const own = flattenSchema(document, collection.record).properties
  const content = jsonBody(operation)
  const sent = content ? [...flattenSchema(document, schemaOf(content)).properties.keys()] : []
  const lists = collection.members.filter((member) => member.kind === 'list').map(({ pointer }) => pointer.at(-1))
  const isNamed = isSameName(name, collection.resource?.name ?? '') || lists.includes(name)
  return isNamed && !sent.some((each) => own.has(each)) && isLikeRecord(document, items.schema, own)
}

/** The collection that another operation on the same path lists or adds to. */
function findListed(
  collections: Collections,
  { operation, node }: Candidate,
): { collection: KnownCollection; member: Candidate } | undefined {
  for (const path of [operation.path, withoutVerb(node), behind(node)?.step.template]) {
    for (const collection of collections.values()) {
      const member = collection.members.find(
        ({ kind, operation: other }) => (kind === 'list' || kind === 'create') && other.path === path,
      )
      if (member && collection.resource?.kind === 'collection') return { collection, member }
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
  collection: KnownCollection,
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
    ({ schema }) => flattenSchema(document, schema).properties.size > 0 && findKeyName(document, schema, collection),
  )
  return keyed.length === 1 ? keyed[0] : undefined
}

/** The query parameter with the keys of the records. */
export function keysInQuery({ parameters }: DescribedOperation, collection: KnownCollection): string | undefined {
  return parameters.find(({ value }) => value.in === 'query' && isOfKeys(value.name, collection))?.value.name
}

/** Whether a name is that of keys of records: `ids`, `visit_ids` */
function isOfKeys(name: string, { model, resource }: KnownCollection): boolean {
  const isKey = (each: string) => isKeyOf(each, resource?.name ?? '', model.key)
  return bareName(name) === 'keys' || isKey(name) || isKey(singular(bareName(name)))
}
