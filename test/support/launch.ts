/** Starts the program like a user, in a process that ends with the test, and captures its output and exit code. */
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** The folder of this checkout, and the program in it. */
export const root: string = fileURLToPath(new URL('../../', import.meta.url))
export const bin: string = fileURLToPath(new URL('../../bin/petstore-sandbox.js', import.meta.url))

export interface Launch {
  /** Added to the environment of this process, without the variables of the program. */
  env?: Record<string, string>
  /** The program to start. @default the program of this checkout */
  command?: readonly [file: string, ...args: string[]]
  /** @default the folder of this checkout */
  cwd?: string
  /** Whether signals reach the whole process group, like those of a terminal. @default false */
  isGroup?: boolean
}

export interface Ending {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface Program {
  child: ChildProcess
  stdout(): string
  stderr(): string
  /** Resolves when the process has exited and all its output was read. */
  ended: Promise<Ending>
  /** Sends a signal. */
  signal(name: NodeJS.Signals): void
}

export interface RunningProgram extends Program {
  url: string
  port: number
  /** Asks the process to end, and waits until it has exited. */
  stop(): Promise<Ending>
}

/** Starts the program. Call it in a test: it ends with the test. */
export function start(args: readonly string[], launch: Launch = {}): Program {
  const { env = {}, command = [process.execPath, bin], cwd = root, isGroup = false } = launch
  const [file, ...before] = command
  const child = spawn(file, [...before, ...args], {
    cwd,
    env: { ...foreignVariables(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: isGroup,
  })
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text
    })
  }
  const ended = new Promise<Ending>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, ...printed }))
  })
  const signal = (name: NodeJS.Signals) => {
    if (child.pid === undefined) return
    try {
      process.kill(isGroup ? -child.pid : child.pid, name)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
  onTestFinished(async () => {
    if (isGroup || (child.exitCode === null && child.signalCode === null)) signal('SIGKILL')
    await ended.catch(() => {})
  })
  return { child, ended, signal, stdout: () => printed.stdout, stderr: () => printed.stderr }
}

/** Starts the program and waits for its end. */
export function run(args: readonly string[], launch?: Launch): Promise<Ending> {
  return start(args, launch).ended
}

/** Starts the program on any free port, and waits until it reports that it is ready. */
export async function serve(args: readonly string[] = [], launch: Launch = {}): Promise<RunningProgram> {
  const program = start(['--port', '0', ...args], launch)
  const url = await untilReady(program)
  const stop = () => {
    program.signal('SIGTERM')
    return program.ended
  }
  return { ...program, url, port: Number(new URL(url).port), stop }
}

/** The address that a program printed when it was ready; undefined before that. */
export function readyUrl(printed: string): string | undefined {
  return /^petstore-sandbox is ready on (http:\/\/\S+)\n/m.exec(printed)?.[1]
}

export function untilReady({ child, stdout, ended }: Program): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const url = readyUrl(stdout())
      if (url !== undefined) resolve(url)
    }
    child.stdout?.on('data', look)
    ended.then(
      ({ code, signal, stderr }) => reject(new Error(`It ended before it was ready: ${code ?? signal}, ${stderr}`)),
      reject,
    )
  })
}

/** The environment of this process, without variables that the program reads as options. */
export function foreignVariables(): NodeJS.ProcessEnv {
  const isForeign = ([name]: [string, unknown]) => !/^(PORT|DEBUG|NODE_OPTIONS|PETSTORE_SANDBOX_.*)$/.test(name)
  return Object.fromEntries(Object.entries(process.env).filter(isForeign))
}
