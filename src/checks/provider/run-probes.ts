/** Runs all probes of a check, one after another. */
import type { CheckPlan } from './plan-check.js'
import { ProviderUnresponsive } from './probe-runner.js'
import { probeChanges } from './probes/probe-changes.js'
import { probeCredentials } from './probes/probe-credentials.js'
import { probeGivenKeys } from './probes/probe-given-keys.js'
import { probeBodies } from './probes/probe-invalid-bodies.js'
import { probeList } from './probes/probe-lists.js'
import { probeKeys, probeParameters } from './probes/probe-parameters.js'
import { probePersistence, probeRecords } from './probes/probe-records.js'
import { keyedIn, type ProviderCollection } from './provider-collection.js'
import type { Subject } from './requests/checked-operation.js'
import { bindOwners, completeDraft } from './requests/complete-draft.js'
import { type Draft, isSafe, withBody, withParameter } from './requests/request-draft.js'
import { ownersOf } from './requests/simple-effects.js'
import { isAcceptable, violationsOf } from './values/judge-draft.js'

interface Step {
  /** The checked operation, for progress and notes. */
  subject: Subject
  run(): Promise<void>
}

/** Ends early with a note if the provider stops answering. Throws any other failure. */
export async function runProbes(plan: CheckPlan): Promise<void> {
  for (const { subject, run } of stepsOf(plan)) {
    const { id } = subject.operation
    plan.startOperation(id)
    try {
      await run()
    } catch (error) {
      if (!(error instanceof ProviderUnresponsive)) throw error
      const { isFinal, message } = error
      plan.notes.add(
        isFinal ? `The check ended early at ${id}: ${message}` : `${id} was not checked completely: ${message}`,
      )
      if (isFinal) return
    }
  }
}

/** Sorts owners before their records. */
function ownersFirst(collections: readonly ProviderCollection[]): ProviderCollection[] {
  const depthOf = ({ list, create, read }: ProviderCollection) =>
    Math.max(...[list, create, read].map((subject) => (subject ? ownersOf(subject.operation.effect).length : 0)))
  return [...collections].sort((one, other) => depthOf(one) - depthOf(other))
}

/** First it creates and changes records, then it checks each operation, and at the end whether the records still exist. */
function* stepsOf(plan: CheckPlan): Iterable<Step> {
  for (const collection of ownersFirst(plan.collections)) {
    const { create, list, read, replace, update, remove } = collection
    const subject = create ?? list ?? read ?? replace ?? update ?? remove
    if (!subject) continue
    yield {
      subject,
      async run() {
        await bindOwners(plan, collection)
        const { create } = collection
        if (!create || !plan.canWrite) return
        await probeRecords(plan, collection, create)
        await probeChanges(plan, collection)
        await probeGivenKeys(plan, collection)
      },
    }
  }
  // Removals come last, because removed records cannot be used afterwards.
  const removes = ({ operation }: Subject) => Number(operation.method === 'DELETE')
  const subjects = [...plan.subjects].sort((one, other) => removes(one) - removes(other))
  for (const subject of subjects) yield { subject, run: () => probeOperation(plan, subject) }
  for (const collection of plan.collections) {
    const { read } = collection
    if (read) yield { subject: read, run: () => probePersistence(plan, collection) }
  }
}

/** Adds a note for each part that cannot or must not be checked. */
async function probeOperation(plan: CheckPlan, subject: Subject): Promise<void> {
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
