/** Plays a case: its steps one after another through one transport, each answer held against what was expected. */
import type { Sandbox, SandboxOptions } from 'petstore-sandbox'
import { expect } from 'vitest'
import type { Connection, RawRequest, RawResponse, Transport, TransportName } from './raw-request.js'

export interface Case {
  /** One sentence of what a user sees. */
  name: string
  /** Beside the standard ones. */
  options?: SandboxOptions
  steps: readonly Step[]
  /** Transports that cannot carry this case, each with the reason. */
  except?: { readonly [name in TransportName]?: string }
}

export type Step = Send | Act

/** A request with what it is answered. */
export interface Send extends RawRequest {
  expect: Expected
}

/** What happens beside the requests: the clock moves, or somebody looks at the sandbox and finds what is expected. */
export type Act = (sandbox: Sandbox) => void

export interface Expected {
  status: number
  /** Every header that the sandbox sets, by name in lower case; a body's `application/json` goes without saying. */
  headers?: { readonly [name: string]: string | RegExp }
  /** The exact text of the body. */
  text?: string
  /** The code of an error body, and what its message has to tell. */
  error?: readonly [code: string, ...message: (string | RegExp)[]]
  /** Judges the body, which is valid JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a case knows what it asked for.
  check?: (body: any) => void
}

const fixed = Date.parse('2026-11-21T00:00:00Z')

/** The clock stands still unless a case moves it. */
export const standardOptions: SandboxOptions = {
  at: '2026-11-21T00:00:00Z',
  now: () => fixed,
  scenario: {
    pets: [
      { id: 1, name: 'Ada', categoryId: 1, status: 'available' },
      { id: 2, name: 'Bo', categoryId: 2, status: 'sold' },
      { id: 3, name: 'Cy', categoryId: 1 },
    ],
  },
}

export async function withConnection<T>(
  transport: Transport,
  { options }: Pick<Case, 'options'>,
  use: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await transport.open({ ...standardOptions, ...options })
  try {
    return await use(connection)
  } finally {
    await connection.close()
  }
}

/** @returns what each request was answered */
export function runCase(transport: Transport, each: Case): Promise<RawResponse[]> {
  return withConnection(transport, each, async ({ sandbox, send }) => {
    const responses: RawResponse[] = []
    for (const step of each.steps) {
      if (typeof step === 'function') step(sandbox)
      else responses.push(expectAnswer(step, await send(step)))
    }
    return responses
  })
}

function expectAnswer({ method, target, expect: expected }: Send, response: RawResponse): RawResponse {
  const text = new TextDecoder().decode(response.body)
  const called = `${method} ${target.slice(0, 200)}`
  expect(response.status, `${called} was answered ${text.slice(0, 500)}`).toBe(expected.status)
  expectHeaders(called, expected, response, text)
  if (method !== 'HEAD' && response.status >= 400) expectErrorShape(called, response.status, text)
  if (expected.text !== undefined) expect(text, called).toBe(expected.text)
  if (expected.error) expectError(called, expected.error, text)
  expected.check?.(JSON.parse(text))
  return response
}

function expectHeaders(called: string, expected: Expected, response: RawResponse, text: string): void {
  const standard = text === '' ? {} : { 'content-type': 'application/json' }
  const wanted = Object.entries({ ...standard, ...expected.headers }).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : expect.stringMatching(value),
  ])
  expect(response.headers, called).toEqual(Object.fromEntries(wanted))
}

/** Exactly the three documented fields, in their order, and nothing of the machinery. */
function expectErrorShape(called: string, status: number, text: string): void {
  const { code, message } = JSON.parse(text)
  expect(text, called).toBe(JSON.stringify({ code, message, status }))
  expect(code, called).toMatch(/^[a-z][a-z0-9_]*$/)
  expect(message, called).toMatch(/\S/)
  expect(message, called).not.toMatch(/\n\s+at |node_modules|file:\/\//)
}

function expectError(called: string, [code, ...parts]: NonNullable<Expected['error']>, text: string): void {
  const body = JSON.parse(text)
  expect(body.code, `${called} was answered ${text.slice(0, 500)}`).toBe(code)
  for (const part of parts) {
    if (typeof part === 'string') expect(body.message, called).toContain(part)
    else expect(body.message, called).toMatch(part)
  }
}
