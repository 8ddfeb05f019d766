/** Explains the answer of an exchange: the step that decided, and the part of the document. */
import type { Operation, RequestContract } from '../contract/contract.js'
import { readErrorMessage } from '../contract/read-error.js'
import type { SentBody } from '../contract/violations.js'
import { headerOf } from '../sandbox/webhooks/evaluate.js'
import type { Exchange, SentHook } from '../state/journal.js'
import { textOf } from './har.js'
import type { DocumentPart, Inspected } from './inspected.js'

/** The step that decided about the answer. */
export type Step = 'route' | 'authenticate' | 'lifecycle' | 'fault' | 'prefer' | 'validate' | 'apply' | 'send'

export interface Why extends Partial<DocumentPart> {
  step: Step
  /** A sentence without a full stop. */
  text: string
  /** The keyword of the schema that the request violates. */
  keyword?: string
}

export function explainExchange(contract: RequestContract, inspected: Inspected, exchange: Exchange): Why {
  if (exchange.sent) return explainSent(contract, inspected, exchange, exchange.sent)
  const operation = contract.operations.find(({ id }) => id === exchange.operation)
  if (!operation) return { step: 'route', text: explainUnrouted(contract, exchange) }
  const [step, text] = explainOutcome(contract, operation, inspected, exchange)
  const [violation] = step === 'validate' ? (exchange.violations ?? []) : []
  return {
    step,
    text,
    ...(violation && violation.rule !== 'unlisted' && { keyword: violation.rule }),
    ...inspected.locate(operation.id, violation ?? (step === 'validate' ? wholeBody : undefined), sentBody(exchange)),
  }
}

export function sentBody({ request }: Exchange): SentBody {
  const contentType = headerOf(request.headers, 'content-type')
  try {
    return { contentType, value: JSON.parse(request.body ?? '') }
  } catch {
    return { contentType, value: undefined }
  }
}

function explainSent(
  { webhooks = [] }: RequestContract,
  inspected: Inspected,
  { notes, request, response }: Exchange,
  sent: SentHook,
): Why {
  const { name, operation, attempt } = sent
  const kind = webhooks.find((each) => each.name === name)?.kind ?? 'callback'
  const what = `The ${kind} ${name} of ${operation}`
  const tried = attempt === 0 ? '' : `, attempt ${attempt}`
  const why = response.status === 0 ? `: ${notes.join('; ')}` : ''
  const place = inspected.locateWebhook(name, request.method) ?? inspected.locate(operation, undefined)
  return { step: 'send', text: `${what}${tried}${why}`, ...place }
}

/** The place for a body that matches none of the documented ones. */
const wholeBody = { in: 'body', at: '', rule: '' } as const

function explainUnrouted({ servers }: RequestContract, { server, refused, request, response }: Exchange): string {
  const { method, path } = request
  if (refused === undefined)
    return method === 'OPTIONS'
      ? 'A preflight of a browser (CORS), which the sandbox answers'
      : 'The sandbox answers it'
  if (refused === 'method_not_allowed')
    return `${path} has no ${method} in the document; allowed: ${response.headers['Allow'] ?? 'nothing'}`
  if (server === undefined) return `No server of the document has the address ${path}`
  const { mount = '' } = servers.find(({ name }) => name === server) ?? {}
  return `No path of the document fits ${path}${mount === '' ? '' : `, below ${mount}`}`
}

function explainOutcome(
  contract: RequestContract,
  operation: Operation,
  inspected: Inspected,
  { refused, violations, cause, response, key }: Exchange,
): [step: Step, text: string] {
  if (cause?.kind === 'fault') return ['fault', `Fault ${cause.ids.join(', ')}: ${cause.what}`]
  if (cause?.kind === 'preference')
    return ['prefer', `The request asked for it with Prefer: ${response.headers['Preference-Applied']}`]
  if (cause) return ['apply', `Answered like the first request with the idempotency key "${cause.key}"`]
  if (response.status === 304) return ['apply', 'Nothing has changed since the version that the request names']
  if (refused === undefined) {
    const { effect, means = effect.kind } = operation
    const what = 'collection' in effect ? `${means} of ${effect.collection}` : means
    const reason = inspected.reasonOf(operation.id)?.reason
    return ['apply', reason === undefined ? what : `${what}: ${reason}`]
  }
  const { body } = response
  const said =
    body === undefined ? undefined : readErrorMessage(contract, operation, response.status, textOf(body).text)
  const message = said ?? refused
  if (violations) return ['validate', violations.map((each) => each.message).join('; ')]
  if (refused === 'unauthorized' || key === undefined) return ['authenticate', message]
  if (refused === 'removed') return ['lifecycle', message]
  return [refusedBeforeEffect.has(refused) ? 'validate' : 'apply', message]
}

const refusedBeforeEffect = new Set([
  ...['invalid_request', 'incomplete_body', 'unsupported_media_type', 'payload_too_large', 'not_acceptable'],
])
