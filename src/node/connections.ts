/** Tracks the connections of a server: one request at a time on each, and an orderly end of all. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** A request that has arrived on a connection. */
export interface Arrival {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

export interface Connections<Call extends Arrival> {
  /** Registers a request, and starts it when all earlier requests of its connection are answered. */
  add(call: Call): void
  /** The last request of a connection, or undefined before the first one. */
  last(socket: Socket): Call | undefined
  /** Ends a connection when all its requests are answered. @param text sent last, unless the last response ends it */
  endAfterAnswers(socket: Socket, text: string): void
  /** Ends each connection: at once if it is idle, else after its last response. */
  end(): void
}

export interface ConnectionsOptions<Call> {
  start: (call: Call) => void
  /** Milliseconds after the end at which all remaining connections are destroyed. */
  deadlineMs: number
}

/** Milliseconds for a client to read the last bytes before its connection is destroyed, which could drop them. */
const lingerMs = 2_000

/**
 * Requests of one connection run one after another, because a later one may depend on the effect of an earlier one (RFC
 * 9112, section 9.3.2), and responses must not accumulate for a client that reads nothing.
 */
export function trackConnections<Call extends Arrival>(
  server: Server,
  { start, deadlineMs }: ConnectionsOptions<Call>,
): Connections<Call> {
  /** The last request of each connection. Undefined before the first complete head. */
  const lasts = new Map<Socket, Call | undefined>()
  let isEnding = false

  function endAfter(socket: Socket, call: Call): void {
    call.outgoing.once('close', () => {
      // Another request may have arrived on the connection since.
      if (lasts.get(socket) === call) socket.destroySoon()
    })
  }

  /** Runs a function after a response, unless the response ends the connection. */
  function runAfter(call: Call | undefined, socket: Socket, run: () => void): void {
    const runIfOpen = () => {
      if (socket.writable) run()
    }
    if (!call || call.outgoing.closed) runIfOpen()
    else call.outgoing.once('close', runIfOpen)
  }

  server.on('connection', (socket: Socket) => {
    lasts.set(socket, undefined)
    // Node.js removes its own listener with CONNECT, and an unhandled error ends the process.
    socket.on('error', () => {})
    socket.once('close', () => lasts.delete(socket))
  })

  return {
    last: (socket) => lasts.get(socket),
    add(call) {
      const { socket } = call.incoming
      const before = lasts.get(socket)
      lasts.set(socket, call)
      if (isEnding) endAfter(socket, call)
      if (!before || before.outgoing.closed) start(call)
      else runAfter(before, socket, () => start(call))
    },
    endAfterAnswers(socket, text) {
      runAfter(lasts.get(socket), socket, () => {
        socket.end(text)
        const timer = setTimeout(() => socket.destroy(), lingerMs)
        socket.once('close', () => clearTimeout(timer))
      })
    },
    end() {
      isEnding = true
      for (const [socket, call] of lasts) {
        if (!call || call.outgoing.closed) socket.destroy()
        else endAfter(socket, call)
      }
      // A closing server no longer enforces its own timeouts.
      const timer = setTimeout(() => {
        for (const socket of lasts.keys()) socket.destroy()
      }, deadlineMs)
      server.once('close', () => clearTimeout(timer))
    },
  }
}
