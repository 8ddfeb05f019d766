/** A document with every kind of security scheme, served through every transport. */
import { join } from 'node:path'
import { setupServer } from 'msw/node'
import type { SandboxOptions } from 'petstore-sandbox'
import { createHandlers } from 'petstore-sandbox/msw'
import { onTestFinished } from 'vitest'
import { compileOnce } from './compile-once.js'
import { inProcess } from './in-process.js'
import { possibleDoors } from './only-in-process.js'
import { type Connection, type RawRequest, toBytes, toOwnHeaders } from './raw-request.js'
import { writeFolder } from './serving.js'
import { openHttp } from './transports.js'

const flow = (tokenUrl: string) => ({ tokenUrl, scopes: { read: 'Reads', write: 'Writes' } })

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer' },
  basic: { type: 'http', scheme: 'Basic' },
  digest: { type: 'http', scheme: 'Digest' },
  token: { type: 'http', scheme: 'Token' },
  header: { type: 'apiKey', in: 'header', name: 'X-Key' },
  second: { type: 'apiKey', in: 'header', name: 'X-Second' },
  query: { type: 'apiKey', in: 'query', name: 'api key' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
  plain: { type: 'apiKey', in: 'header', name: 'Authorization' },
  oauth: {
    type: 'oauth2',
    flows: {
      clientCredentials: flow('https://api.service.example/v1/oauth/token'),
      password: flow('https://elsewhere.example/token'),
    },
  },
  oidc: { type: 'openIdConnect', openIdConnectUrl: 'https://api.service.example/oidc' },
  certificate: { type: 'mutualTLS' },
  strange: { type: 'strange' },
}

/** Operations by path, with what each requires. */
export const required: Record<string, readonly Record<string, readonly string[]>[]> = {
  '/bearer': [{ bearer: [] }],
  '/basic': [{ basic: [] }],
  '/digest': [{ digest: [] }],
  '/token': [{ token: [] }],
  '/header': [{ header: [] }],
  '/query': [{ query: [] }],
  '/cookie': [{ cookie: [] }],
  '/plain': [{ plain: [] }],
  '/oauth': [{ oauth: ['read'] }],
  '/oidc': [{ oidc: [] }],
  '/certificate': [{ certificate: [] }],
  '/certificate-and-key': [{ certificate: [], header: [] }],
  '/strange': [{ strange: [] }],
  '/undefined': [{ nobody: [] }],
  '/open': [],
  '/optional': [{}, { header: [] }],
  '/either': [{ header: [] }, { bearer: [] }],
  '/both': [{ header: [], second: [] }],
  '/one-place': [{ oauth: [], oidc: [] }],
}

const success = { description: 'ok', content: { 'application/json': { schema: { type: 'object' } } } }
const problem = {
  description: 'Refused',
  content: {
    'application/problem+json': {
      schema: {
        type: 'object',
        properties: { type: { type: 'string' }, title: { type: 'string' }, detail: { type: 'string' } },
      },
    },
  },
}

export const securedDocument: string = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Secured', version: '1' },
  servers: [{ url: 'https://api.service.example/v1' }],
  paths: Object.fromEntries(
    Object.entries(required).map(([path, security]) => [
      path,
      { get: { security, responses: { 200: success, 401: problem } } },
    ]),
  ),
  components: { securitySchemes },
})

/** The names of the transports. */
export const doors: readonly string[] = possibleDoors(['handle', 'fetch', 'http', 'msw'])

/** Serves a document below `/v1` until the test ends. */
export async function openSecured(
  door: string,
  options: Pick<SandboxOptions, 'apiKeys'> = {},
  text: string = securedDocument,
): Promise<Connection> {
  const connection = await open(door, options, text)
  onTestFinished(() => connection.close())
  return connection
}

async function open(door: string, options: Pick<SandboxOptions, 'apiKeys'>, text: string): Promise<Connection> {
  if (door === 'http') {
    const folder = await writeFolder({ 'openapi.json': text })
    return openHttp({ ...options, spec: join(folder, 'openapi.json'), scenario: {} })
  }
  const { contract } = await compileOnce(text)
  if (door === 'msw') return openMsw({ ...options, contract })
  const transport = inProcess.find(({ name }) => name === door)
  if (!transport) throw new Error(`Unknown transport "${door}"`)
  return transport.open({ ...options, contract })
}

async function openMsw(options: SandboxOptions): Promise<Connection> {
  const { handlers, sandbox } = createHandlers(options)
  const server = setupServer(...handlers)
  server.listen({ onUnhandledRequest: 'error' })
  return {
    sandbox,
    close: async () => server.close(),
    async send({ method, target, headers = [], body }: RawRequest) {
      const init = { method, headers: headers.map(([name, value]): [string, string] => [name, value]) }
      const url = `https://api.service.example${target}`
      const response = await fetch(url, body === undefined ? init : { ...init, body: toBytes(body) })
      return {
        status: response.status,
        headers: toOwnHeaders([...response.headers], method),
        body: new Uint8Array(await response.arrayBuffer()),
      }
    },
  }
}
