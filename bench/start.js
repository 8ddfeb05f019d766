/** Time from the start of the process to its first 200, compared with a bare `node:http` script and the peers. */
import { atLeast, atMost, toFigure, unmeasured } from './bars.js'
import { median, medianRatio } from './median.js'
import { processorTime } from './processor-time.js'
import { ask, launch } from './servers/launch.js'
import { bareFor, ours, peers } from './servers/subjects.js'

/** Ours and the bare script start in a few milliseconds, so they need more rounds. */
const roundsOfOurs = 5

export default async function benchStart({ rounds, say }) {
  const server = await launch({ ...ours, ready: ours.requests.list })
  const { status, body } = await ask(server.port, ours.requests.list)
  await server.close()
  const bare = bareFor('bare-start', { status, headers: { 'Content-Type': 'application/json' }, body })
  const subjects = [bare, ours, ...peers]
  const times = new Map(subjects.map(({ id }) => [id, { started: [], processor: [] }]))
  const notes = []

  for (let round = 0; round < rounds * roundsOfOurs; round++) {
    const isForAll = round % roundsOfOurs === 0
    say(`start: round ${round + 1} of ${rounds * roundsOfOurs}`)
    for (const subject of isForAll ? subjects : [bare, ours]) {
      try {
        const started = await launch({ ...subject, ready: subject.requests.list, isPinned: false })
        times.get(subject.id).started.push(started.startMs)
        times.get(subject.id).processor.push(processorTime(started.pid) / 1000)
        await started.close()
      } catch (error) {
        notes.push(`${subject.title} was not measured: ${error.message}`)
      }
    }
  }

  const own = times.get('ours')
  const limit = times.get(bare.id)
  const rows = subjects.map(({ id, title }) => {
    const { started, processor } = times.get(id)
    const cells = started.length > 0 ? [median(started), Math.min(...started), median(processor)] : [NaN, NaN, NaN]
    return [title, ...cells.map(toFigure)]
  })
  const fastest = peers
    .filter(({ id }) => times.get(id).started.length > 0)
    .map(({ id, title }) => ({ title, time: median(times.get(id).started) }))
    .toSorted((a, b) => a.time - b.time)[0]
  const bars = [
    atMost('start to first 200: ours / bare node:http', medianRatio(own.started, limit.started), 1.8),
    fastest === undefined
      ? unmeasured('start to first 200: fastest peer / ours', 'no peer started')
      : atLeast(`start to first 200: fastest peer (${fastest.title}) / ours`, fastest.time / median(own.started), 1),
  ]
  const head = ['Start to first 200', 'median, ms', 'least, ms', 'processor time, ms']
  return { tables: [{ title: 'Start', head, rows }], bars, notes, options: { rounds }, data: Object.fromEntries(times) }
}
