/** Raw HTTP over a socket, for requests that no client library would send. */
import { connect } from 'node:net'

export interface Sending {
  /** Whether the client ends its side after the last byte, and still reads. */
  halfClose?: boolean
  /** Whether the client disconnects after the last byte. */
  vanish?: boolean
}

/**
 * Sends pieces one after another, each in its own write.
 * @returns everything that the server sent until it closed the connection
 * @throws Error if the connection is still open after two minutes
 */
export function sendBytes(
  port: number,
  pieces: readonly (string | Uint8Array)[],
  { halfClose = false, vanish = false }: Sending = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
    let received = ''
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`The connection was left open; received: ${received}`))
    }, 120_000)
    socket.setEncoding('latin1')
    socket.on('data', (chunk) => {
      received += chunk
    })
    // The server may close the connection before it has read everything. Its output until then counts.
    socket.on('error', () => {})
    socket.on('end', () => socket.end())
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(received)
    })
    const write = ([piece, ...rest]: readonly (string | Uint8Array)[]): void => {
      if (piece !== undefined)
        socket.write(typeof piece === 'string' ? Buffer.from(piece, 'utf8') : piece, () => write(rest))
      else if (vanish) socket.destroy()
      else if (halfClose) socket.end()
    }
    socket.on('connect', () => write(pieces))
  })
}

/** The statuses of all responses, in order. */
export function statusesOf(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
}
