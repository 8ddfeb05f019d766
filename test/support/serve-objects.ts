/** Serves documents that are written as objects, and sends each request through `handle`, `fetch` and HTTP (not in `test:quick`). */
import { join } from 'node:path'
import { compileDocument, type SandboxOptions } from 'petstore-sandbox'
import { beforeAll, expect } from 'vitest'
import { isOnlyInProcess } from './only-in-process.js'
import { plainHabits } from './plain-habits.js'
import type { Connection, Header, RawResponse } from './raw-request.js'
import type { JsonObject } from './read-json.js'
import { writeFolder } from './serving.js'
import { http, transports } from './transports.js'

export interface Sent {
  /** Sent as JSON; a string is sent as it is. */
  body?: unknown
  /** @default application/json for a body */
  type?: string
  headers?: readonly Header[]
}

export interface Answer {
  status: number
  /** By name in lower case. */
  headers: Record<string, string>
  text: string
}

export interface Served {
  /** Sends a request through every door. Fails if two answers differ, or something unexpected happens. */
  send(method: string, target: string, sent?: Sent): Promise<Answer>
}

/** Serves a document in all tests of a file or of a `describe`. Collections begin empty, and the clock stands still. */
export function serve(document: JsonObject, options: SandboxOptions = {}): Served {
  let connections: readonly Connection[] = []
  const errors: unknown[] = []
  const all: SandboxOptions = {
    now: () => Date.parse('2026-11-21T00:00:00Z'),
    scenario: {},
    onUnexpectedError: (error) => errors.push(error),
    ...options,
  }
  beforeAll(async () => {
    const text = JSON.stringify(document)
    const { contract } = await compileDocument(text)
    const direct = transports.filter(({ name }) => name === 'handle' || name === 'fetch')
    const opened = direct.map(({ open }) => open({ ...all, contract }))
    connections = await Promise.all(isOnlyInProcess ? opened : [...opened, openHttpOf(text, all)])
    return async () => void (await Promise.all(connections.map(({ close }) => close())))
  })

  return {
    async send(method, target, { body, type = 'application/json', headers = [] } = {}) {
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const typed: readonly Header[] = text === undefined ? headers : [['Content-Type', type], ...headers]
      const answers: Answer[] = []
      for (const connection of connections) {
        const request = { method, target, headers: typed }
        answers.push(toAnswer(await connection.send(text === undefined ? request : { ...request, body: text })))
      }
      expect(errors.splice(0), `${method} ${target}`).toEqual([])
      const [first, ...others] = answers
      if (!first) throw new Error('Nothing is served yet')
      for (const other of others) expect(other, `${method} ${target}`).toEqual(first)
      return first
    },
  }
}

async function openHttpOf(document: string, options: SandboxOptions): Promise<Connection> {
  const spec = join(await writeFolder({ 'openapi.json': document }), 'openapi.json')
  const withSpec: SandboxOptions & { spec: string } = { ...options, spec }
  return http.open(withSpec)
}

/** Only HTTP says that a body has no bytes. */
function toAnswer({ status, headers, body }: RawResponse): Answer {
  const { 'content-length': length, ...others } = headers
  const counted = length === undefined || length === '0' ? others : headers
  return { status, headers: counted, text: new TextDecoder().decode(body) }
}

/** A document with these paths. @param parts other members of the document */
export function documentOf(paths: JsonObject, parts: JsonObject = {}): JsonObject {
  return { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths, ...plainHabits, ...parts }
}

export interface CollectionOptions {
  path: string
  /** Schema of a record as it is returned. */
  record: JsonObject
  /** Schema of the bodies of POST and PUT. @default the record */
  body?: unknown
  /** @default 'id' */
  key?: string
  /** Schema of the path parameter. @default any string */
  keySchema?: JsonObject
  /** Parameters of the list. */
  parameters?: readonly JsonObject[]
  /** Media types of the body of PATCH, with their schemas. @default JSON, as POST has it */
  patch?: JsonObject
}

/** Paths of a collection with all six operations. */
export function collection(options: CollectionOptions): JsonObject {
  const { path, record, body = record, key = 'id', keySchema = { type: 'string' }, parameters = [] } = options
  const json = (schema: unknown) => ({ 'application/json': { schema } })
  const success = { '200': { description: 'ok', content: json(record) } }
  const requestBody = { required: true, content: json(body) }
  return {
    [path]: {
      get: { parameters, responses: { '200': { description: 'ok', content: json({ type: 'array', items: record }) } } },
      post: { requestBody, responses: { '201': { description: 'ok', content: json(record) } } },
    },
    [`${path}/{${key}}`]: {
      parameters: [{ name: key, in: 'path', required: true, schema: keySchema }],
      get: { responses: success },
      put: { requestBody, responses: success },
      patch: { requestBody: { required: true, content: options.patch ?? json(body) }, responses: success },
      delete: { responses: { '204': { description: 'gone' } } },
    },
  }
}
