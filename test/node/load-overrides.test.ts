/** Files with overrides: how they are found, read and loaded again, and that nothing else leads to code. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { compileDocument, createSandbox, type Override, SandboxError } from 'petstore-sandbox'
import { type ServerOptions, startServer } from 'petstore-sandbox/node'
import { override } from 'petstore-sandbox/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { loadOverrides, toPath } from '../../src/node/load-overrides.js'
import { serve } from '../support/launch.js'

const bin = fileURLToPath(new URL('../../bin/petstore-sandbox.js', import.meta.url))
let folder = ''
const file = (name: string) => join(folder, name)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overrides-'))
  await mkdir(file('with spaces'))
  const files: Record<string, string> = {
    'quote.yaml': document,
    'typed.ts': [
      "import { defineOverrides, type Override } from 'petstore-sandbox'",
      "import { rate, Unit } from './rates.js'",
      "import own from './own.json' with { type: 'json' }",
      "import { basename } from 'node:path'",
      'const quote: Override = ({ answer }) => answer(200, { price: rate * own.factor + Unit.Each + basename(import.meta.url).length })',
      "export default defineOverrides({ 'GET /quote': quote satisfies Override })",
    ].join('\n'),
    'rates.ts': 'export enum Unit { Each = 100 }\nexport const rate: number = 4\n',
    'common.js': 'const price = 9\nmodule.exports = { getQuote: () => ({ price }) }\n',
    'own.json': '{ "factor": 10 }',
    'with spaces/plain.mjs': 'export default { getQuote: ({ answer }) => answer(200, { price: 7 }) }\n',
    'syntax.ts': "export default {\n  'GET /quote': () => {{ ,\n}\n",
    'throws.js': 'const nothing = undefined\n\nnothing.x()\nexport default {}\n',
    'none.js': 'export const overrides = {}\n',
    'missing-import.js': "import './nowhere.js'\nexport default {}\n",
    'unknown.js': "export default { 'GET /quotes': () => 1 }\n",
    'late.js': [
      "export default { 'GET /pets': ({ records, answer }) => {",
      "  setTimeout(() => records('pets').get(1), 1)",
      "  setTimeout(() => { throw new Error('too late') }, 2)",
      "  Promise.reject(new Error('unheard'))",
      '  return answer(200, [])',
      '} }',
    ].join('\n'),
    'number.js': "export default { 'GET /quote': 1 }\n",
  }
  for (const [name, text] of Object.entries(files)) await writeFile(file(name), text)
})
afterAll(() => rm(folder, { recursive: true }))

const document = `
openapi: 3.1.0
info: { title: Quotes, version: 1.0.0 }
servers: [{ url: https://quotes.example }]
paths:
  /quote:
    get:
      operationId: getQuote
      responses:
        '200': { description: OK, content: { application/json: { schema: { type: object, required: [price], properties: { price: { type: integer } } } } } }
`

const start = (options: ServerOptions) => startServer({ port: 0, spec: file('quote.yaml'), ...options })

async function priceOf(url: string): Promise<unknown> {
  const answer = (await (await fetch(`${url}/quote`)).json()) as { price: unknown }
  return answer.price
}

describe('a file with overrides is loaded', () => {
  it.each([
    { what: 'in TypeScript, with what it imports', overrides: () => file('typed.ts'), price: 148 },
    { what: 'in JavaScript, by its path', overrides: () => file('with spaces/plain.mjs'), price: 7 },
    { what: 'in CommonJS', overrides: () => file('common.js'), price: 9 },
    { what: 'by its URL', overrides: () => pathToFileURL(file('with spaces/plain.mjs')).href, price: 7 },
    { what: 'after others, whose override it calls', overrides: () => [file('typed.ts'), { '*': addOne }], price: 149 },
  ])('$what', async ({ overrides, price }) => {
    const server = await start({ overrides: overrides() })
    expect(await priceOf(server.url)).toBe(price)
    const health = (await (await fetch(`${server.url}/_sandbox/health`)).json()) as { overrides: string }
    expect(health.overrides).toMatch(/^[0-9a-f]{64}$/)
    await server.close()
  })
})

const addOne = async ({ next }: { next(): Promise<{ body: { price: number } }> }) => {
  const given = await next()
  return { ...given, body: { price: given.body.price + 1 } }
}

describe('an error in a file stops the start, and says where it is', () => {
  it.each([
    { name: 'syntax.ts', message: /Failed to load overrides: .*syntax\.ts:2:\d+/ },
    { name: 'throws.js', message: /Cannot read properties of undefined.*throws\.js:3:/ },
    { name: 'none.js', message: /its default export must be overrides/ },
    { name: 'missing-import.js', message: /nowhere\.js", which .*missing-import\.js imports: there is no such file/ },
    { name: 'nowhere.ts', message: /Failed to read ".*nowhere\.ts": there is no such file/ },
    { name: '.', message: /it is a folder/ },
    { name: 'unknown.js', message: /No operation is called "GET \/quotes".* the closest is "GET \/quote"/ },
    { name: 'number.js', message: /The override "GET \/quote" must be a function \(got number\)/ },
  ])('$name', async ({ name, message }) => {
    const failed = await start({ overrides: file(name) }).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(SandboxError)
    expect((failed as SandboxError).message).toMatch(message)
  })
})

describe('only a file of this machine is code', () => {
  it.each([
    'https://example.com/a.ts',
    'http://127.0.0.1/a.js',
    'data:text/javascript,1',
    'node:fs',
    'blob:x',
    'javascript:1',
  ])('not %s', async (overrides) => {
    await expect(start({ overrides })).rejects.toThrow(`Overrides must be a file of this machine (got "${overrides}")`)
  })

  it.each([
    { given: 'a/b.ts', path: resolve('a/b.ts') },
    { given: '/a/b.ts', path: '/a/b.ts' },
    { given: 'file:///a/b%20c.ts', path: '/a/b c.ts' },
    { given: 'C:\\a\\b.ts', path: resolve('C:\\a\\b.ts') },
    { given: 'D:/a/b.ts', path: resolve('D:/a/b.ts') },
  ])('$given is $path', ({ given, path }) => {
    expect(toPath(given)).toBe(path)
  })

  const names = [
    'overrides',
    'override',
    'x-sandbox-override',
    'x-sandbox-overrides',
    'x-sandbox-code',
    'handler',
    'handlers',
  ]
  names.push(
    'module',
    'require',
    'import',
    'plugin',
    'plugins',
    'script',
    'scripts',
    'code',
    'loader',
    'resolver',
    'hook',
    'hooks',
    'eval',
    'file',
  )

  it('nothing that a document, its data or a request says is run', async () => {
    await writeFile(
      file('evil.js'),
      `globalThis.wasRun = true\nrequire('node:fs').writeFileSync(${JSON.stringify(file('evil.txt'))}, '')\nmodule.exports = {}\n`,
    )
    const said = Object.fromEntries(names.map((name) => [name, file('evil.js')]))
    const marked = parse(document)
    for (const place of [marked, marked.info, marked.paths['/quote'], marked.paths['/quote'].get])
      Object.assign(place, said)
    const overlay = {
      overlay: '1.0.0',
      info: { title: 'Evil', version: '1', ...said },
      ...said,
      actions: [{ target: '$', update: said, ...said }],
    }
    const har = {
      log: {
        version: '1.2',
        ...said,
        entries: [
          {
            ...said,
            request: { method: 'GET', url: 'https://quotes.example/quote', headers: [], ...said },
            response: {
              status: 200,
              headers: [],
              content: { text: '{"price":1}', mimeType: 'application/json', ...said },
              ...said,
            },
          },
        ],
      },
    }
    const snapshot = { clockOffset: 0, collections: [], own: said, ...said }
    const files = {
      'evil.yaml': marked,
      'evil.overlay.json': overlay,
      'evil.har': har,
      'evil.json': { ...said, notes: [said] },
    }
    for (const [name, value] of Object.entries(files)) await writeFile(file(name), JSON.stringify(value))

    const { contract } = await compileDocument(JSON.stringify(marked))
    const sandbox = createSandbox({ contract })
    await sandbox
      .world()
      .restore(snapshot as never)
      .catch(() => {})
    await sandbox.fetch('https://quotes.example/quote')
    await start({ scenario: file('evil.json') }).then(
      (server) => server.close(),
      () => {},
    )
    const store = `file:${file('evil.db')}`
    for (const again of [false, true]) {
      const server = await start({ spec: file('evil.yaml'), overlays: [file('evil.overlay.json')], store })
      expect(await priceOf(server.url)).toEqual(expect.any(Number))
      if (!again) await server.sandbox.world().restore(snapshot as never)
      for (const path of [
        'worlds',
        'worlds/sandbox',
        'snapshots/evil',
        'faults',
        'keys',
        'overrides',
        'corrections',
        'requests',
      ])
        for (const method of ['POST', 'PUT', 'PATCH'])
          await fetch(`${server.url}/_sandbox/${path}`, {
            ...{ method, headers: { 'Content-Type': 'application/json' } },
            body: JSON.stringify({ ...said, spec: file('evil.js'), actions: [{ target: '$', update: said }] }),
          })
      await server.close()
    }
    await promisify(execFile)(process.execPath, [bin, 'run', file('evil.yaml'), '--har', file('evil.har')]).catch(
      () => {},
    )
    expect('wasRun' in globalThis).toBe(false)
    await expect(stat(file('evil.txt'))).rejects.toThrow('ENOENT')
  })
})

it('a change of the file, or of one that it imports, is used at once, and an error leaves what was there', async () => {
  const reloads: unknown[] = []
  const onReload = (reload: object) => reloads.push('error' in reload ? 'error' : 'loaded')
  const server = await start({ overrides: file('typed.ts'), watch: true, onReload })
  expect(await priceOf(server.url)).toBe(148)
  await writeFile(file('rates.ts'), 'export enum Unit { Each = 200 }\nexport const rate: number = 4\n')
  expect(await priceOf(server.url)).toBe(248)
  await writeFile(file('rates.ts'), 'export enum {')
  await expect.poll(() => reloads).toEqual(['loaded', 'error'])
  expect(await priceOf(server.url)).toBe(248)
  await writeFile(file('rates.ts'), 'export enum Unit { Each = 100 }\nexport const rate: number = 4\n')
  await expect.poll(() => reloads).toEqual(['loaded', 'error', 'loaded'])
  expect(await priceOf(server.url)).toBe(148)
  await server.close()
})

it('the hash is that of all files, and changes with each of them', async () => {
  const hash = () => loadOverrides(file('typed.ts'), () => {}).hash
  const before = hash()
  expect(hash()).toBe(before)
  await writeFile(file('own.json'), '{ "factor":  10 }')
  expect(hash()).not.toBe(before)
})

describe('an answer is judged by the document', () => {
  it.each<{ what: string; code: Override; why: string }>([
    { what: 'its body', code: () => ({ price: 'much' }), why: 'price must be an integer (got "much")' },
    { what: 'its status', code: ({ answer }) => answer(203, {}), why: '203 is not documented' },
    { what: 'the status of a refusal', code: ({ refuse }) => refuse(409, 'No'), why: '409 is not documented' },
  ])('$what', async ({ code, why }) => {
    const { contract } = await compileDocument(document)
    const sandbox = createSandbox({ contract, overrides: { getQuote: code } })
    await sandbox.fetch('https://quotes.example/quote')
    const [{ notes } = { notes: [] }] = sandbox.journal.list()
    expect(notes).toEqual([`the answer of the override breaks the document: ${why}`])
  })
})

it('what an override does after its answer does not end the program', async () => {
  const program = await serve(['--overrides', file('late.js')])
  expect(program.stdout()).toMatch(/GET +\/pets .*overridden/)
  for (const what of ['has ended: await what it starts', 'too late', 'unheard', '']) {
    const response = await fetch(`${program.url}/v1/pets`, { headers: { Authorization: 'Bearer sandbox' } })
    expect(await response.json()).toEqual([])
    await expect.poll(() => program.stderr()).toContain(what)
  }
})

it('one test adds an override, and removes it', async () => {
  const { contract } = await compileDocument(document)
  const sandbox = createSandbox({ contract })
  const ask = async () => (await sandbox.fetch('https://quotes.example/quote')).status
  const remove = await override(sandbox, 'getQuote', ({ refuse }) => refuse(503, 'Closed'))
  expect(await ask()).toBe(503)
  remove()
  expect(await ask()).toBe(200)
  await expect(override(sandbox, 'getQuotes', () => 1)).rejects.toThrow('the closest is "getQuote"')
})

it('callbacks follow what an override changed, and not what it refused', async () => {
  const { contract } = await compileDocument(`
openapi: 3.1.0
info: { title: Jobs, version: 1.0.0 }
servers: [{ url: https://jobs.example }]
paths:
  /jobs:
    post:
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Job' } } } }
      responses: { '201': { description: Created, content: { application/json: { schema: { $ref: '#/components/schemas/Job' } } } } }
      callbacks:
        done:
          '{$request.body#/url}':
            post:
              requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Job' } } } }
              responses: { '200': { description: OK } }
  /jobs/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: OK, content: { application/json: { schema: { $ref: '#/components/schemas/Job' } } } } } }
components:
  schemas:
    Job: { type: object, required: [url, name], properties: { id: { type: integer }, url: { type: string }, name: { type: string } } }
`)
  const sent: string[] = []
  const overrides = {
    'POST /jobs': async ({
      body,
      next,
      refuse,
    }: {
      body: { name: string }
      next(): Promise<{ record: { name: string } }>
      refuse(status: number, message: string): unknown
    }) => {
      const made = await next()
      if (body.name === 'bad') return refuse(409, 'No')
      made.record.name = 'changed'
      return made
    },
  }
  const fetch = async (_: unknown, { body }: { body?: unknown } = {}) => {
    sent.push(String(body))
    return new Response()
  }
  const sandbox = createSandbox({ contract, overrides, fetch: fetch as never })
  for (const name of ['bad', 'good'])
    await sandbox.fetch('https://jobs.example/jobs', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name, url: 'http://127.0.0.1:9/done' }),
    })
  await expect.poll(() => sent).toHaveLength(1)
  expect(sandbox.journal.list().map(({ response }) => response.status)).toEqual([409, 201, 200])
  expect(JSON.parse(sent[0] ?? '')).toMatchObject({ name: 'changed' })
})
