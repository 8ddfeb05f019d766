/** What sends callbacks and webhooks, for all that moves clocks and replaces worlds. */
import type { PendingHook } from './pending-hook.js'

export interface Deliveries {
  /** Sends what is due now: a clock was moved. @param key of the world. @default the clock of all worlds */
  check(key?: string): void
  /** Forgets what was to be sent: the state is another one. @param key of the world. @default all worlds */
  cancel(key?: string): void
  /** Sends nothing more. @returns what was to be sent */
  close(): PendingHook[]
  /** Sends later what another sandbox was to send. */
  add(pending: readonly PendingHook[]): void
}
