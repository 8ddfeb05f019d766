/** The result of a check as data: what every format of report is made from. Its schema: `report.schema.json`. */
import type { Finding } from './finding.js'
import type { CheckKind, Rule, Severity } from './rule.js'

/** Goes up when a field changes its meaning or goes; new fields may come without. */
export const schemaVersion = 1

export interface Report {
  schemaVersion: typeof schemaVersion
  tool: { name: string; version: string }
  check: CheckKind
  document: CheckedDocument
  /** The consumer's command, or the provider's address. */
  subject: string
  /** RFC 3339. */
  startedAt: string
  durationMs: number
  /** Requests that were seen (consumer) or sent (provider). */
  requests: number
  /** Exit code of the consumer's command. */
  commandExitCode?: number
  /** The rules that were applied. */
  rules: Rule[]
  /** Errors first, then by operation. */
  findings: Finding[]
  /** What was not checked, and why; sentences without a full stop. */
  notes: string[]
  /** Findings of this severity or worse fail the run, if they are not known. */
  failOn: Severity | 'never'
  baseline?: {
    file: string
    /** Ids in it that were not met: they can go, and have gone where it was updated. */
    gone: string[]
    /** It was written anew, with the findings of this run. */
    isUpdated: boolean
  }
  coverage?: Coverage
  /** No finding at or above `failOn` that is not known, and enough coverage. */
  isPassed: boolean
}

/** The document that was held against the traffic. */
export interface CheckedDocument {
  title: string
  version: string
  /** As it was named on the command line. */
  file: string
  /** The one that comes with the package: no file of the user's, so that nothing points into it. */
  isBundled?: boolean
}

/** What of the contract the consumer's suite has met. */
export interface Coverage {
  /** Points of all operations. */
  total: number
  met: number
  /** met / total in percent, rounded down to one decimal; 100 where there is nothing to meet. */
  percent: number
  /** What was asked for, in percent. */
  minimum?: number
  operations: OperationCoverage[]
}

export interface OperationCoverage {
  operation: string
  method: string
  path: string
  /** How many requests met it. */
  requests: number
  points: CoveragePoint[]
}

/** One thing to meet: the operation itself, a documented status, a parameter or property, a boundary of one. */
export interface CoveragePoint {
  kind: 'operation' | 'status' | 'parameter' | 'boundary'
  /** Short, for the table: `401`, `limit`, `limit=100`. */
  name: string
  isMet: boolean
  /** What is missing, in words, where it was not met: `never met a 401`. */
  gap: string
}
