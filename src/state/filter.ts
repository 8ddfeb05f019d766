/** Filters for lists of records. */
import { ownValue } from '../json/own-value.js'
import type { StoredRecord } from './stored-record.js'

/** Matches records whose property is one of these values, or an array that contains one of them. */
export interface Filter {
  property: string
  values: readonly unknown[]
}

export function passes(record: StoredRecord, { property, values }: Filter): boolean {
  const value = ownValue(record.values, property)
  return Array.isArray(value) ? value.some((item) => values.includes(item)) : values.includes(value)
}
