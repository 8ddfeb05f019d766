/** Chooses the record that a nested collection belongs to, so that all its requests are below the same one. */
import type { Subject } from './checked-operation.js'
import { existingKey } from './complete-draft.js'
import type { CheckPlan } from './plan-check.js'
import type { ProviderCollection } from './provider-collection.js'
import { type Draft, withParameter } from './request-draft.js'
import { ownerOf, toExample } from './simple-effects.js'
import { violationsOf } from './values/judge-draft.js'

/**
 * Writes the key of one existing owner into the requests of a nested collection. Without one, its operations are checked
 * one by one, as those that are answered by example.
 */
export async function bindOwners(plan: CheckPlan, collection: ProviderCollection): Promise<void> {
  const nested = plan.subjects.filter(
    (subject) => nameOf(subject) === collection.model.name && ownerOf(subject.operation.effect),
  )
  const [first] = nested
  if (!first) return
  const name = ownerOf(first.operation.effect)?.collection
  const owner = plan.collections.find(({ model }) => model.name === name)
  const key = owner && (await existingKey(plan, owner, 'read'))
  for (const subject of nested) {
    const parameter = ownerOf(subject.operation.effect)?.parameter
    const bound =
      key !== undefined &&
      parameter !== undefined &&
      subject.draft &&
      withParameter(subject.draft, 'path', parameter, key)
    if (bound && violationsOf(plan.contract, bound).length === 0) subject.draft = bound
    else toUnbound(collection, subject)
  }
}

function nameOf({ operation: { effect } }: Subject): string | undefined {
  return 'collection' in effect ? effect.collection : undefined
}

/** Nothing is expected of an operation whose owner is not known. */
function toUnbound(collection: ProviderCollection, subject: Subject): void {
  const operation = { ...subject.operation, effect: toExample(subject.operation.effect) }
  const draft: Draft | undefined = subject.draft && { ...subject.draft, operation }
  for (const kind of ['list', 'create', 'read', 'replace', 'update', 'remove'] as const) {
    if (collection[kind] === subject) collection[kind] = undefined
  }
  Object.assign(subject, { operation, draft })
}
