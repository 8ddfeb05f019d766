/** Local providers for `check`: correct, faulty or hostile. They end with the test. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSandbox, type Sandbox, type SandboxOptions } from 'petstore-sandbox'
import { onTestFinished } from 'vitest'
import { type CheckOptions, type CheckResult, checkProvider } from '../../src/checks/provider/check-provider.js'
import type { SendRequest } from '../../src/checks/provider/client.js'
import { compileOnce } from './compile-once.js'
import { toBytes } from './raw-request.js'
import { type JsonObject, readObject } from './read-json.js'
import { TextResponse } from './text-response.js'

/** A request to a provider. */
export interface Asked {
  method: string
  /** Path below the base, with the query. */
  target: string
  path: string
  query: URLSearchParams
  headers: Record<string, string>
  body: string
}

/** Replaces an answer. `next` returns the correct answer, to this request or a changed one. */
export type Alter = (
  asked: Asked,
  next: (changed?: Partial<Asked>) => Promise<Response>,
) => Response | Promise<Response>

export interface Service {
  text: string
  /** Path of its server. */
  base: string
  /** A record for its starting data. */
  scenario?: SandboxOptions['scenario']
}

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')

export const services: Record<'pets' | 'books' | 'rooms', Service> = {
  pets: { text: read('../../spec/petstore.openapi.yaml'), base: '/v1' },
  books: { text: read('./books.openapi.yaml'), base: '/api' },
  rooms: { text: read('./rooms.openapi.yaml'), base: '/v3' },
}

/** Serves on loopback until the test ends. @returns the origin */
export async function listen(listener: RequestListener, host = '127.0.0.1'): Promise<string> {
  const server = createServer(listener)
  // A test may send requests that normal clients would not send.
  server.on('clientError', (_, socket) => socket.destroy())
  server.listen(0, host)
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://${host}:${(server.address() as AddressInfo).port}`
}

/**
 * Serves a sandbox of the document as a provider. `alter` makes it faulty, and closes the connection if it rejects.
 * @returns the address with the base path
 */
export async function provide({ text, base, scenario }: Service, alter: Alter = (_, next) => next()): Promise<string> {
  const { contract } = await compileOnce(text)
  // Providers compare keys and refuse what is not documented, so the sandbox must not accept any.
  const sandbox = createSandbox({ contract, exact: true, apiKeys: ['sandbox'], ...(scenario ? { scenario } : {}) })
  const origin = new URL(contract.servers[0]?.url ?? '').origin
  const forward = (asked: Asked) => forwardTo(sandbox, `${origin}${base}`, asked)
  const answer = async (asked: Asked) => alter(asked, (changed) => forward({ ...asked, ...changed }))
  const url = await listen(async (request, response) => {
    const answered = await answer(await readAsked(request, base)).catch(() => undefined)
    if (!answered) return void request.socket.destroy()
    response.writeHead(answered.status, Object.fromEntries(answered.headers)).end(await answered.text())
  })
  const address = `${url}${base}`
  answers.set(address, answer)
  onTestFinished(() => void answers.delete(address))
  return address
}

/** Like `sandbox.fetch`, but without streams where the request can be written without them. */
async function forwardTo(sandbox: Sandbox, address: string, { method, target, ...sent }: Asked): Promise<Response> {
  const { body } = sent
  const headers = new Headers(sent.headers)
  const isPlain = body === '' ? plain.has(method) : withBody.has(method) && headers.has('content-type')
  if (!isPlain) return sandbox.fetch(`${address}${target}`, { method, headers, ...(body === '' ? {} : { body }) })
  const url = new URL(`${address}${target}`)
  const answer = await sandbox.handle({
    method,
    ...sandbox.locator.byUrl(url),
    query: url.search.slice(1),
    header: (name) => (isToken(name) ? (headers.get(name) ?? undefined) : undefined),
    headers: () => [...headers].flat(),
    async body(maxBytes) {
      const bytes = toBytes(body)
      return bytes.length > maxBytes ? undefined : bytes
    },
  })
  if (answer.delivery) throw new Error(`The delivery of the answer to ${method} ${target} would be ignored`)
  const text = typeof answer.body === 'string' ? answer.body : new TextDecoder().decode(answer.body)
  return new TextResponse(text, answer)
}

const withBody = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])
const plain = new Set([...withBody, 'GET', 'HEAD', 'OPTIONS'])
const isToken = (name: string) => /^[!#$%&'*+.^_`|~\w-]+$/.test(name)

/** What answers requests to each provider of `provide`, by its address. */
const answers = new Map<string, (asked: Asked) => Promise<Response>>()

/** Sends requests to a provider of `provide` without HTTP, which is faster. Undefined for other providers. */
function sendDirectly(address: string): SendRequest | undefined {
  const answer = answers.get(address)
  if (!answer) return undefined
  return ({ method, url, headers, body = '' }, signal) =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
      const asked = toAsked(
        method,
        url.slice(address.length),
        Object.fromEntries(new Headers(headers)),
        body.toWellFormed(),
      )
      answer(asked)
        .then(async (response) => ({
          status: response.status,
          headers: Object.fromEntries(response.headers),
          text: await response.text(),
        }))
        .then(resolve, () => reject(new Error('the provider answered nothing')))
    })
}

async function readAsked(request: IncomingMessage, base: string): Promise<Asked> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  const { connection: _, ...headers } = request.headers as Record<string, string>
  return toAsked(request.method ?? '', (request.url ?? '').slice(base.length), headers, body)
}

function toAsked(method: string, target: string, headers: Record<string, string>, body: string): Asked {
  const { pathname: path, searchParams: query } = new URL(target, 'http://provider')
  return { method, target, path, query, headers, body }
}

/** Replaces the text of the answer. */
export async function withText(answer: Response, change: (text: string) => string): Promise<Response> {
  const { status, headers } = answer
  const text = change(await answer.text())
  const changed = new TextResponse(text, { status, headers })
  if (!headers.has('content-type')) changed.headers.set('content-type', 'text/plain;charset=UTF-8')
  return changed
}

/** Replaces the JSON object of the answer. Integers beyond 2^53 lose digits. */
export function withJson(answer: Response, change: (value: JsonObject) => unknown): Promise<Response> {
  return withText(answer, (text) => JSON.stringify(change(readObject(JSON.parse(text)))))
}

export function withHeaders(answer: Response, changes: Record<string, string | undefined>): Response {
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) answer.headers.delete(name)
    else answer.headers.set(name, value)
  }
  return answer
}

/** Whether the request creates a record. */
export function isCreation({ method }: Asked): boolean {
  return method === 'POST'
}

/**
 * Checks a provider against the document, without the command line.
 * @param options `sendRequest` is without HTTP for a provider of `provide`; undefined sends over HTTP
 */
export async function hold(
  baseUrl: string,
  { text }: Pick<Service, 'text'> = services.pets,
  options: Partial<CheckOptions> = {},
): Promise<CheckResult> {
  const { contract, document } = await compileOnce(text)
  return checkProvider({
    contract,
    document,
    baseUrl,
    server: contract.servers[0]?.name ?? '',
    key: 'sandbox',
    keyVariable: 'PETSTORE_API_KEY',
    canWrite: true,
    sendRequest: sendDirectly(baseUrl),
    timeoutMs: 240_000,
    ...options,
  })
}

/** The independent provider of the benchmark. */
export interface PlantedProvider {
  key: string
  bugs: { id: string; wrong: string }[]
  startProvider(options?: { bug?: string; refusesDuplicates?: number }): Promise<StartedPlanted>
}

export interface StartedPlanted {
  url: string
  /** Answers without HTTP. */
  answer(
    request: { method: string; url: string; headers: Record<string, string> },
    body: Uint8Array,
  ): { status: number; headers?: Record<string, string>; body: string }
  close(): Promise<void>
}

/** Sends requests to the independent provider without HTTP, which is faster. */
export function sendToPlanted({ url: origin, answer }: StartedPlanted): SendRequest {
  return async ({ method, url, headers, body = '' }) => {
    const asked = { method, url: url.slice(origin.length), headers: Object.fromEntries(new Headers(headers)) }
    const { status, headers: answered, body: text } = answer(asked, Buffer.from(body))
    const all = new Headers({ 'Content-Type': 'application/json', ...answered })
    return { status, headers: Object.fromEntries(all), text: method === 'HEAD' ? '' : text }
  }
}

/** The module is JavaScript without types. */
export async function loadPlanted(): Promise<PlantedProvider> {
  return import(new URL('../../bench/planted/provider.js', import.meta.url).href)
}
