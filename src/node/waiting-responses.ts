/** Bounds the memory of responses that wait for their delay, or for a client that reads slowly. */
import type { ServerResponse } from 'node:http'

/** Maximum bytes of all waiting responses of a server. */
const maxWaitingBytes = 128 * 1024 * 1024
/** A client must read that much in that time, or the connection is closed. */
const sliceBytes = 256 * 1024
const stalledAfterMs = 30_000

export interface WaitingResponses {
  /** Counts a response until its connection is done with it. If there are too many bytes, closes the connections that have waited longest. */
  add(outgoing: ServerResponse, bytes: number): void
  /** Sends the last part of a response. The head may be sent before. */
  end(outgoing: ServerResponse, body: string | Uint8Array | undefined): void
}

export function createWaitingResponses(): WaitingResponses {
  /** Bytes of each response; the one that has made no progress for longest is first. */
  const waiting = new Map<ServerResponse, number>()
  let total = 0

  function remove(outgoing: ServerResponse): void {
    total -= waiting.get(outgoing) ?? 0
    waiting.delete(outgoing)
  }

  function add(outgoing: ServerResponse, bytes: number): void {
    if (!waiting.has(outgoing)) outgoing.once('close', () => remove(outgoing))
    remove(outgoing)
    waiting.set(outgoing, bytes)
    total += bytes
    for (const oldest of waiting.keys()) {
      if (total <= maxWaitingBytes || oldest === outgoing) return
      remove(oldest)
      oldest.destroy()
    }
  }

  /** Closes the connection if the client reads no further slice in time. @returns a function to call after each slice */
  function expectProgress(outgoing: ServerResponse, bytes: number): () => void {
    add(outgoing, bytes)
    const timer = setTimeout(() => outgoing.destroy(), stalledAfterMs)
    outgoing.once('close', () => clearTimeout(timer))
    return () => {
      timer.refresh()
      if (waiting.has(outgoing)) add(outgoing, bytes)
    }
  }

  function endInSlices(outgoing: ServerResponse, body: Uint8Array): void {
    const progress = expectProgress(outgoing, body.length)
    let sent = 0
    const sendSlice = (error?: Error | null) => {
      if (error) return
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
    end(outgoing, body) {
      if (body !== undefined && body.length > sliceBytes && !outgoing.closed) {
        endInSlices(outgoing, typeof body === 'string' ? Buffer.from(body) : body)
        return
      }
      outgoing.end(body)
      // Nothing is left if the operating system took all of it, as it nearly always does.
      const left = outgoing.socket?.writableLength ?? 0
      if (left > 0) expectProgress(outgoing, left)
    },
  }
}
