/** `check`: compares a running service with its document. */
import { createHide } from '../../contract/hiding/hide-secrets.js'
import { SandboxError } from '../../contract/sandbox-error.js'
import { type Finding, hiddenKey } from '../finding.js'
import { type CheckOptions, type CheckPlan, planCheck } from './plan-check.js'
import { withKey } from './provider-collection.js'
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
async function cleanUp(plan: CheckPlan): Promise<void> {
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
