/** Opens the inspector in a real browser, and fails if it does what a page of the package must not do. */
import { type RunningServer, type ServerOptions, startServer } from 'petstore-sandbox/node'
import type { Browser, Page } from 'playwright'
import { expect, onTestFinished } from 'vitest'
import { writeFolder } from './serving.js'

export interface Opened {
  page: Page
  server: RunningServer
  /** Goes to a view, such as `data/books`. */
  go(hash: string): Promise<void>
  /** Sends a request to the service, with the default key. */
  send(method: string, path: string, body?: string, headers?: Record<string, string>): Promise<Response>
  /** What the page did wrong so far: errors, refusals of its policy, requests to other origins. */
  complaints: string[]
  /** Path of the document, if one was given. */
  spec: string
}

export interface InspectorOptions extends ServerOptions {
  width?: number
  colorScheme?: 'light' | 'dark'
  /** The text of a document. */
  document?: string
}

export async function openInspector(browser: Browser, options: InspectorOptions = {}): Promise<Opened> {
  const { width = 1280, colorScheme = 'light', document, ...others } = options
  const folder = document === undefined ? '' : await writeFolder({ 'api.yaml': document })
  const server = await startServer({
    ...{ port: 0, at: '2026-11-23T09:30:00Z', now: () => 0 },
    ...(document !== undefined && { spec: `${folder}/api.yaml` }),
    ...others,
  })
  onTestFinished(() => server.close())
  const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(240_000)
  const complaints: string[] = []
  page.on('request', (request) => {
    if (!/^data:/.test(request.url()) && new URL(request.url()).origin !== server.url) complaints.push(request.url())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // Browsers log each status of an error.
    const isStatus = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isStatus) complaints.push(message.text())
  })
  page.on('dialog', (dialog) => void dialog.accept())
  onTestFinished(() => expect(complaints).toEqual([]))
  return {
    page,
    server,
    complaints,
    spec: `${folder}/api.yaml`,
    async go(hash) {
      // Another query would load the page again, and show another world.
      const search = page.url().startsWith(server.url) ? new URL(page.url()).search : ''
      await page.goto(`${server.url}/_sandbox/${search}#/${hash}`)
    },
    send: (method, path, body, headers = { Authorization: 'Bearer sandbox' }) =>
      fetch(server.url + path, {
        method,
        headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
        ...(body !== undefined && { body }),
      }),
  }
}
