/** The HTTP server of a sandbox. */
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { SandboxError } from '../contract/sandbox-error.js'
import type { ControlRequest, SandboxResponse } from '../sandbox/request.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { trackConnections } from './connections.js'
import { HttpRequest, send } from './http-request.js'

export interface ListenOptions {
  sandbox: Sandbox
  /** Answers requests that are not for the service, such as `/_sandbox`. Returns undefined for all others. */
  control: (request: ControlRequest) => Promise<SandboxResponse> | undefined
  /** 0 takes any free port. */
  port: number
  host: string
  /** Called after each response. */
  onExchange: ((entry: LogEntry) => void) | undefined
  /** Called with unexpected errors, for which the request gets 500 if it is not answered yet. */
  onUnexpectedError: (error: unknown) => void
}

/** An entry of the request log. */
export interface LogEntry {
  /** Milliseconds since 1970. */
  at: number
  method: string
  /** The path with its query, as it was requested. */
  target: string
  status: number
  /** Milliseconds from the arrival of the request headers to the response. */
  ms: number
  /** Why the request was refused. Undefined for a success. */
  refused: string | undefined
  /** What was ignored without a refusal, e.g. unknown parameters. Undefined if nothing was. */
  notes?: readonly string[] | undefined
}

export interface HttpServer {
  /** `http://127.0.0.1:4010` */
  url: string
  port: number
  /** Stops accepting connections, finishes pending requests, and then closes all connections. */
  close(): Promise<void>
}

/** A pending request. */
interface Call {
  incoming: IncomingMessage
  outgoing: ServerResponse
  /** Milliseconds by `performance.now()`, or 0 if nothing is logged. */
  start: number
}

/** Milliseconds for the request headers and for the whole request, and until an idle connection is closed. */
const timeouts = { headersTimeout: 10_000, requestTimeout: 60_000, keepAliveTimeout: 30_000 }

/** @throws SandboxError `PORT_IN_USE` or `CANNOT_LISTEN` */
export async function listen({
  sandbox,
  control,
  port,
  host,
  onExchange,
  onUnexpectedError,
}: ListenOptions): Promise<HttpServer> {
  let isClosing = false

  const server = createServer(
    { ...timeouts, connectionsCheckingInterval: 2_000, requireHostHeader: false },
    (incoming, outgoing) => {
      const call: Call = { incoming, outgoing, start: onExchange ? performance.now() : 0 }
      answer(call).catch((error: unknown) => fail(call, error))
    },
  )
  server.on('clientError', refuseMalformed)
  server.on('checkExpectation', (_, outgoing) => {
    send(outgoing, toFailure(417, 'The only supported expectation is 100-continue'), isClosing)
  })
  const connections = trackConnections(server, 2 * timeouts.requestTimeout)

  async function answer(call: Call): Promise<void> {
    const { incoming, outgoing } = call
    connections.wait(incoming.socket, outgoing)
    // RFC 9112, section 3.2. Node.js itself would refuse the request with an empty body.
    if (incoming.headers.host === undefined && incoming.httpVersion === '1.1') {
      send(outgoing, toFailure(400, 'An HTTP/1.1 request must have a Host header'), true)
      log(call, 400)
      return
    }
    const request = new HttpRequest(incoming, sandbox.locator)
    deliver(call, await (control(request) ?? sandbox.handle(request)))
  }

  /** Answers an unexpected error, if the response has not started, and logs it. */
  function fail(call: Call, error: unknown): void {
    const { outgoing } = call
    try {
      onUnexpectedError(error)
      if (outgoing.headersSent) outgoing.destroy()
      else send(outgoing, toFailure(500, 'An unexpected failure inside the sandbox'), true)
    } catch {
      outgoing.destroy()
    }
    log(call, 500, 'An unexpected failure inside the sandbox')
  }

  function deliver(call: Call, response: SandboxResponse): void {
    const { outgoing } = call
    const { delayMs } = response.delivery ?? {}
    if (delayMs !== undefined) {
      const timer = setTimeout(sendNow, delayMs, call, response)
      outgoing.once('close', () => clearTimeout(timer))
    } else sendNow(call, response)
  }

  function sendNow(call: Call, response: SandboxResponse): void {
    try {
      send(call.outgoing, response, isClosing)
      log(call, response.status, response.refused, response.notes)
    } catch (error) {
      fail(call, error)
    }
  }

  function log({ incoming, start }: Call, status: number, refused?: string, notes?: readonly string[]): void {
    const { method = 'GET', url = '/' } = incoming
    onExchange?.({ at: Date.now(), method, target: url, status, ms: performance.now() - start, refused, notes })
  }

  await start(server, port, host)
  const { port: bound } = server.address() as AddressInfo
  return {
    url: `http://${toUrlHost(host)}:${bound}`,
    port: bound,
    close: () =>
      new Promise((resolve) => {
        isClosing = true
        server.close(() => resolve())
        connections.end()
      }),
  }
}

function start(server: Server, port: number, host: string): Promise<void> {
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
  const why = { EACCES: 'this user may not use that port', EADDRNOTAVAIL: 'this machine has no such address' }[
    error.code ?? ''
  ]
  return new SandboxError('CANNOT_LISTEN', `Failed to listen on ${host}, port ${port}: ${why ?? error.message}`)
}

/** A host for a URL: a server that listens on all addresses is reachable on loopback. */
function toUrlHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

/** Answers malformed HTTP, which never becomes a request, with the common error body. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, message] = malformed[error.code ?? ''] ?? [400, 'This is not an HTTP request']
  const { headers, body } = toFailure(status, message)
  const lines = Object.entries({ ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' })
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines.map(([name, value]) => `${name}: ${value}`)]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

/** A response without the engine: to a request that never reaches the service, or after a failure. */
function toFailure(status: number, message: string): SandboxResponse & { body: string } {
  const code = failureCodes[status] ?? `status_${status}`
  return { status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ code, message, status }) }
}

const failureCodes: Record<number, string> = { 400: 'invalid_request', 500: 'internal_error' }

const malformed: Record<string, [status: number, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers must have at most 16384 bytes'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time'],
}
