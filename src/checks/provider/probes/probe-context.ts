/** What all probes of one check share. */
import type { Contract } from '../../../contract/contract.js'
import type { CreatedRecords } from '../created-records.js'
import type { ProbeRunner } from '../probe-runner.js'
import type { Caller } from '../requests/request-draft.js'
import type { UniqueValues } from '../requests/unique-values.js'

export interface ProbeContext {
  contract: Contract
  caller: Caller
  runner: ProbeRunner
  /** What is known about values that the provider accepts only once. */
  unique: UniqueValues
  /** Whether requests may change the provider's data. */
  canWrite: boolean
  /** Every record that a probe creates is added here, so that it is removed at the end. */
  created: CreatedRecords
}
