/**
 * Rate and processor time of reads and creates with each store, beside those without one, in turn. Redis is left out if
 * `redis-server` is not installed.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atLeast, atMost, toFigure } from './bars.js'
import { load } from './load.js'
import { median } from './median.js'
import { processorTime } from './processor-time.js'
import { launch } from './servers/launch.js'
import { startRedis } from './servers/redis.js'
import { ours, oursWith } from './servers/subjects.js'

const rows = ['read', 'create']
const hasRedis = !spawnSync('redis-server', ['--version']).error

export default async function benchStores({ rounds, seconds, connections, say }) {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-sandbox-bench-'))
  const redis = hasRedis ? await startRedis(folder, ['--appendonly', 'yes', '--appendfsync', 'everysec']) : undefined
  const figures = {}
  const keep = (store, row, { perSecond, micros }) => {
    figures[store] ??= Object.fromEntries(rows.map((name) => [name, { perSecond: [], micros: [] }]))
    figures[store][row].perSecond.push(perSecond)
    figures[store][row].micros.push(micros)
  }
  try {
    for (let round = 0; round < rounds; round++) {
      const subjects = {
        memory: [],
        file: ['--store', `file:${join(folder, `${round}.db`)}`],
        ...(redis && { redis: ['--store', `redis://127.0.0.1:${redis.port}?prefix=bench-${round}`] }),
      }
      for (const [store, options] of Object.entries(subjects)) {
        say(`stores: round ${round + 1} of ${rounds}, ${store}`)
        await measureIn(store, options)
      }
    }
  } finally {
    await redis?.end()
    rmSync(folder, { recursive: true })
  }
  return report(figures, { rounds, seconds, connections })

  async function measureIn(store, options) {
    const server = await launch({ ...oursWith(`store-${store}`, options), ready: ours.requests.read })
    try {
      for (const row of rows) {
        const sent = { port: server.port, requests: [ours.requests[row]], connections }
        await load({ ...sent, seconds: 1 })
        const before = processorTime(server.pid)
        const { answered, refused, perSecond } = await load({ ...sent, seconds })
        if (refused > 0) throw new Error(`${refused} of ${answered} requests were refused with the store ${store}`)
        keep(store, row, { perSecond, micros: (processorTime(server.pid) - before) / answered })
      }
    } finally {
      await server.close()
    }
  }
}

function report(figures, options) {
  const ratio = (store, row, of) =>
    median(figures[store][row][of].map((value, index) => value / figures.memory[row][of][index]))
  const stores = Object.keys(figures)
  const table = stores.flatMap((store) =>
    rows.map((row) => {
      const { perSecond, micros } = figures[store][row]
      const shares = ['perSecond', 'micros'].map((of) => ratio(store, row, of).toFixed(2))
      return [store, row, toFigure(median(perSecond)), shares[0], toFigure(median(micros)), shares[1]]
    }),
  )
  const head = ['store', 'row', 'a second', 'of memory', 'µs of processor time', 'of memory']
  const bars = [
    atLeast('a file: reads beside memory', ratio('file', 'read', 'perSecond'), 0.9),
    atLeast('a file: creates beside memory', ratio('file', 'create', 'perSecond'), 0.4),
    ...(figures.redis
      ? rows.map((row) => atMost(`Redis: processor time of a ${row} beside memory`, ratio('redis', row, 'micros'), 2))
      : []),
  ]
  return { tables: [{ title: 'Worlds in stores', head, rows: table }], bars, options, data: figures }
}
