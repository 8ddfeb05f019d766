/** The options of `check` as they come from the command line. */
import type { DocumentOptions } from './document-options.js'
import type { ReportOptions } from './report-options.js'

export interface CheckCommandOptions extends ReportOptions, DocumentOptions {
  /** A key that is valid at the provider. */
  apiKey?: string
  /** Name of the server of the document. */
  server?: string
  /** Whether records may be created and changed. */
  write?: boolean
  /** Requests per second. */
  rate?: number
  /** For one request, in seconds. */
  timeout?: number
  /** Makes generated requests repeatable. */
  seed?: number
}

/** Requests per second to a provider on another machine, unless --rate says otherwise. */
export const remoteRate = 20
