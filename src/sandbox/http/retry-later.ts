/** Adds `Retry-After` to answers that a caller chose (RFC 9110, section 10.2.3; RFC 6585, section 4). */
import type { Operation } from '../../contract/contract.js'
import { documentedResponse } from '../../contract/documented-status.js'
import type { Engine } from '../create-engine.js'
import { parsePrefer } from '../prefer.js'

/** Adds `Retry-After` to a 429 or 503 that `Prefer: code=` requests, if HTTP semantics are enabled. */
export function addRetryAfter({ interceptors, contract }: Pick<Engine, 'interceptors' | 'contract'>): void {
  if (!contract.hasHttpSemantics) return
  const { intercept } = interceptors
  interceptors.intercept = (request, operation, world, progress) => {
    const { code } = parsePrefer(request.header('prefer') ?? '')
    if (needsRetryAfter(operation, code)) progress.headers = { 'Retry-After': '1', ...progress.headers }
    return intercept(request, operation, world, progress)
  }
}

/** Whether a temporary error has no documented `Retry-After`. */
export function needsRetryAfter(operation: Operation, status: number | undefined): boolean {
  if (status !== 429 && status !== 503) return false
  const documented = Object.keys(documentedResponse(operation, status)?.headers ?? {})
  return !documented.some((name) => name.toLowerCase() === 'retry-after')
}
