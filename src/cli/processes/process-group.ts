/** Starts a command in a process group, so that all its processes can be ended. */
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { findMarked, isRunning, markVariable, type ProcessMark } from './marked-processes.js'

const isWindows = process.platform === 'win32'

/** A running command with its processes. */
export interface ProcessGroup {
  readonly leader: ChildProcess
  /** Signals every process of the group. @returns whether there was one */
  signal(name: NodeJS.Signals | 0): boolean
  /** Ends all processes: with SIGTERM, then with SIGKILL. Includes those that have left the group, if they can be found. */
  end(): Promise<void>
}

/** Time to end after SIGTERM, in milliseconds. */
const patienceMs = 1_000
/** Time to disappear after SIGKILL, in milliseconds; in some containers processes never do. */
const clearingMs = 100
const pollEveryMs = 10
/** Maximum number of rounds, because a process may start another one while it is ended. */
const maxRounds = 10

/**
 * Starts a command without a shell; on Windows with one, as scripts such as `npm.cmd` need it.
 * @param mark finds processes that leave the group
 */
export function startGroup(
  command: string,
  args: readonly string[],
  { env, ...others }: SpawnOptions,
  mark: ProcessMark,
): ProcessGroup {
  const options = { ...others, env: { ...env, ...mark.env } }
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

  /** Signals the group and those that have left it. @returns a function that checks whether one of them is still running */
  function signalAll(name: NodeJS.Signals): () => boolean {
    const marked = findMarked(mark)
    const isGroup = signal(name)
    for (const pid of marked) signalOne(pid, name)
    return () => (isGroup && signal(0)) || marked.some(isRunning)
  }

  /** Repeats a signal until no process is left. @returns whether that happened in time */
  async function endBy(name: NodeJS.Signals, patience: number): Promise<boolean> {
    const start = performance.now()
    for (let round = 0; round < maxRounds; round++) {
      const remains = signalAll(name)
      if (!remains()) return true
      while (remains()) {
        if (performance.now() - start > patience) return false
        await sleep(pollEveryMs)
      }
    }
    return false
  }

  return {
    leader,
    signal,
    async end() {
      if (!(await endBy('SIGTERM', patienceMs))) await endBy('SIGKILL', clearingMs)
    },
  }
}

function signalOne(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended in the meantime.
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

/** A process that outlives this one. */
interface Guard {
  /** Ends the group with this leader when this process dies, and all marked processes. */
  watch(pid: number): void
  /** Stops the guard: the group has ended, or was never started. */
  dismiss(): void
}

/**
 * Reads from a pipe that only this process writes to. The pipe ends without a message if this process was killed. Processes
 * that have left the group are found as in `findMarked`, except those below others.
 */
const script = `
read -r group id && [ -n "$id" ] || exit 0
read -r word && exit 0
end() {
  kill -s "$1" -- "-$group"
  for each in /proc/[0-9]*; do
    case "$(tr '\\0' '\\n' < "$each/environ")" in
      *${markVariable}=*"$id"*) kill -s "$1" "\${each#/proc/}" ;;
    esac
  done
}
end TERM
sleep 2
end KILL
# What was started while the others ended.
end KILL
`

/** Starts a shell in its own session, which a terminal's Ctrl-C does not reach. Does nothing on Windows. */
export function createGuard({ id }: ProcessMark): Guard {
  if (process.platform === 'win32') return { watch: () => {}, dismiss: () => {} }
  const shell = spawn('sh', ['-c', script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  // Without a shell there is no guard.
  shell.on('error', () => {})
  shell.stdin.on('error', () => {})
  shell.unref()
  return {
    // The message that dismisses the guard must not be mistaken for a group without a mark, which would match every process.
    watch: (pid) => void shell.stdin.write(`${pid} ${id}\n`),
    dismiss: () => void shell.stdin.end('dismissed\n'),
  }
}
