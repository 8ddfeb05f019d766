/** What all probes of one check have in common. */
import type { Contract } from '../../../contract/contract.js'
import type { Lab } from '../lab.js'
import type { ProviderCollection, Values } from '../provider-collection.js'

export interface ProbeContext {
  contract: Contract
  lab: Lab
  /** Whether requests may change what the provider holds. */
  canWrite: boolean
  /** Remembers a record that this check has created. */
  keep(collection: ProviderCollection, created: Created): void
}

export interface Created {
  key: unknown
  /** As it was answered; absent where it was created to be changed. */
  record?: Values
  /** This check has removed it. */
  isGone?: boolean
}
