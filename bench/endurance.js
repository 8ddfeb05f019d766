/** Memory growth per minute during ten minutes of lists, reads and refusals, after the first two minutes. */
import { atMost, toFigure, unmeasured } from './bars.js'
import { load } from './load.js'
import { processorTime, residentMemory } from './processor-time.js'
import { launch } from './servers/launch.js'
import { ours } from './servers/subjects.js'

const sampleMs = 5_000
const settledMinutes = 2
const what = 'memory growth per minute after minute 2 of load'

export default async function benchEndurance({ minutes = 10, connections, say }) {
  const { port, pid, close } = await launch({ ...ours, ready: ours.requests.list })
  const { list, filtered, read, unauthorized, invalid, missing } = ours.requests
  const samples = []
  const start = performance.now()
  const timer = setInterval(() => {
    const minute = (performance.now() - start) / 60_000
    samples.push({ minute, megabytes: residentMemory(pid) / 1024 / 1024 })
    if (samples.length % 12 === 0)
      say(`endurance: minute ${minute.toFixed(0)}, ${toFigure(samples.at(-1).megabytes)} MB`)
  }, sampleMs)
  const before = processorTime(pid)
  let result
  try {
    const requests = [list, read, unauthorized, filtered, read, missing, list, invalid]
    result = await load({ port, requests, connections, seconds: Math.round(minutes * 60) })
    result.microseconds = (processorTime(pid) - before) / result.answered
  } finally {
    clearInterval(timer)
    await close()
  }
  const settled = samples.filter(({ minute }) => minute >= settledMinutes)
  const bar =
    settled.length < 12 ? unmeasured(what, `${minutes} minutes are too few`) : atMost(what, toSlope(settled), 1, ' MB')
  const figures = [samples.length, result.answered, toFigure(result.perSecond), toFigure(result.microseconds)]
  const memory = [samples[0], settled[0], samples.at(-1)].map((sample) => toFigure(sample?.megabytes))
  const head = ['samples', 'requests', 'per second', 'µs', 'MB at first', 'at minute 2', 'at the end']
  return {
    tables: [{ title: `${minutes} minutes of load`, head, rows: [[...figures, ...memory]] }],
    bars: [bar],
    options: { minutes, connections },
    data: { result, samples },
  }
}

/** By least squares. */
function toSlope(samples) {
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(samples.map(({ minute }) => minute)), mean(samples.map(({ megabytes }) => megabytes))]
  let [over, under] = [0, 0]
  for (const { minute, megabytes } of samples) {
    over += (minute - x) * (megabytes - y)
    under += (minute - x) ** 2
  }
  return over / under
}
