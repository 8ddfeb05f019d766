/**
 * Runs commands of the built program one after another in this process, which `warm.ts` starts, so that its modules are
 * loaded and compiled only once.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { main } from '../../dist/cli.js'

process.on('message', async ({ args, env, isMemoryMeasured }) => {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  process.exitCode = undefined
  if (isMemoryMeasured) await forgetPeak()
  const stdout = capture(process.stdout)
  const stderr = capture(process.stderr)
  try {
    await main(args)
  } finally {
    const printed = { stdout: stdout.restore(), stderr: stderr.restore() }
    const peak = isMemoryMeasured ? { peak: await readPeak() } : {}
    process.send?.({ code: process.exitCode ?? 0, ...peak, ...printed })
  }
})
process.on('disconnect', () => process.exit())

/** @param {NodeJS.WriteStream} stream */
function capture(stream) {
  const { write } = stream
  const listeners = stream.listeners('error')
  let text = ''
  /** @type {(chunk: string | Uint8Array, ...others: unknown[]) => boolean} */
  const keep = (chunk, ...others) => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
    const done = others.at(-1)
    if (typeof done === 'function') queueMicrotask(() => done())
    return true
  }
  Object.assign(stream, { write: keep })
  return {
    restore() {
      Object.assign(stream, { write })
      for (const each of stream.listeners('error')) if (!listeners.includes(each)) stream.off('error', each)
      return text
    },
  }
}

/** Resets the peak memory that Linux counts. */
async function forgetPeak() {
  globalThis.gc?.()
  await writeFile('/proc/self/clear_refs', '5').catch(() => {})
}

/** Peak memory in MiB. 0 if the system does not count it. */
async function readPeak() {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '')
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024
}
