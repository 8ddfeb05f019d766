/** A request that the service will send, as plain data. */
import type { HookRequest } from './transmit.js'

export interface PendingHook {
  /** The key of its world. */
  key: string
  /** The name of the callback or webhook. */
  name: string
  /** Id of the operation that it follows. */
  operation: string
  request: HookRequest
  /** When it is sent: milliseconds since 1970, by the clock of the world. */
  due: number
  /** Of the next attempt, from 1. */
  attempt: number
  /** Milliseconds before each further attempt. */
  retries: readonly number[]
  /** The attempt began, and whether it arrived is not known. */
  isBegun?: true
}
