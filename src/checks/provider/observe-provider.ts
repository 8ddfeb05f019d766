/** Judges the answers of a service to the requests of others, each by itself. */
import type { Operation, RequestContract } from '../../contract/contract.js'
import { documentedResponse } from '../../contract/documented-status.js'
import type { OpenApiDocument } from '../../document/document.js'
import type { Exchange } from '../../state/journal.js'
import { generalizePlace } from '../consumer/places.js'
import { createShow, type LineVariables } from '../consumer/show-exchange.js'
import { addSource, readSource } from '../consumer/sources.js'
import { addFinding, type Finding, type Findings, type FoundByRule, type Problem, type Rule } from '../finding.js'
import type { NoResponse, ProviderResponse } from './client.js'
import { createResponseJudges, judgeResponse } from './judges/judge-response.js'
import { providerRuleSet } from './provider-rules.js'
import { type Expected, parseResponse, type RequestDetails } from './rules/answer.js'

/** The rules that need one exchange only. Whether a key is valid and a record exists is not known. */
export const observedRules: readonly Rule[] = [
  providerRuleSet.noAnswer,
  providerRuleSet.serverError,
  providerRuleSet.undocumentedStatus,
  providerRuleSet.responseSchema,
  providerRuleSet.integerRange,
  providerRuleSet.errorStatus,
  providerRuleSet.missingChallenge,
  providerRuleSet.lifecycleHeaders,
  providerRuleSet.invalidAccepted,
  providerRuleSet.credentialsNotChecked,
]

export interface ProviderOptions {
  contract: RequestContract
  document: OpenApiDocument
  variables: LineVariables
  /** Secrets that are hidden in addition to the credentials of a request. @default none */
  secrets?: readonly string[]
}

export interface ProviderObserver {
  /**
   * Judges an answer.
   * @param exchange with the violations of its request
   * @param answer decoded, or why there is none
   */
  add(exchange: Exchange, answer: ProviderResponse | (Pick<NoResponse, 'message'> & { why: string })): void
  /** In the order of their first occurrence. */
  findings(): Finding[]
  /** Sentences without a full stop: what was not judged, and why. */
  notes(): string[]
}

export function observeProvider({ contract, document, variables, secrets }: ProviderOptions): ProviderObserver {
  const judges = createResponseJudges(contract, document)
  const show = createShow(contract, variables, secrets)
  const operations = new Map(contract.operations.map((operation) => [operation.id, operation]))
  const findings: Findings = new Map()

  function judge(exchange: Exchange, documented: Operation | undefined, answer: ProviderResponse): FoundByRule[] {
    const { status } = answer
    // Any request may ask for a part or for news (RFC 9110, sections 13 and 14), which few documents mention.
    const isUsual = status === 206 || status === 304
    if (!documented || (isUsual && !documentedResponse(documented, status))) return []
    const isHead = exchange.request.method === 'HEAD'
    const operation: Operation = isHead ? { ...documented, method: 'HEAD' } : documented
    return judgeResponse(judges, operation, expectationOf(exchange, status), parseResponse(answer))
  }

  return {
    findings: () => [...findings.values()],
    notes: () => judges.bodies.notes,
    add(exchange, answer) {
      const operation = operations.get(exchange.operation ?? '')
      const complaints: FoundByRule[] =
        'why' in answer
          ? [{ rule: providerRuleSet.noAnswer, at: answer.why, message: answer.message, help: silenceHelp }]
          : judge(exchange, operation, answer)
      if (complaints.length === 0) return
      const shown = show(exchange)
      for (const complaint of complaints) {
        const problem: Problem = {
          ...complaint,
          ...(operation && { operation: operation.id }),
          method: operation?.method ?? exchange.request.method,
          path: operation?.path ?? shown.path,
          message: shown.hide(complaint.message),
        }
        const finding = addFinding(findings, problem, () => shown.reproduce('why' in answer))
        addSource(finding, readSource(exchange.source ?? '') ?? [], undefined)
      }
    },
  }
}

const silenceHelp = 'Check the log of the provider at that time; --timeout waits longer'

/** What is known about a request by itself. A refusal may have other reasons, so that only a success is judged by it. */
function expectationOf(
  { refused, violations: [first] = [] }: Exchange,
  status: number,
): RequestDetails & { expected: Expected } {
  if (status >= 300) return { expected: 'any' }
  if (refused === 'unauthorized') return { expected: 'unauthorized' }
  if (!first) return { expected: 'any' }
  const at = `${generalizePlace(first.in, first.at)} ${first.rule}`
  return { expected: 'invalid', at, description: first.message }
}
