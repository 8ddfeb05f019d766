/** Runs the consumer's command, and ensures that none of its processes remains, even if this process is killed. */
import { SandboxError } from '../../contract/sandbox-error.js'
import { createGuard, createMark, type ProcessGroup, startGroup } from './process-group.js'
import { exitCodeOf, onSignals } from './signals.js'

export interface ChildOptions {
  command: string
  args: readonly string[]
  env: NodeJS.ProcessEnv
  /** Stdout is for a report. Output of the command goes to stderr instead. */
  isStdoutTaken: boolean
}

/** How the command ended. */
export interface ChildEnding {
  /** Exit code of the command, or 128 plus the number of the signal that ended it. */
  exitCode: number
  /** The signal that this process received; undefined if the command ended by itself. */
  interruptedBy: NodeJS.Signals | undefined
}

const graceMs = 10_000
const checkParentEveryMs = 500

/** @throws SandboxError `INVALID_OPTION` if the command cannot be started */
export async function runChild({ command, args, env, isStdoutTaken }: ChildOptions): Promise<ChildEnding> {
  const mark = createMark()
  const guard = createGuard(mark)
  const stdio = ['inherit', isStdoutTaken ? 2 : 'inherit', 'inherit'] as const
  const group = startGroup(command, args, { env, stdio: [...stdio] }, mark)
  const ended = untilEnd(group, command)
  if (group.leader.pid !== undefined) guard.watch(group.leader.pid)
  const watch = watchForInterruption(group)
  try {
    const exitCode = await ended
    await group.end()
    return { exitCode, interruptedBy: watch.interruptedBy() }
  } finally {
    watch.stop()
    guard.dismiss()
  }
}

/** Exit code of the command itself. Processes that it started may keep its streams open longer. */
function untilEnd({ leader }: ProcessGroup, command: string): Promise<number> {
  return new Promise((resolve, reject) => {
    leader.on('error', (error: NodeJS.ErrnoException) => reject(toSandboxError(command, error)))
    leader.on('exit', (code, signal) => resolve(signal ? exitCodeOf(signal) : (code ?? 0)))
  })
}

function toSandboxError(command: string, { code, message }: NodeJS.ErrnoException): SandboxError {
  const why = { ENOENT: 'there is no such command', EACCES: 'this user may not run it' }[code ?? ''] ?? message
  const hint = /\s/.test(command)
    ? '; pass each argument separately, or use a shell: sh -c "..."'
    : '. Check its name, and that it is installed'
  return new SandboxError('INVALID_OPTION', `Failed to start "${command}": ${why}${hint}`)
}

interface InterruptionWatch {
  interruptedBy(): NodeJS.Signals | undefined
  stop(): void
}

/** Passes the first signal on. A second one, or ten seconds, ends the group with SIGKILL. */
function watchForInterruption(group: ProcessGroup): InterruptionWatch {
  let first: NodeJS.Signals | undefined
  let patience: NodeJS.Timeout | undefined
  const parent = process.ppid

  const kill = () => void group.signal('SIGKILL')
  const signals = onSignals((signal) => {
    first = signal
    group.signal(signal)
    patience = setTimeout(kill, graceMs)
  }, kill)
  // The parent process was killed and can no longer send a signal.
  const checkParent = () => {
    if (process.ppid === parent) return
    clearInterval(parentTimer)
    signals.receive('SIGTERM')
  }
  const parentTimer = setInterval(checkParent, checkParentEveryMs).unref()
  // A terminal reports a change of its size only to its own session.
  const resize = () => void group.signal('SIGWINCH')

  process.on('SIGWINCH', resize)
  return {
    interruptedBy: () => first,
    stop() {
      clearInterval(parentTimer)
      clearTimeout(patience)
      signals.stop()
      process.off('SIGWINCH', resize)
    },
  }
}
