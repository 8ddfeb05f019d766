/** Creates a report from the findings of a check: sorts them, compares them with the baseline, and judges the run. */
import type { Finding } from './finding.js'
import { type Coverage, type Report, schemaVersion } from './report.js'
import { type Severity, severities } from './rule.js'

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
