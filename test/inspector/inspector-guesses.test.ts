/** The guesses that decided answers, in a real browser: their marks, and the buttons that confirm and correct them. */
import { type Browser, chromium, type Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBrowser } from '../support/find-browser.js'
import { findFaults } from '../support/inspector-faults.js'
import { type Opened, openInspector } from '../support/inspector-page.js'

let browser: Browser
beforeAll(async () => {
  browser = await chromium.launch((await findBrowser()).launchOptions)
})
afterAll(() => browser.close())

const orders = `openapi: 3.1.0
info: { title: Orders, version: 1.0.0 }
paths:
  /orders:
    get:
      operationId: listOrders
      parameters: [{ name: limit, in: query, schema: { type: integer, default: 2 } }, { name: mood, in: query, schema: { type: string } }]
      responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Order' } } } } } }
    post: { operationId: addOrder, requestBody: { content: &order { application/json: { schema: { $ref: '#/components/schemas/Order' } } } }, responses: { '201': { description: ok, content: *order } } }
  /orders/{id}:
    parameters: &id [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getOrder, responses: { '200': { description: ok, content: *order } } }
  /orders/{id}/sparkle:
    parameters: *id
    post: { operationId: sparkle, responses: { '200': { description: ok, content: *order } } }
  /orders/{id}/cancel:
    parameters: *id
    post: { operationId: cancel, responses: { '200': { description: ok, content: *order } } }
components:
  schemas:
    Order:
      type: object
      required: [level]
      properties:
        id: { type: integer }
        note: { type: string }
        parts: { type: array, items: { type: object, properties: { size: { type: integer }, state: { type: string } } } }
        level: { type: integer, minimum: 3, readOnly: true }
        state: { type: string, enum: [open, paid, cancelled], readOnly: true }
`
const tea = '{"note":"Tea","parts":[{"size":1,"state":"new"}]}'

/** Adds two orders, sends another request, and shows it. */
async function ask(method: string, path: string, options = {}): Promise<Opened> {
  const opened = await openInspector(browser, { document: orders, scenario: { orders: [] }, ...options })
  for (let count = 0; count < 2; count++) await opened.send('POST', '/orders', tea)
  await opened.send(method, path, method === 'POST' ? tea : undefined)
  await opened.go('requests/3')
  return opened
}
const mark = (page: Page) => page.getByRole('button', { name: /^guess / })
const button = (page: Page, name: RegExp) => page.getByRole('button', { name })
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '')
/** What is before a mark: the end of the name of a property, the start of a list, or the status. */
const before = (page: Page) =>
  mark(page).evaluate((each) => {
    const names = [...(each.closest('pre')?.querySelectorAll('.json-name') ?? [])]
    const isBefore = (other: Element) => (each.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_PRECEDING) > 0
    return each.closest('pre')
      ? (names.filter(isBefore).at(-1)?.textContent ?? '[')
      : each.previousElementSibling?.className
  })

const notInForm = /The form has no part for it/
const guesses: [method: string, path: string, fact: string, place: string, form: RegExp][] = [
  ['POST', '/orders', 'nothing says what a new record of /orders has besides what is sent', '"level"', notInForm],
  [
    'POST',
    '/orders/1/sparkle',
    'POST /orders/{id}/sparkle changes nothing',
    'status s2',
    /but changes nothing: say what/,
  ],
  [
    'POST',
    '/orders/1/cancel',
    'POST /orders/{id}/cancel sets state to "cancelled"',
    '"state"',
    /state becomes "cancelled"/,
  ],
  ['GET', '/orders?mood=x', '"mood" of GET /orders has no effect', 'status s2', notInForm],
  ['GET', '/orders', 'lists begin with the oldest record', '[', notInForm],
  ['GET', '/orders/99', 'errors without a documented body have a code and a message', 'status s4', notInForm],
]

describe('a guess', () => {
  it.each(guesses)('that decided the answer to %s %s is marked, and confirmed', async (method, path, fact, place) => {
    const { page, server } = await ask(method, path)
    expect(await mark(page).getAttribute('aria-label')).toContain(fact)
    expect(await before(page)).toBe(place)
    expect(await page.locator('.tip').isVisible()).toBe(false)
    await mark(page).hover()
    await page.locator('.tip').getByText(fact).waitFor()
    await mark(page).press('Enter')
    await expect.poll(() => focused(page)).toContain(fact)
    await page.keyboard.press('Tab')
    await expect.poll(() => focused(page)).toBe(`Right ${fact}`)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'No guess is left' }).waitFor()
    expect(await mark(page).count()).toBe(0)
    expect(await focused(page)).toBe('No guess is left')
    const facts = await (await fetch(`${server.url}/_sandbox/open-facts`)).text()
    expect(facts).not.toContain(JSON.stringify(fact))
    await button(page, /^Undo$/).click()
    await mark(page).waitFor()
    await button(page, /^Right/).waitFor()
  })

  it.each(guesses)('that is wrong about %s %s is corrected in the form', async (method, path, fact, _, said) => {
    const { page } = await ask(method, path)
    await button(page, /^Wrong/).click()
    const form = page.getByRole('region', { name: 'Correction' })
    await form.getByText(`Wrong: ${fact}`).waitFor()
    await form.getByText(said).waitFor()
    expect(await form.getByRole('button', { name: 'Copy the action' }).count()).toBe(said === notInForm ? 1 : 0)
    await expect.poll(() => focused(page)).toContain(`Wrong: ${fact}`)
  })

  it('of an operation is listed there, with the file that keeps what was confirmed', async () => {
    const { page, go } = await openInspector(browser, { document: orders })
    await go('operations/addOrder')
    await button(page, /^Right nothing says what a new record/).click()
    await page.getByText('Confirmed until the sandbox stops: 1. To keep it: save corrections.yaml').click()
    expect(await page.locator('.guesses pre').first().innerText()).toContain('x-sandbox-confirmed:\n        - first')
    await go('operations/sparkle')
    await button(page, /^Wrong/).click()
    await page.getByLabel('gets: add a property').selectOption('state')
    await page.getByLabel('Value of state').selectOption('paid')
    await button(page, /^Use it now$/).click()
    await button(page, /^Wrong/).waitFor({ state: 'detached' })
    expect(await page.locator('.correction pre').first().innerText()).toMatch(/- first[\s\S]*state: paid/)
  })

  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('has no fault of accessibility, in the %s at %i px', async (colorScheme, width) => {
    const { page } = await ask('GET', '/orders', { width, colorScheme })
    const found: string[] = []
    await mark(page).focus()
    await page.locator('.tip').waitFor()
    found.push(...(await findFaults(page)))
    await button(page, /^Wrong/)
      .first()
      .click()
    await page.getByRole('region', { name: 'Correction' }).waitFor()
    expect([...found, ...(await findFaults(page))]).toEqual([])
  })
})
