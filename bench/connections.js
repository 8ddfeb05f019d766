/** Throughput, latency and processor time with 1, 64 and 1024 connections, for ours and for bare `node:http`. */
import { asides, atMost, toFigure, withSpread } from './bars.js'
import { load } from './load.js'
import { median, medianRatio } from './median.js'
import { processorTime } from './processor-time.js'
import { ask, launch } from './servers/launch.js'
import { bareFor, ours } from './servers/subjects.js'

const counts = [1, 64, 1024]
const warmUpSeconds = 2
/** A multiple of the option: in a short run one garbage collection or other process decides the p99. */
const patience = 3

export default async function benchConnections({ rounds, seconds, say }) {
  const ourServer = await launch({ ...ours, ready: ours.requests.list })
  const { status, body } = await ask(ourServer.port, ours.requests.list)
  const subject = bareFor('bare-connections', { status, headers: { 'Content-Type': 'application/json' }, body })
  const bareServer = await launch({ ...subject, ready: ours.requests.list })
  const servers = [
    { title: subject.title, server: bareServer, results: new Map(counts.map((count) => [count, []])) },
    { title: ours.title, server: ourServer, results: new Map(counts.map((count) => [count, []])) },
  ]
  const requests = [ours.requests.list]
  try {
    for (const { server } of servers) {
      await load({ port: server.port, requests, connections: 64, seconds: warmUpSeconds })
    }
    for (let round = 0; round < 2 * rounds; round++) {
      for (const count of counts) {
        for (const { title, server, results } of servers) {
          say(`connections: round ${round + 1} of ${2 * rounds}, ${count} to ${title}`)
          const before = processorTime(server.pid)
          const result = await load({ port: server.port, requests, connections: count, seconds: patience * seconds })
          const microseconds = (processorTime(server.pid) - before) / result.answered
          results.get(count).push({ ...result, microseconds })
        }
      }
    }
  } finally {
    for (const { server } of servers) await server.close()
  }
  const figures = ({ results }, count, figure) => results.get(count).map((result) => result[figure])
  const rows = counts.flatMap((count) =>
    servers.map((each) => [
      `${count}, ${each.title}`,
      ...['microseconds', 'perSecond', 'p50', 'p99'].map((figure) => toFigure(median(figures(each, count, figure)))),
    ]),
  )
  const delays = servers.map((each) => figures(each, 64, 'p99'))
  const [limit, own] = delays
  const least = Math.min(...own) / Math.min(...limit)
  const bars = [
    withSpread(
      atMost('p99 under 64 connections: ours / bare node:http', medianRatio(own, limit), 1.5),
      own.map((delay, round) => delay / limit[round]),
    ),
    asides('  the same, in the best round of each', toFigure(least)),
  ]
  const head = ['connections', 'processor time, µs', 'per second', 'p50, ms', 'p99, ms']
  const data = servers.map(({ title, results }) => ({ title, results: Object.fromEntries(results) }))
  return {
    tables: [{ title: 'Connections, each with lists', head, rows }],
    bars,
    options: { rounds, seconds: patience * seconds },
    data,
  }
}
