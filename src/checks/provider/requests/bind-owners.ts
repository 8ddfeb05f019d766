/** Chooses the owner of a nested collection, so that all its requests use the same one. */
import type { Owner } from '../../../contract/effects/effect.js'
import { sentRecord, withRecord } from '../given-record.js'
import type { CheckPlan } from '../plan-check.js'
import { type ProviderCollection, withPathKey } from '../provider-collection.js'
import { isValid } from '../values/judge-draft.js'
import type { Subject } from './checked-operation.js'
import { existingKey } from './complete-draft.js'
import { type Draft, withBody } from './request-draft.js'
import { ownerOf, toExample } from './simple-effects.js'

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
    const bound = below && withOwner(below)
    if (bound && isValid(plan.contract, bound)) {
      const bodies = subject.bodies.map((value) => ({ value, ...withOwner(withBody(bound, value)).body }).value)
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
function withOwner(draft: Draft): Draft {
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
