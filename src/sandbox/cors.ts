/** Cross-origin requests: any origin, with credentials (Fetch standard, section 3.3). */
import type { SandboxRequest } from './request.js'

const exposed = 'Deprecation, Sunset, Link, WWW-Authenticate, Allow, Retry-After, Preference-Applied'

/** Headers of every response to a request from a page of another origin. */
export function corsHeaders(origin: string): Record<string, string> {
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers': exposed,
    Vary: 'Origin',
  }
}

/** A browser asks whether it may send what it is about to send. */
export function isPreflight(request: SandboxRequest): boolean {
  return (
    request.method === 'OPTIONS' &&
    request.header('origin') !== undefined &&
    request.header('access-control-request-method') !== undefined
  )
}

/** Everything that was asked for is allowed, so that a page sees the real answer, a 404 or 405 included. */
export function preflightHeaders(request: SandboxRequest, methods: readonly string[]): Record<string, string> {
  const wanted = request.header('access-control-request-method') ?? ''
  const allowed = /^[A-Za-z]+$/.test(wanted) ? [...new Set([...methods, wanted])] : methods
  const headers = request.header('access-control-request-headers')
  return {
    'Access-Control-Allow-Methods': allowed.join(', '),
    ...(headers !== undefined && { 'Access-Control-Allow-Headers': headers }),
    'Access-Control-Max-Age': '600',
  }
}
