/** Finds all processes of a command by a mark, including those that left its process group (Linux). */
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

/** The environment variable that every process below the command inherits. */
export const markVariable = 'SANDBOX_RUN_ID'

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

/** Ids of the running processes with the mark, and of those below them. Empty without `/proc`. */
export function findMarked({ id }: ProcessMark): number[] {
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
export function isRunning(pid: number): boolean {
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
