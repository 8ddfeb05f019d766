/** Forms for values of any schema, and what the pages of operations document, in a real browser. */
import { readFile } from 'node:fs/promises'
import { type Browser, chromium } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBrowser } from '../support/find-browser.js'
import { findFaults } from '../support/inspector-faults.js'
import { type InspectorOptions, openInspector } from '../support/inspector-page.js'

let browser: Browser
let document: string
beforeAll(async () => {
  browser = await chromium.launch((await findBrowser()).launchOptions)
  document = await readFile(new URL('../support/variants.openapi.yaml', import.meta.url), 'utf8')
})
afterAll(() => browser.close())

const scenario = {
  customers: [
    { id: 'c1', name: 'Ada Lovelace' },
    { id: 'c2', name: 'Grace Hopper' },
  ],
  orders: [
    { id: 7, title: 'Engine', '{customerId}': 'c1' },
    { id: 9, title: 'Compiler', '{customerId}': 'c2' },
  ],
  payments: [{ id: 1, amount: 5, method: { kind: 'card', number: '4242' } }],
}

const orders = `openapi: 3.1.0
info: { title: Orders, version: 1.0.0 }
paths:
  /orders:
    post: { requestBody: { content: &order { application/json: { schema: { $ref: '#/components/schemas/Order' } } } }, responses: { '201': { description: ok, content: *order } } }
  /orders/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: ok, content: *order } } }
  /orders/{id}/slip:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    post: { operationId: printSlip, responses: { '409': { description: no, content: { application/json: { schema: { type: object, properties: { message: { type: string } } }, example: { message: Not paid yet } } } }, '200': { description: ok, content: { application/json: { schema: { type: object, properties: { pages: { type: integer } } } } } } } }
components:
  schemas:
    Order: { type: object, properties: { id: { type: integer }, note: { type: string }, state: { type: string, enum: [open, paid, shipped] } } }
`
/** The end of the overlay that says how an order is shipped. */
const shipped = `x-sandbox-effect:
        effect: action
        changes:
          state: shipped
        needs:
          state:
            - open
            - paid`

async function open(operation: string, options: InspectorOptions = {}) {
  const opened = await openInspector(browser, { document, scenario, ...options })
  const { page, server, go } = opened
  await go(`operations/${operation}`)
  const form = page.getByRole('region', { name: 'Try it' })
  await form.waitFor()
  const json = form.getByLabel('Body as JSON')
  return {
    ...opened,
    form,
    json,
    group: (name: string) => form.getByRole('group', { name: new RegExp(`^${name}( required)?$`) }),
    field: (name: string) => form.getByLabel(new RegExp(`^${name}( required)?$`)),
    press: (name: string) => form.getByRole('button', { name, exact: true }).click(),
    write: (value: unknown) => json.fill(JSON.stringify(value)),
    value: async () => JSON.parse(await json.inputValue()),
    async send(): Promise<string> {
      const isOwn = (url: string) => new URL(url).pathname.startsWith('/_sandbox/')
      await Promise.all([
        page.waitForResponse((response) => !isOwn(response.url())),
        form.getByRole('button', { name: 'Send', exact: true }).click(),
      ])
      return page.getByRole('region', { name: 'Answer', exact: true }).locator('.status').innerText()
    },
    arrived: () => server.sandbox.journal.list().findLast(({ sent }) => !sent)?.request,
  }
}

const card = { kind: 'card', number: '4242', holder: 'Ada' }

describe('a value with variants', () => {
  it('has the fields of the chosen one, and keeps what fits both', async () => {
    const { group, write, value, send, arrived } = await open('addPayment')
    await write({ amount: 5, method: card })
    const method = group('method')
    const variant = method.getByLabel('Variant')
    expect(await variant.locator('option').allInnerTexts()).toEqual(['card', 'transfer'])
    expect(await variant.locator('option:checked').innerText()).toBe('card')
    await variant.selectOption('transfer')
    await method.getByLabel('iban required').waitFor()
    expect(await method.getByLabel('number required').count()).toBe(0)
    expect(await method.getByLabel('holder').inputValue()).toBe('Ada')
    // What the new variant needs has a value of the sandbox.
    expect(await value()).toEqual({ amount: 5, method: { kind: 'transfer', iban: expect.any(String), holder: 'Ada' } })
    expect(await send()).toBe('201')
    await expect.poll(() => arrived()?.body).toContain('"kind": "transfer"')
    // The other way round: the JSON chooses the variant.
    await write({ amount: 5, method: { ...card, kind: 'card' } })
    await method.getByLabel('number required').waitFor()
    expect(await variant.locator('option:checked').innerText()).toBe('card')
  })

  it('extends a schema with a discriminator, also in a list', async () => {
    const { form, write, value, group, press, send } = await open('addPayment')
    await write({ amount: 5, method: card, notices: [] })
    await press('Add an item to notices')
    const notice = group('notices\\[0\\]')
    const variant = notice.getByLabel('Variant')
    expect(await variant.locator('option').allInnerTexts()).toEqual(['Mail', 'Call'])
    await variant.selectOption('Call')
    await notice.getByLabel('number required').fill('112')
    await notice.getByLabel('text required').fill('Hello')
    expect((await value()).notices).toEqual([{ channel: 'Call', text: 'Hello', number: 112 }])
    expect(await send()).toBe('201')
    await press('Remove notices[0]')
    expect((await value()).notices).toEqual([])
    expect(
      await form
        .getByRole('button', { name: 'Add an item to notices' })
        .evaluate((element) => element.matches(':focus')),
    ).toBe(true)
  })

  it('is a text or an object', async () => {
    const { write, value, group, press } = await open('addPayment')
    await write({ amount: 5, method: card, receiver: 'Shop' })
    const receiver = group('receiver')
    expect(await receiver.getByLabel('receiver required').inputValue()).toBe('Shop')
    await receiver.getByLabel('Variant').selectOption('object')
    await receiver.getByLabel('name required').fill('Shop 2')
    expect((await value()).receiver).toEqual({ name: 'Shop 2' })
    await press('Remove receiver')
    expect(await value()).toEqual({ amount: 5, method: card })
    await press('Add receiver')
    await expect.poll(async () => (await value()).receiver).toBeDefined()
  })
})

describe('a key of another record', () => {
  it('is found by a part of a name, with the keyboard alone', async () => {
    const { page, write, value, field, form } = await open('addPayment')
    await write({ amount: 5, method: card, customerId: '' })
    const input = field('customerId')
    await input.focus()
    await page.keyboard.press('ArrowDown')
    const options = form.getByRole('listbox', { name: 'Records for customerId' }).getByRole('option')
    await expect.poll(() => options.count()).toBe(2)
    await page.keyboard.type('hopp')
    await expect.poll(() => options.allInnerTexts()).toEqual(['c2 Grace Hopper'])
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => options.first().getAttribute('aria-selected')).toBe('true')
    expect(await input.getAttribute('aria-activedescendant')).toBe(await options.first().getAttribute('id'))
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await value()).customerId).toBe('c2')
    await expect.poll(() => input.getAttribute('aria-expanded')).toBe('false')
    // Escape closes the list and leaves the page where it is.
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => options.count()).toBe(2)
    await page.keyboard.press('Escape')
    await expect.poll(() => input.getAttribute('aria-expanded')).toBe('false')
    expect(page.url()).toContain('addPayment')
  })

  it('in a path brings the keys of its owners', async () => {
    const { form, field, send, arrived } = await open('getOrder')
    await field('orderId').click()
    await form.getByRole('option', { name: 'Compiler' }).click()
    expect(await field('customerId').inputValue()).toBe('c2')
    expect(await send()).toBe('200')
    await expect.poll(() => arrived()?.path).toBe('/customers/c2/orders/9')
  })
})

it('has another idempotency key for each request, until one keeps it', async () => {
  const { server, write, form, send, field } = await open('addPayment')
  await write({ amount: 5, method: card })
  const count = () => server.sandbox.world().collection('payments').size()
  const key = field('Idempotency-Key')
  const first = await key.inputValue()
  expect(first).toMatch(/^[0-9a-f-]{36}$/)
  expect(await send()).toBe('201')
  await expect.poll(() => key.inputValue()).not.toBe(first)
  expect(await count()).toBe(2)
  await form.getByLabel('Keep Idempotency-Key for the next requests').check()
  const kept = await key.inputValue()
  expect(await send()).toBe('201')
  expect(await send()).toBe('201')
  expect(await key.inputValue()).toBe(kept)
  expect(await count()).toBe(3)
})

describe('a form that is refused', () => {
  it('keeps the order of its fields and what was typed, and marks only what is wrong', async () => {
    const { form, write, group, field, send } = await open('addPayment')
    await write({
      amount: 5,
      method: card,
      labels: { colour: 'r', size: 'xl' },
      lines: [
        { sku: 'A-1', quantity: 1 },
        { sku: 'B', quantity: 2 },
      ],
    })
    await field('amount').fill('0')
    await group('lines\\[1\\]').getByLabel('sku required').waitFor()
    const names = () =>
      form.locator('[data-field]').evaluateAll((all) => all.map((each) => each.getAttribute('data-field')))
    const before = await names()
    expect(await send()).toBe('422')
    await form.locator('.error').first().waitFor()
    expect(await names()).toEqual(before)
    expect(
      await form
        .locator('[aria-invalid=true]')
        .evaluateAll((all) => all.map((each) => (each as HTMLInputElement).value)),
    ).toEqual(['0', 'r', 'B'])
    const amount = field('amount')
    const hint = form.locator(`[id="${await amount.getAttribute('aria-describedby')}"]`)
    expect(await hint.innerText()).toContain('amount must be at least 1 (got 0)')
    await expect.poll(() => amount.evaluate((element) => element.matches(':focus'))).toBe(true)
    await amount.fill('3')
    await group('labels').getByLabel('colour').last().fill('red')
    await group('lines\\[1\\]').getByLabel('sku required').fill('B-2')
    expect(await send()).toBe('201')
    expect(await form.locator('[aria-invalid=true]').count()).toBe(0)
  })
})

it('separates required from optional fields, with descriptions and examples', async () => {
  const { page, form, write, group } = await open('addPayment')
  await write({ amount: 5, method: { kind: 'card', number: '4242' } })
  await form.getByText('0 of 7 set').click()
  await expect.poll(() => form.getByLabel('due', { exact: true }).count()).toBe(0)
  const about = group('method').locator('.hint', { hasText: 'The digits, see help' })
  expect(await about.getByRole('link', { name: 'help' }).getAttribute('href')).toBe('https://help.example')
  expect(await about.locator('em').innerText()).toBe('digits')
  await page.getByRole('link', { name: /^GET\s*\/payments\s*list/ }).click()
  await form.getByText('query, integer, ≤ 50 · such as 20').waitFor()
})

it('adds, names and removes the entries of a map', async () => {
  const { form, write, value, press, page } = await open('addPayment')
  await write({ amount: 5, method: card, labels: { size: 'xl' } })
  await press('Add an entry to labels')
  await form.getByLabel('Name of name1').fill('colour')
  await page.keyboard.press('Tab')
  await form.getByLabel('colour', { exact: true }).fill('red')
  expect((await value()).labels).toEqual({ size: 'xl', colour: 'red' })
  await form.getByLabel('Name of colour').fill('size')
  await page.keyboard.press('Tab')
  await form.getByText('There is a property size already').waitFor()
  await press('Remove size')
  expect((await value()).labels).toEqual({ colour: 'red' })
})

it('has a picker for dates and times, which keeps the offset, and accepts text', async () => {
  const { page, form, write, value, field } = await open('addPayment')
  await write({ amount: 5, method: card, due: '2026-01-05', paidAt: '2026-01-05T10:00:00+02:00' })
  const pick = async (name: string, picked: string) => {
    const picker = form
      .locator('.field', { has: page.getByRole('button', { name: `Pick ${name}` }) })
      .locator('.picker input')
    await picker.evaluate((element: HTMLInputElement, text) => {
      element.value = text
      element.dispatchEvent(new Event('input', { bubbles: true }))
    }, picked)
    return picker.inputValue()
  }
  expect(await pick('due', '2026-02-07')).toBe('2026-02-07')
  expect(await pick('paidAt', '2026-02-07T08:30')).toContain('2026-02-07T08:30')
  expect(await value()).toMatchObject({ due: '2026-02-07', paidAt: '2026-02-07T08:30:00+02:00' })
  await field('due').fill('soon')
  expect((await value()).due).toBe('soon')
})

describe('an operation', () => {
  it('is found by its tag, and is described by Markdown of which nothing is run', async () => {
    const { page, go } = await open('addPayment')
    await go('operations')
    const list = page.getByRole('navigation', { name: 'Operations' })
    await list.getByText(/^Customers\s*6$/).waitFor()
    await page.getByLabel('Filter operations').fill('payments take')
    await expect.poll(() => list.getByRole('link').count()).toBe(1)
    await list.getByRole('link').click()
    const article = page.getByRole('article')
    const described = article.locator('.markdown').first()
    expect(
      await described
        .getByRole('link')
        .evaluateAll((all) => all.map((each) => [each.getAttribute('href'), each.getAttribute('rel')])),
    ).toEqual([['https://guide.example/pay', 'noopener noreferrer']])
    expect(await described.locator('strong').allInnerTexts()).toEqual(['money'])
    expect(await described.getByRole('cell').allInnerTexts()).toEqual(['201', 'taken'])
    expect(await described.getByRole('listitem').allInnerTexts()).toEqual(['one', 'two'])
    expect(await described.locator('img, script').count()).toBe(0)
    expect(await described.innerText()).not.toContain('broken')
    expect(await page.evaluate('window.broken')).toBeUndefined()
  })

  it('shows its schemas and responses, what is known and why, and the overlay that corrects it', async () => {
    const { page } = await open('addPayment')
    const documented = page.getByRole('region', { name: 'Documented' })
    await documented.getByText('Schema of the request').click()
    await documented.getByText('method required').click()
    await documented.getByText('transfer', { exact: true }).click()
    await documented.getByText('iban', { exact: true }).waitFor()
    await documented.getByText('Not allowed').waitFor()
    await page.getByText(/^What the sandbox knows about these records/).click()
    await page
      .getByText('by name: it has the name of {paymentId}')
      .or(page.getByText('by name: {paymentId}'))
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Correct it' }).click()
    await page.getByText('What is inferred, as an overlay').click()
    await page.getByRole('button', { name: 'Copy the overlay' }).click()
    const overlay = await page.evaluate(() => navigator.clipboard.readText())
    expect(overlay).toContain('overlay: 1.0.0')
    expect(overlay).toContain("target: $.paths['/payments'].post")
    expect(overlay).not.toContain('/customers')
    await page.getByRole('button', { name: 'Hide the correction', expanded: true }).click()
    await page.getByRole('button', { name: 'Correct it', expanded: false }).waitFor()
  })

  it('is corrected by choices, which the document must allow', async () => {
    const { page, go } = await openInspector(browser, { document: orders })
    await go('operations/printSlip')
    await page.getByRole('button', { name: 'Correct it' }).click()
    const form = page.getByRole('region', { name: 'Correction' })
    await form.getByLabel('Effect').selectOption('action')
    await form.getByText('It is then: action of /orders, but changes nothing').waitFor()
    expect(await form.getByRole('button', { name: 'Use it now' }).count()).toBe(0)
    for (const name of ['note', 'state']) await form.getByLabel('gets: add a property').selectOption(name)
    await form.getByLabel('Value of state').selectOption('shipped')
    await form.getByRole('button', { name: 'Use it now' }).waitFor()
    expect(await form.getByLabel('Value of note').inputValue()).toBe('')
    await form.getByRole('button', { name: 'Remove note' }).click()
    expect(await form.getByLabel('Value of note').count()).toBe(0)
    await form.getByLabel('values: add a property').selectOption('state')
    for (const state of ['open', 'paid']) await form.getByLabel(state).check()
    const overlay = form.locator('pre').first()
    await expect.poll(() => overlay.textContent()).toContain(shipped)
    await form.getByText('action of /orders, only if state is "open" or "paid", state becomes "shipped"').waitFor()
    await form.getByText('To keep it: save corrections.yaml, and start with it').click()
    await form.getByRole('link', { name: 'Download corrections.yaml' }).waitFor()
    await form.getByRole('button', { name: 'Remove state' }).first().click()
    await expect.poll(() => overlay.innerText()).toContain('needs: {}')
    await form.getByLabel('Effect').selectOption('list')
    await form.getByText('x-sandbox-effect must be one of').waitFor()
    expect(await findFaults(page)).toEqual([])
  })

  it('is corrected at once, with its data and requests, until somebody takes that back', async () => {
    const { page, go, send } = await openInspector(browser, { document: orders })
    for (const note of ['Tea', 'Ink']) await send('POST', '/orders', JSON.stringify({ note, state: 'open' }))
    await go('operations/printSlip')
    await page.getByRole('button', { name: 'Correct it' }).click()
    const form = page.getByRole('region', { name: 'Correction' })
    await form.getByLabel('Effect').selectOption('action')
    await form.getByLabel('gets: add a property').selectOption('state')
    await form.getByLabel('Value of state').selectOption('shipped')
    await form.getByRole('button', { name: 'Use it now' }).click()
    await form.getByText('In force until the sandbox stops').waitFor()
    await page.getByText('Changes', { exact: true }).waitFor()
    expect(await form.locator('pre').first().innerText()).toContain('state: shipped')
    expect(await page.locator(':root').evaluate((root) => root.scrollHeight - innerHeight)).toBe(0)
    expect(await page.getByText('The sandbox was started again').count()).toBe(0)
    expect((await send('POST', '/orders/22/slip')).status).toBe(200)
    expect(await (await send('GET', '/orders/22')).json()).toEqual({ id: 22, note: 'Ink', state: 'shipped' })
    await form.getByRole('button', { name: 'Take it back' }).click()
    await form.getByText('What is inferred, as an overlay').waitFor()
    await page.getByText('Changes', { exact: true }).waitFor({ state: 'hidden' })
    await go('requests')
    await expect.poll(() => page.locator('.exchange').count()).toBe(4)
    await go('data/orders')
    await page.getByText('Ink').first().waitFor()
    expect(await findFaults(page)).toEqual([])
  })

  it('that needs a state says so, and is tried with a record that has it', async () => {
    const corrected = orders.replace(
      'printSlip,',
      'printSlip, x-sandbox-effect: { effect: action, needs: { state: paid }, changes: { state: shipped } },',
    )
    const states = ['open', 'paid', 'open'].map((state, index) => ({ id: index + 1, state }))
    const { page, ...opened } = await open('printSlip', { document: corrected, scenario: { orders: states } })
    await page.getByText('only if state is "paid", state becomes "shipped"').waitFor()
    expect(await page.getByRole('article').getByText('not sure').count()).toBe(0)
    expect(await opened.field('id').inputValue()).toBe('2')
    await page.getByRole('button', { name: '409', exact: true }).click()
    await page.getByText('The next one gets 409').waitFor()
    expect(await opened.send()).toBe('409')
    await page.getByText('Not paid yet').first().waitFor()
    expect(await opened.send()).toBe('200')
  })

  it('of the service itself looks different, and has its body and its cause', async () => {
    const { page, go } = await open('addPayment')
    await go('operations')
    const list = page.getByRole('navigation', { name: 'Operations' })
    expect(await list.locator('.outgoing').allInnerTexts()).toEqual([
      expect.stringMatching(/paymentRefunded\s*webhook\s*Money went back/),
      expect.stringMatching(/settled\s*callback\s*The money is there/),
    ])
    await list.getByRole('link', { name: /paymentRefunded/ }).click()
    const article = page.getByRole('article')
    await article.getByText('Nothing sends it. x-sandbox-webhooks says after').waitFor()
    const rule = article.getByRole('link', { name: 'x-sandbox-webhooks' })
    expect(await rule.getAttribute('href')).toBe('#/docs/webhooks.md?at=x-sandbox-webhooks')
    await list.getByRole('link', { name: /settled/ }).click()
    await article.getByRole('link', { name: 'addPayment' }).waitFor()
    await article.getByText('{$request.body#/callbackUrl}').waitFor()
    await article.getByText('amount', { exact: true }).waitFor()
    await page.reload()
    await article.getByText('Thanks').waitFor()
  })
})

it.each([
  ['light', 1280],
  ['dark', 800],
  ['dark', 360],
] as const)(
  'no form of variants has faults of accessibility, or scrolls sideways, in the %s at %i px',
  async (colorScheme, width) => {
    const { page, go, write, form, field, send } = await open('addPayment', { width, colorScheme })
    await write({
      ...{ amount: 0, method: card, customerId: 'c1', receiver: { name: 'x' }, labels: { a: 'b' }, due: '2026-01-05' },
      notices: [{ channel: 'Call', text: 'x', number: 'y' }],
      lines: [{ sku: '', quantity: 1 }],
    })
    expect(await send()).toBe('422')
    await form.locator('.error').first().waitFor()
    await field('customerId').click()
    await form.locator('[role=option]').first().waitFor()
    const found = await findFaults(page)
    for (const view of [
      'operations',
      'operations/getOrder',
      'operations/sent/%2Fwebhooks%2FpaymentRefunded%2Fpost',
      'data/payments/record/1',
    ]) {
      await go(view)
      await page.locator('main :is(h2, .list):visible').first().waitFor()
      if (view.startsWith('data')) await page.getByLabel('Record as JSON').waitFor()
      found.push(...(await findFaults(page)).map((each) => `${view}: ${each}`))
    }
    expect(found).toEqual([])
  },
)
