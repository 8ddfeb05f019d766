// The sandbox behind MSW in Node.js: it answers like the HTTP server, and does not touch other requests.

import { type HttpHandler, HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { createSandbox, SandboxError } from 'petstore-sandbox'
import { createHandlers, handlers, sandbox } from 'petstore-sandbox/msw'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { cases } from '../cases/all-cases.js'
import { documentedFetch } from '../support/in-process.js'
import { createMswTransport, whyNotInMsw } from '../support/msw-transport.js'
import type { RawResponse } from '../support/raw-request.js'
import { sizeOf } from '../support/records.js'
import { runCase } from '../support/run-case.js'

const server = setupServer()

// The option has another name in MSW 3.
beforeAll(() => server.listen({ onUnhandledRequest: 'error', ...{ onUnhandledFrame: 'error' } }))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

const msw = createMswTransport({
  use: (...each: HttpHandler[]) => server.use(...each),
  resetHandlers: () => server.resetHandlers(),
})

describe('answers with the same status, headers and bytes as without MSW', () => {
  for (const each of cases) {
    if (whyNotInMsw(each, false) !== undefined) continue
    it(each.name, async () => {
      expect(toText(await runCase(msw, each))).toEqual(toText(await runCase(documentedFetch, each)))
    })
  }
})

function toText(responses: RawResponse[]) {
  return responses.map((response) => ({ ...response, body: Buffer.from(response.body).toString('latin1') }))
}

it('skips few cases, each for a named reason', () => {
  const reasons = cases.flatMap((each) => whyNotInMsw(each, false) ?? [])
  expect(cases.length - reasons.length).toBeGreaterThan(500)
  expect([...new Set(reasons)].sort()).toMatchInlineSnapshot(`
    [
      "MSW ignores addresses below no base",
      "a Request forbids TRACE",
      "a Request with GET has no body",
      "a URL is normalised: %2e%2e is a parent",
      "a URL is normalised: braces are percent-encoded",
      "a URL is normalised: dots are resolved",
      "a URL is normalised: two slashes begin a host",
      "the documented staging address has no /staging",
    ]
  `)
})

// --- other requests ------------------------------------------------------------------------------------------------

const auth = { Authorization: 'Bearer sandbox' }
const documented = 'https://api.petstore.example/v1'

const foreign = [
  'https://api.petstore.example/',
  'https://api.petstore.example/v2/pets',
  'https://api.petstore.example/v1pets',
  'https://api.petstore.example/V1/pets',
  'https://api.petstore.example/other/v1/pets',
  'http://api.petstore.example/v1/pets',
  'https://api.petstore.example:8443/v1/pets',
  'https://petstore.example/v1/pets',
  'https://api.petstore.example.evil.example/v1/pets',
  'https://evil.example/?https://api.petstore.example/v1/pets',
  'https://evil.example/https://api.petstore.example/v1/pets',
  'https://apixpetstore.example/v1/pets',
  'https://quickstart.petstore.example/',
  'https://quickstart.petstore.example/messages/1',
  'https://quickstart.petstore.example/assets/messages',
  'http://127.0.0.1/v1/pets',
]

it.each(foreign)('leaves %s to other handlers', async (address) => {
  server.use(
    ...handlers,
    http.all('*', () => HttpResponse.text('another handler')),
  )
  const response = await fetch(address, { headers: auth })
  expect(await response.text()).toBe('another handler')
})

it.each(foreign)('leaves %s to onUnhandledRequest', async (address) => {
  server.use(...handlers)
  // The strategy is `error` here. MSW 2 reports it in the error, MSW 3 in its cause.
  const error = await fetch(address, { headers: auth }).catch((reason: Error) => reason)
  const { message, cause } = error as Error
  expect(`${message} ${cause}`).toMatch(/onUnhandled(Request|Frame)/)
})

it.each(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'])(
  'answers %s below a base itself, as the server does',
  async (method) => {
    server.use(
      ...handlers,
      http.all('*', () => HttpResponse.text('another handler')),
    )
    const response = await fetch(`${documented}/no/such/path`, { method, headers: auth })
    expect(response.status).toBe(404)
  },
)

// --- how it is used ------------------------------------------------------------------------------------------------

it('has handlers with their own sandbox and the default scenario', async () => {
  server.use(...handlers)
  const init = {
    method: 'POST',
    headers: { ...auth, 'Content-Type': 'application/json' },
    body: '{"name":"Rex","categoryId":1}',
  }
  expect((await fetch(`${documented}/pets`, init)).status).toBe(201)
  expect(await sizeOf(sandbox.world())).toBe(121)
  await sandbox.reset()
  const pets = await (await fetch(`${documented}/pets?limit=100`, { headers: auth })).json()
  expect(pets[0].id).toBe(120)
})

it('can be overridden by a handler of a test, until handlers are reset', async () => {
  server.use(...handlers)
  server.use(http.get(`${documented}/pets`, () => HttpResponse.json({ down: true }, { status: 503 })))
  expect((await fetch(`${documented}/pets`, { headers: auth })).status).toBe(503)
  server.resetHandlers(...handlers)
  expect((await fetch(`${documented}/pets`, { headers: auth })).status).toBe(200)
})

it('answers at an address of the user instead of the documented ones', async () => {
  const own = createHandlers({ baseUrl: 'http://localhost:3000/api/v1/', scenario: { pets: [] } })
  server.use(
    ...own.handlers,
    http.all('*', () => HttpResponse.text('another handler')),
  )
  const response = await fetch('http://localhost:3000/api/v1/pets/7', { headers: auth })
  expect(response.status).toBe(404)
  expect(response.headers.get('link')).toBe('</api/v1/pets>; rel="successor-version"')
  for (const address of [`${documented}/pets`, 'http://localhost:3000/api', 'http://localhost:3000/api/v1x']) {
    expect(await (await fetch(address, { headers: auth })).text()).toBe('another handler')
  }
})

it('answers at the given address of each named server', async () => {
  const own = createHandlers({ baseUrl: { staging: 'http://localhost:3000/v1', quickstart: 'http://localhost:3000' } })
  server.use(...own.handlers)
  const init = { method: 'POST', headers: { ...auth, 'Content-Type': 'application/json' } }
  const made = await fetch('http://localhost:3000/v1/pets', { ...init, body: '{"name":"Rex","categoryId":1}' })
  expect(made.status).toBe(201)
  expect(await sizeOf(own.sandbox.world(), { server: 'staging' })).toBe(121)
  expect(await sizeOf(own.sandbox.world(), { server: 'production' })).toBe(120)
  expect((await fetch('http://localhost:3000/messages', { ...init, body: '{"message":"hi"}' })).status).toBe(202)
})

it('answers with a given sandbox', async () => {
  const mine = createSandbox({ scenario: { pets: [{ id: 7, name: 'Mine', categoryId: 1 }] } })
  const own = createHandlers({ sandbox: mine })
  expect(own.sandbox).toBe(mine)
  server.use(...own.handlers)
  expect(await (await fetch(`${documented}/pets`, { headers: auth })).json()).toEqual([
    { id: 7, name: 'Mine', categoryId: 1 },
  ])
})

it.each([
  ['a relative path outside a page', '/v1', /absolute/],
  ['a server that is not there', { live: 'http://localhost/v1' }, /"live".*production, staging, quickstart/],
])('refuses %s as a base with what can be done', (_, baseUrl, why) => {
  expect(() => createHandlers({ baseUrl })).toThrow(SandboxError)
  expect(() => createHandlers({ baseUrl })).toThrow(why)
})
