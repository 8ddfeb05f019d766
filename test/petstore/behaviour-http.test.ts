/** What each request gets over HTTP, and that it is the same through every transport. */
import { describe, expect, it } from 'vitest'
import { cases } from '../cases/all-cases.js'
import type { RawResponse } from '../support/raw-request.js'
import { type Case, runCase, whyNot } from '../support/run-case.js'
import { http, transports } from '../support/transports.js'

const known = new Map<Case, Promise<RawResponse[]>>()

/** Runs a case once, so that all tests below compare the same answers. */
function answersTo(each: Case): Promise<RawResponse[]> {
  const answers = known.get(each) ?? runCase(http, each)
  known.set(each, answers)
  return answers
}

describe('through http', () => {
  for (const each of cases) {
    if (whyNot(http, each) !== undefined) continue
    it(each.name, async () => {
      await answersTo(each)
    })
  }
})

describe('through every transport: the same status, headers and bytes', () => {
  for (const each of cases) {
    it(each.name, async () => {
      const possible = transports.filter((transport) => whyNot(transport, each) === undefined)
      const [first, ...others] = await Promise.all(
        possible.map((transport) => (transport === http ? answersTo(each) : runCase(transport, each))),
      )
      for (const other of others) expect(toText(other)).toEqual(toText(first))
    })
  }
})

/** Bytes as text with one character each, which compares a thousand times faster. */
function toText(responses: RawResponse[] = []) {
  return responses.map((response) => ({ ...response, body: Buffer.from(response.body).toString('latin1') }))
}
