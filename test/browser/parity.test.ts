// The sandbox behind MSW in a real browser: the same bytes as the HTTP server.

import { setupWorker } from 'msw/browser'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { cases } from '../cases/all-cases.js'
import { createMswTransport, whyNotInMsw } from '../support/msw-transport.js'
import { toComparable } from '../support/raw-request.js'
import { runCase } from '../support/run-case.js'

const worker = setupWorker()
const msw = createMswTransport(worker)
const httpAnswers = inject('httpAnswers')

beforeAll(async () => {
  await worker.start({ quiet: true, onUnhandledRequest: 'bypass' })
})
afterEach(() => worker.resetHandlers())
afterAll(() => worker.stop())

describe('answers in a browser as over HTTP: the same status, headers and bytes', () => {
  for (const each of cases) {
    if (whyNotInMsw(each, true) !== undefined) continue
    it(each.name, async () => {
      const answers = await runCase(msw, each)
      expect(await Promise.all(answers.map(toComparable))).toEqual(httpAnswers[each.name])
    })
  }
})

it('skips few cases, each for a named reason', () => {
  const reasons = cases.flatMap((each) => whyNotInMsw(each, true) ?? [])
  expect(cases.length - reasons.length).toBeGreaterThan(450)
  expect([...new Set(reasons)].sort()).toMatchInlineSnapshot(`
    [
      "MSW ignores addresses below no base",
      "a Request forbids TRACE",
      "a Request with GET has no body",
      "a URL is normalised: %2e%2e is a parent",
      "a URL is normalised: braces are percent-encoded",
      "a URL is normalised: dots are resolved",
      "a URL is normalised: two slashes begin a host",
      "a browser sets the header Origin itself",
      "the documented staging address has no /staging",
    ]
  `)
})
