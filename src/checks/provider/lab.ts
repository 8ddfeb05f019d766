/** Runs probes: sends what they ask for, judges the answers, and makes what was found as small as it can be. */
import { type Finding, idOf, type Problem, toFinding } from '../finding.js'
import { createKeyHider } from '../hide-key.js'
import type { Rule } from '../rule.js'
import { toCurl } from '../to-curl.js'
import type { Client, NoAnswer } from './client.js'
import type { Complaint } from './complaint.js'
import { type Caller, type Draft, type HttpRequest, toHttp } from './draft.js'
import {
  type AnswerJudges,
  type Asked,
  type Expected,
  judgeAnswer,
  type ReadAnswer,
  readAnswer,
} from './judge-answer.js'
import { rules } from './provider-rules.js'

/** One thing to find out about the provider. */
export interface Probe<Input> {
  input: Input
  /** Sends what it takes; what the answers break by themselves is found without its doing. */
  run(input: Input, wire: Wire): Promise<void>
  /** Simpler inputs that ask the same, the simplest first. None where that makes no sense. */
  simplify?(input: Input): Iterable<Input>
}

/** What a probe has to do with. */
export interface Wire {
  /**
   * @param asked which part of the request is the question; names the finding
   * @returns nothing where no answer came, or one that cannot be judged any further
   */
  send(draft: Draft, expected: Expected, asked?: Asked): Promise<ReadAnswer | undefined>
  /** Says what is wrong with the answers until now. */
  blame(draft: Draft, complaint: Complaint): void
}

export interface Lab {
  run<Input>(probe: Probe<Input>): Promise<void>
  /** What was found, in the order in which it was met. */
  readonly findings: Finding[]
}

export interface LabOptions {
  client: Client
  caller: Caller
  judges: AnswerJudges
  /** Name of the shell variable that stands for the key in curl lines. */
  keyVariable: string
}

/** The provider does not answer: the rest of the operation is left out, and after another one the rest of the check. */
export class ProviderGone extends Error {
  readonly isFinal: boolean

  constructor(message: string, isFinal: boolean) {
    super(message)
    this.isFinal = isFinal
  }
}

/** Requests in a row without an answer, after which it is no use to go on with an operation. */
const maxUnanswered = 3
/** Tries at making one finding smaller. */
const maxSimpler = 40
const maxBody = 500

/** Rules for which several answers are compared, between which the records may change. */
const comparing: ReadonlySet<Rule> = new Set([
  rules.limitNotKept,
  rules.defaultNotKept,
  rules.filterNotKept,
  rules.recordLeft,
])

interface Step {
  request: HttpRequest
  answer: ReadAnswer | undefined
}

interface Met {
  problem: Problem
  steps: Step[]
}

export function createLab({ client, caller, judges, keyVariable }: LabOptions): Lab {
  const findings = new Map<string, Finding>()
  const { hide: hideKey, longest: longestKey } = createKeyHider(caller.key)
  let unanswered = 0
  let wasAnswered = false

  async function attempt<Input>(probe: Probe<Input>, input: Input): Promise<Met[]> {
    const steps: Step[] = []
    const met: Met[] = []
    const blame = ({ operation }: Draft, { rule, at, message }: Complaint) => {
      const problem = { rule, operation: operation.id, method: operation.method, path: operation.path, at, message }
      met.push({ problem, steps: [...steps] })
    }
    const wire: Wire = {
      blame,
      async send(draft, expected, asked = {}) {
        const request = toHttp(draft, caller)
        const answer = await client.send(request)
        if ('why' in answer) {
          steps.push({ request, answer: undefined })
          blame(draft, { rule: rules.noAnswer, at: answer.why, message: answer.message })
          unanswered++
          const isFinal = !wasAnswered || unanswered > maxUnanswered
          if (unanswered % maxUnanswered === 0) throw new ProviderGone(sayGone(answer), isFinal)
          return undefined
        }
        unanswered = 0
        wasAnswered = true
        const read = readAnswer(answer)
        steps.push({ request, answer: read })
        const complaints = judgeAnswer(judges, draft.operation, { expected, ...asked }, read)
        for (const complaint of complaints) blame(draft, complaint)
        return read.status >= 500 ? undefined : read
      },
    }
    try {
      await probe.run(input, wire)
    } catch (error) {
      if (!(error instanceof ProviderGone)) throw error
      for (const each of met) record(each)
      throw error
    }
    return met
  }

  /** What is seen by comparing answers is asked about once more, as others may have changed something in between. */
  async function confirmed<Input>(probe: Probe<Input>, met: Met[]): Promise<Met[]> {
    const isFresh = ({ problem }: Met) => comparing.has(problem.rule) && !findings.has(idOf(problem))
    if (!met.some(isFresh)) return met
    const again = new Set((await attempt(probe, probe.input)).map(({ problem }) => idOf(problem)))
    return met.filter((each) => !isFresh(each) || again.has(idOf(each.problem)))
  }

  /** @returns whether it is new */
  function record({ problem, steps }: Met): boolean {
    const id = idOf(problem)
    const known = findings.get(id)
    if (known) {
      known.count++
      return false
    }
    const last = steps.at(-1)?.answer
    const response = last && { status: last.status, body: beginningOf(last.text) }
    const curls = steps.map(({ request }) => curlOf(request))
    findings.set(id, toFinding({ ...problem, message: hideKey(problem.message) }, curls, response))
    return true
  }

  /** Goes on with a simpler input as long as one shows the same. */
  async function shrink<Input>(probe: Probe<Input>, input: Input, first: Met): Promise<void> {
    const id = idOf(first.problem)
    let smallest = input
    let best = first
    let tries = 0
    for (let isSmaller = true; isSmaller; ) {
      isSmaller = false
      for (const simpler of probe.simplify?.(smallest) ?? []) {
        if (++tries > maxSimpler) break
        const again = (await attempt(probe, simpler)).find(({ problem }) => idOf(problem) === id)
        if (!again) continue
        smallest = simpler
        best = again
        isSmaller = true
        break
      }
    }
    const finding = findings.get(id)
    findings.delete(id)
    record(best)
    const smaller = findings.get(id)
    if (smaller && finding) smaller.count = finding.count
  }

  function curlOf({ method, url, headers, body }: HttpRequest): string {
    const { origin } = new URL(url)
    const key = caller.key === '' ? undefined : { value: caller.key, variable: keyVariable }
    return toCurl({ method, origin, target: url.slice(origin.length), headers: headers.flat(), body, key })
  }

  /** A copy, as a part of a string would keep all of it in memory. */
  function beginningOf(text: string): string {
    const whole = hideKey(text.slice(0, maxBody + longestKey))
    return Buffer.from(whole.slice(0, maxBody)).toString()
  }

  return {
    async run(probe) {
      const met = await confirmed(probe, await attempt(probe, probe.input))
      const fresh = met.filter(record)
      for (const each of fresh) {
        if (each.problem.rule !== rules.noAnswer && probe.simplify) await shrink(probe, probe.input, each)
      }
    },
    get findings() {
      return [...findings.values()]
    },
  }
}

function sayGone({ message }: NoAnswer): string {
  return `the provider gave no answer ${maxUnanswered} times in a row; it last ${message}`
}
