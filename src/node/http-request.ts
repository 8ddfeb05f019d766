/** Translates between `node:http` and the engine. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ownValue } from '../json/own-value.js'
import { BodyCollector } from '../sandbox/body-limit.js'
import type { Locator } from '../sandbox/locate-server.js'
import type { ControlRequest, SandboxRequest, SandboxResponse } from '../sandbox/request.js'

/** Path and query of a request target, which may be absolute (RFC 9112, section 3.2.2). */
function splitTarget(target: string): { pathname: string; query: string } {
  const relative = target.startsWith('/') ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, '')
  const mark = relative.indexOf('?')
  if (mark === -1) return { pathname: relative || '/', query: '' }
  return { pathname: relative.slice(0, mark) || '/', query: relative.slice(mark + 1) }
}

/** A class, because an object is created for each request: its methods are created once. */
export class HttpRequest implements SandboxRequest, ControlRequest {
  readonly method: string
  readonly pathname: string
  readonly query: string
  readonly server: string | undefined
  readonly mount: string
  readonly path: string
  readonly #incoming: IncomingMessage

  constructor(incoming: IncomingMessage, locator: Locator) {
    const { pathname, query } = splitTarget(incoming.url ?? '/')
    const { server, mount, path } = locator.byMount(pathname)
    this.method = incoming.method ?? 'GET'
    this.pathname = pathname
    this.query = query
    this.server = server
    this.mount = mount
    this.path = path
    this.#incoming = incoming
  }

  header(name: string): string | undefined {
    // A header of the name constructor is one that the request need not have.
    const value = ownValue(this.#incoming.headers, name)
    return typeof value === 'object' ? value.join(', ') : value
  }

  headers(): readonly string[] {
    return this.#incoming.rawHeaders
  }

  body(maxBytes: number): Promise<Uint8Array | undefined> {
    return readBytes(this.#incoming, maxBytes)
  }
}

/** Reads even a too large body to its end, so that the client reads the response. The request timeout limits it. */
function readBytes(incoming: IncomingMessage, maxBytes: number): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    const collector = new BodyCollector(maxBytes)
    incoming.on('data', (chunk: Buffer) => collector.add(chunk))
    incoming.on('end', () => resolve(collector.bytes()))
    // Includes an aborted connection.
    incoming.on('error', reject)
  })
}

/** @param isLast whether to close the connection after the response */
export function send(
  outgoing: ServerResponse,
  { status, headers, body: text, bytes }: SandboxResponse,
  isLast: boolean,
): void {
  // Names and values in turn, as Node.js keeps them: an object would be copied once more.
  const sent: string[] = []
  for (const name in headers) sent.push(name, headers[name] ?? '')
  const body = bytes ?? text
  const hasLength = status === 204 || status === 304 || headers['Content-Length'] !== undefined
  if (!hasLength) sent.push('Content-Length', String(body === undefined ? 0 : Buffer.byteLength(body)))
  if (isLast) sent.push('Connection', 'close')
  outgoing.writeHead(status, sent)
  outgoing.end(body)
}
