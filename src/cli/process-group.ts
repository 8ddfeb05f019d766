/** Starts a command in a process group, so that it can be ended with all processes that it starts. */
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

const isWindows = process.platform === 'win32'

/** A running command with its processes. */
export interface ProcessGroup {
  readonly leader: ChildProcess
  /** Signals every process of the group. @returns whether there was one */
  signal(name: NodeJS.Signals | 0): boolean
  /** Ends all processes: with SIGTERM, then with SIGKILL. */
  end(): Promise<void>
}

/** Time to end after SIGTERM, in milliseconds. */
const patienceMs = 1_000
/** Time to disappear after SIGKILL, in milliseconds; in some containers processes never do. */
const clearingMs = 100
const pollEveryMs = 10

/** Starts a command without a shell; on Windows with one, as scripts such as `npm.cmd` need it. */
export function startGroup(command: string, args: readonly string[], options: SpawnOptions): ProcessGroup {
  const leader = isWindows
    ? spawn([command, ...args].map(quoteForWindows).join(' '), { ...options, shell: true })
    : spawn(command, args, { ...options, detached: true })

  function signal(name: NodeJS.Signals | 0): boolean {
    const { pid } = leader
    if (pid === undefined) return false
    if (isWindows) return signalOnWindows(leader, pid, name)
    try {
      process.kill(-pid, name)
      return true
    } catch {
      // ESRCH: no process is left. EPERM: a process of another user, or on macOS one that has ended.
      return false
    }
  }

  async function isGoneWithin(ms: number): Promise<boolean> {
    const start = performance.now()
    while (signal(0)) {
      if (performance.now() - start > ms) return false
      await sleep(pollEveryMs)
    }
    return true
  }

  return {
    leader,
    signal,
    async end() {
      if (!signal('SIGTERM') || (await isGoneWithin(patienceMs))) return
      signal('SIGKILL')
      await isGoneWithin(clearingMs)
    },
  }
}

/** Windows has no process groups: ends the tree below the leader, while the leader is running. */
function signalOnWindows(leader: ChildProcess, pid: number, name: NodeJS.Signals | 0): boolean {
  const isRunning = leader.exitCode === null && leader.signalCode === null
  if (isRunning && name !== 0) spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' })
  return isRunning
}

function quoteForWindows(argument: string): string {
  return /^[\w./\\:=@-]+$/.test(argument) ? argument : `"${argument.replaceAll('"', '""')}"`
}
