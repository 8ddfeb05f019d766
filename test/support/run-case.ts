/** Runs a case: sends its steps one after another through one transport, and compares each answer. */
import type { Sandbox, SandboxOptions } from 'petstore-sandbox'
import { expect } from 'vitest'
import type { AddressForm, Connection, RawRequest, RawResponse, Transport } from './raw-request.js'
import { readObject } from './read-json.js'

export interface Case {
  /** A sentence about the visible behavior. */
  name: string
  /** Added to the standard options. */
  options?: SandboxOptions
  steps: readonly Step[]
  /** Forms of address that can't carry this case, each with the reason. `url` includes `documented`. */
  except?: { readonly [form in Exclude<AddressForm, 'raw'>]?: string }
}

export type Step = Send | Act

/** A request with its expected answer. */
export interface Send extends RawRequest {
  expect: Expected
}

/** A step without a request: moves the clock, or compares the state of the sandbox. */
export type Act = (sandbox: Sandbox) => void | Promise<void>

export interface Expected {
  status: number
  /** Every header that the sandbox sets, by name in lower case. `application/json` for a body is implied. */
  headers?: { readonly [name: string]: string | RegExp }
  /** The exact text of the body. */
  text?: string
  /** The code of an error body, and what its message contains. */
  error?: readonly [code: string, ...message: (string | RegExp)[]]
  /** Compares the body, which is valid JSON. */
  check?: (body: unknown) => void | Promise<void>
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

/** Why a transport can't carry a case; `undefined` if it can. */
export function whyNot({ form }: Pick<Transport, 'form'>, { except = {} }: Pick<Case, 'except'>): string | undefined {
  if (form === 'raw') return undefined
  if (form === 'stored') return except.stored
  return form === 'documented' ? (except.documented ?? except.url) : except.url
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

/** Runs the steps of a case and compares every answer. @returns the answers */
export function runCase(transport: Transport, each: Case): Promise<RawResponse[]> {
  return withConnection(transport, each, async (connection) => {
    const responses: RawResponse[] = []
    for await (const { step, response } of takeSteps(connection, each)) {
      await expectAnswer(step, response)
      responses.push(response)
    }
    return responses
  })
}

/** Runs the steps of a case without comparing the answers. */
export async function* takeSteps(
  { sandbox, send }: Connection,
  { steps }: Pick<Case, 'steps'>,
): AsyncGenerator<{ step: Send; response: RawResponse }> {
  for (const step of steps) {
    if (typeof step === 'function') await step(sandbox)
    else yield { step, response: await send(step) }
  }
}

/** `expect` is slow, so it is called only for what differs. */
async function expectAnswer({ method, target, expect: expected }: Send, response: RawResponse): Promise<void> {
  const text = new TextDecoder().decode(response.body)
  const called = `${method} ${target.slice(0, 200)}`
  if (response.status !== expected.status) {
    expect(response.status, `${called} was answered ${text.slice(0, 500)}`).toBe(expected.status)
  }
  expectHeaders(called, expected, response, text)
  if (method !== 'HEAD' && response.status >= 400) expectErrorShape(called, response.status, text)
  if (expected.text !== undefined && text !== expected.text) expect(text, called).toBe(expected.text)
  if (expected.error) expectError(called, expected.error, text)
  await expected.check?.(JSON.parse(text))
}

function expectHeaders(called: string, expected: Expected, response: RawResponse, text: string): void {
  const standard: Expected['headers'] = text === '' ? {} : { 'content-type': 'application/json' }
  const wanted = Object.entries({ ...standard, ...expected.headers })
  const isAsWanted = wanted.every(([name, value]) => {
    const actual = response.headers[name]
    return typeof value === 'string' ? actual === value : actual !== undefined && value.test(actual)
  })
  if (isAsWanted && Object.keys(response.headers).length === wanted.length) return
  const matchers = wanted.map(([name, value]) => [
    name,
    typeof value === 'string' ? value : expect.stringMatching(value),
  ])
  expect(response.headers, called).toEqual(Object.fromEntries(matchers))
}

/** Expects exactly the three documented fields, in their order, without internal details. */
function expectErrorShape(called: string, status: number, text: string): void {
  const { code, message } = readObject(JSON.parse(text))
  expect(text, called).toBe(JSON.stringify({ code, message, status }))
  const isWellFormed = typeof code === 'string' && /^[a-z][a-z0-9_]*$/.test(code)
  const isClear = typeof message === 'string' && /\S/.test(message)
  const hasDetails = /\n\s+at |node_modules|file:\/\//.test(String(message))
  expect([isWellFormed, isClear, hasDetails], `${called} was answered ${text}`).toEqual([true, true, false])
}

function expectError(called: string, [code, ...parts]: NonNullable<Expected['error']>, text: string): void {
  const body = readObject(JSON.parse(text))
  expect(body['code'], `${called} was answered ${text.slice(0, 500)}`).toBe(code)
  for (const part of parts) {
    if (typeof part === 'string') expect(body['message'], called).toContain(part)
    else expect(body['message'], called).toMatch(part)
  }
}
