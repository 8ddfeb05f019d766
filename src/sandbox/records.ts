/** The records that an effect works on. */
import type { StoredCollection } from '../state/stored-collection.js'
import type { Values } from '../state/stored-record.js'

/** A collection, or the part of it that a path selects. */
export interface Records
  extends Pick<
    StoredCollection,
    'context' | 'nextKey' | 'get' | 'toKey' | 'add' | 'skipKey' | 'replace' | 'remove' | 'select' | 'count'
  > {
  /** Identifies the selected records, and their state. */
  readonly stateId: number | string
  readonly size: number
  /** The values of a record that is added, with those that the path selects. Absent if the path selects none. */
  place?(values: Values): Values
}
