/** Resident memory at rest and after load, of ours, of bare `node:http` and of the peers. */
import { atMost, toFigure } from './bars.js'
import { load } from './load.js'
import { median } from './median.js'
import { residentMemory } from './processor-time.js'
import { ask, launch } from './servers/launch.js'
import { bareFor, ours, peers } from './servers/subjects.js'

const loadSeconds = 3
const restMs = 1000
const megabyte = 1024 * 1024
const rest = () => new Promise((resolve) => setTimeout(resolve, restMs))

export default async function benchMemory({ rounds, connections, say }) {
  const server = await launch({ ...ours, ready: ours.requests.list })
  const { status, body } = await ask(server.port, ours.requests.list)
  await server.close()
  const bare = bareFor('bare-memory', { status, headers: { 'Content-Type': 'application/json' }, body })
  const subjects = [bare, ours, ...peers]
  const taken = new Map(subjects.map(({ id }) => [id, { atRest: [], afterLoad: [] }]))
  const notes = ['after load: one second after three seconds of lists; ours keeps a journal of at most 32 MiB']
  for (let round = 0; round < rounds; round++) {
    // Memory hardly varies between starts, so one round is enough for the peers.
    for (const subject of round === 0 ? subjects : [bare, ours]) {
      say(`memory: round ${round + 1} of ${rounds}, ${subject.title}`)
      try {
        await measure(subject, taken.get(subject.id))
      } catch (error) {
        notes.push(`${subject.title} was not measured: ${error.message}`)
      }
    }
  }
  const middle = (id, when) => (taken.get(id)[when].length > 0 ? median(taken.get(id)[when]) : Number.NaN)
  const rows = subjects.map(({ id, title }) => [
    title,
    toFigure(middle(id, 'atRest')),
    toFigure(middle(id, 'afterLoad')),
  ])
  const bars = [
    atMost('memory at rest above bare node:http', middle('ours', 'atRest') - middle(bare.id, 'atRest'), 25, ' MB'),
  ]
  const tables = [{ title: 'Resident memory, MB', head: ['', 'at rest', 'after load'], rows }]
  return { tables, bars, notes, options: { rounds, connections, loadSeconds }, data: Object.fromEntries(taken) }

  async function measure(subject, { atRest, afterLoad }) {
    const { port, pid, close } = await launch({ ...subject, ready: subject.requests.list })
    try {
      await rest()
      const before = residentMemory(pid) / megabyte
      await load({ port, requests: [subject.requests.list], connections, seconds: loadSeconds })
      await rest()
      atRest.push(before)
      afterLoad.push(residentMemory(pid) / megabyte)
    } finally {
      await close()
    }
  }
}
