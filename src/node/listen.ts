/** The HTTP server of a sandbox. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { totalmem } from 'node:os'
import type { RequestContract } from '../contract/contract.js'
import type { HideCredentials } from '../contract/hiding/hide-credentials.js'
import { toUrlHost } from '../contract/http/url-host.js'
import { SandboxError } from '../contract/sandbox-error.js'
import { shorten } from '../contract/violations.js'
import type { Sandbox } from '../sandbox/facade/sandbox.js'
import { Refusal } from '../sandbox/outcome.js'
import { bodyEnded } from '../sandbox/request/read-body.js'
import type { ControlRequest, ControlResponse } from '../sandbox/request/request.js'
import type { MemoryBudget } from '../state/memory-budget.js'
import { type Call, type CallLog, createCallLog } from './call-log.js'
import { type CheckHead, createCheckHeads } from './check-head.js'
import { type Connections, trackConnections } from './connections.js'
import { createDelivery, type Delivery } from './deliver.js'
import { brokenOff, type Failure, isBrokenOff, toFailure, toMalformed, writeFailure } from './failure.js'
import { HttpRequest } from './http-request.js'
import type { Forward } from './proxy.js'
import type { LogEntry } from './request-log.js'

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

/** Milliseconds for the request headers and for the whole request, and until an idle connection is closed. */
const timeouts = { headersTimeout: 10_000, requestTimeout: 60_000, keepAliveTimeout: 30_000 }
/** Milliseconds that pending requests have to end after `close`: Docker kills a container after ten seconds. */
const closeDeadlineMs = 8_000

const notTunneled: Failure = [501, 'CONNECT is not supported: send requests to the address of this proxy itself']

/** A server may ignore an upgrade (RFC 9110, section 7.8), as clients expect it of HTTP/2. A WebSocket is nothing without it. */
function refuseUpgrade({ headers: { upgrade = 'h2c' } }: IncomingMessage): Failure | undefined {
  return /^h2c?$/i.test(upgrade) ? undefined : [501, `An upgrade to "${shorten(upgrade)}" is not forwarded`]
}

/** @throws SandboxError `PORT_IN_USE` or `CANNOT_LISTEN` */
export async function listen(options: ListenOptions): Promise<HttpServer> {
  const { serving, port, host, allowHosts, memory, onExchange, onUnexpectedError } = options
  const server = openServer(serving().forward !== undefined)
  const isLast = (call: Call) => connections.last(call.incoming.socket) === call
  const log = createCallLog(serving, onExchange)
  const delivery = createDelivery({ memory, log, isLast, onUnexpectedError })
  const { start, allow } = createAnswers(options, log, delivery)
  const connections = trackConnections(server, { start, memory, deadlineMs: closeDeadlineMs })
  const refuse = createRefuse(connections, onExchange)

  function receive(incoming: IncomingMessage, outgoing: ServerResponse, failure: Failure | undefined): void {
    const arrivedAt = onExchange ? performance.now() : 0
    connections.add({ incoming, outgoing, arrivedAt, failure, request: undefined })
  }

  server.on('request', (incoming, outgoing) => receive(incoming, outgoing, undefined))
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
  await bind(server, port, host)
  const bound = server.address() as AddressInfo
  allow(createCheckHeads({ host, address: bound.address, allowHosts }))
  return {
    url: `http://${toUrlHost(host)}:${bound.port}`,
    port: bound.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        delivery.end()
        connections.end()
      }),
  }
}

function openServer(isProxy: boolean): Server {
  const server = createServer({
    ...timeouts,
    // The service decides how long a request may take.
    ...(isProxy && { requestTimeout: 0 }),
    connectionsCheckingInterval: 2_000,
    requireHostHeader: false,
    // Joins repeated headers like `fetch` and MSW, so that the result does not depend on the transport.
    joinDuplicateHeaders: true,
  })
  // Lets clients that end their side after a request still get a response. Missing in the types of Node.js.
  return Object.assign(server, { httpAllowHalfOpen: true })
}

interface Answers {
  start(call: Call): void
  /** Sets which hosts are allowed, once the address is known. */
  allow(check: (contract: RequestContract) => CheckHead): void
}

/** Lets the control API, the sandbox or the proxy answer. */
function createAnswers(
  { serving, memory }: ListenOptions,
  log: CallLog,
  { deliver, respond, fail }: Delivery,
): Answers {
  let checkHead: ((contract: RequestContract) => CheckHead) | undefined

  function forwardCall(forward: Forward, call: Call, request: HttpRequest): void {
    const end = (answered: number | Failure | undefined) => {
      if (typeof answered === 'object') respond(call, toFailure(answered))
      else if (answered !== undefined) log.add(call, answered)
    }
    forward(request, call.incoming, call.outgoing).then(end, (error: unknown) => fail(call, error))
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
      forwardCall(forward, call, request)
      return
    }
    const answered: Promise<ControlResponse> = control(request) ?? sandbox.handle(request)
    answered.then(
      (response) => deliver(call, response),
      (error: unknown) => fail(call, error),
    )
  }

  return {
    allow(check) {
      checkHead = check
    },
    start(call) {
      try {
        answer(call)
      } catch (error) {
        fail(call, error)
      }
    },
  }
}

/**
 * Answers bytes that are not HTTP, after all requests before them.
 * @returns a function whose last parameter is whether the request only ended too early
 */
function createRefuse(
  connections: Connections<Call>,
  onExchange: ListenOptions['onExchange'],
): (socket: Socket, failure: Failure, isOver: boolean) => void {
  /** Connections that sent malformed bytes: nothing more is read from them. */
  const refused = new WeakSet<Socket>()
  return (socket, failure, isOver) => {
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

const mostBytes = 512 * 1024 * 1024

/** The memory limit of a server for pending data: the smaller of 512 MiB and a quarter of the memory of this container or machine, in bytes. */
export function defaultMemoryBytes(): number {
  const constrained = process.constrainedMemory() || Number.POSITIVE_INFINITY
  return Math.min(mostBytes, Math.floor(Math.min(constrained, totalmem()) / 4))
}
