/** What each request gets in this process: through `handle`, `fetch`, and `fetch` with the documented addresses. */
import { describe, expect, it } from 'vitest'
import { cases } from '../cases/all-cases.js'
import { inProcess } from '../support/in-process.js'
import { runCase, whyNot } from '../support/run-case.js'

for (const transport of inProcess) {
  describe(`through ${transport.name}`, () => {
    for (const each of cases) {
      if (whyNot(transport, each) !== undefined) continue
      it(each.name, async () => {
        await runCase(transport, each)
      })
    }
  })
}

it('names every case differently', () => {
  const names = cases.map(({ name }) => name)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})
