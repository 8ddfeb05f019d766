/** Says what the service writes in records: in new ones, in each change, in copies, and in objects that requests give. */

import { fromAbout, guess } from '../behaviour/line.js'
import { ownNameIn } from '../behaviour/members.js'
import type { ServiceWritten } from '../contract/effects/effect.js'
import type { Located, OpenApiDocument, Schema } from '../document/document.js'
import { isStateName } from '../lexicon/stages.js'
import { isCopying } from '../lexicon/verbs.js'
import { wordsOf } from '../lexicon/words.js'
import { type FlatSchema, flattenSchema, hasFlag } from '../schemas/flatten-schema.js'
import { type DescribedChange, describeChange, isWriting } from '../schemas/operations/change.js'
import { exampleOfAnswer, exampleOfRequest } from '../schemas/operations/example-places.js'
import { findRequestRecord } from '../schemas/operations/request-record.js'
import { canStream } from '../schemas/operations/streams.js'
import type { KnownCollection } from './collection.js'
import type { Candidate } from './facts/candidate.js'
import { nameOf } from './facts/facts.js'
import { findNestedWritten, findServiceWritten, type Written } from './facts/service-written.js'

const why = guess('schema', 'requests do not give it')

export function findWrites(document: OpenApiDocument, collection: KnownCollection): void {
  for (const member of collection.members) {
    const { kind, parameter, record } = member
    const isCopy = kind === 'action' && parameter !== undefined && record !== undefined && makesCopy(member)
    if (isCopy) member.lines.add('copies', '', true, guess('name', 'its verb says so'))
    if (isCopy || isWriting(kind)) findWritesOf(document, member, collection, isCopy)
  }
}

export function findWritesOf(
  document: OpenApiDocument,
  member: Candidate,
  collection: KnownCollection,
  isCopy: boolean,
): void {
  const { kind, operation, lines } = member
  const change = describeChange(document, member, collection.record, ownNameIn(member.lines, collection.lines))
  const { request, requested, written } = change
  const model = modelOf(collection)
  // A patch without a schema of its own may change all that callers write.
  const sent = requested ?? (kind === 'update' && operation.body ? flattenSchema(document, written) : undefined)
  const nested = isWriting(kind) ? findNestedWritten(document, sent, written, model) : []
  if (nested.length > 0) lines.add('nested', '', nested, why)
  const times = member.isBlank ? findTimes(document, collection, sent) : []
  const first =
    kind === 'create'
      ? writtenAtCreation(document, member, collection, change, sent)
      : findServiceWritten(document, sent, written, model, { sent: request?.schema, isChange: kind === 'update' })
  const all = [...first, ...times]
  lines.add('writes', '', isCopy ? all.filter((each) => isMadeAgain(document, each, written)) : all, why)
}

export function modelOf({ model, lines }: KnownCollection): Written {
  const [holder, nested] = fromAbout(lines.value('key') ?? '')
  const keys = lines.all('keys').map(({ about }) => about)
  return { name: model.name, key: model.key, keys, holder: nested === undefined ? undefined : holder }
}

function writtenAtCreation(
  document: OpenApiDocument,
  candidate: Candidate,
  collection: KnownCollection,
  { request, written, answered }: DescribedChange,
  sent: FlatSchema | undefined,
): ServiceWritten[] {
  const { members, lines } = collection
  return findServiceWritten(document, sent, withOthers(document, written, answered), modelOf(collection), {
    shown: exampleOfAnswer(document, candidate, members),
    given: exampleOfRequest(document, candidate),
    sent: request?.schema,
    lines,
    isActed: members.some((member) => member.kind === 'action'),
    // What nothing shows again is what the operation has made, as is what it can stream.
    isResult: members.every((each) => each.kind === 'create') || canStream(document, candidate.operation),
  })
}

/** What is written, with what else answers have: the schema of a request alone does not say what the service adds. */
function withOthers(document: OpenApiDocument, written: Located<Schema>, answered: Located<Schema>): Located<Schema> {
  const own = flattenSchema(document, written).properties
  const others = [...flattenSchema(document, answered).properties].filter(([name]) => !own.has(name))
  if (others.length === 0) return written
  const properties = Object.fromEntries(others.map(([name, { value }]) => [name, value]))
  return { value: { allOf: [written.value, { type: 'object', properties }] }, path: [] }
}

/** Whether an action makes another record of the same kind: `/clone`, or `/create-from-draft` where that is `201 Created`. */
function makesCopy({ node, operation, success }: Candidate): boolean {
  const [first, ...others] = wordsOf(nameOf(node))
  if (operation.method === 'POST' && success?.status === 201 && first === 'create' && others.length > 0) return true
  const verbs = [nameOf(node), operation.called].map((name) => wordsOf(name)[0] ?? '')
  return operation.method === 'POST' && verbs.some((verb) => isCopying(verb))
}

/** Whether a copy does not have what the other record has: keys, times, states, counts and what requests cannot have. */
function isMadeAgain(
  document: OpenApiDocument,
  { property, with: kind, value }: ServiceWritten,
  record: Located<Schema>,
): boolean {
  const schema = flattenSchema(document, record).properties.get(property)
  const isOwned = schema !== undefined && hasFlag(document, schema, 'readOnly')
  return kind !== 'constant' || value === 0 || isOwned || isStateName(property)
}

/** The times that requests name, of records that no answer describes. Callers may send them, too. */
function findTimes(
  document: OpenApiDocument,
  collection: KnownCollection,
  sent: FlatSchema | undefined,
): ServiceWritten[] {
  const bodies = collection.members.flatMap(
    (member) => findRequestRecord(document, { ...member, pointer: [] }, undefined) ?? [],
  )
  const named = { value: { allOf: bodies.map(({ schema }) => schema.value) }, path: [] }
  const own = sent?.properties
  const written = findServiceWritten(document, undefined, named, modelOf(collection)).filter(
    (each) => each.with === 'now',
  )
  return written.map(({ owned: _, ...each }) => ({ ...each, ...(!own?.has(each.property) && { owned: true }) }))
}
