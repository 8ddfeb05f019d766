/** The options of `run` as they come from the command line. */
import type { ReportOptions } from './report-options.js'
import type { SharedOptions } from './server-options.js'

export interface RunOptions extends SharedOptions, ReportOptions {
  /** Further environment variables for the command, each `NAME=what`. */
  env?: string[]
  /** In percent. @default no minimum */
  minCoverage?: number
}
