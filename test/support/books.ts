/** The bookshelf: a second document, and requests to its service. */
import { readFileSync } from 'node:fs'
import { createSandbox, type Sandbox, type SandboxOptions } from 'petstore-sandbox'
import { compileOnce } from './compile-once.js'

export const books: string = readFileSync(new URL('books.openapi.yaml', import.meta.url), 'utf8')

export const options: SandboxOptions = { at: '2026-11-21T00:00:00Z', now: () => 0 }
export const start = '2026-11-21T00:00:00.000Z'
export const later = '2026-11-21T00:00:01.000Z'
/** The keys of the first books that a world gets: random ones by seed. */
export const ids = [
  '71876a68-dc96-4f3b-89cb-527cfb2b77dc',
  '6885b00f-3c47-47d9-a83c-8fb79ec9d68a',
  '7fad7bc1-36fc-4a7d-b76d-09c8a21ac5cf',
  '0ece1da7-9370-4539-8982-a4b999617c1b',
  'ab0e9082-699b-45f0-a696-af2a7f54e8c2',
  '0aaf97d1-217d-4b35-be54-270b4ec1ffc2',
] as const
export const firstId: string = ids[0]

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
