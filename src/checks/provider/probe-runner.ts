/** Runs probes: sends their requests, judges the responses, and simplifies the requests of each finding. */

import type { Operation } from '../../contract/contract.js'
import { shorten } from '../../contract/violations.js'
import { type Finding, idOf } from '../finding.js'
import type { Rule } from '../rule.js'
import { type Client, describeSilence } from './client.js'
import { collectFindings, type Occurrence, type Step } from './collect-findings.js'
import type { Complaint } from './judges/complaint.js'
import type { Expected } from './judges/judge-expectation.js'
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

/** One question about the provider. */
export interface Probe<Input> {
  input: Input
  /** Sends requests and compares their responses. Each response by itself is judged by the runner. */
  run(input: Input, session: ProbeSession): Promise<void>
  /** Simpler inputs for the same question, the simplest first. Absent if the input cannot be simplified. */
  simplify?(input: Input): Iterable<Input>
}

/** One run of a probe. */
export interface ProbeSession {
  /**
   * Sends a request whose values no other record has, as far as its schema leaves room.
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
  /** What is special about the request; it may depend on the values that are sent. */
  description?: string | ((sent: Draft) => string)
  /** The values are sent as they are, except the key of a new record. @default false */
  isExact?: boolean
}

export interface SentResponse extends ParsedResponse {
  /** The request as it was sent. */
  sent: VariedDraft
}

export interface ProbeRunner {
  /** @throws ProviderUnresponsive after several requests without a response */
  run<Input>(probe: Probe<Input>): Promise<void>
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

/** The provider does not answer: the current operation is skipped. If it never answers again, the whole check ends. */
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

/** What came out of one run of a probe. */
interface Attempt {
  occurrences: Occurrence[]
  /** The first request that was refused for a reason that is no finding, so that the probe could not be made. */
  refused: UniqueExchange | undefined
  /** The requests that were sent in place of others. */
  replacing: UniqueExchange[]
}

/**
 * Creates a runner without findings. It keeps no state besides them and the
 * numbers of unanswered requests and of probes that could not be made.
 */
export function createProbeRunner({
  client,
  caller,
  judges,
  unique,
  keyVariable,
  onSuccess,
}: ProbeRunnerOptions): ProbeRunner {
  const collector = collectFindings(caller, keyVariable)
  const refusals = countRefusedProbes()
  const unsent = countUnsentRequests()
  let unanswered = 0
  let hasAnswered = false

  async function exchange(draft: Draft): Promise<Exchange> {
    const request = toProviderRequest(draft, caller)
    const response = await client.send(request)
    return { request, response: 'why' in response ? response : parseResponse(response) }
  }

  /** @param isExact no value is changed but the key of a new record */
  async function attempt<Input>(probe: Probe<Input>, input: Input, isExact = false): Promise<Attempt> {
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
        if ('why' in response && response.why === 'unsendable') {
          unsent.add(draft.operation, response.message)
          return undefined
        }
        if ('why' in response && response.why === 'interrupted')
          throw new ProviderUnresponsive('it was interrupted', true)
        if ('why' in response) {
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
        const complaints = judgeResponse(
          judges,
          draft.operation,
          {
            ...details,
            expected: isDuplicate ? 'any' : expected,
            ...(description === undefined
              ? {}
              : { description: typeof description === 'string' ? description : description(draft) }),
          },
          response,
        )
        for (const complaint of complaints) report(draft, complaint)
        const isRefused = expected === 'success' && response.status >= 400 && response.status < 500
        if (isDuplicate || (isRefused && !complaints.some(({ rule }) => refusalRules.has(rule)))) refused ??= exchanged
        return response.status >= 500 || isDuplicate ? undefined : { ...response, sent: varied }
      },
    }
    try {
      await probe.run(input, session)
    } catch (error) {
      if (!(error instanceof ProviderUnresponsive)) throw error
      for (const each of occurrences) collector.add(each)
      throw error
    }
    return { occurrences, refused, replacing }
  }

  /** Repeats a probe that compares responses, and keeps only what it finds again: others may have changed records. */
  async function confirm<Input>(probe: Probe<Input>, occurrences: Occurrence[]): Promise<Occurrence[]> {
    const isNewComparison = ({ problem }: Occurrence) =>
      comparingRules.has(problem.rule) && !collector.has(idOf(problem))
    if (!occurrences.some(isNewComparison)) return occurrences
    const { occurrences: repeated } = await attempt(probe, probe.input)
    const again = new Set(repeated.map(({ problem }) => idOf(problem)))
    return occurrences.filter((each) => !isNewComparison(each) || again.has(idOf(each.problem)))
  }

  /** Tries an input with exactly its values, and with others if a record has these already. */
  async function attemptSimpler<Input>(probe: Probe<Input>, input: Input, id: string): Promise<Occurrence | undefined> {
    for (const isExact of [true, false]) {
      const { occurrences, refused } = await attempt(probe, input, isExact)
      const again = occurrences.find(({ problem }) => idOf(problem) === id)
      if (again || !refused) return again
    }
    return undefined
  }

  /** Tries simpler inputs until none of them shows the same problem. */
  async function simplify<Input>(probe: Probe<Input>, input: Input, first: Occurrence): Promise<void> {
    const id = idOf(first.problem)
    let simplest = input
    let best = first
    let tries = 0
    for (let isSimpler = true; isSimpler; ) {
      isSimpler = false
      for (const simpler of probe.simplify?.(simplest) ?? []) {
        if (++tries > maxSimplifications) break
        const again = await attemptSimpler(probe, simpler, id)
        if (!again) continue
        simplest = simpler
        best = again
        isSimpler = true
        break
      }
    }
    collector.replace(best)
  }

  return {
    async run(probe) {
      const { occurrences: found, refused, replacing } = await attempt(probe, probe.input)
      if (refused) refusals.add(refused)
      for (const each of replacing) refusals.addReplacement(each)
      const occurrences = await confirm(probe, found)
      for (const each of occurrences.filter(collector.add)) {
        if (each.problem.rule !== providerRuleSet.noAnswer && probe.simplify) await simplify(probe, probe.input, each)
      }
    },
    get findings() {
      return collector.findings()
    },
    get notes() {
      return [...refusals.sentences(), ...unsent.sentences()]
    },
  }
}

interface UnsentRequests {
  /** @param why continues a sentence about the operation, without a full stop */
  add(operation: Operation, why: string): void
  /** One sentence for each operation and reason, without a full stop. */
  sentences(): string[]
}

/** Starts with none. */
function countUnsentRequests(): UnsentRequests {
  const counts = new Map<string, number>()
  return {
    add({ id }, why) {
      const reason = `${id} ${why}`
      counts.set(reason, (counts.get(reason) ?? 0) + 1)
    },
    sentences: () =>
      [...counts].map(([reason, count]) =>
        count === 1 ? `1 request was not sent: ${reason}` : `${count} requests were not sent: ${reason}`,
      ),
  }
}

interface RefusedProbes {
  /** @param refused the request that the provider refused */
  add(refused: UniqueExchange): void
  /** @param exchange a request that was sent in place of another one */
  addReplacement(exchange: UniqueExchange): void
  /** One sentence for each operation and status, without a full stop. */
  sentences(): string[]
}

/** Starts with none. */
function countRefusedProbes(): RefusedProbes {
  const reasons = new Map<string, { count: number; example: string }>()
  const replaced = new Map<string, number>()
  return {
    add({ request, response, varied }) {
      if ('why' in response) return
      const { method, path } = varied.draft.operation
      const { status } = response
      const reason = `${method} ${path} answered ${describe(status)}`
      const { count = 0, example } = reasons.get(reason) ?? {}
      reasons.set(reason, {
        count: count + 1,
        example: example ?? shorten(request.body ?? new URL(request.url).pathname),
      })
    },
    addReplacement({ varied, replacedStatus = 0 }) {
      const { method, path } = varied.draft.operation
      const reason = `${method} ${path} answered ${describe(replacedStatus)}`
      replaced.set(reason, (replaced.get(reason) ?? 0) + 1)
    },
    sentences: () => [
      ...[...reasons].map(([reason, { count, example }]) =>
        count === 1
          ? `1 probe could not be made: ${reason} to ${example}`
          : `${count} probes could not be made: ${reason} to requests such as ${example}`,
      ),
      ...[...replaced].map(([reason, count]) =>
        count === 1
          ? `1 request was sent again with other values, as ${reason}`
          : `${count} requests were sent again with other values, as ${reason}`,
      ),
    ],
  }
}

function describe(status: number): string {
  return status < 300 ? `${status} with another record` : String(status)
}
