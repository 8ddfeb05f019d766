/** The connections of a server, and which of them wait for an answer: what does not need not hold up its end. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

export interface Connections {
  /** Ends each connection: at once where nothing waits for an answer, else when the last answer has gone out. */
  end(): void
}

/** @param stuckAfterMs how long nothing may move on a connection that holds up the end */
export function trackConnections(server: Server, stuckAfterMs: number): Connections {
  /** How many requests are not answered yet. A connection that has sent nothing, or half a head, has none. */
  const unanswered = new Map<Socket, number>()
  let isEnding = false

  function count(socket: Socket, change: number): void {
    const before = unanswered.get(socket)
    if (before === undefined) return
    unanswered.set(socket, before + change)
    if (isEnding && before + change === 0) socket.destroySoon()
  }

  server.on('connection', (socket: Socket) => {
    unanswered.set(socket, 0)
    socket.once('close', () => unanswered.delete(socket))
  })
  server.on('request', ({ socket }, outgoing) => {
    count(socket, 1)
    outgoing.once('close', () => count(socket, -1))
  })

  return {
    end() {
      isEnding = true
      for (const [socket, waiting] of unanswered) {
        if (waiting === 0) socket.destroy()
        // A server that is closing no longer looks after its own time-outs.
        else socket.setTimeout(stuckAfterMs, () => socket.destroy())
      }
    },
  }
}
