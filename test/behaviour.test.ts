/** What each request gets, through every transport: in this process, by documented address, over HTTP. */
import { describe, expect, it } from 'vitest'
import { cases } from './cases/all-cases.js'
import type { RawResponse, Transport } from './support/raw-request.js'
import { type Case, runCase, whyNot } from './support/run-case.js'
import { transports } from './support/transports.js'

const known = new Map<Transport, Map<Case, Promise<RawResponse[]>>>(transports.map((each) => [each, new Map()]))

/** Runs a case once per transport: the tests below look at the same answers. */
function answersTo(transport: Transport, each: Case): Promise<RawResponse[]> {
  const answers = known.get(transport)?.get(each) ?? runCase(transport, each)
  known.get(transport)?.set(each, answers)
  return answers
}

for (const transport of transports) {
  describe(`through ${transport.name}`, () => {
    for (const each of cases) {
      if (whyNot(transport, each) !== undefined) continue
      it(each.name, async () => {
        await answersTo(transport, each)
      })
    }
  })
}

describe('through every transport: the same status, headers and bytes', () => {
  for (const each of cases) {
    it(each.name, async () => {
      const possible = transports.filter((transport) => whyNot(transport, each) === undefined)
      const [first, ...others] = await Promise.all(possible.map((transport) => answersTo(transport, each)))
      for (const other of others) expect(toText(other)).toEqual(toText(first))
    })
  }
})

/** Bytes as text of one character each, which is compared a thousand times faster. */
function toText(responses: RawResponse[] = []) {
  return responses.map((response) => ({ ...response, body: Buffer.from(response.body).toString('latin1') }))
}

it('tells every case by a name of its own', () => {
  const names = cases.map(({ name }) => name)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})
