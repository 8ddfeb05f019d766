/** The control API beside the service: health, the served document, and a page at the root. */

import type { ControlRequest, SandboxResponse } from '../sandbox/request.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { toSendable } from '../sandbox/sendable-response.js'
import { renderPage } from './page.js'

export interface ControlOptions {
  sandbox: Sandbox
  /** Returns the served document. Called when the document is requested. */
  document: () => Promise<{ document: unknown; text: string }>
  /** Writes a command that a user can run first. @param origin origin of the sandbox, without a trailing slash */
  writeCurl: (origin: string) => Promise<string>
}

/** @returns undefined for requests to the service */
export type Control = (request: ControlRequest) => Promise<SandboxResponse> | undefined

export function createControl({ sandbox, document, writeCurl }: ControlOptions): Control {
  const { tokenPath } = sandbox
  const resources: Record<string, () => Promise<[mediaType: string, body: string]>> = {
    '/_sandbox/health': async () => ['application/json', '{"status":"ok"}'],
    '/_sandbox/openapi.yaml': async () => ['application/yaml', (await document()).text],
    '/_sandbox/openapi.json': async () => ['application/json', JSON.stringify((await document()).document)],
  }

  const paths = [...Object.keys(resources), ...(tokenPath === undefined ? [] : [tokenPath])]

  return function control(request) {
    const { method, pathname } = request
    const isReading = method === 'GET' || method === 'HEAD'
    if (pathname === '/') {
      const isBrowser = isReading && request.header('accept')?.includes('text/html')
      return isBrowser ? respondWithPage(method, `http://${request.header('host') ?? 'localhost'}`) : undefined
    }
    if (!pathname.startsWith('/_sandbox/') && pathname !== '/_sandbox') return undefined
    if (pathname === tokenPath) return undefined
    const resource = Object.hasOwn(resources, pathname) ? resources[pathname] : undefined
    if (!resource) return refuse(method, 404, 'not_found', `No such path: ${pathname}; available: ${paths.join(', ')}`)
    if (!isReading)
      return refuse(method, 405, 'method_not_allowed', `${method} is not allowed on ${pathname}; allowed: GET, HEAD`)
    return resource().then(([mediaType, body]) => respond(method, 200, mediaType, body))
  }

  async function respondWithPage(method: string, origin: string): Promise<SandboxResponse> {
    return respond(method, 200, 'text/html; charset=utf-8', await renderPage(sandbox, origin, await writeCurl(origin)))
  }
}

async function respond(method: string, status: number, mediaType: string, body: string): Promise<SandboxResponse> {
  const headers: Record<string, string> = {
    'Content-Type': mediaType,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  }
  if (status === 405) headers['Allow'] = 'GET, HEAD'
  if (mediaType.startsWith('text/html'))
    headers['Content-Security-Policy'] =
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  if (method !== 'HEAD') return toSendable({ status, headers, body })
  const length = String(Buffer.byteLength(body))
  return toSendable({ status, headers: { ...headers, 'Content-Length': length }, body: undefined })
}

function refuse(method: string, status: number, code: string, message: string): Promise<SandboxResponse> {
  return respond(method, status, 'application/json', JSON.stringify({ code, message, status }))
}
