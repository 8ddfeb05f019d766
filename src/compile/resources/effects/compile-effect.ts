/** Compiles the effect of one operation. */

import type {
  ChangeAccess,
  Effect,
  EffectKind,
  ExamplePage,
  KeyedEffect,
  PathScope,
  ServiceWritten,
  Success,
} from '../../../contract/effects/effect.js'
import type { ListQuery } from '../../../contract/effects/list-query.js'
import type { Located, OpenApiDocument, Schema } from '../../../document/document.js'
import { toJson } from '../../../json/exact-json.js'
import { isRelation } from '../../../json/path-property.js'
import { isStateName } from '../../../lexicon/stages.js'
import { saysConflict } from '../../../lexicon/texts.js'
import { isCopying } from '../../../lexicon/verbs.js'
import { wordsOf } from '../../../lexicon/words.js'
import { type FlatSchema, flattenSchema, hasFlag } from '../../../schemas/flatten-schema.js'
import type { DescribedOperation } from '../../describe-operations.js'
import type { OperationContext } from '../../operations/compile-operation.js'
import { canStream } from '../../operations/compile-streams.js'
import type { Candidate } from '../facts/candidate.js'
import { addFact } from '../facts/evidence.js'
import { exampleOfAnswer, exampleOfRequest } from '../facts/examples.js'
import { nameOf } from '../facts/facts.js'
import { compileCreatedKey, findShownKey } from '../facts/find-key-name.js'
import { findRequestRecord } from '../facts/request-record.js'
import { compileQuery } from '../queries/compile-query.js'
import { chooseSets } from './choose-changes.js'
import { chooseFirst } from './choose-first.js'
import { compileEnvelope, compileFixed } from './compile-access.js'
import { addSpelling, chosenListed, compileAliases, compileGivenAliases, withOwnNames } from './compile-aliases.js'
import { compileFieldChanges, compileRemovalChanges, compileTakes } from './compile-field-changes.js'
import { compileList } from './compile-list.js'
import { compileRepeats } from './compile-repeats.js'
import type { Group } from './compile-scope.js'
import { compileNestedWritten, compileServiceWritten } from './compile-service-written.js'
import { findMerged } from './find-merged.js'
import { withResults } from './make-result.js'
import { findSoftRemoval, hideRemoved } from './soft-removal.js'

const allRecords: ListQuery = { filters: [], sizes: [], positions: [], facts: [], headers: [] }

/** Compiles how a request chooses a page of the list in an example. */
function compilePage(document: OpenApiDocument, candidate: Candidate): ExamplePage | undefined {
  const { decision, corrected } = candidate
  const { list } = decision.facts
  if (!list || list.isMap) return undefined
  const { pointer } = list
  const query = compileQuery({
    document,
    candidate: {
      ...candidate,
      pointer,
      record: undefined,
      ...(corrected && { corrected: { ...corrected, filters: {} } }),
    },
    key: undefined,
    equal: [],
    most: undefined,
  })
  const repeats = compileRepeats(document, candidate.operation, list)
  if (query.sizes.length + query.positions.length === 0) return repeats && { pointer, query: allRecords, repeats }
  // Without a size the whole example is shown.
  const { defaultSize: _, order: __, ...others } = query
  return { pointer, query: { ...others, filters: [] }, ...(repeats && { repeats }) }
}

/**
 * @param group the collection whose records it shows or changes. Undefined if it answers with an example
 * @param path the owners in its path
 */
export function compileEffect(
  context: OperationContext,
  candidate: Candidate,
  group: Group | undefined,
  path?: PathScope,
): Effect {
  const { document, shapes, validators } = context
  const { kind, operation, success, parameter, record, pointer, keyIn } = candidate
  if (!success || kind === 'undescribed') return { kind: 'undescribed' }
  const answer: Success = { status: success.status }
  if (success.mediaType !== undefined) answer.mediaType = success.mediaType
  if (success.headers !== undefined) answer.headers = success.headers
  if (kind === 'example' || !group) {
    const page = compilePage(document, candidate)
    return {
      kind: 'example',
      ...answer,
      ...compileFixed(context, operation.method === 'POST' ? withResults(document, success) : success),
      ...(page && { page }),
      ...(path && { place: path }),
    }
  }
  const { model } = group
  const soft = findSoftRemoval(document, group)
  const place = soft ? hideRemoved(soft, kind, operation, path) : path
  const isPlainList = kind === 'list' && pointer.length <= 1 && !candidate.isMap && !candidate.keys
  const envelope = isPlainList ? undefined : compileEnvelope(context, candidate)
  const common = {
    ...answer,
    collection: model.name,
    shape: record ? shapes.add(record, 'response') : 0,
    ...(place && { place }),
    ...(envelope && record && { envelope }),
    ...compileAliases(document, candidate, group),
  }
  if (kind === 'list' && candidate.keys) {
    const records = { key: model.key, whole: group.record }
    const { query } = compileList(context, operation, success, undefined, candidate, records)
    return { kind, ...common, ...(envelope && { envelope }), keys: candidate.keys, query }
  }
  if (kind === 'list') {
    const list = compileList(context, operation, success, isPlainList ? pointer[0] : undefined, candidate, {
      key: model.key,
      whole: group.record,
    })
    for (const {
      name,
      properties: [own = name],
    } of list.query.filters) {
      if (!own.includes('/')) addSpelling(group.facts, name, own)
    }
    return { kind, ...common, ...list }
  }
  const { at } = candidate.decision
  const request = at ? undefined : findRequestRecord(document, operation, pointer, group.record)
  const access: ChangeAccess = { collection: model.name, ...(at && { at }) }
  if (request && request.given.length > 0) access.given = request.given
  notePlaces(group, envelope && record ? pointer : [], access.given ?? [])
  if (!record && success.mediaType !== undefined) access.answer = compileFixed(context, success)
  const shownKey = kind === 'create' && access.answer ? findShownKey(document, success.schema, group) : undefined
  if (access.answer && shownKey !== undefined) access.answer.keyName = shownKey
  const givenAliases = request ? compileGivenAliases(document, request, group) : []
  if (givenAliases.length > 0) access.givenAliases = givenAliases
  const requested = request && withOwnNames(flattenSchema(document, request.schema), givenAliases)
  const sentNames = request && flattenSchema(document, request.schema).properties
  const listed = isWriting(kind) ? chosenListed(document, group).filter(({ from }) => sentNames?.has(from)) : []
  if (listed.length > 0) access.listed = listed
  // A creation may answer with a part of the record, or only with its key.
  const isPart = kind === 'create' && record !== undefined && lacksProperties(document, record, group.record)
  const answered = isPart
    ? { value: { allOf: [record.value, group.record.value] }, path: [] }
    : (record ?? group.record)
  const written = findWritten(document, answered, group.record, request?.schema, requested)
  // A patch without a schema of its own may change all that callers write.
  const sent = requested ?? (kind === 'update' && operation.body ? flattenSchema(document, written) : undefined)
  const times = candidate.isBlank ? findTimes(document, group, sent) : []
  const shown = kind === 'create' ? exampleOfAnswer(document, candidate, group.members) : undefined
  const given = kind === 'create' ? exampleOfRequest(document, candidate) : undefined
  const facts = kind === 'create' ? group.facts : undefined
  // What is put exists afterwards, whether it did before or not.
  const isPut = kind === 'create' && parameter !== undefined && operation.method === 'PUT'
  const isActed = kind === 'create' && group.members.some((member) => member.kind === 'action')
  // What nothing shows again is what the operation has made, as is what it can stream.
  const isResult =
    kind === 'create' && (group.members.every((each) => each.kind === 'create') || canStream(document, operation))
  const isCopy = kind === 'action' && parameter !== undefined && record !== undefined && makesCopy(candidate)
  const firstWritten =
    isWriting(kind) || isCopy
      ? chooseFirst(document, kind, group, isPut, [
          ...compileServiceWritten(
            document,
            sent,
            kind === 'create' ? withOthers(document, written, answered) : written,
            model,
            { shown, given, sent: request?.schema, facts, isActed, isResult },
          ),
          ...times,
        ])
      : []
  // What shows a key has no value of its own.
  const isShown = (property: string) => common.aliases?.some(([name]) => name === property)
  const ownWritten = firstWritten.filter(({ property }) => !isShown(property))
  const serviceWritten = isCopy ? ownWritten.filter((each) => isMadeAgain(document, each, written)) : ownWritten
  const nested = isWriting(kind) ? compileNestedWritten(document, sent, written, model) : []
  if (nested.length > 0) access.nested = nested
  if (kind === 'create' && !isPut) {
    const created = compileCreatedKey(document, operation, request, parameter, group, givenAliases)
    // Where records are placed, those of examples can be replaced.
    const noPlace = created.exampleKeys && !place && { place: { values: [], owners: [] } }
    const repeated = created.exampleKeys && !documentsConflict(operation) && { isRepeatable: true as const }
    return { kind, ...common, ...noPlace, ...access, serviceWritten, ...created, ...repeated }
  }
  const isRelated = place?.values.some(({ property, link }) => link || isRelation(property, model.scope)) === true
  // Without a body, nothing else is put than the relation.
  const isAttached = isRelated && operation.method === 'PUT' && !operation.body && isWriting(kind)
  const keyed: KeyedEffect = {
    kind: isAttached ? 'action' : kind === 'create' ? 'replace' : kind,
    ...common,
    ...access,
    parameter: parameter ?? '',
    serviceWritten,
  }
  if (keyIn) keyed.keyIn = keyIn
  if (soft && kind === 'remove') return { ...keyed, kind: 'action', sets: soft.sets }
  if (kind === 'remove' && isRelated && hasOwnRemoval(group) && !('sample' in model)) keyed.detaches = true
  if (isAttached) return keyed
  const isChanged = keyed.kind === 'update' || keyed.kind === 'replace'
  // A request that the document allows is not refused because of the schema of another body.
  if (isChanged && !(requested && hasOtherTypes(document, requested, written)))
    keyed.validateChanged = validators.add(written, 'response')
  if (kind === 'update') {
    const merges = findMerged(document, requested, written, group.facts, operation)
    if (at && at.from === undefined && operation.method === 'PATCH') merges.push({ property: at.property })
    if (merges.length > 0) keyed.merges = merges
  }
  const keeps = keyed.kind === 'replace' && requested ? unsentIn(document, requested, written) : []
  if (keeps.length > 0) keyed.keeps = keeps
  if (isWriting(kind)) keyed.writable = shapes.add(written, 'request')
  const creates = isPut ? success.status : statusOfCreation(candidate, group)
  if (creates !== undefined) keyed.creates = creates
  const { adds } = candidate.decision
  if (kind === 'action' && adds && !candidate.corrected?.changes) {
    const sent = [...(adds.from === undefined ? [] : [adds.from])]
    keyed.changes = [{ pointer: [adds.property, '-'], value: { from: 'request', in: 'body', pointer: sent } }]
  } else if (kind === 'action') {
    const chosen = candidate.corrected?.changes && chooseSets(document, candidate, group, access)
    keyed.sets = chosen ? chosen.sets : compileFieldChanges(document, candidate, group)
    const taken = chosen ? chosen.takes : requested ? compileTakes(document, requested, group) : []
    // What the action itself sets counts more.
    const takes = taken.filter(([, own]) => !keyed.sets?.some(({ property }) => property === own))
    if (takes.length > 0) keyed.takes = takes
    if (isCopy) keyed.copies = true
  }
  const removed = kind === 'remove' && record ? compileRemovalChanges(document, record, 'deleted', 'removed') : []
  if (removed.length > 0) keyed.sets = removed
  return keyed
}

function lacksProperties(document: OpenApiDocument, part: Located<Schema>, whole: Located<Schema>): boolean {
  const { properties } = flattenSchema(document, part)
  return [...flattenSchema(document, whole).properties.keys()].some((name) => !properties.has(name))
}

/** Whether an action makes another record of the same kind: `/clone`, or `/create-from-draft` where that is `201 Created`. */
function makesCopy({ node, operation, success }: Candidate): boolean {
  const [first, ...others] = wordsOf(nameOf(node))
  if (operation.method === 'POST' && success?.status === 201 && first === 'create' && others.length > 0) return true
  const verbs = [nameOf(node), operation.value.operationId ?? ''].map((name) => wordsOf(name)[0] ?? '')
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
function findTimes(document: OpenApiDocument, group: Group, sent: FlatSchema | undefined): ServiceWritten[] {
  const bodies = group.members.flatMap(({ operation }) => findRequestRecord(document, operation, [], undefined) ?? [])
  const named = { value: { allOf: bodies.map(({ schema }) => schema.value) }, path: [] }
  const own = sent?.properties
  const written = compileServiceWritten(document, undefined, named, group.model).filter((each) => each.with === 'now')
  return written.map(({ owned: _, ...each }) => ({ ...each, ...(!own?.has(each.property) && { owned: true }) }))
}

/** Notes where bodies have the record. */
function notePlaces({ facts }: Group, answered: readonly string[], given: readonly string[]): void {
  const isSame = given.length > 0 && given.join('.') === answered.join('.')
  const why = isSame ? 'requests and answers agree' : 'their schema has it there'
  const places = [
    [answered, 'answers'],
    [given, 'requests'],
  ] as const
  for (const [names, bodies] of places) {
    const about = `${names.join('.')} of ${bodies}`
    if (names.length > 0) addFact(facts, { fact: 'place', about, evidence: 'schema', why })
  }
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

/** The properties of a record that a request cannot have. */
function unsentIn(document: OpenApiDocument, { open, properties }: FlatSchema, record: Located<Schema>): string[] {
  const others = [...flattenSchema(document, record).properties.keys()].filter((name) => !properties.has(name))
  return open || properties.size === 0 ? [] : others
}

/** Whether a creation says that it refuses a key that a record has already. */
function documentsConflict({ responses }: DescribedOperation): boolean {
  if (responses.has('409') || responses.has('4XX')) return true
  return ['400', '422'].some((each) => saysConflict(toJson(responses.get(each)?.value ?? '')))
}

/** The status if a change creates a missing record. Undefined if it does not. */
function statusOfCreation({ operation, kind, success }: Candidate, { members }: Group): number | undefined {
  if (kind !== 'replace' && kind !== 'update') return undefined
  const documents = (status: string) => operation.responses.has(status)
  if (documents('201')) return 201
  if (operation.method === 'PUT' && saysCreate(operation.value)) return success?.status
  const isCreated = members.some((member) => member.kind === 'create')
  return kind === 'update' || isCreated || documents('404') ? undefined : success?.status
}

export function isWriting(kind: EffectKind): boolean {
  return kind === 'create' || kind === 'replace' || kind === 'update'
}

/**
 * The schema of the properties that callers write. If an answer marks all of them as `readOnly`, that only means that it is
 * an answer, so the mark is ignored.
 */
function findWritten(
  document: OpenApiDocument,
  answered: Located<Schema>,
  record: Located<Schema>,
  request: Located<Schema> | undefined,
  requested: FlatSchema | undefined,
): Located<Schema> {
  if (!request || !requested) return answered
  const isReadOnly = (schema: Located<Schema>) => hasFlag(document, schema, 'readOnly')
  const sent = [...requested.properties].filter(([, schema]) => !isReadOnly(schema))
  const isWritable = (schema: Located<Schema>) => {
    const { properties } = flattenSchema(document, schema)
    const shared = sent.flatMap(([name]) => properties.get(name) ?? [])
    return shared.length === 0 || shared.some((each) => !isReadOnly(each))
  }
  return [answered, record].find(isWritable) ?? request
}

/** What is written, with what else answers have: the schema of a request alone does not say what the service adds. */
function withOthers(document: OpenApiDocument, written: Located<Schema>, answered: Located<Schema>): Located<Schema> {
  const own = flattenSchema(document, written).properties
  const others = [...flattenSchema(document, answered).properties].filter(([name]) => !own.has(name))
  if (others.length === 0) return written
  const properties = Object.fromEntries(others.map(([name, { value }]) => [name, value]))
  return { value: { allOf: [written.value, { type: 'object', properties }] }, path: [] }
}

/** `createOrReplace`, `Creates or updates a tax`, `Add or update project permissions` */
function saysCreate({ operationId = '', summary = '' }: { operationId?: string; summary?: string }): boolean {
  const isAdded = /^\s*adds?\b|\badds?[ _-]+or[ _-]/i
  return (
    [...wordsOf(operationId), ...wordsOf(summary)].some((word) => /^(creates?|upserts?)$/.test(word)) ||
    isAdded.test(summary) ||
    isAdded.test(operationId.split(/[./]/).at(-1) ?? '')
  )
}
