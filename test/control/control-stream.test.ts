/** Exchanges as server-sent events, and the reasons and places that they come with. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type RunningServer, type ServerOptions, startServer } from 'petstore-sandbox/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { foreignDocuments } from '../support/foreign-documents.js'
import { writeFolder } from '../support/serving.js'

async function open(options: ServerOptions = {}): Promise<RunningServer> {
  const server = await startServer({ port: 0, at: '2026-11-23T00:00:00Z', now: () => 0, ...options })
  onTestFinished(() => server.close())
  return server
}

interface Sent {
  id: number
  world?: string
  why: { step: string; text: string; keyword?: string; pointer?: string; file?: string; line?: number }
  violations?: { rule: string; pointer?: string; line?: number }[]
}

/** Reads events one by one. Each also has its id before the data. */
async function subscribe(server: RunningServer, query = '', headers: Record<string, string> = {}) {
  const controller = new AbortController()
  onTestFinished(() => controller.abort())
  const { signal } = controller
  const response = await fetch(`${server.url}/_sandbox/exchanges/stream${query}`, { headers, signal })
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ''
  return {
    response,
    leave: () => controller.abort(),
    /** The next event with this name. */
    async named(name: string): Promise<unknown> {
      for (;;) {
        const [event, data] = new RegExp(`^event: ${name}\\ndata: (.*)\\n\\n`, 'm').exec(text) ?? []
        if (event !== undefined && data !== undefined) {
          text = text.slice(text.indexOf(event) + event.length)
          return JSON.parse(data)
        }
        const { done, value } = await reader.read()
        if (done) return undefined
        text += decoder.decode(value, { stream: true })
      }
    },
    /** @returns undefined at the end */
    async next(): Promise<Sent | undefined> {
      for (;;) {
        const [, id, data] = /^id: (\d+)\ndata: (.*)\n\n/m.exec(text) ?? []
        if (data !== undefined) {
          text = text.slice(text.indexOf(data) + data.length + 2)
          const exchange: Sent = JSON.parse(data)
          expect(exchange.id).toBe(Number(id))
          return exchange
        }
        const { done, value } = await reader.read()
        if (done) return undefined
        text += decoder.decode(value, { stream: true })
      }
    },
  }
}

const send = (server: RunningServer, path: string, key = 'sandbox', init: RequestInit = {}) =>
  fetch(server.url + path, { ...init, headers: { Authorization: `Bearer ${key}`, ...init.headers } })

const json = (method: string, body: string): RequestInit => ({
  method,
  body,
  headers: { 'Content-Type': 'application/json', 'X-Key': 'sandbox' },
})

describe('the stream of exchanges', () => {
  it('begins with those that are kept, and goes on as they come', async () => {
    const server = await open()
    await send(server, '/v1/pets?limit=1')
    const { next, response } = await subscribe(server)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(await next()).toMatchObject({ id: 1 })
    await send(server, '/v1/pets/3')
    expect(await next()).toMatchObject({ id: 2, operation: 'getPet' })
  })

  it.each([
    ['?after=2', {}, 3],
    ['', { 'Last-Event-ID': '1' }, 2],
    ['?after=2', { 'Last-Event-ID': '1' }, 2],
    // Another sandbox had so many.
    ['?after=700', {}, 1],
    ['?key=sandbox-b', {}, 2],
  ])('begins after what the client has: %s %j', async (query, headers, first) => {
    const server = await open()
    for (const key of ['sandbox', 'sandbox-b', 'sandbox']) await send(server, '/v1/pets?limit=1', key)
    const { next } = await subscribe(server, query, headers as Record<string, string>)
    expect((await next())?.id).toBe(first)
  })

  it.each([
    ['?key=0123456789abcdef', {}, 404],
    ['', { 'Last-Event-ID': 'x' }, 400],
    ['', { Origin: 'https://evil.example' }, 403],
  ])('refuses %s %j with %i', async (query, headers, status) => {
    const server = await open()
    expect((await subscribe(server, query, headers as Record<string, string>)).response.status).toBe(status)
  })

  it('hides keys that may be credentials', async () => {
    const server = await open({ apiKeys: ['secret-key'] })
    await send(server, '/v1/pets?limit=1&secret-key=secret-key', 'secret-key')
    // Messages quote what was sent.
    await send(server, '/v1/pets', 'secret-key', json('POST', '{"name":"Rex","categoryId":"secret-key"}'))
    const { next } = await subscribe(server)
    const shown = JSON.stringify([await next(), await next()])
    expect(shown).toContain('categoryId must be an integer (got \\"[hidden]\\")')
    expect(shown).not.toContain('secret-key')
  })

  it('tells what the control API changes, in which world, and nothing that is only read', async () => {
    const server = await open()
    const all = await subscribe(server)
    const own = await subscribe(server, '?key=sandbox')
    const call = (method: string, path: string, body?: object) =>
      fetch(`${server.url}/_sandbox${path}`, {
        method,
        headers: { 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
    await call('GET', '/worlds/sandbox')
    await call('POST', '/operations/listPets/request', {})
    await call('DELETE', '/worlds/sandbox/collections/pets/records/4000')
    await call('POST', '/worlds/sandbox/fork', { to: 'sandbox-b' })
    await call('POST', '/faults', { status: 503 })
    await call('DELETE', '/worlds/sandbox/collections/pets/records/1')
    expect(await all.named('change')).toEqual({ operation: 'forkWorld', key: 'sandbox-b' })
    expect(await all.named('change')).toEqual({ operation: 'addFault' })
    expect(await all.named('change')).toEqual({ operation: 'removeRecord', key: 'sandbox' })
    // Of its own world, and of all.
    expect(await own.named('change')).toEqual({ operation: 'addFault' })
    expect(await own.named('change')).toEqual({ operation: 'removeRecord', key: 'sandbox' })
  })

  it('shows the id of a world that was named by a secret key', async () => {
    const server = await open({ apiKeys: ['secret-key', 'other-key'] })
    const { named } = await subscribe(server)
    const call = async (method: string, path: string, body: object) => {
      const init = { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
      return (await fetch(`${server.url}/_sandbox${path}`, init)).json()
    }
    await send(server, '/v1/pets?limit=1', 'secret-key')
    const [{ id }] = (await (await fetch(`${server.url}/_sandbox/worlds`)).json()).worlds
    const forked = await call('POST', `/worlds/${id}/fork`, { to: 'other-key' })
    await call('PUT', '/snapshots/one', { world: id })
    await call('POST', '/snapshots/one/restore', { to: 'other-key' })
    expect(await named('change')).toEqual({ operation: 'forkWorld', key: forked.id })
    expect(await named('change')).toEqual({ operation: 'saveSnapshot' })
    expect(await named('change')).toEqual({ operation: 'restoreSnapshot', key: forked.id })
  })

  it('has all exchanges for a client whose last one was of another instance', async () => {
    const server = await open()
    const first = await subscribe(server)
    const { instance } = (await first.named('served')) as { instance: string }
    for (let count = 0; count < 3; count++) await send(server, '/v1/pets?limit=1')
    expect((await (await subscribe(server, `?after=2&instance=${instance}`)).next())?.id).toBe(3)
    expect((await (await subscribe(server, '?after=2&instance=other')).next())?.id).toBe(1)
  })

  it('says why a document that was saved is not served', async () => {
    const folder = await writeFolder({ 'api.yaml': foreignDocuments.shop })
    const spec = join(folder, 'api.yaml')
    const server = await open({ spec, watch: true })
    const { named } = await subscribe(server)
    expect(await named('served')).toEqual({ instance: expect.any(String) })
    await writeFile(spec, 'openapi: [')
    const problem = expect.stringContaining('api.yaml')
    expect(await named('served')).toEqual({ instance: expect.any(String), problem })
    expect(await (await subscribe(server)).named('served')).toMatchObject({ problem })
  })

  it('ends when the server closes, which does not wait for it', async () => {
    const server = await open()
    const { next } = await subscribe(server)
    await server.close()
    expect(await next()).toBeUndefined()
  })

  it('leaves nothing behind when a client leaves', async () => {
    const server = await open()
    const { journal } = server.sandbox
    let listeners = 0
    const { subscribe: original } = journal
    journal.subscribe = (listener) => {
      listeners++
      const unsubscribe = original(listener)
      return () => {
        listeners--
        unsubscribe()
      }
    }
    const { next, leave } = await subscribe(server)
    await send(server, '/v1/pets?limit=1')
    await next()
    expect(listeners).toBe(1)
    leave()
    await expect.poll(() => listeners).toBe(0)
  })

  it('ends when another document is served, and the next one goes on with its exchanges', async () => {
    const folder = await writeFolder({ 'api.yaml': foreignDocuments.shop })
    const spec = join(folder, 'api.yaml')
    const server = await open({ spec, watch: true })
    await fetch(`${server.url}/orders`)
    const first = await subscribe(server)
    expect(await first.next()).toMatchObject({ id: 1 })
    await writeFile(spec, foreignDocuments.shop.replace('title: Shop', 'title: Market'))
    expect(await first.next()).toBeUndefined()
    await fetch(`${server.url}/customers`)
    const second = await subscribe(server, '?after=9')
    expect(await second.next()).toMatchObject({ id: 1, operation: 'listOrders' })
    expect(await second.next()).toMatchObject({ id: 2, operation: 'listCustomers' })
  })
})

describe('the reason of an exchange', () => {
  it.each([
    [
      '/v1/pets',
      json('POST', '{"name":5,"categoryId":1}'),
      'validate',
      'type',
      '/components/schemas/NewPet/properties/name/type',
    ],
    ['/v1/pets', json('POST', '{"name":"Rex"}'), 'validate', 'required', '/components/schemas/NewPet/required'],
    [
      '/v1/pets',
      json('POST', '{"name":"Rex","categoryId":1,"status":"lost"}'),
      'validate',
      'enum',
      '/components/schemas/PetStatus/enum',
    ],
    ['/v1/pets?limit=500', {}, 'validate', 'maximum', '/paths/~1pets/get/parameters/0/schema/maximum'],
    ['/v1/pets', json('POST', '{'), 'validate', undefined, '/paths/~1pets/post/requestBody/content/application~1json'],
    ['/v1/pets', {}, 'apply', undefined, '/paths/~1pets/get'],
    ['/v1/cats', {}, 'route', undefined, undefined],
  ])('%s %j: %s', async (path, init, step, keyword, pointer) => {
    const server = await open()
    await send(server, path, 'sandbox', init)
    const exchange = await (await subscribe(server)).next()
    expect(exchange?.why.step).toBe(step)
    expect(exchange?.why.keyword).toBe(keyword)
    expect(exchange?.why.pointer).toBe(pointer)
  })

  it('names the line of the document for each violation', async () => {
    const folder = await writeFolder({ 'api.yaml': foreignDocuments.library })
    const server = await open({ spec: join(folder, 'api.yaml') })
    await fetch(`${server.url}/api/authors`, json('POST', '{"slug":"a","name":"b","born":3}'))
    const exchange = await (await subscribe(server)).next()
    const lines = foreignDocuments.library.split('\n')
    expect(exchange?.violations?.map(({ rule, line = 0 }) => [rule, lines[line - 1]?.trim()])).toEqual([
      ['minLength', 'name: { type: string, minLength: 2 }'],
      ['minimum', 'born: { type: integer, minimum: 1000 }'],
    ])
    expect(exchange?.why).toMatchObject({
      step: 'validate',
      keyword: 'minLength',
      pointer: '/components/schemas/Author/properties/name/minLength',
      file: expect.stringContaining('api.yaml'),
    })
  })
})
