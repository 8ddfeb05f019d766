/** A rule about a consumer's requests, and the data that it analyzes. */
import type { Operation, RequestContract } from '../../contract/contract.js'
import type { Exchange } from '../../state/journal.js'
import type { FindingRule } from '../finding.js'
import type { Use } from './lock.js'

export type RecordKey = bigint | number | string

/** An exchange, with everything that several rules need. */
export interface Call {
  exchange: Exchange
  /** Undefined if no operation has that path and method. */
  operation: Operation | undefined
  contract: RequestContract
  /** Message of the refusal; undefined for a success, or if the error body has no documented message. */
  message: string | undefined
  /** The consumer requested this response with `Prefer: code=`, so its request was not validated. */
  isForced: boolean
  /** Integers beyond ±(2^53−1) in earlier responses. */
  received: ReadonlySet<bigint>
  /** Every name in the document. Other names in a body are keys of maps, which differ by record. */
  documentedNames: ReadonlySet<string>
  /** Milliseconds before a sunset in which a call of the operation is an error. Absent: it is a warning. */
  sunsetWithin?: number | undefined
  /** Properties of responses that the lock has, and that the successor of the operation lacks. */
  lostProperties: readonly string[]
  /** What the lock does not have. Empty without a lock. */
  newUses: readonly Use[]
  /** Current keys in the collection of the operation. Looked up at each call. */
  existingKeys(): Iterable<RecordKey>
}

export interface ConsumerRule extends FindingRule<Call> {
  /** No finding if the consumer announced the refusal with `Sandbox-Expect`. */
  readonly isExpectable: boolean
}
