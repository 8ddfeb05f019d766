/** The result of a check as data. Every report format is rendered from it. Its schema is `report.schema.json`. */
import { isObject } from '../json/own-value.js'
import type { Guess } from './consumer/relied.js'
import { type CheckKind, type Finding, type Rule, type Severity, severities } from './finding.js'
import { parseJsonFile, unreadable as unreadableFile } from './json-file.js'

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
  /** What decided answers that the tests read, and nobody has said or shown. Only of a consumer. */
  guesses?: Guess[]
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

/** The data of a report. */
export interface ReportParts extends Omit<Report, 'schemaVersion' | 'coverage' | 'baseline' | 'isPassed'> {
  coverage?: Omit<Coverage, 'minimum'>
  /** In percent. Ignored without coverage. */
  minimumCoverage?: number
  baseline?: {
    file: string
    /** Its content before the run. */
    ids: readonly string[]
    /** The findings of this run are written to it, so that all of them count as known. */
    isUpdated: boolean
  }
}

/** Does not write anything. */
export function createReport(parts: ReportParts): Report {
  const { baseline, coverage: measured, minimumCoverage, commandExitCode, failures = [], failOn, ...facts } = parts
  const known = new Set(baseline?.ids)
  const findings = parts.findings
    .map((finding) => ({ ...finding, isKnown: baseline?.isUpdated === true || known.has(finding.id) }))
    .sort(byWeight)
  const coverage = measured && {
    ...measured,
    ...(minimumCoverage === undefined ? {} : { minimum: minimumCoverage }),
  }
  return {
    schemaVersion,
    ...facts,
    ...(commandExitCode === undefined ? {} : { commandExitCode }),
    findings,
    ...(failures.length > 0 ? { failures } : {}),
    failOn,
    ...(baseline ? { baseline: { file: baseline.file, gone: goneOf(parts), isUpdated: baseline.isUpdated } } : {}),
    ...(coverage ? { coverage } : {}),
    isPassed: !findings.some((finding) => isFailure(finding, failOn)) && isEnough(coverage) && failures.length === 0,
  }
}

/** Whether a finding fails the run. */
export function isFailure({ isKnown, severity }: Finding, failOn: Severity | 'never'): boolean {
  return !isKnown && failOn !== 'never' && severities.indexOf(severity) <= severities.indexOf(failOn)
}

/** Whether the coverage reaches its minimum; true without a minimum. */
export function isEnough(coverage: Coverage | undefined): boolean {
  return coverage?.minimum === undefined || coverage.percent >= coverage.minimum
}

/** Ids in the baseline that did not occur. Empty if the run was incomplete. */
function goneOf(parts: ReportParts): string[] {
  const { baseline, findings } = parts
  if (!baseline || whyIncomplete(parts) !== undefined) return []
  const met = new Set(findings.map(({ id }) => id))
  return [...new Set(baseline.ids)].filter((id) => !met.has(id)).sort()
}

/** Why findings may be missing; undefined if none is. */
export function whyIncomplete({
  commandExitCode = 0,
  failures = [],
}: Pick<ReportParts, 'commandExitCode' | 'failures'>): string | undefined {
  return commandExitCode === 0 ? failures[0]?.message : `the command exited with ${commandExitCode}`
}

function byWeight(one: Finding, other: Finding): number {
  const difference = severities.indexOf(one.severity) - severities.indexOf(other.severity)
  return difference || compare(keysOf(one), keysOf(other))
}

/** Findings without an operation come last. */
function keysOf({ operation, path, method, id }: Finding): string[] {
  return [operation === undefined ? '1' : `0${operation}`, path, method, id]
}

/** By code units, so that the order does not depend on the language of the machine. */
function compare(one: readonly string[], other: readonly string[]): number {
  const index = one.findIndex((part, position) => part !== other[position])
  if (index < 0) return 0
  return (one[index] ?? '') < (other[index] ?? '') ? -1 : 1
}

/** Version 1 did not distinguish kinds of violations, and contained messages, which change from run to run. */
const version = 2

/**
 * Ids of the findings in a baseline.
 * @param file its name in errors
 * @param isToBeUpdated whether it will be overwritten, so that version 1 counts as empty. @default false
 * @throws SandboxError `UNREADABLE_FILE`
 */
export function parseBaseline(text: string, file: string, isToBeUpdated = false): string[] {
  const unreadable = (why: string, remedy: string) => unreadableFile('baseline', file, why, remedy)
  const baseline = parseJsonFile(text, 'baseline', file, replaceIt)
  if (!isObject(baseline) || !('version' in baseline)) throw unreadable('it is JSON, but not a baseline', replaceIt)
  if (baseline['version'] === 1) {
    if (isToBeUpdated) return []
    throw unreadable(
      'its version is 1, whose entries hide every kind of violation in one place',
      'Run once with --update-baseline to rewrite it, and review its entries',
    )
  }
  if (baseline['version'] !== version) {
    const found = JSON.stringify(baseline['version'])
    throw unreadable(`its version is ${found}, and this program reads version ${version}`, replaceIt)
  }
  const findings = baseline['findings']
  if (!Array.isArray(findings)) throw unreadable('"findings" is not a list', replaceIt)
  return findings.map((id: unknown, index) => {
    if (typeof id === 'string') return id
    throw unreadable(`entry ${index + 1} of "findings" is not text`, 'Correct or remove it')
  })
}

/**
 * JSON with one finding per line, sorted, so that changes are easy to review. Each line has the rule, operation, place and
 * kind, but nothing that differs from run to run.
 */
export function renderBaseline(findings: readonly Pick<Finding, 'id'>[]): string {
  const ids = new Set(findings.map(({ id }) => id))
  return `${JSON.stringify({ version, findings: [...ids].sort() }, null, 2)}\n`
}

const replaceIt = 'Name another file, or delete this one and create a new one with --update-baseline'
