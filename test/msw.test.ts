// The sandbox behind MSW in Node.js: the answers of the HTTP server, and nobody else's requests touched.

import { type HttpHandler, HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { createHandlers, handlers, sandbox } from 'petstore-sandbox/msw'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { cases } from './support/cases.js'
import { createMswTransport, whyNotInMsw } from './support/msw-transport.js'
import type { RawResponse } from './support/raw-request.js'
import { runCase } from './support/run-case.js'
import { transports } from './support/transports.js'

const server = setupServer()

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

const msw = createMswTransport({
  use: (...each: HttpHandler[]) => server.use(...each),
  resetHandlers: () => server.resetHandlers(),
})
const reference = transports.find(({ name }) => name === 'documented')

describe('answers the same status, headers and bytes as without MSW', () => {
  for (const each of cases) {
    if (whyNotInMsw(each, false) !== undefined) continue
    it(each.name, async () => {
      if (!reference) throw new Error('There is no transport to compare with')
      expect(toText(await runCase(msw, each))).toEqual(toText(await runCase(reference, each)))
    })
  }
})

function toText(responses: RawResponse[]) {
  return responses.map((response) => ({ ...response, body: Buffer.from(response.body).toString('latin1') }))
}

it('leaves out few cases, each for a reason with a name', () => {
  const reasons = cases.flatMap((each) => whyNotInMsw(each, false) ?? [])
  expect(cases.length - reasons.length).toBeGreaterThan(500)
  expect([...new Set(reasons)].sort()).toMatchInlineSnapshot(`
    [
      "MSW leaves alone what is below no base",
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
