/** Sends requests to the server that is measured, with the path as it was written. */
import { Agent, request } from 'node:http'

const greatestBody = 20_000_000

/** @returns a function that resolves to `{ status, headers, body }`, or to `{ failure }` */
export function createClient(port, limitMs) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const send = ({ method, path, headers, body }) =>
    new Promise((resolve) => {
      const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }
      let asked
      try {
        asked = request({ host: '127.0.0.1', port, method, path, headers: { ...headers, ...length }, agent })
      } catch (error) {
        return resolve({ failure: `not sent: ${error.message}`, isUnsent: true })
      }
      asked.setTimeout(limitMs, () => asked.destroy(new Error(`no answer in ${limitMs / 1000} s`)))
      asked.on('error', (error) => resolve({ failure: error.message }))
      asked.on('response', (response) => {
        const chunks = []
        let size = 0
        response.on('data', (chunk) => {
          size += chunk.length
          if (size > greatestBody) asked.destroy(new Error(`a body of more than ${greatestBody} bytes`))
          else chunks.push(chunk)
        })
        response.on('error', (error) => resolve({ failure: error.message }))
        response.on('end', () => {
          resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) })
        })
      })
      asked.end(body)
    })
  return { send, close: () => agent.destroy() }
}
