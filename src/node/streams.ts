/** Sends responses with a streamed body, until the client disconnects or the server closes. */
import type { ServerResponse } from 'node:http'
import type { OpenStream, SandboxResponse } from '../sandbox/request/request.js'
import type { WaitingResponses } from './waiting-responses.js'

export interface Streams {
  send(outgoing: ServerResponse, response: SandboxResponse, open: OpenStream): void
  /** Ends all open streams, and each stream that is opened later. */
  end(): void
}

/** @param waiting counts the bytes that clients have not read */
export function createStreams(waiting: WaitingResponses): Streams {
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
      // Otherwise the head would wait for the first part.
      outgoing.flushHeaders()
      // A client that does not read may never receive the end.
      const end = () => (outgoing.writableNeedDrain ? outgoing.destroy() : outgoing.end())
      const { resume, stop } = open((part) => {
        if (outgoing.destroyed || outgoing.writableEnded) return false
        const isRead = outgoing.write(part)
        if (!isRead) waiting.add(outgoing, outgoing.writableLength)
        return isRead
      }, end)
      outgoing.on('drain', () => {
        waiting.remove(outgoing)
        resume()
      })
      const { socket } = outgoing
      // The server lets clients end their side before an answer. During a stream it means that the client has disconnected.
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
