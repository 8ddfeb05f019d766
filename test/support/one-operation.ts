/** Documents with one operation, served through every transport. */
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { compileOnce } from './compile-once.js'
import { inProcess } from './in-process.js'
import { possibleDoors } from './only-in-process.js'
import { plainHabits } from './plain-habits.js'
import type { Connection, RawRequest } from './raw-request.js'
import { writeFolder } from './serving.js'
import { openHttp } from './transports.js'

export interface Received {
  status: number
  headers: Record<string, string>
  bytes: Uint8Array
  text: string
}

/** An object of the document. */
export type Part = Record<string, unknown>

export const success: Part = {
  200: { description: 'ok', content: { 'application/json': { schema: { type: 'object' } } } },
}

export function documentOf(paths: Part, others: Part = {}): string {
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths, ...plainHabits, ...others })
}

const inside = inProcess.filter(({ form }) => form !== 'documented')

/** The names of the transports. That of documented addresses knows only those of the bundled document. */
export const doors: readonly string[] = possibleDoors([...inside.map(({ name }) => name), 'http'])

const standard = { scenario: {}, at: 0, now: () => 0 }

/** Opens the service of a document until the test ends. */
export async function openDocument(
  door: string,
  text: string,
  options: { prismQuery?: boolean } = {},
): Promise<Connection> {
  const connection = await open(door, text, { ...standard, ...options })
  onTestFinished(() => connection.close())
  return connection
}

async function open(door: string, text: string, options: typeof standard): Promise<Connection> {
  if (door === 'http') {
    const folder = await writeFolder({ 'openapi.json': text })
    return openHttp({ ...options, spec: join(folder, 'openapi.json') })
  }
  const transport = inside.find(({ name }) => name === door)
  if (!transport) throw new Error(`Unknown transport "${door}"`)
  const { contract } = await compileOnce(text)
  return transport.open({ ...options, contract })
}

export async function receive({ send }: Connection, request: RawRequest): Promise<Received> {
  const { status, headers, body } = await send(request)
  return { status, headers, bytes: body, text: new TextDecoder().decode(body) }
}
