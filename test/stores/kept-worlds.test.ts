// What a restart and another replica find in a store: worlds, keys, faults, clocks, snapshots.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { run, serve } from '../support/launch.js'
import { hasRedis, startRedis } from '../support/redis-server.js'

const quiet = ['--log', 'none']
const rex = { name: 'Rex', categoryId: 1 }
const json = { 'content-type': 'application/json' }

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-sandbox-kept-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

async function call(url: string, method: string, path: string, { key = 'sandbox', body }: Call = {}): Promise<Answer> {
  const headers = { authorization: `Bearer ${key}`, ...(body !== undefined && json) }
  const sent = await fetch(url + path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
  const text = await sent.text()
  return { status: sent.status, value: text === '' ? undefined : JSON.parse(text) }
}

interface Call {
  key?: string
  body?: object
}

interface Answer {
  status: number
  value: unknown
}

/** @param other the address of the same sandbox after a restart, or of another replica */
async function expectKept(url: string, next: () => Promise<string>): Promise<void> {
  const created = await call(url, 'POST', '/v1/pets', { body: rex })
  expect(created).toEqual({ status: 201, value: { id: 121, ...rex } })
  await call(url, 'POST', '/_sandbox/keys', { body: { name: 'ana' } })
  await call(url, 'POST', '/v1/pets', { key: 'sandbox-ana', body: rex })
  await call(url, 'POST', '/_sandbox/keys', { body: { name: 'bob' } })
  expect((await call(url, 'DELETE', '/_sandbox/keys/sandbox-bob')).status).toBe(204)
  await call(url, 'POST', '/_sandbox/faults', { body: { operation: 'createPet', times: 2, status: 503 } })
  expect((await call(url, 'POST', '/v1/pets', { body: rex })).status).toBe(503)
  await call(url, 'PUT', '/_sandbox/snapshots/before', { body: { world: 'sandbox' } })
  await call(url, 'PATCH', '/_sandbox/worlds/sandbox/clock', { body: { travelTo: '2027-05-01T00:00:00Z' } })

  const other = await next()
  expect(await call(other, 'GET', '/v1/pets/121')).toEqual({ status: 200, value: { id: 121, ...rex } })
  expect((await call(other, 'GET', '/v1/pets/121', { key: 'sandbox-ana' })).status).toBe(200)
  expect((await call(other, 'GET', '/v1/pets/121', { key: 'sandbox-bob' })).status).toBe(401)
  expect((await call(other, 'POST', '/v1/pets', { body: rex })).status).toBe(503)
  expect((await call(other, 'POST', '/v1/pets', { body: rex })).value).toEqual({ id: 122, ...rex })
  expect((await call(other, 'GET', '/_sandbox/worlds/sandbox/clock')).value).toMatchObject({
    now: expect.stringMatching(/^2027-05-01T/),
  })
  const { value } = await call(other, 'GET', '/_sandbox/worlds')
  expect((value as { worlds: { id: string }[] }).worlds.map(({ id }) => id).sort()).toEqual(['sandbox', 'sandbox-ana'])
  await call(other, 'POST', '/_sandbox/snapshots/before/restore', { body: { to: 'sandbox' } })
  expect((await call(other, 'GET', '/v1/pets/122')).status).toBe(404)
  expect((await call(other, 'GET', '/v1/pets/121')).status).toBe(200)
}

describe('a file', () => {
  it('has everything after a restart, and the program ends with 0', async () => {
    const options = [...quiet, '--store', `file:${join(await makeFolder(), 'worlds.db')}`]
    const first = await serve(options)
    await expectKept(first.url, async () => {
      expect(await first.stop()).toMatchObject({ code: 0 })
      return (await serve(options)).url
    })
  })

  it('is taken from the environment', async () => {
    const env = { PETSTORE_SANDBOX_STORE: `file:${join(await makeFolder(), 'worlds.db')}` }
    const first = await serve(quiet, { env })
    await call(first.url, 'POST', '/v1/pets', { body: rex })
    await first.stop()
    expect((await call((await serve(quiet, { env })).url, 'GET', '/v1/pets/121')).status).toBe(200)
  })

  it('carries worlds over to another scenario, and back', async () => {
    const folder = await makeFolder()
    const store = ['--store', `file:${join(folder, 'worlds.db')}`, ...quiet]
    const first = await serve(store)
    await call(first.url, 'POST', '/v1/pets', { body: rex })
    await first.stop()
    const second = await serve([...store, '--scenario', 'empty'])
    expect((await call(second.url, 'GET', '/v1/pets')).value).toEqual([{ id: 121, ...rex }])
  })

  it('says once which records of a world do not fit another document', async () => {
    const folder = await makeFolder()
    const spec = join(folder, 'books.json')
    const write = (pages: string) => {
      const properties = { id: { type: 'integer' }, pages: { type: pages } }
      const content = { 'application/json': { schema: { type: 'object', required: ['id'], properties } } }
      const responses = { 200: { description: 'ok', content } }
      const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }]
      const paths = {
        '/books': { post: { requestBody: { content }, responses: { 201: { description: 'ok', content } } } },
        '/books/{id}': { parameters, get: { responses }, put: { requestBody: { content }, responses } },
      }
      return writeFile(spec, JSON.stringify({ openapi: '3.1.0', info: { title: 'Books', version: '1' }, paths }))
    }
    const options = [...quiet, '--records', '0', '--store', `file:${join(folder, 'worlds.db')}`, spec]
    await write('string')
    const first = await serve(options)
    for (const id of [7, 8])
      expect((await call(first.url, 'POST', '/books', { key: 'a-secret', body: { id, pages: 'many' } })).status).toBe(
        201,
      )
    expect((await first.stop()).stderr).not.toContain('set aside')
    await write('integer')
    const second = await serve(options)
    for (const id of [7, 7, 8])
      expect((await call(second.url, 'GET', `/books/${id}`, { key: 'a-secret' })).status).toBe(404)
    const { stderr } = await second.stop()
    expect(stderr.match(/2 records set aside until they fit again/g)).toHaveLength(1)
    expect(stderr).toContain('  books: {"id":7,"pages":"many"}: ')
    expect(stderr).not.toContain('a-secret')
    const third = await serve(options)
    expect((await call(third.url, 'GET', '/books/7', { key: 'a-secret' })).status).toBe(404)
    expect((await third.stop()).stderr).not.toContain('set aside')
  })

  it('generates the same records at each start', async () => {
    const folder = await makeFolder()
    const spec = join(folder, 'books.json')
    const book = {
      type: 'object',
      required: ['id', 'printedAt'],
      properties: { id: { type: 'integer' }, printedAt: { type: 'string', format: 'date-time' } },
    }
    const schema = { type: 'array', items: book }
    const responses = { 200: { description: 'ok', content: { 'application/json': { schema } } } }
    const paths = { '/books': { get: { responses } } }
    await writeFile(spec, JSON.stringify({ openapi: '3.1.0', info: { title: 'Books', version: '1' }, paths }))
    const options = [...quiet, '--store', `file:${join(folder, 'worlds.db')}`, spec]
    const first = await serve([...options, '--at', '2020-01-01'])
    await first.stop()
    const second = await serve(options)
    const before = await call(second.url, 'GET', '/books')
    await second.stop()
    expect(await call((await serve(options)).url, 'GET', '/books')).toEqual(before)
  })

  it.each([
    ['file:', /folder|path/],
    ['file:missing/worlds.db', /there is no folder/],
    ['file:.', /is a folder/],
    ['sqlite:worlds.db', /Unknown store "sqlite:worlds.db"/],
    ['redis://127.0.0.1:1', /no Redis answered/],
  ])('refuses %s with exit code 2', async (address, message) => {
    const { code, stderr } = await run(['--port', '0', '--store', address], { cwd: await makeFolder() })
    expect(stderr).toMatch(message)
    expect(code).toBe(2)
  })
})

describe.skipIf(!hasRedis)('Redis', () => {
  it('has everything for another replica', async () => {
    const redis = await startRedis()
    onTestFinished(() => redis.remove())
    const options = [...quiet, '--store', redis.url]
    const [one, other] = [await serve(options), await serve(options)]
    await expectKept(one.url, async () => other.url)
  })

  it('refuses a replica with other data, and answers 503 while the server is gone', async () => {
    const redis = await startRedis(['--appendonly', 'yes'])
    onTestFinished(() => redis.remove())
    const { url } = await serve([...quiet, '--store', redis.url])
    expect((await call(url, 'POST', '/v1/pets', { body: rex })).status).toBe(201)
    const refused = await run(['--port', '0', '--store', redis.url, '--scenario', 'empty'])
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('another document or of other data') })
    await redis.stop('SIGTERM')
    expect((await call(url, 'GET', '/v1/pets/4')).status).toBe(503)
    await redis.start()
    expect((await call(url, 'GET', '/v1/pets/121')).status).toBe(200)
  })
})
