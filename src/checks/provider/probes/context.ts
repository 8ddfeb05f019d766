/** What all probes of one check have in common. */
import type { Contract } from '../../../contract/contract.js'
import type { Lab } from '../lab.js'

export interface ProbeContext {
  contract: Contract
  lab: Lab
  /** Whether requests may change what the provider holds. */
  canWrite: boolean
  /** What could not be checked, and why. */
  note(text: string): void
}
