/** Checks that the records of one account do not exist for another one, if the key of that is given. */

import type { CheckPlan } from '../plan-check.js'
import type { ProbeSession, SentResponse } from '../probe-runner.js'
import { isSameValue, longestList, type ProviderCollection, recordsOf, withKey } from '../provider-collection.js'
import { providerRuleSet } from '../provider-rules.js'
import { recordInPath } from '../requests/complete-draft.js'
import { type Draft, isSafe } from '../requests/request-draft.js'
import { severityOf } from '../rules/expectation-rules.js'

/**
 * Requests a record with the key of the other account. Records may be public, so a success is a finding only if another
 * answer shows that this one is not: the other account does not list it, or may not read it.
 */
export async function probeAccounts(
  plan: CheckPlan,
  draft: Draft,
  collection: ProviderCollection | undefined,
): Promise<void> {
  const { runner, created } = plan
  const { operation } = draft
  if (!plan.caller.otherKey || operation.security.length === 0) return
  const isList = collection?.list?.operation === operation
  const [own] = isList ? created.remaining(collection) : []
  const found = isList ? own && { collection, key: own.key, isOwn: true } : recordInPath(plan, draft)
  const { read } = found?.collection ?? {}
  if (!found || !read || (!found.isOwn && !isSafe(draft))) return
  const { key } = found
  await runner.run(async (session) => {
    const isRead = operation === read.operation
    const isHidden = isRead
      ? (await listedFor(plan, session, found.collection))?.every((each) => !isSameValue(each, key))
      : isRefused(await sendAsOther(session, withKey(read, key)))
    const response = isHidden ? await sendAsOther(session, draft) : undefined
    const listed = response && isList ? keysIn(found.collection, response) : [key]
    if (!response || response.status >= 300 || !listed?.some((each) => isSameValue(each, key))) return
    const removed = operation.effect.kind === 'remove' && created.remaining(found.collection)
    if (removed) for (const each of removed) if (each.key === key) each.isRemoved = true
    const message = `answered ${response.status} to another account for the record ${key}, which that does not ${isRead ? 'list' : 'read'}`
    const rule = providerRuleSet.unknownFound
    session.report(draft, { rule, at: 'another account', message, severity: severityOf(rule, operation) })
  })
}

/** The key of a record that only the other account can read. */
export async function foreignKey(plan: CheckPlan, name: string | undefined): Promise<unknown> {
  const collection = plan.collections.find(({ model }) => model.name === name)
  const { read } = collection ?? {}
  let found: unknown
  if (!plan.caller.otherKey || !collection || !read) return undefined
  await plan.runner.run(async (session) => {
    for (const key of (await listedFor(plan, session, collection))?.slice(0, 3) ?? [])
      if (found === undefined && isRefused(await session.send(withKey(read, key), 'any', { at: 'read' }))) found = key
  })
  return found
}

function sendAsOther(session: ProbeSession, draft: Draft): Promise<SentResponse | undefined> {
  return session.send({ ...draft, credentials: 'other-account' }, 'any', { at: 'another account' })
}

function isRefused(response: SentResponse | undefined): boolean {
  return response?.status === 403 || response?.status === 404
}

/** The keys that the other account lists; none if its list is refused. Undefined without a list. */
async function listedFor(
  { contract }: CheckPlan,
  session: ProbeSession,
  collection: ProviderCollection,
): Promise<unknown[] | undefined> {
  const { list } = collection
  const response = list && (await sendAsOther(session, longestList(contract, list)))
  return isRefused(response) ? [] : response && keysIn(collection, response)
}

function keysIn({ list, model }: ProviderCollection, response: SentResponse): unknown[] | undefined {
  return list && recordsOf(list.operation.effect, response)?.map((record) => record[model.key])
}
