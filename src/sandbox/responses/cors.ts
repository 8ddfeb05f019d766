/** CORS (Fetch standard, section 3.3): pages of any origin may call the sandbox. */
import type { SandboxRequest } from '../request/request.js'

const exposed = 'Deprecation, Sunset, Link, WWW-Authenticate, Allow, Retry-After, Preference-Applied'

/**
 * Headers of every response to a request with an `Origin` header.
 * @param vary what else the response depends on
 * @param others names of further headers that pages may read, each after `, `
 */
export function corsHeaders(origin: string, vary?: string, others = ''): Record<string, string> {
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers': exposed + others,
    Vary: vary === undefined ? 'Origin' : `${vary}, Origin`,
  }
}

/** Whether the request is a CORS preflight. */
export function isPreflight(request: SandboxRequest): boolean {
  return (
    request.method === 'OPTIONS' &&
    request.header('origin') !== undefined &&
    request.header('access-control-request-method') !== undefined
  )
}

/** Allows every requested method and header, so that a page sees the real response, even a 404 or 405. */
export function preflightHeaders(request: SandboxRequest, methods: readonly string[]): Record<string, string> {
  const requested = request.header('access-control-request-method') ?? ''
  const allowed = /^[A-Za-z]+$/.test(requested) ? [...new Set([...methods, requested])] : methods
  const headers = request.header('access-control-request-headers')
  return {
    'Access-Control-Allow-Methods': allowed.join(', '),
    ...(headers !== undefined && { 'Access-Control-Allow-Headers': headers }),
    'Access-Control-Max-Age': '600',
  }
}
