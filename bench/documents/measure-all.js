/** Measures documents, two at a time, each in a process of its own; what is measured is kept in a file. */
import { fork } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'

const workers = 2

/**
 * @param script the module that measures one document
 * @param task what it gets besides the document
 * @param file where the results are kept, one a line
 * @param limit the seconds that one document may take
 */
export async function measureAll({ documents, script, task, file, again, limit, say }) {
  mkdirSync(dirname(file), { recursive: true })
  const known = again ? new Map() : readMeasured(file)
  const missing = documents.filter(({ name }) => !known.has(name))
  say(`${documents.length} documents, of which ${documents.length - missing.length} are measured already, in ${file}`)
  const start = performance.now()
  let measured = 0
  const queue = [...missing]
  const work = async (_, slot) => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const begin = performance.now()
      const result = await measure(script, { ...next, ...task, slot, slots: workers }, limit)
      const line = { ...result, totalMs: Math.round(performance.now() - begin) }
      appendFileSync(file, `${JSON.stringify(line)}\n`)
      known.set(next.name, line)
      measured += 1
      say(`${measured} of ${missing.length}  ${next.name}: ${line.outcome} in ${(line.totalMs / 1000).toFixed(1)} s`)
    }
  }
  await Promise.all(Array.from({ length: workers }, work))
  const minutes = (performance.now() - start) / 60_000
  return { results: documents.map(({ name }) => known.get(name)), minutes, measured }
}

/** The last line of a document counts. */
export function readMeasured(file) {
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
function measure(script, task, limitS) {
  return new Promise((settle) => {
    const child = fork(script, [JSON.stringify(task)], {
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
