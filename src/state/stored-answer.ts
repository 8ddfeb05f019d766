/** An answer that is kept for requests that are sent again: plain data. */
import type { Violation } from '../contract/violations.js'

export interface StoredAnswer {
  /** The server and the key of the request. */
  id: string
  /** Identifies the request: its method, address and body. */
  print: string
  /** Milliseconds since 1970, by the clock of the world. */
  at: number
  /** When it is sent, by the system time. Absent if at once. */
  until?: number
  /** Absent for a refusal. */
  status?: number
  mediaType?: string
  headers?: Record<string, string>
  body?: string
  /** In place of text, the bytes in Base64. */
  base64?: string
  /** Why the request was refused. */
  refused?: string
  message?: string
  violations?: Violation[]
}
