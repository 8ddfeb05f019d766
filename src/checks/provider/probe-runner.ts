/** Runs probes: sends their requests, judges the responses, and simplifies the requests of each finding. */

import { shorten } from '../../contract/violations.js'
import { getOrInsert } from '../../json/own-value.js'
import { type Finding, idOf } from '../finding.js'
import { plural } from '../reports/report-texts.js'
import type { Rule } from '../rule.js'
import { type Client, describeSilence } from './client.js'
import { collectFindings, type Occurrence, type Step } from './collect-findings.js'
import type { Complaint } from './judges/deviation.js'
import { type Expected, requestKinds } from './judges/judge-expectation.js'
import {
  judgeResponse,
  type ParsedResponse,
  parseResponse,
  type RequestDetails,
  type ResponseJudges,
} from './judges/judge-response.js'
import { providerRuleSet } from './provider-rules.js'
import { type Caller, type Draft, toProviderRequest } from './requests/request-draft.js'
import { type Exchange, sendUnique, type UniqueExchange } from './requests/send-unique.js'
import type { UniqueValues, VariedDraft } from './requests/unique-values.js'
import { simplerDrafts } from './values/simpler-drafts.js'

/** One run of a probe. */
export interface ProbeSession {
  /**
   * Sends a request with unique values, as far as its schema allows.
   * @param details which part of the request is tested; becomes part of the finding's id
   * @returns undefined without a response, for a 5xx, and if the request was refused only because another record has
   * its values
   * @throws ProviderUnresponsive after several requests without a response
   */
  send(draft: Draft, expected: Expected, details?: SendDetails): Promise<SentResponse | undefined>
  /** Adds a finding about the responses so far. */
  report(draft: Draft, complaint: Complaint): void
}

export interface SendDetails extends Omit<RequestDetails, 'description'> {
  /** The special property of the request; it may depend on the sent values. */
  description?: string | ((sent: Draft) => string)
  /** The values are sent unchanged, except the key of a new record. @default false */
  isExact?: boolean
}

export interface SentResponse extends ParsedResponse {
  /** The sent request. */
  sent: VariedDraft
}

/** Sends requests and compares their responses. The runner judges each response by itself. */
type Run = (session: ProbeSession) => Promise<void>

/** Whether a simpler request tests the same case. */
type IsSameCase = (simpler: Draft) => boolean

/** All methods throw `ProviderUnresponsive` after several requests without a response. */
export interface ProbeRunner {
  run(run: Run): Promise<void>
  /**
   * Runs a probe of one request.
   * @param isSameCase simplifies the requests of each finding. @default they are not simplified
   */
  probe(
    draft: Draft,
    run: (session: ProbeSession, draft: Draft) => Promise<void>,
    isSameCase?: IsSameCase,
  ): Promise<void>
  /** Like `probe`, but only sends the request. */
  send(draft: Draft, expected: Expected, details?: SendDetails, isSameCase?: IsSameCase): Promise<void>
  /** Everything that was found, in order. */
  readonly findings: Finding[]
  /** Sentences without a full stop: how many probes could not be made, and why. */
  readonly notes: string[]
}

export interface ProbeRunnerOptions {
  client: Client
  caller: Caller
  judges: ResponseJudges
  unique: UniqueValues
  /** Name of the shell variable that replaces the key in curl lines. */
  keyVariable: string
  /** Called with each successful response, unless it shows a record that existed already. */
  onSuccess(draft: Draft, response: ParsedResponse): void
}

/** The provider does not answer: the current operation is skipped. If the error is final, the whole check ends. */
export class ProviderUnresponsive extends Error {
  /** The whole check ends. */
  readonly isFinal: boolean

  constructor(message: string, isFinal: boolean) {
    super(message)
    this.isFinal = isFinal
  }
}

/** Requests in a row without a response, after which the operation is skipped. */
const maxUnanswered = 3
/** Attempts to simplify one finding. */
const maxSimplifications = 40

/** Rules that compare several responses. Other callers may change records between them. */
const comparingRules: ReadonlySet<Rule> = new Set([
  providerRuleSet.limitNotKept,
  providerRuleSet.pageNotKept,
  providerRuleSet.defaultNotKept,
  providerRuleSet.filterNotKept,
  providerRuleSet.recordLeft,
])

/** Rules of findings about a refusal. Any other refusal of a valid request says that the probe could not be made. */
const refusalRules: ReadonlySet<Rule> = new Set([providerRuleSet.validRefused, providerRuleSet.undocumentedStatus])

/** The result of one run of a probe. */
interface Attempt {
  occurrences: Occurrence[]
  /** The first request with a refusal that is not a finding, so the probe could not be made. */
  refused: UniqueExchange | undefined
  /** The requests that replaced others. */
  replacing: UniqueExchange[]
}

/** Starts without findings. Also counts requests and probes that could not be made. */
export function createProbeRunner({
  client,
  caller,
  judges,
  unique,
  keyVariable,
  onSuccess,
}: ProbeRunnerOptions): ProbeRunner {
  const collector = collectFindings(caller, keyVariable)
  /** Number of refusals by reason. */
  const refusals = new Map<string, { count: number; example: string }>()
  /** By operation and expectation: whether a probe was made, and the first that was lost to values that a record has. */
  const made = new Set<string>()
  const lost = new Map<string, Occurrence>()
  const replaced = new Map<string, number>()
  const unsent = new Map<string, number>()
  let unanswered = 0
  let hasAnswered = false

  async function exchange(draft: Draft): Promise<Exchange> {
    const request = toProviderRequest(draft, caller)
    const response = await client.send(request)
    return { request, response: 'why' in response ? response : parseResponse(response) }
  }

  /** @param isExact only the key of a new record is changed */
  async function attempt(run: Run, isExact = false): Promise<Attempt> {
    const steps: Step[] = []
    const occurrences: Occurrence[] = []
    const replacing: UniqueExchange[] = []
    let refused: UniqueExchange | undefined
    const report = ({ operation: { id, method, path } }: Draft, complaint: Complaint) => {
      const problem = { ...complaint, operation: id, method, path }
      occurrences.push({ problem, steps: [...steps] })
    }
    const session: ProbeSession = {
      report,
      async send(given, expected, { description, ...details } = {}) {
        const options = { draft: given, expected, isExact: isExact || details.isExact === true }
        const exchanged = await sendUnique(unique, exchange, options)
        const { request, response, varied, isDuplicate } = exchanged
        const { draft } = varied
        if (exchanged.replacedStatus !== undefined) replacing.push(exchanged)
        if ('why' in response) {
          if (response.why === 'unsendable') return increase(unsent, `${draft.operation.id} ${response.message}`)
          if (response.why === 'interrupted') throw new ProviderUnresponsive('it was interrupted', true)
          steps.push({ request, response: undefined })
          report(draft, { rule: providerRuleSet.noAnswer, at: response.why, message: response.message })
          unanswered++
          const isFinal = !hasAnswered || unanswered > maxUnanswered
          if (unanswered % maxUnanswered === 0)
            throw new ProviderUnresponsive(describeSilence(maxUnanswered, response), isFinal)
          return undefined
        }
        unanswered = 0
        hasAnswered = true
        if (response.status < 300 && !isDuplicate) onSuccess(draft, response)
        steps.push({ request, response })
        const about = typeof description === 'function' ? description(draft) : description
        const judged = { ...details, expected: isDuplicate ? 'any' : expected, description: about } as const
        const complaints = judgeResponse(judges, draft.operation, judged, response)
        for (const complaint of complaints) report(draft, complaint)
        const isRefused = expected === 'success' && response.status >= 400 && response.status < 500
        const { id, method, path } = draft.operation
        const kind = `${id} ${expected}`
        if (isDuplicate || (isRefused && draft.body && (response.status === 409 || response.status === 422))) {
          const message = `every ${requestKinds[expected].replace(/^an? /, '')} was refused with ${response.status}, so none was compared`
          const problem = { rule: providerRuleSet.probesLost, operation: id, method, path, at: expected, message }
          getOrInsert(lost, kind, () => ({ problem, steps: [{ request, response }] }))
        } else made.add(kind)
        if (isDuplicate || (isRefused && !complaints.some(({ rule }) => refusalRules.has(rule)))) refused ??= exchanged
        return response.status >= 500 || isDuplicate ? undefined : { ...response, sent: varied }
      },
    }
    try {
      await run(session)
    } catch (error) {
      if (!(error instanceof ProviderUnresponsive)) throw error
      for (const each of occurrences) collector.add(each)
      throw error
    }
    return { occurrences, refused, replacing }
  }

  /** @returns the new findings. Those that compare responses must be found again: others may have changed records */
  async function find(run: Run): Promise<Occurrence[]> {
    const { occurrences, refused, replacing } = await attempt(run)
    if (refused) addRefusal(refused)
    for (const { varied, replacedStatus = 0 } of replacing) increase(replaced, describeAnswer(varied, replacedStatus))
    const isNewComparison = ({ problem }: Occurrence) =>
      comparingRules.has(problem.rule) && !collector.has(idOf(problem))
    if (!occurrences.some(isNewComparison)) return occurrences.filter(collector.add)
    const repeated = await attempt(run)
    const again = new Set(repeated.occurrences.map(({ problem }) => idOf(problem)))
    const confirmed = occurrences.filter((each) => !isNewComparison(each) || again.has(idOf(each.problem)))
    return confirmed.filter(collector.add)
  }

  function addRefusal({ request, response, varied }: UniqueExchange): void {
    if ('why' in response) return
    const reason = describeAnswer(varied, response.status)
    const example = shorten(request.body ?? new URL(request.url).pathname)
    getOrInsert(refusals, reason, () => ({ count: 0, example })).count++
  }

  /** Tries a probe with exactly its values, then with other values if a record already has them. */
  async function attemptSimpler(run: Run, id: string): Promise<Occurrence | undefined> {
    for (const isExact of [true, false]) {
      const { occurrences, refused } = await attempt(run, isExact)
      const again = occurrences.find(({ problem }) => idOf(problem) === id)
      if (again || !refused) return again
    }
    return undefined
  }

  const probe: ProbeRunner['probe'] = async (draft, run, isSameCase) => {
    const found = await find((session) => run(session, draft))
    for (const each of found) {
      if (isSameCase && each.problem.rule !== providerRuleSet.noAnswer) await simplify(each, isSameCase)
    }

    /** Tries simpler requests until none of them shows the same problem. */
    async function simplify(first: Occurrence, isSame: IsSameCase): Promise<void> {
      const id = idOf(first.problem)
      let simplest = draft
      let best = first
      let tries = 0
      for (let isSimpler = true; isSimpler; ) {
        isSimpler = false
        for (const simpler of simplerDrafts(simplest, isSame)) {
          if (++tries > maxSimplifications) break
          const again = await attemptSimpler((session) => run(session, simpler), id)
          if (!again) continue
          simplest = simpler
          best = again
          isSimpler = true
          break
        }
      }
      collector.replace(best)
    }
  }

  return {
    run: async (run) => void (await find(run)),
    probe,
    send: (draft, expected, details, isSameCase) =>
      probe(draft, async (session, each) => void (await session.send(each, expected, details)), isSameCase),
    get findings() {
      const all = collectFindings(caller, keyVariable)
      for (const [kind, occurrence] of lost) if (!made.has(kind)) all.add(occurrence)
      return [...collector.findings(), ...all.findings()]
    },
    get notes() {
      return [
        ...[...refusals].map(([reason, { count, example }]) =>
          count === 1
            ? `1 probe could not be made: ${reason} to ${example}`
            : `${count} probes could not be made: ${reason} to requests such as ${example}`,
        ),
        ...[...replaced].map(([reason, count]) => `${requestsWere(count)} sent again with other values, as ${reason}`),
        ...[...unsent].map(([reason, count]) => `${requestsWere(count)} not sent: ${reason}`),
      ]
    },
  }
}

function increase(counts: Map<string, number>, reason: string): undefined {
  counts.set(reason, (counts.get(reason) ?? 0) + 1)
}

function requestsWere(count: number): string {
  return `${plural(count, 'request')} ${count === 1 ? 'was' : 'were'}`
}

function describeAnswer({ draft: { operation } }: VariedDraft, status: number): string {
  const answer = status < 300 ? `${status} with another record` : status
  return `${operation.method} ${operation.path} answered ${answer}`
}
