/**
 * Whether replicas with one store answer as if one program had run all requests, one after another, while replicas and
 * Redis are ended and connections are cut. Then the same with planted faults, which it has to find.
 *
 * - `npm run bench linearizable` sends 100,000 requests of 64 clients to four replicas, three times, and 10,000 for each fault.
 * - `-- --calls 2000 --rounds 1` sends fewer; `-- --only replicas` leaves out the planted faults, `--only planted` the rest, and the
 *   name of a fault all others.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asides, atMost, holds } from './bars.js'
import { createRandom } from './documents/random.js'
import { bundle } from './linearizable/bundle.js'
import { runClients } from './linearizable/clients.js'
import { faultNames } from './linearizable/planted.js'
import { freePort, startRedis } from './servers/redis.js'

const document = new URL('linearizable/shop.openapi.yaml', import.meta.url).pathname
const replicaCount = 4
/** How many requests are sent between two disturbances. */
const perDisturbance = 2500

export default async function benchLinearizable({ rounds, workers: clients = 64, calls = 100_000, only, seed, say }) {
  if (spawnSync('redis-server', ['--version']).error) throw new Error('redis-server is not installed')
  const folder = mkdtempSync(join(tmpdir(), 'petstore-sandbox-linearizable-'))
  try {
    const programs = await bundle(folder, ['replica', 'judge'])
    const { judge, readTraces } = await import(programs.judge)
    const measure = async (options) => {
      const { address, ...recorded } = await record({ folder, replica: programs.replica, ...options, readTraces })
      return { ...(await judge(document, recorded)), ...recorded.counts, sent: recorded.requests.length }
    }
    const results = []
    if (only === undefined || only === 'replicas') {
      for (let round = 0; round < rounds; round++) {
        say(`linearizable: round ${round + 1} of ${rounds}`)
        results.push(await measure({ clients, calls, seed: seed + round }))
        say(`linearizable: ${JSON.stringify(results.at(-1))}`)
      }
    }
    const planted = []
    for (const fault of faultNames) {
      if (only !== undefined && only !== 'planted' && only !== fault) continue
      const result = await measure({ clients, calls: Math.min(calls, 10_000), seed, fault })
      planted.push({ fault, ...result })
      say(`linearizable: ${fault}: ${result.count} findings (${result.findings[0]?.kind}: ${result.findings[0]?.why})`)
    }
    return report(results, planted)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Starts Redis and the replicas, sends requests, and reads what is stored. */
async function record({ folder, replica, clients, calls, seed, fault, readTraces }) {
  const random = createRandom(`linearizable ${seed}`)
  const redis = await startRedis(mkdtempSync(join(folder, 'redis-')), [
    '--appendonly',
    'yes',
    '--appendfsync',
    'always',
  ])
  const address = `redis://127.0.0.1:${redis.port}`
  const replicas = await Promise.all(Array.from({ length: replicaCount }, () => startReplica()))
  const counts = { kills: 0, restarts: 0, cuts: 0 }
  let disturbing
  let next = perDisturbance
  try {
    const ports = replicas.map(({ port }) => port)
    const onCount = (count) => {
      if (count < next || disturbing || count > calls - 500) return
      next = count + perDisturbance
      disturbing = disturb().finally(() => {
        disturbing = undefined
      })
    }
    const sent = await runClients({ ports, clients, calls, random, onCount })
    await disturbing
    return { ...sent, traces: await readTraces(address), counts, address }
  } finally {
    await disturbing
    for (const each of replicas) await each.end()
    await redis.end()
  }

  async function startReplica(port) {
    const own = port ?? (await freePort())
    const child = spawn(process.execPath, [replica, document, address, String(own), ...(fault ? [fault] : [])], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'exit')
    await Promise.race([once(child.stdout, 'data'), ended])
    if (child.exitCode !== null) throw new Error(`A replica ended with ${child.exitCode}`)
    return {
      port: own,
      async end() {
        child.kill('SIGKILL')
        await ended
      },
    }
  }

  async function disturb() {
    const kind = (counts.kills + counts.restarts + counts.cuts) % 3
    if (kind === 0) {
      counts.kills++
      const index = Math.floor(random() * replicaCount)
      await replicas[index].end()
      replicas[index] = await startReplica(replicas[index].port)
    } else if (kind === 1) {
      counts.restarts++
      await redis.restart(random() < 0.5 ? 'SIGKILL' : 'SIGTERM')
    } else {
      counts.cuts++
      await redis.cut()
    }
  }
}

function report(results, planted) {
  const head = ['', 'requests', 'judged', 'after a gap', 'kills', 'restarts', 'cuts', 'findings']
  const toRow = (name, { sent, judged, unjudged, kills, restarts, cuts, count }) =>
    [name, sent, judged, unjudged, kills, restarts, cuts, count].map(String)
  const tables = [
    {
      title: 'Replicas with one store beside one engine in memory',
      head,
      rows: [
        ...results.map((result, index) => toRow(`round ${index + 1}`, result)),
        ...planted.map((result) => toRow(result.fault, result)),
      ],
    },
  ]
  const missed = planted.filter(({ count }) => count === 0).map(({ fault }) => fault)
  const wrong = results.reduce((sum, { count }) => sum + count, 0)
  const bars = [
    ...(results.length > 0 ? [atMost('answers that one engine would not give', wrong, 0)] : []),
    ...(planted.length > 0
      ? [
          holds(
            'planted faults that are found',
            `${planted.length - missed.length} of ${planted.length}`,
            'all',
            missed.length === 0,
          ),
        ]
      : []),
    ...missed.map((fault) => asides('not found', fault)),
  ]
  const lists = results
    .filter(({ count }) => count > 0)
    .map(({ findings }, index) => ({
      title: `Round ${index + 1}`,
      lines: findings.map((each) => JSON.stringify(each)),
    }))
  return { tables, lists, bars, hasFailed: wrong > 0 || missed.length > 0, data: { results, planted } }
}
