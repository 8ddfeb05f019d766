/** Starts servers in this process, and sends requests to them. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { join } from 'node:path'
import { type RunningServer, type ServerOptions, startServer } from 'petstore-sandbox/node'
import { onTestFinished } from 'vitest'
import { root } from './launch.js'

export const auth: Record<'Authorization', string> = { Authorization: 'Bearer sandbox' }
export const json: Record<'Authorization' | 'Content-Type', string> = { ...auth, 'Content-Type': 'application/json' }
export const kim: string = JSON.stringify({ name: 'Kim', categoryId: 1 })
export const books: string = join(root, 'test/support/books.openapi.yaml')

/** Starts a server that closes at the end of the test. */
export async function open(options: ServerOptions = {}): Promise<RunningServer> {
  const server = await startServer({ port: 0, ...options })
  onTestFinished(() => server.close())
  return server
}

export async function listPets(url: string): Promise<{ name: string }[]> {
  return (await fetch(`${url}/v1/pets`, { headers: auth })).json()
}

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
  /** Port of the client: equal for two answers over one connection. */
  from: number | undefined
}

export interface Sent {
  method?: string
  path: string
  headers?: Record<string, string>
  body?: string | Uint8Array
}

export function send({ port }: { port: number }, agent: Agent, { body, ...sent }: Sent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, agent, ...sent }, async (incoming) => {
      const from = incoming.socket.localPort
      let text = ''
      for await (const chunk of incoming.setEncoding('utf8')) text += chunk
      resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, from })
    })
    outgoing.on('error', reject).end(body)
  })
}

/** A client that uses one connection as long as the server keeps it open. */
export function oneConnection(): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  return agent
}
