/** Sends requests to a fresh sandbox, for tests of unusual data. */

import { possibleDoors } from './only-in-process.js'
import type { Header, RawRequest } from './raw-request.js'
import { withConnection } from './run-case.js'
import { transports } from './transports.js'

export const key: Header = ['Authorization', 'Bearer sandbox']
export const json: Header = ['Content-Type', 'application/json']
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function get(target: string): RawRequest {
  return { method: 'GET', target, headers: [key] }
}

export function post(target: string, body: string | Uint8Array): RawRequest {
  return { method: 'POST', target, headers: [key, json], body }
}

/** Sends requests one after another to a fresh sandbox. */
export async function exchange(name: string, ...requests: RawRequest[]): Promise<{ status: number; text: string }[]> {
  const transport = transports.find((each) => each.name === name)
  if (!transport) throw new Error(`Unknown transport "${name}"`)
  return withConnection(transport, {}, async ({ send }) => {
    const answers: { status: number; text: string }[] = []
    for (const request of requests) {
      const { status, body } = await send(request)
      answers.push({ status, text: decoder.decode(body) })
    }
    return answers
  })
}

/** The transports for unusual data. */
export const doors: readonly string[] = possibleDoors(['handle', 'fetch', 'http'])
