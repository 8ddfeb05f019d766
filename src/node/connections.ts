/** The connections of a server, and which of them wait for an answer: what does not is closed in time. */
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface Connections {
  /** To be called with each request. */
  wait(socket: Socket, outgoing: ServerResponse): void
  /** Ends each connection: at once where nothing waits for an answer, else when the last answer has gone out. */
  end(): void
}

export interface ConnectionsOptions {
  /** How long a connection that has had its answers stays open at least; at most it is twice that. Milliseconds. */
  idleMs: number
  /** How long nothing may move on a connection that holds up the end. Milliseconds. */
  stuckMs: number
}

/** One timer looks after all that do nothing: two for each request, as `node:http` sets them, cost a tenth of it. */
export function trackConnections(server: Server, { idleMs, stuckMs }: ConnectionsOptions): Connections {
  /** The last answer of each: answers go out in order. None where there was no request, or half a head. */
  const last = new Map<Socket, ServerResponse | undefined>()
  /** Bytes that each idle one had read when it was looked at last. */
  let idle = new Map<Socket, number>()
  let isEnding = false

  function closeIdle(): void {
    const found = new Map<Socket, number>()
    for (const [socket, outgoing] of last) {
      if (!outgoing?.closed) continue
      if (idle.get(socket) === socket.bytesRead) socket.destroySoon()
      else found.set(socket, socket.bytesRead)
    }
    idle = found
  }

  function endAfter(socket: Socket, outgoing: ServerResponse): void {
    outgoing.once('close', () => {
      // Another request may have come on it since.
      if (last.get(socket) === outgoing) socket.destroySoon()
    })
  }

  server.on('connection', (socket: Socket) => {
    last.set(socket, undefined)
    socket.once('close', () => last.delete(socket))
  })

  const timer = setInterval(closeIdle, idleMs).unref()

  return {
    wait(socket, outgoing) {
      last.set(socket, outgoing)
      if (isEnding) endAfter(socket, outgoing)
    },
    end() {
      isEnding = true
      clearInterval(timer)
      for (const [socket, outgoing] of last) {
        if (!outgoing || outgoing.closed) {
          socket.destroy()
          continue
        }
        endAfter(socket, outgoing)
        // A server that is closing no longer looks after its own time-outs.
        socket.setTimeout(stuckMs, () => socket.destroy())
      }
    },
  }
}
