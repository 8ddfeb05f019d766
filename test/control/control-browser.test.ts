/** The control API and pages in a real browser: what pages of other origins try, each tried on a server without a guard, too. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { startServer } from 'petstore-sandbox/node'
import { type Browser, chromium, type Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { findBrowser } from '../support/find-browser.js'
import { writeFolder } from '../support/serving.js'

let browser: Browser
beforeAll(async () => {
  const { launchOptions = { args: [] } } = await findBrowser()
  const args = [...launchOptions.args, '--host-resolver-rules=MAP rebound.example 127.0.0.1']
  browser = await chromium.launch({ ...launchOptions, args })
})
afterAll(() => browser.close())

/** A server without any guard. It has what it was asked for. */
async function openUnguarded(): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = []
  const server: Server = createServer(({ method, url }, response) => {
    asked.push(`${method} ${url}`)
    const headers = {
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Headers': '*',
      'Content-Type': 'text/html',
    }
    response.writeHead(200, headers).end('<!doctype html><title>page</title>{"total":1}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

async function openPage(url: string): Promise<Page> {
  const page = await browser.newPage()
  page.setDefaultTimeout(240_000)
  onTestFinished(() => page.close())
  await page.goto(url)
  return page
}

/** What a page tries, and the request by which a server without a guard sees that it was tried. */
const attempts: [name: string, sent: string, script: (target: string) => Promise<string>][] = [
  [
    'fetch',
    'GET /_sandbox/worlds',
    async (target) => (await fetch(`${target}/_sandbox/worlds`)).text().then((text) => `read ${text}`),
  ],
  [
    'fetch without CORS',
    'POST /_sandbox/worlds/sandbox/reset',
    async (target) => {
      await fetch(`${target}/_sandbox/worlds/sandbox/reset`, { method: 'POST', mode: 'no-cors', body: '{}' })
      return 'sent'
    },
  ],
  [
    'a beacon',
    'POST /_sandbox/worlds/sandbox/reset',
    async (target) => String(navigator.sendBeacon(`${target}/_sandbox/worlds/sandbox/reset`, '{}')),
  ],
  [
    'an image',
    'GET /_sandbox/worlds/sandbox',
    (target) =>
      new Promise((resolve) => {
        const image = new Image()
        image.onload = () => resolve('loaded')
        image.onerror = () => resolve('sent')
        image.src = `${target}/_sandbox/worlds/sandbox`
      }),
  ],
  [
    'a form',
    'POST /_sandbox/worlds/sandbox/reset',
    (target) =>
      new Promise((resolve) => {
        const frame = document.createElement('iframe')
        frame.name = 'target'
        const form = document.createElement('form')
        form.method = 'post'
        form.enctype = 'text/plain'
        form.target = 'target'
        form.action = `${target}/_sandbox/worlds/sandbox/reset`
        document.body.append(frame, form)
        frame.onload = () => resolve('sent')
        form.submit()
      }),
  ],
]

describe('a page of another origin', () => {
  it.each(attempts)('reads and changes nothing by %s', async (_, sent, script) => {
    const server = await startServer({ port: 0 })
    onTestFinished(() => server.close())
    const pets = server.sandbox.world().collection('pets')
    await pets.clear()
    const evil = await openUnguarded()
    const open = await openUnguarded()
    const page = await openPage(evil.url)
    const answered = await page.evaluate(script, server.url).catch(() => 'refused')
    expect(answered).not.toMatch(/read|loaded/)
    // The same attempt arrives where nothing is guarded.
    await page.reload()
    await page.evaluate(script, open.url)
    await expect.poll(() => open.asked).toContain(sent)
    expect(await pets.size()).toBe(0)
  })

  it('reads nothing with a name that leads to this machine', async () => {
    const server = await startServer({ port: 0, allowHosts: ['rebound.example'] })
    onTestFinished(() => server.close())
    const page = await openPage(`http://rebound.example:${server.port}/_sandbox/health`)
    const read = (path: string) => page.evaluate(async (to) => (await fetch(to)).status, path)
    // The service itself is allowed to have this name.
    expect([await read('/v1/pets'), await read('/_sandbox/worlds')]).toEqual([401, 403])
  })
})

const script = `fetch('/_sandbox/worlds').then((r) => r.text()).then((t) => console.log('read ' + t), () => console.log('refused'))`
const xhtml = 'http://www.w3.org/1999/xhtml'

/** Content that runs a script when somebody opens its address. */
const scripted: [type: string, content: string][] = [
  ['text/html', `<!doctype html><script>${script}</script>`],
  ['application/xhtml+xml', `<html xmlns="${xhtml}"><head><script><![CDATA[${script}]]></script></head><body/></html>`],
  ['image/svg+xml', `<svg xmlns="http://www.w3.org/2000/svg"><script><![CDATA[${script}]]></script></svg>`],
  ['application/xml', `<a><script xmlns="${xhtml}"><![CDATA[${script}]]></script></a>`],
  ['text/xml', `<a><script xmlns="${xhtml}"><![CDATA[${script}]]></script></a>`],
]

const filesDocument = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Files', version: '1' },
  paths: {
    '/files/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: {
        responses: { 200: { description: 'ok', content: { '*/*': { schema: { type: 'string', format: 'binary' } } } } },
      },
      put: {
        requestBody: { content: { '*/*': { schema: { type: 'string', format: 'binary' } } } },
        responses: { 204: { description: 'done' } },
      },
    },
  },
})

/** A server that answers every path with a file of this type, and `/_sandbox` to anybody. */
async function openScripted(type: string, content: string): Promise<string> {
  const server = createServer(({ url }, response) => {
    const isControl = url?.startsWith('/_sandbox')
    response.writeHead(200, { 'Content-Type': isControl ? 'application/json' : type })
    response.end(isControl ? '{"total":1}' : content)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** What the script of a page reports. */
async function reportOf(url: string): Promise<string> {
  const page = await browser.newPage()
  page.setDefaultTimeout(240_000)
  onTestFinished(() => page.close())
  const reported = page.waitForEvent('console', (message) => /^(read|refused)/.test(message.text()))
  await page.goto(url)
  return (await reported).text()
}

describe('a file that another page has stored', () => {
  it.each(scripted)('of type %s does not reach the control API when somebody opens it', async (type, content) => {
    const folder = await writeFolder({ 'files.json': filesDocument })
    const server = await startServer({ port: 0, spec: join(folder, 'files.json') })
    onTestFinished(() => server.close())
    const evil = await openPage((await openUnguarded()).url)
    const put = async ([to, as, body]: readonly [string, string, string]) =>
      (await fetch(to, { method: 'PUT', headers: { 'Content-Type': as }, body })).status
    expect(await evil.evaluate(put, [`${server.url}/files/1`, type, content] as const)).toBe(204)
    expect(await reportOf(`${server.url}/files/1`)).toBe('refused')
    expect(await reportOf(`${await openScripted(type, content)}/files/1`)).toBe('read {"total":1}')
  })
})

it('a page of the sandbox itself reads and changes worlds', async () => {
  const server = await startServer({ port: 0 })
  onTestFinished(() => server.close())
  const pets = server.sandbox.world().collection('pets')
  await pets.clear()
  const page = await openPage(`${server.url}/_sandbox/health`)
  const reset = await page.evaluate(async () => {
    const headers = { 'Content-Type': 'application/json' }
    const { status } = await fetch('/_sandbox/worlds/sandbox/reset', { method: 'POST', headers })
    return [status, (await (await fetch('/_sandbox/worlds')).json()).total]
  })
  expect(reset).toEqual([200, 1])
  expect(await pets.size()).toBe(120)
})
