/** Prepares pairs in two processes, each of bounded time and memory, and keeps what was found in a folder for each pair. */
import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hashOf, packageFile, readVersion } from './versions.js'

const script = fileURLToPath(new URL('prepare-pair.js', import.meta.url))
const workers = 2
const memoryMb = 2500
/** Prism keeps the schemas of all documents. */
const pairsPerProcess = 20

/**
 * @param limit the seconds that one pair may take
 * @param again whether known results are found anew
 * @returns the pairs with `{ id, folder, oldFile, newFile, prepared }`
 */
export async function preparePairs(pairs, { folder, seed, repositories, limit, again, say }) {
  const version = versionOfOracle()
  const queue = pairs.map((pair) => ({ pair, ...toTask(pair) }))
  const all = [...queue]
  await Promise.all(Array.from({ length: workers }, work))
  return all

  function toTask({ name, old, new: newer }) {
    const id = hashOf(`${name} ${old.sha256} ${newer.sha256}`).slice(0, 12)
    const own = join(folder, `seed-${seed}`, id)
    mkdirSync(own, { recursive: true })
    return { id, folder: own }
  }

  async function work() {
    let child
    let count = 0
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const kept = join(next.folder, 'prepared.json')
      try {
        next.oldFile = fileOf(next.pair.old)
        next.newFile = fileOf(next.pair.new)
      } catch (error) {
        next.prepared = { outcome: 'not available', why: error.message.slice(0, 200) }
        continue
      }
      const known = !again && existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : undefined
      if (known?.version === version) {
        next.prepared = known
        continue
      }
      if (child === undefined || count === pairsPerProcess) {
        await child?.end()
        child = createChild()
        count = 0
      }
      count += 1
      const start = performance.now()
      const task = { name: next.id, old: next.oldFile, new: next.newFile, folder: next.folder, seed }
      const result = await child.run(task, limit)
      const seconds = (performance.now() - start) / 1000
      next.prepared = { version, seconds: Number(seconds.toFixed(1)), ...result }
      writeFileSync(kept, `${JSON.stringify(next.prepared, undefined, 1)}\n`)
      if (result.isEnded) child = undefined
      const { outcome, events = [] } = result
      say(`${queue.length} left  ${next.pair.name}: ${outcome} in ${seconds.toFixed(1)} s, ${events.length} events`)
    }
    await child?.end()
  }

  function fileOf(version) {
    if (version.package !== undefined) {
      const file = packageFile(version)
      check(readFileSync(file), version)
      return file
    }
    const file = join(folder, 'documents', `${version.sha256}${extname(version.path)}`)
    if (existsSync(file)) return file
    const bytes = readVersion(version, repositories)
    check(bytes, version)
    mkdirSync(join(folder, 'documents'), { recursive: true })
    writeFileSync(file, bytes)
    return file
  }
}

function check(bytes, { sha256, path }) {
  if (hashOf(bytes) !== sha256) throw new Error(`${path} has another hash`)
}

function createChild() {
  const child = fork(script, [], {
    detached: true,
    execArgv: [`--max-old-space-size=${memoryMb}`],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let output = ''
  let step = 'loading'
  let settle
  const closed = new Promise((resolve) => child.on('close', resolve))
  child.stderr.on('data', (chunk) => {
    output = `${output}${chunk}`.slice(-500)
  })
  child.on('message', (message) => {
    if (message.result) settle?.(message.result)
    else step = message.step
  })
  child.on('close', (code, signal) => {
    settle?.({ outcome: 'harness', why: `ended with ${signal ?? code} at ${step}: ${output}`, isEnded: true })
  })
  const kill = () => {
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
  return {
    run(task, limit) {
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          settle({ outcome: 'out of time', why: `${limit} s; ${step}`, isEnded: true })
          kill()
        }, limit * 1000)
        settle = (result) => {
          clearTimeout(timer)
          settle = undefined
          resolve(result)
        }
        child.send(task)
      })
    },
    async end() {
      kill()
      await closed
    },
  }
}

/** Results are only valid for the modules that found them. */
function versionOfOracle() {
  const hash = createHash('sha256')
  const own = [
    'consumer',
    'excerpt',
    'generate',
    'instances',
    'judge-reads',
    'judge-requests',
    'prepare-pair',
    'probes',
  ]
  for (const name of own) hash.update(readFileSync(new URL(`${name}.js`, import.meta.url)))
  const shared = new URL('../documents/', import.meta.url)
  for (const name of readdirSync(shared).sort()) hash.update(readFileSync(new URL(name, shared)))
  return hash.digest('hex').slice(0, 12)
}
