/** `export msw` writes data as data: no text or name of a document acts as code in the module. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compileDocument, createSandbox, type Sandbox } from 'petstore-sandbox'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { root } from '../support/launch.js'
import { doors, openDocument, receive } from '../support/one-operation.js'
import { runWarm } from '../support/warm.js'

const folder = join(root, '.reports', 'export-data')

/** Texts that the code of validators or of the module could hold, or that end a text, a comment or a line. */
const likeCode = [
  'export const validators1 = ',
  'export const validator0 = validate0;',
  'exports.validator0 = 1;',
  'vErrors.concat(validate1.errors)',
  '"vErrors.concat(validate1.errors)"',
  'return function validate1(',
  'return validators',
  '\nexport { createHandlerModule };',
  '*/ export const x = 1 /*',
  '${`',
  '\u2028',
  '\'"\\',
]

/** What they became when code was edited as text, and others. */
const unlike = [
  'const validators1 = ',
  '',
  'nothing',
  '(validate1.errors.forEach((error) => void vErrors.push(error)), vErrors)',
  '"(validate1.errors.forEach((error) => void vErrors.push(error)), vErrors)"',
]

/** An object with a property of the name `__proto__`. */
const proto = (value: unknown, others: object = {}) =>
  Object.fromEntries([['__proto__', value], ...Object.entries(others)])

const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const record = { $ref: '#/components/schemas/Record' }
const ok = { 200: { description: '*/ export const x = 1 /*', ...json({ type: 'object' }) } }

const text = JSON.stringify({
  openapi: '3.1.0',
  info: { title: '*/ ${` \u2028', version: '1' },
  servers: [{ url: 'https://data.example' }],
  security: [],
  paths: {
    '/records': {
      get: {
        operationId: '__proto__',
        parameters: [{ name: '__proto__', in: 'query', schema: { type: 'integer' } }],
        responses: { 200: { description: 'ok', ...json({ type: 'array', items: record }) } },
      },
      post: {
        requestBody: { required: true, ...json(record) },
        responses: { 201: { description: 'ok', ...json(record) } },
      },
    },
    '/records/{id}': {
      get: {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        security: [proto([])],
        responses: { 200: { description: 'ok', ...json(record) } },
      },
    },
    '/strict': {
      post: {
        requestBody: json({
          properties: proto({ type: 'integer' }, { a: { const: proto(1) } }),
          dependentRequired: proto(['a']),
          additionalProperties: false,
        }),
        responses: ok,
      },
    },
  },
  components: {
    securitySchemes: proto({ type: 'apiKey', in: 'header', name: 'X-Key' }),
    schemas: {
      Record: {
        type: 'object',
        properties: proto(
          { type: 'string', maxLength: 3 },
          {
            id: { type: 'integer' },
            text: { enum: likeCode },
            inner: record,
            byDefault: { default: '*/ ${`' },
            price: { multipleOf: 0.01 },
          },
        ),
      },
    },
  },
})

type Case = [what: string, method: string, path: string, body: string | undefined, status: number, key?: string]

const cases: Case[] = [
  ...likeCode.map((each): Case => [`the text ${JSON.stringify(each)}`, 'POST', '/records', textBody(each), 201]),
  ...likeCode.map(
    (each): Case => [`${JSON.stringify(each)} inside`, 'POST', '/records', `{"inner":${textBody(each)}}`, 201],
  ),
  ...unlike.map((each): Case => [`the text ${JSON.stringify(each)}`, 'POST', '/records', textBody(each), 400]),
  ['a property', 'POST', '/records', '{"__proto__":"abc"}', 201],
  ['a wrong property', 'POST', '/records', '{"__proto__":"abcd"}', 400],
  ['a query parameter', 'GET', '/records?__proto__=1', undefined, 200],
  ['a wrong query parameter', 'GET', '/records?__proto__=x', undefined, 400],
  ['no credentials of a scheme', 'GET', '/records/1', undefined, 401],
  ['credentials of a scheme', 'GET', '/records/1', undefined, 200, 'sandbox'],
  ['an allowed property', 'POST', '/strict', '{"__proto__":1,"a":{"__proto__":1}}', 200],
  ['a wrong constant', 'POST', '/strict', '{"a":{"__proto__":2}}', 400],
  ['a missing dependent property', 'POST', '/strict', '{"__proto__":1}', 400],
  ['a multiple', 'POST', '/records', '{"price":19.99}', 201],
  ['no multiple', 'POST', '/records', '{"price":19.991}', 400],
  ['another property', 'POST', '/strict', '{"b":1}', 400],
]

function textBody(value: string): string {
  return JSON.stringify({ text: value })
}

function toHeaders(key: string | undefined): Record<string, string> {
  return { 'Content-Type': 'application/json', ...(key !== undefined && { 'X-Key': key }) }
}

it.each(doors)('answers names and texts that look like code through %s', async (door) => {
  const connection = await openDocument(door, text)
  const got: unknown[] = []
  for (const [what, method, path, body, , key] of cases) {
    const headers = Object.entries(toHeaders(key))
    const { status } = await receive(connection, { method, target: path, headers, ...(body !== undefined && { body }) })
    got.push([what, status])
  }
  expect(got).toEqual(cases.map(([what, , , , status]) => [what, status]))
})

/** File names with characters that end a line or a comment. */
const files: [what: string, name: string][] = [
  ['a line break', 'a\nthrow new Error("x").json'],
  ['a carriage return', 'a\rthrow new Error("x").json'],
  ['a line separator', 'a\u2028throw new Error("x").json'],
  ['the end of a comment', 'a*\uff0f"${`.json'],
]

it.each(files)('writes a module for a file whose name has %s', async (_, name) => {
  const { sandbox } = await exportFile(
    name,
    JSON.stringify({ ...JSON.parse(text), info: { title: name, version: '1' } }),
  )
  expect((await sandbox.fetch('https://data.example/records')).status).toBe(200)
})

it('answers names and texts that look like code from an exported module', async () => {
  const { sandbox } = await exportFile('data.json', text)
  expect(await answersOf(sandbox)).toEqual(cases.map(([what, , , , status]) => [what, status]))
})

it('gives the same messages from an exported module', async () => {
  const { sandbox } = await exportFile('data.json', text)
  const { contract } = await compileDocument(text)
  const inside = createSandbox({ contract })
  const init = { method: 'POST', headers: toHeaders(undefined), body: textBody('nothing') }
  const [one, other] = await Promise.all(
    [sandbox, inside].map(async ({ fetch }) => (await fetch('https://data.example/records', init)).json()),
  )
  expect(one).toEqual(other)
})

it('exports only what is documented', async () => {
  expect(Object.keys(await exportFile('data.json', text)).sort()).toEqual(['createHandlers', 'handlers', 'sandbox'])
})

it('writes types that TypeScript can parse', async () => {
  await exportFile('data.json', text)
  const file = join(folder, 'data.json.d.ts')
  const { parseDiagnostics } = ts.createSourceFile(
    file,
    await readFile(file, 'utf8'),
    ts.ScriptTarget.Latest,
  ) as unknown as {
    parseDiagnostics: unknown[]
  }
  expect(parseDiagnostics).toEqual([])
})

it('writes the types of names that all objects inherit', async () => {
  const names = Object.getOwnPropertyNames(Object.prototype)
  const named = <Value>(value: Value) => Object.fromEntries(names.map((name): [string, Value] => [name, value]))
  const schema = { type: 'object', required: ['valueOf'], properties: named({ type: 'string' }) }
  const operationOf = (name: string) => ({
    operationId: name,
    parameters: [{ name, in: 'query', schema: { type: 'string' } }],
    responses: { 200: { description: name, ...json({ $ref: `#/components/schemas/${name}` }) } },
  })
  const inline = { get: { responses: { 200: { description: 'ok', ...json(schema) } } } }
  const paths = names.map((name): [string, object] => [`/${name}`, { get: operationOf(name) }])
  const document = { ...JSON.parse(text), paths: { ...Object.fromEntries(paths), '/inline': inline } }
  document.components = { schemas: named(schema) }
  await exportFile('inherited.json', JSON.stringify(document))
  const types = await readFile(join(folder, 'inherited.json.d.ts'), 'utf8')
  for (const name of names) {
    expect(types).toContain(`"/${name}": {`)
    expect(types).toContain(`"application/json": components["schemas"]["${name}"]`)
  }
  const isRequired = (name: string) => (name === 'valueOf' ? '' : '?')
  const properties = names.map((name) => `${name}${isRequired(name)}: string;`)
  for (const property of properties) expect(types.split(property).length - 1, property).toBeGreaterThan(names.length)
})

async function exportFile(name: string, content: string): Promise<{ sandbox: Sandbox }> {
  await mkdir(folder, { recursive: true })
  const file = join(folder, name)
  const out = join(folder, `${name.replace(/[^a-z.]/g, '_')}.js`)
  await writeFile(file, content)
  const { code, stderr } = await runWarm(['export', 'msw', '--spec', file, '--out', out, '--force', '--records', '2'])
  expect([code, stderr]).toEqual([0, ''])
  return import(out)
}

async function answersOf({ fetch }: Sandbox): Promise<unknown[]> {
  const got: unknown[] = []
  for (const [what, method, path, body, , key] of cases) {
    const { status } = await fetch(`https://data.example${path}`, {
      method,
      headers: toHeaders(key),
      ...(body !== undefined && { body }),
    })
    got.push([what, status])
  }
  return got
}
