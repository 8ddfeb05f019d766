/** The connections of a server, and which of them wait for an answer: what does not need not hold up its end. */
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface Connections {
  /** To be called with each request. */
  wait(socket: Socket, outgoing: ServerResponse): void
  /** Ends each connection: at once where nothing waits for an answer, else when the last answer has gone out. */
  end(): void
}

/** @param stuckAfterMs how long nothing may move on a connection that holds up the end */
export function trackConnections(server: Server, stuckAfterMs: number): Connections {
  /** The last answer of each: answers go out in order. None where there was no request, or half a head. */
  const last = new Map<Socket, ServerResponse | undefined>()
  let isEnding = false

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
        // A server that is closing no longer looks after its own time-outs.
        socket.setTimeout(stuckAfterMs, () => socket.destroy())
      }
    },
  }
}
