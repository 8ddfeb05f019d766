/** Processor time of a fetch in process through our MSW handlers, beside a hand-written static handler with the same body. */
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { createHandlers } from '../dist/msw.js'
import { median } from './median.js'

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
      // The first round warms up.
      if (round > 0) times[name].push(time)
    }
  }
  server.close()
  const ratio = median(times.ours.map((time, round) => time / times.fixed[round]))
  const [limit, ours] = [median(times.fixed), median(times.ours)]
  console.log(
    `fetch through MSW, median of ${rounds} rounds: static handler ${limit.toFixed(0)} µs, ours ${ours.toFixed(0)} µs`,
  )
  console.log(`  ratio ${ratio.toFixed(2)} (at most 1.15)`)
}

/** Microseconds of processor time per request. */
async function processorTime() {
  const before = process.cpuUsage()
  for (let count = 0; count < requests; count++) await (await fetch(address, init)).text()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / requests
}
