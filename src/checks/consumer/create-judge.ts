/** Judges a consumer's requests by the rules, exchange by exchange. Needs no document, so that it also runs beside MSW. */
import type { Operation, RequestContract } from '../../contract/contract.js'
import { readErrorMessage } from '../../contract/read-error.js'
import { andMore, maxListed, shorten } from '../../contract/violations.js'
import type { Exchange } from '../../state/journal.js'
import { addFinding, type Finding, type Findings, type FoundProblem, type Problem } from '../finding.js'
import type { Call, ConsumerRule, RecordKey } from './consumer-rule.js'
import { consumerRules } from './consumer-rules.js'
import { readExpectation } from './exchange-values.js'
import { unsafeIntegers } from './sent-values.js'
import { createShow, type LineVariables, type ShownExchange } from './show-exchange.js'
import { addSource, type Frame, readSource } from './sources.js'

export interface JudgeOptions {
  contract: RequestContract
  /** Every name in the document. Other names in a body are keys of maps, which differ by record. */
  documentedNames: ReadonlySet<string>
  /** Keys of the records that an operation works on, as the caller of the exchange sees them. */
  existingKeys(exchange: Exchange, operation: Operation): Iterable<RecordKey>
  /** The name of the test whose own key the request has. @default no test has one */
  testOf?: (exchange: Exchange) => string | undefined
  /** Compares a call with the lock. @default nothing is found */
  compareWithLock?: (call: Call) => Pick<Call, 'newUses' | 'lostProperties'>
  /** Milliseconds before a sunset in which a call of the operation is an error. @default it is a warning */
  sunsetWithin?: number | undefined
  variables: LineVariables
  /** Secrets that are hidden in addition to the credentials of a request. @default none */
  secrets?: readonly string[]
}

export interface Judge {
  /** Judges an exchange. @returns what the rules were given */
  add(exchange: Exchange): Call
  /** In the order of their first occurrence. */
  findings(): Finding[]
  /** Number of exchanges. */
  requests(): number
  /** Number of exchanges that are calls of the service. The others are CORS preflights and the like. */
  calls(): number
  /** Number of calls that named their place in the consumer's code in a way that cannot be read. */
  malformedSources(): number
}

/** Creates a judge without exchanges. Add each exchange when it is complete. */
export function createJudge({
  contract,
  documentedNames,
  existingKeys,
  testOf,
  compareWithLock,
  sunsetWithin,
  variables,
  secrets,
}: JudgeOptions): Judge {
  const operations = new Map(contract.operations.map((operation) => [operation.id, operation]))
  const findings: Findings = new Map()
  const received = createReceivedIntegers()
  const show = createShow(contract, variables, secrets)
  let malformedSources = 0
  let requests = 0
  let calls = 0

  function toCall(exchange: Exchange): Call {
    const operation = exchange.operation === undefined ? undefined : operations.get(exchange.operation)
    const { status, headers, body } = exchange.response
    return {
      exchange,
      operation,
      contract,
      message:
        exchange.refused !== undefined && typeof body === 'string'
          ? readErrorMessage(contract, operation, status, body)
          : undefined,
      isForced: /(^|[\s,])code=/.test(headers['Preference-Applied'] ?? ''),
      received: received.all,
      documentedNames,
      newUses: [],
      lostProperties: [],
      sunsetWithin,
      existingKeys: () => (operation ? existingKeys(exchange, operation) : []),
    }
  }

  function framesOf({ source }: Exchange): Frame[] {
    const frames = source === undefined ? undefined : readSource(source)
    if (source !== undefined && !frames) malformedSources++
    return frames ?? []
  }

  function record(call: Call, rule: ConsumerRule, frames: readonly Frame[]): void {
    const { exchange, operation } = call
    let shown: ShownExchange | undefined
    for (const found of limitProblems(rule.find(call))) {
      shown ??= show(exchange)
      const { hide, reproduce } = shown
      const problem: Problem = {
        rule,
        ...(operation ? { operation: operation.id } : {}),
        method: operation?.method ?? exchange.request.method,
        path: operation?.path ?? shown.path,
        ...found,
        at: hide(shorten(found.at)),
        message: hide(found.message),
        ...(found.help !== undefined && { help: hide(found.help) }),
      }
      addSource(addFinding(findings, problem, reproduce), frames, testOf?.(exchange))
    }
  }

  return {
    requests: () => requests,
    calls: () => calls,
    malformedSources: () => malformedSources,
    add(exchange) {
      requests++
      const isCall = exchange.operation !== undefined || exchange.refused !== undefined
      if (isCall) calls++
      const frames = isCall ? framesOf(exchange) : []
      const call = toCall(exchange)
      if (compareWithLock) Object.assign(call, compareWithLock(call))
      const isExpected = readExpectation(exchange)?.isMet === true
      for (const rule of consumerRules) if (!(rule.isExpectable && isExpected)) record(call, rule, frames)
      received.add(exchange)
      return call
    },
    findings: () => [...findings.values()],
  }
}

/** The first problems, and one that counts the others, because a body may have a hundred thousand. */
function* limitProblems(problems: Iterable<FoundProblem>): Generator<FoundProblem> {
  let count = 0
  for (const problem of problems) if (++count <= maxListed) yield problem
  if (count > maxListed) yield { at: '', kind: 'unlisted', message: `${andMore(count - maxListed)} in one request` }
}

/** The integers received so far, oldest first. */
interface ReceivedIntegers {
  readonly all: ReadonlySet<bigint>
  add(exchange: Exchange): void
}

/** Maximum number of kept integers. Beyond it, the oldest are dropped. */
const mostKept = 10_000

/** Starts empty. */
function createReceivedIntegers(): ReceivedIntegers {
  const all = new Set<bigint>()
  return {
    all,
    add({ response }) {
      if (typeof response.body !== 'string') return
      for (const { value } of unsafeIntegers(response.body, '')) {
        // Moves it to the end, because it is the most recent one.
        all.delete(value)
        all.add(value)
        const [oldest] = all
        if (all.size > mostKept && oldest !== undefined) all.delete(oldest)
      }
    },
  }
}
