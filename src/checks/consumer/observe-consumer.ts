/** Watches a consumer's traffic: what it breaks, and what of the contract it meets. */

import type { OpenApiDocument } from '../../compile/document.js'
import type { Operation, RequestContract } from '../../contract/contract.js'
import { shorten } from '../../contract/violations.js'
import type { Exchange } from '../../state/journal.js'
import { type Finding, idOf, type Problem, toFinding } from '../finding.js'
import type { Coverage } from '../report.js'
import { toCurl } from '../to-curl.js'
import type { Call, ConsumerRule, RecordKey } from './consumer-rule.js'
import { consumerRules } from './consumer-rules.js'
import { createCoverage } from './coverage.js'
import { isForced } from './exchange-headers.js'
import { readExpectation } from './expectation.js'
import { fitsPath, generalizePath } from './path-values.js'
import { createReceivedIntegers } from './received-integers.js'
import { refusalMessage } from './refusal-message.js'
import { hiddenKey, hideKeys } from './sent-credentials.js'

export interface ConsumerOptions {
  contract: RequestContract
  document: OpenApiDocument
  /** Keys of the records that an operation works on, as the caller of the exchange sees them. */
  existingKeys(exchange: Exchange, operation: Operation): Iterable<RecordKey>
  /** Shell variables for curl lines: they hold the sandbox's address without a path, and a valid key. */
  variables: { address: string; key: string }
}

export interface ConsumerObserver {
  add(exchange: Exchange): void
  /** In the order in which they were first met. */
  findings(): Finding[]
  coverage(): Coverage
  /** How many were added. */
  requests(): number
}

const maxAnswer = 300

export function observeConsumer({ contract, document, existingKeys, variables }: ConsumerOptions): ConsumerObserver {
  const operations = new Map(contract.operations.map((operation) => [operation.id, operation]))
  const mounts = new Map(contract.servers.map(({ name, mount }) => [name, mount]))
  const findings = new Map<string, Finding>()
  const coverage = createCoverage(contract, document)
  const received = createReceivedIntegers()
  let requests = 0

  function toCall(exchange: Exchange): Call {
    const operation = exchange.operation === undefined ? undefined : operations.get(exchange.operation)
    return {
      exchange,
      operation,
      contract,
      message: refusalMessage(exchange, operation, contract),
      isForced: isForced(exchange),
      received: received.all,
      existingKeys: () => (operation ? existingKeys(exchange, operation) : []),
    }
  }

  function targetOf({ server, request }: Exchange): string {
    return `${(server === undefined ? undefined : mounts.get(server)) ?? ''}${request.path}`
  }

  /** The documented path; else the one that was called, as a base that is missing or too much shows only in it. */
  function pathOf({ exchange, operation }: Call): string {
    if (operation) return operation.path
    const { server, request, refused } = exchange
    const isDocumented = ({ path, servers }: Operation) =>
      server !== undefined && servers.includes(server) && fitsPath(path, request.path)
    const documented = refused === 'method_not_allowed' ? contract.operations.find(isDocumented) : undefined
    return documented?.path ?? shorten(generalizePath(targetOf(exchange)))
  }

  function toLine(call: Call): string {
    const { key, request, refused } = call.exchange
    const isKeyValid = key !== undefined && call.operation !== undefined && call.operation.security.length > 0
    const { headers, query } = isKeyValid ? request : hideKeys(call)
    // Where no key was looked at, any that is valid will do; where one was not valid, none may be.
    const value = isKeyValid ? key : hiddenKey
    const shown = refused === 'unauthorized' ? undefined : { value, variable: variables.key }
    return toCurl({
      method: request.method,
      origin: { variable: variables.address },
      target: `${targetOf(call.exchange)}${query === '' ? '' : `?${query}`}`,
      headers,
      body: request.body,
      key: shown,
    })
  }

  function record(call: Call, rule: ConsumerRule): void {
    const { exchange, operation } = call
    const base = {
      rule: toPlainRule(rule),
      ...(operation ? { operation: operation.id } : {}),
      method: operation?.method ?? exchange.request.method,
      path: pathOf(call),
    }
    for (const found of rule.analyze(call)) {
      const problem: Problem = { ...base, ...found }
      const id = idOf(problem)
      const known = findings.get(id)
      if (known) known.count++
      else findings.set(id, toFinding(problem, [toLine(call)], answerOf(exchange)))
    }
  }

  return {
    requests: () => requests,
    add(exchange) {
      requests++
      const call = toCall(exchange)
      const isExpected = readExpectation(exchange)?.isMet === true
      for (const rule of consumerRules) if (!(rule.isExpectable && isExpected)) record(call, rule)
      coverage.add(call)
      received.add(exchange)
    },
    findings: () => [...findings.values()],
    coverage: coverage.toData,
  }
}

/** Only what every rule has: reports are data. */
function toPlainRule({ id, severity, looksAt, help }: ConsumerRule): Problem['rule'] {
  return { id, severity, looksAt, help }
}

function answerOf({ response }: Exchange): { status: number; body: string } {
  const { status, body } = response
  const text = typeof body === 'string' ? body : body === undefined ? '' : `${body.length} bytes`
  return { status, body: text.length > maxAnswer ? `${text.slice(0, maxAnswer)}…` : text }
}
