// `petstore-sandbox export msw`: handlers for another document in one file, compiled ahead of time.

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compileDocument, createSandbox } from 'petstore-sandbox'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { root, run } from '../support/launch.js'
import { runWarm } from '../support/warm.js'
import { hookDocument, orderSchema, sending } from '../support/webhook-document.js'

// Below the root, so that the file resolves MSW as in a project.
const folder = join(root, '.reports', 'export')
const out = join(folder, 'mocks', 'sandbox.js')
const spec = join(root, 'test', 'support', 'books.openapi.yaml')
const key = { 'X-API-Key': 'sandbox' }

it('writes a module and its types, and creates their folders', async () => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const { code, stdout, stderr } = await runWarm(['export', 'msw', '--spec', spec, '--out', out])
  expect(stderr).toBe('')
  expect(stdout).toMatch(/sandbox\.js and .*sandbox\.d\.ts\n$/)
  expect(code).toBe(0)
})

it('writes handlers that keep state, validate and refuse as documented', async () => {
  const script = join(folder, 'use.mjs')
  await writeFile(
    script,
    `import { setupServer } from 'msw/node'
import { createHandlers, handlers, sandbox } from './mocks/sandbox.js'
setupServer(...handlers).listen({ onUnhandledRequest: 'error' })
const address = 'https://books.service.example/api/books'
const headers = { 'Content-Type': 'application/json', ...${JSON.stringify(key)} }
const post = (body) => fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })
const before = await (await fetch(address, { headers })).json()
const made = await post({ title: 'Emma', genre: 'novel', pages: 9, price: 1 })
const bad = await post({ title: '', genre: 'none' })
const after = await (await fetch(address, { headers })).json()
await sandbox.reset()
const again = await (await fetch(address, { headers })).json()
const empty = await createHandlers({ scenario: {} }).sandbox.fetch(address, { headers })
console.log(JSON.stringify({
  before: before.total, made: made.status, bad: [bad.status, await bad.json()], after: after.total, again: again.total,
  empty: (await empty.json()).total,
}))
`,
  )
  const { stdout, stderr } = await run([], { command: [process.execPath, script] })
  expect(stderr).toBe('')
  const { bad, ...rest } = JSON.parse(stdout)
  expect(rest).toEqual({ before: 20, made: 201, after: 21, again: 20, empty: 0 })
  expect(bad[0]).toBe(422)
  expect(JSON.stringify(bad[1])).toMatch(/title.*genre|genre.*title/)
})

/** Servers that give no absolute address, and where their handlers answer outside a page. */
const servers: [string, object[] | undefined, string[]][] = [
  ['no servers', undefined, ['http://localhost/xs']],
  ['a path', [{ url: '/v1/' }], ['http://localhost/v1/xs']],
  ['a path without a slash', [{ url: 'v1' }], ['http://localhost/v1/xs']],
  ['an address without a protocol', [{ url: '//api.example.com/v1' }], ['http://api.example.com/v1/xs']],
  ['an address that is no URL', [{ url: 'https://a b:x/v1' }], ['http://localhost/v1/xs']],
  [
    'a path and an address',
    [{ url: '/v1' }, { url: 'https://api.example.com' }],
    ['http://localhost/v1/xs', 'https://api.example.com/xs'],
  ],
]

it.each(servers)('writes handlers that can be imported anywhere for %s', async (_, written, addresses) => {
  const schema = { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } } } }
  const responses = { 200: { description: 'ok', content: { 'application/json': { schema } } } }
  const document = {
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    servers: written,
    paths: { '/xs': { get: { responses } } },
  }
  const name = `servers-${servers.findIndex(([, each]) => each === written)}`
  const file = join(folder, `${name}.json`)
  await writeFile(file, JSON.stringify(document))
  expect(
    await runWarm(['export', 'msw', '--spec', file, '--out', join(folder, `${name}.js`), '--force']),
  ).toMatchObject({
    code: 0,
  })
  const script = join(folder, `${name}.mjs`)
  await writeFile(
    script,
    `import { setupServer } from 'msw/node'
import { createHandlers, handlers } from './${name}.js'
const statuses = async (server, addresses) => {
  server.listen({ onUnhandledRequest: 'error' })
  const answers = await Promise.all(addresses.map((address) => fetch(address).then(({ status }) => status, String)))
  server.close()
  return answers
}
const documented = await statuses(setupServer(...handlers), ${JSON.stringify(addresses)})
const own = createHandlers({ baseUrl: 'http://localhost:3000/own' }).handlers
console.log(JSON.stringify([...documented, ...(await statuses(setupServer(...own), ['http://localhost:3000/own/xs']))]))
`,
  )
  const { stdout, stderr } = await run([], { command: [process.execPath, script] })
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual([...addresses, 'own'].map(() => 200))
})

it('writes handlers whose relative addresses belong to the page', async () => {
  const script = join(folder, 'page.mjs')
  await writeFile(
    script,
    `import { setupServer } from 'msw/node'
globalThis.location = new URL('https://page.example/a/b?c#d')
const { handlers } = await import('./servers-1.js')
setupServer(...handlers).listen({ onUnhandledRequest: 'error' })
console.log((await fetch('https://page.example/v1/xs')).status)
`,
  )
  expect(await run([], { command: [process.execPath, script] })).toMatchObject({ stderr: '', stdout: '200\n' })
})

it('writes code that evaluates nothing and imports only MSW', async () => {
  const code = await readFile(out, 'utf8')
  expect(code).not.toMatch(/new Function|\beval\(/)
  expect([...code.matchAll(/^import\b[^;]*?from ?["']([^"']+)["']/gm)].map(([, name]) => name)).toEqual(['msw'])
  expect(code).not.toMatch(/\bimport\(|node:/)
  expect(code).not.toContain(root)
})

/** Files of libraries, which the programs below share. */
const parsed = new Map<string, ts.SourceFile | undefined>()

/** Reads each file below node_modules once. */
function createHost(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options)
  const read = host.getSourceFile
  host.getSourceFile = (name, ...others) => {
    if (!name.includes('/node_modules/')) return read(name, ...others)
    const known = parsed.has(name) ? parsed.get(name) : read(name, ...others)
    parsed.set(name, known)
    return known
  }
  return host
}

/** The messages of the TypeScript compiler about a program in the folder, its imports included. */
async function diagnose(name: string, code: string): Promise<string[]> {
  const file = join(folder, name)
  await writeFile(file, code)
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    // The declarations of this project, and not those of the libraries.
    skipLibCheck: true,
  }
  const program = ts.createProgram([file], options, createHost(options))
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

it('writes types for TypeScript programs, of all that the module can do', async () => {
  const code = `import { setupServer } from 'msw/node'
import { createHandlers, handlers, sandbox, type Exchange, type Sandbox, type World } from './mocks/sandbox.js'
export const server = setupServer(...handlers, ...createHandlers({ baseUrl: 'http://localhost/api' }).handlers)
const world: World = sandbox.world('sandbox-1')
await world.reset()
const books = world.collection('books')
const { id } = await books.add({ title: 'Emma' })
const found = await books.list({ filter: { title: 'Emma' }, limit: 1 })
await world.restore(await world.snapshot())
await world.clock.travelTo('2030-12-05')
const now: number = await sandbox.clock.now()
const exchanges: Exchange[] = sandbox.journal.list()
sandbox.journal.subscribe(({ request, notes }) => console.log(request.path, notes, id, found, now, exchanges))
export const other: Sandbox = createHandlers({ cors: false, maxBodyBytes: 9, journal: { maxExchanges: 1 } }).sandbox
// @ts-expect-error: there is no such option
createHandlers({ base: 'x' })
// @ts-expect-error: there is no such limit
createHandlers({ journal: { maxExchange: 1 } })
`
  expect(await diagnose('consumer.ts', code)).toEqual([])
})

it('writes types of the document: paths, records by collection and operations', async () => {
  const code = `import createClient from 'openapi-fetch'
import { compileDocument, createSandbox, type AnyDocument, type Sandbox } from 'petstore-sandbox'
import { sandbox, type DescribedDocument, type paths } from './mocks/sandbox.js'
const books = sandbox.world().collection('books')
export const title: string | undefined = (await books.get('1'))?.title
export const genres: ('novel' | 'poetry' | 'science' | undefined)[] = (await books.list()).map(({ genre }) => genre)
// @ts-expect-error: there is no such property
await books.add({ titel: 'Emma' })
// @ts-expect-error: there is no such property
await books.list({ filter: { titel: 'Emma' } })
// @ts-expect-error: there is no such collection
sandbox.world().collection('none')
export const created = sandbox.journal.list().filter(({ operation }) => operation === 'createBook')
// @ts-expect-error: there is no such operation
sandbox.journal.subscribe(({ operation }) => operation === 'none')
export const { data } = await createClient<paths>({ fetch: sandbox.fetch }).GET('/books')

const { contract } = await compileDocument<DescribedDocument>('')
export const same: Sandbox<DescribedDocument> = createSandbox({ contract })
// @ts-expect-error: there is no such collection
same.world().collection('none')
const unknown = createSandbox({ contract: (await compileDocument('')).contract })
export const any: Sandbox<AnyDocument> = unknown
export const value: unknown = (await unknown.world().collection('none').list())[0]?.['anything']
export const status: 'sold' | 'pending' | 'available' | undefined = (await createSandbox().world().collection('pets').get(1))?.status
`
  expect(await diagnose('typed.ts', code)).toEqual([])
})

it('writes types for overrides of the document', async () => {
  const { code: exit } = await run(['export', 'types', spec, '--out', join(folder, 'api.ts'), '--force'])
  expect(exit).toBe(0)
  const code = `import { defineOverrides } from 'petstore-sandbox'
import type { Api } from './api.js'
export default defineOverrides<Api>({
  createBook: async ({ body, refuse, records, next }) => {
    const title: string = body.title
    // The key is in the answer only.
    body.id = title
    // @ts-expect-error: there is no such property
    body.titel = title
    // @ts-expect-error: there is no such reason
    if (title === '') return refuse('conflikt', 'No')
    if (title === 'x') return refuse('conflict', 'No')
    // @ts-expect-error: there is no such collection
    await records('none').list()
    const [first] = await records('books').list({ genre: 'novel' })
    const found: string | undefined = first?.title ?? (await next()).body.title
    console.log(found)
    return undefined
  },
  'GET /books': ({ query, answer }) => {
    const limit: number | undefined = query.limit
    // @ts-expect-error: there is no such parameter
    console.log(limit, query.limits)
    // @ts-expect-error: it has no such status
    answer(418)
    // @ts-expect-error: the total is a number
    if (limit === 1) return answer(200, { items: [], total: '0' })
    return answer(200, { items: [], total: 0 })
  },
  'GET /books/{bookId}': ({ record, params, query }) => {
    // @ts-expect-error: it has no parameters
    console.log(query.limit)
    if (record) record.title = params.bookId
    // @ts-expect-error: it may be undefined
    record.title = ''
  },
  '*': ({ next }) => next(),
})
// @ts-expect-error: there is no such operation
defineOverrides<Api>({ 'GET /bookz': () => undefined })
`
  expect(await diagnose('overrides.ts', code)).toEqual([])
})

it('writes types of records in wrappers and pages, and none for what is not described', async () => {
  const record = {
    type: 'object',
    required: ['id', 'name'],
    properties: { id: { type: 'integer' }, name: { type: 'string' } },
  }
  const answer = (schema: object) => ({ 200: { description: 'ok', content: { 'application/json': { schema } } } })
  const paging = { type: 'object', properties: { items: { type: 'array', items: record }, next: { type: 'string' } } }
  const wrapped = { type: 'object', properties: { data: record } }
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }]
  const document = {
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: {
      '/cats': { get: { responses: answer(paging) } },
      '/dogs/{id}': { get: { parameters, responses: answer(wrapped) }, delete: { parameters, responses: { 204: {} } } },
      '/things/{id}': { get: { parameters, responses: answer({}) }, delete: { parameters, responses: { 204: {} } } },
    },
  }
  await writeFile(join(folder, 'wrapped.json'), JSON.stringify(document))
  const written = await runWarm([
    'export',
    'msw',
    '--spec',
    join(folder, 'wrapped.json'),
    '--out',
    join(folder, 'wrapped.js'),
  ])
  expect(written).toMatchObject({ code: 0, stderr: '' })
  const code = `import { sandbox } from './wrapped.js'
const world = sandbox.world()
export const cat: string | undefined = (await world.collection('cats').list())[0]?.name
export const dog: string | undefined = (await world.collection('dogs').get(1))?.name
// @ts-expect-error: nothing is known of it
export const thing: string | undefined = (await world.collection('things').get(1))?.['name']
`
  expect(await diagnose('wrapped-use.ts', code)).toEqual([])
})

it('writes the same types as those of the package', async () => {
  const code = `import { createSandbox, type Sandbox } from 'petstore-sandbox'
import type { BaseUrl } from 'petstore-sandbox/msw'
import { sandbox, type HandlersOptions, type Sandbox as Written } from './mocks/sandbox.js'
export const one: Sandbox = sandbox
export const other: Written = createSandbox()
type Options = NonNullable<Parameters<typeof createSandbox>[0]>
type Common = 'apiKeys' | 'cors' | 'maxBodyBytes' | 'at' | 'now' | 'maxWorlds' | 'journal' | 'onUnexpectedError'
export const options: Pick<HandlersOptions, Common> = {} as Pick<Options, Common>
export const base: HandlersOptions['baseUrl'] = {} as BaseUrl
`
  expect(await diagnose('same.ts', code)).toEqual([])
})

it('writes declarations that the compiler accepts by themselves', async () => {
  const declarations = await readFile(join(folder, 'mocks', 'sandbox.d.ts'), 'utf8')
  // As source, as declarations are not checked together with the libraries.
  expect(await diagnose('declarations.ts', declarations)).toEqual([])
  expect([...declarations.matchAll(/ from ["']([^"']+)["']/g)].map(([, name]) => name)).toEqual(['msw'])
  expect(declarations).not.toContain(root)
})

it('writes a module that refuses unknown options, also in JavaScript', async () => {
  const { createHandlers, sandbox } = await import(out)
  expect(() => createHandlers({ scenari: {} })).toThrow('Unknown option "scenari"; did you mean "scenario"?')
  expect(() => createHandlers({ journal: { maxbytes: 1 } })).toThrow('did you mean "journal.maxBytes"?')
  expect(() => createHandlers({ scenario: 'empty' })).toThrow('scenario must be records by collection (got "empty")')
  expect(() => createHandlers({ at: '5/12/2030' })).toThrow('"5/12/2030" is not a time')
  expect(() => createHandlers({ sandbox, cors: true })).toThrow('Give either a sandbox or options')
  expect(await createHandlers({ at: '2030-12-05', now: () => 0 }).sandbox.clock.now()).toBe(Date.parse('2030-12-05'))
})

it('writes validators that report the same errors as those compiled at start, at every place in a body', async () => {
  const node = { $ref: '#/components/schemas/Node' }
  const text = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Trees', version: '1' },
    servers: [{ url: 'https://trees.example/api' }],
    paths: {
      '/trees': {
        post: {
          requestBody: { required: true, content: { 'application/json': { schema: node } } },
          responses: { 201: { description: 'Made', content: { 'application/json': { schema: node } } } },
        },
      },
    },
    components: {
      schemas: {
        Node: {
          type: 'object',
          required: ['name'],
          properties: {
            name: { type: 'string' },
            size: { type: 'integer', format: 'int32', minimum: 1 },
            share: { type: 'number', maximum: 1 },
            // The pattern of this format has a quote.
            home: { type: 'string', format: 'uri' },
            parent: node,
            children: { type: 'array', items: node },
            named: { type: 'object', additionalProperties: node },
          },
        },
      },
    },
  })
  const bodies = [
    '{}',
    '{"name":"a","parent":{"name":1}}',
    '{"name":"a","parent":{"name":"b","parent":{"size":0}}}',
    '{"name":"a","children":[{"name":"b"},{"children":[{"size":"1"}]}]}',
    '{"name":"a","named":{"x/y~z":{"size":1.5}}}',
    '{"name":"a","size":1e999,"share":1e999}',
    '{"name":"a","size":2147483648,"share":2}',
    '{"name":"a","size":2147483647,"share":1,"parent":{"name":"b"}}',
    '{"name":"a","home":"https://a.example/","parent":{"name":"b","home":"\\"x"}}',
  ]
  await writeFile(join(folder, 'trees.json'), text)
  await runWarm(['export', 'msw', '--spec', join(folder, 'trees.json'), '--out', join(folder, 'trees.js')])
  const { sandbox } = await import(join(folder, 'trees.js'))
  const { contract } = await compileDocument(text, 'trees.json')
  const say = async ({ fetch }: Pick<ReturnType<typeof createSandbox>, 'fetch'>, body: string) => {
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }
    return (await fetch('https://trees.example/api/trees', init)).text()
  }
  for (const body of bodies) expect(await say(sandbox, body)).toBe(await say(createSandbox({ contract }), body))
  expect(await say(sandbox, bodies[3] ?? '')).toContain('children[1].children[0].size must be an integer')
  expect(await readFile(join(folder, 'trees.js'), 'utf8')).not.toMatch(/vErrors|schemaPath:/)
})

/** A document whose operations have tags, and one of which has none. */
const tagged = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1.0.0' },
  servers: [{ url: 'https://shop.example.com' }],
  paths: Object.fromEntries(
    ['orders', 'customers', 'parcels'].flatMap((name) => {
      const schema = { $ref: `#/components/schemas/${name}` }
      const content = { 'application/json': { schema } }
      const list = { 'application/json': { schema: { type: 'array', items: schema } } }
      const tags = name === 'parcels' ? {} : { tags: [name] }
      return [
        [
          `/${name}`,
          {
            get: { ...tags, operationId: `${name}.list`, responses: { 200: { description: 'all', content: list } } },
            post: {
              ...tags,
              operationId: `${name}.create`,
              requestBody: { required: true, content },
              responses: { 201: { description: 'created', content } },
            },
          },
        ],
      ]
    }),
  ),
  components: {
    schemas: Object.fromEntries(
      ['orders', 'customers', 'parcels'].map((name) => [
        name,
        {
          type: 'object',
          required: ['note'],
          properties: { id: { type: 'string', readOnly: true }, note: { type: 'string', maxLength: 20 } },
        },
      ]),
    ),
  },
}

it.each([
  ['--tag orders', ['--tag', 'orders'], ['orders.list', 'orders.create']],
  ['an operation', ['--operation', 'parcels.list'], ['parcels.list']],
  ['both', ['--tag', 'customers', '--operation', 'orders.list'], ['orders.list', 'customers.list', 'customers.create']],
])('writes only a part with %s', async (_, options, operations) => {
  const file = join(folder, 'tagged.json')
  await writeFile(file, JSON.stringify(tagged))
  const part = join(folder, 'part.mjs')
  const { code, stderr } = await runWarm(['export', 'msw', file, '--out', part, '--force', ...options])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const { createHandlers } = await import(`${part}?${operations.join()}`)
  const { sandbox, handlers } = createHandlers()
  expect(sandbox.contract.operations.map(({ id }: { id: string }) => id)).toEqual(operations)
  expect(handlers.length).toBeGreaterThan(0)
  const used = [...new Set(operations.map((id) => id.split('.')[0]))]
  expect(sandbox.contract.collections.map(({ name }: { name: string }) => name).sort()).toEqual(used.sort())
  for (const path of ['/orders', '/customers', '/parcels']) {
    const answer = await sandbox.fetch(`https://shop.example.com${path}`)
    expect(answer.status).toBe(operations.includes(`${path.slice(1)}.list`) ? 200 : 404)
    if (!operations.includes(`${path.slice(1)}.create`)) continue
    const headers = { 'content-type': 'application/json' }
    const post = (note: string) =>
      sandbox.fetch(`https://shop.example.com${path}`, { method: 'POST', headers, body: JSON.stringify({ note }) })
    expect((await post('short')).status).toBe(201)
    expect((await post('x'.repeat(21))).status).toBeGreaterThanOrEqual(400)
  }
})

it.each([
  [['--tag', 'none'], 'Unknown tag "none"; available: orders, customers'],
  [['--operation', 'none'], 'Unknown operation "none"; available: orders.list, orders.create, customers.list'],
])('writes nothing for the unknown part %j', async (options, message) => {
  const file = join(folder, 'tagged.json')
  await writeFile(file, JSON.stringify(tagged))
  const { code, stderr } = await runWarm(['export', 'msw', file, '--out', join(folder, 'none.mjs'), ...options])
  expect(code).toBe(2)
  expect(stderr).toContain(message)
})

it('overwrites files only with --force', async () => {
  const before = await readFile(out, 'utf8')
  const refused = await runWarm(['export', 'msw', '--spec', spec, '--out', out, '--seed', '7'])
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain('--force')
  expect(await readFile(out, 'utf8')).toBe(before)
  const forced = await runWarm(['export', 'msw', '--spec', spec, '--out', out, '--seed', '7', '--force'])
  expect(forced.code).toBe(0)
  expect(await readFile(out, 'utf8')).not.toBe(before)
})

it('writes nothing for an invalid document, and names the location of the error', async () => {
  const broken = join(folder, 'broken.yaml')
  await writeFile(
    broken,
    "openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths:\n  /xs: { get: { responses: [] } }\n",
  )
  const { code, stderr } = await runWarm([
    'export',
    'msw',
    '--strict',
    '--spec',
    broken,
    '--out',
    join(folder, 'broken.js'),
  ])
  expect(code).toBe(2)
  expect(stderr).toMatch(/broken\.yaml:4:\d+: /)
  await expect(readFile(join(folder, 'broken.js'))).rejects.toThrow(/ENOENT/)
})

it.each([
  [['--out', 'x.js'], /--spec/],
  [['--spec', spec], /--out/],
  [['--spec', spec, '--out', 'handlers.ts'], /\.js or \.mjs.*handlers\.ts/],
  [['--spec', 'no.yaml', '--out', join(folder, 'no.js')], /no\.yaml.*no such file/],
])('refuses %j with what to do', async (args, why) => {
  const { code, stderr } = await runWarm(['export', 'msw', ...args])
  expect(code).toBe(2)
  expect(stderr).toMatch(why)
})

it('writes handlers that send the callbacks of the document', async () => {
  const file = join(folder, 'hooks.json')
  const done = { 'http://receiver.example/{$response.body#/id}': sending(orderSchema) }
  await writeFile(file, hookDocument({ create: { callbacks: { done } } }))
  const out = join(folder, 'hooks.js')
  expect(await runWarm(['export', 'msw', '--spec', file, '--out', out, '--force'])).toMatchObject({ code: 0 })
  const script = join(folder, 'hooks.mjs')
  await writeFile(
    script,
    `import { createHandlers } from './hooks.js'
const { sandbox } = createHandlers({
  scenario: {},
  async fetch(url, { method, body }) {
    console.log(method, url, body)
    return new Response()
  },
})
const headers = { Authorization: 'Bearer sandbox', 'Content-Type': 'application/json' }
await sandbox.fetch('https://orders.example/v1/orders', { method: 'POST', headers, body: '{"item":"Lamp"}' })
await sandbox.exchanges.wait({ sent: 'done' })
`,
  )
  const { stdout, stderr } = await run([], { command: [process.execPath, script] })
  expect([stderr, stdout]).toEqual(['', 'POST http://receiver.example/1 {"id":1,"item":"Lamp"}\n'])
})
