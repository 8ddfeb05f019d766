/** Completes the request of an operation with the key of an existing record. */
import type { EffectKind } from '../../../contract/effects/effect.js'
import { parsePathTemplate } from '../../../contract/path-template.js'
import { parseResponse } from '../judges/judge-response.js'
import type { CheckPlan } from '../plan-check.js'
import { longestList, type ProviderCollection, recordsOf, withPathKey } from '../provider-collection.js'
import { isValid } from '../values/judge-draft.js'
import type { Subject } from './checked-operation.js'
import { type Draft, isSafe, toProviderRequest, withParameter } from './request-draft.js'
import { toExample } from './simple-effects.js'

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

/** For a path below a record, such as `/users/{userId}/posts`, the key of an existing record. */
async function withOwner(plan: CheckPlan, draft: Draft): Promise<Draft> {
  const { path } = draft.operation
  for (const collection of plan.collections) {
    const { read } = collection
    if (!read || !path.startsWith(`${parsePathTemplate(read.operation.path).path}/`)) continue
    const key = await existingKey(plan, collection, isSafe(draft) ? 'read' : 'update')
    const owned = withParameter(draft, 'path', read.operation.effect.parameter, key)
    if (key !== undefined && isValid(plan.contract, owned)) return owned
  }
  return draft
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
