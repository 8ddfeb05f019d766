/** Translates between `node:http` and the engine. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ownValue } from '../json/own.js'
import { BodyCollector } from '../sandbox/body-limit.js'
import type { Location, Locator } from '../sandbox/locator.js'
import type { ControlRequest, SandboxRequest, SandboxResponse } from '../sandbox/request.js'

/** A request target, read. */
export interface Target extends Location {
  pathname: string
  /** Without the question mark; empty where there is none. */
  query: string
}

/** Reads a request target: which server it belongs to, the path below that, and the query. */
export function readTarget(locator: Locator, target: string): Target {
  const { pathname, query } = splitTarget(target)
  return { ...locator.byMount(pathname), pathname, query }
}

/** Path and query of a request target, which may be absolute (RFC 9112, section 3.2.2). */
function splitTarget(target: string): { pathname: string; query: string } {
  const relative = target.startsWith('/') ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, '')
  const mark = relative.indexOf('?')
  if (mark === -1) return { pathname: relative || '/', query: '' }
  return { pathname: relative.slice(0, mark) || '/', query: relative.slice(mark + 1) }
}

/** A class, as one is made for each request: its methods are made once. */
export class HttpRequest implements SandboxRequest, ControlRequest {
  readonly method: string
  readonly pathname: string
  readonly query: string
  readonly server: string | undefined
  readonly mount: string
  readonly path: string
  readonly #incoming: IncomingMessage

  constructor(incoming: IncomingMessage, { pathname, query, server, mount, path }: Target) {
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

/** Reads to the end even what is too large, so that the client can read its answer; the request's time-out bounds it. */
function readBytes(incoming: IncomingMessage, maxBytes: number): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    const collector = new BodyCollector(maxBytes)
    incoming.on('data', (chunk: Buffer) => collector.add(chunk))
    incoming.on('end', () => resolve(collector.bytes()))
    // Also if the connection breaks off.
    incoming.on('error', reject)
  })
}

/** @param isLast the connection is closed after it */
export function send(
  outgoing: ServerResponse,
  { status, headers, body: text, bytes }: SandboxResponse,
  isLast: boolean,
): void {
  const sent: Record<string, string> = { ...headers }
  const body = bytes ?? text
  const hasLength = status === 204 || status === 304 || headers['Content-Length'] !== undefined
  if (!hasLength) sent['Content-Length'] = String(body === undefined ? 0 : Buffer.byteLength(body))
  if (isLast) sent['Connection'] = 'close'
  outgoing.writeHead(status, sent)
  outgoing.end(body)
}
