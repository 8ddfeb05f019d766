/** Requests to a running program, and the ports and files that it needs. */
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { root } from './launch.js'

export const books: string = join(root, 'test/support/books.openapi.yaml')
export const stackTrace: RegExp = /^\s+at .*:\d+/m

/** The pets that this key sees. */
export async function listPets(
  { url }: { url: string },
  query = '',
  key = 'sandbox',
): Promise<{ id: number; name: string }[]> {
  const response = await fetch(`${url}/v1/pets${query}`, { headers: { Authorization: `Bearer ${key}` } })
  return response.json()
}

export async function statusFor(url: string, key: string): Promise<number> {
  return (await fetch(`${url}/v1/pets`, { headers: { Authorization: `Bearer ${key}` } })).status
}

export function addPet(url: string, name = 'Kim', headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/v1/pets`, {
    method: 'POST',
    headers: { Authorization: 'Bearer sandbox', 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ name, categoryId: 1 }),
  })
}

/** A port that something else uses until the test ends. */
export async function takenPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** A free port from a range that no operating system assigns automatically. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    const isFree = await new Promise<boolean>((resolve) => {
      const server = createServer()
      server.on('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
    })
    if (isFree) return port
  }
}

/** Writes files to a new temporary folder. @returns its path */
export async function writeFolder(files: Record<string, string | Uint8Array>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-sandbox-cli-'))
  await Promise.all(
    Object.entries(files).map(async ([name, content]) => {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(join(folder, name), content)
    }),
  )
  return folder
}
