/** The options of `run` as they come from the command line. */
import type { ReportOptions } from './report-options.js'
import type { SharedOptions } from './server-options.js'

export interface RunOptions extends SharedOptions, ReportOptions {
  /** Further environment variables for the command, each `NAME=what`. */
  env?: string[]
  /** Whether a command that sends no request may pass. @default false */
  allowNoRequests?: boolean
  /** In percent. @default no minimum */
  minCoverage?: number
}
