/** What an effect works on, and what it gives. */
import type { Effect, Operation, RequestContract } from '../contract/contract.js'
import type { World } from '../state/world.js'
import type { ValidRequest } from './validate.js'

/** A success, not yet a response. */
export interface Answer {
  status: number
  mediaType?: string | undefined
  body?: string | undefined
  /** The body in UTF-8, where that is known already. */
  bytes?: Uint8Array | undefined
  headers?: Readonly<Record<string, string>> | undefined
}

/** What an effect works on. */
export interface Applied<E extends Effect = Effect> {
  contract: RequestContract
  operation: Operation
  effect: E
  world: World
  /** Name of the server, whose collections these are. */
  server: string
  /** As it came, without the question mark. */
  query: string
  request: ValidRequest
}
