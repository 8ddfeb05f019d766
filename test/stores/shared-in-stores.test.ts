// What all worlds of a store share: faults, keys and snapshots, for a restart and for other replicas.

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { join } from 'node:path'
import { compileDocument, createSandbox, type Sandbox } from 'petstore-sandbox'
import { startServer } from 'petstore-sandbox/node'
import { describe, expect, it } from 'vitest'
import type { Committed, Store } from '../../src/state/commits/store.js'
import { createFakeStore, type FakeStore } from '../support/fake-store.js'
import { documentOf } from '../support/one-operation.js'
import { open } from '../support/open-server.js'
import { writeFolder } from '../support/serving.js'

const secret = 'a-key-that-is-secret'

function createStore(): FakeStore {
  return createFakeStore(() => ({ before: 1, after: 1 }))
}

/** A server whose only keys are secret. */
async function openReplica(
  store: Store,
  options = {},
  key = secret,
): Promise<(path: string, body?: object) => Promise<Answer>> {
  const { url } = await open({ scenario: 'empty', apiKeys: [secret, 'another-key'], ...options, store })
  return async (target, body) => {
    const [method = 'GET', path = ''] = target.split(' ')
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const sent = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const text = await sent.text()
    return { status: sent.status, value: text === '' ? undefined : JSON.parse(text) }
  }
}

interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the answer of any request
  value: any
}

/** All texts that a store has had. */
function textsOf(store: FakeStore): string {
  return store
    .ids()
    .flatMap((id) => store.commitsOf(id).map((state) => JSON.stringify([...state])))
    .join('\n')
}

it('loads what all worlds share once at a start', async () => {
  const store = createStore()
  await openReplica(store)
  const loaded: unknown[] = []
  const counting: FakeStore = {
    ...store,
    async open(id, have) {
      const opened = await store.open(id, have)
      if (opened !== 'unchanged') loaded.push(id)
      return opened
    },
  }
  await openReplica(counting)
  expect(loaded).toEqual(['shared'])
})

it('keeps the secret key of a fault as a hash, applies the fault, and shows the id of its world, also after a restart', async () => {
  const store = createStore()
  const first = await openReplica(store)
  const ids: string[] = (await first('GET /_sandbox/keys')).value.map(({ id }: { id: string }) => id)
  for (const key of ids) await first('POST /_sandbox/faults', { key, times: 2, status: 503 })
  expect((await first('GET /v1/pets')).status).toBe(503)

  const second = await openReplica(store)
  const shown = { times: 2, status: 503 }
  expect((await second('GET /_sandbox/faults')).value).toEqual([
    { ...shown, id: '1', key: ids[0], struck: 1 },
    { ...shown, id: '2', key: ids[1], struck: 0 },
  ])
  expect([(await second('GET /v1/pets')).status, (await second('GET /v1/pets')).status]).toEqual([503, 200])
  expect(textsOf(store)).not.toContain(secret)
  expect(textsOf(store)).not.toContain('another-key')
})

it('lists worlds page by page without reading those before, each once, and as many as there are', async () => {
  const store = createStore()
  const { url, sandbox } = await open({ scenario: 'empty', store })
  const rex = { name: 'Rex', categoryId: 1 }
  const keys = Array.from({ length: 25 }, (_, index) => `sandbox-${index}`)
  await Promise.all(keys.map((key) => sandbox.world(key).collection('pets').add(rex)))
  const listed: (number | undefined)[] = []
  const counted = Object.assign(store, {
    count: () => store.ids().length - 1,
    list: ((list) => (after: string | undefined, limit: number) => {
      listed.push(limit)
      return list(after, limit)
    })(store.list),
  })
  const page = async (offset: number, limit = 10) => {
    const { total, worlds } = await (await fetch(`${url}/_sandbox/worlds?offset=${offset}&limit=${limit}`)).json()
    return [total, worlds.map(({ id }: { id: string }) => id)] as const
  }
  const all = (await page(0, 100))[1]
  expect([...all].sort()).toEqual([...keys].sort())
  listed.length = 0
  expect(await page(0)).toEqual([25, all.slice(0, 10)])
  expect(await page(10)).toEqual([25, all.slice(10, 20)])
  expect(await page(20)).toEqual([25, all.slice(20)])
  expect(listed).toEqual([10, 10, 10])
  expect(await page(13, 2)).toEqual([25, all.slice(13, 15)])
  expect(await page(40)).toEqual([25, []])
  await page(0)
  await sandbox.reset()
  await Promise.all(all.slice(5).map((key: string) => sandbox.world(key).collection('pets').add(rex)))
  expect(await page(10)).toEqual([20, all.slice(10, 20)])
  expect(await page(0)).toEqual([20, all.slice(5, 15)])
  counted.count = undefined as never
  expect(await page(18)).toEqual([20, all.slice(23)])
})

it('takes two sandboxes of one contract, also if the first one has been used', async () => {
  const report = { type: 'object', required: ['title'], properties: { title: { type: 'string' } } }
  const content = { 'application/json': { schema: report } }
  const { contract } = await compileDocument(
    JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'Reports', version: '1' },
      paths: { '/report': { get: { responses: { 200: { description: 'The report', content } } } } },
    }),
  )
  const store = createStore()
  const statuses: number[] = []
  for (let count = 0; count < 2; count++) {
    const sandbox = createSandbox({ contract, store })
    statuses.push((await sandbox.fetch('http://localhost/report')).status)
  }
  expect(statuses).toEqual([200, 200])
})

it('leaves out records of a snapshot that do not fit another document, and has them again with the first one', async () => {
  const store = createStore()
  const book = (...required: string[]) => {
    const properties = {
      id: { type: 'integer', readOnly: true },
      title: { type: 'string' },
      author: { type: 'string' },
    }
    const schema = { type: 'object', required, properties }
    const content = { 'application/json': { schema } }
    const listed = { 'application/json': { schema: { type: 'array', items: schema } } }
    return documentOf({
      '/books': {
        get: { responses: { 200: { description: 'ok', content: listed } } },
        post: { requestBody: { content }, responses: { 201: { description: 'ok', content } } },
      },
    })
  }
  const listsOf = async (text: string, ...before: [target: string, body: object][]) => {
    const folder = await writeFolder({ 'openapi.json': text })
    const server = await startServer({ port: 0, spec: join(folder, 'openapi.json'), records: 0, store })
    const send = async (target: string, body?: object) => {
      const [method = '', path = ''] = target.split(' ')
      const headers = { 'Content-Type': 'application/json' }
      return (await fetch(server.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })).json()
    }
    for (const [target, body] of before) await send(target, body)
    await send('POST /_sandbox/snapshots/s/restore', { to: 'sandbox' })
    const list = await send('GET /books')
    await server.close()
    return list
  }
  const taken: [string, object][] = [
    ['POST /books', { title: 'E' }],
    ['POST /books', { title: 'F', author: 'A' }],
    ['PUT /_sandbox/snapshots/s', { world: 'sandbox' }],
  ]
  const [one, other] = [
    { id: 1, title: 'E' },
    { id: 2, title: 'F', author: 'A' },
  ]
  expect(await listsOf(book('title'), ...taken)).toEqual([other, one])
  expect(await listsOf(book('title', 'author'))).toEqual([other])
  expect(await listsOf(book('title'))).toEqual([other, one])
})

describe('no text of a caller is an id', () => {
  const note = { type: 'object', properties: { title: { type: 'string' } } }
  const content = (schema: object) => ({ content: { 'application/json': { schema } } })
  const text = documentOf(
    {
      '/notes': {
        get: {
          operationId: 'listNotes',
          responses: { 200: { description: 'ok', ...content({ type: 'array', items: note }) } },
        },
        post: { requestBody: content(note), responses: { 201: { description: 'ok', ...content(note) } } },
      },
    },
    {
      security: [{ pass: [] }, { login: [] }, { token: [] }],
      components: {
        securitySchemes: {
          pass: { type: 'apiKey', in: 'query', name: 'pass' },
          login: { type: 'http', scheme: 'basic' },
          token: { type: 'http', scheme: 'bearer' },
        },
      },
    },
  )
  const basic = (user: string, password: string) => ({ Authorization: `Basic ${btoa(`${user}:${password}`)}` })
  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })
  const jwt = (claims: object) => [{ alg: 'none' }, claims].map((each) => btoa(JSON.stringify(each))).join('.')

  async function openNotes(options: object) {
    const folder = await writeFolder({ 'openapi.json': text })
    const { url } = await open({ spec: join(folder, 'openapi.json'), records: 0, ...options })
    return async (target: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> => {
      const [method = '', path = ''] = target.split(' ')
      const isForm = body instanceof URLSearchParams
      const type = { 'Content-Type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' }
      const sent = body && { body: isForm ? body.toString() : JSON.stringify(body) }
      const answer = await fetch(url + path, { method, headers: { ...type, ...headers }, ...sent })
      const received = await answer.text()
      return { status: answer.status, value: received === '' ? undefined : JSON.parse(received) }
    }
  }

  it.each([
    { what: 'any key', options: {} },
    { what: 'listed keys', options: { apiKeys: ['harbour-9', 'k2'] } },
  ])('that a store has, with $what', async ({ options }) => {
    const store = createStore()
    const send = await openNotes({ ...options, store })
    await send('POST /notes?pass=harbour-9', { title: 'A' })
    await send('POST /notes', { title: 'B' }, basic('otto', 'harbour-9'))
    expect(store.ids()).toHaveLength(3)
    const failures: unknown[] = []
    for (const own of [...store.ids(), 'otto\nharbour-9', 'sandbox-b'])
      for (const id of [own, `\0${own}`, `\x01${own}`, `${own}\n`, own.slice(0, 16)]) {
        const grant = { grant_type: 'client_credentials', client_id: id, client_secret: 'k2' }
        const token = await send('POST /_sandbox/oauth/token', new URLSearchParams(grant))
        const answers = [
          await send(`GET /notes?pass=${encodeURIComponent(id)}`),
          await send('GET /notes', undefined, basic(id, 'k2')),
          await send('GET /notes', undefined, basic('', id)),
          ...(await Promise.all(
            ['sub', 'client_id', 'azp'].map((name) =>
              send('GET /notes', undefined, bearer(`${jwt({ [name]: id })}.x`)),
            ),
          )),
          token.status === 200 ? await send('GET /notes', undefined, bearer(token.value.access_token)) : token,
        ]
        // Without control characters it is a key like any other, with a world of its own.
        const isKey = !/\p{Cc}/u.test(id)
        for (const { status, value } of answers)
          if (status !== 401 && !(isKey && status === 200 && value.length === 0)) failures.push([id, status, value])
      }
    expect(failures).toEqual([])
    // With listed keys, B is the first of its world.
    const notes = (await send('GET /notes', undefined, basic('otto', 'harbour-9'))).value
    expect(notes.map(({ title }: { title: string }) => title)).toEqual(['B'])
  })

  it.each([undefined, createStore()])('that an operation of the control API takes', async (store) => {
    const send = await openNotes({ store })
    await send('POST /notes?pass=lost-key', { title: 'L' })
    const [{ id: lost }] = (await send('GET /_sandbox/worlds')).value.worlds
    expect((await send(`DELETE /_sandbox/keys/${lost}`)).status).toBe(204)
    await send('POST /notes?pass=sandbox-b', { title: 'B' })
    await send('PUT /_sandbox/snapshots/a', { world: 'sandbox-b' })
    await send('POST /_sandbox/faults', { status: 503, key: 'sandbox-b', share: 1e-9 })

    const failures: unknown[] = []
    for (const id of ['shared', '\0shared', '\0sandbox-b', 'sandbox-b\n', '\nshared', ...(store?.ids() ?? [])]) {
      const at = encodeURIComponent(id)
      await send(`GET /notes?pass=${at}`)
      await send('POST /notes', { title: 'X' }, bearer(`${jwt({ sub: id })}.x`))
      for (const [target, body] of [
        ['POST /_sandbox/snapshots/a/restore', { to: id }],
        ['POST /_sandbox/worlds/sandbox-b/fork', { to: id }],
        [`POST /_sandbox/worlds/${at}/reset`, {}],
        [`GET /_sandbox/worlds/${at}/snapshot`, undefined],
        [`GET /_sandbox/exchanges?key=${at}`, undefined],
        ['POST /_sandbox/faults', { status: 503, key: id }],
        [`DELETE /_sandbox/worlds/${at}`, undefined],
        [`DELETE /_sandbox/keys/${at}`, undefined],
      ] as const) {
        const { status } = await send(target, body)
        const isKey = !/\p{Cc}/u.test(id) && /fork|restore/.test(target)
        if (![400, 404].includes(status) && !isKey) failures.push([target, id, status])
      }
    }
    expect(failures).toEqual([])
    const again = store ? await openNotes({ store }) : send
    expect((await again('GET /notes?pass=lost-key')).status).toBe(401)
    expect((await again('GET /_sandbox/snapshots')).value).toHaveLength(1)
    expect((await again('GET /_sandbox/faults')).value).toHaveLength(1)
    const { worlds } = (await again('GET /_sandbox/worlds')).value
    const ids: string[] = worlds.map(({ id }: { id: string }) => id)
    expect([ids.filter((id) => id === 'sandbox-b'), new Set(ids).size]).toEqual([['sandbox-b'], ids.length])
  })

  const idOf = (names: string) => createHash('sha256').update(names).digest('hex').slice(0, 16)

  it.each([
    { what: 'any key', options: {} },
    { what: 'listed keys', options: { apiKeys: ['harbour-9', 'k2'] } },
  ])('but an id that only the store knows is found, with $what', async ({ options }) => {
    const store = createStore()
    const first = await openNotes({ ...options, store })
    await first('POST /notes?pass=harbour-9', { title: 'A' })
    const id = idOf('harbour-9')
    const start = () => openNotes({ ...options, store })
    const world = { status: 200, value: { id, collections: [{ size: 1 }] } }
    expect(await (await start())(`GET /_sandbox/worlds/${id}`)).toMatchObject(world)
    expect((await (await start())(`GET /_sandbox/exchanges?key=${id}`)).status).toBe(200)
    expect((await (await start())('PUT /_sandbox/snapshots/a', { world: id })).status).toBe(200)
    const written = await (await start())('POST /_sandbox/operations/listNotes/request', { key: id })
    expect(written.status).toBe('apiKeys' in options ? 200 : 400)
    for (const change of ['fork', 'restore']) {
      const send = await start()
      const other = await openNotes({ ...options, store })
      await other('POST /notes?pass=k2', { title: 'B' })
      const target = change === 'fork' ? `worlds/${idOf('k2')}/fork` : 'snapshots/a/restore'
      expect((await send(`POST /_sandbox/${target}`, { to: id })).value).toMatchObject({ id })
      for (const each of [send, first, await start()]) {
        const titles = (await each('GET /notes?pass=harbour-9')).value.map(({ title }: { title: string }) => title)
        expect(titles).toEqual([change === 'fork' ? 'B' : 'A'])
      }
    }
    const unknown = '0123456789abcdef'
    for (const target of [`GET worlds/${unknown}`, `DELETE worlds/${unknown}`, `DELETE keys/${unknown}`])
      if (!(target.includes('keys') && 'apiKeys' in options))
        expect((await first(target.replace(' ', ' /_sandbox/'))).status).toBe(404)
    for (const target of [`worlds/${id}/fork`, 'snapshots/a/restore'])
      expect((await first(`POST /_sandbox/${target}`, { to: unknown })).status).toBe(404)
    for (const part of ['', id.slice(0, 1), id.slice(0, 15), store.ids().find((each) => each.startsWith(id)) ?? '']) {
      expect((await first(`GET /_sandbox/worlds/${part}/clock`)).status).toBe(404)
      await first(`POST /_sandbox/worlds/${idOf('k2')}/fork`, { to: part })
    }
    expect((await first('GET /notes?pass=harbour-9')).value).toMatchObject([{ title: 'A' }])
    expect((await (await start())(`DELETE /_sandbox/worlds/${id}`)).status).toBe(204)
    expect((await first('GET /notes?pass=harbour-9')).value).toEqual([])
  })

  it.each([undefined, createStore()])(
    'a key that is written like the id of another world has its own',
    async (store) => {
      const send = await openNotes({ store })
      await send('POST /notes?pass=harbour-9', { title: 'A' })
      const [id, own] = [idOf('harbour-9'), idOf(idOf('harbour-9'))]
      await send(`POST /notes?pass=${id}`, { title: 'X' })
      await send('POST /notes?pass=other', { title: 'O' })
      await send(`POST /_sandbox/worlds/${idOf('other')}/fork`, { to: id })
      const titleOf = async (key: string) => (await send(`GET /notes?pass=${key}`)).value[0]?.title
      expect([await titleOf('harbour-9'), await titleOf(id)]).toEqual(['O', 'X'])
      expect((await send(`DELETE /_sandbox/keys/${own}`)).status).toBe(204)
      expect([await titleOf('harbour-9'), (await send(`GET /notes?pass=${id}`)).status]).toEqual(['O', 401])
    },
  )

  it.each([undefined, createStore()])('nothing of a revoked key comes back', async (store) => {
    const folder = await writeFolder({ 'openapi.json': text })
    const { url, port } = await open({ spec: join(folder, 'openapi.json'), records: 0, store })
    const call = async (target: string, body?: object) => {
      const [method = '', path = ''] = target.split(' ')
      const headers = { 'Content-Type': 'application/json' }
      return fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    }
    for (const isRenewed of [false, true])
      for (const isKnown of [false, true]) {
        const key = `sandbox-${isRenewed}-${isKnown}`
        if (isKnown) await call(`POST /notes?pass=${key}`, { title: 'A' })
        // The world is opened before the body ends.
        const pending = request({
          port,
          method: 'POST',
          path: `/notes?pass=${key}`,
          headers: { 'content-type': 'application/json' },
        })
        const answered = once(pending, 'response')
        pending.write('{"title":')
        await new Promise((resolve) => setTimeout(resolve, 50))
        expect((await call(`DELETE /_sandbox/keys/${key}`)).status).toBe(204)
        if (isRenewed) await call('POST /_sandbox/keys', { name: key.slice('sandbox-'.length) })
        pending.end('"late"}')
        const [answer] = await answered
        answer.resume()
        expect([201, 401, 503]).toContain(answer.statusCode)
        if (!isRenewed) {
          const { worlds } = await (await call('GET /_sandbox/worlds?limit=1000')).json()
          expect(worlds.map(({ id }: { id: string }) => id)).not.toContain(key)
          expect((await call(`GET /_sandbox/worlds/${key}`)).status).toBe(404)
          await call('POST /_sandbox/keys', { name: key.slice('sandbox-'.length) })
        }
        expect(await (await call(`GET /notes?pass=${key}`)).json()).toEqual([])
        expect((await call(`POST /notes?pass=${key}`, { title: 'new' })).status).toBe(201)
      }
  })

  it('a revoked client gets no token, and a start with its key ends with an error', async () => {
    const store = createStore()
    const send = await openNotes({ store })
    await send('POST /notes?pass=harbour-9', { title: 'A' })
    const grant = () =>
      send(
        'POST /_sandbox/oauth/token',
        new URLSearchParams({ grant_type: 'client_credentials', client_id: 'harbour-9' }),
      )
    expect((await grant()).status).toBe(200)
    await send(`DELETE /_sandbox/keys/${idOf('harbour-9')}`)
    expect((await grant()).status).toBe(401)
    await expect(openNotes({ store, apiKeys: ['harbour-9', 'k2'] })).rejects.toThrow(
      'The key "harbour-9" was revoked in this store; list another',
    )
    const other = await openNotes({ store, apiKeys: ['k2', 'harbour-9'] })
    expect([(await other('GET /notes?pass=k2')).status, (await other('GET /notes?pass=harbour-9')).status]).toEqual([
      200, 401,
    ])
    // Nor does it let a user or a client in.
    const statusOf = async (key: string) => {
      const form = { grant_type: 'client_credentials', client_id: 'otto', client_secret: key }
      return [
        (await other('GET /notes', undefined, basic('otto', key))).status,
        (await other('POST /_sandbox/oauth/token', new URLSearchParams(form))).status,
        (await other(`POST /_sandbox/worlds/${idOf('k2')}/fork`, { to: `otto:${key}` })).status,
      ]
    }
    expect([await statusOf('k2'), await statusOf('harbour-9')]).toEqual([
      [200, 200, 201],
      [401, 401, 400],
    ])
  })

  it('a token that was issued for a listed key ends with the key', async () => {
    const store = createStore()
    const apiKeys = ['k2', 'harbour-9']
    const [send, other] = [await openNotes({ store, apiKeys }), await openNotes({ store })]
    const form = { grant_type: 'client_credentials', client_id: 'otto', client_secret: 'harbour-9' }
    const { value } = await send('POST /_sandbox/oauth/token', new URLSearchParams(form))
    const read = async () => (await send('GET /notes', undefined, bearer(value.access_token))).status
    expect(await read()).toBe(200)
    await other('POST /notes?pass=harbour-9', { title: 'A' })
    expect((await other(`DELETE /_sandbox/keys/${idOf('harbour-9')}`)).status).toBe(204)
    expect(await read()).toBe(401)
  })

  it('a replica issues no token for a client that another one has just revoked, nor while the store fails', async () => {
    let isFailing = false
    const store = createFakeStore(() => ({ before: 1, after: 1, fault: isFailing ? 'fail' : undefined }))
    const [one, other] = [await openNotes({ store }), await openNotes({ store })]
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'harbour-9' })
    await one('POST /notes?pass=harbour-9', { title: 'A' })
    await one(`DELETE /_sandbox/keys/${idOf('harbour-9')}`)
    expect(await other('POST /_sandbox/oauth/token', form)).toMatchObject({
      status: 401,
      value: { error: 'invalid_client' },
    })
    isFailing = true
    const answer = await other('POST /_sandbox/oauth/token', form)
    expect(answer).toMatchObject({ status: 503, value: { error: 'temporarily_unavailable' } })
  })

  it('a key that is longer than any header is refused', async () => {
    const send = await openNotes({})
    const fork = async (length: number) =>
      (await send('POST /_sandbox/worlds/sandbox/fork', { to: 'k'.repeat(length) })).status
    expect([await fork(16_384), await fork(16_385)]).toEqual([201, 400])
    await send('PUT /_sandbox/snapshots/s', { world: 'sandbox' })
    expect((await send('POST /_sandbox/snapshots/s/restore', { to: 'k'.repeat(16_385) })).status).toBe(400)
  })

  it.each([undefined, createStore()])('worlds are listed whatever a revoked key has left', async (store) => {
    const folder = await writeFolder({ 'openapi.json': text })
    const { url, sandbox } = await open({ spec: join(folder, 'openapi.json'), records: 0, store })
    const own = sandbox.world('harbour-9')
    await own.collection('notes').add({ title: 'A' })
    await sandbox.world('sandbox').collection('notes').add({ title: 'B' })
    const removed = await fetch(`${url}/_sandbox/keys/${idOf('harbour-9')}`, { method: 'DELETE' })
    expect(removed.status).toBe(204)
    // An object that was taken before opens the world again.
    await own.collection('notes').add({ title: 'late' })
    const listed = await fetch(`${url}/_sandbox/worlds`)
    expect([listed.status, await listed.json()]).toMatchObject([200, { total: 1, worlds: [{ id: 'sandbox' }] }])
  })

  describe.each([
    { what: 'any key', options: {} },
    { what: 'listed keys', options: { apiKeys: ['k1', 'a:b', `${jwt({ sub: 'ana' })}.x`, 'zone1,id=5'] } },
  ])('a written request, with $what', ({ options }) => {
    it.each([
      ...[{ pass: [] }, { login: [] }, { token: [] }, { digest: [] }, { bare: [] }],
      ...[{ cookie: [] }, undefined],
    ])('with %j opens exactly the world that was named, or is refused', async (security) => {
      const document = JSON.parse(text)
      document.paths['/notes'].get.security = security ? [security] : []
      document.components.securitySchemes.digest = { type: 'http', scheme: 'Digest' }
      document.components.securitySchemes.bare = { type: 'apiKey', in: 'header', name: 'Authorization' }
      document.components.securitySchemes.cookie = { type: 'apiKey', in: 'cookie', name: 'own' }
      const folder = await writeFolder({ 'openapi.json': JSON.stringify(document) })
      const { url, sandbox } = await open({ spec: join(folder, 'openapi.json'), records: 0, ...options })
      const call = (path: string, body: object) =>
        fetch(url + path, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        })
      const named: [string, string?][] = [
        ['k1'],
        ['a:b'],
        [`${jwt({ sub: 'ana' })}.x`],
        ['zone1,id=5'],
        ['otto'],
        ['otto', 'a:b'],
        ['otto:k1', 'k1'],
        ['Žofie'],
        [' a'],
        ['a;b=c'],
        ['username="eve"'],
      ]
      let count = 0
      for (const names of named) {
        if (names[1] && !('apiKeys' in options)) continue
        const world = sandbox.world(...names)
        await world.collection('notes').add({ title: names.join(' ') })
        const shown = idOf(
          names[1] === undefined && 'apiKeys' in options && !options.apiKeys?.includes(names[0])
            ? `${names[0]}\nk1`
            : [world.key, names[1]].filter((each) => each !== undefined).join('\n'),
        )
        const keys = names[1] === undefined ? [shown, names[0]] : [shown]
        for (const key of keys) {
          const written = await call('/_sandbox/operations/listNotes/request', { key })
          if (written.status === 400) continue
          expect([names, written.status]).toEqual([names, 200])
          const { target, headers } = await written.json()
          const answer = await fetch(url + target, {
            headers: headers.map(({ name, value }: { name: string; value: string }) => [name, value]),
          })
          expect([names, await answer.json()]).toEqual([names, [{ title: names.join(' ') }]])
          count++
        }
      }
      expect(count).toBeGreaterThan(4)
    })
  })

  it('that the public API takes', async () => {
    const store = createStore()
    const { contract } = await compileDocument(text)
    const sandbox = createSandbox({ contract, store })
    await sandbox.world('harbour-9').collection('notes').add({ title: 'A' })
    const id = store.ids().find((each) => each !== 'shared')
    expect(() => sandbox.world(`\0${id}`)).toThrow(`Invalid key "\\u0000${id}"`)
    await expect(sandbox.world('harbour-9').fork('\0shared')).rejects.toThrow('Invalid key "\\u0000shared"')
    await expect(sandbox.faults.add({ key: `\0${id}`, status: 503 })).rejects.toThrow('Invalid key')
    expect(await sandbox.world(`${id}`).collection('notes').size()).toBe(0)
    const listed = createSandbox({ contract, apiKeys: ['k1', 'k2'] })
    expect(await listed.faults.add({ key: 'otto', status: 503 })).toMatchObject({ key: 'otto' })
    expect(await listed.faults.list()).toMatchObject([{ key: 'otto' }])
  })
})

it.each<[what: string, shared: (found: Committed) => Committed | undefined]>([
  ['is gone', () => undefined],
  ['has no entries', (found) => ({ ...found, isWhole: true, entries: [] })],
  [
    'has only the last entries',
    (found) => ({
      ...found,
      isWhole: true,
      entries: found.entries.filter(({ name }) => !/^\["(base|start)/.test(name)),
    }),
  ],
])(
  'answers 503 and starts nowhere while what all keys share %s, so that a revoked key stays revoked',
  async (_, change) => {
    const store = createStore()
    let isLost = false
    const losing: FakeStore = {
      ...store,
      async open(id, have) {
        const found = await store.open(id, isLost && id === 'shared' ? undefined : have)
        return isLost && id === 'shared' && typeof found === 'object' ? change(found) : found
      },
    }
    const send = await openReplica(losing, { apiKeys: undefined }, 'sandbox-lost')
    const rex = { name: 'Rex', categoryId: 1 }
    expect((await send('POST /v1/pets', rex)).status).toBe(201)
    await (await openReplica(losing, { apiKeys: undefined }, 'sandbox-other'))('POST /v1/pets', rex)
    expect((await send('DELETE /_sandbox/keys/sandbox-lost')).status).toBe(204)
    const commits = store.calls.filter((call) => call === 'share').length
    const lost = 'The store has lost what all keys share, such as revoked keys, faults and snapshots'
    const message = `${lost}. Put a backup in its place, or give the address of an empty store`
    isLost = true
    for (const target of ['GET /v1/pets', 'GET /_sandbox/faults', 'GET /_sandbox/keys', 'POST /v1/pets'])
      expect(await send(target, target.startsWith('POST') ? rex : undefined)).toMatchObject({
        status: 503,
        value: { message },
      })
    await expect(openReplica(losing)).rejects.toThrow(message)
    expect(store.calls.filter((call) => call === 'share')).toHaveLength(commits)
    isLost = false
    expect((await send('GET /v1/pets')).status).toBe(401)
    expect((await (await openReplica(losing, { apiKeys: undefined }, 'sandbox-lost'))('GET /v1/pets')).status).toBe(401)
  },
)

it('lists each world once, whatever labels others have written', async () => {
  const store = createStore()
  await (await openReplica(store, { apiKeys: undefined }, 'sandbox-a'))('POST /v1/pets', { name: 'Rex', categoryId: 1 })
  const list: FakeStore['list'] = async (after, limit) => {
    const ids = ['0', '1', '2'].map((digit) => ({ id: digit.repeat(64), label: digit === '2' ? '\0' : 'sandbox-a' }))
    return [...ids, ...(await store.list(undefined, 9))].filter(({ id }) => id > (after ?? '')).slice(0, limit)
  }
  const send = await openReplica({ ...store, list }, { apiKeys: undefined }, 'sandbox-a')
  const { worlds } = (await send('GET /_sandbox/worlds')).value
  const ids = worlds.map(({ id }: { id: string }) => id)
  expect(ids.sort()).toEqual(['0', '1', '2'].map((digit) => digit.repeat(16)).concat('sandbox-a'))
})

it('answers 503 for a world whose entries are gone, and not with an empty one', async () => {
  const store = createStore()
  const send = await openReplica(store, { apiKeys: undefined }, 'sandbox-a')
  await send('POST /v1/pets', { name: 'Rex', categoryId: 1 })
  const open: FakeStore['open'] = async (id, have) => {
    const found = await store.open(id, have)
    return typeof found === 'object' && id !== 'shared' ? { ...found, entries: [] } : found
  }
  const other = await openReplica({ ...store, open }, { apiKeys: undefined }, 'sandbox-a')
  const message = 'The store has lost entries of the world "sandbox-a", such as ["base"]. Put a backup in its place'
  for (let count = 0; count < 2; count++)
    expect(await other('GET /v1/pets')).toMatchObject({ status: 503, value: { message } })
})

describe('an entry that others have written', () => {
  const title = { type: 'object', properties: { id: { type: 'integer', readOnly: true }, title: { type: 'string' } } }
  const content = (schema: object) => ({ content: { 'application/json': { schema } } })
  const text = documentOf(
    {
      '/notes': {
        get: { responses: { 200: { description: 'ok', ...content({ type: 'array', items: title }) } } },
        post: { requestBody: content(title), responses: { 201: { description: 'ok', ...content(title) } } },
      },
    },
    { security: [{ key: [] }], components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } } },
  )

  it.each([
    ['in a world', '["record","notes","default",0]', '5'],
    ['in a world', '["record","notes","default",0]', '[]'],
    ['in a world', '["record","notes","default",-1]', '{}'],
    ['in a world', '["record","notes","default",4294967296]', '{}'],
    ['in a world', '["record","other","",0]', '{}'],
    ['in a world', '["nextKey","notes","default"]', '"x"'],
    ['in a world', '["clock"]', '{"offset":"x"}'],
    ['in a world', '["requests"]', '{}'],
    ['in a world', '["file","/a"]', '{}'],
    ['in a world', '["answer","a"]', '[1,{}]'],
    ['in a world', '["webhook","a"]', '{"request":5}'],
    ['in a world', '["base"]', '7'],
    ['in a world', '["record","notes"', '{}'],
    ['in a world', '"record"', '{}'],
    ['in a world', '', '{}'],
    ['in a world', '\u0001x', '{}'],
    ['in a world', '["record","notes","default",0]', '{"title":'],
    ['in a world', '["record","notes","default",0]', '['.repeat(200_000)],
    ['shared', '["fault","1"]', '5'],
    ['shared', '["fault","1"]', 'null'],
    ['shared', '["fault","1"]', '{"fault":{"id":"1","struck":0,"path":7},"drawn":0}'],
    ['shared', '["window","1 a"]', '[]'],
    ['shared', '["lastFault",""]', '"x"'],
    ['shared', '["key","a"]', '{}'],
    ['shared', '["clock",""]', '"x"'],
    ['shared', '["snapshot","a"]', '{}'],
    ['shared', '\u0001["fault"', '{}'],
    ['shared', '["fault","1"]', '{"fault":'],
    ['in a world', '["record","notes","default",100000000]', '{"id":1}'],
    ['in a world', '["record","notes","default",8388608]', '{"id":1}'],
    ['in a world', '["record","notes","default",0.5]', '{"id":1}'],
    ['in a world', '["record","notes","default","0"]', '{"id":1}'],
    ['in a world', '["record","notes","default", 0]', '{"id":1}'],
    ['in a world', '["record","notes",0]', '{"id":1}'],
    ['in a world', '["record",5,"",0]', '{"id":1}'],
    ['in a world', '["record","notes","default",0,0]', '{"id":1}'],
    ['in a world', '["record","notes","default",0]', '{"id":"1"}'],
    ['in a world', '["record","notes","default",0]', '{"title":"a"}'],
    ['in a world', '["record","notes","default",0]', '{"id":[]}'],
    ['in a world', '["nextKey","notes","default"]', '0'],
    ['in a world', '["nextKey","notes","default"]', '-1'],
    ['in a world', '["nextKey","notes","default"]', '1.5'],
    ['in a world', '["nextKey","notes","default"]', '1e300'],
    ['in a world', '["nextKey","notes","default"]', 'true'],
    ['in a world', '["nextKey","notes","default"]', '"5"'],
    ['in a world', '["clock"]', '{"offset":1e30}'],
    ['shared', '["clock",""]', '{"offset":1e30}'],
    ['in a world', '["clock"]', '{"offset":-1e30}'],
    ['shared', '["clock",""]', '{"offset":-1e30}'],
    ['in a world', '["clock"]', '{"offset":0,"frozenAt":1e30}'],
    ['shared', '["clock",""]', '{"offset":0,"frozenAt":1e30}'],
    ['in a world', '["clock"]', '{"offset":0,"frozenAt":"x"}'],
    ['shared', '["clock",""]', '{"offset":0,"frozenAt":"x"}'],
    ['in a world', '["clock"]', '{"offset":[]}'],
    ['shared', '["clock",""]', '{"offset":[]}'],
    ['in a world', '["clock"]', '{"__proto__":{"offset":1}}'],
    ['shared', '["clock",""]', '{"__proto__":{"offset":1}}'],
    ['in a world', '["clock",""]', '{"offset":1}'],
    ['in a world', '["requests"]', '-1'],
    ['in a world', '["requests"]', '1.5'],
    ['in a world', '["requests"]', '1e300'],
    ['in a world', '["requests"]', '[]'],
    ['in a world', '["file","/a"]', '{"hash":"x","type":"a/b"}'],
    [
      'in a world',
      '["file","/a"]',
      '{"hash":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","type":"a\\r\\nb: c"}',
    ],
    [
      'in a world',
      '["file","/a"]',
      '{"hash":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","type":"a/b","name":5}',
    ],
    ['in a world', '["file",5]', 'null'],
    ['in a world', '["answer","a"]', '[1,{"id":"a","print":"b","at":1,"status":200,"at":"x"}]'],
    ['in a world', '["answer","a"]', '[1,{"id":"a","print":"b","at":1,"status":200,"status":99}]'],
    ['in a world', '["answer","a"]', '[1,{"id":"a","print":"b","at":1,"status":200,"status":"x"}]'],
    ['in a world', '["answer","a"]', '[1,{"id":"a","print":"b","at":1,"status":200,"until":"x"}]'],
    ['in a world', '["answer","a"]', '[1,{"id":"a","print":"b","at":1,"status":200,"headers":{"a":5}}]'],
    ['in a world', '["answer","a"]', '[1,{"id":"a","print":"b","at":1,"status":200,"headers":{"a":"b\\r\\nc: d"}}]'],
    ['in a world', '["answer","a"]', '[1,{"id":"a","print":"b","at":1,"status":200,"headers":[]}]'],
    ['in a world', '["answer","a"]', '[1,{"id":"a","print":"b","at":1,"status":200,"headers":{"a\\nb":"c"}}]'],
    ['in a world', '["answer","a"]', '[1,{"id":"a","print":"b","at":1,"status":200,"mediaType":"a\\n"}]'],
    ['in a world', '["answer","a"]', '[1,{"id":"a","print":"b","at":1,"status":200,"base64":"*"}]'],
    ['in a world', '["answer","a"]', '[1,{"id":"a","print":"b","at":1,"status":200,"violations":5}]'],
    ['in a world', '["answer","a"]', '[1,{"id":"a","print":"b","at":1,"status":200,"violations":[5]}]'],
    ['in a world', '["answer","a"]', '[1,{"id":"a","print":"b","at":1,"status":200,"refused":"__proto__"}]'],
    [
      'in a world',
      '["webhook","a"]',
      '{"name":"a","operation":"b","due":1,"attempt":1,"retries":[],"request":{"method":"POST","url":"http://a.example/","headers":[],"url":"a"}}',
    ],
    [
      'in a world',
      '["webhook","a"]',
      '{"name":"a","operation":"b","due":1,"attempt":1,"retries":[],"request":{"method":"POST","url":"http://a.example/","headers":[],"url":"file:///a"}}',
    ],
    [
      'in a world',
      '["webhook","a"]',
      '{"name":"a","operation":"b","due":1,"attempt":1,"retries":[],"request":{"method":"POST","url":"http://a.example/","headers":[],"headers":[5]}}',
    ],
    [
      'in a world',
      '["webhook","a"]',
      '{"name":"a","operation":"b","due":1,"attempt":1,"retries":[],"request":{"method":"POST","url":"http://a.example/","headers":[],"headers":["a","b\\r\\nc"]}}',
    ],
    [
      'in a world',
      '["webhook","a"]',
      '{"name":"a","operation":"b","due":1,"attempt":1,"retries":[],"request":{"method":"POST","url":"http://a.example/","headers":[],"base64":"*"}}',
    ],
    [
      'in a world',
      '["webhook","a"]',
      '{"name":"a","operation":"b","due":1,"attempt":1,"retries":[],"request":{"method":"POST","url":"http://a.example/","headers":[],"body":5}}',
    ],
    [
      'in a world',
      '["webhook","a"]',
      '{"name":"a","operation":"b","due":1,"attempt":1,"retries":[],"retries":[{}],"request":{"method":"POST","url":"http://a.example/","headers":[]}}',
    ],
    [
      'in a world',
      '["webhook","a"]',
      '{"name":"a","operation":"b","due":1,"attempt":1,"retries":[],"due":1e30,"request":{"method":"POST","url":"http://a.example/","headers":[]}}',
    ],
    [
      'in a world',
      '["webhook","a"]',
      '{"name":"a","operation":"b","due":1,"attempt":1,"retries":[],"attempt":-1,"request":{"method":"POST","url":"http://a.example/","headers":[]}}',
    ],
    [
      'in a world',
      '["webhook","a"]',
      '{"name":"a","operation":"b","due":1,"attempt":1,"retries":[],"claim":5,"request":{"method":"POST","url":"http://a.example/","headers":[]}}',
    ],
    [
      'in a world',
      '["webhook","a"]',
      '{"name":"a","operation":"b","due":1,"attempt":1,"retries":[],"claim":{"by":"a","at":"x"},"request":{"method":"POST","url":"http://a.example/","headers":[]}}',
    ],
    ['in a world', '["base"]', '"x"'],
    ['in a world', '["aside","x"]', '{}'],
    ['shared', '["fault","x"]', '{"fault":{"id":"x","struck":0,"status":503},"drawn":0}'],
    ['shared', '["fault","2"]', '{"fault":{"id":"1","struck":0,"status":503},"drawn":0}'],
    ['shared', '["fault","01"]', '{"fault":{"id":"01","struck":0,"status":503},"drawn":0}'],
    ['shared', '["fault","1"]', '{"fault":{"id":"2","struck":0,"status":503},"drawn":0}'],
    ['shared', '["fault","-1"]', '{"fault":{"id":"-1","struck":0,"status":503},"drawn":0}'],
    ['shared', '["fault","1e3"]', '{"fault":{"id":"1e3","struck":0,"status":503},"drawn":0}'],
    ['shared', '["fault","9007199254740993"]', '{"fault":{"id":"9007199254740993","struck":0,"status":503},"drawn":0}'],
    ['shared', '["fault","1","2"]', '{"fault":{"id":"1","struck":0,"status":503},"drawn":0}'],
    ['shared', '["fault", "1"]', '{"fault":{"id":"1","struck":0,"status":503},"drawn":0}'],
    ['shared', '["fault",1]', '{"fault":{"id":1,"struck":0,"status":503},"drawn":0}'],
    ['shared', '["fault","1"]', '{"fault":{"id":"1","struck":0,"status":5000},"drawn":0}'],
    ['shared', '["fault","1"]', '{"fault":{"id":"1","struck":0,"status":"x"},"drawn":0}'],
    ['shared', '["fault","1"]', '{"fault":{"id":"1","struck":0,"status":503,"delayMs":1000000000000},"drawn":0}'],
    ['shared', '["fault","1"]', '{"fault":{"id":"1","struck":0,"status":503,"delayMs":[1]},"drawn":0}'],
    ['shared', '["fault","1"]', '{"fault":{"id":"1","struck":0,"status":503,"delayMs":-1},"drawn":0}'],
    ['shared', '["fault","1"]', '{"fault":{"id":"1","struck":0,"status":503,"key":5},"drawn":0}'],
    ['shared', '["fault","1"]', '{"fault":{"id":"1","struck":0,"status":503,"path":"a"},"drawn":0}'],
    ['shared', '["fault","1"]', '{"fault":{"id":"1","struck":0,"status":503,"method":"get"},"drawn":0}'],
    ['shared', '["fault","1"]', '{"fault":{"id":"1","struck":0,"status":503,"times":0},"drawn":0}'],
    ['shared', '["fault","1"]', '{"fault":{"id":"1","struck":0,"status":503,"share":"x"},"drawn":0}'],
    ['shared', '["fault","1"]', '{"fault":{"id":"1","struck":0,"status":503,"seed":0.5},"drawn":0}'],
    ['shared', '["fault","1"]', '{"fault":{"id":"1","struck":0,"status":503,"truncate":-1},"drawn":0}'],
    ['shared', '["fault","1"]', '{"fault":{"id":"1","struck":0,"status":503,"drop":false},"drawn":0}'],
    ['shared', '["fault","1"]', '{"fault":{"id":"1","struck":0,"status":503,"message":5},"drawn":0}'],
    ['shared', '["fault","1"]', '{"fault":{"id":"1","struck":0,"status":503,"operation":5},"drawn":0}'],
    ['shared', '["fault","1"]', '{"fault":{"id":"1","struck":0,"status":503,"rate":{}},"drawn":0}'],
    ['shared', '["fault","1"]', '{"fault":{"id":"1","struck":0,"status":503,"rate":{"limit":0}},"drawn":0}'],
    [
      'shared',
      '["fault","1"]',
      '{"fault":{"id":"1","struck":0,"status":503,"rate":{"limit":1,"seconds":1e+300}},"drawn":0}',
    ],
    ['shared', '["fault","1"]', '{"fault":{"id":"1","struck":-1,"status":503},"drawn":0}'],
    ['shared', '["fault","1"]', '{"fault":{"id":"1","struck":0.5,"status":503},"drawn":0}'],
    ['shared', '["fault","1"]', '{"fault":{"id":"1","struck":0,"status":503,"constructor":"x"},"drawn":0}'],
    ['shared', '["fault","1"]', '{"fault":{"id":"1","struck":0,"status":503,"__proto__":{}},"drawn":0}'],
    ['shared', '["fault","1"]', '{"fault":{"id":"1","struck":0,"status":503},"drawn":-1}'],
    ['shared', '["fault","1"]', '{"fault":{"id":"1","struck":0,"status":503},"drawn":1e300}'],
    ['shared', '["lastFault",""]', '"NaN"'],
    ['shared', '["lastFault",""]', '"-1"'],
    ['shared', '["lastFault",""]', '"1.5"'],
    ['shared', '["lastFault",""]', '"01"'],
    ['shared', '["lastFault",""]', '""'],
    ['shared', '["lastFault",""]', '"9007199254740993"'],
    ['shared', '["lastFault",""]', '1'],
    ['shared', '["lastFault",""]', 'null'],
    ['shared', '["lastFault","a"]', '"1"'],
    ['shared', '["window","1 a"]', '{"end":"x","count":1}'],
    ['shared', '["window","1 a"]', '{"end":1,"count":-1}'],
    ['shared', '["window","1 a"]', '{"end":1e30,"count":1}'],
    ['shared', '["window","1 a"]', '{"end":1,"count":1e300}'],
    ['shared', '["key","__proto__"]', '"lost"'],
    ['shared', '["key","__proto__"]', 'null'],
    ['shared', '["key","__proto__"]', 'true'],
    ['shared', '["snapshot","__proto__"]', '{"at":1e30,"bytes":1,"state":{"clockOffset":0,"collections":[]}}'],
    ['shared', '["snapshot","__proto__"]', '{"at":1,"bytes":-1,"state":{"clockOffset":0,"collections":[]}}'],
    ['shared', '["snapshot","__proto__"]', '{"at":1,"bytes":1e300,"state":{"clockOffset":0,"collections":[]}}'],
    ['shared', '["snapshot","__proto__"]', '{"at":1,"bytes":1,"state":{}}'],
    ['shared', '["snapshot","__proto__"]', '{"at":1,"bytes":1,"state":{"clockOffset":0}}'],
    [
      'shared',
      '["snapshot","__proto__"]',
      '{"at":1,"bytes":1,"state":{"clockOffset":0,"collections":[],"clockOffset":1e30}}',
    ],
    [
      'shared',
      '["snapshot","__proto__"]',
      '{"at":1,"bytes":1,"state":{"clockOffset":0,"collections":[],"frozenAt":1e30}}',
    ],
    ['shared', '["snapshot","__proto__"]', '{"at":1,"bytes":1,"state":{"clockOffset":0,"collections":[],"files":5}}'],
    [
      'shared',
      '["snapshot","__proto__"]',
      '{"at":1,"bytes":1,"state":{"clockOffset":0,"collections":[],"collections":[{"name":"notes"}]}}',
    ],
    [
      'shared',
      '["snapshot","__proto__"]',
      '{"at":1,"bytes":1,"state":{"clockOffset":0,"collections":[],"answers":[5]}}',
    ],
    ['shared', '["snapshot",5]', '{}'],
    ['shared', '["start",""]', '1e30'],
    ['shared', '["start",""]', '"x"'],
    ['shared', '["base",""]', '"x"'],
    ['shared', '["base",""]', '7'],
  ])('%s, %j with %.30j, gives 503 with its name until it is removed, also twice', async (place, name, value) => {
    const { contract } = await compileDocument(text)
    const store = createStore()
    const send = (sandbox: Sandbox, key: string, body?: object) =>
      sandbox.fetch('http://notes.example/notes', {
        method: body ? 'POST' : 'GET',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
    const first = createSandbox({ contract, store })
    for (const key of ['a', 'b']) await send(first, key, { title: key })
    const ofA = createHash('sha256').update('a').digest('hex')
    let isWritten = true
    const changed: FakeStore = {
      ...store,
      async open(id, have) {
        const opened = await store.open(id, isWritten ? undefined : have)
        if (!isWritten || id !== (place === 'shared' ? 'shared' : ofA) || typeof opened !== 'object') return opened
        return { ...opened, entries: [...opened.entries.filter((each) => each.name !== name), { name, text: value }] }
      },
    }
    const second = createSandbox({ contract, store: changed })
    for (let count = 0; count < 2; count++) {
      const answer = await send(second, 'a', { title: 'more' })
      const refusal = await answer.text()
      expect([answer.status, refusal]).toEqual([
        503,
        expect.stringContaining('The store has an entry that cannot be read'),
      ])
      expect(JSON.parse(refusal).message).toContain(JSON.stringify(name))
    }
    expect((await send(second, 'b')).status).toBe(place === 'shared' ? 503 : 200)
    isWritten = false
    for (const key of ['a', 'b']) expect(await (await send(second, key)).json()).toHaveLength(1)
  })

  it.each([
    [
      'counts faults on from the greatest id',
      '["fault","7"]',
      '{"fault":{"id":"7","struck":0,"status":503,"times":1},"drawn":0}',
      '8',
    ],
    ['counts faults on from the last id', '["lastFault",""]', '"41"', '42'],
    ['adds no fault whose id could not be read', '["lastFault",""]', '"9007199254740991"', undefined],
  ])('%s', async (_, name, value, next) => {
    const { contract } = await compileDocument(text)
    const store = createStore()
    await createSandbox({ contract, store }).faults.list()
    const found = await store.open('shared')
    if (typeof found !== 'object') throw new Error('It is missing')
    const entries = [{ name, text: value }]
    await store.commit('shared', { commitId: 'x', on: found.stamp, isWhole: false, entries })
    const { faults } = createSandbox({ contract, store })
    const added = (status: number) => faults.add({ status }).catch(({ code }: { code: string }) => code)
    const ids = [await added(500), await added(500)].map((fault) => (typeof fault === 'object' ? fault.id : fault))
    expect(ids).toEqual(next ? [next, String(Number(next) + 1)] : Array(2).fill('STORE_UNAVAILABLE'))
    const again = await createSandbox({ contract, store }).faults.list()
    expect(again.map(({ id }) => id)).toEqual(next ? [...(next === '8' ? ['7'] : []), ...ids] : [])
  })

  it('that a newer version may know is left alone', async () => {
    const { contract } = await compileDocument(text)
    const store = createStore()
    await createSandbox({ contract, store }).world('a').collection('notes').add({ title: 'A' })
    const newer: FakeStore = {
      ...store,
      async open(id, have) {
        const opened = await store.open(id, have)
        const entry = { name: '["later",1]', text: '5' }
        return typeof opened === 'object' ? { ...opened, entries: [...opened.entries, entry] } : opened
      },
    }
    expect(await createSandbox({ contract, store: newer }).world('a').collection('notes').size()).toBe(1)
  })
})
