/** Responses without the engine: to requests that never reach the service, or after a failure. */
import { STATUS_CODES } from 'node:http'
import type { SandboxResponse } from '../sandbox/request/request.js'

export type Failure = readonly [status: number, message: string]

const codes: Record<number, string> = {
  400: 'invalid_request',
  421: 'misdirected_request',
  500: 'internal_error',
  501: 'not_implemented',
  502: 'bad_gateway',
  503: 'unavailable',
  504: 'gateway_timeout',
  505: 'http_version_not_supported',
}

/** A response with the common error body. */
export function toFailure([status, message]: Failure): SandboxResponse & { body: string } {
  const code = codes[status] ?? `status_${status}`
  const body = JSON.stringify({ code, message, status })
  return { status, headers: { 'Content-Type': 'application/json' }, body, refused: message }
}

/** Writes the response as HTTP text, for a request that `node:http` could not parse. */
export function writeFailure(failure: Failure): string {
  const { status, headers, body } = toFailure(failure)
  const lines = Object.entries({ ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' })
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines.map(([name, value]) => `${name}: ${value}`)]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

/** The error code if a client disconnects in the middle of a request. */
export const brokenOff = 'HPE_INVALID_EOF_STATE'

const malformed: Record<string, Failure> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers must have at most 16384 bytes'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time'],
  [brokenOff]: [400, 'The client closed the connection before the request was complete'],
}

/** Whether a request only ended too early instead of being malformed. @param code the error code of `node:http` */
export function isBrokenOff(code: string | undefined): boolean {
  return code === brokenOff || code === 'ERR_HTTP_REQUEST_TIMEOUT'
}

/** The reason why `node:http` could not parse a request. @param code its error code */
export function toMalformed(code: string | undefined): Failure {
  return malformed[code ?? ''] ?? [400, 'This is not an HTTP request']
}
