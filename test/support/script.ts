/** Runs scripts: requests with their answers, a line for each. */
import { createSandbox, type Sandbox, type SandboxOptions } from 'petstore-sandbox'
import { expect } from 'vitest'
import { compileOnce } from './compile-once.js'
import { inProcess } from './in-process.js'
import type { Connection, RawRequest } from './raw-request.js'

export interface Script {
  /** A sentence about the visible behavior. */
  name: string
  document: string
  scenario?: NonNullable<SandboxOptions['scenario']>
  /**
   * Lines such as `POST /books {"title":"Emma"} -> 201 {"id":1,"title":"Emma"}`. A line without a body of the answer
   * compares only the status, and `-> 404` every answer that is an error.
   */
  steps: string
}

export const standard: SandboxOptions = { at: '2026-11-21T00:00:00Z', now: () => 0, scenario: {} }
export const now = '2026-11-21T00:00:00.000Z'

const inside = inProcess.filter(({ form }) => form !== 'documented')

/** Opens the service of a document. */
export async function openSketch(document: string, options: SandboxOptions = {}): Promise<Sandbox> {
  const { contract } = await compileOnce(document)
  return createSandbox({ contract, ...standard, ...options })
}

/** Runs a script through every transport of this process: `handle`, `fetch`, and a store that waits. */
export async function runScript(script: Script): Promise<void> {
  const { contract } = await compileOnce(script.document)
  for (const transport of inside) {
    const connection = await transport.open({ ...standard, contract, scenario: script.scenario ?? {} })
    await runSteps(connection, script.steps, transport.name)
    await connection.close()
  }
}

/** Sends the requests of a script, and compares what is answered. */
export async function runSteps({ send }: Pick<Connection, 'send'>, steps: string, where = 'fetch'): Promise<void> {
  const expected = toLines(steps)
  const answered: string[] = []
  for (const line of expected) {
    const { status, body } = await send(toRequest(line))
    const [asked = '', answer = ''] = line.split(' -> ')
    const hasBody = answer.includes(' ')
    answered.push(`${asked} -> ${status}${hasBody ? ` ${new TextDecoder().decode(body)}` : ''}`)
  }
  expect(answered, where).toEqual(expected)
}

function toLines(steps: string): string[] {
  return steps
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** A body that begins with a bracket is JSON, and else a form. */
function toRequest(line: string): RawRequest {
  const [, method = '', target = '', body] = /^(\S+) (\S+)(?: (.*?))? -> /.exec(line) ?? []
  if (body === undefined) return { method, target }
  const isJson = /^[{[]/.test(body)
  const type = isJson ? 'application/json' : 'application/x-www-form-urlencoded'
  return { method, target, headers: [['Content-Type', type]], body }
}

/** Sends a request line to a sandbox: `POST /books {"title":"Emma"}`. @returns `201 {"id":1,"title":"Emma"}` */
export async function ask(sandbox: Sandbox, line: string): Promise<string> {
  const { method, target, headers = [], body } = toRequest(`${line} -> `)
  const response = await sandbox.fetch(`https://api.example${target}`, {
    method,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
    ...(body === undefined ? {} : { body: String(body) }),
  })
  return `${response.status} ${await response.text()}`.trim()
}
