// The exchanges of several programs that share Redis, with `--shared-journal`.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type RunningServer, startServer } from '../../src/entries/node.js'
import { hasRedis, type RedisServer, startRedis } from '../support/redis-server.js'

const ends: (() => unknown)[] = []

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function redis(...settings: string[]): Promise<RedisServer> {
  const server = await startRedis(['--save', '', ...settings])
  ends.push(() => server.remove())
  return server
}

async function start(store: string, options: object = {}): Promise<RunningServer> {
  const server = await startServer({ port: 0, store, sharedJournal: true, ...options })
  ends.push(() => server.close())
  return server
}

function call({ url }: RunningServer, path: string, key = 'sandbox', init: RequestInit = {}): Promise<Response> {
  return fetch(url + path, { ...init, headers: { authorization: `Bearer ${key}`, ...init.headers } })
}

async function shown(server: RunningServer, query = ''): Promise<{ id: number; request: { path: string } }[]> {
  const response = await fetch(`${server.url}/_sandbox/exchanges${query}`)
  expect(response.status).toBe(200)
  return (await response.json()) as { id: number; request: { path: string } }[]
}

const pathsOf = (exchanges: { request: { path: string } }[]) => exchanges.map(({ request }) => request.path)

describe.skipIf(!hasRedis)('the exchanges of several programs', () => {
  it('are the same at each of them, with the same ids and in the same order', async () => {
    const { url } = await redis()
    const [one, other] = [await start(url), await start(url)]
    for (let round = 0; round < 5; round++) {
      await call(one, `/v1/pets/${10 + round}`)
      await call(other, `/v1/pets/${20 + round}`)
    }
    const all = await shown(one)
    expect(pathsOf(all).sort()).toEqual([10, 11, 12, 13, 14, 20, 21, 22, 23, 24].map((id) => `/pets/${id}`))
    expect(await shown(other)).toEqual(all)
    const ids = all.map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)].sort((first, second) => first - second))
    expect(await shown(other, `?after=${ids[7]}`)).toEqual(all.slice(8))
    expect(await one.sandbox.exchanges.list({ after: ids[7] as number })).toHaveLength(2)
    // A program that starts later has them, too.
    expect(await shown(await start(url))).toEqual(all)
  })

  it('end a wait at another program, and come through its stream', async () => {
    const { url } = await redis()
    const [one, other] = [await start(url), await start(url)]
    const waiting = other.sandbox.exchanges.wait({ operation: 'getPet' }, { timeoutMs: 60_000 })
    const stream = await fetch(`${other.url}/_sandbox/exchanges/stream`)
    await call(one, '/v1/pets/7')
    expect((await waiting).request.path).toBe('/pets/7')
    const reader = (stream.body as ReadableStream<Uint8Array>).getReader()
    let text = ''
    while (!text.includes('"path":"/pets/7"')) text += new TextDecoder().decode((await reader.read()).value)
    await reader.cancel()
  })

  it('belong to their worlds, and Redis gets no keys of callers', async () => {
    const server = await redis()
    const options = { apiKeys: ['first-secret-key', 'other-secret-key'], httpCare: true }
    const [one, other] = [await start(server.url, options), await start(server.url, options)]
    await call(one, '/v1/pets/1', 'first-secret-key')
    await call(one, '/v1/pets/2', 'other-secret-key')
    await call(other, '/v1/pets/3', 'first-secret-key')
    for (const { sandbox } of [one, other]) {
      const own = await sandbox.exchanges.list({ key: 'first-secret-key' })
      expect(pathsOf(own)).toEqual(['/pets/1', '/pets/3'])
    }
    const key = { 'idempotency-key': 'first-secret-key-1', 'content-type': 'application/json' }
    const init = { method: 'POST', headers: key, body: '{"name":"Rex","categoryId":1}' }
    for (let count = 0; count < 2; count++) await call(one, '/v1/pets', 'first-secret-key', init)
    expect((await one.sandbox.exchanges.list()).at(-1)?.cause?.kind).toBe('repetition')
    const stored = await server.command('XRANGE', '{petstore-sandbox}:exchanges', '-', '+')
    expect(stored).toHaveLength(5)
    expect(JSON.stringify(stored)).not.toMatch(/secret/)
  })

  it('are without bodies that are too long', async () => {
    const { url } = await redis()
    const [one, other] = [await start(url), await start(url)]
    const text = 'x'.repeat(300_000)
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ text }) }
    await call(one, '/v1/pets', 'sandbox', init)
    const [long] = await other.sandbox.exchanges.list()
    expect(long?.request.body).toBeUndefined()
    expect(long?.notes).toContain('Its bodies are too long to be shared')
    expect(long?.response.status).toBe(400)
  })

  it('are removed everywhere by a reset', async () => {
    const { url } = await redis()
    const [one, other] = [await start(url), await start(url)]
    await call(one, '/v1/pets/1')
    await call(other, '/v1/pets/2')
    await one.sandbox.reset()
    expect(await shown(other)).toEqual([])
    expect(await shown(await start(url))).toEqual([])
    await call(other, '/v1/pets/3')
    expect(pathsOf(await shown(one))).toEqual(['/pets/3'])
  })

  it('leave out those that others have written and nobody can read', async () => {
    const server = await redis()
    const messages: string[] = []
    const one = await start(server.url, { onMessage: (message: string) => messages.push(message) })
    await call(one, '/v1/pets/1')
    await shown(one)
    const key = '{petstore-sandbox}:exchanges'
    const [[, [, text = '']]] = (await server.command('XRANGE', key, '-', '+')) as [[string, [string, string]]]
    const whole = JSON.parse(text)
    const { request, response } = whole
    const wrong = [5, {}, { ...whole, at: 1e30 }, { ...whole, request: {} }, { ...whole, response: {} }].concat(
      ...[{ path: 5 }, { headers: 5 }, { headers: [5] }, { body: {} }].map((each) => ({
        ...whole,
        request: { ...request, ...each },
      })),
      ...[{ status: 'x' }, { headers: null }].map((each) => ({ ...whole, response: { ...response, ...each } })),
    )
    for (const each of ['{', ...wrong.map((value) => JSON.stringify(value))])
      await server.command('XADD', key, '*', 'text', each)
    await call(one, '/v1/pets/2')
    for (const each of [one, await start(server.url)])
      expect(pathsOf(await shown(each))).toEqual(['/pets/1', '/pets/2'])
    expect(messages).toHaveLength(12)
    expect(messages[0]).toMatch(/^Exchanges are not shared: the exchange \d+ cannot be read, and is left out: /)
  })

  it('go on after Redis was away', async () => {
    const server = await redis('--appendonly', 'yes', '--appendfsync', 'always')
    const messages: string[] = []
    const one = await start(server.url, { onMessage: (message: string) => messages.push(message) })
    const other = await start(server.url)
    await call(one, '/v1/pets/1')
    expect(await shown(other)).toHaveLength(1)
    await server.stop('SIGTERM')
    expect((await call(one, '/v1/pets/2')).status).toBe(503)
    expect((await fetch(`${other.url}/_sandbox/exchanges`)).status).toBe(503)
    await server.start()
    await call(one, '/v1/pets/3')
    expect(pathsOf(await shown(other)).at(-1)).toBe('/pets/3')
    expect(messages.filter((message) => message.startsWith('Exchanges are not shared'))).toHaveLength(1)
  })
})

it.each(['memory', 'file:'])('are refused with the store %s', async (kind) => {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-sandbox-shared-'))
  ends.push(() => rm(folder, { recursive: true }))
  const store = kind === 'memory' ? kind : `${kind}${join(folder, 'worlds.db')}`
  await expect(startServer({ port: 0, store, sharedJournal: true })).rejects.toMatchObject({
    code: 'INVALID_OPTION',
    message: 'Only a store in Redis has a shared journal: use the store redis://<host>',
  })
})
