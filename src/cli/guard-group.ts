/** Ends a group of processes if this process is killed and cannot do it itself. */
import { spawn } from 'node:child_process'

/** A process that outlives this one. */
export interface Guard {
  /** Ends the group with this leader when this process dies. */
  watch(pid: number): void
  /** Stops the guard; the group has ended. */
  dismiss(): void
}

/** Reads from a pipe that only this process writes to. The pipe ends without a word if this process was killed. */
const script = [
  'read -r group || exit 0',
  'read -r word && exit 0',
  'kill -s TERM -- "-$group" && sleep 2 && kill -s KILL -- "-$group"',
].join('\n')

/** Starts a shell in its own session, which a terminal's Ctrl-C does not reach. Does nothing on Windows. */
export function createGuard(): Guard {
  if (process.platform === 'win32') return { watch: () => {}, dismiss: () => {} }
  const shell = spawn('sh', ['-c', script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  // Without a shell there is no guard.
  shell.on('error', () => {})
  shell.stdin.on('error', () => {})
  shell.unref()
  return {
    watch: (pid) => void shell.stdin.write(`${pid}\n`),
    dismiss: () => void shell.stdin.end('dismissed\n'),
  }
}
