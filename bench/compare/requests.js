/** One pair of `requests`: starts both servers, and measures each row on both in turn. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { preciseProcessorTime } from '../processor-time.js'
import { launch, onCore } from '../servers/launch.js'
import { rows } from '../servers/subjects.js'
import { workFolder } from '../work-folder.js'
import { shuffle } from './turns.js'

const sender = fileURLToPath(new URL('send.js', import.meta.url))
/** Numbers of requests to each server: warm-up of all rows, warm-up of each row, and measured per row. */
const counts = { begin: 4_000, warmUp: 1_000, measured: 10_000 }

/** @returns the processor time of a request, by row and build */
export async function compareRequests(builds, { rows: wanted, connections }) {
  const first = shuffle(wanted.filter((row) => row !== 'create'))
  // Creations come last, because they make the collection grow.
  const named = [...first, ...wanted.filter((row) => row === 'create')]
  const times = {}
  const servers = []
  try {
    for (const { id, subject } of builds) {
      servers.push({ id, subject, ...(await launch({ ...subject, ready: subject.requests.list })) })
    }
    if (first.length > 0) await send(servers, first, counts.begin, connections)
    for (const row of named) {
      await send(servers, [row], counts.warmUp, connections)
      const before = servers.map(({ pid }) => preciseProcessorTime(pid))
      await send(servers, [row], counts.measured, connections)
      const used = servers.map(({ id, pid }, index) => [id, preciseProcessorTime(pid) - before[index]])
      times[row] = Object.fromEntries(used.map(([id, time]) => [id, time / counts.measured]))
    }
  } finally {
    for (const { close } of servers) await close()
  }
  return Object.fromEntries(wanted.map((row) => [row, times[row]]))
}

async function send(servers, asked, count, connections) {
  const file = join(workFolder(), 'send.json')
  const targets = servers.map(({ port, subject }) => ({ port, requests: asked.map((row) => subject.requests[row]) }))
  writeFileSync(file, JSON.stringify({ targets, connections, count }))
  const [command, ...args] = onCore(1, [process.execPath, sender, file])
  const { stdout } = await promisify(execFile)(command, args)
  const expected = asked.flatMap((row) => rows[row].statuses.map(String))
  for (const [index, statuses] of JSON.parse(stdout).entries()) {
    const wrong = Object.keys(statuses).find((status) => !expected.includes(status))
    if (wrong !== undefined) throw new Error(`${servers[index].id} answered ${asked.join(', ')} with ${wrong}`)
  }
}
