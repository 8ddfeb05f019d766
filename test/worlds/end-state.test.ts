/** The verdict on the end state: scripts of consumers, right ones and some with one mistake, and the request that made it. */
import { type Contract, createSandbox, type Sandbox } from 'petstore-sandbox'
import { startServer } from 'petstore-sandbox/node'
import { type EndState, expectEndState } from 'petstore-sandbox/testing'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { compileOnce } from '../support/compile-once.js'
import { integer, list, named, object, oneOfTexts, text, time, toDocument } from '../support/sketch.js'

type Step = readonly [request: string, body?: object]

const state = oneOfTexts('open', 'returned', 'lost')
const loan = object({ 'id!': integer, 'book!': text, state, note: text, updatedAt: time })
const visit = object({ 'id!': integer, 'door!': text })
const library = toDocument(
  {
    'GET /loans': { id: 'listLoans', 200: list(named('Loan')) },
    'POST /loans': { id: 'createLoan', body: object({ 'book!': text, state, note: text }), 201: named('Loan') },
    'GET /loans/{loanId}': { id: 'getLoan', 200: named('Loan'), 404: null },
    'PATCH /loans/{loanId}': { id: 'changeLoan', body: object({ state, note: text }), 200: named('Loan'), 404: null },
    'DELETE /loans/{loanId}': { id: 'deleteLoan', 204: null, 404: null },
    'GET /visits': { 200: list(named('Visit')) },
    'POST /visits': { id: 'visit', body: object({ 'door!': text }), 201: named('Visit') },
  },
  { Loan: loan, Visit: visit },
)

const order = object({ 'id!': integer, 'customer!': text, status: oneOfTexts('new', 'paid', 'cancelled') })
const item = object({ 'id!': integer, 'sku!': text, 'amount!': integer })
const shop = toDocument(
  {
    'GET /orders': { 200: list(named('Order')) },
    'POST /orders': { id: 'placeOrder', body: object({ 'customer!': text }), 201: named('Order') },
    'GET /orders/{orderId}': { 200: named('Order'), 404: null },
    'DELETE /orders/{orderId}': { id: 'removeOrder', 204: null, 404: null },
    'POST /orders/{orderId}/pay': { id: 'payOrder', 200: named('Order'), 404: null },
    'POST /orders/{orderId}/cancel': { id: 'cancelOrder', 200: named('Order'), 404: null },
    'GET /orders/{orderId}/items': { 200: list(named('Item')), 404: null },
    'POST /orders/{orderId}/items': {
      id: 'addItem',
      body: object({ 'sku!': text, 'amount!': integer }),
      201: named('Item'),
    },
    'PUT /orders/{orderId}/items/{itemId}': { body: object({ 'sku!': text, 'amount!': integer }), 200: named('Item') },
    'DELETE /orders/{orderId}/items/{itemId}': { id: 'removeItem', 204: null, 404: null },
  },
  { Order: order, Item: item },
)

const note = object({ 'slugName!': text, 'title!': text, author: object({ name: text }) })
const notes = toDocument(
  {
    'GET /notes': { 200: object({ data: list(named('Note')) }) },
    'GET /notes/{slugName}': { 200: named('Note'), 404: null },
    'PUT /notes/{slugName}': { id: 'putNote', body: named('Note'), 200: named('Note'), 201: named('Note') },
    'DELETE /notes/{slugName}': { id: 'dropNote', 204: null, 404: null },
  },
  { Note: note },
)

const documents = { library, shop, notes, petstore: undefined }
const contracts: Record<string, Contract | undefined> = {}
beforeAll(async () => {
  for (const [name, document] of Object.entries(documents))
    contracts[name] = document === undefined ? undefined : (await compileOnce(document)).contract
})

/** What is there before: the first keys are 1, 2, and so on. */
const before: Record<string, Step[]> = {
  library: [
    ['POST /loans', { book: 'A', state: 'open' }],
    ['POST /loans', { book: 'B', state: 'open' }],
  ],
  shop: [
    ['POST /orders', { customer: 'Ada' }],
    ['POST /orders', { customer: 'Bob' }],
    ['POST /orders/1/items', { sku: 'pen', amount: 2 }],
    ['POST /orders/2/items', { sku: 'pen', amount: 3 }],
  ],
  notes: [['PUT /notes/first', { slugName: 'first', title: 'First' }]],
  petstore: [],
}

/** The task of a document, and what must be true after it. */
const tasks: Record<string, EndState[]> = {
  library: [
    { records: { '/loans': [{ where: { id: '1' }, has: { state: 'returned' } }] }, calls: { createLoan: { max: 0 } } },
    {
      records: {
        '/loans': [
          { where: { book: 'C' }, count: 1 },
          { where: { book: 'B' }, absent: true },
        ],
      },
    },
    {
      records: { loans: [{ where: { book: 'C' }, has: { state: 'open', note: null }, count: 1 }] },
      allow: ['/visits'],
    },
  ],
  shop: [
    {
      records: { '/orders': [{ where: { id: 1 }, has: { status: 'paid' } }] },
      calls: { 'POST /orders/{orderId}/pay': { min: 1, max: 1 } },
    },
    { records: { items: [{ where: { orderId: '1', sku: 'ink' }, has: { amount: 1 }, count: 1 }] } },
    { records: { '/orders': [{ where: { customer: 'Cleo' }, count: 1 }] }, calls: { removeOrder: { max: 0 } } },
  ],
  notes: [
    { records: { '/notes': [{ where: { slugName: 'first' }, has: { '/author/name': 'Ada' } }] } },
    { records: { '/notes': [{ where: { slugName: 'first' }, absent: true }, { where: { slugName: 'second' } }] } },
  ],
  petstore: [
    {
      records: { '/pets': [{ where: { name: 'Rexington' }, has: { categoryId: 1 }, count: 1 }] },
      calls: { 'POST /pets': { min: 1, max: 1, status: '2XX' } },
    },
    { calls: { listPets: { min: 1 }, createPet: { max: 0 } } },
  ],
}

const close = 'PATCH /loans/1'
/** A right script and one with a mistake for each case: the rule that finds it, and the request that is named. */
const cases: [document: string, task: number, right: Step[], mistaken: Step[], rule: string, named: string][] = [
  [
    'library',
    0,
    [[close, { state: 'returned' }]],
    [['PATCH /loans/2', { state: 'returned' }]],
    'collateral-change',
    'loans/2',
  ],
  [
    'library',
    0,
    [
      ['PATCH /loans/2', { state: 'lost' }],
      ['PATCH /loans/2', { state: 'open' }],
      [close, { state: 'returned' }],
    ],
    [
      [close, { state: 'returned' }],
      [close, { state: 'lost' }],
    ],
    'end-state',
    'lost',
  ],
  [
    'library',
    0,
    [['GET /loans'], [close, { state: 'returned' }]],
    [['DELETE /loans/1'], ['POST /loans', { book: 'A', state: 'returned' }]],
    'end-state',
    'DELETE',
  ],
  [
    'library',
    1,
    [['POST /loans', { book: 'C' }], ['DELETE /loans/2']],
    [['POST /loans', { book: 'C' }], ['POST /loans', { book: 'C' }], ['DELETE /loans/2']],
    'end-state',
    '"book":"C"',
  ],
  [
    'library',
    1,
    [['DELETE /loans/2'], ['POST /loans', { book: 'C' }]],
    [
      ['POST /loans', { book: 'C' }],
      ['PATCH /loans/2', { state: 'lost' }],
    ],
    'end-state',
    'loans/2',
  ],
  [
    'library',
    2,
    [
      ['POST /visits', { door: 'n' }],
      ['POST /loans', { book: 'C', state: 'open' }],
    ],
    [['POST /loans', { book: 'C', state: 'open' }], ['DELETE /loans/1']],
    'collateral-change',
    'loans/1',
  ],
  [
    'library',
    2,
    [['POST /loans', { book: 'C', state: 'open' }]],
    [['POST /loans', { book: 'C', state: 'open', note: 'n' }]],
    'end-state',
    '"note":"n"',
  ],
  ['shop', 0, [['POST /orders/1/pay']], [['POST /orders/1/pay'], ['POST /orders/1/pay']], 'call-count', 'orders/1/pay'],
  [
    'shop',
    0,
    [['GET /orders/1'], ['POST /orders/1/pay']],
    [['POST /orders/1/pay'], ['POST /orders/2/cancel']],
    'collateral-change',
    'orders/2/cancel',
  ],
  [
    'shop',
    0,
    [['POST /orders/1/cancel'], ['POST /orders/1/pay']],
    [['POST /orders/1/pay'], ['POST /orders/1/cancel']],
    'end-state',
    'orders/1/cancel',
  ],
  [
    'shop',
    1,
    [['POST /orders/1/items', { sku: 'ink', amount: 1 }]],
    [['POST /orders/2/items', { sku: 'ink', amount: 1 }]],
    'collateral-change',
    'orders/2/items',
  ],
  [
    'shop',
    1,
    [['POST /orders/1/items', { sku: 'ink', amount: 1 }], ['GET /orders/1/items']],
    [['POST /orders/1/items', { sku: 'ink', amount: 1 }], ['DELETE /orders/1/items/1']],
    'collateral-change',
    'DELETE|items/1',
  ],
  [
    'shop',
    1,
    [
      ['POST /orders/1/items', { sku: 'ink', amount: 2 }],
      ['PUT /orders/1/items/3', { sku: 'ink', amount: 1 }],
    ],
    [
      ['POST /orders/1/items', { sku: 'ink', amount: 1 }],
      ['PUT /orders/1/items/3', { sku: 'ink', amount: 2 }],
    ],
    'end-state',
    'PUT',
  ],
  [
    'shop',
    2,
    [['POST /orders', { customer: 'Cleo' }]],
    [['POST /orders', { customer: 'Cleo' }], ['POST /orders', { customer: 'Cleo' }], ['DELETE /orders/3']],
    'call-count',
    'DELETE|orders/3',
  ],
  [
    'shop',
    2,
    [['POST /orders', { customer: 'Cleo' }], ['GET /orders']],
    [['POST /orders', { customer: 'Cleopatra' }]],
    'collateral-change',
    'Cleopatra',
  ],
  [
    'notes',
    0,
    [['PUT /notes/first', { slugName: 'first', title: 'First', author: { name: 'Ada' } }]],
    [['PUT /notes/first', { slugName: 'first', title: 'First', author: { name: 'Bob' } }]],
    'end-state',
    'Bob',
  ],
  [
    'notes',
    1,
    [['DELETE /notes/first'], ['PUT /notes/second', { slugName: 'second', title: 'S' }]],
    [
      ['PUT /notes/second', { slugName: 'second', title: 'S' }],
      ['PUT /notes/first', { slugName: 'first', title: 'F' }],
    ],
    'end-state',
    'notes/first',
  ],
  [
    'petstore',
    0,
    [['POST /pets', { name: 'Rexington', categoryId: 1 }]],
    [['POST /pets', { name: 'Rexington', categoryId: 2 }]],
    'end-state',
    '"categoryId":2',
  ],
  [
    'petstore',
    0,
    [['GET /pets/1'], ['POST /pets', { name: 'Rexington', categoryId: 1 }]],
    [
      ['POST /pets', { name: 'Rexington', categoryId: 1 }],
      ['POST /pets', { name: 'Max', categoryId: 1 }],
    ],
    'collateral-change',
    'Max',
  ],
  ['petstore', 1, [['GET /pets']], [['GET /pets'], ['POST /pets', { name: '' }]], 'call-count', '/pets'],
]

async function send(sandbox: Sandbox, steps: readonly Step[]): Promise<number[]> {
  const base = sandbox.contract.servers[0]?.url ?? ''
  const statuses: number[] = []
  for (const [request, body] of steps) {
    const [method = '', path = ''] = request.split(' ')
    const headers = { Authorization: `Bearer ${sandbox.defaultKey}`, 'Content-Type': 'application/json' }
    const answer = await sandbox.fetch(base + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    statuses.push(answer.status)
  }
  return statuses
}

async function open(name: string) {
  const contract = contracts[name]
  const sandbox = createSandbox(contract ? { contract } : {}) as Sandbox
  await send(sandbox, before[name] ?? [])
  sandbox.journal.clear()
  return { sandbox, since: await sandbox.world().snapshot() }
}

describe.each(cases.map((each, index) => [index, ...each] as const))(
  'consumer %i of %s',
  (_, name, task, right, mistaken, rule, request) => {
    const expected = tasks[name]?.[task] as EndState

    it('passes if the end is right', async () => {
      const { sandbox, since } = await open(name)
      expect((await send(sandbox, right)).every((status) => status < 300)).toBe(true)
      await expectEndState(sandbox, expected, { since })
    })

    it(`finds a mistake: ${rule}`, async () => {
      const { sandbox, since } = await open(name)
      await send(sandbox, mistaken)
      const error = await expectEndState(sandbox, expected, { since }).catch((reason: Error) => reason.message)
      const parts = String(error).split(/^(?=error )/m)
      const found = parts.find((part) => part.startsWith(`error ${rule}`)) ?? String(error)
      const [line = ''] = /^ {2}\$ .*$/m.exec(found) ?? []
      for (const each of request.split('|')) expect(line, String(error)).toContain(each)
    })
  },
)

it('fails although every answer is a success', async () => {
  const successes = await Promise.all(
    cases.map(async ([name, , , mistaken]) => {
      const { sandbox } = await open(name)
      return (await send(sandbox, mistaken)).every((status) => status < 300)
    }),
  )
  expect(successes.filter(Boolean).length).toBeGreaterThanOrEqual(10)
})

it('lists what has changed since a snapshot, and nothing that was changed back', async () => {
  const { sandbox, since } = await open('library')
  await send(sandbox, [
    ['PATCH /loans/2', { state: 'lost' }],
    ['PATCH /loans/2', { state: 'open' }],
    ['PATCH /loans/1', { state: 'lost' }],
    ['POST /visits', { door: 'n' }],
  ])
  const changes = await sandbox.world().changes(since)
  const changed = changes.filter(
    ({ kind, before, after }) => kind !== 'changed' || before?.['state'] !== after?.['state'],
  )
  expect(changed.map(({ kind, collection }) => [kind, collection])).toEqual([
    ['changed', 'loans'],
    ['added', 'visits'],
  ])
  await expect(sandbox.world().changes({ collections: 1 } as never)).rejects.toThrow('Failed to restore')
})

it.each<[string, unknown, string]>([
  ['a collection', { records: { '/lones': [] } }, 'The document has no collection "/lones"; the closest is "/loans"'],
  ['a property', { records: { loans: [{ where: { bok: 1 } }] } }, 'no property of loans "bok"; the closest is "book"'],
  ['an operation', { calls: { 'POST /loan': {} } }, 'no operation "POST /loan"; the closest is "POST /loans"'],
  ['an allowed collection', { allow: ['visit'] }, 'no collection "visit"; the closest is "visits"'],
  ['a member', { record: {} }, '"record" is unknown; the closest is "records"'],
  [
    'another type',
    { calls: { visit: { max: '2' } } },
    'calls "visit" "max" must be a whole number, 0 or more (got "2")',
  ],
  ['a status', { calls: { visit: { status: '2XY' } } }, 'must be a status such as 201, or a class'],
  ['a list', { records: { loans: {} } }, 'records "loans" must be a list'],
  ['a null', { records: { loans: [null] } }, 'records "loans" 0 must be an object (got null)'],
  ['both', { records: { loans: [{ absent: true, count: 0 }] } }, 'beside "absent"'],
  ['min and max', { calls: { visit: { min: 2, max: 1 } } }, '"min" above its "max"'],
  ['nothing', undefined, 'it must be an object'],
])('refuses an expectation with a wrong name or form: %s', async (_, expected, message) => {
  const { sandbox } = await open('library')
  const judged = expectEndState(sandbox, expected as EndState)
  await expect(judged).rejects.toMatchObject({ code: 'INVALID_OPTION', message: expect.stringContaining(message) })
})

it('hides secrets at any depth, and compares values that are written alike in any order', async () => {
  const account = object({
    'id!': integer,
    'open!': { type: 'boolean' },
    name: text,
    access: object({ password: text }),
  })
  const text2 = toDocument({
    'GET /accounts': { 200: list(account) },
    'POST /accounts': { body: account, 201: account },
  })
  const { contract } = await compileOnce(text2)
  const sandbox = createSandbox({
    contract,
    scenario: { accounts: [{ id: 1, open: true, name: 'Ada', access: { password: 'old-Secret1' } }] },
  })
  for (const where of [
    { open: 'true', name: 'Ada' },
    { name: 'Ada', open: 'true' },
  ])
    await expectEndState(sandbox, { records: { accounts: [{ where, count: 1 }] } })
  await sandbox
    .world()
    .collection('accounts')
    .replace(1, { open: true, name: 'Ada', access: { password: 'new-Secret2' } })
  const expected: EndState = { records: { accounts: [{ where: { name: 'Eve', access: { password: 'Secret3' } } }] } }
  const error = await expectEndState(sandbox, expected).catch((reason: Error) => reason.message)
  expect(error).toContain('collateral-change')
  expect(error).not.toMatch(/Secret\d/)
})

it('keeps the servers of a document apart', async () => {
  const sandbox = createSandbox()
  const headers = { Authorization: 'Bearer sandbox', 'Content-Type': 'application/json' }
  const [, staging] = sandbox.contract.servers
  const body = JSON.stringify({ name: 'Juno', categoryId: 1 })
  await sandbox.fetch(`${staging?.url}/pets`, { method: 'POST', headers, body })
  const judged = expectEndState(sandbox, { records: { pets: [{ where: { name: 'Juno' }, absent: true }] } })
  await expect(judged).rejects.toThrow(/collateral-change(?=[\s\S]*staging)/)
})

it('judges over the control API, with a snapshot, and hides credentials', async () => {
  const server = await startServer({ port: 0 })
  onTestFinished(() => server.close())
  const control = async (path: string, method: string, body: object) => {
    const headers = { 'Content-Type': 'application/json' }
    const answer = await fetch(`${server.url}/_sandbox${path}`, { method, headers, body: JSON.stringify(body) })
    return [answer.status, await answer.json()] as const
  }
  const add = (name: string) =>
    fetch(`${server.url}/v1/pets`, {
      method: 'POST',
      headers: { Authorization: 'Bearer sandbox-e', 'Content-Type': 'application/json' },
      body: JSON.stringify({ name, categoryId: 1 }),
    })
  await add('Rexington')
  await control('/snapshots/before', 'PUT', { world: 'sandbox-e' })
  expect(await control('/worlds/sandbox-e/verdict?snapshot=before', 'POST', {})).toEqual([
    200,
    { passed: true, findings: [] },
  ])
  const [status, verdict] = await control('/worlds/sandbox-e/verdict', 'POST', {
    records: { pets: [{ where: { name: 'Nobody' } }] },
  })
  expect([status, verdict]).toMatchObject([
    200,
    { passed: false, findings: [{ rule: 'end-state' }, { rule: 'collateral-change', method: 'POST', path: '/pets' }] },
  ])
  expect(JSON.stringify(verdict)).not.toContain('sandbox-e')
  expect((await control('/worlds/sandbox-e/verdict', 'POST', { records: { dogs: [] } }))[0]).toBe(400)
  expect((await control('/worlds/0123456789abcdef/verdict', 'POST', {}))[0]).toBe(404)
  expect((await control('/worlds/sandbox-e/verdict?snapshot=none', 'POST', {}))[0]).toBe(404)
})
