/** Translates between `node:http` and the engine. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Locator } from '../sandbox/locate.js'
import type { SandboxRequest, SandboxResponse } from '../sandbox/request.js'

/** Path and query of a request target, which may be absolute (RFC 9112, section 3.2.2). */
export function splitTarget(target: string): { pathname: string; query: string } {
  const relative = target.startsWith('/') ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, '')
  const mark = relative.indexOf('?')
  if (mark === -1) return { pathname: relative || '/', query: '' }
  return { pathname: relative.slice(0, mark) || '/', query: relative.slice(mark + 1) }
}

export function fromIncoming(
  incoming: IncomingMessage,
  { pathname, query }: { pathname: string; query: string },
  locator: Locator,
): SandboxRequest {
  const { server, mount, path } = locator.byMount(pathname)
  return {
    method: incoming.method ?? 'GET',
    server,
    mount,
    path,
    query,
    header(name) {
      const value = incoming.headers[name]
      return typeof value === 'object' ? value.join(', ') : value
    },
    headers: () => incoming.rawHeaders,
    body: (maxBytes) => readBody(incoming, maxBytes),
  }
}

/** Reads to the end even what is too large, so that the client can read its answer; the request's time-out bounds it. */
function readBody(incoming: IncomingMessage, maxBytes: number): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = []
    let size = 0
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxBytes) chunks.push(chunk)
      else chunks = []
    })
    incoming.on('end', () => resolve(size > maxBytes ? undefined : Buffer.concat(chunks)))
    incoming.on('error', reject)
    incoming.on('close', () => reject(new Error('The connection was closed')))
  })
}

/** @param isLast the connection is closed after it */
export function send(outgoing: ServerResponse, { status, headers, body }: SandboxResponse, isLast: boolean): void {
  const sent = { ...headers }
  const hasLength = status === 204 || status === 304 || headers['Content-Length'] !== undefined
  if (!hasLength) sent['Content-Length'] = String(body === undefined ? 0 : Buffer.byteLength(body))
  if (isLast) sent['Connection'] = 'close'
  outgoing.writeHead(status, sent)
  outgoing.end(body)
}
