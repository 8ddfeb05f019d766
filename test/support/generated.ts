/** Documents with the schemas of a test, and generated data for them. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import {
  compileDocument,
  createSandbox,
  type GenerateScenarioOptions,
  generateScenario,
  type Sandbox,
  type Scenario,
  type Values,
} from 'petstore-sandbox'
import { expect } from 'vitest'

const base = 'https://api.petstore.example/v1'

export const text = { type: 'string' }
export const whole = { type: 'integer' }

const parts = {
  line: record({ sku: { type: 'string', minLength: 2 } }),
  cat: record({ kind: { const: 'cat' }, lives: { type: 'integer', minimum: 1, maximum: 9 } }),
  dog: record({ kind: { const: 'dog' }, barks: { type: 'boolean' } }),
}

/** The text of a record without its id. */
export function withoutId({ id: _, ...rest }: Values): string {
  return JSON.stringify(rest)
}

export function post(sandbox: Sandbox, path: string, body: object): Promise<Response> {
  const headers = { authorization: 'Bearer sandbox', 'content-type': 'application/json' }
  return sandbox.fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) })
}

/** Validates with Ajv and the document itself, not with the compiled contract. */
export function expectValid(document: object, pointer: string, records: readonly Values[]): void {
  // Ajv divides doubles: without a precision, 1.14 is no multiple of 0.01.
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false, multipleOfPrecision: 9 })
  addFormats.default(ajv)
  ajv.addSchema(document, 'document')
  const validate = ajv.compile({ $ref: `document${pointer}` })
  const wrong = records.filter((each) => !validate(each)).map((each) => [each, ajv.errorsText(validate.errors)])
  expect(wrong).toEqual([])
}

export interface RecordSchema {
  type: 'object'
  required: string[]
  properties: Record<string, unknown>
}

/** An object with an id and other properties, all of them required. */
export function record(properties: Record<string, unknown>, id: object = whole): RecordSchema {
  return { type: 'object', required: ['id', ...Object.keys(properties)], properties: { id, ...properties } }
}

/** An operation that creates records with this schema. */
export function createOf(schema: object): object {
  const content = { 'application/json': { schema } }
  const given = { 'application/json': { schema: { type: 'object', additionalProperties: true } } }
  return { requestBody: { content: given }, responses: { 201: { description: 'Created.', content } } }
}

/** A document with operations to list and create these records. */
export function toDocument(records: Record<string, object | undefined>): { paths: Record<string, object> } {
  const paths = Object.keys(records).map((name) => {
    const schema = { $ref: `#/components/schemas/${name}` }
    const content = { 'application/json': { schema: { type: 'array', items: schema } } }
    return [
      `/${name}`,
      { get: { responses: { 200: { description: 'All.', content } } }, post: createOf(schema) },
    ] as const
  })
  const document = {
    openapi: '3.1.0',
    info: { title: 'Varied', version: '1' },
    servers: [{ url: base }],
    paths: Object.fromEntries(paths),
    components: { schemas: { ...parts, ...records } },
  }
  return document
}

export async function generateFor(
  records: Record<string, object | undefined>,
  options: GenerateScenarioOptions = {},
): Promise<{ scenario: Scenario; sandbox: Sandbox }> {
  const compiled = await compileDocument(JSON.stringify(toDocument(records)))
  const scenario = await generateScenario({ compiled, ...options })
  return { scenario, sandbox: createSandbox({ contract: compiled.contract, scenario }) }
}
