// `petstore-sandbox export msw --split` and `--watch`: chunks that are loaded on first use, and files that are written again.

import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it, vi } from 'vitest'
import { root, run, serve, start } from './support/launch.js'
import { runWarm } from './support/warm.js'

const folder = join(root, '.reports', 'export-split')
const spec = join(folder, 'shop.json')
const at = '2030-01-01T00:00:00Z'

const record = (name: string) => ({
  type: 'object',
  required: ['id', 'note'],
  properties: { id: { type: 'integer' }, note: { type: 'string', maxLength: 20 }, [`${name}Code`]: { type: 'string' } },
})
const answer = (schema: object) => ({ description: 'ok', content: { 'application/json': { schema } } })
const paths = (name: string, tags: string[] | undefined, mediaType = 'application/json') => {
  const schema = record(name)
  const id = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }]
  return {
    [`/${name}`]: {
      get: { tags, responses: { 200: answer({ type: 'array', items: schema }) } },
      post: { tags, requestBody: { content: { [mediaType]: { schema } } }, responses: { 201: answer(schema) } },
    },
    [`/${name}/{id}`]: {
      get: { tags, parameters: id, responses: { 200: answer(schema) } },
      delete: { tags, parameters: id, responses: { 204: { description: 'gone' } } },
    },
  }
}
const documentOf = (all: object) =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    servers: [{ url: 'https://shop.example.com' }],
    paths: all,
  })
const shop = {
  ...paths('orders', ['Orders', 'Customers']),
  ...paths('customers', ['../Customers']),
  ...paths('parcels', ['ORDERS']),
  ...paths('letters', ['Größe'], 'multipart/form-data'),
  ...paths('signs', ['名前']),
  ...paths('things', undefined),
  '/orders/{id}/archive': { post: { tags: ['Archive'], responses: { 204: { description: 'done' } } } },
}
const out = (name: string) => join(folder, name, 'sandbox.js')
const chunksOf = (name: string) => join(folder, name, 'sandbox-chunks')

interface Asked {
  method?: string
  path: string
  body?: string
  type?: string
}

const asked: Asked[] = [
  ...['orders', 'customers', 'parcels', 'letters', 'signs', 'things'].flatMap((name) => [
    { path: `/${name}` },
    { path: `/${name}/3` },
    { path: `/${name}`, method: 'POST', type: 'application/json', body: '{"id":1,"note":"n"}' },
    { path: `/${name}`, method: 'POST', type: 'application/json', body: `{"note":"${'x'.repeat(21)}"}` },
    { path: `/${name}/2`, method: 'DELETE' },
    { path: `/${name}/2` },
    { path: `/${name.toUpperCase()}/` },
    { path: `/${name}/x` },
  ]),
  { path: '/none' },
  { path: '/orders', method: 'PATCH' },
]

async function send(fetch: (url: string, init: RequestInit) => Promise<Response>, base: string, one: Asked) {
  const { path, method = 'GET', body, type } = one
  const headers: Record<string, string> = { Authorization: 'Bearer sandbox', ...(type && { 'Content-Type': type }) }
  const response = await fetch(base + path, { method, headers, ...(body !== undefined && { body }) })
  return [method, path, response.status, response.headers.get('content-type'), await response.text()]
}

async function load(name: string) {
  return await import(`${out(name)}?${Math.random()}`)
}

beforeAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await writeFile(spec, documentOf(shop))
  const args = ['export', 'msw', spec, '--out']
  expect(await runWarm([...args, out('whole')])).toMatchObject({ code: 0, stderr: '' })
  expect(await runWarm([...args, out('split'), '--split'])).toMatchObject({ code: 0, stderr: '' })
})

it('writes an entry and chunks with names for every system, which evaluate nothing', async () => {
  const names = await readdir(chunksOf('split'))
  expect(names.filter((name) => !/^[a-z][a-z0-9-]*\.js$/.test(name))).toEqual([])
  expect(names.filter((name) => name.startsWith('tag-')).sort()).toEqual([
    'tag-archive.js',
    'tag-customers.js',
    'tag-gro-e.js',
    'tag-orders-2.js',
    'tag-orders.js',
    'tag-things.js',
  ])
  const all = [out('split'), ...names.map((name) => join(chunksOf('split'), name))]
  for (const file of all) {
    const code = await readFile(file, 'utf8')
    expect(code).not.toMatch(/new Function|\beval\(|node:/)
    expect(code).not.toContain(root)
  }
})

it('answers the same bytes as the module in one file and as the server, in any order', async () => {
  for (const order of [asked, asked.toReversed()]) {
    const server = await serve(['--spec', spec, '--log', 'none', '--at', at])
    const [whole, split] = await Promise.all(['whole', 'split'].map(load))
    const sandboxes = [whole, split].map((module) => module.createHandlers({ at, now: () => 0 }).sandbox)
    for (const one of order) {
      const [first, second] = await Promise.all(
        sandboxes.map((sandbox) => send(sandbox.fetch, 'https://shop.example.com', one)),
      )
      expect(second).toEqual(first)
      // A refusal may name the address that was called.
      const served = await send(fetch, server.url, one)
      expect(Number(first?.[2]) < 400 ? served : served.slice(0, 4)).toEqual(
        Number(first?.[2]) < 400 ? first : first?.slice(0, 4),
      )
    }
  }
})

it('answers concurrent first requests as if nothing had to be loaded', async () => {
  const [whole, split] = await Promise.all(['whole', 'split'].map(load))
  const concurrent: Asked[] = [
    { path: '/orders', method: 'POST', type: 'application/json', body: '{"id":1,"note":"n"}' },
    ...['orders', 'customers', 'orders', 'signs'].map((name) => ({ path: `/${name}` })),
    { path: '/customers/2', method: 'DELETE' },
    { path: '/customers/2' },
  ]
  const answers = await Promise.all(
    [whole, split].map((module) => {
      const { sandbox } = module.createHandlers({ at, now: () => 0 })
      return Promise.all(concurrent.map((one) => send(sandbox.fetch, 'https://shop.example.com', one)))
    }),
  )
  expect(answers[1]).toEqual(answers[0])
})

it('loads the data that a test reads or changes without a request', async () => {
  const { sandbox } = (await load('split')).createHandlers({ at })
  const orders = sandbox.world().collection('orders')
  expect(await orders.size()).toBe(20)
  const before = await sandbox.world().snapshot()
  await orders.remove(3)
  expect(await orders.size()).toBe(19)
  await sandbox.world().restore(before)
  expect(await orders.size()).toBe(20)
  const other = await sandbox.world().fork('sandbox-other')
  expect(await other.collection('parcels').size()).toBe(20)
})

it('loads only what a request needs, and says why it fails and tries again', async () => {
  const script = join(folder, 'split', 'use.mjs')
  await writeFile(
    script,
    `import { rename } from 'node:fs/promises'
const { sandbox } = await import('./sandbox.js')
const get = async (path) => {
  const response = await sandbox.fetch('https://shop.example.com' + path, { headers: { Authorization: 'Bearer sandbox' } })
  return [response.status, (await response.text()).slice(0, 300)]
}
const orders = await get('/orders')
const file = new URL('./sandbox-chunks/tag-customers.js', import.meta.url)
const aside = new URL('./aside.js', import.meta.url)
await rename(file, aside)
const failed = await Promise.all([get('/customers'), get('/orders')])
await rename(aside, file)
const again = await get('/customers')
console.log(JSON.stringify({ orders: orders[0], failed, again: again[0] }))
`,
  )
  const { stdout, stderr } = await run([], { command: [process.execPath, script] })
  expect(stderr).toBe('')
  const { orders, failed, again } = JSON.parse(stdout)
  expect({ orders, again, later: failed[1][0] }).toEqual({ orders: 200, again: 200, later: 200 })
  expect(failed[0][0]).toBe(500)
  expect(failed[0][1]).toMatch(/Failed to load what GET \/customers needs: .*tag-customers\.js/)
})

const key = { name: 'name', in: 'path', required: true, schema: { type: 'string' } }
const text = { type: 'string' }
const objectOf = (properties: object, required: string[] = []) => ({ type: 'object', required, properties })
const inQuery = (name: string, description: string) => ({ name, in: 'query', description, schema: text })
const lamp = { $ref: '#/components/schemas/Lamp' }
const flag = { $ref: '#/components/schemas/Flag' }
const lampList = { type: 'array', items: lamp }
const flagList = { type: 'array', items: flag }
const sent = { content: { 'application/json': { schema: objectOf({ title: { ...text, maxLength: 20 } }) } } }
const failed = answer(objectOf({ reason: text, detail: text }, ['reason', 'detail']))
const lampKey = { ...key, name: 'id', schema: { type: 'integer' } }
const parameters = [inQuery('filter', 'For example `title eq "x"`.'), inQuery('fields', 'The fields to return.')]
const lamps = {
  openapi: '3.1.0',
  info: { title: 'Lamps', version: '1' },
  servers: [{ url: 'https://lamps.example.com' }],
  paths: {
    '/lamps': {
      get: { parameters, responses: { 200: answer(lampList) } },
      post: { requestBody: sent, responses: { 201: answer(lamp), 400: failed } },
    },
    '/lamps/{id}': {
      parameters: [lampKey],
      get: { responses: { 200: answer(lamp), 404: failed } },
      put: { requestBody: sent, responses: { 200: answer(lamp) } },
    },
    '/flags': { get: { responses: { 200: answer(flagList) } } },
    '/flags/{name}': { parameters: [key], get: { responses: { 200: answer(flag) } } },
    '/lamps/{id}/flags': {
      parameters: [lampKey],
      get: { responses: { 200: answer(flagList) } },
      post: { summary: 'Add flags to a lamp', requestBody: sent, responses: { 200: answer(flagList) } },
    },
  },
  components: {
    schemas: {
      Flag: objectOf({ name: text, colour: text }, ['name']),
      Lamp: objectOf(
        { id: { type: 'integer' }, title: text, code: { type: 'string', pattern: '^[A-Z]{3}$' }, flags: flagList },
        [...['id', 'code']],
      ),
    },
  },
}

/** What uses a part of the engine first, after what was used before it. */
const uses: [part: string, use: string][] = [
  ['lists', `send('GET', '/lamps')`],
  ['filters', `send('GET', '/lamps?filter=' + encodeURIComponent('title ne "x"'))`],
  ['changes', `send('PUT', '/lamps/3', { title: 'x' })`],
  ['choice', `send('GET', '/lamps?fields=id,code')`],
  // The code is required, so it is made.
  ['sampler', `send('GET', '/lamps?fields=title')`],
  ['refusals', `send('GET', '/lamps/999')`],
  ['related', `send('GET', '/lamps/3/flags')`],
  ['snapshots', `sandbox.world().snapshot().catch(({ message }) => message)`],
]

it('loads each part of the engine when it is first used, and tries again if that fails', async () => {
  const file = join(folder, 'lamps.json')
  await writeFile(file, JSON.stringify(lamps))
  const args = ['export', 'msw', file, '--out']
  expect(await runWarm([...args, out('lamps')])).toMatchObject({ code: 0, stderr: '' })
  expect(await runWarm([...args, out('lamps-split'), '--split'])).toMatchObject({ code: 0, stderr: '' })
  const script = join(folder, 'lamps-split', 'use.mjs')
  await writeFile(
    script,
    `import { rename } from 'node:fs/promises'
const options = { at: '${at}', now: () => 0 }
const [whole, split] = [await import('../lamps/sandbox.js'), await import('./sandbox.js')]
const used = (sandbox, use) => use(sandbox, async (method, path, body) => {
  const headers = { Authorization: 'Bearer sandbox', 'Content-Type': 'application/json' }
  const response = await sandbox.fetch('https://lamps.example.com' + path, { method, headers, body: JSON.stringify(body) })
  return response.status + await response.text()
})
const uses = { ${uses.map(([part, use]) => `'${part}': (sandbox, send) => ${use}`).join(', ')} }
const [first, second] = [whole, split].map(({ createHandlers }) => createHandlers(options).sandbox)
const file = (part) => new URL('./sandbox-chunks/engine-' + part + '.js', import.meta.url)
const aside = (part) => new URL('./aside-' + part, import.meta.url)
for (const part of Object.keys(uses)) await rename(file(part), aside(part))
const found = {}
for (const [part, use] of Object.entries(uses)) {
  const failed = await used(second, use)
  await rename(aside(part), file(part))
  const [expected, answer] = [await used(first, use), await used(second, use)]
  found[part] = { failed, isSame: JSON.stringify(answer) === JSON.stringify(expected), expected, answer }
}
console.log(JSON.stringify(found))
`,
  )
  const { stdout, stderr } = await run([], { command: [process.execPath, script] })
  expect(stderr).toBe('')
  const found = JSON.parse(stdout)
  for (const [part] of uses) {
    const failed = expect.stringMatching(new RegExp(`the part \\\\*"${part}\\\\*" of the engine`))
    expect(found[part]).toMatchObject({ isSame: true, failed })
  }
})

it('refuses a chunk of another export', async () => {
  await cp(join(folder, 'split'), join(folder, 'other'), { recursive: true })
  const { sandbox } = await load('other')
  const file = join(chunksOf('other'), 'tag-things.js')
  const code = await readFile(file, 'utf8')
  await writeFile(file, code.replace(/"[0-9a-f]{8}"/, '"00000000"'))
  const headers = { Authorization: 'Bearer sandbox' }
  const response = await sandbox.fetch('https://shop.example.com/things', { headers })
  expect(response.status).toBe(500)
  expect(await response.text()).toContain('written again for another document; reload')
})

it('writes a part in chunks, removes chunks that it wrote before, and nothing else', async () => {
  const own = join(chunksOf('split'), 'own.js')
  await writeFile(own, 'export {}\n')
  const args = ['export', 'msw', spec, '--out', out('split'), '--split', '--tag', 'Orders']
  expect(await runWarm(args)).toMatchObject({ code: 2, stderr: expect.stringContaining('--force') })
  expect(await runWarm([...args, '--force'])).toMatchObject({ code: 0, stderr: '' })
  const names = await readdir(chunksOf('split'))
  expect(names).toContain('own.js')
  expect(names.filter((name) => /^(tag|data)/.test(name)).sort()).toEqual(['data-orders.js', 'tag-orders.js'])
})

it('writes again when the document changes, keeps the files for a broken one, and ends with 0', async () => {
  const file = join(folder, 'watched.json')
  await writeFile(file, documentOf(paths('orders', ['Orders'])))
  const args = ['export', 'msw', file, '--out', out('watched'), '--split', '--watch']
  const program = start(args)
  await vi.waitFor(() => expect(program.stdout()).toContain('wrote'), 30_000)
  await writeFile(file, '{ "openapi": ')
  await vi.waitFor(() => expect(program.stderr()).toMatch(/watched\.json changed, and nothing is written: /), 30_000)
  expect(await readdir(chunksOf('watched'))).toContain('tag-orders.js')
  const before = await stat(join(chunksOf('watched'), 'engine-core.js'))
  await writeFile(`${file}.new`, documentOf(paths('parcels', ['Parcels'])))
  await rename(`${file}.new`, file)
  await vi.waitFor(() => expect(program.stdout().match(/wrote/g)).toHaveLength(2), 30_000)
  const names = await readdir(chunksOf('watched'))
  expect(names).toContain('tag-parcels.js')
  expect(names.filter((name) => /orders|tmp/.test(name))).toEqual([])
  expect((await stat(join(chunksOf('watched'), 'engine-core.js'))).mtimeMs).toBe(before.mtimeMs)
  program.signal('SIGINT')
  expect(await program.ended).toMatchObject({ code: 0 })
})

it('refuses to watch what cannot change', async () => {
  const { code, stderr } = await runWarm(['export', 'msw', '/dev/stdin', '--out', out('none'), '--watch'])
  expect(code).toBe(2)
  expect(stderr).toContain('it can be read only once')
})
