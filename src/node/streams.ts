/** Sends responses whose body comes bit by bit, until the client leaves or the server closes. */
import type { ServerResponse } from 'node:http'
import type { OpenStream, SandboxResponse } from '../sandbox/request.js'

/** A client that leaves more bytes than these unread is disconnected. It can ask for the rest later. */
const maxUnreadBytes = 64 * 1024 * 1024

export interface Streams {
  send(outgoing: ServerResponse, response: SandboxResponse, open: OpenStream): void
  /** Ends all of them, and each that is opened later. */
  end(): void
}

export function createStreams(): Streams {
  const enders = new Set<() => void>()
  let isEnded = false

  return {
    send(outgoing, { status, headers }, open) {
      if (outgoing.closed) return
      outgoing.writeHead(status, { ...headers, ...(isEnded && { Connection: 'close' }) })
      if (isEnded) {
        outgoing.end()
        return
      }
      // Else the head waits for the first part.
      outgoing.flushHeaders()
      const end = () => outgoing.end()
      const stop = open((text) => {
        outgoing.write(text)
        if (outgoing.writableLength > maxUnreadBytes) outgoing.destroy()
      }, end)
      const { socket } = outgoing
      // The server lets clients end their side before an answer. Who does so during a stream has left.
      const leave = () => outgoing.destroy()
      enders.add(end)
      socket?.once('end', leave)
      outgoing.once('close', () => {
        enders.delete(end)
        socket?.removeListener('end', leave)
        stop()
      })
    },
    end() {
      isEnded = true
      for (const end of enders) end()
    },
  }
}
