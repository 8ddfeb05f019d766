/** Decides who may use the control API: programs on this machine, and pages of the sandbox itself. */
import type { ControlRequest } from '../sandbox/request/request.js'

export interface GuardOptions {
  /** Whether only this machine reaches the server. */
  isLoopback: boolean
  /** The token that requests must have. @default none, if only this machine reaches the server */
  token?: string | undefined
}

export interface Denial {
  status: 401 | 403 | 415
  code: string
  message: string
}

/** Names of this machine. Any other name leads here only by DNS rebinding. */
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i

/** Whether a browser at this address can use the control API, possibly with a token. */
export function isReachable(request: ControlRequest, { isLoopback, token }: GuardOptions): boolean {
  return token !== undefined || (isLoopback && loopback.test(request.header('host') ?? ''))
}

/**
 * @returns why a request is denied
 * @see Fetch Metadata Request Headers, section 2, for `Sec-Fetch-Site`
 */
export function deny(request: ControlRequest, { isLoopback, token }: GuardOptions): Denial | undefined {
  const host = request.header('host') ?? ''
  if (token !== undefined) {
    if (request.header('authorization') !== `Bearer ${token}`)
      return { status: 401, code: 'unauthorized', message: 'The control API needs the token of --control-token' }
  } else if (!isLoopback) {
    return forbid('The control API is off where other machines reach the server; --control-token <token> turns it on')
  } else if (!loopback.test(host)) {
    return forbid(`The control API answers to names of this machine only, such as localhost (got "${host}")`)
  }
  const origin = request.header('origin')
  // A proxy in front of the server may speak TLS.
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`)
    return forbid(`The control API does not answer pages of another origin (got "${origin}")`)
  const site = request.header('sec-fetch-site')
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return forbid('The control API does not answer requests of other sites')
  return isWriting(request) && !isJson(request) ? wrongType : undefined
}

const wrongType: Denial = {
  status: 415,
  code: 'unsupported_media_type',
  message: 'Send Content-Type: application/json, even without a body: a form on another site cannot send it',
}

function isWriting({ method }: ControlRequest): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH'
}

function isJson(request: ControlRequest): boolean {
  return /^application\/json\s*(;|$)/i.test(request.header('content-type') ?? '')
}

function forbid(message: string): Denial {
  return { status: 403, code: 'forbidden', message }
}
