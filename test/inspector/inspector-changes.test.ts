/** What others change while somebody looks at the inspector: the page follows, and nothing that was typed is lost. */
import { writeFile } from 'node:fs/promises'
import { startServer } from 'petstore-sandbox/node'
import { type Browser, chromium, type Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { findBrowser } from '../support/find-browser.js'
import { foreignDocuments } from '../support/foreign-documents.js'
import { type Opened, openInspector } from '../support/inspector-page.js'

let browser: Browser
beforeAll(async () => {
  browser = await chromium.launch((await findBrowser()).launchOptions)
})
afterAll(() => browser.close())

const rex = { id: 7, name: 'Rex', categoryId: 3 }
const ida = { id: 8, name: 'Ida', categoryId: 4 }
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
const live = (page: Page) => page.getByText('live', { exact: true }).waitFor()
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim())
const address = (page: Page) => page.evaluate(() => location.search + location.hash)

/** Calls the control API as another program does. */
async function control({ server }: Opened, method: string, path: string, body?: unknown): Promise<Response> {
  const response = await fetch(`${server.url}/_sandbox${path}`, {
    method,
    headers: { 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  expect(response.ok, `${method} ${path}`).toBe(true)
  return response
}

/** The record of Rex, open in the form. */
async function openRex(options = {}): Promise<Opened> {
  const opened = await openInspector(browser, { scenario: { pets: [ida, rex] }, ...options })
  await opened.go('data/pets/record/7')
  await live(opened.page)
  await opened.page.getByRole('heading', { name: 'id 7' }).waitFor()
  return opened
}

const rexOf = ({ server }: Opened) => server.sandbox.world().collection('pets').get(7)
/** Its place in the control API: the newest has the first one. */
const ofRex = '/worlds/sandbox/collections/pets/records/0'

describe('a record that is changed meanwhile', () => {
  it('keeps what was typed, shows the rest as it is now, and is saved with both', async () => {
    const opened = await openRex()
    const { page } = opened
    await page.getByLabel('name').fill('Max')
    await control(opened, 'PUT', ofRex, { ...rex, categoryId: 99 })
    await expect.poll(() => page.getByLabel('categoryId').inputValue()).toBe('99')
    expect(await page.getByLabel('name').inputValue()).toBe('Max')
    await page.getByText('not saved', { exact: true }).waitFor()
    await button(page, 'Save').click()
    await page.getByRole('cell', { name: 'Max' }).waitFor()
    expect(await rexOf(opened)).toEqual({ id: 7, name: 'Max', categoryId: 99 })
    expect(await page.getByText('not saved', { exact: true }).count()).toBe(0)
  })

  it.each([
    ['Take that', 'Bella'],
    ['Keep mine', 'Max'],
  ])('asks which of two is meant, and is not saved before: %s', async (choice, name) => {
    const opened = await openRex()
    const { page } = opened
    await page.getByLabel('name').fill('Max')
    await control(opened, 'PUT', ofRex, { ...rex, name: 'Bella' })
    await page.getByText('Meanwhile it is Bella').waitFor()
    await button(page, 'Save').click()
    await page.getByText('the same values were changed elsewhere').waitFor()
    expect(await rexOf(opened)).toMatchObject({ name: 'Bella' })
    await button(page, choice).click()
    expect(await page.getByLabel('name').inputValue()).toBe(name)
    await button(page, 'Save').click()
    await expect.poll(async () => ((await rexOf(opened)) as { name: string }).name).toBe(name)
  })

  it('follows where nothing was typed yet, and does not ask where both wrote the same', async () => {
    const opened = await openRex()
    const { page } = opened
    await page.getByLabel('name').fill('Max')
    await control(opened, 'PUT', ofRex, { ...rex, name: 'Max', status: 'sold' })
    await expect.poll(() => page.getByLabel('status').inputValue()).toBe('sold')
    await page.getByLabel('status').selectOption('pending')
    await page.getByLabel('categoryId').fill('31')
    await page.getByLabel('categoryId').fill('3')
    await button(page, 'Save').click()
    await page.getByRole('cell', { name: 'pending' }).waitFor()
    expect(await rexOf(opened)).toEqual({ ...rex, name: 'Max', status: 'pending' })
  })

  it('keeps what is typed while it is saved', async () => {
    const opened = await openRex()
    const { page } = opened
    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/records/0?*', async (route) => {
      if (route.request().method() === 'PUT') await held
      await route.continue()
    })
    await page.getByLabel('name').fill('One')
    const asked = page.waitForRequest((request) => request.method() === 'PUT')
    await button(page, 'Save').click()
    await asked
    await page.getByLabel('name').fill('One and two')
    answer()
    await page.getByRole('cell', { name: 'One', exact: true }).waitFor()
    expect(await page.getByLabel('name').inputValue()).toBe('One and two')
    await button(page, 'Save').click()
    await expect.poll(async () => ((await rexOf(opened)) as { name: string }).name).toBe('One and two')
  })

  it('shows a property that is gone, if somebody changed it here', async () => {
    const opened = await openRex()
    const { page } = opened
    const put = (more: object) => control(opened, 'PUT', `${ofRex}?validate=false`, { ...rex, ...more })
    await put({ zip: '3000' })
    await page.getByLabel('zip').fill('3001')
    await put({})
    await page.getByText('It was removed in the meantime.').waitFor()
    await button(page, 'Keep mine').click()
    await expect.poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toBe('3001')
  })

  it('and removed, can be added again with what was typed', async () => {
    const opened = await openRex()
    const { page } = opened
    await page.getByLabel('name').fill('Max')
    await control(opened, 'DELETE', ofRex)
    await page.getByText('It was removed elsewhere.').waitFor()
    await button(page, 'Add it again').click()
    await page.getByRole('cell', { name: 'Max' }).waitFor()
    expect(await rexOf(opened)).toEqual({ ...rex, name: 'Max' })
  })

  it('keeps what was typed while somebody looks elsewhere, until it is discarded', async () => {
    const { page, go } = await openRex()
    await page.getByLabel('name').fill('Max')
    await page.getByRole('link', { name: 'Worlds', exact: true }).click()
    await page.getByRole('heading', { name: 'Snapshots' }).waitFor()
    await go('data/pets/record/8')
    await page.getByRole('heading', { name: 'id 8' }).waitFor()
    expect(await page.getByLabel('name').inputValue()).toBe('Ida')
    await go('data/pets/record/7')
    await page.getByRole('heading', { name: 'id 7' }).waitFor()
    expect(await page.getByLabel('name').inputValue()).toBe('Max')
    await button(page, 'Discard changes').click()
    expect(await page.getByLabel('name').inputValue()).toBe('Rex')
  })

  it('that is gone without anything typed says so by its key', async () => {
    const opened = await openRex()
    const { page } = opened
    await control(opened, 'DELETE', ofRex)
    await page.getByText('pets has no record with id 7.').waitFor()
  })
})

describe('the page', () => {
  it('follows what other programs do by the control API', async () => {
    const opened = await openInspector(browser, { scenario: { pets: [rex] } })
    const { page, go } = opened
    await go('data/pets')
    await live(page)
    await page.getByRole('cell', { name: 'Rex' }).waitFor()
    await control(opened, 'POST', '/worlds/sandbox/collections/pets/records', { name: 'Echo', categoryId: 1 })
    await page.getByRole('cell', { name: 'Echo' }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: /^pets/ }).innerText()).toMatch(/^pets\s+changed\s+2$/)
    await go('clock')
    await page.locator('.now').getByText('2026-11-23 09:30:00').waitFor()
    await control(opened, 'PATCH', '/worlds/sandbox/clock', { travelTo: '2030-01-02T03:04:05Z' })
    await page.locator('.now').getByText('2030-01-02 03:04:05').waitFor()
    await go('faults')
    await control(opened, 'POST', '/faults', { operation: 'listPets', status: 503, times: 1 })
    await page.getByText('Fault 1: status 503').waitFor()
    await go('worlds')
    await control(opened, 'PUT', '/snapshots/before', { world: 'sandbox' })
    await page.getByRole('listitem').getByText('before', { exact: true }).waitFor()
    await control(opened, 'POST', '/worlds/sandbox/fork', { to: 'sandbox-ana' })
    await page.getByRole('heading', { name: 'sandbox-ana' }).waitFor()
  })

  it('says when the world in view is gone, and leads to another one', async () => {
    const opened = await openInspector(browser)
    const { page, go } = opened
    await control(opened, 'POST', '/keys', { name: 'ana' })
    await page.goto(`${opened.server.url}/_sandbox/?world=sandbox-ana#/data/pets`)
    await live(page)
    await page.getByText('120 records').waitFor()
    await control(opened, 'DELETE', '/keys/sandbox-ana')
    await page.getByRole('heading', { name: 'The world sandbox-ana is gone' }).waitFor()
    await button(page, 'Look at sandbox').click()
    await page.getByText('120 records').waitFor()
    await go('clock')
    await page.locator('.now').getByText('2026-11-23 09:30:00').waitFor()
    expect(await address(page)).toBe('#/clock')
  })

  it('does not make a world again that somebody else has removed', async () => {
    const opened = await openInspector(browser)
    const { page, server } = opened
    await server.sandbox.world('sandbox-ana').collection('pets').clear()
    await page.goto(`${server.url}/_sandbox/?world=sandbox-ana#/data/pets`)
    await live(page)
    await page.getByRole('heading', { name: 'No records' }).waitFor()
    await control(opened, 'DELETE', '/worlds/sandbox-ana')
    await page.getByRole('heading', { name: 'The world sandbox-ana is gone' }).waitFor()
    await control(opened, 'POST', '/keys', { name: 'bob' })
    await page.getByRole('option', { name: 'sandbox-bob' }).waitFor({ state: 'attached' })
    const { worlds } = await (await control(opened, 'GET', '/worlds')).json()
    expect(worlds.map(({ id }: { id: string }) => id)).not.toContain('sandbox-ana')
  })

  it('has the world and the key of the record in its address, which leads there again', async () => {
    const opened = await openInspector(browser)
    const { page } = opened
    await page.goto(`${opened.server.url}/_sandbox/?world=sandbox-ana`)
    await page.getByRole('link', { name: 'Data', exact: true }).click()
    await page.getByRole('link', { name: '119', exact: true }).click()
    await page.getByRole('heading', { name: 'id 119' }).waitFor()
    expect(await address(page)).toBe('?world=sandbox-ana#/data/pets/record/119')
    await page.reload()
    await page.getByRole('heading', { name: 'id 119' }).waitFor()
    expect(await page.getByLabel('World').inputValue()).toBe('sandbox-ana')
  })

  it('comes back after a restart with what is there then, and nothing of before', async () => {
    const opened = await openInspector(browser, { scenario: { pets: [rex] } })
    const { page, server, go, send } = opened
    for (let count = 0; count < 3; count++) await send('GET', '/v1/pets')
    await go('data/pets')
    await live(page)
    await page.getByRole('cell', { name: 'Rex' }).waitFor()
    await server.close()
    await page.getByText('offline', { exact: true }).waitFor()
    const next = await startServer({ port: server.port, scenario: { pets: [ida] } })
    onTestFinished(() => next.close())
    // More than before, so that no number tells the two apart.
    for (let count = 0; count < 4; count++)
      await fetch(`${next.url}/v1/pets/8`, { headers: { Authorization: 'Bearer sandbox' } })
    await live(page)
    await page.getByRole('cell', { name: 'Ida' }).waitFor()
    expect(await page.locator('.problem').count()).toBe(0)
    await page.getByRole('link', { name: 'Requests', exact: true }).click()
    const links = page.getByRole('list', { name: 'Requests, newest first' }).getByRole('link')
    await expect.poll(() => links.count()).toBe(4)
    expect(await links.first().innerText()).toContain('/v1/pets/8')
  })

  it('shows no error of the time without an answer after a restart', async () => {
    const { page, server, go } = await openInspector(browser)
    await go('operations/listPets')
    await live(page)
    await button(page, 'Send').waitFor()
    await server.close()
    await button(page, 'Send').click()
    await page.locator('.send .problem').waitFor()
    const next = await startServer({ port: server.port })
    onTestFinished(() => next.close())
    await live(page)
    await page.locator('.send .problem').waitFor({ state: 'hidden' })
  })

  it('says why a document that was saved is not served, until one is', async () => {
    const { page, go, spec } = await openInspector(browser, { document: foreignDocuments.shop, watch: true })
    await go('data/orders')
    await live(page)
    await writeFile(spec, 'openapi: [')
    await page.getByText('The saved document cannot be served').waitFor()
    await writeFile(spec, foreignDocuments.shop)
    await page.getByText('The saved document cannot be served').waitFor({ state: 'detached' })
  })
})

describe('the keyboard', () => {
  it('moves between rows, opens one, and comes back to it', async () => {
    const { page, go } = await openInspector(browser)
    await go('data/pets')
    await page.getByRole('link', { name: '120', exact: true }).focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => focused(page)).toBe('119')
    await page.keyboard.press('End')
    await expect.poll(() => focused(page)).toBe('1')
    await page.keyboard.press('PageUp')
    await expect.poll(() => focused(page)).toBe('11')
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page)).toMatch(/^id 11/)
    await page.keyboard.press('Escape')
    await expect.poll(() => focused(page)).toBe('11')
  })

  it('leaves the table where somebody scrolls', async () => {
    const pets = Array.from({ length: 2000 }, (_, at) => ({ id: at + 1, name: `Pet ${at + 1}`, categoryId: 1 }))
    const { page, go } = await openInspector(browser, { scenario: { pets } })
    await go('data/pets')
    await page.getByRole('link', { name: '1999', exact: true }).click()
    await page.getByRole('heading', { name: 'id 1999' }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => focused(page)).toBe('1999')
    await page.mouse.move(500, 400)
    const table = page.locator('.table-scroll')
    for (let count = 1; count <= 3; count++) {
      await page.mouse.wheel(0, 8000)
      // Rows are loaded there.
      await page.getByRole('link', { name: String(2000 - count * 250 - 5), exact: true }).waitFor()
      expect(await table.evaluate((element) => element.scrollTop)).toBe(count * 8000)
    }
  })

  it('goes to the next row after a removal, and to Add after the last one', async () => {
    const { page, go, server } = await openInspector(browser, { scenario: { pets: [ida, rex] } })
    await go('data/pets/record/7')
    await button(page, 'Remove').click()
    await page.getByText('1 record', { exact: true }).waitFor()
    await expect.poll(() => focused(page)).toBe('8')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'id 8' }).waitFor()
    await button(page, 'Remove').click()
    await page.getByRole('heading', { name: 'No records' }).waitFor()
    await expect.poll(() => focused(page)).toBe('Add')
    expect(await server.sandbox.world().collection('pets').size()).toBe(0)
  })

  it('goes to the first property that is wrong', async () => {
    const { page } = await openRex()
    await page.getByLabel('categoryId').fill('many')
    await page.keyboard.press('Enter')
    await page.getByText('categoryId must be an integer (got "many")').waitFor()
    await expect
      .poll(() => page.evaluate(() => document.activeElement === document.querySelector('[aria-invalid=true]')))
      .toBe(true)
  })
})

it('finds the records of owners, says that one is required, and says beside it that it does not exist', async () => {
  const { page, go, server } = await openInspector(browser, {
    document: foreignDocuments.library,
    scenario: { authors: [{ slug: 'kafka', name: 'Franz Kafka' }], books: [] },
  })
  await go('data/books/new')
  const field = page.locator('.field', { hasText: '{slug}' })
  await field.getByText('required', { exact: true }).waitFor()
  await field.getByRole('combobox').click()
  await field.getByRole('option', { name: 'kafka Franz Kafka' }).waitFor()
  await page.getByLabel(/^title/).fill('America')
  await field.getByRole('combobox').fill('nobody')
  await button(page, 'Add the record').click()
  await field.getByText('{slug} must be the slug of a record in authors (got "nobody")').waitFor()
  await field.getByRole('combobox').fill('kafka')
  await button(page, 'Add the record').click()
  await page.getByRole('heading', { name: 'id 1' }).waitFor()
  expect(await address(page)).toBe('#/data/books/record/1/kafka')
  // Its owner stays.
  expect(await field.locator('input').isDisabled()).toBe(true)
  expect(await server.sandbox.world().collection('books').size()).toBe(1)
})
