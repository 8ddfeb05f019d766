/** Which HTTP status and which machine-readable code a refusal gets. */
import type { Operation } from '../contract/contract.js'
import { documentedResponse } from '../contract/documented-status.js'
import type { CareReason, Reason, Refusal } from './outcome.js'

/** Statuses in order of preference. The first that the operation documents is used, else the first of all. */
const candidates: Record<Exclude<Reason, CareReason>, readonly [number, ...number[]]> = {
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

export function statusOf({ reason, status, violations }: Refusal, operation: Operation | undefined): number {
  if (status !== undefined) return status
  if (reason === 'invalid_request' && violations && operation?.invalidStatus) return operation.invalidStatus
  // Those that are not here have a status of their own.
  const all = candidates[reason as Exclude<Reason, CareReason>]
  return (operation && all.find((candidate) => documentedResponse(operation, candidate))) ?? all[0]
}

/** The machine-readable code of a refusal with a status. */
export function codeOf(reason: Reason, status: number): string {
  if (reason === 'malformed_path') return status === 404 ? 'not_found' : 'invalid_request'
  if (reason !== 'forced') return reason
  const reasons = Object.entries(candidates)
  const found = reasons.find(([, [first]]) => first === status) ?? reasons.find(([, all]) => all.includes(status))
  // Only callers ask for other statuses.
  return found?.[0] ?? (status === 429 ? 'rate_limited' : `status_${status}`)
}
