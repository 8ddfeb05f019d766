/** `check`: compares a running service with its document. */
import { createHide } from '../../contract/hiding/hide-secrets.js'
import { SandboxError } from '../../contract/sandbox-error.js'
import { type Finding, hiddenKey } from '../finding.js'
import { cleanUp } from './clean-up.js'
import { type CheckOptions, type CheckPlan, planCheck } from './plan-check.js'
import { isSafe, toProviderRequest } from './requests/request-draft.js'
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

/**
 * Sends every request that only reads, until they differ in status.
 * @throws SandboxError `CANNOT_REACH` if the connection is refused or everything is 404, `INVALID_OPTION` if everything
 * is 401
 */
async function checkReachable({ subjects, caller, client, keyVariable }: CheckPlan): Promise<void> {
  const { baseUrl } = caller
  const drafts = subjects.flatMap(({ draft }) => (draft && isSafe(draft) ? [draft] : []))
  const requests = drafts.map((draft) => toProviderRequest(draft, caller))
  const statuses = new Set<number>()
  for (const request of requests.length > 0
    ? requests
    : [{ method: 'HEAD', url: baseUrl, headers: [], credentials: 'none' as const }]) {
    const response = await client.send(request)
    if ('why' in response && response.why === 'refused') {
      const message = `${baseUrl} ${response.message}; is the provider running, and is this its address?`
      throw new SandboxError('CANNOT_REACH', message)
    }
    if ('why' in response) return
    statuses.add(response.status)
  }
  const [status] = statuses
  if (requests.length === 0 || statuses.size !== 1) return
  if (status === 404 && drafts.some(({ operation }) => operation.parameters.every((each) => each.in !== 'path'))) {
    const message = `${baseUrl} answers 404 to every read request, such as ${requests[0]?.url.split('?')[0]}; is the base path right?`
    throw new SandboxError('CANNOT_REACH', message)
  }
  if (status !== 401) return
  const message = `${baseUrl} refuses the key: 401 to every read request; set a valid one with --api-key or ${keyVariable}`
  throw new SandboxError('INVALID_OPTION', message)
}
