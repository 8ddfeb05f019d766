/** The inspector in a real browser: each of its parts is used once, as a person would. */
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { type Browser, chromium, type Locator, type Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBrowser } from '../support/find-browser.js'
import { foreignDocuments } from '../support/foreign-documents.js'
import { findFaults } from '../support/inspector-faults.js'
import { openInspector } from '../support/inspector-page.js'
import { sendBytes } from '../support/raw-http.js'
import { writeFolder } from '../support/serving.js'

let browser: Browser
beforeAll(async () => {
  browser = await chromium.launch((await findBrowser()).launchOptions)
})
afterAll(() => browser.close())

const rex = '{"name":"Rex","categoryId":3}'
const wrong = '{"name":"Rex","categoryId":"3"}'
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
const path = (page: Page) => page.evaluate(() => location.hash)

describe('the page', () => {
  it('has at most 71.2 kB, gzipped, and asks for nothing else', async () => {
    const { page, server, go } = await openInspector(browser)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await go('')
    await page.getByText('live', { exact: true }).waitFor()
    const files = ['/_sandbox/', '/_sandbox/inspector.js', '/_sandbox/inspector.css']
    const sizes = await Promise.all(
      files.map(async (file) => gzipSync(await (await fetch(server.url + file)).text(), { level: 9 }).length),
    )
    const total = sizes.reduce((sum, size) => sum + size, 0)
    console.log(`inspector: ${total} bytes gzipped (${sizes.join(', ')})`)
    expect(total).toBeLessThanOrEqual(71_200)
    expect(asked.filter((each) => /\.(js|css|woff2?|png|svg)$/.test(each))).toEqual(files.slice(1).reverse())
  })

  it('runs nothing but its own script, and no page frames it', async () => {
    const { server } = await openInspector(browser)
    const { headers } = await fetch(`${server.url}/_sandbox/`)
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
  })

  it('is where a browser gets to from the root, and begins with addresses, a key, a command and data', async () => {
    const { page, server } = await openInspector(browser)
    await page.goto(server.url)
    await page.getByRole('heading', { name: 'Send a request' }).waitFor()
    const text = await page.getByRole('region', { name: 'Start' }).innerText()
    expect(page.url()).toBe(`${server.url}/_sandbox/`)
    for (const part of [`${server.url}/v1`, `${server.url}/staging/v1`, 'The key "sandbox" works'])
      expect(text).toContain(part)
    await page.getByRole('cell', { name: 'Captain', exact: true }).waitFor()
    const curl = await page.locator('.command code').first().innerText()
    const { stdout } = await promisify(execFile)('sh', ['-c', curl])
    expect(JSON.parse(stdout)).toHaveLength(3)
    // What the command did is on the page, without a reload.
    await page.getByRole('link', { name: /^200\s*GET\s*\/v1\/pets\?limit=3/ }).waitFor()
    await page.goto(`${server.url}/_sandbox/?world=sandbox-b`)
    await page.getByText('Bearer sandbox-b').waitFor()
    // Collections without records come last.
    await server.sandbox.world('sandbox-b').collection('pets').clear()
    await server.sandbox.world('sandbox-b').collection('messages').add({ message: 'Hello' })
    await page.reload()
    await page.locator('caption').last().getByText('pets').waitFor()
  })

  it('says what to do where the control API needs a token, and keeps it for the tab', async () => {
    const { page, go } = await openInspector(browser, { controlToken: 'secret-7' })
    await go('worlds')
    await page.getByLabel('Token').fill('日本')
    await button(page, 'Open the inspector').click()
    await page.getByText('The sandbox was started with another token.').waitFor()
    await page.getByLabel('Token').fill('wrong')
    await button(page, 'Open the inspector').click()
    await page.getByText('The sandbox was started with another token.').waitFor()
    await page.getByLabel('Token').fill('secret-7')
    await button(page, 'Open the inspector').click()
    await page.getByRole('heading', { name: 'Worlds' }).waitFor()
    await page.getByText('live', { exact: true }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Worlds' }).waitFor()
  })
})

describe('requests', () => {
  it('come as they are sent, and one click says which step refused one, by which keyword at which line', async () => {
    const { page, send, go } = await openInspector(browser)
    await go('requests')
    await page.getByRole('heading', { name: 'No requests yet' }).waitFor()
    await send('POST', '/v1/pets', wrong)
    await page.getByRole('link', { name: /^400\s*POST/ }).click()
    const why = page.getByRole('region', { name: 'Why' })
    expect(await why.getByRole('row').nth(1).innerText()).toMatch(
      /body categoryId\s+type\s+categoryId must be an integer \(got "3"\)\s+petstore-sandbox\/openapi\.yaml:\d+ \/components\/schemas\/NewPet\/properties\/categoryId\/type/,
    )
    expect(await why.locator('[aria-current=step]').innerText()).toContain('Validate')
  })

  it.each([
    ['GET', '/v1/cats', {}, 'Route', 'No path of the document fits /cats, below /v1'],
    ['GET', '/v1/pets', {}, 'Authenticate', 'An API key is required'],
    ['GET', '/v1/pets/4000', { Authorization: 'Bearer sandbox' }, 'Apply', 'There is no record with id 4000 in pets'],
    ['GET', '/v1/pets', { Authorization: 'Bearer sandbox', Prefer: 'code=401' }, 'Prefer', 'Prefer: code=401'],
    [
      'GET',
      '/v1/pets/7',
      { Authorization: 'Bearer sandbox' },
      'Apply',
      'read of pets: it returns the record of {petId}',
    ],
  ])('%s %s with %j is decided by %s', async (method, target, headers, step, text) => {
    const { page, send, go } = await openInspector(browser)
    await send(method, target, undefined, headers as Record<string, string>)
    await go('requests/1')
    const why = page.getByRole('region', { name: 'Why' })
    expect(await why.locator('[aria-current=step]').innerText()).toContain(step)
    expect(await why.innerText()).toContain(text)
  })

  it('are copied as commands and code that do the same, and sent again', async () => {
    const { page, server, send, go } = await openInspector(browser)
    await send('POST', '/v1/pets', `{"name":"It's","categoryId":3}`)
    await go('requests/1')
    await button(page, 'Copy as curl').click()
    const { stdout } = await promisify(execFile)('sh', ['-c', (await clipboard(page)).replace('curl', 'curl -s')])
    expect(JSON.parse(stdout)).toMatchObject({ id: 122, name: "It's" })
    await button(page, 'Copy as fetch').click()
    const code = await clipboard(page)
    const made = await new Function(`return (async () => { const response = ${code}; return response.json() })()`)()
    expect(made).toMatchObject({ id: 123, name: "It's" })
    await button(page, 'Send again').click()
    await expect.poll(() => path(page)).toBe('#/requests/4')
    expect(await server.sandbox.world().collection('pets').size()).toBe(124)
  })

  it('are found by words, by the keyboard alone, and a reload keeps the place', async () => {
    const { page, send, go } = await openInspector(browser)
    await send('GET', '/v1/pets?limit=1')
    await send('POST', '/v1/pets', wrong)
    await send('GET', '/v1/pets/3')
    await go('requests')
    const links = page.getByRole('list', { name: 'Requests, newest first' }).getByRole('link')
    await expect.poll(() => links.count()).toBe(3)
    await page.keyboard.press('/')
    await page.keyboard.type('pets get')
    await expect.poll(() => links.count()).toBe(2)
    await page.getByLabel('Filter requests').fill('')
    await button(page, 'Refused').click()
    await expect.poll(() => links.count()).toBe(1)
    await button(page, 'Refused').click()
    await links.first().focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-id'))).toBe('2')
    await page.keyboard.press('Enter')
    await page.reload()
    await page.getByRole('article', { name: 'Request 2' }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => path(page)).toBe('#/requests')
  })

  it('of hidden keys are sent again with the key that somebody gives', async () => {
    const { page, send, go, server } = await openInspector(browser, { document: foreignDocuments.library })
    await send('GET', '/api/authors', undefined, { 'X-Key': 'key-of-a-customer' })
    await go('requests/1')
    await page
      .getByText(/headers?$/)
      .first()
      .click()
    await page.getByText('[hidden]').waitFor()
    expect(await page.content()).not.toContain('key-of-a-customer')
    await button(page, 'Send again').click()
    await page.getByLabel(/^Key of the world/).fill('key-of-another')
    await button(page, 'Use this key').click()
    await page.getByText(/^This is not the key of the world .*: it opens another one$/).waitFor()
    expect(server.sandbox.journal.list()).toHaveLength(1)
    await page.getByLabel(/^Key of the world/).fill('key-of-a-customer')
    await button(page, 'Use this key').click()
    await expect.poll(() => path(page)).toBe('#/requests/2')
    expect(await page.getByRole('article').locator('.status').first().innerText()).toBe('200')
    await go('worlds')
    await button(page, 'Forget the key').click()
    await page.getByText('Its key is hidden: it may be a credential.').waitFor()
  })

  it('of hidden keys are known by a name that somebody gives', async () => {
    const { page, send, go } = await openInspector(browser, { document: foreignDocuments.library })
    await send('GET', '/api/authors', undefined, { 'X-Key': 'key-of-a-customer' })
    await go('requests')
    const row = page.getByRole('link', { name: /GET/ })
    await row.getByText(/^key [\da-f]{6}$/).waitFor()
    await go('worlds')
    const name = page.getByLabel('Name of the world')
    await name.focus()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('A')
    // What is read meanwhile does not replace what was typed.
    await send('GET', '/api/authors', undefined, { 'X-Key': 'key-of-another-one' })
    await page.getByLabel('Name of the world').nth(1).waitFor()
    await page.keyboard.type('na')
    await page.keyboard.press('Tab')
    await page.getByRole('heading', { name: 'Ana', exact: true }).waitFor()
    await go('requests')
    await page.reload()
    await row.getByText('Ana', { exact: true }).waitFor()
    await go('worlds')
    const heading = page.getByRole('heading', { name: 'Ana', exact: true })
    await heading.locator('..').getByLabel('Name of the world').fill(' ')
    await page.keyboard.press('Tab')
    await heading.waitFor({ state: 'detached' })
  })

  it('may be many: only those in view are on the page', async () => {
    const { page, send, go } = await openInspector(browser)
    await Promise.all(Array.from({ length: 300 }, () => send('GET', '/v1/pets?limit=1')))
    await go('requests')
    const list = page.locator('.rows')
    await page.getByRole('link', { name: /GET/ }).first().waitFor()
    await expect.poll(() => list.evaluate((element) => element.scrollHeight)).toBeGreaterThan(300 * 40)
    expect(await list.getByRole('link').count()).toBeLessThan(60)
    await list.getByRole('link').first().focus()
    await page.keyboard.press('End')
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-id'))).toBe('1')
  })
})

describe('what the journal hides or does not keep', () => {
  /** Keys in a cookie and in the query, and bytes. */
  const document = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Vault', version: '1' },
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'sid' },
        key: { type: 'apiKey', in: 'query', name: 'api_key' },
      },
    },
    paths: {
      '/notes': {
        parameters: [{ name: 'locale', in: 'cookie', schema: { type: 'string' } }],
        get: { operationId: 'notes', security: [{ session: [] }], responses: { 200: { description: 'ok' } } },
      },
      '/keys': { get: { operationId: 'keys', security: [{ key: [] }], responses: { 200: { description: 'ok' } } } },
      '/text': {
        get: { operationId: 'readText', responses: { 200: { description: 'ok' } } },
        post: {
          operationId: 'sendText',
          requestBody: { content: { 'text/plain': {} } },
          responses: { 204: { description: 'kept' } },
        },
      },
      '/picture': {
        put: {
          operationId: 'putPicture',
          requestBody: { required: true, content: { 'image/png': {} } },
          responses: { 204: { description: 'kept' } },
        },
        get: { operationId: 'getPicture', responses: { 200: { description: 'ok', content: { 'image/png': {} } } } },
      },
    },
  })
  /** @returns the status */
  const run = async (command: string) => {
    const quiet = command.replace('curl', 'curl -s -o /dev/null -w "%{http_code}"')
    // What is not kept is read from a file.
    const cwd = await writeFolder({ body: 'plain' })
    return (await promisify(execFile)('sh', ['-c', quiet], { cwd })).stdout
  }

  it('cookies of the sandbox are copied and sent again, those of others are left out', async () => {
    const { page, send, go } = await openInspector(browser, { document })
    await send('GET', '/notes', undefined, { Cookie: '_track=abc; locale=de; sid=sandbox' })
    await go('requests/1')
    await button(page, 'Copy as curl').click()
    const command = await clipboard(page)
    expect(command).toContain('locale=de; sid=sandbox')
    expect(command).not.toContain('_track')
    expect(await run(command)).toBe('200')
    await button(page, 'Send again').click()
    await expect.poll(() => path(page)).toBe('#/requests/3')
    expect(await page.getByRole('article').locator('.status').first().innerText()).toBe('200')
  })

  it('cookies of other programs stay as they are, and are not sent', async () => {
    const { page, send, go } = await openInspector(browser, { document })
    await send('GET', '/notes', undefined, { Cookie: 'sid=sandbox' })
    await send('GET', '/notes', undefined, {})
    await page.context().addCookies([{ name: 'sid', value: 'login-of-an-app', domain: '127.0.0.1', path: '/' }])
    await go('requests/1')
    await button(page, 'Send again').click()
    await expect.poll(() => path(page)).toBe('#/requests/3')
    expect(await page.evaluate('document.cookie')).toBe('sid=login-of-an-app')
    await go('requests/2')
    await page.getByRole('article', { name: 'Request 2' }).waitFor()
    await button(page, 'Send again').click()
    await expect.poll(() => path(page)).toBe('#/requests/4')
    expect(await page.getByRole('article').locator('.status').first().innerText()).toBe('401')
  })

  it.each([
    ['brackets', '/keys?api_key=sandbox&filter[name]=a', undefined],
    ['braces', '/keys?api_key=sandbox&q={%22a%22:1,%22b%22:2}', undefined],
    ['dots', '/keys/../keys?api_key=sandbox', undefined],
    ['a body without a type', '/text', 'plain'],
    ['a body of GET', '/text', 'plain'],
  ])('%s: the same in a copied command', async (name, target, body) => {
    const { page, server, go } = await openInspector(browser, { document })
    const method = body === undefined || name === 'a body of GET' ? 'GET' : 'POST'
    const length = body === undefined ? '' : `Content-Length: ${body.length}\r\n`
    const head = `${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n${length}\r\n`
    const [, sent] = /^HTTP\/1.1 (\d+)/.exec(await sendBytes(server.port, [head + (body ?? '')])) ?? []
    await go('requests/1')
    await button(page, 'Copy as curl').click()
    expect(await run(await clipboard(page))).toBe(sent)
    const known = server.sandbox.journal
      .list()
      .map(({ request }) => [request.method, request.path, request.query, request.body])
    expect(known).toEqual([known[0], known[0]])
  })

  it('keys are hidden in paths and escaped in bodies, and put back there', async () => {
    const { page, server, send, go } = await openInspector(browser, { document: foreignDocuments.library })
    const key = 'key "of" a customer'
    await send('GET', `/api/authors/${encodeURIComponent(key)}`, undefined, { 'X-Key': key })
    await send('POST', '/api/authors', JSON.stringify({ slug: 'a', name: key }), { 'X-Key': key })
    await go('requests/2')
    await page.getByRole('article', { name: 'Request 2' }).waitFor()
    await page.locator('.json-text', { hasText: '[hidden]' }).first().waitFor()
    await go('requests/1')
    await page.getByRole('heading', { name: /GET .*\[hidden\]$/ }).waitFor()
    expect(await page.content()).not.toContain('customer')
    await go('requests/2')
    await page.getByRole('article', { name: 'Request 2' }).waitFor()
    await button(page, 'Send again').click()
    await page.getByLabel(/^Key of the world/).fill(key)
    await button(page, 'Use this key').click()
    await expect.poll(() => path(page)).toBe('#/requests/3')
    const [, first, again] = server.sandbox.journal.list()
    expect(again?.request.body).toBe(first?.request.body)
  })

  it('hidden keys of cookies and queries are asked for, and have a place in what is copied', async () => {
    const { page, send, go } = await openInspector(browser, { document })
    await send('GET', '/notes', undefined, { Cookie: 'sid=key-of-a-customer' })
    await send('GET', '/keys?api_key=key-of-a-customer', undefined, {})
    for (const id of [1, 2]) {
      await go(`requests/${id}`)
      await page.getByRole('article', { name: `Request ${id}` }).waitFor()
      await button(page, 'Copy as curl').click()
      const command = await clipboard(page)
      expect(command).toMatch(/(sid|api_key)=YOUR_KEY/)
      expect(await run(command.replace('YOUR_KEY', 'key-of-a-customer'))).toBe('200')
    }
    await button(page, 'Send again').click()
    await page.getByLabel(/^Key of the world/).fill('key-of-a-customer')
    await button(page, 'Use this key').click()
    await expect.poll(() => path(page)).toBe('#/requests/5')
    expect(await page.content()).not.toContain('key-of-a-customer')
  })

  it('bytes are named with their size, copied with a place for them, and sent again with a file', async () => {
    const { page, server, go } = await openInspector(browser, { document })
    // One pixel.
    const bytes = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    await fetch(`${server.url}/picture`, { method: 'PUT', body: bytes, headers: { 'Content-Type': 'image/png' } })
    await fetch(`${server.url}/picture`)
    await go('requests/1')
    await page.getByText('70 bytes of image/png, not kept: no text.').waitFor()
    await button(page, 'Copy as curl').click()
    expect(await clipboard(page)).toMatch(/^curl -X PUT -H 'Content-Type: image\/png' .*--data-binary @body /i)
    const file = { name: 'a.png', mimeType: 'image/png', buffer: bytes }
    await page.getByLabel('Send again with a file').setInputFiles(file)
    await expect.poll(() => path(page)).toBe('#/requests/3')
    expect(await page.getByRole('article').locator('.status').first().innerText()).toBe('204')
    await go('requests/2')
    await page.getByText('70 bytes of image/png').waitFor()
    await page.getByRole('img', { name: 'Response body' }).waitFor()
  })
})

describe('faults', () => {
  it('let the next request fail, from beside a request', async () => {
    const { page, send, go } = await openInspector(browser)
    await send('GET', '/v1/pets?limit=1')
    await go('requests/1')
    await button(page, '503').click()
    await page.getByText('The next one gets 503').waitFor()
    expect((await send('GET', '/v1/pets?limit=1')).status).toBe(503)
    expect((await send('GET', '/v1/pets?limit=1')).status).toBe(200)
    await page.getByText('The next one gets 503').waitFor({ state: 'hidden' })
  })

  it('keep what was sent, which is sent again as it is or changed', async () => {
    const { page, send, go, server } = await openInspector(browser)
    await server.sandbox.faults.add({ times: 1, status: 503 })
    await send('POST', '/v1/pets', rex)
    await go('requests/1')
    await button(page, 'Send again').click()
    await expect.poll(() => path(page)).toBe('#/requests/2')
    await page.getByRole('link', { name: 'pets 121' }).waitFor()
    await page.getByRole('link', { name: 'Edit and send' }).click()
    expect(await page.getByRole('textbox', { name: /^name/ }).inputValue()).toBe('Rex')
    await page.getByRole('textbox', { name: /^name/ }).fill('Max')
    await button(page, 'Send').click()
    await page.getByRole('link', { name: 'pets 122' }).waitFor()
    expect(await server.sandbox.world().collection('pets').get(122)).toMatchObject({ name: 'Max', categoryId: 3 })
    await send('POST', '/v1/pets', '{"name":7,"categoryId":3}')
    await go('requests/4')
    await page.getByRole('link', { name: 'Edit and send' }).click()
    const name = page.getByRole('textbox', { name: /^name/ })
    await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true')
    await name.fill('Ida')
    await button(page, 'Send').click()
    await page.getByRole('link', { name: 'pets 123' }).waitFor()
    expect(await name.getAttribute('aria-invalid')).not.toBe('true')
  })

  it('are added, listed with how often they struck, and removed', async () => {
    const { page, send, go } = await openInspector(browser)
    await go('faults')
    await page.getByRole('heading', { name: 'Every request is answered as usual' }).waitFor()
    await page.getByLabel('Requests', { exact: true }).fill('POST /pets')
    await page.getByText('Another way to fail').click()
    await page.getByRole('textbox', { name: 'Status' }).fill('500')
    await page.getByRole('textbox', { name: 'Message' }).fill('Out of order')
    await button(page, 'Add the fault').click()
    await page.getByText('The next one fails', { exact: true }).waitFor()
    expect(await (await send('POST', '/v1/pets', rex)).json()).toMatchObject({ status: 500, message: 'Out of order' })
    await page.getByText('POST /pets in sandbox, once, over').waitFor()
    await page.getByRole('link', { name: 'hit 1 request' }).waitFor()
    await page.getByRole('textbox', { name: 'Status' }).fill('999')
    await button(page, 'Add the fault').click()
    await page.getByRole('alert').getByText('status').waitFor()
    expect(await page.getByRole('textbox', { name: 'Status' }).getAttribute('aria-invalid')).toBe('true')
    await page.getByRole('listitem').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('heading', { name: 'Every request is answered as usual' }).waitFor()
  })
})

describe('operations', () => {
  it('show effect and reason, markers, and which statuses occurred', async () => {
    const { page, send, go } = await openInspector(browser)
    await go('operations')
    await page.getByText('0 of 12 documented statuses occurred').waitFor()
    await send('GET', '/v1/pets')
    await page.getByText('1 of 12 documented statuses occurred').waitFor()
    await page.getByRole('link', { name: 'getPet' }).click()
    const detail = page.getByRole('article')
    const text = await detail.innerText()
    expect(text).toContain('because it returns the record of {petId}')
    for (const marker of ['deprecated', 'until 2030-12-05', 'GET /pets']) expect(text).toContain(marker)
  })

  it('have all columns of statuses in view, also beside long names', async () => {
    const id = 'readTheFirstOfAllTheThingsThatHaveALongName'.repeat(3)
    const documented = Object.fromEntries([200, 400, 401, 403, 404, 409].map((status) => [status, { description: '' }]))
    const document = JSON.stringify({
      ...{ openapi: '3.1.0', info: { title: 'Long', version: '1' } },
      paths: { '/things': { get: { operationId: id, responses: documented } } },
    })
    const { page, go } = await openInspector(browser, { document })
    await go('operations')
    const table = page.getByRole('region', { name: 'Statuses by operation' })
    await table.getByRole('link', { name: id }).waitFor()
    expect(await table.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0)
  })

  it('are tried in a form that succeeds as it is, and says why if it does not', async () => {
    const { page, server, go } = await openInspector(browser)
    await go('operations/createPet')
    await button(page, 'Send').click()
    const answer = page.getByRole('region', { name: 'Answer', exact: true })
    expect(await answer.locator('.status').innerText()).toBe('201')
    expect(await server.sandbox.world().collection('pets').size()).toBe(121)
    await page.getByRole('textbox', { name: /^Body/ }).fill('{"name": 5, "categoryId": 1}')
    await button(page, 'Send').click()
    await answer.getByText('name must be a string (got 5)', { exact: true }).waitFor()
    await answer.getByRole('link', { name: /Why/ }).click()
    await page
      .getByRole('region', { name: 'Why' })
      .getByText('/components/schemas/NewPet/properties/name/type')
      .waitFor()
  })

  it.each([360, 1280])('have Send in view at %i pixels, and lead to the record that one added', async (width) => {
    const { page, go } = await openInspector(browser, { width })
    await go('operations/createPet')
    const send = button(page, 'Send')
    const isInView = (locator: Locator) =>
      locator.evaluate((each) => {
        const { top, bottom } = each.getBoundingClientRect()
        return top >= 0 && bottom <= innerHeight
      })
    await send.waitFor()
    expect(await isInView(send)).toBe(true)
    await page.getByRole('heading', { name: 'Responses' }).scrollIntoViewIfNeeded()
    expect(await isInView(send)).toBe(true)
    await send.click()
    const answer = page.getByRole('region', { name: 'Answer', exact: true })
    await answer.getByText('Why?').waitFor()
    await expect.poll(() => isInView(answer)).toBe(true)
    expect(await isInView(send)).toBe(true)
    expect(await findFaults(page)).toEqual([])
    await page.getByRole('link', { name: 'pets 121' }).click()
    await page.getByRole('heading', { name: 'id 121' }).waitFor()
  })

  it('send parameters as the document says, in the world and environment in view', async () => {
    const { page, server, go } = await openInspector(browser)
    await go('operations/listPets')
    await page.getByLabel('Environment').selectOption('staging')
    await page.getByLabel('limit').fill('2')
    await page.getByLabel('status', { exact: true }).selectOption('sold')
    await button(page, 'Send').click()
    await page.getByRole('region', { name: 'Answer', exact: true }).waitFor()
    const [exchange] = server.sandbox.journal.list()
    expect(exchange).toMatchObject({ server: 'staging', key: 'sandbox', response: { status: 200 } })
    expect([...new URLSearchParams(exchange?.request.query)].sort()).toEqual([
      ['limit', '2'],
      ['status', 'sold'],
    ])
  })
})

describe('worlds', () => {
  it('are made, copied, reset and removed, each with a key to copy', async () => {
    const { page, server, send, go } = await openInspector(browser)
    await send('POST', '/v1/pets', rex)
    await go('worlds')
    await page.getByLabel('Name').first().fill('checkout')
    await page.getByLabel('Begins with').selectOption('a copy of sandbox')
    await button(page, 'Make a world').click()
    const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: /^sandbox-checkout/ }) })
    await card.getByText('in view').waitFor()
    await card.getByRole('button', { name: 'Copy the key' }).click()
    expect(await clipboard(page)).toBe('sandbox-checkout')
    const pets = server.sandbox.world('sandbox-checkout').collection('pets')
    expect(await pets.size()).toBe(121)
    await card.getByRole('button', { name: 'Reset' }).click()
    await expect.poll(() => pets.size()).toBe(120)
    await page.getByLabel('Name').first().fill('no name')
    await button(page, 'Make a world').click()
    await expect
      .poll(() =>
        page
          .getByLabel('Name')
          .first()
          .evaluate((input: HTMLInputElement) => input.validity.valid),
      )
      .toBe(false)
    await card.getByRole('button', { name: 'Remove' }).click()
    await expect.poll(() => card.count()).toBe(0)
    expect((await send('GET', '/v1/pets', undefined, { Authorization: 'Bearer sandbox-checkout' })).status).toBe(401)
  })

  it('are kept in snapshots, compared and restored', async () => {
    const { page, server, send, go } = await openInspector(browser)
    await send('POST', '/v1/pets', rex)
    await go('worlds')
    const changes = page.getByRole('region', { name: 'Compare' })
    await changes.getByText('1 only in sandbox, 0 different, 0 only in the scenario').waitFor()
    await page.getByLabel('Name').nth(1).fill('with Rex')
    await button(page, 'Take a snapshot of sandbox').click()
    await page.getByRole('listitem').getByText('with Rex').waitFor()
    await server.sandbox.world().collection('pets').remove(1)
    await send('POST', '/v1/pets', '{"name":"Ida","categoryId":1}')
    await page.getByLabel('Compared with').selectOption('the snapshot with Rex')
    await changes.getByText('1 only in sandbox, 0 different, 1 only in with Rex').waitFor()
    await button(page, 'Restore into sandbox').click()
    await changes.getByText('sandbox and with Rex have the same records').waitFor()
    expect(await server.sandbox.world().collection('pets').get(121)).toMatchObject({ name: 'Rex' })
  })
})

describe('the clock', () => {
  it('goes to a sunset by the slider, shows what is gone, and comes back', async () => {
    const { page, send, go } = await openInspector(browser)
    await send('GET', '/v1/pets/3')
    await go('clock')
    await page.getByText('No operation. Move the slider beyond a sunset.').waitFor()
    await page.getByLabel('Day to travel to').press('End')
    const gone = page.getByRole('region', { name: /^Gone on 203/ })
    await gone.getByText('gone since 2030-12-05; use GET /pets').waitFor()
    await gone.getByText('you call it').waitFor()
    await button(page, /^Travel to 203/).click()
    await page
      .locator('.now')
      .getByText(/^203\d-\d\d-\d\d \d\d/)
      .waitFor()
    expect((await send('GET', '/v1/pets/3')).status).toBe(404)
    await go('requests/2')
    expect(await page.locator('[aria-current=step]').innerText()).toContain('Removed')
    await go('clock')
    await button(page, 'Back to the present').click()
    await page.locator('.now').getByText('2026-11-23 09:30:00').waitFor()
    expect((await send('GET', '/v1/pets/3')).status).toBe(200)
    await button(page, 'All worlds').click()
    const sunset = button(page, /^(Next|Last) sunset/)
    const place = await sunset.boundingBox()
    await sunset.click()
    await page.locator('.now').getByText('2030-12-05 00:00:00').waitFor()
    expect(await sunset.boundingBox()).toMatchObject({ x: place?.x, y: place?.y })
    expect(await sunset.isDisabled()).toBe(true)
    expect((await send('GET', '/v1/pets/3', undefined, { Authorization: 'Bearer sandbox-b' })).status).toBe(404)
  })
})

it('shows another document as soon as it is served', async () => {
  const { page, go, spec } = await openInspector(browser, { document: foreignDocuments.shop, watch: true })
  await go('data/orders/new')
  await page.getByLabel('total').waitFor()
  await writeFile(spec, foreignDocuments.shop.replace('title: Shop', 'title: Market').replaceAll('total:', 'sum:'))
  await page.getByRole('heading', { name: 'Market 1' }).waitFor()
  await page.getByLabel('sum').waitFor()
  await go('operations/listOrders')
  await page.getByRole('button', { name: 'Correct it' }).click()
  await page.getByText('What is inferred, as an overlay').click()
  await page.getByText('What is inferred of Market 1').waitFor()
  await writeFile(spec, foreignDocuments.shop.replace('title: Shop', 'title: Fair'))
  await page.getByText('What is inferred of Fair 1').waitFor()
})

it('is not in the log and the journal of the sandbox, except for what somebody changes by it', async () => {
  const logged: string[] = []
  const { page, server, send, go } = await openInspector(browser, {
    onExchange: ({ method, target }) => logged.push(`${method} ${target}`),
  })
  await go('worlds')
  await page.getByText('live', { exact: true }).waitFor()
  await send('GET', '/v1/pets?limit=1')
  await go('requests/1')
  await button(page, '503').click()
  await page.getByText('The next one gets 503').waitFor()
  expect(logged.filter((each) => !/inspector|\/_sandbox\/$|openapi/.test(each))).toEqual([
    'GET /v1/pets?limit=1',
    'POST /_sandbox/faults',
  ])
  expect(server.sandbox.journal.size).toBe(1)
})
