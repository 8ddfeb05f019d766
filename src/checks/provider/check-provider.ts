/** `check`: does a provider keep the contract? */

import type { OpenApiDocument } from '../../compile/document.js'
import type { Contract, EffectKind } from '../../contract/contract.js'
import { SandboxError } from '../../contract/sandbox-error.js'
import type { Finding } from '../finding.js'
import { createClient } from './client.js'
import { type Caller, type Draft, toProviderRequest, withBody, withParameter } from './draft.js'
import { createIntegerJudge } from './integer-judge.js'
import { parseResponse } from './judge-response.js'
import { createPrismJudge } from './prism-judge.js'
import { createProbeRunner, ProviderUnresponsive } from './probe-runner.js'
import { probeBodies } from './probes/probe-bodies.js'
import { probeChanges } from './probes/probe-changes.js'
import type { CreatedRecord, ProbeContext } from './probes/probe-context.js'
import { probeCredentials } from './probes/probe-credentials.js'
import { probeKeys } from './probes/probe-keys.js'
import { probeList } from './probes/probe-lists.js'
import { isOnlyFormat, isSafe, probeParameters } from './probes/probe-parameters.js'
import { probePersistence, probeRecords } from './probes/probe-records.js'
import {
  findCollections,
  keyedIn,
  longestList,
  type ProviderCollection,
  recordsOf,
  withKey,
} from './provider-collection.js'
import { createSubjects, type Subject } from './subject.js'
import { violationsOf } from './values/judge-draft.js'

export interface CheckOptions {
  contract: Contract
  document: OpenApiDocument
  /** Address of the service, with its base path, without a trailing slash. */
  baseUrl: string
  /** Name of the server of the document that the address stands for. */
  server: string
  /** A key that is valid there; empty where the document asks for none. */
  key: string
  /** Name of the shell variable that stands for the key in curl lines, as the key is never shown. */
  keyVariable: string
  /** Whether requests may change what the provider holds. */
  canWrite: boolean
  /** Requests per second at most; none for as fast as they are answered. */
  rate?: number | undefined
  /** For one request, in milliseconds. @default 10000 */
  timeoutMs?: number
  /** Of one answer. @default 4194304 (4 MiB) */
  maxBytes?: number
  /** Makes generated requests repeatable. @default 1 */
  seed?: number
  /** How many bodies are generated for each operation, beside those around its bounds. @default 10 */
  generated?: number
  onProgress?: (progress: { sent: number; operation: string }) => void
}

export interface CheckResult {
  findings: Finding[]
  /** What was not checked, and why. */
  notes: string[]
  /** Requests sent. */
  requests: number
}

/** @throws SandboxError `CANNOT_REACH` where nothing listens there, `INVALID_OPTION` where the key is refused */
export async function checkProvider(options: CheckOptions): Promise<CheckResult> {
  const { contract, document, baseUrl, server, key, canWrite, onProgress } = options
  const { rate, timeoutMs = 10_000, maxBytes = 4 * 1024 * 1024, seed = 1, generated: count = 10 } = options
  const caller: Caller = { baseUrl, contract, key }
  const subjects = createSubjects({ contract, document, seed, count }, server)
  const collections = findCollections(contract, subjects)
  const client = createClient({
    timeoutMs,
    maxBytes,
    rate,
    onSent: (sent) => onProgress?.({ sent, operation: current }),
  })
  const judges = { contract, prism: createPrismJudge(document), integers: createIntegerJudge(document) }
  const runner = createProbeRunner({ client, caller, judges, keyVariable: options.keyVariable })
  const notes = new Set<string>()
  const created = new Map<ProviderCollection, CreatedRecord[]>(collections.map((collection) => [collection, []]))
  const remember: ProbeContext['remember'] = (collection, record) => created.get(collection)?.push(record)
  const context: ProbeContext = { contract, runner, canWrite, remember }
  let current = ''
  let isOver = false

  try {
    await checkIsThere()
    for (const collection of collections) {
      if (collection.create && canWrite) {
        const { create } = collection
        await during(create, async () => {
          await probeRecords(context, collection, create)
          await probeChanges(context, collection)
        })
      }
    }
    for (const subject of subjects) await during(subject, () => probeSubject(subject))
    for (const [collection, records] of created) {
      await during(collection.read, () => probePersistence(context, collection, records))
    }
    await removeCreated()
  } finally {
    await client.close()
  }
  return { findings: runner.findings, notes: [...notes], requests: client.sent }

  async function during(subject: Subject | undefined, probe: () => Promise<unknown>): Promise<void> {
    if (!subject || isOver) return
    current = subject.operation.id
    try {
      await probe()
    } catch (error) {
      if (!(error instanceof ProviderUnresponsive)) throw error
      isOver = error.isFinal
      notes.add(`${isOver ? 'The check ended early at' : 'Not all was checked of'} ${current}: ${error.message}`)
    }
  }

  async function probeSubject(subject: Subject): Promise<void> {
    const { operation } = subject
    const { effect } = operation
    const collection = collections.find(({ model }) => 'collection' in effect && model.name === effect.collection)
    const draft = await completeDraft(subject, collection)
    if (!draft) {
      notes.add(`${operation.id} was not checked: no request that keeps the contract could be made for it`)
      return
    }
    if (!canWrite && !isSafe(draft)) {
      notes.add(`${operation.id} was not checked, as ${operation.method} may write; --write allows it`)
      return
    }
    if (subject.omitted > 0) {
      notes.add(`${operation.id} was sent ${subject.bodies.length} bodies; ${subject.omitted} more were left out`)
    }
    await probeCredentials(context, draft, findBroken(subject, draft))
    if (effect.kind === 'undescribed') {
      notes.add(`${operation.id} was checked without a valid key only: its success is not described`)
      return
    }
    if (effect.kind === 'example')
      await runner.run({ input: draft, run: async (each, session) => void (await session.send(each, 'success')) })
    await probeParameters(context, subject, draft)
    if (collection?.list?.operation === operation) await probeList(context, collection.list)
    const keyed = collection && keyedIn(collection, operation)
    if (collection && keyed) await probeKeys(context, collection, keyed)
    if (operation.body && canWrite) await probeBodies(context, subject, draft, collection)
  }

  /** The first that comes by; every one breaks the contract in its own way. */
  function findBroken({ operation, bodies, valuesOf }: Subject, draft: Draft): Draft | undefined {
    const byBody = bodies.map((body) => withBody(draft, body))
    const byParameter = operation.parameters
      .filter((parameter) => parameter.in !== 'path')
      .flatMap((parameter) =>
        valuesOf(parameter).map((value) => withParameter(draft, parameter.in, parameter.name, value)),
      )
    return [...byBody, ...byParameter].find((each) =>
      violationsOf(contract, each).some((violation) => !isOnlyFormat(violation)),
    )
  }

  /** With the key of a record that is there, where one is asked for. */
  async function completeDraft(
    subject: Subject,
    collection: ProviderCollection | undefined,
  ): Promise<Draft | undefined> {
    const { effect } = subject.operation
    if (subject.draft && effect.kind === 'example') return withOwner(subject.draft)
    if (!subject.draft || !collection || !('parameter' in effect)) return subject.draft
    const keyed = keyedIn(collection, subject.operation)
    const key = await existingKey(collection, effect.kind)
    return keyed && key !== undefined ? withKey(keyed, key) : subject.draft
  }

  /** What stands below a record, `/users/{userId}/posts`, is asked for with one that is there. */
  async function withOwner(draft: Draft): Promise<Draft> {
    const { path } = draft.operation
    for (const collection of collections) {
      const { read } = collection
      if (!read || !path.startsWith(`${read.operation.path}/`)) continue
      const key = await existingKey(collection, isSafe(draft) ? 'read' : 'update')
      const owned = withParameter(draft, 'path', read.operation.effect.parameter, key)
      if (key !== undefined && violationsOf(contract, owned).length === 0) return owned
    }
    return draft
  }

  /** Only records of this check are written to: the last ones, which were created to be changed. */
  async function existingKey(collection: ProviderCollection, kind: EffectKind): Promise<unknown> {
    const there = (created.get(collection) ?? []).filter(({ isRemoved }) => !isRemoved)
    const changeable = there.filter(({ record }) => !record)
    const chosen = kind === 'read' ? there[0] : (changeable.at(kind === 'remove' ? 0 : -1) ?? there.at(-1))
    // It is not to be expected as it was from now on.
    if (kind !== 'read') delete chosen?.record
    const own = chosen?.key
    if (own !== undefined || kind !== 'read' || !collection.list) return own
    const answer = await client.send(toProviderRequest(longestList(contract, collection.list), caller))
    if ('why' in answer || answer.status >= 300) return undefined
    return recordsOf(collection.list.operation.effect, parseResponse(answer))?.[0]?.[collection.model.key]
  }

  /** Nobody wants a hundred findings that only say that the address or the key is wrong. */
  async function checkIsThere(): Promise<void> {
    const safe = subjects.flatMap(({ draft }) => (draft && isSafe(draft) ? [draft] : []))
    const requests = safe.map((draft) => toProviderRequest(draft, caller))
    const statuses = new Set<number>()
    for (const request of requests.length > 0 ? requests : [{ method: 'HEAD', url: baseUrl, headers: [] }]) {
      const answer = await client.send(request)
      if ('why' in answer && answer.why === 'refused') {
        const message = `${baseUrl} ${answer.message}; is the provider running, and is this its address?`
        throw new SandboxError('CANNOT_REACH', message)
      }
      if ('why' in answer) return
      statuses.add(answer.status)
    }
    const [status] = statuses
    if (requests.length === 0 || statuses.size !== 1) return
    if (status === 404 && safe.some(({ operation }) => !operation.path.includes('{'))) {
      const message = `${baseUrl} answers 404 to every reading request, such as ${requests[0]?.url.split('?')[0]}; is the base path right?`
      throw new SandboxError('CANNOT_REACH', message)
    }
    if (status !== 401) return
    const message = `${baseUrl} refuses the key: 401 to every reading request; name one that is valid there by --api-key or ${options.keyVariable}`
    throw new SandboxError('INVALID_OPTION', message)
  }

  async function removeCreated(): Promise<void> {
    for (const [{ model, remove }, all] of created) {
      const records = all.filter(({ isRemoved }) => !isRemoved)
      if (records.length === 0) continue
      if (!remove)
        notes.add(
          `${records.length} records were created in ${model.name} and are left there: no operation removes them`,
        )
      else for (const { key: each } of records) await client.send(toProviderRequest(withKey(remove, each), caller))
    }
  }
}
