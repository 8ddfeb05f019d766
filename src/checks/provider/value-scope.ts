/** What a check knows of the values in one collection. */
import type { ParsedResponse } from './judge-response.js'
import type { RecordValues } from './provider-collection.js'
import { createValueHistory, type ValueHistory } from './value-history.js'
import type { Way } from './values/ways.js'

/** What is known of one collection, or of one operation without a collection. */
export interface Scope {
  way: Way
  history: ValueHistory
  /** By key. */
  records: Map<unknown, RecordValues>
  /** Keys of records that a later creation was answered with. */
  answered: Set<unknown>
  /** Whether a request was accepted. */
  hasAccepted: boolean
  /** The response to a creation with the values of an existing record, if that was refused. */
  refusal?: ParsedResponse
  /** Records of an earlier check have the values of the seed. */
  hasLeftovers?: boolean
  /** A creation with the values of an existing record is answered with that record. */
  answersExisting?: boolean
  /** A creation with the values of an existing record creates another one. */
  acceptsDuplicates?: boolean
  /** How often all ways were tried. */
  searches: number
}

/** Nothing is known yet. */
export function createScope(way: Way): Scope {
  return {
    way,
    history: createValueHistory(),
    records: new Map(),
    answered: new Set(),
    hasAccepted: false,
    searches: 0,
  }
}
