/** Runs the consumer's command to its end, and sees to it that nothing of it stays, however this ends. */
import { constants } from 'node:os'
import { SandboxError } from '../contract/sandbox-error.js'
import { createGuard } from './guard-group.js'
import { type ProcessGroup, startGroup } from './process-group.js'
import { samePressMs } from './signals.js'

export interface ChildOptions {
  command: string
  args: readonly string[]
  env: NodeJS.ProcessEnv
  /** Leaves stdout to a report: what the command writes there goes to stderr. */
  isStdoutTaken: boolean
}

export interface ChildEnding {
  /** Its own, or 128 and the number of the signal that ended it. */
  exitCode: number
  /** The signal that this process was asked to end by. */
  interruptedBy: NodeJS.Signals | undefined
}

const interruptions = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const graceMs = 10_000
const lookForParentEveryMs = 500

/** @throws SandboxError for a command that cannot be started */
export async function runChild({ command, args, env, isStdoutTaken }: ChildOptions): Promise<ChildEnding> {
  const guard = createGuard()
  const stdio = ['inherit', isStdoutTaken ? 2 : 'inherit', 'inherit'] as const
  const group = startGroup(command, args, { env, stdio: [...stdio] })
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

/** The end of the command itself; what it started may hold its streams longer. */
function untilEnd({ leader }: ProcessGroup, command: string): Promise<number> {
  return new Promise((resolve, reject) => {
    leader.on('error', (error: NodeJS.ErrnoException) => reject(toSandboxError(command, error)))
    leader.on('exit', (code, signal) => resolve(signal ? exitCodeOf(signal) : (code ?? 0)))
  })
}

/** What a shell gives for a program that was ended by a signal. */
export function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal]
}

function toSandboxError(command: string, { code, message }: NodeJS.ErrnoException): SandboxError {
  const why = { ENOENT: 'there is no such command', EACCES: 'this user may not run it' }[code ?? ''] ?? message
  const hint = /\s/.test(command) ? '; put each argument apart, or a shell before it: sh -c "..."' : ''
  return new SandboxError('INVALID_OPTION', `Failed to start "${command}": ${why}${hint}`)
}

interface InterruptionWatch {
  interruptedBy(): NodeJS.Signals | undefined
  stop(): void
}

/** The first signal is passed on, the second one or too long a time ends the group at once. */
function watchForInterruption(group: ProcessGroup): InterruptionWatch {
  let first: { signal: NodeJS.Signals; at: number } | undefined
  let patience: NodeJS.Timeout | undefined
  const parent = process.ppid

  const interrupt = (signal: NodeJS.Signals) => {
    if (!first) {
      first = { signal, at: performance.now() }
      group.signal(signal)
      patience = setTimeout(() => group.signal('SIGKILL'), graceMs)
    } else if (performance.now() - first.at > samePressMs) group.signal('SIGKILL')
  }
  // Who started this was killed, and cannot tell any more.
  const lookForParent = () => {
    if (process.ppid === parent) return
    clearInterval(looking)
    interrupt('SIGTERM')
  }
  const looking = setInterval(lookForParent, lookForParentEveryMs).unref()
  // The terminal tells only its own session that its size has changed.
  const resize = () => void group.signal('SIGWINCH')

  for (const signal of interruptions) process.on(signal, interrupt)
  process.on('SIGWINCH', resize)
  return {
    interruptedBy: () => first?.signal,
    stop() {
      clearInterval(looking)
      clearTimeout(patience)
      for (const signal of interruptions) process.off(signal, interrupt)
      process.off('SIGWINCH', resize)
    },
  }
}
