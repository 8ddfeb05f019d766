/** Completes requests with the keys of existing records, and of the owners of nested ones. */
import type { EffectKind, Owner } from '../../../contract/effects/effect.js'
import { parsePathTemplate } from '../../../contract/path-template.js'
import { type CheckPlan, ownerOf, toExample } from '../plan-check.js'
import { longestList, type ProviderCollection, recordsOf, withKey, withPathKey } from '../provider-collection.js'
import { parseResponse } from '../rules/answer.js'
import type { Subject } from './checked-operation.js'
import { type Draft, isSafe, isValid, sentRecord, toProviderRequest, withBody, withRecord } from './request-draft.js'

/**
 * A valid request for an operation, for an existing record if its path names one.
 * @param collection the collection that the operation works on, if it works on one
 * @returns undefined if no valid request could be generated
 */
export async function completeDraft(
  plan: CheckPlan,
  { operation, draft }: Subject,
  collection: ProviderCollection | undefined,
): Promise<Draft | undefined> {
  const { effect } = operation
  if (draft && effect.kind === 'example') return withOwner(plan, draft)
  if (!draft || !collection || !('parameter' in effect)) return draft
  const key = await existingKey(plan, collection, effect.kind)
  if (!effect.parameter) return draft
  // The result for an unknown key is unpredictable.
  return key === undefined
    ? { ...draft, operation: { ...operation, effect: toExample(effect) } }
    : withPathKey(draft, effect.parameter, key)
}

/** For a path below a record, such as `/users/{userId}/posts`, the key of an existing record, and those of its owners. */
async function withOwner(plan: CheckPlan, draft: Draft): Promise<Draft> {
  const { path } = draft.operation
  const pathOf = ({ read }: ProviderCollection) => (read ? `${parsePathTemplate(read.operation.path).path}/` : '')
  const above = plan.collections.filter((each) => each.read && path.startsWith(pathOf(each)))
  // The nearest one first.
  for (const collection of above.toSorted((one, other) => pathOf(other).length - pathOf(one).length)) {
    const { read } = collection
    const key = read && (await existingKey(plan, collection, isSafe(draft) ? 'read' : 'update'))
    if (!read || key === undefined) continue
    const parameters = {
      ...draft.parameters,
      path: { ...draft.parameters.path, ...withKey(read, key).parameters.path },
    }
    const owned = { ...draft, parameters }
    if (isValid(plan.contract, owned)) return owned
  }
  return draft
}

/** The nearest record that the path of a request names, and whether this check has created it. */
export function recordInPath(
  { collections, created }: CheckPlan,
  { operation, parameters }: Draft,
): { collection: ProviderCollection; key: unknown; isOwn: boolean } | undefined {
  const pathOf = ({ read }: ProviderCollection) => `${read?.operation.path}/`
  const [collection] = collections
    .filter((each) => each.read && `${operation.path}/`.startsWith(pathOf(each)))
    .toSorted((one, other) => pathOf(other).length - pathOf(one).length)
  const key = collection?.read && parameters.path[collection.read.operation.effect.parameter]
  if (!collection || key === undefined) return undefined
  return { collection, key, isOwn: created.keys(collection).some((each) => String(each) === String(key)) }
}

/**
 * Key of a record for an effect. Reading may use any record; writing uses only records that this check has created,
 * preferably the ones that it created to be changed.
 * @param except a key that must not be used
 */
export async function existingKey(
  plan: CheckPlan,
  collection: ProviderCollection,
  kind: EffectKind,
  except?: unknown,
): Promise<unknown> {
  const { contract, created, client, caller } = plan
  const remaining = created.remaining(collection).filter(({ key }) => key !== except)
  const changeable = remaining.filter(({ record }) => !record)
  const chosen = kind === 'read' ? remaining[0] : (changeable.at(kind === 'remove' ? 0 : -1) ?? remaining.at(-1))
  // Its values are unknown from now on.
  if (kind !== 'read') delete chosen?.record
  if (chosen?.key !== undefined || kind !== 'read' || !collection.list) return chosen?.key
  const response = await client.send(toProviderRequest(longestList(contract, collection.list), caller))
  if ('why' in response || response.status >= 300) return undefined
  const { effect } = collection.list.operation
  const [shown] = effect.aliases?.find(([, own]) => own === collection.model.key) ?? [collection.model.key]
  return recordsOf(effect, parseResponse(response))
    ?.map((record) => record[shown])
    .find((key) => key !== except)
}

/**
 * Writes the key of one existing owner, and those of its owners, into the requests of a nested collection. Without an owner,
 * its operations are checked one by one, like those that answer with an example.
 */
export async function bindOwners(plan: CheckPlan, collection: ProviderCollection): Promise<void> {
  const nested = plan.subjects.filter(
    (subject) => collectionOf(subject) === collection.model.name && ownerOf(subject.operation.effect),
  )
  const [first] = nested
  if (!first) return
  const name = ownerOf(first.operation.effect)?.collection
  const owner = plan.collections.find(({ model }) => model.name === name)
  const key = owner && (await existingKey(plan, owner, 'read'))
  const otherKey = owner && key !== undefined && (await existingKey(plan, owner, 'read', key))
  for (const subject of nested) {
    const own = ownerOf(subject.operation.effect)
    const below = own && own.collection === name && key !== undefined && owner && toBound(subject, own, owner, key)
    const bound = below && withOwnerInBody(below)
    if (bound && isValid(plan.contract, bound)) {
      const bodies = subject.bodies.map((value) => ({ value, ...withOwnerInBody(withBody(bound, value)).body }).value)
      Object.assign(subject, { draft: bound, bodies })
    } else toUnbound(collection, subject)
  }
  const { list } = collection
  const below = list && ownerOf(list.operation.effect)?.parameter
  if (list && below !== undefined && otherKey !== undefined)
    collection.elsewhere = withPathKey(list.draft, below, otherKey)
  // Another path may lead to the same records.
  for (const subject of nested) {
    const { kind } = subject.operation.effect
    if (kind in collection) Object.assign(collection, { [kind]: collection[kind as OperationKind] ?? subject })
  }
}

const operationKinds = ['list', 'create', 'read', 'replace', 'update', 'remove'] as const
type OperationKind = (typeof operationKinds)[number]

/** A request below an owner with a key. Undefined if the owners of that owner are unknown. */
function toBound(
  { draft }: Subject,
  { parameter, values }: Owner,
  { list, create, read }: ProviderCollection,
  key: unknown,
): Draft | undefined {
  const above = [list, create, read].find((subject) => subject?.operation.effect.place)
  let bound = draft && withPathKey(draft, parameter, key)
  for (const { parameter: name, property } of values) {
    const same = above?.operation.effect.place?.values.find((each) => each.property === property)
    const value = same && above?.draft.parameters.path[same.parameter]
    bound = bound && value !== undefined ? withPathKey(bound, name, value) : undefined
  }
  return bound
}

/** The same request, with the key of the owner in its path in the body as well. */
function withOwnerInBody(draft: Draft): Draft {
  const { effect } = draft.operation
  const record = sentRecord(draft)
  const values = ('place' in effect && effect.place?.values) || []
  const named = values.filter(({ property }) => Object.hasOwn(record, property))
  const owners = named.map(({ parameter, property }) => [property, draft.parameters.path[parameter]])
  return named.length === 0 ? draft : withRecord(draft, { ...record, ...Object.fromEntries(owners) })
}

function collectionOf({ operation: { effect } }: Subject): string | undefined {
  return 'collection' in effect ? effect.collection : undefined
}

/** Expects nothing of an operation whose owner is unknown. */
function toUnbound(collection: ProviderCollection, subject: Subject): void {
  const operation = { ...subject.operation, effect: toExample(subject.operation.effect) }
  const draft: Draft | undefined = subject.draft && { ...subject.draft, operation }
  for (const kind of operationKinds) {
    if (collection[kind] === subject) collection[kind] = undefined
  }
  Object.assign(subject, { operation, draft })
}
