/** Keeps track of the records that a check has created: later probes use them, and the clean-up removes them. */
import type { ProviderCollection, RecordValues } from './provider-collection.js'

/** A record that this check has created. */
export interface CreatedRecord {
  key: unknown
  /** The record in the answer; absent if it was created to be changed. */
  record?: RecordValues
  /** This check has removed it already. */
  isRemoved?: boolean
}

export interface CreatedRecords {
  add(collection: ProviderCollection, created: CreatedRecord): void
  /** The records of a collection that this check has not removed, oldest first. */
  remaining(collection: ProviderCollection): CreatedRecord[]
  /** Sets the keys that existed before the check, so that the clean-up never removes these records. */
  keep(collection: ProviderCollection, keys: Iterable<unknown>): void
  /** Adds the key in any answer to a creation, even for an invalid body. No probe uses these records. */
  note(collection: ProviderCollection, key: unknown): void
  /** Keys of all records that this check has created and not removed. */
  keys(collection: ProviderCollection): unknown[]
}

/** Starts without records. */
export function trackCreatedRecords(): CreatedRecords {
  const all = new Map<ProviderCollection, CreatedRecord[]>()
  const kept = new Map<ProviderCollection, Set<unknown>>()
  const noted = new Map<ProviderCollection, Set<unknown>>()
  const remaining = (collection: ProviderCollection) =>
    (all.get(collection) ?? []).filter(({ isRemoved }) => !isRemoved)
  return {
    add(collection, created) {
      all.set(collection, [...(all.get(collection) ?? []), created])
      noted.get(collection)?.delete(created.key)
    },
    remaining,
    keep: (collection, keys) => void kept.set(collection, new Set(keys)),
    note: (collection, key) => void noted.set(collection, (noted.get(collection) ?? new Set()).add(key)),
    keys(collection) {
      const keys = new Set([...remaining(collection).map(({ key }) => key), ...(noted.get(collection) ?? [])])
      return [...keys].filter((key) => !kept.get(collection)?.has(key))
    },
  }
}
