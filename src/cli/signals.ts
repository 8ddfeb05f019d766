/** Ends the program on a signal: gently at the first, at once at the second. */
import { constants } from 'node:os'

/** Milliseconds. npm passes a terminal's Ctrl-C on to a program that has had it already; that is one signal, not two. */
export const samePressMs = 100

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
