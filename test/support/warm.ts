/** Runs the program in long-lived processes, so that commands start fast. `launch.ts` tests its start and end. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { type Ending, foreignVariables, type RunningProgram, readyUrl, root } from './launch.js'

export interface WarmEnding extends Ending {
  /** How much the memory of the process grew at most, in MiB, if it was asked for. 0 if the system does not count it. */
  peak?: number
}

export interface WarmLaunch {
  /** Added to the environment of this process. */
  env?: Record<string, string>
  /** @default the folder of this checkout */
  cwd?: string
  /** Collects garbage first, which takes long, and then measures the peak memory. @default false */
  isMemoryMeasured?: boolean
}

/** What a process is asked to run. */
export interface HostCommand {
  args: readonly string[]
  env: NodeJS.ProcessEnv
  cwd: string
  isMemoryMeasured: boolean
  /** It runs until a signal. */
  isServer: boolean
  /** A command that runs until a signal prints this on stderr when it is ready. */
  ready?: string
}

export type HostMessage = HostCommand | NodeJS.Signals

const file = fileURLToPath(new URL('cli-host.js', import.meta.url))
/** A process captures its own output, so it runs one command at a time. */
const idle: ChildProcess[] = []
/** One command starts after the other, as more processes would be slower. */
let last: Promise<unknown> = Promise.resolve()

/** Runs a command to its end. */
export function runWarm(args: readonly string[], launch: WarmLaunch = {}): Promise<WarmEnding> {
  const ending = last.then(async () => {
    const host = takeHost()
    const command = toCommand(args, launch)
    const answer = await ask(host, command, command)
    idle.push(host)
    return { signal: null, ...answer }
  })
  last = ending.catch(() => {})
  return ending
}

export type WarmServer = Pick<RunningProgram, 'url' | 'port' | 'stdout' | 'stop'>

/** Serves on any free port until it is stopped, or the test ends. */
export async function serveWarm(args: readonly string[] = [], launch: WarmLaunch = {}): Promise<WarmServer> {
  const host = takeHost()
  const command = { ...toCommand(['--port', '0', ...args], launch), isServer: true }
  const { stdout, stderr, code } = await ask(host, command, command)
  const url = readyUrl(stdout)
  if (url === undefined) {
    idle.push(host)
    throw new Error(`It ended before it was ready: ${code}, ${stderr}`)
  }
  let ended: Promise<Ending> | undefined
  const stop = () => {
    ended ??= ask(host, command, 'SIGTERM').then((answer) => {
      idle.push(host)
      return { signal: null, ...answer }
    })
    return ended
  }
  onTestFinished(async () => void (await stop()))
  return { url, port: Number(new URL(url).port), stdout: () => stdout, stop }
}

export interface WarmProgram {
  /** What it printed on stderr until it was ready. */
  stderr: string
  /** Ends it as a signal does. */
  stop(signal: NodeJS.Signals): Promise<Ending>
}

/** Starts a command that runs until a signal. @param ready what it prints on stderr when it is ready */
export async function startWarm(args: readonly string[], ready: string, launch: WarmLaunch = {}): Promise<WarmProgram> {
  const host = takeHost()
  const command = { ...toCommand(args, launch), ready }
  const { stderr, code } = await ask(host, command, command)
  const isRunning = code === undefined
  if (!isRunning) {
    idle.push(host)
    throw new Error(`It ended before it was ready: ${code}, ${stderr}`)
  }
  let ended: Promise<Ending> | undefined
  const stop = (signal: NodeJS.Signals) => {
    ended ??= ask(host, command, signal).then((answer) => {
      idle.push(host)
      return { signal: null, ...answer }
    })
    return ended
  }
  onTestFinished(async () => void (await stop('SIGTERM')))
  return { stderr, stop }
}

function toCommand(args: readonly string[], { env, cwd = root, isMemoryMeasured = false }: WarmLaunch): HostCommand {
  return { args, env: { ...foreignVariables(), ...env }, cwd, isMemoryMeasured, isServer: false }
}

async function ask(child: ChildProcess, { args }: HostCommand, sent: HostMessage): Promise<Omit<WarmEnding, 'signal'>> {
  const ended = new AbortController()
  const exit = once(child, 'exit', { signal: ended.signal }).then(([code, signal]) => {
    throw new Error(`The process of the program ended with ${signal ?? code}: ${args.join(' ')}`)
  })
  const answer = once(child, 'message', { signal: ended.signal }).then(([message]) => message)
  child.send(sent)
  try {
    return await Promise.race([answer, exit])
  } finally {
    ended.abort()
    await Promise.allSettled([answer, exit])
  }
}

/** A new one exits with this process, because that closes the channel between them. */
function takeHost(): ChildProcess {
  const known = idle.pop()
  if (known?.connected) return known
  const host = fork(file, { cwd: root, execArgv: ['--expose-gc'], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  host.unref()
  host.channel?.unref()
  return host
}
