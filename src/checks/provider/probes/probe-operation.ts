/** Runs all probes of one operation. */

import type { CheckPlan } from '../plan-check.js'
import { keyedIn } from '../provider-collection.js'
import type { Subject } from '../requests/checked-operation.js'
import { completeDraft } from '../requests/complete-draft.js'
import { type Draft, isSafe, withBody, withParameter } from '../requests/request-draft.js'
import { isAcceptable, violationsOf } from '../values/judge-draft.js'
import { probeCredentials } from './probe-credentials.js'
import { probeBodies } from './probe-invalid-bodies.js'
import { probeList } from './probe-lists.js'
import { probeParameters } from './probe-parameters.js'
import { probeKeys } from './probe-record-keys.js'

/** Adds a note for each part that cannot or must not be checked. */
export async function probeOperation(plan: CheckPlan, subject: Subject): Promise<void> {
  const { collections, canWrite, runner, notes } = plan
  const { operation, bodies, omitted, untested } = subject
  const { id, effect } = operation
  const collection = collections.find(({ model }) => 'collection' in effect && model.name === effect.collection)
  if (untested.length > 0)
    notes.add(`${id} has bounds that are too large to be tested: ${untested.slice(0, 5).join(', ')}`)
  const draft = await completeDraft(plan, subject, collection)
  if (!draft) {
    notes.add(`${id} was not checked: no valid request could be generated for it`)
    return
  }
  if (!canWrite && !isSafe(draft)) {
    notes.add(`${id} was not checked, as ${operation.method} may write; --write allows it`)
    return
  }
  if (omitted > 0) notes.add(`${id} was sent ${bodies.length} bodies; ${omitted} more were left out`)
  await probeCredentials(plan, draft, findInvalid(plan, subject, draft))
  if (effect.kind === 'undescribed') {
    notes.add(`${id} was checked only without a valid key: no success response is documented`)
    return
  }
  if (effect.kind === 'example') await runner.send(draft, 'success')
  await probeParameters(plan, subject, draft)
  if (collection?.list?.operation === operation) await probeList(plan, collection.list)
  const keyed = collection && keyedIn(collection, operation)
  if (collection && keyed) await probeKeys(plan, collection, keyed)
  // `probeRecords` has sent those of a creation.
  if (operation.body && canWrite && collection?.create !== subject) await probeBodies(plan, subject, draft, collection)
}

/** The first invalid request among the values to vary; undefined if all of them are valid. */
function findInvalid(
  { contract }: CheckPlan,
  { operation, bodies, valuesOf }: Subject,
  draft: Draft,
): Draft | undefined {
  const byBody = bodies.map((body) => withBody(draft, body))
  const byParameter = operation.parameters.flatMap((parameter) => {
    const { in: place, name } = parameter
    return place === 'path' ? [] : valuesOf(parameter).map((value) => withParameter(draft, place, name, value))
  })
  return [...byBody, ...byParameter].find((each) => !isAcceptable(violationsOf(contract, each)))
}
