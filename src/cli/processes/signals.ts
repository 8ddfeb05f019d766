/** Ends the program on a signal: the first one closes it gently, the second one ends it at once. */
import { constants } from 'node:os'

/** In milliseconds. npm passes Ctrl-C on to a program that already got it from the terminal; both count as one signal. */
export const samePressMs = 100

/** The exit code that shells use for a program that was ended by a signal. */
export function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal]
}

/** @param close called once; the process exits when it is done */
export function closeOnSignal(close: () => Promise<void>): void {
  onFirstSignal(() => void close().then(() => process.exit(0)))
}

/**
 * Listens to SIGINT, SIGTERM and SIGHUP. The second one ends the process at once.
 * @param act called for the first one
 * @returns stops listening, so that a signal ends the process
 */
export function onFirstSignal(act: (signal: NodeJS.Signals) => void): () => void {
  let firstAt: number | undefined
  const listen = (signal: NodeJS.Signals) => {
    if (firstAt === undefined) {
      firstAt = performance.now()
      act(signal)
    } else if (performance.now() - firstAt > samePressMs) process.exit(exitCodeOf(signal))
  }
  for (const signal of closing) process.on(signal, listen)
  return () => {
    for (const signal of closing) process.off(signal, listen)
  }
}

const closing = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
