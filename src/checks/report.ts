/** The result of a check as data. Every report format is rendered from it. Its schema is `report.schema.json`. */
import type { Finding } from './finding.js'
import type { CheckKind, Rule, Severity } from './rule.js'

/** Increased when a field changes its meaning or is removed, but not when a field is added. */
export const schemaVersion = 1

/** The findings of a check, its conditions, and whether the run passed. */
export interface Report {
  schemaVersion: typeof schemaVersion
  tool: { name: string; version: string }
  check: CheckKind
  document: CheckedDocument
  /** The consumer's command, the provider's address, or the old version; of `proxy` both of the first two. */
  subject: string
  /** RFC 3339. */
  startedAt: string
  durationMs: number
  /** Number of requests that were received (consumer, proxy) or sent (provider); 0 of changes. */
  requests: number
  /** Exit code of the consumer's command. */
  commandExitCode?: number
  /** The rules that were applied. */
  rules: Rule[]
  /** Errors first, then by operation. */
  findings: Finding[]
  /** Sentences without a full stop: what was not checked, and why. */
  notes: string[]
  /** Failures independent of findings, such as a command that sent no request. Absent if there are none. */
  failures?: Failure[]
  /** New findings of this severity or worse fail the run. */
  failOn: Severity | 'never'
  baseline?: {
    file: string
    /** Ids in it that did not occur. They can be removed, and were removed if it was updated. */
    gone: string[]
    /** It was overwritten with the findings of this run. */
    isUpdated: boolean
  }
  coverage?: Coverage
  /** No new finding of severity `failOn` or worse, enough coverage, and no other failure. */
  isPassed: boolean
}

/** Reasons other than findings and coverage for which a run fails. Both are without a full stop. */
export interface Failure {
  /** What is wrong; continues a sentence. */
  message: string
  /** What to look at, and what to do. */
  help: string
}

/** The document that the traffic was compared with. */
export interface CheckedDocument {
  title: string
  version: string
  /** As given on the command line. */
  file: string
  /** The document in the package. It is not in the user's repository, so annotations have no place in it. */
  isBundled?: boolean
}

/** Which parts of the contract the consumer's tests have used. */
export interface Coverage {
  /** Number of points of all operations. */
  total: number
  met: number
  /** met / total in percent, rounded down to one decimal; 100 if there are no points. */
  percent: number
  /** Required by `--min-coverage`, in percent. */
  minimum?: number
  operations: OperationCoverage[]
}

/** The points of one operation. */
export interface OperationCoverage {
  operation: string
  method: string
  path: string
  /** The collection whose records it lists, reads or changes; absent if there is none. */
  resource?: string
  /** Number of requests of this operation. */
  requests: number
  points: CoveragePoint[]
}

/** One part of the contract that tests can use: an operation, a documented status, a parameter or property, a bound. */
export interface CoveragePoint {
  kind: 'operation' | 'status' | 'parameter' | 'boundary'
  /** Short, for tables: `401`, `limit`, `limit=100`. */
  name: string
  isMet: boolean
  /** What is missing; empty if it was met. */
  gap: string
}
