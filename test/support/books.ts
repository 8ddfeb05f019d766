/** The bookshelf: a second document, and requests to its service. */
import { readFileSync } from 'node:fs'
import { createSandbox, type Sandbox, type SandboxOptions } from 'petstore-sandbox'
import { compileOnce } from './compile-once.js'

export const books: string = readFileSync(new URL('books.openapi.yaml', import.meta.url), 'utf8')

export const options: SandboxOptions = { at: '2026-11-21T00:00:00Z', now: () => 0 }
export const start = '2026-11-21T00:00:00.000Z'
export const later = '2026-11-21T00:00:01.000Z'
export const firstId = '00000000-0000-4000-8000-000000000001'

export async function openBooks(text: string = books): Promise<Sandbox> {
  const { contract } = await compileOnce(text)
  return createSandbox({ contract, ...options })
}

export interface Answer {
  status: number
  headers: Record<string, string>
  text: string
}

export const json = 'application/json'
export const mergePatch = 'application/merge-patch+json'

export interface Call {
  body?: unknown
  type?: string
  headers?: Record<string, string>
}

/** Sends a request to the documented address with a valid key. */
export async function call(
  sandbox: Sandbox,
  request: string,
  { body, type = json, headers }: Call = {},
): Promise<Answer> {
  const [method = '', path = ''] = request.split(' ')
  const response = await sandbox.fetch(`https://books.service.example/api${path}`, {
    method,
    headers: { 'X-API-Key': 'sandbox', ...(body === undefined ? {} : { 'Content-Type': type }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }
}
