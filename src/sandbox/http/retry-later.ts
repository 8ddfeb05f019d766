/** Says when to try again, in answers that a caller chose (RFC 9110, section 10.2.3; RFC 6585, section 4). */
import type { Operation } from '../../contract/contract.js'
import { documentedResponse } from '../../contract/documented-status.js'
import type { Engine } from '../create-engine.js'
import { parsePrefer } from '../prefer.js'

/** Adds `Retry-After` to 429 and 503 that `Prefer: code=` chooses, where care of HTTP is asked for. */
export function addRetryAfter({ interceptors, contract }: Pick<Engine, 'interceptors' | 'contract'>): void {
  if (!contract.hasHttpSemantics) return
  const { intercept } = interceptors
  interceptors.intercept = (request, operation, world, progress) => {
    const { code } = parsePrefer(request.header('prefer') ?? '')
    if (needsRetryAfter(operation, code)) progress.headers = { 'Retry-After': '1', ...progress.headers }
    return intercept?.(request, operation, world, progress)
  }
}

/** Whether an error that passes has no documented time after which to try again. */
export function needsRetryAfter(operation: Operation, status: number | undefined): boolean {
  if (status !== 429 && status !== 503) return false
  const documented = Object.keys(documentedResponse(operation, status)?.headers ?? {})
  return !documented.some((name) => name.toLowerCase() === 'retry-after')
}
