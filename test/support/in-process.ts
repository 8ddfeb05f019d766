/** The in-process transports: `handle` and `fetch`. */
import { createSandbox, type Sandbox, type SandboxOptions, type SandboxRequest, type Store } from 'petstore-sandbox'
import { createFakeStore } from './fake-store.js'
import {
  type Connection,
  type RawRequest,
  type Transport,
  toBytes,
  toDocumentedAddress,
  toOwnHeaders,
} from './raw-request.js'

export const documentedFetch: Transport = {
  name: 'documented',
  form: 'documented',
  open: (options) => openFetch(options, toDocumentedAddress),
}

/** Every test of the cases uses this list. */
export const inProcess: readonly Transport[] = [
  { name: 'handle', form: 'raw', open: openHandle },
  { name: 'fetch', form: 'url', open: (options) => openFetch(options, (target) => `http://127.0.0.1${target}`) },
  documentedFetch,
  {
    name: 'a store that waits',
    form: 'stored',
    open: (options) => openHandle({ ...options, store: createRestlessStore() }),
  },
]

/** Each call waits, and every other commit conflicts, fails or loses its answer: what is answered is the same. */
function createRestlessStore(): Store {
  const faults = ['conflict', undefined, 'lose', undefined, 'fail', undefined] as const
  let commits = 0
  return createFakeStore((call, method) => {
    const fault = method === 'commit' || method === 'share' ? faults[commits++ % faults.length] : undefined
    return { before: call % 3, after: call % 2, fault }
  })
}

async function openHandle(options: SandboxOptions): Promise<Connection> {
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

/** Converts a request like an adapter: finds the server by its mount. */
export function toSandboxRequest(sandbox: Sandbox, { method, target, headers = [], body }: RawRequest): SandboxRequest {
  const [pathname = '', ...query] = target.split('?')
  return {
    method,
    ...sandbox.locator.byMount(pathname),
    query: query.join('?'),
    header(name) {
      const values = headers
        .filter(([each]) => each.toLowerCase() === name)
        .map(([, value]) => value.replace(/^[ \t]+|[ \t]+$/g, ''))
      return values.length === 0 ? undefined : values.join(', ')
    },
    headers: () => headers.flat(),
    async body(maxBytes) {
      const bytes = toBytes(body)
      return bytes.length > maxBytes ? undefined : bytes
    },
  }
}

async function openFetch(options: SandboxOptions, toAddress: (target: string) => string): Promise<Connection> {
  const sandbox = createSandbox(options)
  return {
    sandbox,
    close: async () => {},
    async send({ method, target, headers = [], body }) {
      // As bytes: text would set a content type.
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
