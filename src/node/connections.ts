/** Tracks the connections of a server: one request at a time on each, bounded queues of others, and an orderly end of all. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { getOrInsert } from '../json/own-value.js'
import type { MemoryBudget } from '../state/memory-budget.js'

/** A request that has arrived on a connection. */
export interface Arrival {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

export interface Connections<Call extends Arrival> {
  /**
   * Registers a request, and starts it when all earlier requests of its connection are answered. Without memory for one
   * that has to wait, closes the connection.
   */
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
  /** The memory for requests that wait. */
  memory: MemoryBudget
  /** Milliseconds after the end at which all remaining connections are destroyed. */
  deadlineMs: number
}

/** Bytes of a request that waits for earlier ones on its connection, and of its unread body. */
const queuedBytes = 32 * 1024
const queuedBodyBytes = 4 * 1024 * 1024
/** Maximum number of waiting requests of a connection. */
const maxQueued = 100
/** Milliseconds for a client to read the last bytes before its connection is destroyed, which could drop them. */
const lingerMs = 2_000

/**
 * Requests of one connection run one after another, because a later one may depend on the effect of an earlier one (RFC
 * 9112, section 9.3.2), and responses must not accumulate for a client that reads nothing.
 */
export function trackConnections<Call extends Arrival>(
  server: Server,
  { start, memory, deadlineMs }: ConnectionsOptions<Call>,
): Connections<Call> {
  /** The last request of each connection. Undefined before the first complete head. */
  const lasts = new Map<Socket, Call | undefined>()
  const hasRoom = createQueues(memory)
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
      const isFirst = !before || before.outgoing.closed
      if (!isFirst && !hasRoom(call.incoming)) {
        // One packet can contain thousands of requests, which an open connection would keep.
        socket.destroy()
        return
      }
      lasts.set(socket, call)
      if (isEnding) endAfter(socket, call)
      if (isFirst) start(call)
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

/** Counts requests that have to wait. @returns a function that returns false if there is no memory for a request */
function createQueues(memory: MemoryBudget): (incoming: IncomingMessage) => boolean {
  /** The bytes of each request that waits on a connection. */
  const queues = new Map<Socket, Map<IncomingMessage, number>>()

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

  return (incoming) => {
    const { socket, headers } = incoming
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
    const bytes = hasBody ? queuedBodyBytes : queuedBytes
    const queued = getOrInsert(queues, socket, () => openQueue(socket))
    if (socket.destroyed || queued.size >= maxQueued || !memory.take(bytes)) return false
    queued.set(incoming, bytes)
    incoming.once('close', () => leave(queued, incoming))
    if (hasBody) socket.pause()
    return true
  }
}
