/** Runs probes: sends their requests, judges the responses, and simplifies the requests of each finding. */
import { type Finding, idOf, type Problem, toFinding } from '../finding.js'
import { createKeyHider } from '../hide-key.js'
import type { Rule } from '../rule.js'
import { toCurl } from '../to-curl.js'
import type { Client, NoResponse } from './client.js'
import type { Complaint } from './complaint.js'
import {
  type Expected,
  judgeResponse,
  type ParsedResponse,
  parseResponse,
  type RequestDetails,
  type ResponseJudges,
} from './judge-response.js'
import { providerRuleSet } from './provider-rules.js'
import { type Caller, type Draft, type ProviderRequest, toProviderRequest } from './request-draft.js'

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
   * @param details which part of the request is tested; becomes part of the finding's id
   * @returns undefined without a response, and for a 5xx
   * @throws ProviderUnresponsive after several requests without a response
   */
  send(draft: Draft, expected: Expected, details?: RequestDetails): Promise<ParsedResponse | undefined>
  /** Adds a finding about the responses so far. */
  report(draft: Draft, complaint: Complaint): void
}

export interface ProbeRunner {
  /** @throws ProviderUnresponsive after several requests without a response */
  run<Input>(probe: Probe<Input>): Promise<void>
  /** Everything that was found, in order. */
  readonly findings: Finding[]
}

export interface ProbeRunnerOptions {
  client: Client
  caller: Caller
  judges: ResponseJudges
  /** Name of the shell variable that replaces the key in curl lines. */
  keyVariable: string
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
/** Characters of a response body that a finding keeps. */
const maxBodyLength = 500

/** Rules that compare several responses. Other callers may change records between them. */
const comparingRules: ReadonlySet<Rule> = new Set([
  providerRuleSet.limitNotKept,
  providerRuleSet.defaultNotKept,
  providerRuleSet.filterNotKept,
  providerRuleSet.recordLeft,
])

interface Step {
  request: ProviderRequest
  response: ParsedResponse | undefined
}

/** A problem with the requests that show it. */
interface Occurrence {
  problem: Problem
  steps: Step[]
}

/** Creates a runner without findings. It keeps no state besides them and the number of unanswered requests. */
export function createProbeRunner({ client, caller, judges, keyVariable }: ProbeRunnerOptions): ProbeRunner {
  const findings = new Map<string, Finding>()
  const { hide } = createKeyHider(caller.key)
  let unanswered = 0
  let hasAnswered = false

  async function attempt<Input>(probe: Probe<Input>, input: Input): Promise<Occurrence[]> {
    const steps: Step[] = []
    const occurrences: Occurrence[] = []
    const report = ({ operation: { id, method, path } }: Draft, complaint: Complaint) => {
      const problem = { ...complaint, operation: id, method, path }
      occurrences.push({ problem, steps: [...steps] })
    }
    const session: ProbeSession = {
      report,
      async send(draft, expected, details = {}) {
        const request = toProviderRequest(draft, caller)
        const response = await client.send(request)
        if ('why' in response) {
          steps.push({ request, response: undefined })
          report(draft, { rule: providerRuleSet.noAnswer, at: response.why, message: response.message })
          unanswered++
          const isFinal = !hasAnswered || unanswered > maxUnanswered
          if (unanswered % maxUnanswered === 0) throw new ProviderUnresponsive(describeSilence(response), isFinal)
          return undefined
        }
        unanswered = 0
        hasAnswered = true
        const parsed = parseResponse(response)
        steps.push({ request, response: parsed })
        const complaints = judgeResponse(judges, draft.operation, { expected, ...details }, parsed)
        for (const complaint of complaints) report(draft, complaint)
        return parsed.status >= 500 ? undefined : parsed
      },
    }
    try {
      await probe.run(input, session)
    } catch (error) {
      if (!(error instanceof ProviderUnresponsive)) throw error
      for (const each of occurrences) record(each)
      throw error
    }
    return occurrences
  }

  /** Repeats a probe that compares responses, and keeps only what it finds again: others may have changed records. */
  async function confirm<Input>(probe: Probe<Input>, occurrences: Occurrence[]): Promise<Occurrence[]> {
    const isNewComparison = ({ problem }: Occurrence) =>
      comparingRules.has(problem.rule) && !findings.has(idOf(problem))
    if (!occurrences.some(isNewComparison)) return occurrences
    const again = new Set((await attempt(probe, probe.input)).map(({ problem }) => idOf(problem)))
    return occurrences.filter((each) => !isNewComparison(each) || again.has(idOf(each.problem)))
  }

  /** Adds a finding, or counts it. @returns whether it is new */
  function record({ problem, steps }: Occurrence): boolean {
    const id = idOf(problem)
    const known = findings.get(id)
    if (known) {
      known.count++
      return false
    }
    const last = steps.at(-1)?.response
    const response = last && { status: last.status, body: beginningOf(last.text) }
    const curls = steps.map(({ request }) => curlOf(request))
    findings.set(id, toFinding({ ...problem, message: hide(problem.message) }, curls, response))
    return true
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
        const again = (await attempt(probe, simpler)).find(({ problem }) => idOf(problem) === id)
        if (!again) continue
        simplest = simpler
        best = again
        isSimpler = true
        break
      }
    }
    const finding = findings.get(id)
    findings.delete(id)
    record(best)
    const replaced = findings.get(id)
    if (replaced && finding) replaced.count = finding.count
  }

  function curlOf({ method, url, headers, body }: ProviderRequest): string {
    const { baseUrl: origin } = caller
    const key = caller.key === '' ? undefined : { value: caller.key, variable: keyVariable, hide }
    return toCurl({ method, origin, target: url.slice(origin.length), headers: headers.flat(), body, key })
  }

  /** A copy, as a substring would keep the whole body in memory. */
  function beginningOf(text: string): string {
    const whole = hide(text.length > maxBodyLength ? `${text.slice(0, maxBodyLength)}…` : text)
    return Buffer.from(whole).toString()
  }

  return {
    async run(probe) {
      const occurrences = await confirm(probe, await attempt(probe, probe.input))
      for (const each of occurrences.filter(record)) {
        if (each.problem.rule !== providerRuleSet.noAnswer && probe.simplify) await simplify(probe, probe.input, each)
      }
    },
    get findings() {
      return [...findings.values()]
    },
  }
}

function describeSilence({ message }: NoResponse): string {
  return `the provider gave no answer ${maxUnanswered} times in a row; the last time it ${message}`
}
