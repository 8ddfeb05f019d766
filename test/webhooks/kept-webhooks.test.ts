// Callbacks and webhooks in a store: what a restart, another replica, a conflict and a failure leave of them.
import { compileDocument, createSandbox, type Sandbox, type SandboxOptions } from 'petstore-sandbox'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createFakeStore, type FakeStore, type Weather } from '../support/fake-store.js'
import { type HookParts, hookDocument, orderSchema, sending } from '../support/webhook-document.js'

const calm: Weather = { before: 1, after: 1 }
const later = 60_000
const start = Date.parse('2026-11-23T00:00:00Z')

/** @param delay milliseconds until the callback of an order is due */
function parts(delay = later): HookParts {
  const item = sending(orderSchema, { 'x-sandbox-delay': delay, 'x-sandbox-retries': [1000] })
  return { create: { callbacks: { done: { 'http://receiver.example/hook': item } } } }
}

/** What receivers got: the id of the delivery and the body. */
type Got = { id: string; body: string }[]

interface Replica {
  sandbox: Sandbox
  order(item: string, key?: string): Promise<number>
}

interface ReplicaOptions extends SandboxOptions {
  store?: FakeStore
  got: Got
  delay?: number
  /** @default `parts(delay)` */
  document?: HookParts
  /** The status of the receiver. Undefined: it never answers. */
  status?: () => number | undefined
}

/** A program whose clock moves only by calls. */
async function open({
  got,
  delay,
  document = parts(delay),
  status = () => 200,
  ...options
}: ReplicaOptions): Promise<Replica> {
  const { contract } = await compileDocument(hookDocument(document), 'orders.json')
  const sandbox = createSandbox({
    contract,
    at: start,
    now: () => 0,
    async fetch(_, { headers, body }) {
      got.push({ id: new Headers(headers).get('sandbox-delivery') ?? '', body: String(body) })
      const answer = status()
      return answer === undefined ? new Promise<Response>(() => {}) : new Response('', { status: answer })
    },
    ...options,
  })
  return {
    sandbox,
    async order(item, key = 'sandbox') {
      const { status } = await sandbox.fetch('https://orders.example/v1/orders', {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ item }),
      })
      return status
    },
  }
}

/** The webhooks in each world after each of its commits. */
function keptIn(store: FakeStore): { names: string[]; orders: number }[] {
  return store.ids().flatMap((id) =>
    store.commitsOf(id).map((state) => ({
      names: [...state.keys()].filter((name) => name.startsWith('["webhook"')),
      orders: [...state.keys()].filter((name) => name.startsWith('["record","orders"')).length,
    })),
  )
}

/** The number of the next attempt of the webhook that was committed last. */
function attemptIn(store: FakeStore): number | undefined {
  const state = store.commitsOf(store.ids().at(-1) ?? '').at(-1)
  const text = [...(state ?? [])].find(([name]) => name.startsWith('["webhook"'))?.[1]
  return text === undefined ? undefined : (JSON.parse(text) as { attempt: number }).attempt
}

const lastKept = (store: FakeStore) => keptIn(store).at(-1)?.names.length
/** Something that should not be sent would usually be sent when this resolves. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 30))
const untilGot = (got: Got, count: number) => expect.poll(() => got.length, { interval: 2 }).toBe(count)

it('commits a webhook together with what it follows, and its end when it was sent', async () => {
  const store = createFakeStore(() => calm)
  const got: Got = []
  const { order, sandbox } = await open({ store, got })
  expect(await order('Lamp')).toBe(201)
  expect(keptIn(store).filter(({ orders }) => orders > 0)).toEqual([{ names: [expect.any(String)], orders: 1 }])
  await sandbox.world().clock.advance(later)
  await untilGot(got, 1)
  await expect.poll(() => lastKept(store)).toBe(0)
})

it('sends after a restart what was pending, once, as the same delivery, and counts the attempts on', async () => {
  const store = createFakeStore(() => calm)
  const got: Got = []
  const first = await open({ store, got, status: () => 503 })
  await first.order('Lamp')
  await first.sandbox.world().clock.advance(later)
  await untilGot(got, 1)
  await expect.poll(() => attemptIn(store)).toBe(2)
  const second = await open({ store, got })
  await second.sandbox.world().clock.now()
  await settled()
  expect(got).toHaveLength(1)
  await second.sandbox.world().clock.advance(1000)
  await untilGot(got, 2)
  expect(got[1]).toEqual(got[0])
  expect((await second.sandbox.exchanges.wait({ sent: true })).sent).toMatchObject({ name: 'done', attempt: 2 })
  await expect.poll(() => lastKept(store)).toBe(0)
  await first.sandbox.world().clock.advance(later)
  await settled()
  expect(got).toHaveLength(2)
})

it('follows a frozen clock after a restart', async () => {
  const store = createFakeStore(() => calm)
  const got: Got = []
  let now = 0
  const first = await open({ store, got, now: () => now })
  await first.sandbox.world().clock.freeze()
  await first.order('Lamp')
  now = 2 * later
  const second = await open({ store, got, now: () => now })
  await second.sandbox.world().clock.now()
  await settled()
  expect(got).toEqual([])
  await second.sandbox.world().clock.advance(later)
  await untilGot(got, 1)
})

it('is there once after conflicts, and not at all after a failure', async () => {
  let commits = 0
  let isDown = false
  const store = createFakeStore((_, method) => {
    const isCommit = method === 'commit'
    return { ...calm, fault: isDown ? 'fail' : isCommit && ++commits < 4 ? 'conflict' : undefined }
  })
  const got: Got = []
  const { order, sandbox } = await open({ store, got })
  expect(await Promise.all([order('A'), order('B')])).toEqual([201, 201])
  expect(commits).toBeGreaterThanOrEqual(4)
  expect(lastKept(store)).toBe(2)
  isDown = true
  expect(await order('C')).toBe(503)
  isDown = false
  expect(lastKept(store)).toBe(2)
  await sandbox.world().clock.advance(later)
  await untilGot(got, 2)
  await settled()
  expect(got.map(({ body }) => JSON.parse(body).item).sort()).toEqual(['A', 'B'])
  expect(new Set(got.map(({ id }) => id)).size).toBe(2)
})

it.each([0, later])('is sent once by two replicas that take requests in turn, %i ms later', async (delay) => {
  const store = createFakeStore((call) => ({ before: call % 3, after: call % 2 }))
  const got: Got = []
  const replicas = [await open({ store, got, delay }), await open({ store, got, delay })]
  const items = Array.from({ length: 30 }, (_, index) => `Lamp ${index}`)
  const statuses = await Promise.all(items.map((item, index) => replicas[index % 2]?.order(item)))
  expect(new Set(statuses)).toEqual(new Set([201]))
  await replicas[0]?.sandbox.world().clock.advance(later)
  await replicas[1]?.sandbox.world().clock.advance(1)
  await untilGot(got, 30)
  await expect.poll(() => lastKept(store)).toBe(0)
  await settled()
  expect(new Set(got.map(({ body }) => JSON.parse(body).item))).toEqual(new Set(items))
  expect(got).toHaveLength(30)
  expect(new Set(got.map(({ id }) => id)).size).toBe(30)
})

it.each([0, later])('is sent by another replica if the one that has claimed it is gone, %i ms later', async (delay) => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const store = createFakeStore(() => calm)
  const got: Got = []
  const gone = await open({ store, got, delay, status: () => undefined })
  await gone.order('Lamp')
  await gone.sandbox.world().clock.advance(later)
  await untilGot(got, 1)
  const early = await open({ store, got, delay })
  await early.sandbox.world().clock.now()
  await settled()
  const { length } = store.calls
  await settled()
  expect(got).toHaveLength(1)
  expect(store.calls, 'it does not ask again and again').toHaveLength(length)
  vi.setSystemTime(Date.now() + 10_000)
  const late = await open({ store, got, delay })
  await late.order('Desk')
  await late.sandbox.world().clock.advance(later)
  await untilGot(got, 3)
  expect(got.filter(({ id }) => id === got[0]?.id)).toHaveLength(2)
  await expect.poll(() => lastKept(store)).toBe(0)
})

it('is sent again as the same delivery if its end could not be committed', async () => {
  let isDown = false
  const store = createFakeStore((_, method) => ({ ...calm, fault: isDown && method === 'commit' ? 'fail' : undefined }))
  const exclusive = { ...store, isExclusive: true }
  const got: Got = []
  const first = await open({ store: exclusive, got })
  await first.order('Lamp')
  await first.sandbox.world().clock.advance(later)
  isDown = true
  await untilGot(got, 1)
  await expect.poll(() => store.calls.filter((call) => call === 'commit fail').length).toBeGreaterThan(0)
  expect(lastKept(store)).toBe(1)
  isDown = false
  const second = await open({ store: exclusive, got })
  await second.sandbox.world().clock.now()
  await untilGot(got, 2)
  expect(got[1]).toEqual(got[0])
})

it.each<[string, (sandbox: Sandbox) => Promise<unknown>]>([
  ['reset', (sandbox) => sandbox.world().reset()],
  ['restored', async (sandbox) => sandbox.world().restore(await sandbox.world().snapshot())],
  ['replaced by a fork', (sandbox) => sandbox.world('sandbox-other').fork('sandbox')],
  ['removed', (sandbox) => sandbox.reset()],
])('is forgotten when its world is %s, also by another replica', async (_, replace) => {
  const store = createFakeStore(() => calm)
  const got: Got = []
  const one = await open({ store, got })
  const other = await open({ store, got })
  await one.order('Lamp')
  await other.sandbox.world().clock.now()
  await replace(one.sandbox)
  expect(await one.order('Desk')).toBe(201)
  await other.sandbox.world().clock.advance(later)
  await untilGot(got, 1)
  await settled()
  expect(got.map(({ body }) => JSON.parse(body).item)).toEqual(['Desk'])
})

it('is sent although its world has left memory, by the clock of the world', async () => {
  const store = createFakeStore(() => calm)
  const got: Got = []
  const { order, sandbox } = await open({ store, got, maxWorlds: 1 })
  await order('Lamp', 'sandbox-a')
  await order('Desk', 'sandbox-b')
  await sandbox.world('sandbox-a').clock.advance(later)
  await untilGot(got, 1)
  await sandbox.world('sandbox-b').clock.advance(later)
  await untilGot(got, 2)
  expect(got.map(({ body }) => JSON.parse(body).item)).toEqual(['Lamp', 'Desk'])
})

it('is sent by a timer although its world has left memory', async () => {
  const got: Got = []
  const store = createFakeStore(() => calm)
  const { order } = await open({ store, got, delay: 100, maxWorlds: 1, now: Date.now })
  await order('Lamp', 'sandbox-a')
  await order('Desk', 'sandbox-b')
  await untilGot(got, 2)
  await expect.poll(() => keptIn(store).at(-1)?.names).toEqual([])
})

it('is carried over to another version of the document', async () => {
  const store = { ...createFakeStore(() => calm), isExclusive: true }
  const got: Got = []
  const first = await open({ store, got })
  await first.order('Lamp')
  const document = { ...parts(), root: { info: { title: 'Orders', version: '2.0.0' } } }
  const second = await open({ store, got, document })
  await second.sandbox.world().clock.advance(later)
  await untilGot(got, 1)
  await expect.poll(() => lastKept(store)).toBe(0)
})

it('is kept if it follows a refusal', async () => {
  const store = createFakeStore(() => calm)
  const got: Got = []
  const rule = { on: ['createOrder', 'getOrder'], url: 'http://receiver.example/', status: '4XX', delayMs: later }
  const root = { webhooks: { refused: sending({ type: 'object' }) }, 'x-sandbox-webhooks': { refused: rule } }
  const first = await open({ store, got, document: { root } })
  const headers = { Authorization: 'Bearer sandbox', 'Content-Type': 'application/json' }
  const url = 'https://orders.example/v1/orders'
  expect((await first.sandbox.fetch(url, { method: 'POST', headers, body: '{"item":5}' })).status).toBe(400)
  expect((await first.sandbox.fetch(`${url}/1`, { headers })).status).toBe(404)
  await expect.poll(() => lastKept(store)).toBe(2)
  const second = await open({ store, got, document: { root } })
  await second.sandbox.world().clock.advance(later)
  await untilGot(got, 2)
})

it('is the same request as without a store', async () => {
  const key = 'http://receiver.example/{$response.body#/id}/{$statusCode}?of={$response.header.location}&at={$url}'
  const root = {
    webhooks: { changed: sending(orderSchema) },
    'x-sandbox-webhooks': {
      changed: { on: ['replaceOrder', 'deleteOrder'], url: 'http://receiver.example/{$response.header.etag}' },
    },
  }
  const create = { callbacks: { done: { [key]: sending(orderSchema) } } }
  const send = async (options: Pick<ReplicaOptions, 'store'>): Promise<string[]> => {
    const got: Got = []
    const { sandbox, order } = await open({ ...options, got, document: { create, root }, httpCare: true })
    const headers = { Authorization: 'Bearer sandbox', 'Content-Type': 'application/json' }
    const url = 'https://orders.example/v1/orders/1'
    for (const item of ['Lamp', 'Desk']) expect(await order(item)).toBe(201)
    await sandbox.fetch(url, { method: 'PUT', headers, body: '{"item":"Sofa"}' })
    await sandbox.fetch(url, { method: 'DELETE', headers })
    await expect.poll(async () => (await sandbox.exchanges.list({ sent: true })).length).toBe(4)
    const sent = await sandbox.exchanges.list({ sent: true })
    return sent.map(({ request, notes, sent: { url = '' } = {} }) => [url, request.body, ...notes].join(' ')).sort()
  }
  const inMemory = await send({})
  expect(inMemory).toHaveLength(4)
  expect(inMemory.join(' ')).toContain('/1/201?of=')
  expect(await send({ store: createFakeStore((call) => ({ before: call % 3, after: call % 2 })) })).toEqual(inMemory)
})

it('is claimed again for each attempt', async () => {
  const store = createFakeStore(() => calm)
  const got: Got = []
  const first = await open({ store, got, delay: 0, status: () => (got.length === 1 ? 503 : undefined) })
  const second = await open({ store, got, delay: 0 })
  await first.order('Lamp')
  await untilGot(got, 1)
  await expect.poll(() => attemptIn(store)).toBe(2)
  await first.sandbox.world().clock.advance(1000)
  await untilGot(got, 2)
  await second.sandbox.world().clock.advance(later)
  await settled()
  expect(got).toHaveLength(2)
})

it('waits if another replica has stopped the clock', async () => {
  const store = createFakeStore(() => calm)
  const got: Got = []
  let now = 0
  const options = { store, got, delay: 50, now: () => now }
  const [first, second] = [await open(options), await open(options)]
  await first.order('Lamp')
  await second.sandbox.world().clock.freeze()
  now = later
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(got).toEqual([])
  await second.sandbox.world().clock.advance(50)
  await untilGot(got, 1)
})
