/** The ways into a sandbox, behind one interface: by hand, as `fetch`, and over a real HTTP connection. */
import { Agent, request as httpRequest } from 'node:http'
import { createSandbox, type Sandbox, type SandboxOptions, type SandboxRequest } from 'petstore-sandbox'
import { startServer } from 'petstore-sandbox/node'
import {
  type Connection,
  type RawRequest,
  type RawResponse,
  type Transport,
  toBytes,
  toDocumentedAddress,
  toOwnHeaders,
} from './raw-request.js'

export const transports: readonly Transport[] = [
  { name: 'handle', open: async (options) => openHandle(options) },
  { name: 'fetch', open: async (options) => openFetch(options, (target) => `http://127.0.0.1${target}`) },
  { name: 'documented', open: async (options) => openFetch(options, toDocumentedAddress) },
  { name: 'http', open: openHttp },
]

function openHandle(options: SandboxOptions): Connection {
  const sandbox = createSandbox(options)
  return {
    sandbox,
    close: async () => {},
    async send(raw) {
      const { status, headers, body } = await sandbox.handle(toSandboxRequest(sandbox, raw))
      return { status, headers: toOwnHeaders(Object.entries(headers), raw.method), body: toBytes(body) }
    },
  }
}

/** What an adapter makes of a request: the server is found by where it is mounted. */
export function toSandboxRequest(sandbox: Sandbox, { method, target, headers = [], body }: RawRequest): SandboxRequest {
  const [pathname = '', ...query] = target.split('?')
  return {
    method,
    ...sandbox.locator.byMount(pathname),
    query: query.join('?'),
    header(name) {
      const values = headers.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value.trim())
      return values.length === 0 ? undefined : values.join(', ')
    },
    headers: () => headers.flat(),
    async body(maxBytes) {
      const bytes = toBytes(body)
      return bytes.length > maxBytes ? undefined : bytes
    },
  }
}

function openFetch(options: SandboxOptions, toAddress: (target: string) => string): Connection {
  const sandbox = createSandbox(options)
  return {
    sandbox,
    close: async () => {},
    async send({ method, target, headers = [], body }) {
      // As bytes: a text would bring a content type of its own.
      const init = { method, headers: headers.map(([name, value]): [string, string] => [name, value]) }
      const response = await sandbox.fetch(
        toAddress(target),
        body === undefined ? init : { ...init, body: toBytes(body) },
      )
      return {
        status: response.status,
        headers: toOwnHeaders([...response.headers], method),
        body: new Uint8Array(await response.arrayBuffer()),
      }
    },
  }
}

async function openHttp(options: SandboxOptions): Promise<Connection> {
  const server = await startServer({ ...options, port: 0 })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    sandbox: server.sandbox,
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
      // As a list: so they go out as they are, one given twice included.
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
