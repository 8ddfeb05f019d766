/** What all probes of one check share. */
import type { Contract } from '../../../contract/contract.js'
import type { ProbeRunner } from '../probe-runner.js'
import type { ProviderCollection, RecordValues } from '../provider-collection.js'

export interface ProbeContext {
  contract: Contract
  runner: ProbeRunner
  /** Whether requests may change what the provider holds. */
  canWrite: boolean
  /** Notes a record that this check has created, so that it can be removed at the end. */
  remember(collection: ProviderCollection, created: CreatedRecord): void
}

/** A record that this check has created. */
export interface CreatedRecord {
  key: unknown
  /** As it was answered; absent if it was created to be changed. */
  record?: RecordValues
  /** This check has removed it already. */
  isRemoved?: boolean
}
