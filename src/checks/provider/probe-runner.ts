/** Runs probes: sends their requests, judges the responses, and simplifies the requests of each finding. */
import { shorten } from '../../contract/violations.js'
import { getOrInsert } from '../../json/own-value.js'
import { type Finding, type Findings, type FoundByRule, idOf, type Rule } from '../finding.js'
import { plural } from '../reports/report-texts.js'
import { type Client, describeSilence, type NoResponse } from './client.js'
import { judgeResponse, type ResponseJudges } from './judges/judge-response.js'
import { providerRuleSet } from './provider-rules.js'
import { addOccurrence, type Occurrence, type Sender, type Step, simplerDrafts } from './reproduce.js'
import { type Draft, type ProviderRequest, toProviderRequest } from './requests/request-draft.js'
import { type Exchange, sendUnique, type UniqueExchange } from './requests/send-unique.js'
import type { UniqueValues, VariedDraft } from './requests/unique-values.js'
import { type Expected, type ParsedResponse, parseResponse, type RequestDetails, requestKinds } from './rules/answer.js'

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
  /** Sends a request that is none of the document, so its response is not judged. @returns undefined without a response */
  sendOther(request: ProviderRequest): Promise<ParsedResponse | undefined>
  /** Adds a finding about the responses so far. */
  report(draft: Draft, complaint: FoundByRule): void
}

export interface SendDetails extends Omit<RequestDetails, 'description'> {
  /** The special property of the request; it may depend on the sent values. */
  description?: string | ((sent: Draft) => string)
  /** The values are sent unchanged, except the key of a new record. @default false */
  isExact?: boolean
  /** Whether the request only finds out what the service accepts: a refusal is no finding, and no lost probe. @default false */
  isTrial?: boolean
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

export interface ProbeRunnerOptions extends Sender {
  client: Client
  judges: ResponseJudges
  unique: UniqueValues
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

/** One run of a probe. */
interface Attempt {
  /** Only the key of a new record is changed. */
  isExact: boolean
  steps: Step[]
  occurrences: Occurrence[]
  /** The first request with a refusal that is not a finding, so the probe could not be made. */
  refused: UniqueExchange | undefined
  /** The requests that replaced others. */
  replacing: UniqueExchange[]
}

/** A runner with its results. */
interface Runner extends ProbeRunnerOptions {
  found: Findings
  /** Number of refusals by reason. */
  refusals: Map<string, { count: number; example: string }>
  /** By operation and expectation: whether a probe was made, and the first that was lost to values that a record has. */
  made: Set<string>
  lost: Map<string, Occurrence>
  replaced: Map<string, number>
  unsent: Map<string, number>
  unanswered: number
  hasAnswered: boolean
}

/** Starts without findings. Also counts requests and probes that could not be made. */
export function createProbeRunner(options: ProbeRunnerOptions): ProbeRunner {
  const runner: Runner = {
    ...options,
    found: new Map(),
    refusals: new Map(),
    made: new Set(),
    lost: new Map(),
    replaced: new Map(),
    unsent: new Map(),
    unanswered: 0,
    hasAnswered: false,
  }
  const probe: ProbeRunner['probe'] = async (draft, run, isSameCase) => {
    for (const each of await find(runner, (session) => run(session, draft))) {
      if (isSameCase && each.problem.rule !== providerRuleSet.noAnswer) {
        await simplify(runner, draft, run, each, isSameCase)
      }
    }
  }
  return {
    run: async (run) => void (await find(runner, run)),
    probe,
    send: (draft, expected, details, isSameCase) =>
      probe(draft, async (session, each) => void (await session.send(each, expected, details)), isSameCase),
    get findings() {
      return findingsOf(runner)
    },
    get notes() {
      return notesOf(runner)
    },
  }
}

async function attempt(runner: Runner, run: Run, isExact = false): Promise<Attempt> {
  const made: Attempt = { isExact, steps: [], occurrences: [], refused: undefined, replacing: [] }
  try {
    await run({
      report: (draft, found) => report(made, draft, found),
      send: (draft, expected, details = {}) => send(runner, made, draft, expected, details),
      async sendOther(request) {
        const { response } = await exchange(runner, request)
        if ('why' in response) return undefined
        made.steps.push({ request, response })
        return response
      },
    })
  } catch (error) {
    if (error instanceof ProviderUnresponsive)
      for (const each of made.occurrences) addOccurrence(runner.found, runner, each)
    throw error
  }
  return made
}

function report({ occurrences, steps }: Attempt, { operation: { id, method, path } }: Draft, found: FoundByRule): void {
  occurrences.push({ problem: { ...found, operation: id, method, path }, steps: [...steps] })
}

async function send(
  runner: Runner,
  made: Attempt,
  given: Draft,
  expected: Expected,
  { description, isTrial = false, ...details }: SendDetails,
): Promise<SentResponse | undefined> {
  const isExact = made.isExact || details.isExact === true
  const toExchange = (draft: Draft) => exchange(runner, toProviderRequest(draft, runner.caller))
  const exchanged = await sendUnique(runner.unique, toExchange, { draft: given, expected, isExact })
  const { request, response, varied, isDuplicate, replacedStatus } = exchanged
  const { draft } = varied
  if (replacedStatus !== undefined) made.replacing.push(exchanged)
  if ('why' in response) return noteSilence(runner, made, draft, request, response)
  runner.unanswered = 0
  runner.hasAnswered = true
  if (response.status < 300 && !isDuplicate) runner.onSuccess(draft, response)
  made.steps.push({ request, response })
  const about = typeof description === 'function' ? description(draft) : description
  const judged = { ...details, expected: isDuplicate || isTrial ? 'any' : expected, description: about } as const
  const problems = judgeResponse(runner.judges, draft.operation, judged, response)
  for (const each of problems) report(made, draft, each)
  if (isTrial) return response.status >= 500 || isDuplicate ? undefined : { ...response, sent: varied }
  const isRefused = expected === 'success' && response.status >= 400 && response.status < 500
  const isTaken =
    isRefused &&
    draft.operation.effect.kind !== 'example' &&
    draft.body &&
    (response.status === 409 || response.status === 422)
  if (isDuplicate || isTaken) noteLoss(runner, draft, expected, { request, response })
  else runner.made.add(kindOf(draft, expected))
  if (isDuplicate || (isRefused && !problems.some(({ rule }) => refusalRules.has(rule)))) made.refused ??= exchanged
  return response.status >= 500 || isDuplicate ? undefined : { ...response, sent: varied }
}

async function exchange({ client }: Runner, request: ProviderRequest): Promise<Exchange> {
  const response = await client.send(request)
  return { request, response: 'why' in response ? response : parseResponse(response) }
}

/** @throws ProviderUnresponsive after several requests without a response */
function noteSilence(
  runner: Runner,
  made: Attempt,
  draft: Draft,
  request: ProviderRequest,
  response: NoResponse,
): undefined {
  const { why, message } = response
  if (why === 'unsendable') return increase(runner.unsent, `${draft.operation.id} ${message}`)
  if (why === 'interrupted') throw new ProviderUnresponsive('it was interrupted', true)
  made.steps.push({ request, response: undefined })
  report(made, draft, { rule: providerRuleSet.noAnswer, at: why, message })
  runner.unanswered++
  const isFinal = !runner.hasAnswered || runner.unanswered > maxUnanswered
  if (runner.unanswered % maxUnanswered === 0)
    throw new ProviderUnresponsive(describeSilence(maxUnanswered, response), isFinal)
  return undefined
}

function kindOf({ operation }: Draft, expected: Expected): string {
  return `${operation.id} ${expected}`
}

/** The first request of its kind that was lost to values that a record has. */
function noteLoss({ lost }: Runner, draft: Draft, expected: Expected, step: Step & { response: ParsedResponse }): void {
  const { id, method, path } = draft.operation
  const kind = requestKinds[expected].replace(/^an? /, '')
  const message = `every ${kind} was refused with ${step.response.status}, so none was compared`
  const problem = { rule: providerRuleSet.probesLost, operation: id, method, path, at: expected, message }
  getOrInsert(lost, kindOf(draft, expected), () => ({ problem, steps: [step] }))
}

/** @returns the new findings. Those that compare responses must be found again: others may have changed records */
async function find(runner: Runner, run: Run): Promise<Occurrence[]> {
  const { found, replaced } = runner
  const isNew = (each: Occurrence) => addOccurrence(found, runner, each)
  const { occurrences, refused, replacing } = await attempt(runner, run)
  if (refused) addRefusal(runner, refused)
  for (const { varied, replacedStatus = 0 } of replacing) increase(replaced, describeAnswer(varied, replacedStatus))
  const isNewComparison = ({ problem }: Occurrence) => comparingRules.has(problem.rule) && !found.has(idOf(problem))
  if (!occurrences.some(isNewComparison)) return occurrences.filter(isNew)
  const repeated = await attempt(runner, run)
  const again = new Set(repeated.occurrences.map(({ problem }) => idOf(problem)))
  const confirmed = occurrences.filter((each) => !isNewComparison(each) || again.has(idOf(each.problem)))
  return confirmed.filter(isNew)
}

function addRefusal({ refusals }: Runner, { request, response, varied }: UniqueExchange): void {
  if ('why' in response) return
  const reason = describeAnswer(varied, response.status)
  const example = shorten(request.body ?? new URL(request.url).pathname)
  getOrInsert(refusals, reason, () => ({ count: 0, example })).count++
}

/** Tries simpler requests until none of them shows the same problem. */
async function simplify(
  runner: Runner,
  draft: Draft,
  run: (session: ProbeSession, draft: Draft) => Promise<void>,
  first: Occurrence,
  isSameCase: IsSameCase,
): Promise<void> {
  const id = idOf(first.problem)
  let simplest = draft
  let best = first
  let tries = 0
  for (let isSimpler = true; isSimpler; ) {
    isSimpler = false
    for (const simpler of simplerDrafts(simplest, isSameCase)) {
      if (++tries > maxSimplifications) break
      const again = await attemptSimpler(runner, (session) => run(session, simpler), id)
      if (!again) continue
      simplest = simpler
      best = again
      isSimpler = true
      break
    }
  }
  const count = runner.found.get(id)?.count ?? 1
  runner.found.delete(id)
  addOccurrence(runner.found, runner, best)
  Object.assign(runner.found.get(id) ?? {}, { count })
}

/** Tries a probe with exactly its values, then with other values if a record already has them. */
async function attemptSimpler(runner: Runner, run: Run, id: string): Promise<Occurrence | undefined> {
  for (const isExact of [true, false]) {
    const { occurrences, refused } = await attempt(runner, run, isExact)
    const again = occurrences.find(({ problem }) => idOf(problem) === id)
    if (again || !refused) return again
  }
  return undefined
}

function findingsOf(runner: Runner): Finding[] {
  const { found, lost, made } = runner
  const ofLost: Findings = new Map()
  for (const [kind, occurrence] of lost) if (!made.has(kind)) addOccurrence(ofLost, runner, occurrence)
  return [...found.values(), ...ofLost.values()]
}

function notesOf({ refusals, replaced, unsent }: Runner): string[] {
  return [
    ...[...refusals].map(([reason, { count, example }]) =>
      count === 1
        ? `1 probe could not be made: ${reason} to ${example}`
        : `${count} probes could not be made: ${reason} to requests such as ${example}`,
    ),
    ...[...replaced].map(([reason, count]) => `${requestsWere(count)} sent again with other values, as ${reason}`),
    ...[...unsent].map(([reason, count]) => `${requestsWere(count)} not sent: ${reason}`),
  ]
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
