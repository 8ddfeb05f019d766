/** The guesses that `run` names: which answers they decided, what settles them, and what closes them. */
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { root, run } from '../support/launch.js'
import { integer, list, named, object, oneOfTexts, text, toDocument } from '../support/sketch.js'

/** Orders, with an action of which nothing is known, a parameter without a meaning, and a value that nobody gives. */
const orders = JSON.parse(
  toDocument(
    {
      'GET /orders': { id: 'listOrders', query: ['mood'], 200: list(named('Order')) },
      'POST /orders': { id: 'addOrder', body: object({ 'customer!': text }), 201: named('Order') },
      'GET /orders/{orderId}': { id: 'getOrder', 200: named('Order'), 404: object({ message: text }) },
      'PATCH /orders/{orderId}': { id: 'changeOrder', body: object({ customer: text }), 200: named('Order') },
      'DELETE /orders/{orderId}': { id: 'removeOrder', 204: null, 404: null },
      'POST /orders/{orderId}/sparkle': { id: 'sparkle', 200: named('Order') },
    },
    {
      Order: object({
        'id!': integer,
        'customer!': text,
        'risk!': { type: 'integer', minimum: 3 },
        state: oneOfTexts('new', 'done'),
      }),
    },
  ),
)

const script = `
const base = process.env.SANDBOX_URL
for (const [method, path, body] of JSON.parse(process.argv[2]))
  await fetch(base + path, { method, headers: { 'Content-Type': 'application/json' }, ...(body && { body: JSON.stringify(body) }) })
`

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guesses-'))
  await writeFile(join(folder, 'orders.json'), JSON.stringify(orders))
  await writeFile(join(folder, 'script.mjs'), script)
})
afterAll(() => rm(folder, { recursive: true }))

type Request = [method: string, path: string, body?: object]
interface Named {
  kind: string
  about: string[]
  count: number
  sources?: unknown[]
  confirm: object
}

async function runWith(requests: Request[], options: string[] = [], file = 'orders.json') {
  const document = join(folder, file)
  const command = [process.execPath, join(folder, 'script.mjs'), JSON.stringify(requests)]
  const ended = await run(['run', document, '--report', 'json', ...options, '--', ...command])
  const { guesses = [], failures = [] } = JSON.parse(ended.stdout) as { guesses?: Named[]; failures?: object[] }
  return { ...ended, guesses, failures }
}

const cases: [title: string, requests: Request[], kinds: string[]][] = [
  [
    'reads and what was sent',
    [
      ['GET', '/orders'],
      ['GET', '/orders/1'],
      ['PATCH', '/orders/1', { customer: 'Ada' }],
      ['DELETE', '/orders/1'],
    ],
    [],
  ],
  ['a parameter without a meaning', [['GET', '/orders?mood=x']], ['parameter mood']],
  ['an action of which nothing is known', [['POST', '/orders/2/sparkle']], ['changes']],
  ['a made value', [['POST', '/orders', { customer: 'Ada' }]], ['first risk']],
  ['a refusal, whose body the document has', [['GET', '/orders/999']], []],
]

it.each(cases)('names what decided %s', async (_, requests, kinds) => {
  const { guesses } = await runWith(requests)
  expect(guesses.map(({ kind, about }) => [kind, ...about].join(' '))).toEqual(kinds)
})

it('names what only the service writes where it is empty, and not what callers may send', async () => {
  const usual = structuredClone(orders)
  delete usual['x-sandbox-service']
  Object.assign(usual.components.schemas.Order.properties, { note: text })
  const body = usual.paths['/orders'].post.requestBody.content['application/json'].schema
  const aboutOf = async (sent: object) => {
    await writeFile(join(folder, 'usual.json'), JSON.stringify(usual))
    return (await runWith([['POST', '/orders', sent]], [], 'usual.json')).guesses.flatMap(({ about }) => about)
  }
  expect(await aboutOf({ customer: 'Ada' })).toEqual(['risk', 'note'])
  Object.assign(body.properties, { note: text })
  expect(await aboutOf({ customer: 'Ada' })).toEqual(['risk'])
})

/** Shops without records, with what is below them, and a code that only the service knows. */
const shops = JSON.parse(
  toDocument(
    {
      'GET /shops': { id: 'listShops', 200: list(named('Shop')) },
      'POST /shops': { id: 'addShop', body: object({ 'name!': text }), 201: named('Shop') },
      'GET /shops/{shopId}': { id: 'getShop', 200: named('Shop'), 404: object({ 'code!': text, 'message!': text }) },
      'DELETE /shops/{shopId}': { id: 'removeShop', 204: null },
      'POST /shops/{shopId}/visits': { id: 'addVisit', body: object({ 'day!': text }), 201: named('Visit') },
      'GET /shops/{shopId}/visits': { id: 'listVisits', 200: list(named('Visit')) },
      'GET /shops/{shopId}/hints': { id: 'listHints', 200: list(named('Hint')) },
    },
    {
      Shop: object({ 'id!': text, 'name!': text }),
      Visit: object({ 'id!': text, 'day!': text }),
      Hint: object({ 'id!': text, 'title!': text }),
    },
  ),
)
const add: Request = ['POST', '/shops', { name: 'Quay' }]

it.each<[title: string, requests: Request[], named: string[]]>([
  ['a refusal of what never succeeded', [['POST', '/shops', {}]], ['errors', 'request name of POST /shops']],
  ['only the code for a refusal of what succeeded before', [add, ['POST', '/shops', {}]], ['errors']],
  ['a path that the document does not have', [['GET', '/stores']], ['request GET of a path']],
  ['a key that an answer showed', [add, ['GET', '/shops/Quay']], ['errors', 'key GET /shops/{shopId}']],
  ['only the code for a key that nothing showed', [add, ['GET', '/shops/None']], ['errors']],
  ['only the code for a record that was removed', [add, ['DELETE', '/shops/1'], ['GET', '/shops/1']], ['errors']],
  [
    'a write below a record that it left as it was',
    [add, ['POST', '/shops/1/visits', { day: 'Monday' }], ['GET', '/shops/1/visits'], ['GET', '/shops/1']],
    ['related POST /shops/{shopId}/visits'],
  ],
  ['no write after which nobody reads the record', [add, ['POST', '/shops/1/visits', { day: 'Monday' }]], []],
  [
    'a read of what no request wrote, below a record that one added',
    [add, ['GET', '/shops/1/hints']],
    ['collection GET /shops/{shopId}/hints'],
  ],
])('names %s', async (_, requests, kinds) => {
  await writeFile(join(folder, 'shops.json'), JSON.stringify(shops))
  const { guesses } = await runWith(requests, ['--records', '0'], 'shops.json')
  const found = guesses.filter(({ kind }) => kind !== 'effect' && kind !== 'first')
  expect(found.map(({ kind, about }) => [kind, ...about].join(' ')).sort()).toEqual(kinds)
})

it('sorts by how often they are right, has a gate, and an overlay that closes them', async () => {
  const requests = cases.flatMap(([, all]) => all)
  const { guesses, failures, code } = await runWith(requests, ['--max-open', '2'])
  expect(guesses.map(({ kind }) => kind).sort()).toEqual(['changes', 'first', 'parameter'])
  expect(guesses.at(-1)?.kind).toBe('first')
  expect([code, failures]).toMatchObject([1, [{ message: '3 guesses decided answers, and --max-open allows 2' }]])

  const overlay = join(folder, 'confirm.json')
  const actions = guesses.map(({ confirm }) => confirm)
  await writeFile(overlay, JSON.stringify({ overlay: '1.0.0', info: { title: 'Known', version: '1' }, actions }))
  const confirmed = await runWith(requests, ['--max-open', '0', '--overlay', overlay])
  expect([confirmed.code, confirmed.guesses]).toEqual([0, []])
})

it('prints each with its reason and the line that settles it, and lists them all on request', async () => {
  const document = join(folder, 'orders.json')
  const command = [process.execPath, join(folder, 'script.mjs'), '[["POST","/orders/1/sparkle"]]']
  const { stdout } = await run(['run', document, '--', ...command])
  expect(stdout).toContain('1 guess decided answers that your tests read')
  expect(stdout).toContain('guess POST /orders/{orderId}/sparkle changes nothing\n  why: nothing says what it does\n')
  expect(stdout).toContain(`settle: {"target":"$.paths['/orders/{orderId}/sparkle'].post"`)
  const explained = await run(['explain', document, '--open'])
  expect(explained.stdout).toContain('3 open facts')
  expect(explained.stdout).toContain('"mood" of GET /orders has no effect')
})

it('is printed for a test of Vitest that fails, and for no other', async () => {
  const own = await mkdtemp(join(root, '.reports-guesses-'))
  try {
    const code = `
import { compileDocument, createSandbox } from 'petstore-sandbox'
import { createTest } from 'petstore-sandbox/vitest'
import { expect } from 'vitest'
const { contract } = await compileDocument(${JSON.stringify(JSON.stringify(orders))})
const sandbox = createSandbox({ contract, scenario: { orders: [{ id: 1, customer: 'Ada', risk: 4 }] } })
const test = createTest({ sandbox })
const post = (headers, path) => sandbox.fetch('https://api.example' + path, { method: 'POST', headers: { ...headers, 'Sandbox-World': headers.Authorization.slice(7) } })
test('fails', async ({ headers }) => expect((await post(headers, '/orders/1/sparkle')).status).toBe(500))
test('passes', async ({ headers }) => expect((await post(headers, '/orders/1/sparkle')).status).toBe(200))
`
    await writeFile(join(own, 'a.test.mjs'), code)
    await writeFile(join(own, 'vitest.config.mjs'), 'export default { root: import.meta.dirname }\n')
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const { stdout } = spawnSync(process.execPath, [vitest, 'run', '--config', join(own, 'vitest.config.mjs')], {
      cwd: own,
      encoding: 'utf8',
    })
    expect(stdout).toContain('1 failed')
    expect(stdout.match(/The sandbox guessed what decided answers of this test:/g)).toHaveLength(1)
    expect(stdout).toContain('POST /orders/{orderId}/sparkle changes nothing')
  } finally {
    await rm(own, { recursive: true })
  }
})
