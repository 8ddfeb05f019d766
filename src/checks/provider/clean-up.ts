/** Removes the records that a check has created, and notes the ones that remain. */

import type { CheckPlan } from './plan-check.js'
import { withKey } from './provider-collection.js'
import { toProviderRequest } from './requests/request-draft.js'

/** Why a record was not removed. */
interface Failure {
  why: string
  /** No further removal is tried. */
  isFinal: boolean
}

/**
 * Takes at most as long as one request may, in addition to the pauses between requests that the rate prescribes. Ends at
 * the first removal without a response. Never throws, so that it can't hide the failure that ended the check.
 */
export async function cleanUp(plan: CheckPlan): Promise<void> {
  const { collections, created, rate, timeoutMs, notes } = plan
  const count = collections.reduce((sum, collection) => sum + created.keys(collection).length, 0)
  const pausesMs = rate === undefined ? 0 : (count * 1000) / rate
  const deadline = performance.now() + timeoutMs + pausesMs
  let final: Failure | undefined
  for (const collection of collections) {
    const counts = new Map<string, number>()
    for (const key of created.keys(collection)) {
      const failure = (collection.remove && final) ?? (await removeRecord(plan, collection, key, deadline))
      if (failure) counts.set(failure.why, (counts.get(failure.why) ?? 0) + 1)
      if (failure?.isFinal) final = failure
    }
    for (const [why, number] of counts) {
      const records =
        number === 1 ? '1 record that this check created is' : `${number} records that this check created are`
      notes.add(`${records} still in ${collection.model.name}: ${why}`)
    }
  }
}

const timeIsUp = 'the time limit of the clean-up was reached'

async function removeRecord(
  { caller, client, startOperation }: CheckPlan,
  { remove }: CheckPlan['collections'][number],
  key: unknown,
  /** By `performance.now()`. */
  deadline: number,
): Promise<Failure | undefined> {
  if (!remove) return { why: 'no operation removes them', isFinal: false }
  if (performance.now() >= deadline) return { why: timeIsUp, isFinal: true }
  const { id, method, path } = remove.operation
  try {
    startOperation(id)
    const response = await client.send(toProviderRequest(withKey(remove, key), caller), deadline)
    if ('why' in response) {
      return { why: performance.now() >= deadline ? timeIsUp : `the provider ${response.message}`, isFinal: true }
    }
    // A record that no longer exists needs no removal.
    const isRemoved = response.status < 300 || response.status === 404 || response.status === 410
    return isRemoved ? undefined : { why: `${method} ${path} answered ${response.status}`, isFinal: false }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { why: `${method} ${path} could not be sent (${reason})`, isFinal: false }
  }
}
