/**
 * Measures how well documents of others are served: time, memory and notes of each document; valid and invalid requests
 * for each operation, built and judged by tools that are not ours.
 *
 * - `npm run bench documents` measures a sample of 300 by seed; `-- --sample 60 --seed 2` another one, `-- --all` all.
 * - `-- --corpus <folder>` takes the documents of a folder, `-- --only <text>` those with the text in their path.
 * - `-- --server prism` or `scalar` measures another server.
 * - What is measured is kept in `bench/results/documents` and not measured again, except with `-- --again`.
 * - `-- --against <folder>` measures the build of another checkout.
 * - `-- --page` writes the figures of all servers, side by side, into docs/documents.md.
 * - `-- --list failed|body-breaks|undocumented|accepted` prints each failure by name.
 */
import { fork } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chooseDocuments } from './documents/choose-documents.js'
import { writePage } from './documents/page.js'
import { listFailures, ownName, toReport } from './documents/report.js'
import { servers } from './documents/servers.js'

const workers = 2
const folder = fileURLToPath(new URL('results/documents/', import.meta.url))

export default async function benchDocuments({ say, ...options }) {
  const { server, seed, operations, list, again, limit, against } = options
  if (!Object.hasOwn(servers, server)) {
    throw new Error(`--server takes ${Object.keys(servers).join(', ')} (got "${server}")`)
  }
  const documents = chooseDocuments(options)
  const corpus = options.corpus === undefined ? ownName : basename(resolve(options.corpus))
  const fileOf = (id) => join(folder, `${id}-${corpus}-${seed}-${operations}.jsonl`)
  if (options.page) {
    writePage({ documents, corpus, seed, operations, resultsOf: (id) => readMeasured(fileOf(id)) })
    return { notes: ['the figures are in docs/documents.md'], hasFailed: false }
  }
  const file = fileOf(server)
  mkdirSync(folder, { recursive: true })
  const measured = again ? new Map() : readMeasured(file)
  const missing = documents.filter(({ name }) => !measured.has(name))
  say(`${documents.length} documents, of which ${documents.length - missing.length} are measured already, in ${file}`)
  const start = performance.now()
  let count = 0
  const queue = [...missing]
  const work = async (_, slot) => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const begin = performance.now()
      const result = await measure({ ...next, server, seed, operations, against, slot, slots: workers }, limit)
      const line = { ...result, totalMs: Math.round(performance.now() - begin) }
      appendFileSync(file, `${JSON.stringify(line)}\n`)
      measured.set(next.name, line)
      count += 1
      say(`${count} of ${missing.length}  ${next.name}: ${line.outcome} in ${(line.totalMs / 1000).toFixed(1)} s`)
    }
  }
  await Promise.all(Array.from({ length: workers }, work))
  const results = documents.map(({ name }) => measured.get(name))
  const minutes = (performance.now() - start) / 60_000
  if (list !== undefined) return { hasFailed: false, lists: [{ title: list, lines: listFailures(results, list) }] }
  return toReport(results, { title: servers[server].title, corpus, server, seed, operations, minutes, measured: count })
}

/** The last line of a document counts. */
function readMeasured(file) {
  let text
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return new Map()
  }
  const lines = text.split('\n').filter((line) => line !== '')
  return new Map(lines.map((line) => JSON.parse(line)).map((result) => [result.name, result]))
}

/** Runs one document in its own process group, because its server is a process of its own. */
function measure(task, limitS) {
  return new Promise((settle) => {
    const child = fork(new URL('documents/measure-document.js', import.meta.url), [JSON.stringify(task)], {
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    let result
    let step = 'loading'
    let output = ''
    child.stderr.on('data', (chunk) => {
      output = `${output}${chunk}`.slice(-500)
    })
    child.on('message', (message) => {
      if (message.result) result = message.result
      else step = message.step
    })
    const end = () => process.kill(-child.pid, 'SIGKILL')
    const timer = setTimeout(() => {
      result = { name: task.name, outcome: 'out of time', why: `${limitS} s; ${step}` }
      end()
    }, limitS * 1000)
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      settle(
        result ?? { name: task.name, outcome: 'harness', why: `ended with ${signal ?? code} at ${step}: ${output}` },
      )
    })
  })
}
