/** Ends the processes of a command if this process is killed and cannot do it itself. */
import { spawn } from 'node:child_process'
import { markVariable, type ProcessMark } from './marked-processes.js'

/** A process that outlives this one. */
export interface Guard {
  /** Ends the group with this leader when this process dies, and all marked processes. */
  watch(pid: number): void
  /** Stops the guard: the group has ended, or was never started. */
  dismiss(): void
}

/**
 * Reads from a pipe that only this process writes to. The pipe ends without a word if this process was killed. Processes
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
    // The word that dismisses the guard must not be taken for a group without a mark, which every process would have.
    watch: (pid) => void shell.stdin.write(`${pid} ${id}\n`),
    dismiss: () => void shell.stdin.end('dismissed\n'),
  }
}
