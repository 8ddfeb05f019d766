/** Records whose keys callers made up: changes of them are answered, and not stored. */
import { StoredRecord } from '../state/stored-record.js'
import type { Records } from './records.js'

/** The records, in which changes are not stored. */
export function withoutChanges(records: Records): Records {
  const { context, nextKey, size, stateId } = records
  return {
    ...{ context, nextKey, size, stateId },
    toKey: (value) => records.toKey(value),
    get: (key) => records.get(key),
    select: (filters, limit) => records.select(filters, limit),
    count: (filters) => records.count(filters),
    skipKey: () => undefined,
    replace: () => undefined,
    add: (values) => new StoredRecord(values),
    remove: () => undefined,
  }
}
