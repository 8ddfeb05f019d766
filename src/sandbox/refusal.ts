/** Why a step says no: a plain value, that only `handle` turns into a response. */
import type { Operation, Violation } from '../contract/contract.js'
import { documentedResponse } from '../contract/documented-status.js'
import type { Answer } from './applied.js'

export interface Refusal {
  reason: Reason
  /** What is wrong, where, and what is allowed. */
  message: string
  violations?: readonly Violation[]
  headers?: Record<string, string>
  /** What was read of the body, for the journal. */
  text?: string | undefined
  /** How it was rendered: one that is given again and again, for the same operation, is rendered once. */
  rendered?: Rendered
  /** Overrules the candidates of the reason: a status that the caller asked for. */
  status?: number
}

/** A refusal as an answer, with its machine-readable code. */
export type Rendered = Answer & { code: string }

export type Reason =
  | 'invalid_request'
  | 'unsupported_media_type'
  | 'payload_too_large'
  | 'malformed_path'
  | 'not_found'
  | 'conflict'
  | 'removed'
  | 'unauthorized'
  | 'method_not_allowed'
  | 'rate_limited'
  | 'not_described'
  | 'unavailable'
  | 'internal_error'
  | 'forced'

/** Statuses in the order in which they are tried: the first that the operation documents, else the first. */
const candidates: Record<Reason, readonly [number, ...number[]]> = {
  invalid_request: [400, 422],
  unsupported_media_type: [415, 400],
  payload_too_large: [413],
  malformed_path: [400, 404, 422],
  not_found: [404],
  conflict: [409, 422, 400],
  removed: [410, 404],
  unauthorized: [401],
  method_not_allowed: [405],
  rate_limited: [429],
  not_described: [501],
  unavailable: [503],
  internal_error: [500],
  forced: [500],
}

export function isRefusal(result: object): result is Refusal {
  return 'reason' in result
}

export function statusOf({ reason, status }: Refusal, operation: Operation | undefined): number {
  if (status !== undefined) return status
  const all = candidates[reason]
  return (operation && all.find((candidate) => documentedResponse(operation, candidate))) ?? all[0]
}

/** The machine-readable code of a refusal that ends with a status. */
export function codeOf(reason: Reason, status: number): string {
  if (reason === 'malformed_path') return status === 404 ? 'not_found' : 'invalid_request'
  if (reason !== 'forced') return reason
  const reasons = Object.entries(candidates)
  const found = reasons.find(([, [first]]) => first === status) ?? reasons.find(([, all]) => all.includes(status))
  return found?.[0] ?? `status_${status}`
}
