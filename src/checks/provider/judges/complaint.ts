/** One thing that is wrong with a response of the provider. */
import type { Problem } from '../../finding.js'

/** With its rule, the operation and the kind, the place `at` identifies the finding. */
export type Complaint = Omit<Problem, 'operation' | 'method' | 'path'>
