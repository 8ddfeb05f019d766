/** Translates between `node:http` and the engine. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Refusal } from '../sandbox/outcome.js'
import { BodyCollector } from '../sandbox/request/body-limit.js'
import type { Locator } from '../sandbox/request/locate-server.js'
import type { ControlRequest, SandboxRequest, SandboxResponse } from '../sandbox/request/request.js'
import type { MemoryBudget } from '../state/memory-budget.js'

/** Path and query of a request target, which may be absolute (RFC 9112, section 3.2.2). */
function splitTarget(target: string): { pathname: string; query: string } {
  const relative = target.startsWith('/') ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, '')
  const mark = relative.indexOf('?')
  if (mark === -1) return { pathname: relative || '/', query: '' }
  return { pathname: relative.slice(0, mark) || '/', query: relative.slice(mark + 1) }
}

/** Maximum bytes of a body that are searched for credentials. No message quotes more. */
const maxSentText = 1024 * 1024

/** The name of the header, in lower case. */
const sourceHeader = 'sandbox-source'
/** Characters that are kept of it. The loader sends at most 1024, so a longer one counts as malformed. */
const maxSource = 1025

/**
 * Takes `Sandbox-Source` out of a request, before anything judges, keeps or shows it: it is about the code of the client.
 * @returns its value; of several, the last one; undefined without it
 */
function takeSource(incoming: IncomingMessage): string | undefined {
  const { rawHeaders } = incoming
  let source: string | undefined
  for (let index = rawHeaders.length - 2; index >= 0; index -= 2) {
    const name = rawHeaders[index] ?? ''
    if (name.length !== sourceHeader.length || name.toLowerCase() !== sourceHeader) continue
    const [, value = ''] = rawHeaders.splice(index, 2)
    source ??= value.slice(0, maxSource)
    // They may have been read before.
    delete incoming.headers[sourceHeader]
  }
  return source
}

/** A class, because an object is created for each request: its methods are created once. */
export class HttpRequest implements SandboxRequest, ControlRequest {
  declare readonly method: string
  declare readonly pathname: string
  declare readonly query: string
  declare readonly server: string | undefined
  declare readonly mount: string
  declare readonly path: string
  declare readonly source: string | undefined
  readonly #incoming: IncomingMessage
  readonly #memory: MemoryBudget
  /** Bytes taken from the memory budget. */
  #taken = 0
  #cutBy: unknown
  #stopReading: ((error: unknown) => void) | undefined
  /** The body until it is freed. */
  #received: Uint8Array | undefined

  constructor(incoming: IncomingMessage, locator: Locator, memory: MemoryBudget) {
    const { pathname, query } = splitTarget(incoming.url ?? '/')
    const { server, mount, path } = locator.byMount(pathname)
    this.method = incoming.method ?? 'GET'
    this.pathname = pathname
    this.query = query
    this.server = server
    this.mount = mount
    this.path = path
    this.source = takeSource(incoming)
    this.#incoming = incoming
    this.#memory = memory
  }

  header(name: string): string | undefined {
    const value: unknown = this.#incoming.headers[name]
    if (typeof value === 'string') return value
    // Other members of the object, such as its constructor, are not from the request.
    return Array.isArray(value) ? value.join(', ') : undefined
  }

  headers(): readonly string[] {
    return this.#incoming.rawHeaders
  }

  /** Whether the body was read but ended too early. */
  get isCut(): boolean {
    return this.#cutBy !== undefined && this.#stopReading !== undefined
  }

  /** Ends the body: the rest of it cannot be read. @param error see `SandboxRequest.body` */
  cut(error: unknown): void {
    this.#cutBy = error
    this.#stopReading?.(error)
  }

  /** Calls a function if the body ends too early, for a body that is read by others. */
  onCut(listener: (error: { message: string }) => void): void {
    this.#stopReading = (error) => listener(error as Error)
    if (this.#cutBy) this.#stopReading(this.#cutBy)
  }

  /** The beginning of the body, if it was read and is not yet freed. */
  sentText(): string | undefined {
    const sent = this.#received
    if (!sent) return undefined
    // A buffer decodes short texts faster than `TextDecoder`. A body of one chunk already is one.
    const bytes = sent instanceof Buffer ? sent : Buffer.from(sent.buffer, sent.byteOffset, sent.length)
    return bytes.toString('utf8', 0, maxSentText)
  }

  /** Reads even a too large body to its end, so that the client reads the response. The request timeout limits it. */
  body(maxBytes: number): Promise<Uint8Array | undefined> {
    return new Promise((resolve, reject) => {
      let collector = new BodyCollector(maxBytes)
      let needed = 0
      let hasRoom = true
      let only: Buffer | undefined
      this.#incoming.on('data', (chunk: Buffer) => {
        const bytes = memoryFor(chunk)
        // Most bodies have one chunk, and a view of a whole buffer takes longer than the rest.
        only = needed === 0 ? chunk : undefined
        needed += bytes
        hasRoom &&= collector.isTooLarge || this.#take(bytes)
        if (hasRoom) collector.add(chunk)
        if (hasRoom && !collector.isTooLarge) return
        collector.bytes()
        only = undefined
        this.free()
      })
      this.#incoming.on('end', () => {
        if (!hasRoom) return void reject(this.#refuse(needed))
        this.#received = collector.isTooLarge ? undefined : (only ?? collector.bytes())
        // These listeners live as long as the request, which may wait for its delay after its body was freed.
        collector = new BodyCollector(0)
        only = undefined
        resolve(this.#received)
      })
      // Includes an aborted connection.
      this.#incoming.on('error', reject)
      this.#stopReading = reject
      if (this.#cutBy) reject(this.#cutBy)
    })
  }

  left(): AbortSignal {
    const controller = new AbortController()
    const { socket } = this.#incoming
    const leave = () => {
      socket.off('end', leave)
      controller.abort()
    }
    socket.once('end', leave)
    this.#incoming.once('close', leave)
    if (socket.readableEnded) setImmediate(leave)
    return controller.signal
  }

  /** Frees the memory of the body. */
  free(): void {
    this.#memory.free(this.#taken)
    this.#taken = 0
    this.#received = undefined
  }

  #take(bytes: number): boolean {
    const isTaken = this.#memory.take(bytes)
    if (isTaken) this.#taken += bytes
    return isTaken
  }

  /** @param needed the memory of the whole body */
  #refuse(needed: number): Refusal {
    const { maxBytes } = this.#memory
    if (needed <= maxBytes) return new Refusal('unavailable', this.#memory.refusal('the body'))
    const message = `The body takes about ${needed} bytes of memory; the limit is ${maxBytes} bytes (--max-memory)`
    return new Refusal('payload_too_large', message)
  }
}

/** A body is in memory as bytes and as text. */
const bytesPerByte = 2
/** Bytes of a JSON value in addition to its text. */
const bytesPerValue = 48

/** The approximate memory for a part of a body. Counts `,[{`, which precede each JSON value and are rare in other types. */
function memoryFor(chunk: Buffer): number {
  let values = 0
  // An index, because iterating over a buffer takes several times as long.
  for (let index = 0; index < chunk.length; index++) {
    const byte = chunk[index]
    if (byte === 0x2c || byte === 0x5b || byte === 0x7b) values++
  }
  return bytesPerByte * chunk.length + bytesPerValue * values
}

/** Whether the connection is closed before all of a response is sent. */
export function isBroken({ delivery, body, bytes }: SandboxResponse): boolean {
  if (delivery?.drop) return true
  return delivery?.truncate !== undefined && delivery.truncate < Buffer.byteLength(bytes ?? body ?? '')
}

/** Closes the connection without an answer, or in the middle of it. */
export function breakOff(outgoing: ServerResponse, { status, headers, body, bytes, delivery }: SandboxResponse): void {
  const sent = bytes ?? body ?? ''
  const end = () => outgoing.socket?.destroy()
  if (delivery?.drop) return void end()
  outgoing.writeHead(status, { ...headers, 'Content-Length': String(Buffer.byteLength(sent)) })
  outgoing.write(Buffer.from(sent as Uint8Array).subarray(0, delivery?.truncate), end)
}

/**
 * Sends a response.
 * @param isLast whether to close the connection after it
 * @param end sends the body, and ends the response
 */
export function send(
  outgoing: ServerResponse,
  { status, headers, body: text, bytes }: SandboxResponse,
  isLast: boolean,
  end: (outgoing: ServerResponse, body: string | Uint8Array | undefined) => void,
): void {
  // Alternating names and values, the internal form of Node.js: an object would be copied again.
  const sent: string[] = []
  for (const name in headers) sent.push(name, headers[name] ?? '')
  const body = bytes ?? text
  const hasLength = status === 204 || status === 304 || headers['Content-Length'] !== undefined
  if (!hasLength) sent.push('Content-Length', String(body === undefined ? 0 : Buffer.byteLength(body)))
  if (isLast) sent.push('Connection', 'close')
  outgoing.writeHead(status, sent)
  end(outgoing, body)
}
