/** Runs the program in a long-lived process, so that commands start fast. `launch.ts` tests its start and end. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Ending, foreignVariables, root } from './launch.js'

export interface WarmEnding extends Ending {
  /** Peak memory of the process in MiB, if it was asked for. 0 if the system does not count it. */
  peak?: number
}

const file = fileURLToPath(new URL('cli-host.js', import.meta.url))
let host: ChildProcess | undefined
/** The process captures its own output, so it runs one command at a time. */
let last: Promise<unknown> = Promise.resolve()

export interface WarmLaunch {
  /** Added to the environment of this process. */
  env?: Record<string, string>
  /** Collects garbage first, which takes long, and then measures the peak memory. @default false */
  isMemoryMeasured?: boolean
}

/** Runs a command to its end, in the folder of this checkout. */
export function runWarm(
  args: readonly string[],
  { env = {}, isMemoryMeasured = false }: WarmLaunch = {},
): Promise<WarmEnding> {
  const ending = last.then(() => ask({ args, isMemoryMeasured, env: { ...foreignVariables(), ...env } }))
  last = ending.catch(() => {})
  return ending
}

interface Command {
  args: readonly string[]
  isMemoryMeasured: boolean
  env: NodeJS.ProcessEnv
}

async function ask(command: Command): Promise<WarmEnding> {
  const child = openHost()
  const ended = new AbortController()
  const exit = once(child, 'exit', { signal: ended.signal }).then(([code, signal]) => {
    throw new Error(`The process of the program ended with ${signal ?? code}: ${command.args.join(' ')}`)
  })
  const answer = once(child, 'message', { signal: ended.signal }).then(([message]) => ({ signal: null, ...message }))
  child.send(command)
  try {
    return await Promise.race([answer, exit])
  } finally {
    ended.abort()
    await Promise.allSettled([answer, exit])
  }
}

/** It exits with this process, because that closes the channel between them. */
function openHost(): ChildProcess {
  if (host?.connected) return host
  host = fork(file, { cwd: root, execArgv: ['--expose-gc'], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  host.unref()
  host.channel?.unref()
  return host
}
