/** Translates between `node:http` and the engine. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { getOrInsert } from '../contract/get-or-insert.js'
import type { Location, Locator } from '../sandbox/locate.js'
import type { ControlRequest, SandboxRequest, SandboxResponse } from '../sandbox/request.js'

/** A request target, read. */
export interface Target extends Location {
  pathname: string
  /** Without the question mark; empty where there is none. */
  query: string
}

/** How many targets are remembered, and how long one may be. */
const maxTargets = 256
const maxLength = 256

/** Callers ask for the same again and again: what a target says is found out once, and its texts are there once. */
export function createReadTarget(locator: Locator): (target: string) => Target {
  const known = new Map<string, Target>()
  const read = (target: string): Target => {
    const { pathname, query } = splitTarget(target)
    return { ...locator.byMount(pathname), pathname, query }
  }
  return (target) =>
    target.length <= maxLength ? getOrInsert(known, target, () => read(target), maxTargets) : read(target)
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
    const value = this.#incoming.headers[name]
    return typeof value === 'object' ? value.join(', ') : value
  }

  headers(): readonly string[] {
    return this.#incoming.rawHeaders
  }

  body(maxBytes: number): Promise<Uint8Array | undefined> {
    return readBody(this.#incoming, maxBytes)
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
    incoming.on('end', () => {
      const [first] = chunks
      if (size > maxBytes) resolve(undefined)
      else resolve(first && chunks.length === 1 ? first : Buffer.concat(chunks))
    })
    // Where the connection breaks off as well.
    incoming.on('error', reject)
  })
}

/** @param isLast the connection is closed after it */
export function send(
  outgoing: ServerResponse,
  { status, headers, body: text, bytes }: SandboxResponse,
  isLast: boolean,
): void {
  // Names and values in turn: the headers belong to the journal, and a copy of them costs more.
  const sent: string[] = []
  for (const name in headers) sent.push(name, headers[name] ?? '')
  const body = bytes ?? text
  const length = body === undefined ? 0 : Buffer.byteLength(body)
  const hasLength = status === 204 || status === 304 || headers['Content-Length'] !== undefined
  if (!hasLength) sent.push('Content-Length', String(length))
  if (isLast) sent.push('Connection', 'close')
  outgoing.writeHead(status, sent)
  // A text with a byte for each character is ASCII, and is written as it is.
  outgoing.end(body, length === body?.length ? 'latin1' : 'utf8')
}
