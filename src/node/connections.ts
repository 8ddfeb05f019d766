/** Tracks the connections of a server, so that it can close idle connections when it ends. */
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface Connections {
  /** Registers a request. */
  wait(socket: Socket, outgoing: ServerResponse): void
  /** Ends each connection: at once if it is idle, else after its last response. */
  end(): void
}

/** @param stuckAfterMs after the end, a connection without traffic for this time is destroyed */
export function trackConnections(server: Server, stuckAfterMs: number): Connections {
  /** The last response of each connection; responses are sent in order. Undefined before the first complete request. */
  const last = new Map<Socket, ServerResponse | undefined>()
  let isEnding = false

  function endAfter(socket: Socket, outgoing: ServerResponse): void {
    outgoing.once('close', () => {
      // Another request may have arrived on the connection since.
      if (last.get(socket) === outgoing) socket.destroySoon()
    })
  }

  server.on('connection', (socket: Socket) => {
    last.set(socket, undefined)
    socket.once('close', () => last.delete(socket))
  })

  return {
    wait(socket, outgoing) {
      last.set(socket, outgoing)
      if (isEnding) endAfter(socket, outgoing)
    },
    end() {
      isEnding = true
      for (const [socket, outgoing] of last) {
        if (!outgoing || outgoing.closed) {
          socket.destroy()
          continue
        }
        endAfter(socket, outgoing)
        // A closing server no longer enforces its own timeouts.
        socket.setTimeout(stuckAfterMs, () => socket.destroy())
      }
    },
  }
}
