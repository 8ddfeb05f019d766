/** Requests and responses of all transports as data. Runs in Node.js and in browsers. */
import type { Sandbox, SandboxOptions } from 'petstore-sandbox'

export interface RawRequest {
  method: string
  /** Path on the HTTP server with its query: `/v1/pets?limit=1` */
  target: string
  headers?: readonly Header[]
  body?: string | Uint8Array
}

export type Header = readonly [name: string, value: string]

export interface RawResponse {
  status: number
  /** Values by name in lower case. Only headers that the sandbox sets, not those of the connection. */
  headers: Record<string, string>
  body: Uint8Array
}

export interface Connection {
  sandbox: Sandbox
  send(request: RawRequest): Promise<RawResponse>
  close(): Promise<void>
}

/** How a transport writes the address of a request: as raw bytes, as a URL, or as a URL of a documented server; or raw, with a store. */
export type AddressForm = 'raw' | 'url' | 'documented' | 'stored'

export interface Transport {
  name: string
  form: AddressForm
  /** Opens a connection to a fresh sandbox. */
  open(options: SandboxOptions): Promise<Connection>
}

const documentedBases = [
  ['/v1', 'https://api.petstore.example/v1'],
  ['/staging/v1', 'https://staging.petstore.example/v1'],
  ['', 'https://quickstart.petstore.example'],
] as const

export function toDocumentedAddress(target: string): string {
  const [mount, base] = documentedBases.find(([each]) => target.startsWith(each)) ?? documentedBases[2]
  return base + target.slice(mount.length)
}

const ofConnection = ['connection', 'keep-alive', 'date', 'transfer-encoding']

/** Content-Length belongs to the connection, except in a response to HEAD, which has no body. */
export function toOwnHeaders(entries: Iterable<Header>, method: string): Record<string, string> {
  const own = [...entries]
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !ofConnection.includes(name) && !(name === 'content-length' && method !== 'HEAD'))
  return Object.fromEntries(own.sort(([a], [b]) => (a < b ? -1 : 1)))
}

const encoder = new TextEncoder()

export function toBytes(body: string | Uint8Array | undefined): Uint8Array<ArrayBuffer> {
  return typeof body === 'string' ? encoder.encode(body) : new Uint8Array(body ?? [])
}

/** A response for comparison: bytes as text with one character each, or the digest of a large body. */
export type Comparable = Omit<RawResponse, 'body'> & { body: string }

export async function toComparable(response: RawResponse): Promise<Comparable> {
  const bytes = new Uint8Array(response.body)
  const isLong = bytes.length > 2000
  const shown = isLong ? new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)) : bytes
  return { ...response, body: `${isLong ? `${bytes.length} bytes: ` : ''}${String.fromCharCode(...shown)}` }
}
