/** The consumer's command and all that it starts: one group of processes, ended as one. */
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

const isWindows = process.platform === 'win32'

export interface ProcessGroup {
  readonly leader: ChildProcess
  /** Reaches every process of the group. @returns whether there was one */
  signal(name: NodeJS.Signals | 0): boolean
  /** Ends what is still running: gently, then at once. */
  end(): Promise<void>
}

/** Milliseconds for an end on SIGTERM. */
const patienceMs = 1_000
/** Milliseconds for the system to clear away after SIGKILL; in some containers it never does. */
const clearingMs = 100
const lookEveryMs = 10

/** Starts a command without a shell; on Windows with one, as its scripts (`npm.cmd`) want it. */
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
      // ESRCH: nobody is left. EPERM: somebody else's, or on macOS what is only waiting to be cleared away.
      return false
    }
  }

  async function isGoneWithin(ms: number): Promise<boolean> {
    const start = performance.now()
    while (signal(0)) {
      if (performance.now() - start > ms) return false
      await sleep(lookEveryMs)
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

/** There are no groups: the tree below the leader is ended, as long as the leader is there. */
function signalOnWindows(leader: ChildProcess, pid: number, name: NodeJS.Signals | 0): boolean {
  const isRunning = leader.exitCode === null && leader.signalCode === null
  if (isRunning && name !== 0) spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' })
  return isRunning
}

function quoteForWindows(argument: string): string {
  return /^[\w./\\:=@-]+$/.test(argument) ? argument : `"${argument.replaceAll('"', '""')}"`
}
