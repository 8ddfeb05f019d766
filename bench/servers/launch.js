/** Starts a server on a free port, waits for its first 200, and ends it with all its children. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { get, request } from 'node:http'
import { connect, createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { processTree } from '../processor-time.js'
import { workFolder } from '../work-folder.js'

const canPin = availableParallelism() > 1 && !spawnSync('taskset', ['-V']).error
/** Whether a program can run on a pseudo-terminal. */
export const hasTerminal = !spawnSync('script', ['-V']).error

/** Servers run on core 0 and load generators on core 1, so that they do not compete. */
export function onCore(core, command) {
  return canPin ? ['taskset', '-c', String(core), ...command] : command
}

/** Runs the subject on a pseudo-terminal and keeps its output, for output that only terminals get. */
export function onTerminal(subject) {
  return {
    ...subject,
    id: `${subject.id}-on-terminal`,
    command: async (port) => {
      const { node = process.execPath, args } = await subject.command(port)
      const line = [node, ...args].map((each) => `'${each.replaceAll("'", "'\\''")}'`).join(' ')
      return { node: 'script', args: ['-qec', line, '/dev/null'] }
    },
  }
}

/**
 * @param command called with the port: { node, args, env, cwd }
 * @param ready a request that gets 200 when the server is ready; without one, it is ready when it listens
 * @param isPinned whether to run on core 0; false to measure the start
 * @param patienceMs how long the start may take
 * @param pollMs pause between two looks
 * @param isOwnPort which ports to take, so that two processes that launch servers never take the same
 * @returns port, pid, milliseconds to the first 200, and functions that return the output and end the server
 */
export async function launch({
  id,
  command,
  ready,
  isPinned = true,
  patienceMs = 60_000,
  pollMs = 1,
  isOwnPort = () => true,
}) {
  let port = await freePort()
  while (!isOwnPort(port)) port = await freePort()
  const { node = process.execPath, args, env, cwd = workFolder() } = await command(port)
  const log = join(workFolder(), `${id}.log`)
  const output = openSync(log, 'w')
  const [file, ...rest] = isPinned ? onCore(0, [node, ...args]) : [node, ...args]
  const start = performance.now()
  const child = spawn(file, rest, {
    stdio: ['ignore', output, output],
    cwd,
    env: { ...process.env, ...env },
  })
  closeSync(output)
  const exit = once(child, 'exit')
  const close = async () => {
    for (const pid of processTree(child.pid).toReversed()) end(pid)
    await exit
  }
  while (!(await isReady(port, ready))) {
    const isOver = child.exitCode !== null || child.signalCode !== null
    if (isOver || performance.now() - start > patienceMs) {
      if (!isOver) await close()
      const lastOutput = readFileSync(log, 'utf8').replace(/\s+/g, ' ').trim().slice(-300)
      throw new Error(
        `${isOver ? 'it exited' : `no 200 in ${patienceMs / 1000} s`}${lastOutput && `, output: ${lastOutput}`}`,
      )
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
  const startMs = performance.now() - start
  const isRunning = () => child.exitCode === null && child.signalCode === null
  return { port, pid: child.pid, startMs, output: () => readFileSync(log, 'utf8'), isRunning, close }
}

function end(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has already exited.
  }
}

/** Whether the server answers 200, or listens if there is no request. */
function isReady(port, ready) {
  return ready === undefined ? isListening(port) : isAnswered(port, ready)
}

function isListening(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.on('connect', () => socket.destroy()).on('error', () => resolve(false))
  })
}

function isAnswered(port, { path, headers }) {
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', port, path, headers, agent: false }
    const asked = get(options, (response) => response.resume().on('end', () => resolve(response.statusCode === 200)))
    asked.setTimeout(5_000, () => asked.destroy())
    asked.on('error', () => resolve(false))
  })
}

/** Sends one request, and returns the whole response. */
export function ask(port, { method, path, headers, body }) {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, async (response) => {
      const chunks = []
      for await (const chunk of response) chunks.push(chunk)
      resolve({ status: response.statusCode, headers: response.rawHeaders, body: Buffer.concat(chunks).toString() })
    })
    asked.setTimeout(10_000, () => asked.destroy(new Error('no answer in 10 s')))
    asked.on('error', reject)
    asked.end(body)
  })
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}
