/** Time and memory of opening a world, and the time of copying a large one, in process. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createSandbox } from '../dist/index.js'
import { asides, toFigure } from './bars.js'
import { median } from './median.js'

const count = 10_000

export default async function benchWorld({ rounds, say }) {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc')
  const results = { microseconds: [], bytes: [], fork: [], restore: [] }
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
    // What is not used after this is collected before.
    await sandbox.reset()
  }
  await copyLarge(results, rounds)
  const [time, bytes, fork, restore] = Object.values(results).map((each) => toFigure(median(each)))
  const bars = [
    asides('opening a world: processor time', `${time} µs`),
    asides('opening a world: memory', `${bytes} bytes`),
    asides('fork of a world with 10,000 records of its own', `${fork} ms`),
    asides('restore of such a world from its snapshot', `${restore} ms`),
  ]
  return { bars, options: { rounds, count }, data: results }
}

/** Adds the milliseconds of each copy. */
async function copyLarge({ fork, restore }, rounds) {
  const sandbox = createSandbox({ scenario: 'empty' })
  const world = sandbox.world()
  const [{ name }] = sandbox.contract.collections
  const collection = world.collection(name)
  for (let index = 0; index < count; index++) await collection.add({ name: `name ${index}`, categoryId: index % 7 })
  const state = await world.snapshot()
  const measure = async (work) => {
    const start = performance.now()
    await work()
    return performance.now() - start
  }
  for (let round = 0; round <= rounds; round++) {
    const forked = await measure(() => world.fork(`sandbox-copy-${round}`))
    const restored = await measure(() => world.restore(state))
    if (round === 0) continue
    fork.push(forked)
    restore.push(restored)
  }
}
