// The handlers on a page that forbids the evaluation of code: `Content-Security-Policy: script-src 'self'`.

import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { rolldown } from 'rolldown'
import { expect, it, onTestFinished } from 'vitest'
import { findBrowser } from '../support/find-browser.js'
import { root } from '../support/launch.js'

const page = `
import { setupWorker } from 'msw/browser'
import { handlers } from 'petstore-sandbox/msw'

const evaluation = (() => { try { return new Function('return "allowed"')() } catch { return 'refused' } })()
await setupWorker(...handlers).start({ quiet: true })
const headers = { Authorization: 'Bearer sandbox', 'Content-Type': 'application/json' }
const address = 'https://api.petstore.example/v1/pets'
const made = await fetch(address, { method: 'POST', headers, body: '{"name":"Rex","categoryId":1}' })
const bad = await fetch(address, { method: 'POST', headers, body: '{"categoryId":"1"}' })
const list = await fetch(address, { headers })
const result = { evaluation, made: made.status, bad: bad.status, first: (await list.json())[0].name }
document.body.append(Object.assign(document.createElement('output'), { textContent: JSON.stringify(result) }))
`

it("works on a page with script-src 'self', which forbids evaluating code", async () => {
  const bundle = await rolldown({
    input: 'page.js',
    platform: 'browser',
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === 'page.js' ? join(root, 'page.js') : undefined),
        load: (id) => (id === join(root, 'page.js') ? page : undefined),
      },
    ],
  })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
  const files: Record<string, [type: string, content: string]> = {
    '/': ['text/html', '<!doctype html><meta charset="utf-8"><script type="module" src="/page.js"></script>'],
    '/page.js': ['text/javascript', output[0].code],
    '/mockServiceWorker.js': [
      'text/javascript',
      await readFile(join(root, 'node_modules/msw/lib/mockServiceWorker.js'), 'utf8'),
    ],
  }
  const server = createServer(({ url = '/' }, response) => {
    const [type, content] = files[url] ?? ['text/plain', '']
    response.writeHead(200, {
      'Content-Type': type,
      'Content-Security-Policy': "default-src 'self'; script-src 'self'; connect-src *",
    })
    response.end(content)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { launchOptions } = await findBrowser()
  const browser = await chromium.launch(launchOptions)
  onTestFinished(() => browser.close())
  const tab = await browser.newPage()
  tab.setDefaultTimeout(240_000)
  await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  expect(JSON.parse((await tab.locator('output').textContent()) ?? '')).toEqual({
    evaluation: 'refused',
    made: 201,
    bad: 400,
    first: 'Rex',
  })
})
