/** Runs all probes of a check, one after another. */

import type { CheckPlan } from './plan-check.js'
import { ProviderUnresponsive } from './probe-runner.js'
import { probeChanges } from './probes/probe-changes.js'
import { probeGivenKeys } from './probes/probe-given-keys.js'
import { probeOperation } from './probes/probe-operation.js'
import { probePersistence, probeRecords } from './probes/probe-records.js'
import type { ProviderCollection } from './provider-collection.js'
import { bindOwners } from './requests/bind-owners.js'
import type { Subject } from './requests/checked-operation.js'
import { ownersOf } from './requests/simple-effects.js'

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
