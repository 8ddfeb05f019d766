/** Responses that wait for their delay or for a slow client, with the memory that they take, and streams. */
import type { ServerResponse } from 'node:http'
import type { OpenStream, SandboxResponse } from '../sandbox/request/request.js'
import type { MemoryBudget } from '../state/memory-budget.js'

/** A client must read this many bytes in this time, or the connection is closed. */
const sliceBytes = 256 * 1024
const stalledAfterMs = 30_000

export interface WaitingResponses {
  /**
   * Counts a response until its connection has sent it. If there is no memory left, gives up the responses that have waited
   * longest, or this one if other data takes the memory.
   * @param giveUp @default closes the connection
   */
  add(outgoing: ServerResponse, bytes: number, giveUp?: () => void): void
  /** Whether a response can be sent. A short one always can. */
  hasRoom(response: SandboxResponse): boolean
  /** Stops counting a response that no longer waits. */
  remove(outgoing: ServerResponse): void
  /** Sends the last part of a response. The head may already be sent. */
  end(outgoing: ServerResponse, body: string | Uint8Array | undefined): void
}

interface Waiting {
  bytes: number
  giveUp: () => void
}

/**
 * Writes the head and the body together. `end(body)` would add an empty part, and writing several parts at once takes
 * Node.js longer.
 */
function writeAtOnce(outgoing: ServerResponse, body: string | Uint8Array): void {
  const { socket } = outgoing
  socket?.cork()
  outgoing.write(body)
  socket?.uncork()
}

export function createWaitingResponses(memory: MemoryBudget): WaitingResponses {
  /** Waiting responses. The one without progress for the longest time is first. */
  const waiting = new Map<ServerResponse, Waiting>()
  const followed = new WeakSet<ServerResponse>()
  let total = 0

  function remove(outgoing: ServerResponse): void {
    const bytes = waiting.get(outgoing)?.bytes ?? 0
    total -= bytes
    memory.free(bytes)
    waiting.delete(outgoing)
  }

  function add(outgoing: ServerResponse, bytes: number, giveUp: () => void = () => outgoing.destroy()): void {
    if (!followed.has(outgoing)) outgoing.once('close', () => remove(outgoing))
    followed.add(outgoing)
    remove(outgoing)
    // Giving up responses would not free enough memory.
    if (!memory.has(bytes - total)) {
      giveUp()
      return
    }
    while (!memory.take(bytes)) giveUpOldest()
    total += bytes
    waiting.set(outgoing, { bytes, giveUp })
  }

  function giveUpOldest(): void {
    for (const [oldest, { giveUp }] of waiting) {
      remove(oldest)
      giveUp()
      return
    }
  }

  /** Closes the connection if the client reads no further slice in time. @returns a function to call after each slice */
  function expectProgress(outgoing: ServerResponse, bytes: number): () => void {
    const timer = setTimeout(() => outgoing.destroy(), stalledAfterMs)
    outgoing.once('close', () => clearTimeout(timer))
    add(outgoing, bytes)
    return () => {
      timer.refresh()
      if (waiting.has(outgoing)) add(outgoing, bytes)
    }
  }

  function endInSlices(outgoing: ServerResponse, body: Uint8Array): void {
    const progress = expectProgress(outgoing, body.length)
    let sent = 0
    const sendSlice = (error?: Error | null) => {
      if (error || outgoing.destroyed) return
      progress()
      const slice = body.subarray(sent, sent + sliceBytes)
      sent += slice.length
      if (sent < body.length) outgoing.write(slice, sendSlice)
      else outgoing.end(slice)
    }
    sendSlice()
  }

  return {
    add,
    hasRoom({ body = '', bytes = body }) {
      return bytes.length <= sliceBytes || memory.has(bytes.length - total)
    },
    remove,
    end(outgoing, body) {
      if (body !== undefined && body.length > sliceBytes && !outgoing.closed) {
        endInSlices(outgoing, typeof body === 'string' ? Buffer.from(body) : body)
        return
      }
      if (body) writeAtOnce(outgoing, body)
      outgoing.end()
      // Usually the operating system has taken everything, so nothing is left.
      const left = outgoing.socket?.writableLength ?? 0
      if (left > 0) expectProgress(outgoing, left)
    },
  }
}

export interface Streams {
  send(outgoing: ServerResponse, response: SandboxResponse, open: OpenStream): void
  /** Ends all open streams, and each stream that is opened later. */
  end(): void
}

/**
 * Sends responses with a streamed body, until the client disconnects or the server closes.
 * @param waiting counts the bytes that clients have not read
 */
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
