/** Time and memory of opening a world, in process. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createSandbox } from '../dist/index.js'
import { asides, toFigure } from './bars.js'
import { median } from './median.js'

const count = 10_000

export default async function benchWorld({ rounds, say }) {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc')
  const results = { microseconds: [], bytes: [] }
  for (let round = 0; round <= rounds; round++) {
    say(`world: round ${round} of ${rounds}`)
    const sandbox = createSandbox()
    collectGarbage()
    const heap = process.memoryUsage().heapUsed
    const before = process.cpuUsage()
    for (let index = 0; index < count; index++) await sandbox.world(`sandbox-worker-${index}`).clock.now()
    const { user, system } = process.cpuUsage(before)
    collectGarbage()
    // The first round is a warm-up.
    if (round === 0) continue
    results.microseconds.push((user + system) / count)
    results.bytes.push((process.memoryUsage().heapUsed - heap) / count)
  }
  const [time, bytes] = [toFigure(median(results.microseconds)), toFigure(median(results.bytes))]
  const bars = [
    asides('opening a world: processor time', `${time} µs`),
    asides('opening a world: memory', `${bytes} bytes`),
  ]
  return { bars, options: { rounds, count }, data: results }
}
