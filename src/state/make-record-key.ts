/** Makes new keys (ids), the same ones in every run. */
import type { CollectionModel } from '../contract/contract.js'
import type { StoredCollection } from './stored-collection.js'
import type { Key } from './stored-record.js'

/** The part of a collection that is needed to make keys. */
export type KeyedRecords = Pick<StoredCollection, 'nextKey' | 'get' | 'skipKey'>

/**
 * Makes a key for a new record: the highest integer so far plus 1, or a text with a counter.
 * @returns undefined if all integers below 2^53 are used up
 */
export function makeKey(collection: KeyedRecords, kind: CollectionModel['keyKind']): Key | undefined {
  if (kind === 'integer') return Number.isSafeInteger(collection.nextKey) ? collection.nextKey : undefined
  while (collection.get(toKey(collection.nextKey, kind))) collection.skipKey()
  const key = toKey(collection.nextKey, kind)
  collection.skipKey()
  return key
}

/** Converts a number to a key: the number itself, or a text that contains it. */
export function toKey(number: number, kind: CollectionModel['keyKind']): Key {
  if (kind === 'integer') return number
  return kind === 'uuid' ? toUuid(number) : String(number)
}

/** A number in the form of a UUID, version 4 (RFC 9562). */
function toUuid(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`
}
