/** Starts a command in a process group with a mark, so that all its processes can be ended. */
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

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

/** The environment variable that every process below the command inherits. */
const markVariable = 'SANDBOX_RUN_ID'

/** The mark of the processes of one run. */
export interface ProcessMark {
  /** Unique on this machine. */
  id: string
  /** Variables to add to the environment of the command. */
  env: Record<string, string>
}

/** Creates a mark. A run within a run keeps the mark of the outer one. */
export function createMark(outer: string | undefined = process.env[markVariable]): ProcessMark {
  const id = randomUUID()
  return { id, env: { [markVariable]: outer === undefined ? id : `${outer},${id}` } }
}

/** Ids of the running processes with the mark, and of those below them, including those that left its process group. Empty without `/proc`. */
function findMarked({ id }: ProcessMark): number[] {
  const parents = new Map(listProcesses().map((pid) => [pid, readStat(pid)?.parent]))
  const marked = new Set<number>()
  for (const pid of parents.keys()) if (pid !== process.pid && read(pid, 'environ').includes(id)) marked.add(pid)
  const isBelowMarked = (pid: number): boolean => {
    const parent = parents.get(pid)
    return parent !== undefined && (marked.has(parent) || isBelowMarked(parent))
  }
  return [...parents.keys()].filter((pid) => marked.has(pid) || isBelowMarked(pid)).filter(isRunning)
}

/** Whether a process in `/proc` is running. The system may keep processes that have ended. */
function isRunning(pid: number): boolean {
  const state = readStat(pid)?.state
  return state !== undefined && !/[ZXx]/.test(state)
}

function listProcesses(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

/** See proc_pid_stat(5). The name in brackets may contain anything. */
function readStat(pid: number): { state: string; parent: number } | undefined {
  const [, state, parent] = /^.*\) (\S) (\d+) /s.exec(read(pid, 'stat')) ?? []
  return state === undefined ? undefined : { state, parent: Number(parent) }
}

/** Empty if the process has ended or belongs to another user. */
function read(pid: number, file: 'environ' | 'stat'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
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
