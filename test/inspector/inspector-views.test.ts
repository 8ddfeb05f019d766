/** Records, worlds, the clock, faults and outgoing calls in the inspector: how somebody finds, compares, travels and undoes. */
import { type Browser, chromium, type Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBrowser } from '../support/find-browser.js'
import { foreignDocuments } from '../support/foreign-documents.js'
import { findFaults } from '../support/inspector-faults.js'
import { type Opened, openInspector } from '../support/inspector-page.js'
import { named, object, oneOfTexts, text, toDocument } from '../support/sketch.js'
import { hookDocument, orderSchema, sending } from '../support/webhook-document.js'

let browser: Browser
beforeAll(async () => {
  browser = await chromium.launch((await findBrowser()).launchOptions)
})
afterAll(() => browser.close())

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name, exact: typeof name === 'string' })
const undo = async ({ page }: Opened) => {
  await button(page, 'Undo').click()
  await page.getByText('Undone', { exact: true }).waitFor()
}
const headings = (page: Page) => page.getByRole('columnheader').allInnerTexts()
/** The texts of a column of the table, the first one is 1. */
const column = (page: Page, at: number) => page.locator(`.records tbody td:nth-child(${at})`).allInnerTexts()

const ana = { id: '11111111-1111-4111-8111-111111111111', email: 'ana@example.com' }
const bo = { id: '22222222-2222-4222-8222-222222222222', email: 'bo@example.com' }
const shop = {
  document: foreignDocuments.shop,
  scenario: {
    customers: [ana, bo],
    orders: [
      { id: 1, customerId: ana.id, state: 'open', total: 9 },
      { id: 2, customerId: ana.id, state: 'paid', total: 100 },
      { id: 3, customerId: bo.id, state: 'sent', total: 20 },
    ],
  },
}

/** Records with more properties than a table shows, of which few distinguish them. */
const wide = {
  document: toDocument(
    {
      'GET /parts': { 200: { type: 'array', items: named('Part') } },
      'POST /parts': { body: named('Part'), 201: named('Part') },
      'GET /parts/{partId}': { 200: named('Part') },
    },
    {
      Part: object({
        'id!': text,
        ...{ object: text, livemode: { type: 'boolean' }, address: object({ city: text }) },
        ...{ a: text, b: text, c: text, d: text, e: text, note: text },
        created: { type: 'integer' },
        phase: oneOfTexts('new', 'old'),
        display_name: text,
      }),
    },
  ),
  scenario: {
    parts: Array.from({ length: 12 }, (_, at) => ({
      ...{ id: `part_${String(at).padStart(20, '0')}`, object: 'part', livemode: false, address: { city: `C${at}` } },
      ...{ a: 'x', b: 'x', c: 'x', d: 'x', e: 'x', note: `${at} `.repeat(60), created: 1_700_000_000 + at },
      ...{ phase: at % 2 ? 'new' : 'old', display_name: `Gear ${at}` },
    })),
  },
}

/** Records of two variants, with more properties than a table shows. */
const variants = {
  document: toDocument(
    {
      'GET /parts': { 200: { type: 'array', items: named('Part') } },
      'POST /parts': { body: named('Part'), 201: named('Part') },
      'GET /parts/{partId}': { 200: named('Part') },
    },
    {
      Part: {
        oneOf: ['new', 'old'].map((phase) =>
          object({
            'id!': text,
            'phase!': { const: phase },
            a: text,
            b: text,
            c: text,
            d: text,
            e: text,
            f: text,
            g: text,
          }),
        ),
      },
    },
  ),
  scenario: {
    parts: Array.from({ length: 4 }, (_, at) => ({
      ...{ id: `part_${at}`, phase: at % 2 ? 'new' : 'old', count: at },
      ...Object.fromEntries([...'abcdefg'].map((name) => [name, name < 'e' ? `${name}${at}` : 'x'])),
    })),
  },
}

describe('records', () => {
  it('have the columns that distinguish them, short ids to copy, and readable times', async () => {
    const { page, go } = await openInspector(browser, wide)
    await go('data/parts')
    await page.getByRole('cell', { name: 'Gear 11', exact: true }).waitFor()
    const names = await headings(page)
    expect(names.slice(0, 4)).toEqual(['idkey', 'display_name', 'phase', 'created'])
    expect(names).not.toContain('object')
    expect(names).not.toContain('address')
    expect((await column(page, 4))[0]).toBe('2023-11-14 22:13')
    await page.getByText('part_00…00011', { exact: true }).hover()
    await button(page, 'Copy part_00000000000000000011').click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('part_00000000000000000011')
    expect(await page.evaluate(() => location.hash)).toBe('#/data/parts')
  })

  it('have room for their names beside long ids', async () => {
    const parts = ['a', 'b'].map((each) => ({
      ...{ id: each.repeat(8).concat('-1111-4111-8111-111111111111'), phase: 'new', created: 1_700_000_000 },
      display_name: `A gear with a name of more than eighty letters, which needs most of the width (${each})`,
    }))
    const { page, go } = await openInspector(browser, { ...wide, scenario: { parts } })
    await go('data/parts')
    const cell = page.getByRole('cell', { name: /^A gear/ }).first()
    await cell.waitFor()
    expect(await cell.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0)
  })

  it.each([
    [{ title: 'Dr.', first_name: 'Ada', last_name: 'Lovelace', updated_at: '2026-01-02T00:00:00Z' }, 'Ada Lovelace'],
    [{ title: 'Engineer', full_name: 'Ada Lovelace' }, 'Ada Lovelace'],
    [{ title: 'Emma', author_name: 'Jane Austen' }, 'Emma'],
    [
      {
        updated_at: '2026-03-04T05:06:07Z',
        starts_at: '2026-01-02T03:04:05Z',
        ends_at: '2026-01-02T04:04:05Z',
        status: 'open',
      },
      'open · 2026-01-02 03:04',
    ],
  ])('with %j are called %s', async (values, name) => {
    const { page, go } = await openInspector(browser, { ...wide, scenario: { parts: [{ id: 'p1', ...values }] } })
    await go('data/parts/record/p1')
    await page.getByRole('complementary').getByText(`id p1 · ${name}`, { exact: true }).waitFor()
  })

  it('are sorted by a column in both orders, in chosen columns, which another collection does not change', async () => {
    const { page, go } = await openInspector(browser, shop)
    await go('data/orders')
    await page.getByRole('cell', { name: 'paid' }).waitFor()
    const total = 1 + (await headings(page)).indexOf('total')
    await button(page, /^total/).click()
    await expect.poll(() => column(page, total)).toEqual(['9', '20', '100'])
    await button(page, /^total/).click()
    await expect.poll(() => column(page, total)).toEqual(['100', '20', '9'])
    await page.getByText(/^Columns/).click()
    await page.getByLabel('state').uncheck()
    await page.keyboard.press('Escape')
    await link(page, /^customers/).click()
    await page.getByRole('cell', { name: ana.email, exact: true }).waitFor()
    await link(page, /^orders/).click()
    await expect.poll(async () => (await headings(page)).length).toBe(3)
    expect(await page.getByRole('columnheader', { name: /^total/ }).getAttribute('aria-sort')).toBe('descending')
    await button(page, /^total/).click()
    await expect.poll(() => column(page, total - 1)).toEqual(['20', '100', '9'])
  })

  it('are found by a part of a name while it is typed', async () => {
    const pets = ['Rex', 'Captain', 'Ida'].map((name, at) => ({ id: at + 1, name, categoryId: 1 }))
    const { page, go } = await openInspector(browser, { scenario: { pets } })
    await go('data')
    await page.getByLabel('Find records').fill('capt')
    await page.getByText('1 record', { exact: true }).waitFor()
    await page.getByRole('cell', { name: 'Captain', exact: true }).waitFor()
    await page.getByLabel('Find records').fill('no such name')
    await page.getByRole('heading', { name: /^No record of \w+ has “no such name”$/ }).waitFor()
    await link(page, 'Show all records').click()
    await page.getByText('3 records').waitFor()
    await expect.poll(() => page.getByLabel('Find records').inputValue()).toBe('')
  })

  it('of other collections are found where this one has none', async () => {
    const { page, go } = await openInspector(browser, shop)
    await go('data/orders')
    await page.getByLabel('Find records').fill('ana@example')
    await link(page, '1 record in customers').click()
    await page.getByRole('cell', { name: 'ana@example.com', exact: true }).waitFor()
    await page.getByLabel('Find records').fill('no such text')
    await page.getByText('No record of any collection has it').waitFor()
  })

  it('have their variant among the first columns, and amounts at the right', async () => {
    const { page, go } = await openInspector(browser, variants)
    await go('data/parts')
    await page.getByRole('columnheader', { name: 'phase' }).waitFor()
    expect((await headings(page)).slice(0, 2)).toEqual([expect.stringMatching(/^id/), 'phase'])
    const sides = (name: string) =>
      page.getByRole('columnheader', { name }).evaluate((each) => getComputedStyle(each).textAlign)
    expect([await sides('count'), await sides('phase')]).toEqual(['right', 'left'])
  })

  it('lead to what they refer to, and to what refers to them', async () => {
    const { page, go } = await openInspector(browser, shop)
    await go(`data/customers/record/${ana.id}`)
    await button(page, 'Related').click()
    const pane = page.getByRole('complementary')
    await pane.getByText('2 by customerId').waitFor()
    await pane.getByRole('link', { name: 'orders' }).click()
    await page.getByText(`Only those with customerId = ${ana.id}`).waitFor()
    await page.getByText('2 records').waitFor()
    await go('data/orders/record/3')
    await button(page, 'Related').click()
    await pane.getByText(bo.email).waitFor()
    await pane.getByRole('link', { name: bo.id }).click()
    await expect.poll(() => page.evaluate(() => location.hash)).toBe(`#/data/customers/record/${bo.id}`)
  })

  it('have a history: which request changed what, before and after, and what was changed without one', async () => {
    const opened = await openInspector(browser)
    const { page, go, send, server } = opened
    await send('POST', '/v1/pets', '{"name":"Rex","categoryId":3}')
    await server.sandbox.world().collection('pets').replace(121, { name: 'Rex', categoryId: 3, status: 'sold' })
    await go('data/pets/record/121')
    await button(page, 'History').click()
    const pane = page.getByRole('complementary')
    await pane.getByText('Added').waitFor()
    await pane.getByText('Without a request').waitFor()
    expect(await pane.locator('.between').innerText()).toMatch(/status\s+—\s+→\s+sold/)
    await pane.getByRole('link', { name: /POST/ }).click()
    await page.getByRole('region', { name: 'Causes and effects' }).getByRole('link', { name: 'pets 121' }).click()
    await page.getByRole('heading', { name: 'id 121' }).waitFor()
    await go('data/pets/record/3')
    await button(page, 'History').click()
    await page.getByRole('heading', { name: 'No request has changed it' }).waitFor()
  })
})

describe('what was changed', () => {
  it('by saving or removing a record, or all, is undone', async () => {
    const opened = await openInspector(browser, { scenario: { pets: [{ id: 7, name: 'Rex', categoryId: 3 }] } })
    const { page, go, server } = opened
    const pets = server.sandbox.world().collection('pets')
    await go('data/pets/record/7')
    await page.getByLabel('name').fill('Max')
    await button(page, 'Save').click()
    await page.getByText('Saved pets 7').waitFor()
    await undo(opened)
    expect(await pets.get(7)).toEqual({ id: 7, name: 'Rex', categoryId: 3 })
    await button(page, 'Remove').click()
    await page.getByText('Removed pets 7').waitFor()
    expect(await pets.size()).toBe(0)
    await undo(opened)
    expect(await pets.get(7)).toEqual({ id: 7, name: 'Rex', categoryId: 3 })
    await button(page, 'Remove all').click()
    await page.getByText('Removed 1 record of pets').waitFor()
    expect(await pets.size()).toBe(0)
    await undo(opened)
    expect(await pets.get(7)).toEqual({ id: 7, name: 'Rex', categoryId: 3 })
    // What was kept to undo it is no snapshot of the user, and is gone afterwards.
    const snapshots = () => fetch(`${server.url}/_sandbox/snapshots`).then((answer) => answer.json())
    await expect.poll(snapshots).toEqual([])
  })

  it('in a world or among the faults is undone without a dialog', async () => {
    const opened = await openInspector(browser)
    const { page, go, server, send } = opened
    const dialogs: string[] = []
    page.on('dialog', (dialog) => dialogs.push(dialog.message()))
    await send('POST', '/v1/pets', '{"name":"Rex","categoryId":3}')
    await go('worlds')
    await page.getByLabel('Name').first().fill('b')
    await button(page, 'Make a world').click()
    const card = (name: string) =>
      page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })
    await card('sandbox').getByRole('button', { name: 'Reset' }).click()
    await page.getByText('Reset sandbox').waitFor()
    expect(await server.sandbox.world().collection('pets').size()).toBe(120)
    await undo(opened)
    expect(await server.sandbox.world().collection('pets').size()).toBe(121)
    await server.sandbox.world('sandbox-b').collection('pets').remove(1)
    await card('sandbox-b in view').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Removed sandbox-b and its key').waitFor()
    await undo(opened)
    expect(await server.sandbox.world('sandbox-b').collection('pets').size()).toBe(119)
    await go('faults')
    await button(page, /^Down/).click()
    await page.getByText('The next one: Down').waitFor()
    await button(page, 'Remove').click()
    await page.getByRole('heading', { name: 'Every request is answered as usual' }).waitFor()
    await undo(opened)
    expect((await send('GET', '/v1/pets')).status).toBe(503)
    await link(page, 'Requests').click()
    await button(page, 'Clear the list').click()
    await page.getByText('from view').waitFor()
    await page.getByRole('heading', { name: 'No requests yet' }).waitFor()
    await undo(opened)
    await page.getByLabel('Status').selectOption('5xx')
    await page.getByRole('link', { name: /^503/ }).waitFor()
    await page.getByLabel('Method').selectOption('POST')
    await page.getByRole('heading', { name: 'No request matches' }).waitFor()
    // The filters stay in the address, beyond other views and a reload.
    await link(page, /^Faults/).click()
    await link(page, 'Requests').click()
    await page.reload()
    await page.getByRole('heading', { name: 'No request matches' }).waitFor()
    expect(await page.evaluate(() => location.hash)).toBe('#/requests?status=5&method=POST')
    await page.getByText(/^0 of \d+ requests?$/).waitFor()
    await button(page, 'Show all').last().click()
    await page.getByRole('link', { name: /^503/ }).waitFor()
    expect(await page.evaluate(() => location.hash)).toBe('#/requests')
    expect(dialogs).toEqual([])
  })
})

describe('worlds', () => {
  it('are compared with each other by record and property, and count what nobody has touched', async () => {
    const opened = await openInspector(browser)
    const { page, go, send, server } = opened
    const other = { Authorization: 'Bearer sandbox-b' }
    await send('GET', '/v1/pets')
    await send('POST', '/v1/pets', '{"name":"Rex","categoryId":3}', other)
    await server.sandbox.world('sandbox-b').collection('pets').replace(3, { name: 'Ida', categoryId: 1 })
    await go('worlds')
    await page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: 'sandbox-b', exact: true }) })
      .getByRole('link', { name: 'Compare' })
      .click()
    const region = page.getByRole('region', { name: 'Compare' })
    await region.getByText('1 only in sandbox-b, 1 different, 0 only in sandbox').waitFor()
    expect(await region.locator('.edited').innerText()).toMatch(/id 3[\s\S]*name\s[\s\S]*→\s+Ida/)
    expect((await region.locator('.added').innerText()).split(/\n+/)).toContain('categoryId 3')
    await button(page, 'Swap').click()
    await region.getByText('0 only in sandbox, 1 different, 1 only in sandbox-b').waitFor()
    await region.getByText(/^Clock: .*: the same time$/).waitFor()
    await server.sandbox.world('sandbox-b').clock.advance(172_800_000)
    await go('worlds/compare/sandbox-b')
    await page.reload()
    await region
      .getByText(/sandbox-b is at 2026-11-25 09:30:.*, sandbox at 2026-11-23 09:30:.*: 2 days later/)
      .waitFor()
    await go('worlds')
    await page.getByRole('link', { name: 'Compare two worlds' }).click()
    await expect.poll(() => region.getByLabel('Compared with').inputValue()).toMatch(/^world=/)
    // Nobody has opened it.
    await page.getByLabel('Name').first().fill('c')
    await fetch(`${server.url}/_sandbox/keys`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"name":"c"}',
    })
    const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'sandbox-c' }) })
    await card.getByText('pets 120').waitFor()
  })
})

describe('outgoing calls', () => {
  const later = sending(orderSchema, { 'x-sandbox-delay': 3_600_000 })
  const document = hookDocument({
    create: { callbacks: { done: { '{$request.body#/callbackUrl}': later } } },
  })

  it('are followed: from the request to what is due, by the clock to what was sent, and back to the request', async () => {
    const { page, go, send } = await openInspector(browser, { document, records: 0, webhookUrl: 'http://127.0.0.1:9' })
    await send('POST', '/v1/orders', '{"item":"Lamp","callbackUrl":"http://127.0.0.1:9/hook"}')
    await go('requests/1')
    const effects = page.getByRole('region', { name: 'Causes and effects' })
    await effects.getByText('done to http://127.0.0.1:9/hook, due at').waitFor()
    await effects.getByRole('link', { name: '10:30:00 on 2026-11-23' }).click()
    await button(page, /^2026-11-23 10:30:00 done is sent to .* in 1 hour/).click()
    await page.locator('.now').getByText('2026-11-23 10:30:00').waitFor()
    await link(page, 'Requests').click()
    const sent = page.getByRole('link', { name: /^failed .* outgoing done: / })
    await sent.first().waitFor()
    await button(page, 'Outgoing').click()
    await sent.last().click()
    await effects.getByText('Caused by').waitFor()
    await effects.getByRole('link', { name: /POST .*orders/ }).click()
    await page.getByRole('article', { name: 'Request 1', exact: true }).waitFor()
    await effects.getByRole('heading', { name: 'Outgoing calls that it caused' }).waitFor()
  })

  it('that are not sent say so once, and have nothing to copy', async () => {
    const { page, go, send } = await openInspector(browser, { document, records: 0 })
    await send('POST', '/v1/orders', '{"item":"Lamp"}')
    await go('requests')
    await page.getByRole('link', { name: /outgoing The callback done/ }).click()
    const detail = page.getByRole('article')
    await detail.getByText('has no value in this exchange').waitFor()
    expect(await detail.getByText('has no value in this exchange').count()).toBe(1)
    expect(await button(page, /^Copy as/).count()).toBe(0)
  })
})

describe('the timeline', () => {
  it('travels to a sunset by the keyboard, and back to the present', async () => {
    const { page, go, send } = await openInspector(browser)
    await go('clock')
    await button(page, /^2030-12-05 00:00:00 Sunset of GET/).focus()
    await page.keyboard.press('Enter')
    await page.locator('.now').getByText('2030-12-05 00:00:00').waitFor()
    expect((await send('GET', '/v1/pets/3')).status).toBe(404)
    await page.getByRole('link', { name: /^Clock ?2030-12-05$/ }).waitFor()
    await go('operations')
    await page
      .getByRole('link', { name: /gone since 2030-12-05/ })
      .first()
      .waitFor()
    await go('clock')
    await button(page, /The present/).click()
    await page.locator('.now').getByText('2026-11-23 09:30:00').waitFor()
  })

  it('has the steps of jobs', async () => {
    const document = toDocument(
      {
        'POST /chores': { body: object({ title: text }), 201: named('Chore') },
        'GET /chores/{choreId}': { 200: named('Chore') },
      },
      {
        Chore: object({
          'id!': { type: 'integer' },
          title: text,
          'status!': oneOfTexts('waiting', 'running', 'succeeded', 'failed'),
        }),
      },
    )
    const { page, go, send, server } = await openInspector(browser, { document, records: 0 })
    const [{ mount = '' } = {}] = server.sandbox.contract.servers
    expect((await send('POST', `${mount === '/' ? '' : mount}/chores`, '{"title":"Wash"}')).status).toBe(201)
    await go('clock')
    await button(page, /chores 1 becomes succeeded/).click()
    await expect.poll(() => button(page, /becomes/).count()).toBe(0)
    await go('data/chores')
    await page.getByRole('cell', { name: 'succeeded' }).waitFor()
  })
})

describe('faults', () => {
  it.each([
    ['Down', 503],
    ['Flaky', undefined],
    ['Rate limit', 429],
    ['Expired key', 401],
  ])('have the preset %s for the next POST, which leads to the request that it hit', async (name, status) => {
    const { page, go, send } = await openInspector(browser)
    await go('faults')
    await page.getByLabel('Requests', { exact: true }).fill('post')
    await page.getByText('Will hit POST in sandbox, once').waitFor()
    await button(page, new RegExp(`^${name}`)).click()
    await page.getByText(`The next one: ${name}`).waitFor()
    expect((await send('GET', '/v1/pets')).status).toBe(200)
    if (status === undefined) return
    const rex = '{"name":"Rex","categoryId":3}'
    expect((await send('POST', '/v1/pets', rex)).status).toBe(status)
    expect((await send('POST', '/v1/pets', rex)).status).toBe(201)
    await link(page, 'hit 1 request').click()
    await page.getByRole('heading', { name: new RegExp(`^Failed with ${status}: Fault 1$`) }).waitFor()
  })

  it('take a part of a path that one operation has, and name the operations that share it', async () => {
    const { page, go, send } = await openInspector(browser)
    await go('faults')
    await page.getByLabel('Requests', { exact: true }).fill('pets')
    await button(page, /^Down/).click()
    await page.getByText('"pets" is a part of several: GET /pets, POST /pets, GET /pets/{petId}.').waitFor()
    await page.getByLabel('Requests', { exact: true }).fill('orders')
    await button(page, /^Down/).click()
    await page.getByText('The next one: Down').waitFor()
    expect((await send('GET', '/v1/pets')).status).toBe(200)
    expect((await send('GET', '/v1/store/orders')).status).toBe(503)
  })

  it('show at their form why a text names no requests, until it changes or an operation is chosen', async () => {
    const { page, go, send } = await openInspector(browser)
    await go('faults')
    const requests = page.getByLabel('Requests', { exact: true })
    await requests.fill('get pet')
    await page.getByText('Another way to fail').click()
    await page.getByRole('textbox', { name: 'Status' }).fill('402')
    await button(page, 'Add the fault').click()
    const problem = page.getByText('"get pet" is a part of several: GET /pets, GET /pets/{petId}.')
    await problem.waitFor()
    await requests.fill('post pet')
    await problem.waitFor({ state: 'hidden' })
    await requests.fill('get pet')
    await page
      .getByRole('group', { name: 'Which one?' })
      .getByRole('button', { name: 'GET /pets', exact: true })
      .click()
    await button(page, 'Add the fault').click()
    const said = page.getByText(/^The next one fails/)
    await said.waitFor()
    expect((await send('GET', '/v1/pets')).status).toBe(402)
    await said.waitFor({ state: 'hidden' })
    await requests.fill('Post pet')
    await button(page, /^Down/).click()
    await page.getByText('The next one: Down').waitFor()
    expect((await send('POST', '/v1/pets', '{"name":"Rex","categoryId":3}')).status).toBe(503)
  })

  it('have the documented statuses of an operation, each with a click', async () => {
    const problem = object({ 'code!': oneOfTexts('card_declined') })
    const document = toDocument({
      'POST /payments': {
        body: object({ sum: { type: 'integer' } }),
        201: object({ 'id!': text }),
        404: problem,
        409: problem,
      },
      'GET /payments/{id}': { 200: object({ 'id!': text }) },
      'POST /payments/{id}/confirm': { 200: object({ 'id!': text }) },
    })
    const { page, go, send } = await openInspector(browser, { document })
    await go('operations')
    await page.getByLabel('Filter operations').fill('not sure')
    const found = page.getByRole('navigation', { name: 'Operations' }).getByRole('link')
    await expect.poll(() => found.allInnerTexts()).toEqual([expect.stringMatching(/confirm\s+action\s*not sure/)])
    await page.getByLabel('Filter operations').fill('')
    await link(page, /payments/)
      .first()
      .click()
    const choices = page.getByRole('group', { name: 'Fail the next one' }).getByRole('button')
    await choices.first().waitFor()
    expect(await choices.allInnerTexts()).toEqual(['404', '409', '503'])
    await choices.first().click()
    await page.getByText('The next one gets 404').waitFor()
    await page.getByText('The next request gets 404 (fault 1)').waitFor()
    const answer = await send('POST', '/payments', '{"sum":1}')
    expect([answer.status, await answer.json()]).toEqual([404, { code: 'card_declined' }])
    await page.getByText('The next one gets 404').waitFor({ state: 'hidden' })
    expect(await page.getByText('The next request gets 404').count()).toBe(0)
    await go('faults')
    await page.getByLabel('Requests', { exact: true }).fill('post /payments')
    const presets = page.locator('.presets').getByRole('button')
    expect((await presets.allInnerTexts()).slice(0, 3).map((each) => each.split('\n')[0])).toEqual([
      '404',
      '409',
      'Down',
    ])
    await button(page, /^409/).click()
    await page.getByText('The next one: 409').waitFor()
    expect((await send('POST', '/payments', '{"sum":1}')).status).toBe(409)
  })

  it('stay until they are removed, and lead to all requests that they hit', async () => {
    const { page, go, send } = await openInspector(browser)
    await go('faults')
    await button(page, 'Until removed').click()
    await button(page, /^Down/).click()
    await page.getByText('hit no request yet').waitFor()
    await send('GET', '/v1/pets')
    await send('GET', '/v1/pets')
    await send('GET', '/v1/cats')
    await link(page, 'hit 2 requests').click()
    const links = page.getByRole('list', { name: 'Requests, newest first' }).getByRole('link')
    await expect.poll(() => links.count()).toBe(2)
    await button(page, 'Show all').click()
    await expect.poll(() => links.count()).toBe(3)
  })

  it('are refused for a text that is no operation', async () => {
    const { page, go } = await openInspector(browser)
    await go('faults')
    await page.getByLabel('Requests', { exact: true }).fill('POST /payments')
    await button(page, /^Down/).click()
    await page.getByText('"POST /payments" is no operation of the document').waitFor()
  })
})

it('says why a request was refused in its first line, with the next step', async () => {
  const { page, go, send } = await openInspector(browser)
  await send('POST', '/v1/pets', '{"categoryId":"3"}')
  await send('GET', '/v1/pets', undefined, {})
  await go('requests/1')
  await page.getByRole('heading', { name: 'Refused with 400: name is required, and 1 more problem' }).waitFor()
  await go('requests/2')
  await page.getByRole('heading', { name: 'Refused with 401: An API key is required' }).waitFor()
  await link(page, 'keys').click()
  await page.getByRole('heading', { name: 'Worlds' }).waitFor()
  await send('GET', '/v1/pets/999')
  await go('requests/3')
  await page.getByText('pets 999, no such record').waitFor()
})

it('shows its docs for each view, with links between the pages', async () => {
  const { page, go } = await openInspector(browser)
  for (const [view, name] of Object.entries({ data: 'Data', worlds: 'Worlds', clock: 'Clock', faults: 'Faults' })) {
    await go(view)
    expect(await link(page, `Docs of ${name}`).getAttribute('href')).toMatch(/^#\/docs\/inspector\.md\?at=[a-z-]+$/)
  }
  await go('docs/README.md')
  await page.getByRole('link', { name: 'Change what an operation does' }).first().click()
  await page.waitForURL(/#\/docs\/tasks\/correct\.md/)
  await page.locator('.docs-page pre').first().waitFor()
  expect(await findFaults(page)).toEqual([])
  await go('docs/nothing.md')
  await page.getByText('There is no page "nothing.md"').waitFor()
})

it('scrolls to the heading of a link', async () => {
  const { page, go } = await openInspector(browser)
  await go('docs/inspector.md?at=make-requests-fail')
  const title = page.locator('.docs-page .title', { hasText: 'Make requests fail' })
  await expect.poll(async () => (await title.boundingBox())?.y).toBeLessThan(200)
})

it.each(['light', 'dark'] as const)(
  'has no serious faults of accessibility beside records and messages, in the %s',
  async (colorScheme) => {
    for (const width of [1280, 360]) {
      const { page, go } = await openInspector(browser, { ...shop, width, colorScheme })
      const found: string[] = []
      for (const tab of ['Related', 'History', 'Values']) {
        await go(`data/orders/record/1`)
        await button(page, tab).click()
        await page.getByRole('complementary').getByRole('heading').first().waitFor()
        found.push(...(await findFaults(page)).map((each) => `${tab} ${width}: ${each}`))
      }
      await button(page, 'Remove').click()
      await button(page, 'Undo').waitFor()
      found.push(...(await findFaults(page)).map((each) => `toast ${width}: ${each}`))
      await page.getByText(/^Columns/).click()
      await page.getByLabel('state').waitFor()
      found.push(...(await findFaults(page)).map((each) => `menu ${width}: ${each}`))
      await go('worlds/compare/sandbox')
      await page.getByRole('heading', { name: 'Compare' }).waitFor()
      found.push(...(await findFaults(page)).map((each) => `compare ${width}: ${each}`))
      expect(found).toEqual([])
    }
  },
)
