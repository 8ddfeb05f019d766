/** The HTTP server: one sandbox behind a port. */
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { SandboxError } from '../contract/sandbox-error.js'
import type { Sandbox } from '../sandbox/create-engine.js'
import type { ControlRequest, SandboxResponse } from '../sandbox/request.js'
import { trackConnections } from './connections.js'
import { createReadTarget, HttpRequest, send } from './http-request.js'

export interface ListenOptions {
  sandbox: Sandbox
  /** Answers what is not the service's own, such as `/_sandbox`; nothing for what is. */
  control: (request: ControlRequest) => Promise<SandboxResponse> | undefined
  /** 0 for any free one. */
  port: number
  host: string
  /** Called after each response. */
  onExchange: ((entry: LogEntry) => void) | undefined
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
export async function listen({ sandbox, control, port, host, onExchange }: ListenOptions): Promise<HttpServer> {
  let isClosing = false
  const readTarget = createReadTarget(sandbox.locator)

  const server = createServer(
    { ...timeouts, connectionsCheckingInterval: 2_000, requireHostHeader: false },
    (incoming, outgoing) => answer({ incoming, outgoing, start: onExchange ? performance.now() : 0 }),
  )
  server.on('clientError', refuseMalformed)
  server.on('checkExpectation', (_, outgoing) => {
    send(outgoing, toFailure(417, 'The only expectation that can be met is 100-continue'), isClosing)
  })
  const connections = trackConnections(server, 2 * timeouts.requestTimeout)

  function answer(call: Call): void {
    const { incoming, outgoing } = call
    connections.wait(incoming.socket, outgoing)
    // RFC 9112, section 3.2; Node.js would refuse it with an empty body.
    if (incoming.headers.host === undefined && incoming.httpVersion === '1.1') {
      send(outgoing, toFailure(400, 'A request of HTTP/1.1 must have a Host header'), true)
      log(call, 400)
      return
    }
    const request = new HttpRequest(incoming, readTarget(incoming.url ?? '/'))
    void (control(request) ?? sandbox.handle(request)).then((response) => deliver(call, response))
  }

  function deliver(call: Call, response: SandboxResponse): void {
    const { incoming, outgoing } = call
    const { delayMs, drop } = response.delivery ?? {}
    if (delayMs !== undefined) {
      const timer = setTimeout(deliver, delayMs, call, { ...response, delivery: { drop } })
      outgoing.once('close', () => clearTimeout(timer))
      return
    }
    if (drop) incoming.destroy()
    else send(outgoing, response, isClosing)
    log(call, response.status, response.refused)
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

/** A refusal of what never became a request of the service. */
function toFailure(status: number, message: string): SandboxResponse & { body: string } {
  const code = status === 400 ? 'invalid_request' : `status_${status}`
  return { status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ code, message, status }) }
}

const malformed: Record<string, [status: number, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers must have at most 16384 bytes'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not come in time'],
}
