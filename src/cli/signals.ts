/** Ends the program on a signal: the first one closes it gently, the second one ends it at once. */
import { constants } from 'node:os'

/** In milliseconds. npm passes Ctrl-C on to a program that already got it from the terminal; both count as one signal. */
export const samePressMs = 100

/** @param close called once; the process exits when it is done */
export function closeOnSignal(close: () => Promise<void>): void {
  let firstAt: number | undefined
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (firstAt === undefined) {
        firstAt = performance.now()
        void close().then(() => process.exit(0))
      } else if (performance.now() - firstAt > samePressMs) process.exit(128 + constants.signals[signal])
    })
  }
}
