import { setupWorker } from 'msw/browser'
import { handlers } from 'petstore-sandbox/msw'
import { test as base } from 'petstore-sandbox/vitest'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { page } from 'vitest/browser'
import { createApi } from '../src/api.js'
import { mountPage } from '../src/page.js'
import '../src/style.css'

const worker = setupWorker(...handlers)

beforeAll(async () => {
  await worker.start({ quiet: true, onUnhandledRequest: 'bypass' })
})
afterEach(() => worker.resetHandlers())
afterAll(() => worker.stop())

/** The page, filled with what the test's own key sees. */
const test = base.extend<{ main: HTMLElement }>({
  main: async ({ key }, use) => {
    const main = document.createElement('main')
    document.body.append(main)
    await mountPage(main, createApi(key))
    await use(main)
    main.remove()
  },
})

const animals = page.getByRole('listitem')
const error = page.getByRole('alert')

async function add(name: string, category: string) {
  await page.getByLabelText('Name').fill(name)
  await page.getByLabelText('Category').fill(category)
  await page.getByRole('button', { name: 'Add' }).click()
}

test('lists the newest twenty animals', async ({ main }) => {
  expect(main.querySelectorAll('li')).toHaveLength(20)
  await expect.element(animals.first()).toHaveTextContent('Captain')
  expect(main.querySelector<HTMLElement>('[role=alert]')?.hidden).toBe(true)
})

test('shows the animals of one status', async ({ main }) => {
  await page.getByLabelText('Show').selectOptions('sold')
  await expect.poll(() => main.querySelectorAll('li[data-status=sold]').length).toBe(20)
  expect(main.querySelectorAll('li')).toHaveLength(20)
})

test('shows first what was added', async ({ main, world }) => {
  await add('Rex', '3')
  await expect.element(animals.first()).toHaveTextContent('#121 Rex available')
  expect(main.querySelectorAll('li')).toHaveLength(20)
  expect(await world.collection('pets').size()).toBe(121)
})

test('does not see what another test added', async ({ main }) => {
  expect(main.textContent).not.toContain('Rex')
})

test('says why an animal was not added, and keeps what was typed', async ({ main, world }) => {
  await add('Rex', 'dogs')
  await expect.element(error).toHaveTextContent('categoryId must be an integer (got "dogs")')
  await expect.element(page.getByLabelText('Name')).toHaveValue('Rex')
  expect(await world.collection('pets').size()).toBe(120)
  await add('Rex', '3')
  await expect.element(animals.first()).toHaveTextContent('Rex')
  expect(main.querySelector<HTMLElement>('[role=alert]')?.hidden).toBe(true)
})
