/** `check`: compares a running service with its document. */
import { createHide } from '../../contract/hiding/hide-secrets.js'
import { type Finding, hiddenKey } from '../finding.js'
import { checkReachable } from './check-reachable.js'
import { cleanUp } from './clean-up.js'
import { type CheckOptions, planCheck } from './plan-check.js'
import { runProbes } from './run-probes.js'

export type { CheckOptions } from './plan-check.js'

export interface CheckResult {
  findings: Finding[]
  /** Sentences without a full stop: what was not checked or not removed, and why. */
  notes: string[]
  /** Number of requests sent. */
  requests: number
}

/**
 * Sends requests to the service and judges its responses. The records that it creates are removed at the end, also after
 * an unexpected failure.
 * @throws SandboxError `CANNOT_REACH` if nothing listens at the address, `INVALID_OPTION` if the key is refused
 */
export async function checkProvider(options: CheckOptions): Promise<CheckResult> {
  const plan = planCheck(options)
  const { client, runner, unique, judges, notes } = plan
  let isComplete = false
  const hide = createHide([options.key], hiddenKey)
  // Notes quote values that the provider has returned.
  const allNotes = () => [...runner.notes, ...unique.notes, ...judges.bodies.notes, ...notes].map(hide)
  try {
    await checkReachable(plan)
    await runProbes(plan)
    isComplete = true
  } finally {
    await cleanUp(plan)
    await client.close()
    if (!isComplete) options.onFailure?.(allNotes())
  }
  return { findings: runner.findings, notes: allNotes(), requests: client.sent }
}
