/** Turns a refusal into an answer with the documented error body. */
import type { Operation, RequestContract, SecurityScheme } from '../../contract/contract.js'
import { writeScheme } from '../../contract/credentials.js'
import type { ErrorBody } from '../../contract/documented-response.js'
import { documentedResponse } from '../../contract/documented-status.js'
import { getOrInsert, ownValue } from '../../json/own-value.js'
import type { HttpReason, Reason, Refusal, RenderedRefusal, Written } from '../outcome.js'
import type { WriteError } from '../writes/sampler.js'

/** @returns undefined if the body depends on the request and none is given */
export type RenderRefusal = (
  refusal: Refusal,
  operation: Operation | undefined,
  request?: RefusedRequest,
) => RenderedRefusal | undefined

/** The parts of a request that an error body may show. */
export interface RefusedRequest {
  path: string
  /** Milliseconds since 1970, by the clock of the world. */
  now: number
}

/** An error response without its message: shared by all refusals of an operation for one reason. */
interface Template {
  status: number
  code: string
  mediaType: string
  headers: Written['headers']
  /** The body as JSON text, split at the message. */
  texts: string[]
  /** Set if the body depends on the request: then `texts` is not used. */
  error: ErrorBody | undefined
}

/** Placeholder for the message in a template. */
const mark = '\0message'

/** @param writeError writes error bodies as the document describes them. @default only those with usual properties */
export function createRenderRefusal(contract: RequestContract, writeError?: WriteError): RenderRefusal {
  const templates = new Map<Operation | undefined, Map<string | number, Template>>()

  return (refusal, operation, request) => {
    const { message, violations, headers } = refusal
    const byKey = getOrInsert(templates, operation, () => new Map<string | number, Template>())
    const template = getOrInsert(byKey, toKey(refusal), () => createTemplate(refusal, operation))
    const { status, code, mediaType, texts, headers: required, error } = template
    if (error?.part && !request) return undefined
    // Joining makes one flat text in memory, which the journal keeps.
    const body =
      error && writeError
        ? writeError(contract, error, { code, message, status, violations, ...request }, operation?.id)
        : texts.join(JSON.stringify(message))
    return { status, code, mediaType, headers: headers ? { ...required, ...headers } : required, body }
  }

  /** Uses the error body that the operation documents for the status, else the common one. */
  function createTemplate(refusal: Refusal, operation: Operation | undefined): Template {
    const status = statusOf(refusal, operation)
    const documented = operation && documentedResponse(operation, status)
    const error = documented?.error ?? contract.errorBody
    const { mediaType, fields, ensure } = error
    const code = codeOf(refusal.reason, status)
    const forced = refusal.reason === 'forced' && operation ? requiredHeaders(contract, operation, status) : undefined
    const headers = documented?.headers || forced ? { ...documented?.headers, ...forced } : undefined
    const texts = JSON.stringify({ code, message: mark, status }, fields).split(JSON.stringify(mark))
    return { status, code, mediaType, headers, texts, error: fields && !ensure ? undefined : error }
  }
}

/** Refusals of an operation with the same key have the same status and code. */
function toKey({ reason, status, violations }: Refusal): string | number {
  return status ?? (reason === 'invalid_request' && violations ? 'violations' : reason)
}

/**
 * The headers that a status requires (RFC 9110, sections 15.5.2, 15.5.6 and 15.5.8). For 426 they cannot be known from the
 * document.
 */
function requiredHeaders(contract: RequestContract, operation: Operation, status: number): Written['headers'] {
  const { path, servers } = operation
  if (status === 401 || status === 407) {
    const challenge = challengeOf(contract, firstScheme(alternativesOf(contract, operation)))
    return { [status === 401 ? 'WWW-Authenticate' : 'Proxy-Authenticate']: challenge }
  }
  if (status !== 405) return undefined
  const others = contract.operations.filter(
    (each) => each.path === path && each.servers.some((name) => servers.includes(name)),
  )
  return { Allow: toAllowed(others.map(({ method }) => method)).join(', ') }
}

/** The methods of a path for `Allow`, with those that every path has. */
export function toAllowed(documented: Iterable<string>): string[] {
  const methods = new Set(documented).add('OPTIONS')
  if (methods.has('GET')) methods.add('HEAD')
  return [...methods].sort()
}

/** Statuses in order of preference. The first that the operation documents is used, else the first of all. */
const candidates: Record<Exclude<Reason, HttpReason>, readonly [number, ...number[]]> = {
  invalid_request: [400, 422],
  incomplete_body: [400, 422],
  unsupported_media_type: [415, 400, 422],
  payload_too_large: [413],
  malformed_path: [400, 404, 422],
  not_found: [404],
  conflict: [409, 422, 400],
  not_acceptable: [406],
  removed: [410, 404],
  unauthorized: [401, 403],
  method_not_allowed: [405],
  not_described: [501],
  not_made: [501],
  unavailable: [503],
  internal_error: [500],
  forced: [500],
}

/** The reasons that a person can give. */
export function refusalReasons(): Reason[] {
  return (Object.keys(candidates) as Reason[]).filter((reason) => reason !== 'forced')
}

export function statusOf({ reason, status, violations }: Refusal, operation: Operation | undefined): number {
  if (status !== undefined) return status
  if (reason === 'invalid_request' && violations && operation?.invalidStatus) return operation.invalidStatus
  if (reason === 'conflict' && operation?.conflictStatus) return operation.conflictStatus
  if (reason === 'malformed_path' && operation?.invalidPath) return operation.invalidPath
  // Reasons without candidates always have their own status.
  const all = candidates[reason as Exclude<Reason, HttpReason>]
  return (operation && all.find((candidate) => documentedResponse(operation, candidate))) ?? all[0]
}

/** The machine-readable code of a refusal with a status. */
function codeOf(reason: Reason, status: number): string {
  if (reason === 'malformed_path') return status === 404 ? 'not_found' : 'invalid_request'
  if (reason !== 'forced') return reason
  const reasons = Object.entries(candidates)
  const found = reasons.find(([, [first]]) => first === status) ?? reasons.find(([, all]) => all.includes(status))
  // Other statuses occur only if a caller requests them.
  return found?.[0] ?? (status === 429 ? 'rate_limited' : `status_${status}`)
}

/** The alternatives of an operation, each a list of schemes that are all required. */
export function alternativesOf({ schemes }: RequestContract, { security }: Operation): SecurityScheme[][] {
  return security.map((names) => names.flatMap((name) => ownValue(schemes, name) ?? []))
}

/** The scheme that a refusal names: the first one. */
export function firstScheme(alternatives: readonly SecurityScheme[][]): SecurityScheme {
  return alternatives[0]?.[0] ?? { kind: 'bearer' }
}

/** The value of `WWW-Authenticate`. */
export function challengeOf({ title }: RequestContract, scheme: SecurityScheme): string {
  const realm = title.replace(/["\\]|[^\x20-\x7e]/g, '')
  return `${writeScheme(scheme)} realm="${realm}"`
}
