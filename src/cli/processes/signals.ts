/** Ends the program on a signal: the first one closes it gently, the second one ends it at once. */
import { constants } from 'node:os'

/** In milliseconds. npm passes Ctrl-C on to a program that already got it from the terminal; both count as one signal. */
const samePressMs = 100

/** The exit code that shells use for a program that was ended by a signal. */
export function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal]
}

/** @param close called once; the process exits when it is done */
export function closeOnSignal(close: () => Promise<void>): void {
  onSignals(() => void close().then(() => process.exit(0)))
}

/**
 * Listens to SIGINT, SIGTERM and SIGHUP.
 * @param onFirst called for the first one
 * @param onLater called for each later one. @default ends the process at once
 * @returns `receive` acts as if a signal came; `stop` stops listening, so that a signal ends the process
 */
export function onSignals(
  onFirst: (signal: NodeJS.Signals) => void,
  onLater: (signal: NodeJS.Signals) => void = (signal) => process.exit(exitCodeOf(signal)),
): { receive: (signal: NodeJS.Signals) => void; stop: () => void } {
  let firstAt: number | undefined
  const receive = (signal: NodeJS.Signals) => {
    if (firstAt === undefined) {
      firstAt = performance.now()
      onFirst(signal)
    } else if (performance.now() - firstAt > samePressMs) onLater(signal)
  }
  for (const signal of closing) process.on(signal, receive)
  return {
    receive,
    stop() {
      for (const signal of closing) process.off(signal, receive)
    },
  }
}

const closing = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
