/** The HTTP server: one sandbox behind a port. */
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { SandboxError } from '../contract/sandbox-error.js'
import type { Sandbox } from '../sandbox/create-engine.js'
import type { ControlRequest, SandboxResponse } from '../sandbox/request.js'
import { trackConnections } from './connections.js'
import { HttpRequest, send } from './http-request.js'

export interface ListenOptions {
  sandbox: Sandbox
  /** Answers what is not the service's own, such as `/_sandbox`; nothing for what is. */
  control: (request: ControlRequest) => Promise<SandboxResponse> | undefined
  /** 0 for any free one. */
  port: number
  host: string
  /** Called after each response. */
  onExchange: ((entry: LogEntry) => void) | undefined
  /** Called with what should not happen; the request is answered 500 if it still can be. */
  onUnexpectedError: (error: unknown) => void
}

/** A line of the request log. */
export interface LogEntry {
  /** Milliseconds since 1970. */
  at: number
  method: string
  /** The path as it was called, with its query. */
  target: string
  status: number
  /** Milliseconds from the request's head to the response. */
  ms: number
  /** Why the request was refused. */
  refused: string | undefined
}

export interface HttpServer {
  /** `http://127.0.0.1:4010` */
  url: string
  port: number
  /** Takes no more connections, lets the requests in flight finish, and ends the connections then. */
  close(): Promise<void>
}

/** A request on its way to its response. */
interface Call {
  incoming: IncomingMessage
  outgoing: ServerResponse
  /** Milliseconds on the clock of `performance`, where somebody wants to know. */
  start: number
}

/** Milliseconds. A request has to come in this time; a connection that is not used is closed after the last. */
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
    send(outgoing, toFailure(417, 'The only expectation that can be met is 100-continue'), isClosing)
  })
  const connections = trackConnections(server, 2 * timeouts.requestTimeout)

  async function answer(call: Call): Promise<void> {
    const { incoming, outgoing } = call
    connections.wait(incoming.socket, outgoing)
    // RFC 9112, section 3.2; Node.js would refuse it with an empty body.
    if (incoming.headers.host === undefined && incoming.httpVersion === '1.1') {
      send(outgoing, toFailure(400, 'A request of HTTP/1.1 must have a Host header'), true)
      log(call, 400)
      return
    }
    const request = new HttpRequest(incoming, sandbox.locator)
    deliver(call, await (control(request) ?? sandbox.handle(request)))
  }

  /** What neither the engine nor the boundary foresaw: the request is answered if it still can be, and logged. */
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
      log(call, response.status, response.refused)
    } catch (error) {
      fail(call, error)
    }
  }

  function log({ incoming, start }: Call, status: number, refused?: string): void {
    const { method = 'GET', url = '/' } = incoming
    onExchange?.({ at: Date.now(), method, target: url, status, ms: performance.now() - start, refused })
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

/** An address that can be opened: who listens on all of them is reached on loopback. */
function toUrlHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

/** What is not HTTP never becomes a request; it is answered here, in the common shape of an error. */
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

/** A response outside of the engine: to what never became a request of the service, or after a failure. */
function toFailure(status: number, message: string): SandboxResponse & { body: string } {
  const code = failureCodes[status] ?? `status_${status}`
  return { status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ code, message, status }) }
}

const failureCodes: Record<number, string> = { 400: 'invalid_request', 500: 'internal_error' }

const malformed: Record<string, [status: number, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers must have at most 16384 bytes'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not come in time'],
}
