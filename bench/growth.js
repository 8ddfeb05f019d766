/** The cost of requests as the number of records and worlds grows, of a million generated records, and of large documents. */
import { Agent, request as send } from 'node:http'
import { askFirstLooks, askHealth } from './ask-health.js'
import { asides, atMost, holds, toFigure, unmeasured } from './bars.js'
import { growDocuments } from './grow-documents.js'
import { load } from './load.js'
import { median, medianRatio } from './median.js'
import { processorTime, residentMemory } from './processor-time.js'
import { ask, hasTerminal, launch, onTerminal } from './servers/launch.js'
import { ours, oursWith, rows } from './servers/subjects.js'

const named = ['list', 'filtered', 'read']
const recordCounts = [100, 10_000, 1_000_000]
const worldCounts = [1, 1_000, 10_000]
const { requests: asked } = ours

export default async function benchGrowth(options) {
  const byRecords = await growRecords(options)
  const byWorlds = await growWorlds(options)
  const byDocument = growDocuments(options)
  const control = await askHealth(options)
  const looks = await askFirstLooks(options)
  return {
    tables: [byRecords.table, byWorlds.table, byDocument.table, control.table, looks.table],
    bars: [...byRecords.bars, ...byWorlds.bars, ...byDocument.bars, ...control.bars, ...looks.bars],
    options: { rounds: options.rounds, seconds: options.seconds, connections: options.connections },
    data: {
      ...{ records: byRecords.data, worlds: byWorlds.data, documents: byDocument.data },
      ...{ control: control.data, looks: looks.data },
    },
  }
}

async function growRecords({ say, ...options }) {
  const sizes = []
  try {
    for (const count of recordCounts) {
      say(`growth: ${count} records`)
      const subject = oursWith(`ours-${count}`, ['--records', String(count)])
      const server = await launch({ ...subject, ready: asked.list })
      await new Promise((resolve) => setTimeout(resolve, 1000))
      const bytes = residentMemory(server.pid)
      const page = await ask(server.port, { ...asked.list, path: '/v1/pets?limit=100' })
      sizes.push({ count, server, bytes, textBytes: page.body.length / 100, title: `${count} records` })
    }
    const toRequests = (row) => [{ ...asked[row], path: asked[row].path.replace('/pets/100', '/pets/50') }]
    const times = await measureRounds(sizes, named, toRequests, { say, ...options })
    // Measure creations last, because they make the collections grow.
    const created = await measureRounds(sizes, ['create'], toRequests, { say, ...options })
    const [few, , million] = sizes
    const beyond = (million.bytes - few.bytes) / (million.count - few.count) - million.textBytes
    const bars = [
      ...['list', 'filtered'].map((row) => toGrowthBar(row, times, sizes, '1 M records / with 100')),
      atMost('1 M generated records: ready in', million.server.startMs / 1000, 10, ' s'),
      atMost('1 M generated records: memory per record, in addition to its text', beyond, 400, ' bytes'),
      await lookForProgress(million.count),
    ]
    const started = sizes.map(({ title, server, bytes }) => [
      title,
      toFigure(server.startMs),
      toFigure(bytes / 1024 / 1024),
    ])
    const cells = toCells(sizes, [...named, 'create'], { ...times, ...created })
    const table = {
      title: 'Growth of a collection: start, memory, and processor time per request, µs',
      head: ['', 'start, ms', 'memory, MB', ...[...named, 'create'].map((row) => rows[row].title)],
      rows: started.map((row, index) => [...row, ...cells[index]]),
    }
    const data = sizes.map(({ count, server: { startMs }, bytes, textBytes }) => ({ count, startMs, bytes, textBytes }))
    return { bars, table, data: { sizes: data, times: { ...times, ...created } } }
  } finally {
    for (const { server } of sizes) await server.close()
  }
}

/** Checks the progress that a user sees while many records are generated. */
async function lookForProgress(count) {
  const what = '1 M generated records: progress on a terminal'
  if (!hasTerminal) return unmeasured(what, 'the command "script" is not installed')
  const subject = oursWith('ours-progress', ['--records', String(count)])
  const server = await launch({ ...onTerminal(subject), ready: asked.list })
  const steps = server.output().match(/\rgenerated \d+ of \d+ records/g) ?? []
  await server.close()
  return holds(what, `shown ${steps.length} times`, 'shown', steps.length > 1)
}

async function growWorlds({ say, ...options }) {
  const sizes = []
  try {
    for (const count of worldCounts) {
      say(`growth: ${count} worlds`)
      const server = await launch({ ...oursWith(`ours-${count}-worlds`, []), ready: asked.list })
      const before = residentMemory(server.pid)
      const keys = Array.from({ length: count }, (_, index) => `sandbox-worker-${index}`)
      await openWorlds(server.port, keys)
      const bytes = residentMemory(server.pid) - before
      sizes.push({ count, server, keys, bytes, title: `${count} world${count === 1 ? '' : 's'}` })
    }
    const toRequests = (row, { keys }) => keys.map((key) => toKeyed(asked[row], key))
    const times = await measureRounds(sizes, named, toRequests, { say, ...options })
    const cells = toCells(sizes, named, times)
    const bars = [
      ...['list', 'filtered'].map((row) => toGrowthBar(row, times, sizes, '10 k worlds / with one')),
      asides('10 k worlds, each opened by a list: memory', `${toFigure(sizes[2].bytes / 1024 / 1024)} MB`),
    ]
    const table = {
      title: 'Growth of worlds, requested in turn: processor time per request, µs',
      head: ['', ...named.map((row) => rows[row].title)],
      rows: sizes.map(({ title }, index) => [title, ...cells[index]]),
    }
    return { bars, table, data: times }
  } finally {
    for (const { server } of sizes) await server.close()
  }
}

/** @returns the microseconds of each round, by row and size */
async function measureRounds(sizes, wanted, toRequests, { rounds, seconds, connections, say }) {
  const times = Object.fromEntries(wanted.map((row) => [row, sizes.map(() => [])]))
  for (let round = 0; round <= rounds; round++) {
    say(`growth: round ${round} of ${rounds}, ${wanted.join(', ')}`)
    for (const row of wanted) {
      for (const [index, size] of sizes.entries()) {
        const { port, pid } = size.server
        const options = { port, requests: toRequests(row, size), connections }
        // The first round is a warm-up.
        if (round === 0) await load({ ...options, seconds: 1 })
        else times[row][index].push(await measure(pid, { ...options, seconds }))
      }
    }
  }
  return times
}

async function measure(pid, options) {
  const before = processorTime(pid)
  const { answered, refused } = await load(options)
  if (refused > 0) throw new Error(`${refused} of ${answered} requests were refused`)
  return (processorTime(pid) - before) / answered
}

function toGrowthBar(row, times, sizes, what) {
  const most = times[row][sizes.length - 1]
  return atMost(`${rows[row].title}: processor time with ${what}`, medianRatio(most, times[row][0]), 1.2)
}

function toCells(sizes, wanted, times) {
  return sizes.map((_, index) => wanted.map((row) => toFigure(median(times[row][index]))))
}

function toKeyed(request, key) {
  return { ...request, headers: { ...request.headers, Authorization: `Bearer ${key}` } }
}

/** Sends one list request with each key. */
async function openWorlds(port, keys) {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const left = [...keys]
  const open = async () => {
    for (let key = left.pop(); key !== undefined; key = left.pop()) {
      const { method, path, headers } = toKeyed(asked.list, key)
      await new Promise((resolve, reject) => {
        const options = { host: '127.0.0.1', port, method, path, headers, agent }
        const sent = send(options, (response) => response.resume().on('end', resolve))
        sent.on('error', reject).end()
      })
    }
  }
  await Promise.all(Array.from({ length: 8 }, open))
  agent.destroy()
}
