/** Forwards requests to a service as they are, and shows each one with its answer. */
import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  request as openHttp,
  type RequestOptions,
  type ServerResponse,
} from 'node:http'
import { BodyCollector } from '../sandbox/request/body-limit.js'
import type { MemoryBudget } from '../state/memory-budget.js'
import { type Failure, toFailure } from './failure.js'
import type { HttpRequest } from './http-request.js'

/**
 * Answers a request by itself.
 * @returns the status when it is sent, a failure that is still to be sent, or undefined if the client has left
 */
export type Forward = (
  request: HttpRequest,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
) => Promise<number | Failure | undefined>

export interface ForwardOptions {
  /** The address of the service. Only its protocol, host and port are used. */
  target: URL
  /** Milliseconds without progress before the answer begins. */
  timeoutMs: number
  /** Longer bodies are forwarded, but not kept. */
  maxBodyBytes: number
  /** The memory for kept bodies. Without room a body is not kept. */
  memory: MemoryBudget
  /** Called after each request. Its bodies take memory until the promise resolves. */
  onForwarded: (forwarded: Forwarded) => Promise<void>
}

/** A request with the answer that the client got. */
export interface Forwarded {
  /** Milliseconds since 1970. */
  at: number
  /** @see Exchange.source */
  source: string | undefined
  request: Message & { method: string; target: string }
  /** Undefined if the client left, or broke off its request, before the answer began. */
  response: (Message & { status: number }) | undefined
  /** Why the service gave no complete answer. Undefined if it did, or if the client did not wait for it. */
  noAnswer: NoAnswer | undefined
}

interface Message {
  /** Names and values alternate, as they were sent. */
  headers: readonly string[]
  /** Undefined if it was not kept, or did not arrive completely. */
  body: Uint8Array | undefined
  /** Whether it was not kept because of its length. */
  isTooLong: boolean
}

export interface NoAnswer {
  why: 'refused' | 'timeout' | 'dropped' | 'not-http'
  /** Continues a sentence whose subject is the service, without a full stop. */
  message: string
}

/** Milliseconds for which an idle connection to the service is kept. Most services close them after five seconds or more. */
const idleMs = 4_000
/** Bytes of the head of an answer: more than a server allows for a request, as policies and cookies may be long. */
const maxHeaderSize = 128 * 1024

export async function createForward(options: ForwardOptions): Promise<Forward> {
  const { target } = options
  // TLS takes a tenth of the time of a start.
  const secure = target.protocol === 'https:' ? await import('node:https') : undefined
  const { hostname, port, protocol } = target
  const service: Service = {
    ...options,
    open: secure?.request ?? openHttp,
    idle: new (secure?.Agent ?? Agent)({ keepAlive: true, timeout: idleMs }),
    single: new (secure?.Agent ?? Agent)(),
    address: { protocol, hostname: hostname.replace(/^\[|\]$/g, ''), port, maxHeaderSize },
  }
  return (request, incoming, outgoing) =>
    new Promise((answer, reject) => {
      const forwarding = new Forwarding(service, request, incoming, outgoing, answer)
      try {
        forwarding.start()
      } catch (error) {
        reject(error)
      }
    })
}

interface Service extends ForwardOptions {
  open: typeof openHttp
  /** Keeps connections open. */
  idle: Agent
  /** Opens a connection for each request. */
  single: Agent
  address: RequestOptions
}

/** A request that is forwarded, until its connection is closed. */
class Forwarding {
  readonly #service: Service
  readonly #request: HttpRequest
  readonly #incoming: IncomingMessage
  readonly #outgoing: ServerResponse
  readonly #answer: (answered: number | Failure | undefined) => void
  readonly #at = Date.now()
  readonly #method: string
  readonly #path: string
  readonly #hasBody: boolean
  /** Only these may be sent again if the service closes an idle connection at the same moment (RFC 9110, section 9.2.2). */
  readonly #isRepeatable: boolean
  readonly #sentHeaders: string[]
  readonly #sent: KeptBody
  readonly #received: KeptBody
  readonly #timer: NodeJS.Timeout
  #upstream: ClientRequest | undefined
  #response: IncomingMessage | undefined
  #noAnswer: NoAnswer | undefined
  /** The answer of the proxy itself. */
  #failed: Failure | undefined

  constructor(
    service: Service,
    request: HttpRequest,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    answer: (answered: number | Failure | undefined) => void,
  ) {
    const { maxBodyBytes, memory, target, timeoutMs } = service
    const { method = 'GET', headers, url } = incoming
    this.#service = service
    this.#request = request
    this.#incoming = incoming
    this.#outgoing = outgoing
    this.#answer = answer
    this.#method = method
    this.#path = url?.startsWith('/') ? url : toTarget(request)
    this.#hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
    this.#isRepeatable = !this.#hasBody && !/^(?:POST|PATCH)$/.test(method)
    this.#sentHeaders = toSentHeaders(incoming, target.host)
    this.#sent = new KeptBody(maxBodyBytes, memory)
    this.#received = new KeptBody(maxBodyBytes, memory)
    this.#timer = setTimeout(() => this.#expire(), timeoutMs)
  }

  /** Sends the request, and passes the answer on. */
  start(): void {
    const { socket } = this.#incoming
    const leave = () => this.#outgoing.destroy()
    socket.once('end', leave)
    this.#outgoing.on('error', () => {})
    this.#outgoing.once('close', () => {
      socket.off('end', leave)
      this.#finish()
    })
    this.#incoming.on('data', (chunk: Buffer) => {
      this.#sent.add(chunk)
      this.#timer.refresh()
    })
    this.#incoming.once('end', () => this.#upstream?.addTrailers(toTrailers(this.#incoming)))
    this.#request.onCut((error) => this.#end([400, error.message]))
    try {
      this.#send(this.#isRepeatable ? this.#service.idle : this.#service.single)
    } catch (error) {
      clearTimeout(this.#timer)
      throw error
    }
  }

  #expire(): void {
    const { socket, writableNeedDrain } = this.#upstream ?? {}
    const isWaitingForClient = !this.#incoming.complete && socket?.connecting === false && !writableNeedDrain
    if (isWaitingForClient) this.#timer.refresh()
    else this.#upstream?.destroy(new TimeoutError(`gave no answer within ${this.#service.timeoutMs / 1000} s`))
  }

  #send(agent: Agent): void {
    const { open, address, single } = this.#service
    const upstream = open({ ...address, agent, method: this.#method, path: this.#path, headers: this.#sentHeaders })
    this.#upstream = upstream
    upstream.once('response', (from) => void this.#receive(from))
    upstream.once('upgrade', (_, opened) => {
      opened.destroy()
      this.#fail(Object.assign(new Error('it switches protocols'), { code: 'HPE_' }))
    })
    upstream.on('error', (error: NodeJS.ErrnoException) => {
      const isStale = upstream.reusedSocket && error.code === 'ECONNRESET' && !this.#response
      if (this.#isRepeatable && isStale && agent !== single && !this.#outgoing.closed) this.#send(single)
      else this.#fail(error)
    })
    // A client that is still sending may read the answer only after that.
    upstream.once('close', () => this.#incoming.unpipe().resume())
    if (this.#hasBody) this.#incoming.pipe(upstream)
    else upstream.end()
  }

  async #receive(from: IncomingMessage): Promise<void> {
    this.#response = from
    // What arrived with the head may be malformed. That is known after this turn, when 502 is still possible.
    await undefined
    if (this.#failed || this.#outgoing.closed) return
    try {
      this.#begin(from)
    } catch (error) {
      // Such as a status that HTTP does not have, also if the answer has ended.
      this.#response = undefined
      this.#fail(Object.assign(error as Error, { code: 'HPE_' }))
    }
  }

  #begin(from: IncomingMessage): void {
    const outgoing = this.#outgoing
    clearTimeout(this.#timer)
    const { statusCode = 502, statusMessage = '', rawHeaders } = from
    outgoing.sendDate = false
    // Node.js reads more in a status line than it writes.
    const reason = /^[\t\x20-\x7e\x80-\xff]*$/.test(statusMessage) ? statusMessage : ''
    outgoing.writeHead(statusCode, reason, withoutHops(rawHeaders))
    // Otherwise the head would wait for the first part of the body. `flushHeaders` would write it in UTF-8.
    outgoing.write('', 'latin1')
    this.#answer(statusCode)
    from.on('data', (chunk: Buffer) => this.#received.add(chunk))
    from.once('end', () => outgoing.addTrailers(toTrailers(from)))
    from.on('error', (error: NodeJS.ErrnoException) => this.#fail(error))
    from.pipe(outgoing)
  }

  #fail(error: NodeJS.ErrnoException): void {
    if (this.#noAnswer || this.#failed || this.#outgoing.closed || this.#response?.complete) return
    this.#noAnswer = describe(error)
    const { why, message } = this.#noAnswer
    this.#end([why === 'timeout' ? 504 : 502, `The service at ${this.#service.target.origin} ${message}`])
  }

  /** Ends a request that the service does not answer. */
  #end(failure: Failure): void {
    this.#stop()
    if (this.#outgoing.headersSent) {
      this.#outgoing.destroy()
      return
    }
    this.#failed = failure
    this.#answer(failure)
  }

  #stop(): void {
    clearTimeout(this.#timer)
    this.#upstream?.destroy()
  }

  /** The connection is closed: shows what was forwarded. */
  #finish(): void {
    const response = this.#response
    const isComplete = this.#outgoing.writableFinished && response?.complete === true
    // The client may still be sending when it has the whole answer.
    if (!isComplete) this.#stop()
    this.#answer(undefined)
    const answered = response && {
      status: response.statusCode ?? 0,
      ...this.#received.toMessage(withoutHops(response.rawHeaders), isComplete),
    }
    const forwarded = this.#service.onForwarded({
      at: this.#at,
      source: this.#request.source,
      request: {
        ...{ method: this.#method, target: this.#path },
        ...this.#sent.toMessage(this.#sentHeaders, this.#incoming.complete),
      },
      response: this.#noAnswer && this.#failed ? toOwn(this.#failed) : answered,
      noAnswer: this.#noAnswer,
    })
    forwarded.finally(() => {
      this.#sent.free()
      this.#received.free()
    })
  }
}

class TimeoutError extends Error {}

/** The answer of the proxy itself. */
function toOwn(failure: Failure): Forwarded['response'] {
  const { status, headers, body } = toFailure(failure)
  return { status, headers: Object.entries(headers).flat(), body: Buffer.from(body), isTooLong: false }
}

/** A body is in memory as received bytes, as decoded ones, as text and as a value. */
const bytesPerByte = 4

/** The body of a message, as long as there is room for it. */
class KeptBody {
  readonly #collector: BodyCollector
  readonly #memory: MemoryBudget
  #taken = 0
  #isKept = true
  /** Whether there was no room for it. */
  isTooLong = false

  constructor(maxBytes: number, memory: MemoryBudget) {
    this.#collector = new BodyCollector(maxBytes)
    this.#memory = memory
  }

  add(chunk: Uint8Array): void {
    if (!this.#isKept) return
    const needed = bytesPerByte * chunk.length
    const hasRoom = this.#memory.take(needed)
    if (hasRoom) {
      this.#taken += needed
      this.#collector.add(chunk)
    }
    this.isTooLong = !hasRoom || this.#collector.isTooLarge
    if (this.isTooLong) this.free()
  }

  /** @param isWhole whether all of it arrived */
  toMessage(headers: readonly string[], isWhole: boolean): Message {
    const { isTooLong } = this
    return { headers, isTooLong, body: isWhole && !isTooLong ? this.#collector.bytes() : undefined }
  }

  /** Frees its memory, and keeps nothing more. */
  free(): void {
    this.#isKept = false
    this.#collector.bytes()
    this.#memory.free(this.#taken)
    this.#taken = 0
  }
}

/** About one connection only (RFC 9110, section 7.6.1). Trailers are forwarded without their announcement. */
const hops = ['connection', 'proxy-connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade']
/** Without these the message would be another one, even if `Connection` names them. */
const kept = new Set(['host', 'content-length'])

/** What must not come after the content: framing, routing, conditions, authentication, control and content (section 6.5.1). */
const early =
  'age authorization cache-control content-encoding content-length content-range content-type cookie date expect expires host if-match if-modified-since if-none-match if-range if-unmodified-since location max-forwards pragma proxy-authenticate proxy-authorization range retry-after set-cookie vary warning www-authenticate'.split(
    ' ',
  )

/** Whether a message with these headers may be forwarded with a field. */
function createIsForwarded(rawHeaders: readonly string[], others: readonly string[]): (name: string) => boolean {
  const values = rawHeaders.filter((_, index) => index % 2 === 1 && /^connection$/i.test(rawHeaders[index - 1] ?? ''))
  const named = values.flatMap((value) => value.split(',').map((name) => name.trim().toLowerCase()))
  const dropped = new Set([...hops, ...named.filter((name) => !kept.has(name)), ...others])
  return (name) => !dropped.has(name.toLowerCase())
}

function withoutHops(rawHeaders: readonly string[]): string[] {
  const isForwarded = createIsForwarded(rawHeaders, [])
  return rawHeaders.filter((_, index) => isForwarded(rawHeaders[index - (index % 2)] ?? ''))
}

/** The headers for the service: the same ones with its host, and with the framing that Node.js would not choose. */
function toSentHeaders({ rawHeaders, headers, method = '' }: IncomingMessage, host: string): string[] {
  const sent = withoutHops(rawHeaders)
  const at = sent.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'host')
  if (at < 0) sent.unshift('Host', host)
  else sent[at + 1] = host
  if (headers['transfer-encoding'] !== undefined) sent.push('Transfer-Encoding', 'chunked')
  else if (headers['content-length'] === undefined && /^(?:POST|PUT|PATCH)$/.test(method))
    sent.push('Content-Length', '0')
  return sent
}

/** Of a request whose target has a host, or is `*`. */
function toTarget({ pathname, query }: HttpRequest): string {
  return pathname + (query === '' ? '' : `?${query}`)
}

function toTrailers({ rawHeaders, rawTrailers }: IncomingMessage): [string, string][] {
  const isForwarded = createIsForwarded(rawHeaders, early)
  return rawTrailers.flatMap((name, index) =>
    index % 2 === 0 && isForwarded(name) ? [[name, rawTrailers[index + 1] ?? '']] : [],
  )
}

/** Codes of connections that were never opened, including those of TLS. */
const refusals = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPROTO)$|CERT|TLS|SSL|SIGNATURE/

function describe(error: NodeJS.ErrnoException): NoAnswer {
  const { code = '' } = error
  // Those of several addresses have no message.
  const text = error.message || code
  if (error instanceof TimeoutError) return { why: 'timeout', message: text }
  if (code === 'ETIMEDOUT') return { why: 'timeout', message: `cannot be reached in time (${text})` }
  if (refusals.test(code)) return { why: 'refused', message: `cannot be reached (${text})` }
  if (code.startsWith('HPE_')) return { why: 'not-http', message: `answered with something that is not HTTP (${text})` }
  return { why: 'dropped', message: `closed the connection before the answer was complete (${text})` }
}
