/** Keeps track of the records that a check has created: later probes use them, and the clean-up removes them. */
import type { ProviderCollection, RecordValues } from './provider-collection.js'

/** A record that this check has created. */
export interface CreatedRecord {
  key: unknown
  /** As it was answered; absent if the record was created to be changed. */
  record?: RecordValues
  /** This check has removed it already. */
  isRemoved?: boolean
}

export interface CreatedRecords {
  add(collection: ProviderCollection, created: CreatedRecord): void
  /** The records of a collection that this check has not removed, oldest first. */
  remaining(collection: ProviderCollection): CreatedRecord[]
}

/** Starts without records. */
export function trackCreatedRecords(): CreatedRecords {
  const all = new Map<ProviderCollection, CreatedRecord[]>()
  return {
    add(collection, created) {
      all.set(collection, [...(all.get(collection) ?? []), created])
    },
    remaining: (collection) => (all.get(collection) ?? []).filter(({ isRemoved }) => !isRemoved),
  }
}
