/** An operation with its possible effect, and what it answers. */
import type { Candidate } from '../../infer/facts/candidate.js'
import type { DescribedSuccess } from '../operations/compile-success.js'

export interface CompiledCandidate extends Candidate {
  success: DescribedSuccess | undefined
}
