/**
 * Runs commands of the built program one after another in this process, which `warm.ts` starts, so that its modules are
 * loaded and compiled only once.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { main } from '../../dist/cli.js'

process.on('message', (/** @type {import('./warm.js').HostMessage} */ message) => {
  if (typeof message === 'string') process.emit(message)
  else void run(message)
})
process.on('disconnect', () => leave())

/** Programs that end themselves leave this process running. */
const leave = process.exit.bind(process)

/** @param {import('./warm.js').HostCommand} command */
async function run({ args, env, cwd, isMemoryMeasured, isServer, ready }) {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  process.chdir(cwd)
  process.exitCode = undefined
  const base = isMemoryMeasured ? await forgetPeak() : 0
  const stdout = capture(process.stdout)
  const stderr = capture(process.stderr, (text) => {
    if (ready === undefined || !text.includes(ready)) return
    ready = undefined
    process.send?.({ stdout: stdout.text(), stderr: text })
  })
  const signals = watchSignals()
  try {
    await main(args)
    if (isServer && process.exitCode === undefined) {
      const ended = new Promise((resolve) => {
        Object.assign(process, { exit: resolve })
      })
      process.send?.({ stdout: stdout.text() })
      process.exitCode = await ended
    }
  } finally {
    signals.restore()
    const printed = { stdout: stdout.restore(), stderr: stderr.restore() }
    const peak = isMemoryMeasured ? { peak: (await readPeak()) - base } : {}
    process.send?.({ code: process.exitCode ?? 0, ...peak, ...printed })
  }
}

/** Removes the listeners that a command has added. */
function watchSignals() {
  const before = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((name) => ({ name, known: process.listeners(name) }))
  return {
    restore() {
      for (const { name, known } of before) {
        for (const each of process.listeners(name)) if (!known.includes(each)) process.off(name, each)
      }
      Object.assign(process, { exit: leave })
    },
  }
}

/**
 * @param {NodeJS.WriteStream} stream
 * @param {(text: string) => void} [onText] called with all that was written
 */
function capture(stream, onText = () => {}) {
  const { write } = stream
  const listeners = stream.listeners('error')
  let text = ''
  /** @type {(chunk: string | Uint8Array, ...others: unknown[]) => boolean} */
  const keep = (chunk, ...others) => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
    const done = others.at(-1)
    if (typeof done === 'function') queueMicrotask(() => done())
    onText(text)
    return true
  }
  Object.assign(stream, { write: keep })
  return {
    text: () => text,
    restore() {
      Object.assign(stream, { write })
      for (const each of stream.listeners('error')) if (!listeners.includes(each)) stream.off('error', each)
      return text
    },
  }
}

/** Resets the peak memory that Linux counts. @returns what the process has, of earlier commands too, in MiB */
async function forgetPeak() {
  globalThis.gc?.()
  await writeFile('/proc/self/clear_refs', '5').catch(() => {})
  return readPeak()
}

/** Peak memory in MiB. 0 if the system does not count it. */
async function readPeak() {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '')
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024
}
