/** An independent judge: Prism's validator checks answers, and decides which requests are valid. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { JsonSchema } from 'json-schema-faker'
import { expect } from 'vitest'
import { parse } from 'yaml'

// Prism narrows int64 to the range of exact doubles, so it gets the document without that format.

const require = createRequire(import.meta.url)
const { getHttpOperationsFromSpec }: typeof import('@stoplight/prism-http') = require('@stoplight/prism-http')
const {
  validateInput,
  validateOutput,
}: typeof import('@stoplight/prism-http/dist/validator/index.js') = require('@stoplight/prism-http/dist/validator')

type PrismOperation = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>[number]

export interface Judge {
  /** The violations that Prism finds in an answer of an operation. */
  findings(operation: string, answer: Answer): string[]
  /** Whether the body is valid according to Prism. */
  isBody(operation: string, body: unknown): boolean
  /** Whether the operation documents the status. */
  isDocumented(operation: string, status: number): boolean
}

export interface Answer {
  status: number
  type: string | null
  text: string
}

export const seed = 20261121
export const petstore: string = readFileSync(new URL('../../spec/petstore.openapi.yaml', import.meta.url), 'utf8')
export const books: string = readFileSync(new URL('books.openapi.yaml', import.meta.url), 'utf8')

/** Parses a document, and removes the format int64. */
function withoutInt64(text: string): object {
  return JSON.parse(JSON.stringify(parse(text)), (key, value) =>
    key === 'format' && value === 'int64' ? undefined : value,
  )
}

/** A schema of the document without the format int64, with references replaced by their schemas. */
export function schemaOf(text: string, name: string): Exclude<JsonSchema, boolean> {
  const { schemas } = JSON.parse(JSON.stringify(withoutInt64(text))).components
  return JSON.parse(JSON.stringify(schemas[name]), (_, value) =>
    value?.$ref === undefined ? value : schemas[value.$ref.replace('#/components/schemas/', '')],
  )
}

export async function createJudge(text: string): Promise<Judge> {
  const found: PrismOperation[] = await getHttpOperationsFromSpec(withoutInt64(text))
  const operationOf = (id: string) => {
    const operation = found.find(({ iid }) => iid === id)
    if (!operation) throw new Error(`Prism finds no operation "${id}"`)
    return operation
  }
  const toMessages = (result: ReturnType<typeof validateOutput>) =>
    result._tag === 'Left' ? result.left.map(({ message }) => message) : []
  return {
    findings(id, { status, type, text }) {
      const headers: Record<string, string> = type === null ? {} : { 'content-type': type }
      const body = text === '' ? undefined : JSON.parse(text)
      const element = { statusCode: status, headers, body }
      return toMessages(validateOutput({ resource: operationOf(id), element }))
    },
    isBody(id, body) {
      const headers = { 'content-type': 'application/json', 'content-length': '1', authorization: 'Bearer sandbox' }
      const resource = operationOf(id)
      const element = { method: 'post' as const, url: { path: resource.path }, headers, body }
      // Prism treats a falsy body as a missing one. Such a body is not an object either.
      return Boolean(body) && validateInput({ resource, element })._tag === 'Right'
    },
    isDocumented(id, status) {
      const codes = operationOf(id).responses.map(({ code }) => code)
      return [String(status), `${Math.floor(status / 100)}XX`, 'default'].some((code) => codes.includes(code))
    },
  }
}

/** Undocumented statuses with which operations may answer. Each was chosen for the sandbox. */
const undocumented: Record<string, number[]> = {
  listPets: [400],
  createPet: [413],
  getPet: [],
  listStoreOrders: [501],
  sendMessage: [413],
}

/** Expects a valid answer: documented and as documented, or one of the list with an error body. */
export function expectKept(judge: Judge, operation: string | undefined, answer: Answer, asked?: number): void {
  const what = `${operation} answered ${answer.status} ${answer.text.slice(0, 300)}`
  if (operation !== undefined && judge.isDocumented(operation, answer.status)) {
    expect(judge.findings(operation, answer), what).toEqual([])
    return
  }
  const allowed = operation === undefined ? [404, 405] : (undocumented[operation] ?? [])
  expect(asked === undefined ? allowed : [asked], what).toContain(answer.status)
  // Every operation documents 401 with an error body, so the body is compared with that.
  expect(judge.findings(operation ?? 'listPets', { ...answer, status: 401 }), what).toEqual([])
  expect(JSON.parse(answer.text).status, what).toBe(answer.status)
}
