/** `check`: compares a running service with its document. */
import { createHide } from '../../contract/hiding/hide-secrets.js'
import { SandboxError } from '../../contract/sandbox-error.js'
import { type Finding, hiddenKey } from '../finding.js'
import { type CheckOptions, type CheckPlan, ownersOf, planCheck } from './plan-check.js'
import { ProviderUnresponsive } from './probe-runner.js'
import { probeAccounts } from './probes/probe-accounts.js'
import { probeChanges } from './probes/probe-changes.js'
import { probeCredentials } from './probes/probe-credentials.js'
import { probeDependents } from './probes/probe-dependents.js'
import { probeGivenKeys } from './probes/probe-given-keys.js'
import { probeHttp } from './probes/probe-http.js'
import { probeBodies } from './probes/probe-invalid-bodies.js'
import { probeList } from './probes/probe-lists.js'
import { probeOwners, probeReferences } from './probes/probe-owners.js'
import { probeKeys, probeParameters } from './probes/probe-parameters.js'
import { probePersistence, probeRecords } from './probes/probe-records.js'
import {
  answeredRecord,
  isSameValue,
  isTime,
  keyedIn,
  type ProviderCollection,
  withKey,
} from './provider-collection.js'
import { providerRuleSet } from './provider-rules.js'
import type { Subject } from './requests/checked-operation.js'
import { bindOwners, completeDraft, recordInPath } from './requests/complete-draft.js'
import {
  type Draft,
  isAcceptable,
  isSafe,
  toProviderRequest,
  violationsOf,
  withBody,
  withParameter,
} from './requests/request-draft.js'
import { refersTo, withOtherKeys } from './requests/settle-creation.js'

import { followLinks } from './workflows/follow-links.js'
import { runWorkflows } from './workflows/run-workflows.js'

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
  const hide = createHide([options.key, options.otherKey ?? ''], hiddenKey)
  // Notes quote values that the provider has returned.
  const allNotes = () => [...runner.notes, ...unique.notes, ...judges.bodies.notes, ...notes].map(hide)
  try {
    await checkReachable(plan)
    await runProbes(plan)
    if (options.workflows) await runWorkflows(plan, options.workflows)
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
  // Records before their owners.
  for (const collection of ownersFirst(collections).reverse()) {
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

interface Step {
  /** The checked operation, for progress and notes. */
  subject: Subject
  run(): Promise<void>
}

/** Ends early with a note if the provider stops answering. Throws any other failure. */
async function runProbes(plan: CheckPlan): Promise<void> {
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

/** Sorts owners, and records that others refer to, before these. */
function ownersFirst(collections: readonly ProviderCollection[]): ProviderCollection[] {
  const sorted = new Set<ProviderCollection>()
  const open = new Set<ProviderCollection>()
  for (const each of collections) add(each)
  return [...sorted]

  function add(collection: ProviderCollection): void {
    if (open.has(collection)) return
    open.add(collection)
    const { model, list, create, read } = collection
    const owners = [list, create, read].flatMap((subject) => (subject ? ownersOf(subject.operation.effect) : []))
    const names = new Set([...owners, ...(model.links ?? [])].map((each) => each.collection))
    for (const each of collections) if (names.has(each.model.name) || refersTo(collection, each)) add(each)
    sorted.add(collection)
  }
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
        if (!plan.canWrite) return
        if (create) await probeRecords(plan, collection, create)
        await probeChanges(plan, collection)
        await probeGivenKeys(plan, collection)
        await probeOwners(plan, collection)
        await probeReferences(plan, collection)
        await probeDependents(plan, collection)
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
  const completed = await completeDraft(plan, subject, collection)
  const draft = completed && effect.kind === 'example' ? await withOtherKeys(plan, completed, 'existing') : completed
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
  await probeAccounts(plan, draft, collection)
  if (effect.kind === 'undescribed') {
    notes.add(`${id} was checked only without a valid key: no success response is documented`)
    return
  }
  if (effect.kind === 'example' && !isSafe(draft)) await probeUnknownKeys(plan, draft)
  if (effect.kind === 'example') await runner.send(draft, 'success')
  if (effect.kind === 'example' && !isSafe(draft)) await probeAgain(plan, draft)
  if (operation.method === 'GET') await probeHttp(plan, draft)
  if (canWrite || isSafe(draft)) await followLinks(plan, draft)
  await probeParameters(plan, subject, draft)
  if (collection?.list?.operation === operation) await probeList(plan, collection.list)
  const keyed = collection && keyedIn(collection, operation)
  if (collection && keyed) await probeKeys(plan, collection, keyed)
  // `probeRecords` has sent those of a creation.
  if (operation.body && canWrite && collection?.create !== subject) await probeBodies(plan, subject, draft, collection)
}

/** Does something with a record that does not exist. */
async function probeUnknownKeys(plan: CheckPlan, draft: Draft): Promise<void> {
  const unknown = await withOtherKeys(plan, draft, 'unknown')
  if (unknown === draft) return
  // Few documents say that it is refused, but it is no failure of the service.
  await plan.runner.send(unknown, 'any', {
    at: 'unknown key',
    description: 'with the key of a record that does not exist',
  })
}

/** Greater numbers may be times: seconds since 1970, in 2001. */
const leastTime = 1e9

/** Does something that was just done: whatever the answer is, a refusal changes nothing. */
async function probeAgain(plan: CheckPlan, draft: Draft): Promise<void> {
  const { collection, key, isOwn } = recordInPath(plan, draft) ?? {}
  // Others may change their records, and some are made up for each answer.
  const reading = isOwn && collection?.read ? withKey(collection.read, key) : undefined
  await plan.runner.run(async (session) => {
    const fetchIt = async () => reading && answeredRecord(await session.send(reading, 'any', { at: 'read' }))
    const before = await fetchIt()
    const response = await session.send(draft, 'any', { at: 'again', description: 'sent a second time' })
    const after = response && response.status >= 400 ? await fetchIt() : undefined
    // A service may write when a record was seen.
    const isTimeOfRead = (value: unknown) => (typeof value === 'string' ? isTime(value) : Number(value) >= leastTime)
    const isChanged = (name: string) => !isSameValue(before?.[name], after?.[name]) && !isTimeOfRead(after?.[name])
    if (!before || !after || !Object.keys(before).some(isChanged)) return
    const message = `answered ${response?.status} to a second request, and changed the record`
    session.report(draft, { rule: providerRuleSet.refusedButChanged, at: 'again', message })
  })
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
