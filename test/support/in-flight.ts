/** Pending requests that a test finishes explicitly, so that it does not depend on timing. */
import { request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface InFlight {
  /** Sends the rest of the request and waits for the answer. */
  finish(): Promise<AnswerInFlight>
  /** Rejects if the connection ends before the answer. */
  answer: Promise<AnswerInFlight>
}

export interface AnswerInFlight {
  status: number
  connection: string | undefined
  body: unknown
}

/** Starts to add a pet. Resolves when the server has the headers of the request and waits for the body. */
export function beginRequest(port: number, headers: Record<string, string> = {}): Promise<InFlight> {
  const body = JSON.stringify({ name: 'In flight', categoryId: 1 })
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: '127.0.0.1',
      port,
      method: 'POST',
      path: '/v1/pets',
      headers: {
        Authorization: 'Bearer sandbox',
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
        // RFC 9110, section 10.1.1: the server confirms the headers before the client sends the body.
        Expect: '100-continue',
        ...headers,
      },
    })
    const answer = new Promise<AnswerInFlight>((answered, failed) => {
      outgoing.on('error', failed)
      outgoing.on('response', async (incoming) => {
        let text = ''
        for await (const chunk of incoming.setEncoding('utf8')) text += chunk
        answered({
          status: incoming.statusCode ?? 0,
          connection: incoming.headers.connection,
          body: JSON.parse(text),
        })
      })
    })
    answer.catch(reject)
    outgoing.on('continue', () => {
      resolve({
        answer,
        finish() {
          outgoing.end(body)
          return answer
        },
      })
    })
    outgoing.flushHeaders()
  })
}

/** Resolves when nothing listens on the port anymore. */
export async function untilRefused(port: number): Promise<void> {
  while (await isListening(port)) await sleep(10)
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
