/** Records in the inspector, of the bundled document and of others, and whether everybody can use the page. */

import { type Browser, chromium } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBrowser } from '../support/find-browser.js'
import { foreignDocuments } from '../support/foreign-documents.js'
import { findFaults } from '../support/inspector-faults.js'
import { type Opened, openInspector } from '../support/inspector-page.js'
import { flag, integer, named, object, oneOfTexts, text, time, toDocument } from '../support/sketch.js'

let browser: Browser
beforeAll(async () => {
  browser = await chromium.launch((await findBrowser()).launchOptions)
})
afterAll(() => browser.close())

const add = async ({ page }: Opened) => {
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('heading', { name: /^New in/ }).waitFor()
}
const save = ({ page }: Opened) => page.getByRole('button', { name: 'Save' }).click()
const editor = ({ page }: Opened) => page.getByRole('complementary')

describe('records', () => {
  it('are shown 10,000 at a time, of which the page holds only those in view', async () => {
    const opened = await openInspector(browser, {
      scenario: {
        pets: Array.from({ length: 10_000 }, (_, at) => ({ id: at + 1, name: `Pet ${at + 1}`, categoryId: 1 })),
      },
    })
    const { page, go } = opened
    await go('data/pets')
    await page.getByText('10,000 records').waitFor()
    await page.getByRole('cell', { name: 'Pet 10000', exact: true }).waitFor()
    // The other columns have the room that the keys do not need.
    expect((await page.getByRole('columnheader').first().boundingBox())?.width).toBeLessThan(120)
    expect(await page.getByRole('row').count()).toBeLessThan(60)
    await page.locator('.table-scroll').evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await page.getByRole('cell', { name: 'Pet 1', exact: true }).waitFor()
    expect(await page.getByRole('row').count()).toBeLessThan(60)
    // In any value: those whose name or key has it.
    await page.getByLabel('Find records').fill('pet 432')
    await page.keyboard.press('Enter')
    await page.getByText('11 records', { exact: true }).waitFor()
    await page.getByRole('cell', { name: 'Pet 4321', exact: true }).click()
    await page.getByRole('heading', { name: 'id 4321 · Pet 4321' }).waitFor()
    await page.getByText('11 records', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Remove all' }).isDisabled()).toBe(true)
  })

  it('are edited, added and removed, with the messages of the schema beside the property', async () => {
    const opened = await openInspector(browser, { scenario: { pets: [{ id: 7, name: 'Rex', categoryId: 3 }] } })
    const { page, go, server } = opened
    const pets = server.sandbox.world().collection('pets')
    await go('data')
    await page.getByRole('cell', { name: 'Rex' }).click()
    await page.getByLabel('categoryId').fill('many')
    await save(opened)
    await editor(opened).getByText('categoryId must be an integer (got "many")').waitFor()
    expect(await page.getByLabel('categoryId').getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel('categoryId').fill('4')
    await page.getByLabel('status').selectOption('sold')
    await save(opened)
    await page.getByRole('cell', { name: 'sold' }).waitFor()
    expect(await pets.get(7)).toEqual({ id: 7, name: 'Rex', categoryId: 4, status: 'sold' })
    await add(opened)
    await page.getByLabel('name').fill('Ida')
    await page.getByRole('button', { name: 'Add the record' }).click()
    // What is left out is made.
    await page.getByRole('heading', { name: 'id 8' }).waitFor()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('1 record', { exact: true }).waitFor()
    expect(await pets.size()).toBe(1)
    await page.getByRole('button', { name: 'Remove all' }).click()
    await page.getByRole('heading', { name: 'No records' }).waitFor()
    // What a request adds is there at once.
    await opened.send('POST', '/v1/pets', '{"name":"Echo","categoryId":2}')
    await page.getByRole('cell', { name: 'Echo' }).waitFor()
  })
})

const common = {
  'id!': { ...text, readOnly: true },
  'ship_id!': text,
  'made_at!': { ...time, readOnly: true },
}

/** Goods of two variants, which belong to no ship but name one. */
const cargo = {
  document: toDocument(
    {
      'GET /ships': { 200: { type: 'array', items: named('Ship') } },
      'POST /ships': { id: 'createShip', body: named('Ship'), 201: named('Ship') },
      'GET /ships/{shipId}': { 200: named('Ship') },
      'GET /goods': { 200: { type: 'array', items: named('Good') } },
      'POST /goods': { id: 'createGood', body: named('Good'), 201: named('Good') },
      'GET /goods/{goodId}': { 200: named('Good') },
    },
    {
      Ship: object({ 'id!': text, name: text, code: { type: 'string', minLength: 2, maxLength: 2 } }),
      Good: {
        oneOf: [
          object({ ...common, 'kind!': { const: 'box' }, 'weight!': integer }),
          object({ ...common, 'kind!': { const: 'bulk' }, 'material!': oneOfTexts('coal', 'ore'), isCold: flag }),
        ],
        discriminator: { propertyName: 'kind' },
      },
    },
  ),
  scenario: {
    ships: [{ id: 'tern', name: 'Tern', code: 'TE' }],
    goods: [{ id: 'g1', kind: 'box', ship_id: 'tern', made_at: '2026-01-01T00:00:00Z', weight: 5 }],
  },
}

describe('records with variants', () => {
  it('have the fields of the chosen one, references to records, and leave to the service what it writes', async () => {
    const opened = await openInspector(browser, cargo)
    const { page, go, server } = opened
    await go('data/goods/record/g1')
    await expect.poll(() => page.getByLabel('Variant').inputValue()).toBe('0')
    expect(await editor(opened).locator('.field > label').allInnerTexts()).toEqual([
      ...['id required', 'ship_id required', 'made_at required', 'weight required', 'Record as JSON'],
    ])
    await add(opened)
    await expect.poll(() => page.getByRole('combobox', { name: 'ship_id required' }).inputValue()).toBe('tern')
    await page.getByLabel('Variant').selectOption('bulk')
    await page.getByLabel('material').selectOption('ore')
    await page.getByLabel('isCold').selectOption('true')
    expect(await page.getByLabel('made_at', { exact: true }).getAttribute('aria-required')).toBeNull()
    await page.getByText('The service writes it').waitFor()
    await page.getByRole('button', { name: 'Add the record' }).click()
    await page.getByRole('button', { name: 'Save' }).waitFor()
    const [added] = await server.sandbox.world().collection('goods').list()
    expect(added).toMatchObject({ kind: 'bulk', ship_id: 'tern', material: 'ore', isCold: true })
    // Also what none of the records has can be a column.
    await page.getByText('Columns').click()
    await page.locator('.menu label', { hasText: 'weight' }).waitFor()
  })

  it('are not saved while their JSON is wrong, which says where', async () => {
    const opened = await openInspector(browser, cargo)
    const { page, go, server } = opened
    await go('data/goods/record/g1')
    const json = page.getByLabel('Record as JSON')
    for (const [typed, message] of [
      ['{\n broken', /not JSON: .*line 2 column 2/],
      ['{"a": 1', /not JSON: .*line 1 column 8/],
      ['[1]', /A record is a JSON object/],
    ] as const) {
      await json.fill(typed)
      await save(opened)
      await page.getByText('Nothing is saved yet').waitFor()
      await page.getByText(message).waitFor()
      expect(await json.inputValue()).toBe(typed)
    }
    expect(await page.getByText(/^Saved/).count()).toBe(0)
    expect(await server.sandbox.world().collection('goods').get('g1')).toMatchObject({ weight: 5 })
  })

  it('are found in other collections too', async () => {
    const { page, go } = await openInspector(browser, cargo)
    await go('data/ships?text=tern')
    await page.getByText('1 record', { exact: true }).waitFor()
    await page.getByRole('link', { name: '1 in goods', exact: true }).click()
    await page.getByRole('cell', { name: 'g1' }).waitFor()
  })

  it('name those that they refer to, and say which are missing', async () => {
    const { page, go, server } = await openInspector(browser, cargo)
    await go('data/goods/record/g1')
    await page.getByRole('link', { name: 'tern · Tern', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Open · Tern', exact: true }).waitFor()
    await server.sandbox.world().collection('ships').clear()
    await page.reload()
    await page.getByText('tern, no such record').waitFor()
    await page.getByText('no such record', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Related' }).click()
    await page.getByText('no such record by ship_id').waitFor()
  })

  it('are named by examples that can be sent as they are, unless there is none', async () => {
    const { page, go, server } = await openInspector(browser, cargo)
    await go('operations/createGood')
    const field = page.getByRole('region', { name: 'Try it' }).getByRole('combobox', { name: 'ship_id required' })
    await expect.poll(() => field.inputValue()).toBe('tern')
    await server.sandbox.world().collection('ships').clear()
    await page.reload()
    await page.getByText('no record in ships yet').waitFor()
    await go('operations/createShip')
    await page.getByText('string, 2 characters', { exact: true }).waitFor()
  })
})

/** Each kind of document: what is in its tables, and what is edited and added there. */
const documents = [
  {
    name: 'library' as const,
    collection: 'books',
    scenario: {
      authors: [{ slug: 'kafka', name: 'Franz Kafka' }],
      books: [{ id: 1, title: 'The Castle', isbn: 9007199254740993n, '{slug}': 'kafka' }],
    },
    edit: ['title', 'The Trial'],
    added: { '{slug}': 'kafka', title: 'America' },
    link: { name: 'kafka', shows: 'Franz Kafka' },
    read: '/api/authors/kafka/books',
    headers: { 'X-Key': 'sandbox' },
    expected: [
      { id: 1, title: 'The Trial', isbn: '9007199254740993' },
      { id: 2, title: 'America' },
    ],
  },
  {
    name: 'shop' as const,
    collection: 'orders',
    scenario: {
      customers: [{ id: '11111111-1111-4111-8111-111111111111', email: 'ana@example.com' }],
      orders: [{ id: 5, customerId: '11111111-1111-4111-8111-111111111111', state: 'open', total: 12.5 }],
    },
    edit: ['total', '99.75'],
    added: { customerId: '11111111-1111-4111-8111-111111111111', state: 'paid' },
    link: { name: '11111111-1111-4111-8111-111111111111', shows: 'ana@example.com' },
    read: '/orders',
    headers: {},
    expected: [
      { id: 5, customerId: '11111111-1111-4111-8111-111111111111', state: 'open', total: 99.75 },
      { id: 6, customerId: '11111111-1111-4111-8111-111111111111', state: 'paid' },
    ],
  },
  {
    name: 'tracker' as const,
    collection: 'tickets',
    scenario: {
      projects: [{ name: '42', isOpen: true }],
      tickets: [{ number: 1, title: 'Old', labels: { a: 1 }, '{name}': '42' }],
    },
    edit: ['title', 'New'],
    added: { '{name}': '42', title: 'Other' },
    link: { name: '42', shows: 'true' },
    read: '/v2/projects/42/tickets',
    headers: { Authorization: `Basic ${btoa('sandbox:')}` },
    expected: [
      { number: 1, title: 'New', labels: { a: 1 } },
      { number: 2, title: 'Other' },
    ],
  },
]

describe.each(documents)('the $name, another document', (each) => {
  const { name, collection, scenario, edit, added, link, read, headers, expected } = each

  it(`has its ${collection} in a table, with links to what they belong to, and edits and adds them`, async () => {
    const opened = await openInspector(browser, { document: foreignDocuments[name], scenario: scenario as never })
    const { page, go, server } = opened
    await go(`data/${collection}`)
    const [property = '', text = ''] = edit
    await page.getByRole('row').nth(1).getByRole('cell').first().click()
    await page.getByLabel(new RegExp(`^${property}( required)?$`)).fill(text)
    await save(opened)
    await page.getByRole('row').getByText(text, { exact: true }).waitFor()
    await add(opened)
    for (const [own, value] of Object.entries(added)) {
      const input = editor(opened)
        .locator('.field', { has: page.getByText(own, { exact: false }) })
        .locator('input, select, textarea')
        .first()
      if ((await input.evaluate((element) => element.tagName)) === 'SELECT') await input.selectOption(value)
      else await input.fill(value)
    }
    await page.getByRole('button', { name: 'Add the record' }).click()
    await page.getByRole('button', { name: 'Save' }).waitFor()
    const answer = await fetch(server.url + read, { headers: headers as Record<string, string> })
    const records = JSON.parse((await answer.text()).replace(/(\d{16,})/g, '"$1"'))
    expect(records).toEqual(expected)
    await page.getByRole('row').getByRole('link', { name: link.name }).first().click()
    await page.getByRole('cell', { name: link.shows, exact: true }).waitFor()
  })

  it('has operations that can be tried as they are', async () => {
    const opened = await openInspector(browser, { document: foreignDocuments[name], scenario: scenario as never })
    const { page, go, server } = opened
    for (const { id, effect } of server.sandbox.contract.operations) {
      await go(`operations/${encodeURIComponent(id)}`)
      if (id === 'getBook') {
        await page.getByText('The document turns the form for this operation off.').waitFor()
        continue
      }
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      const status = page.getByRole('region', { name: 'Answer', exact: true }).locator('.status')
      expect(await status.innerText(), `${id} ${effect.kind}`).toMatch(/^20[014]$/)
    }
  })
})

const views = [
  ...['requests', 'requests/1', 'requests/2', 'data', 'data/pets/record/3', 'data/pets/new'],
  ...['operations', 'operations/createPet', 'operations/getPet', 'worlds', 'clock', 'faults'],
]

describe.each(['light', 'dark'] as const)('in the %s', (colorScheme) => {
  it.each([1280, 360])('no view has serious faults of accessibility, or scrolls sideways, at %i px', async (width) => {
    const { page, go, send } = await openInspector(browser, { width, colorScheme })
    await send('GET', '/v1/pets?limit=1')
    await send('POST', '/v1/pets', '{"categoryId":"3"}')
    await send('POST', '/_sandbox/faults', '{"operation":"listPets","times":1,"status":503}')
    const found: string[] = []
    for (const view of views) {
      await go(view)
      await page.getByText('live', { exact: true }).waitFor({ state: 'attached' })
      await page.locator('main :is(h2, .list, .rows):visible').first().waitFor()
      found.push(...(await findFaults(page)).map((each) => `${view}: ${each}`))
    }
    expect(found).toEqual([])
  })
})
