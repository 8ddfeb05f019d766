/** Ends a group of processes when this process is killed and cannot do it itself. */
import { spawn } from 'node:child_process'

export interface Guard {
  /** From now on it ends the group that this process leads. */
  watch(pid: number): void
  /** Nothing is left to end. */
  dismiss(): void
}

/** It reads from a pipe that only this process writes to. That the pipe ends without a word says that this process did. */
const script = [
  'read -r group || exit 0',
  'read -r word && exit 0',
  'kill -s TERM -- "-$group" && sleep 2 && kill -s KILL -- "-$group"',
].join('\n')

/** A shell in a session of its own, so that a terminal's Ctrl-C does not reach it. None on Windows. */
export function createGuard(): Guard {
  if (process.platform === 'win32') return { watch: () => {}, dismiss: () => {} }
  const shell = spawn('sh', ['-c', script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  // Where there is no shell, there is no guard.
  shell.on('error', () => {})
  shell.stdin.on('error', () => {})
  shell.unref()
  return {
    watch: (pid) => void shell.stdin.write(`${pid}\n`),
    dismiss: () => void shell.stdin.end('dismissed\n'),
  }
}
