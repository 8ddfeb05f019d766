/** All transports: those in this process, and a real HTTP connection. */
import { Agent, request as httpRequest } from 'node:http'
import { type ServerOptions, startServer } from 'petstore-sandbox/node'
import { inProcess } from './in-process.js'
import {
  type Connection,
  type RawRequest,
  type RawResponse,
  type Transport,
  toBytes,
  toOwnHeaders,
} from './raw-request.js'

export const http: Transport = { name: 'http', form: 'raw', open: openHttp }
export const transports: readonly Transport[] = [...inProcess, http]

export async function openHttp(options: ServerOptions): Promise<Connection & { url: string }> {
  const server = await startServer({ ...options, port: 0 })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    sandbox: server.sandbox,
    url: server.url,
    send: (raw) => sendOverHttp(server.port, agent, raw),
    async close() {
      agent.destroy()
      await server.close()
    },
  }
}

function sendOverHttp(port: number, agent: Agent, raw: RawRequest): Promise<RawResponse> {
  const { method, target, headers = [] } = raw
  const body = toBytes(raw.body)
  const length =
    body.length > 0 || ['POST', 'PUT', 'PATCH'].includes(method) ? ['Content-Length', `${body.length}`] : []
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      agent,
      method,
      host: '127.0.0.1',
      port,
      path: target,
      // As a list, so that headers are sent unchanged, even duplicates.
      headers: ['Host', `127.0.0.1:${port}`, ...headers.flat(), ...length],
    })
    request.on('error', reject)
    request.on('response', async (response) => {
      try {
        const chunks: Uint8Array[] = []
        for await (const chunk of response) chunks.push(chunk)
        const entries = Object.entries(response.headers).map(([name, value]) => [name, String(value)] as const)
        resolve({
          status: response.statusCode ?? 0,
          headers: toOwnHeaders(entries, method),
          body: new Uint8Array(Buffer.concat(chunks)),
        })
      } catch (error) {
        reject(error)
      }
    })
    request.end(body)
  })
}
