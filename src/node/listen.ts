/** The HTTP server of a sandbox. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { RequestContract } from '../contract/contract.js'
import type { HideCredentials } from '../contract/hiding/hide-credentials.js'
import type { Hide } from '../contract/hiding/hide-secrets.js'
import { SandboxError } from '../contract/sandbox-error.js'
import { shorten } from '../contract/violations.js'
import { getOrInsert } from '../json/own-value.js'
import type { Sandbox } from '../sandbox/facade/sandbox.js'
import { Refusal } from '../sandbox/outcome.js'
import { bodyEnded } from '../sandbox/request/read-body.js'
import type { ControlRequest, ControlResponse, SandboxResponse } from '../sandbox/request/request.js'
import type { MemoryBudget } from '../state/memory-budget.js'
import { type CheckHead, createCheckHeads } from './check-head.js'
import { trackConnections } from './connections.js'
import { brokenOff, type Failure, isBrokenOff, toFailure, toMalformed, writeFailure } from './failure.js'
import { toUrlHost } from './host-name.js'
import { breakOff, HttpRequest, isBroken, send } from './http-request.js'
import type { LogEntry } from './log-entry.js'
import type { Forward } from './proxy.js'
import { createStreams } from './streams.js'
import { createWaitingResponses } from './waiting-responses.js'

export interface ListenOptions {
  /** Returns the document that is currently served. */
  serving: () => Served
  /** 0 takes any free port. */
  port: number
  host: string
  /** Host names that are allowed in addition to those of this machine and of the document. `*` allows every name. */
  allowHosts: readonly string[]
  /** The memory for pending requests and responses. */
  memory: MemoryBudget
  /** Called after each response. */
  onExchange: ((entry: LogEntry) => void) | undefined
  /** Called with unexpected errors, for which the request gets 500 if it is not answered yet. */
  onUnexpectedError: (error: unknown) => void
}

export interface Served {
  sandbox: Sandbox
  /** Hides credentials in the log. */
  hideCredentials: HideCredentials
  /** Answers requests that are not for the service, such as `/_sandbox`. Returns undefined for all others. */
  control: (request: ControlRequest) => Promise<ControlResponse> | undefined
  /** Answers all other requests in place of the sandbox. */
  forward?: Forward
}

export interface HttpServer {
  /** `http://127.0.0.1:4010` */
  url: string
  port: number
  /**
   * Stops accepting connections, finishes pending requests without their delays, and closes all connections: after 8
   * seconds at the latest.
   */
  close(): Promise<void>
}

/** A pending request. */
interface Call {
  incoming: IncomingMessage
  outgoing: ServerResponse
  /** Milliseconds by `performance.now()`, or 0 if nothing is logged. */
  arrivedAt: number
  /** The refusal by the server itself, if any. */
  failure: Failure | undefined
  /** Undefined until the request is started. */
  request: HttpRequest | undefined
  /** Hides its credentials in the log. Undefined until it is answered. */
  hide?: Hide
}

/** Milliseconds for the request headers and for the whole request, and until an idle connection is closed. */
const timeouts = { headersTimeout: 10_000, requestTimeout: 60_000, keepAliveTimeout: 30_000 }
/** Bytes of a request that waits for earlier ones on its connection, and of its unread body. */
const queuedBytes = 32 * 1024
const queuedBodyBytes = 4 * 1024 * 1024
/** Maximum number of waiting requests of a connection. */
const maxQueued = 100
/** Milliseconds that pending requests have to end after `close`: Docker kills a container after ten seconds. */
const closeDeadlineMs = 8_000

const notTunneled: Failure = [501, 'CONNECT is not supported: send requests to the address of this proxy itself']

/** A server may ignore an upgrade (RFC 9110, section 7.8), as clients expect it of HTTP/2. A WebSocket is nothing without it. */
function refuseUpgrade({ headers: { upgrade = 'h2c' } }: IncomingMessage): Failure | undefined {
  return /^h2c?$/i.test(upgrade) ? undefined : [501, `An upgrade to "${shorten(upgrade)}" is not forwarded`]
}

/** @throws SandboxError `PORT_IN_USE` or `CANNOT_LISTEN` */
export async function listen({
  serving,
  port,
  host,
  allowHosts,
  memory,
  onExchange,
  onUnexpectedError,
}: ListenOptions): Promise<HttpServer> {
  let isClosing = false
  let known: { contract: RequestContract; paths: ReadonlySet<string> } | undefined
  /** Set once the address is known. */
  let checkHead: ((contract: RequestContract) => CheckHead) | undefined
  /** Sends each delayed response at once. */
  const delayed = new Set<() => void>()
  const waiting = createWaitingResponses(memory)
  const streams = createStreams(waiting)
  /** The bytes of each request that waits on a connection. */
  const queues = new Map<Socket, Map<IncomingMessage, number>>()
  /** Connections that sent malformed bytes: nothing more is read from them. */
  const refused = new WeakSet<Socket>()

  const server = createServer(
    // Joins repeated headers like `fetch` and MSW, so that the result does not depend on the transport.
    {
      ...timeouts,
      // The service decides how long a request may take.
      ...(serving().forward && { requestTimeout: 0 }),
      connectionsCheckingInterval: 2_000,
      requireHostHeader: false,
      joinDuplicateHeaders: true,
    },
    (incoming, outgoing) => receive(incoming, outgoing, undefined),
  )
  // Lets clients that end their side after a request still get a response. Missing in the types of Node.js.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET') socket.destroy()
    else refuse(socket, toMalformed(error.code), isBrokenOff(error.code))
  })
  server.on('connection', (socket: Socket) => {
    socket.once('end', () => {
      // The parser reports no errors of a request with `Upgrade`, not even if it ends too early.
      if (connections.last(socket)?.incoming.complete === false) refuse(socket, toMalformed(brokenOff), true)
    })
  })
  server.on('connect', ({ socket }) => {
    // Otherwise the server does not notice that the client disconnects.
    socket.resume()
    const isProxy = serving().forward !== undefined
    refuse(socket, isProxy ? notTunneled : [400, 'CONNECT is for proxies, and this is not one'], false)
  })
  server.on('checkExpectation', (incoming, outgoing) => {
    receive(incoming, outgoing, [417, 'The only supported expectation is 100-continue'])
  })
  const connections = trackConnections(server, { start, deadlineMs: closeDeadlineMs })

  function receive(incoming: IncomingMessage, outgoing: ServerResponse, failure: Failure | undefined): void {
    const arrivedAt = onExchange ? performance.now() : 0
    if (!queue(incoming)) return
    connections.add({ incoming, outgoing, arrivedAt, failure, request: undefined })
  }

  /** Counts a request that has to wait. @returns false if there is no memory for it */
  function queue(incoming: IncomingMessage): boolean {
    const { socket, headers } = incoming
    const before = connections.last(socket)
    if (!before || before.outgoing.closed) return true
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
    const bytes = hasBody ? queuedBodyBytes : queuedBytes
    const queued = getOrInsert(queues, socket, () => openQueue(socket))
    if (!socket.destroyed && queued.size < maxQueued && memory.take(bytes)) {
      queued.set(incoming, bytes)
      incoming.once('close', () => leave(queued, incoming))
      if (hasBody) socket.pause()
      return true
    }
    // One packet can contain thousands of requests, which an open connection would keep.
    socket.destroy()
    return false
  }

  /** Cleans up when the connection closes, because not every request of a lost connection emits `close`. */
  function openQueue(socket: Socket): Map<IncomingMessage, number> {
    const queued = new Map<IncomingMessage, number>()
    socket.once('close', () => {
      queues.delete(socket)
      for (const incoming of queued.keys()) leave(queued, incoming)
    })
    return queued
  }

  function leave(queued: Map<IncomingMessage, number>, incoming: IncomingMessage): void {
    memory.free(queued.get(incoming) ?? 0)
    queued.delete(incoming)
  }

  function start(call: Call): void {
    try {
      answer(call)
    } catch (error) {
      fail(call, error)
    }
  }

  /** Not `async`, because each request would create two more promises. */
  function answer(call: Call): void {
    const { sandbox, control, forward } = serving()
    call.failure ??= checkHead?.(sandbox.contract)(call.incoming) ?? (forward && refuseUpgrade(call.incoming))
    if (call.failure) {
      respond(call, toFailure(call.failure))
      return
    }
    const request = new HttpRequest(call.incoming, sandbox.locator, memory)
    call.request = request
    if (forward) {
      const end = (answered: number | Failure | undefined) => {
        if (typeof answered === 'object') respond(call, toFailure(answered))
        else if (answered !== undefined) log(call, answered)
      }
      forward(request, call.incoming, call.outgoing).then(end, (error: unknown) => fail(call, error))
      return
    }
    const answered: Promise<ControlResponse> = control(request) ?? sandbox.handle(request)
    answered.then(
      (response) => deliver(call, response),
      (error: unknown) => fail(call, error),
    )
  }

  /** Answers bytes that are not HTTP, after all requests before them. */
  function refuse(socket: Socket, failure: Failure, isOver: boolean): void {
    // The parser reports each further packet.
    if (refused.has(socket)) return
    refused.add(socket)
    const call = connections.last(socket)
    const isBetween = !call || call.incoming.complete
    connections.endAfterAnswers(socket, isBetween ? writeFailure(failure) : '')
    if (isBetween) {
      const [status, refused] = failure
      onExchange?.({ at: Date.now(), method: '-', target: '-', status, ms: 0, refused, isRefusedByServer: !isOver })
      return
    }
    // The last request is malformed and gets only one answer: its own unless its body was needed.
    call.failure ??= failure
    call.request?.cut(isOver ? new Error(failure[1]) : new Refusal('invalid_request', bodyEnded))
  }

  /** Never throws. */
  function deliver(call: Call, response: ControlResponse): void {
    const { failure, request } = call
    freeBody(call, response)
    const delayMs = response.delivery?.delayMs
    if (failure && request?.isCut) respond(call, toFailure(failure))
    else if (delayMs === undefined || isClosing || call.outgoing.closed || mayHaveLeft(call)) respond(call, response)
    else delay(call, response, delayMs)
  }

  /** Whether a client has ended its side while further requests wait. Only sending answers shows whether it is gone. */
  function mayHaveLeft(call: Call): boolean {
    const { socket } = call.incoming
    return socket.readableEnded && connections.last(socket) !== call
  }

  function delay(call: Call, given: SandboxResponse, ms: number): void {
    const { outgoing } = call
    // Keeping the text in addition to its bytes would double the memory.
    const response = given.bytes ? { ...given, body: given.bytes, bytes: undefined } : given
    const respondNow = (sent: SandboxResponse = response) => {
      stop()
      respond(call, sent)
    }
    const refuseDelay = () => respondNow(toFailure([503, memory.refusal('a response that waits for its delay')]))
    const hurry = () => {
      if (mayHaveLeft(call)) respondNow()
    }
    const stop = () => {
      clearTimeout(timer)
      call.incoming.socket.off('end', hurry)
      waiting.remove(outgoing)
      delayed.delete(respondNow)
    }
    const timer = setTimeout(respondNow, ms)
    // Otherwise an unread body would stay in memory.
    call.incoming.resume()
    delayed.add(respondNow)
    outgoing.once('close', stop)
    call.incoming.socket.once('end', hurry)
    waiting.add(outgoing, response.body?.length ?? 0, refuseDelay)
  }

  function respond(call: Call, given: ControlResponse): void {
    const { outgoing, failure } = call
    const response: ControlResponse = waiting.hasRoom(given) ? given : toFailure([503, memory.refusal('the response')])
    try {
      if (response.stream) streams.send(outgoing, response, response.stream)
      else if (response.delivery && isBroken(response)) breakOff(outgoing, response)
      else send(outgoing, response, isClosing || failure !== undefined, waiting.end)
      if (!response.isUnlogged) log(call, response.status, response.refused, response.notes)
    } catch (error) {
      fail(call, error)
    }
  }

  /** Answers an unexpected error, if the response has not started, and logs it. */
  function fail(call: Call, error: unknown): void {
    const { outgoing } = call
    freeBody(call)
    const response = toFailure([500, 'An unexpected failure inside the sandbox'])
    try {
      onUnexpectedError(error)
      if (outgoing.headersSent) outgoing.destroy()
      else send(outgoing, response, true, waiting.end)
    } catch {
      outgoing.destroy()
    }
    log(call, response.status, response.refused)
  }

  /** Frees the memory of the body. The log only needs its credentials, and only where a caller may have sent its texts. */
  function freeBody(call: Call, response?: SandboxResponse): void {
    if (onExchange && !(response && isDocumented(call, response))) call.hide ??= findCredentials(call)
    call.request?.free()
  }

  /** Whether the line of the log has only texts of the document: most creations have, and searching their bodies takes time. */
  function isDocumented({ request }: Call, { refused, notes }: Pick<SandboxResponse, 'refused' | 'notes'>): boolean {
    if (refused !== undefined || notes !== undefined || request?.query !== '') return false
    const { contract } = serving().sandbox
    if (known?.contract !== contract) known = { contract, paths: new Set(contract.operations.map(({ path }) => path)) }
    return known.paths.has(request.path)
  }

  function findCredentials({ incoming, request }: Call): Hide {
    const { url: path = '/', rawHeaders: headers } = incoming
    return serving().hideCredentials({ request: { path, query: '', headers, body: request?.sentText() } }).hide
  }

  function log(call: Call, status: number, refused?: string, notes?: readonly string[]): void {
    if (!onExchange) return
    const { incoming, arrivedAt, request } = call
    const { method = 'GET', url: target = '/' } = incoming
    const ms = performance.now() - arrivedAt
    const hide = call.hide ?? (isDocumented(call, { refused, notes }) ? String : findCredentials(call))
    const entry: LogEntry = {
      at: Date.now(),
      method,
      target: hide(target),
      status,
      ms,
      refused: refused && hide(refused),
      notes: notes?.map(hide),
    }
    if (!request) entry.isRefusedByServer = true
    onExchange(entry)
  }

  await bind(server, port, host)
  const bound = server.address() as AddressInfo
  checkHead = createCheckHeads({ host, address: bound.address, allowHosts })
  return {
    url: `http://${toUrlHost(host)}:${bound.port}`,
    port: bound.port,
    close: () =>
      new Promise((resolve) => {
        isClosing = true
        server.close(() => resolve())
        for (const respondNow of delayed) respondNow()
        streams.end()
        connections.end()
      }),
  }
}

/** @throws SandboxError `PORT_IN_USE` or `CANNOT_LISTEN` */
function bind(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(toSandboxError(error, port, host)))
    server.listen(port, host, resolve)
  })
}

function toSandboxError(error: NodeJS.ErrnoException, port: number, host: string): SandboxError {
  if (error.code === 'EADDRINUSE') {
    return new SandboxError(
      'PORT_IN_USE',
      `Port ${port} on ${host} is in use. Stop what listens there, or choose another port: --port ${port < 65535 ? port + 1 : port - 1}, or --port 0 for any free one`,
    )
  }
  const why = {
    EACCES: 'this user may not use that port. Choose one above 1023 with --port',
    EADDRNOTAVAIL: 'this machine has no such address. Use --host 127.0.0.1, or 0.0.0.0 for all of its addresses',
  }[error.code ?? '']
  return new SandboxError('CANNOT_LISTEN', `Failed to listen on ${host}, port ${port}: ${why ?? error.message}`)
}
