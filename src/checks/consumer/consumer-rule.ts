/** A rule about what a consumer sends, and what it is shown of each exchange. */
import type { Operation, RequestContract } from '../../contract/contract.js'
import type { Exchange } from '../../state/journal.js'
import type { Rule } from '../rule.js'

/** An integer, or a text, that a record is known by. */
export type RecordKey = bigint | number | string

/** An exchange, with what rules need looked up once. */
export interface Call {
  exchange: Exchange
  /** None where no operation has that path and method. */
  operation: Operation | undefined
  contract: RequestContract
  /** What the refusal says; none for a success, and where the answer has no documented place for it. */
  message: string | undefined
  /** The consumer asked for this answer with `Prefer: code=`; nothing that it sent was judged. */
  isForced: boolean
  /** Integers beyond ±(2^53−1) that came in answers before this one. */
  received: ReadonlySet<bigint>
  /** Keys that are there now in what the operation works on. Looked up anew at each call. */
  existingKeys(): Iterable<RecordKey>
}

/** Something that a rule has found in a call. */
export interface CallProblem {
  /** Which part of the request, e.g. `query limit`; empty for the whole. */
  at: string
  /** Without a full stop. */
  message: string
  /** Better help than the rule's own. */
  help?: string
}

export interface ConsumerRule extends Rule {
  /** A consumer that expects the refusal, and says so with `Sandbox-Expect`, is left in peace. */
  readonly isExpectable: boolean
  /** Pure. */
  analyze(call: Call): Iterable<CallProblem>
}
