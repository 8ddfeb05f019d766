/** Adds a record without a request, with a key of its own or a new one. */
import type { CollectionModel } from '../../contract/contract.js'
import { SandboxError } from '../../contract/sandbox-error.js'
import { ownValue } from '../../json/own-value.js'
import { withinOf } from '../../state/identity.js'
import { makeKey } from '../../state/make-record-key.js'
import type { StoredCollection } from '../../state/stored-collection.js'
import type { StoredRecord, Values } from '../../state/stored-record.js'

/**
 * @param values are kept: do not change them
 * @param check throws if the record, with its key, may not be added
 * @throws SandboxError `INVALID_RECORD` for a wrong key or owner, `DUPLICATE_KEY` for one that is taken
 */
export function addRecord(
  collection: StoredCollection,
  { name, key: property, keyKind }: CollectionModel,
  values: Values,
  check: (record: Values) => void = () => {},
): StoredRecord {
  const fail = (key: unknown, why: string) => {
    const message = `Failed to add a record with ${property} ${String(key)}: ${why}`
    return new SandboxError('INVALID_RECORD', message)
  }
  const given = ownValue(values, property)
  const key = given === undefined ? makeKey(collection, keyKind) : collection.toKey(given)
  if (key === undefined && given === undefined) throw fail(given, 'no integer below 2^53 is left; give one')
  if (key === undefined) throw fail(given, 'it must be a string or an integer')
  const { scope } = collection.context
  for (const { property: owner, isOpen } of scope ?? []) {
    const value = ownValue(values, owner)
    if (value === undefined && isOpen) continue
    if (value === undefined) throw fail(key, `${owner} is required, because its owner has that key`)
    if (!['string', 'number', 'bigint'].includes(typeof value))
      throw fail(key, `${owner} must be a string or an integer, as the key of its owner is`)
  }
  const record = { ...values, [property]: key }
  check(record)
  if (collection.get(key, scope && withinOf(values, scope))) {
    const message = `Failed to add a record to "${name}": a record with ${property} ${key} already exists`
    throw new SandboxError('DUPLICATE_KEY', `${message}. Use another ${property} or replace that one`)
  }
  return collection.add(record)
}
