// The option `watch`: the document is read again when a file of it changes, and the data that fits is kept.
import { execFileSync } from 'node:child_process'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Reload, type ServerOptions, startServer } from 'petstore-sandbox/node'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { start, untilReady } from '../support/launch.js'
import { plainHabits } from '../support/plain-habits.js'
import { writeFolder } from '../support/serving.js'

const book = {
  type: 'object',
  required: ['id', 'title'],
  properties: { id: { type: 'integer', readOnly: true }, title: { type: 'string' } },
}

/** Books with pages that belong to them, whose schema is a file of its own. */
function documentWith(paths: object = {}): string {
  const json = (schema: object) => ({ description: 'ok', content: { 'application/json': { schema } } })
  const one = json({ $ref: 'book.json' })
  const id = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'integer' } })
  const many = json({ type: 'array', items: { $ref: 'book.json' } })
  const requestBody = { content: { 'application/json': { schema: { $ref: 'book.json' } } } }
  const collection = { get: { responses: { 200: many } }, post: { requestBody, responses: { 201: one } } }
  const item = { get: { responses: { 200: one } }, delete: { responses: { 204: { description: 'gone' } } } }
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Books', version: '1.0.0' },
    paths: {
      '/books': collection,
      '/books/{bookId}': { parameters: [id('bookId')], ...item },
      '/books/{bookId}/notes': { parameters: [id('bookId')], ...collection },
      '/books/{bookId}/notes/{noteId}': { parameters: [id('bookId'), id('noteId')], ...item },
      ...paths,
    },
    ...plainHabits,
  })
}

interface Watched {
  change(file: string, content: unknown): Promise<Reload>
  send(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Response>
  titles(headers?: Record<string, string>): Promise<string[]>
  server: Awaited<ReturnType<typeof startServer>>
}

/** Starts a server that watches, without generated records. */
async function watch(options: ServerOptions = {}): Promise<Watched> {
  const folder = await writeFolder({ 'api.json': documentWith(), 'book.json': JSON.stringify(book) })
  let next: (reload: Reload) => void = () => {}
  const server = await startServer({
    port: 0,
    spec: join(folder, 'api.json'),
    records: 0,
    watch: true,
    onReload: (reload) => next(reload),
    ...options,
  })
  onTestFinished(() => server.close())
  const send: Watched['send'] = (method, path, body, headers = {}) =>
    fetch(`${server.url}${path}`, {
      method,
      headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
  return {
    server,
    send,
    async change(file, content) {
      const reloaded = new Promise<Reload>((resolve) => {
        next = resolve
      })
      // As editors do it: a new file takes the place of the old one.
      await writeFile(join(folder, `${file}.new`), typeof content === 'string' ? content : JSON.stringify(content))
      await rename(join(folder, `${file}.new`), join(folder, file))
      return reloaded
    },
    async titles(headers) {
      const records: { title: string }[] = await (await send('GET', '/books', undefined, headers)).json()
      return records.map(({ title }) => title)
    },
  }
}

const other = { 'Sandbox-World': 'other' }
const withPages = { ...book, properties: { ...book.properties, pages: { type: 'integer' } } }
const short = { ...book, properties: { ...book.properties, title: { type: 'string', maxLength: 4 } } }

it('serves what changed, and keeps what callers added, changed and removed, in each world', async () => {
  const { change, send, titles, server } = await watch({ records: 3 })
  await send('POST', '/books', { title: 'Emma' })
  await send('POST', '/books', { title: 'Ivanhoe' }, other)
  await send('DELETE', '/books/1')
  await send('POST', '/books/2/notes', { title: 'Read it' })
  const before = server.sandbox
  await before.clock.advance(60_000)

  expect(await change('book.json', withPages)).toMatchObject({ operations: 8, setAside: [] })
  expect(await titles()).toHaveLength(3)
  expect((await titles())[0]).toBe('Emma')
  expect((await titles(other))[0]).toBe('Ivanhoe')
  expect((await send('GET', '/books/1')).status).toBe(404)
  expect(await (await send('GET', '/books/2/notes')).json()).toContainEqual(
    expect.objectContaining({ title: 'Read it' }),
  )
  expect(await (await send('POST', '/books', { title: 'Ida', pages: 9 })).json()).toMatchObject({ id: 5, pages: 9 })
  expect(server.sandbox).not.toBe(before)
  expect((await server.sandbox.clock.now()) - Date.now()).toBeGreaterThan(50_000)
})

it('gives no key twice', async () => {
  const { change, send } = await watch({ records: 3 })
  await send('POST', '/books', { title: 'Emma' })
  await send('DELETE', '/books/4')
  await change('book.json', withPages)
  expect(await (await send('POST', '/books', { title: 'Ida' })).json()).toMatchObject({ id: 5 })
})

it('sets aside what does not fit, tells why, and takes it back when it fits again', async () => {
  const { change, send, titles } = await watch()
  for (const title of ['Emma', 'Ivanhoe']) await send('POST', '/books', { title })
  await send('POST', '/books/2/notes', { title: 'Read' })
  expect(await change('book.json', short)).toMatchObject({
    kept: 1,
    setAside: [
      { world: 'sandbox', collection: 'books', values: { id: 2, title: 'Ivanhoe' }, why: /at most 4 characters/ },
      {
        collection: 'notes',
        values: { title: 'Read' },
        why: 'the record of "books" that it belongs to does not exist any more',
      },
    ].map(({ why, ...rest }) => ({ ...rest, why: expect.stringMatching(why) })),
  })
  expect(await titles()).toEqual(['Emma'])
  expect(await change('api.json', documentWith().replaceAll('/books', '/papers'))).toMatchObject({ kept: 0 })
  expect((await send('GET', '/papers')).status).toBe(200)
  await change('api.json', documentWith())
  expect(await change('book.json', book)).toMatchObject({ setAside: [] })
  expect((await titles()).sort()).toEqual(['Emma', 'Ivanhoe'])
  expect(await (await send('GET', '/books/2/notes')).json()).toMatchObject([{ title: 'Read' }])
})

it('keeps snapshots, keys and what was removed by the control API', async () => {
  const { change, send, titles, server } = await watch()
  const control = async (method: string, path: string, body: object = {}) => {
    const headers = { 'Content-Type': 'application/json' }
    const init = { method, headers, ...(method !== 'GET' && { body: JSON.stringify(body) }) }
    const response = await fetch(`${server.url}/_sandbox${path}`, init)
    expect(response.ok, `${method} ${path} ${response.status}`).toBe(true)
    return response.status === 204 ? undefined : response.json()
  }
  for (const title of ['Emma', 'Ivanhoe']) await send('POST', '/books', { title })
  await control('PUT', '/snapshots/two', { world: 'sandbox' })
  await control('POST', '/keys', { name: 'ana' })
  await control('POST', '/keys', { name: 'bob' })
  await control('DELETE', '/keys/sandbox-bob')
  await control('DELETE', '/worlds/sandbox')
  expect(await titles()).toEqual([])
  await change('book.json', short)
  expect(await titles()).toEqual([])
  expect(await control('GET', '/keys')).toMatchObject([{ id: 'sandbox' }, { id: 'sandbox-ana' }])
  expect(await control('GET', '/snapshots')).toMatchObject([{ name: 'two' }])
  await control('POST', '/snapshots/two/restore', { to: 'sandbox' })
  expect(await titles()).toEqual(['Emma'])
  await change('book.json', withPages)
  await control('POST', '/snapshots/two/restore', { to: 'sandbox-ana' })
  const records = await control('GET', '/worlds/sandbox-ana/collections/books/records')
  expect(records.records.map(({ values }: { values: { title: string } }) => values.title).sort()).toEqual([
    'Emma',
    'Ivanhoe',
  ])
  // A key that was given once is not given again.
  expect(await (await send('POST', '/books', { title: 'Ida' })).json()).toMatchObject({ id: 3 })
})

it('serves the document before while the new one cannot be read', async () => {
  const { change, send, titles } = await watch()
  await send('POST', '/books', { title: 'Emma' })
  expect(await change('api.json', '{ "openapi": ')).toMatchObject({ error: { code: 'INVALID_DOCUMENT' } })
  expect(await titles()).toEqual(['Emma'])
  expect(
    await change('api.json', documentWith({ '/more': { get: { responses: { 204: { description: '' } } } } })),
  ).toMatchObject({
    operations: 9,
  })
  expect((await send('GET', '/more')).status).toBe(204)
  expect(await titles()).toEqual(['Emma'])
})

it.each<[string, ServerOptions, RegExp]>([
  ['no document', { watch: true }, /no file to watch/],
  ['a store', { watch: true, spec: 'a.yaml', store: {} as never }, /store/],
  ['a wrong value', { watch: 'yes' as never }, /watch must be/],
])('refuses to watch with %s', async (_, options, message) => {
  await expect(startServer({ port: 0, ...options })).rejects.toThrow(message)
})

it('tells on stderr what changed, with the place of an error', async () => {
  const folder = await writeFolder({ 'api.json': documentWith(), 'book.json': JSON.stringify(book) })
  const program = start([
    '--spec',
    join(folder, 'api.json'),
    '--watch',
    '--port',
    '0',
    '--log',
    'none',
    '--records',
    '0',
  ])
  const url = await untilReady(program)
  const said = (text: string) => vi.waitFor(() => expect(program.stderr()).toContain(text), { timeout: 240_000 })
  const headers = { 'Content-Type': 'application/json' }
  await fetch(`${url}/books`, { method: 'POST', headers, body: '{"title":"Ivanhoe"}' })
  await writeFile(join(folder, 'book.json'), JSON.stringify(short))
  await said('book.json changed, and is served: 8 operations, 1 record set aside until it fits again')
  expect(program.stderr()).toContain(
    '  books: {"id":1,"title":"Ivanhoe"}: title must have at most 4 characters (got "Ivanhoe")',
  )
  await writeFile(join(folder, 'api.json'), '{')
  await said('api.json changed, and what was there before is still served: ')
  program.child.kill()
  await program.ended
})

describe('a fault after a change of the document', () => {
  const statuses = async ({ send }: Watched, count: number, headers?: Record<string, string>) => {
    const got: number[] = []
    for (let sent = 0; sent < count; sent++) got.push((await send('GET', '/books', undefined, headers)).status)
    return got
  }

  it('keeps the windows of its rate limit, by key', async () => {
    const watched = await watch({ now: () => 0 })
    await watched.server.sandbox.faults.add({ rate: { limit: 2, seconds: 60 } })
    await statuses(watched, 2)
    await statuses(watched, 1, other)
    await watched.change('book.json', withPages)
    expect([await statuses(watched, 1), await statuses(watched, 2, other)]).toEqual([[429], [200, 429]])
  })

  it('keeps its place in the sequence of a share', async () => {
    const rule = { share: 0.5, status: 503, seed: 7 }
    const [one, two] = [await watch(), await watch()]
    for (const { server } of [one, two]) await server.sandbox.faults.add(rule)
    const before = await statuses(one, 5)
    await one.change('book.json', withPages)
    expect([...before, ...(await statuses(one, 5))]).toEqual(await statuses(two, 10))
  })

  it('keeps its id and its count', async () => {
    const watched = await watch()
    const { faults } = watched.server.sandbox
    await faults.remove((await faults.add({ status: 500 })).id)
    const { id } = await faults.add({ times: 3, status: 503 })
    await statuses(watched, 1)
    await watched.change('book.json', withPages)
    expect(await watched.server.sandbox.faults.list()).toEqual([{ id, struck: 1, times: 3, status: 503 }])
  })

  it('is not struck more often than it should', async () => {
    const watched = await watch()
    await watched.server.sandbox.faults.add({ times: 2, status: 503 })
    await statuses(watched, 1)
    await watched.change('book.json', withPages)
    expect(await statuses(watched, 2)).toEqual([503, 200])
  })
})

it('reports a document that became a pipe, and ends on a signal', async () => {
  const folder = await writeFolder({ 'api.json': documentWith(), 'book.json': JSON.stringify(book) })
  const spec = join(folder, 'api.json')
  const program = start(['--spec', spec, '--watch', '--port', '0', '--log', 'none', '--records', '0'])
  await untilReady(program)
  execFileSync('mkfifo', [join(folder, 'pipe')])
  await rename(join(folder, 'pipe'), spec)
  await vi.waitFor(() => expect(program.stderr()).toContain('it is not an ordinary file'), { timeout: 240_000 })
  program.signal('SIGTERM')
  expect(await program.ended).toMatchObject({ code: 0 })
})
