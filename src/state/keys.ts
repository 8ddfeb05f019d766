/** How keys are made: the same ones in every run. */
import type { CollectionModel } from '../contract/contract.js'
import type { Key } from './stored-record.js'

/** The key that stands for a number: itself, or a text of it. */
export function toKey(number: number, kind: CollectionModel['keyKind']): Key {
  if (kind === 'integer') return number
  return kind === 'uuid' ? toUuid(number) : String(number)
}

/** A number in the form of a UUID, version 4 (RFC 9562). */
function toUuid(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`
}
