/** Processor time of `sandbox.handle` alone, without any input or output. */
import { createSandbox } from '../dist/index.js'
import { asides, atMost, toFigure } from './bars.js'
import { requests, timeOfCall, toRequest } from './handle-requests.js'
import { median } from './median.js'

const calls = 20_000

export default async function benchHandle({ rounds, say }) {
  const sandbox = createSandbox()
  const { server, mount } = sandbox.locator.byMount('/v1/pets')
  const times = Object.fromEntries(Object.values(requests).map(({ title }) => [title, []]))
  for (let round = 0; round <= 3 * rounds; round++) {
    say(`handle: round ${round} of ${3 * rounds}`)
    for (const { title, ...request } of Object.values(requests)) {
      await sandbox.reset()
      const time = await timeOfCall(sandbox.handle, () => toRequest({ server, mount, ...request }), calls)
      // The first round is a warm-up.
      if (round > 0) times[title].push(time)
    }
  }
  const rows = Object.entries(times).map(([name, values]) => [
    name,
    toFigure(median(values)),
    toFigure(Math.min(...values)),
  ])
  const bars = Object.entries(times).map(([name, values]) =>
    name === 'list'
      ? atMost('sandbox.handle alone: list', median(values), 4, ' µs')
      : asides(`sandbox.handle alone: ${name}`, `${toFigure(median(values))} µs`),
  )
  const title = 'sandbox.handle alone, µs of processor time'
  return { tables: [{ title, head: ['', 'median', 'least'], rows }], bars, options: { rounds }, data: times }
}
