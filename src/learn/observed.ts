/** What a recording shows: exchanges with the real service, and what a sandbox answered to the same requests. */
import type { Operation } from '../contract/contract.js'
import type { Answer, Difference } from './compare-answers.js'

export type Values = Readonly<Record<string, unknown>>

/** A request as the service got it. */
export interface SentRequest {
  method: string
  /** The decoded values of path and query parameters, by name. */
  path: Readonly<Record<string, string>>
  query: Readonly<Record<string, string>>
  /** Its Content-Type. Empty without one. */
  type: string
  body: unknown
}

export interface Observed {
  /** From 1, in the order of the recordings. */
  number: number
  /** Milliseconds since 1970 of the real answer. */
  at: number
  operation: Operation
  request: SentRequest
  real: Answer
  own: Answer & {
    /** Why the sandbox refused it, the most specific first. Empty for a success. */
    reasons: readonly string[]
    /** Records that it changed, and their collections. */
    changes: readonly { collection: string; before: Values | undefined; after: Values | undefined }[]
  }
  /** None: the answer is right. */
  differences: readonly Difference[]
}

/** A fact about the service in the vocabulary, which exchanges show. */
export interface Learned {
  /** The operation, or the name of the collection. Neither: the whole service. */
  operation?: string
  collection?: string
  member: string
  /** The property, pointer or reason that it is about. Empty if the member has one value. */
  about: string
  says: unknown
  /** The numbers of the exchanges that show it. */
  seen: readonly number[]
}

/** What two lines about the same thing have in common. */
export function placeOf({ operation = '', collection = '', member, about }: Learned): string {
  return JSON.stringify([operation, collection, member, about])
}
