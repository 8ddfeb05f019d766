/** Processor time of a fetch through our MSW handlers, compared with a static handler that sends the same body. */
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { createHandlers } from '../dist/msw.js'
import { asides, atMost, toFigure } from './bars.js'
import { median, medianRatio } from './median.js'

const rounds = 15
const requests = 1000
const address = 'https://api.petstore.example/v1/pets'
const init = { headers: { Authorization: 'Bearer sandbox' } }

export default async function benchMsw() {
  const { handlers, sandbox } = createHandlers()
  const body = await (await sandbox.fetch(address, init)).text()
  const fixed = http.get(address, () => new HttpResponse(body, { headers: { 'Content-Type': 'application/json' } }))
  const server = setupServer()
  server.listen({ onUnhandledRequest: 'error' })
  const times = { fixed: [], ours: [] }
  for (let round = 0; round <= rounds; round++) {
    for (const [name, each] of [
      ['fixed', [fixed]],
      ['ours', handlers],
    ]) {
      server.resetHandlers(...each)
      const time = await processorTime()
      // The first round is a warm-up.
      if (round > 0) times[name].push(time)
    }
  }
  server.close()
  const [limit, own] = [median(times.fixed), median(times.ours)]
  return {
    bars: [
      atMost('fetch through MSW: ours / a hand-written static handler', medianRatio(times.ours, times.fixed), 1.15),
      asides('  processor time of each', `${toFigure(own)} and ${toFigure(limit)} µs`),
    ],
    options: { rounds, requests },
    data: times,
  }
}

/** Microseconds of processor time per request. */
async function processorTime() {
  const before = process.cpuUsage()
  for (let count = 0; count < requests; count++) await (await fetch(address, init)).text()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / requests
}
