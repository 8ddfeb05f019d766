/** Describes an exchange for the control API: without credentials, and with the reason for its answer. */
import type { CollectionModel, Operation, RequestContract } from '../contract/contract.js'
import { findIdle, idleIn } from '../contract/effects/find-idle.js'
import type { HideCredentials } from '../contract/hiding/hide-credentials.js'
import { readErrorMessage } from '../contract/read-error.js'
import type { SentBody } from '../contract/violations.js'
import { headerOf } from '../sandbox/webhooks/evaluate.js'
import type { Exchange, SentHook } from '../state/journal.js'
import type { Values } from '../state/stored-record.js'
import { joinNames } from '../state/world-id.js'
import { describeHeaders, textOf } from './har.js'
import type { DocumentPart, Inspected } from './inspected.js'
import { toShownId } from './kept.js'

/** Of an exchange that changed more records, the first ones are named. */
const maxChanges = 20

export type DescribeExchange = (exchange: Exchange) => object

export function createDescribe(
  contract: RequestContract,
  inspected: Inspected,
  hideCredentials: HideCredentials,
): DescribeExchange {
  return (exchange) => {
    const { id, at, key, apiKey, server, operation, refused, violations, source, changes } = exchange
    const { exchange: shown, hide } = hideCredentials(exchange)
    const { notes, request, response, sent } = shown
    const relied = inspected.reliedOf(exchange)
    const why = explainExchange(contract, inspected, exchange)
    const body = violations && sentBody(exchange)
    return {
      id,
      at: new Date(at).toISOString(),
      ...(key !== undefined && { world: toShownId(joinNames({ key, apiKey })) }),
      ...(server !== undefined && { environment: server }),
      ...(operation !== undefined && { operation }),
      ...(refused !== undefined && { refused }),
      ...(violations && {
        violations: violations.map((each, index) => ({
          ...each,
          ...shown.violations?.[index],
          ...(operation !== undefined && each.rule !== 'unlisted' && inspected.locate(operation, each, body)),
        })),
      }),
      ...(source !== undefined && { source: hide(source) }),
      ...(sent && { sent }),
      ...(changes && {
        changes: changes.slice(0, maxChanges).map(({ collection, server: environment, before, after }) => {
          const model = contract.collections.find(({ name }) => name === collection)
          const kind = before ? (after ? 'changed' : 'removed') : 'added'
          return {
            collection,
            environment,
            kind,
            identity: model ? identityOf(model, after ?? before).map((each) => hide(each)) : [],
          }
        }),
      }),
      notes,
      ...(relied.length > 0 && { relied }),
      why: { ...why, text: hide(why.text) },
      request: {
        method: request.method,
        path: request.path,
        query: request.query,
        headers: describeHeaders(request.headers),
        ...(request.body !== undefined && { body: request.body }),
      },
      response: {
        status: response.status,
        headers: describeHeaders(Object.entries(response.headers).flat()),
        ...(response.body !== undefined && describeBody(response.body)),
      },
    }
  }
}

/** The text of a value. Objects of documents have no prototype, so `String` fails for them. */
export function toText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}

/** The key of a record and those of its owners, outermost first, as the inspector has them in its addresses. */
export function identityOf(
  { key, scope = [] }: Pick<CollectionModel, 'key' | 'scope'>,
  values: Values | undefined,
): string[] {
  return [key, ...scope.map(({ property }) => property)].map((name) => toText(values?.[name] ?? ''))
}

function describeBody(body: string | Uint8Array): object {
  const { text, encoding } = textOf(body)
  return { body: text, ...(encoding && { encoding }) }
}

/** The step that decided about the answer. */
type Step = 'route' | 'authenticate' | 'lifecycle' | 'fault' | 'prefer' | 'validate' | 'override' | 'apply' | 'send'

interface Why extends Partial<DocumentPart> {
  step: Step
  /** A sentence without a full stop. */
  text: string
  /** The keyword of the schema that the request violates. */
  keyword?: string
}

function explainExchange(contract: RequestContract, inspected: Inspected, exchange: Exchange): Why {
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

function sentBody({ request }: Exchange): SentBody {
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
  { refused, violations, cause, request, response, key }: Exchange,
): [step: Step, text: string] {
  if (cause?.kind === 'fault') return ['fault', `Fault ${cause.ids.join(', ')}: ${cause.what}`]
  if (cause?.kind === 'preference')
    return ['prefer', `The request asked for it with Prefer: ${response.headers['Preference-Applied']}`]
  if (cause?.kind === 'override')
    return ['override', `The override of ${cause.name} decided${cause.at === undefined ? '' : `: ${cause.at}`}`]
  if (cause) return ['apply', `Answered like the first request with the idempotency key "${cause.key}"`]
  if (response.status === 304) return ['apply', 'Nothing has changed since the version that the request names']
  if (refused === undefined) {
    const { effect, means = effect.kind } = operation
    const what = 'collection' in effect ? `${means} of ${effect.collection}` : means
    const reason = inspected.reasonOf(operation.id)?.reason
    const query = Object.fromEntries(new URLSearchParams(request.query))
    const idle = idleIn(findIdle(operation, contract), query).map(({ note }) => note)
    return ['apply', [reason === undefined ? what : `${what}: ${reason}`, ...idle].join('; ')]
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
