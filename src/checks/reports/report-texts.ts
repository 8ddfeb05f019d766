/** Texts that several report formats share. */
import { isEnough, isFailure } from '../create-report.js'
import type { Finding } from '../finding.js'
import type { Coverage, OperationCoverage, Report } from '../report.js'
import { severities } from '../rule.js'
import { toLine } from './safe-text.js'

/** `1 error`, `2 errors` */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Method, path, part of the request and kind, e.g. `GET /xs query limit maximum`. */
export function describePlace({ method, path, at, kind = '' }: Finding): string {
  return toLine([method, path, at, kind].filter((part) => part !== '').join(' '))
}

/** E.g. `2 errors and 1 info`; `no findings` for an empty list. */
export function countsOf(findings: readonly Finding[]): string {
  const counts = severities
    .map((severity) => ({ severity, count: findings.filter((finding) => finding.severity === severity).length }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => (severity === 'info' ? `${count} info` : plural(count, severity)))
  return counts.join(' and ').replace(/ and (?=.* and )/, ', ') || 'no findings'
}

/** Findings that are not in the baseline. */
export function newOf({ findings }: Report): Finding[] {
  return findings.filter(({ isKnown }) => !isKnown)
}

/** Whether the run passed and why, as a sentence without a full stop. */
export function verdictOf(report: Report): string {
  const { findings, failOn, failures: others = [], coverage, commandExitCode = 0, isPassed } = report
  const newFindings = newOf(report)
  const failures = newFindings.filter((finding) => isFailure(finding, failOn))
  const known = findings.length - newFindings.length
  const reasons = [
    failures.length > 0 ? countsOf(newFindings) : '',
    failures.length === 0 && newFindings.length > 0 ? `${countsOf(newFindings)}, allowed by --fail-on ${failOn}` : '',
    newFindings.length > 0 || others.length > 0 ? '' : known > 0 ? 'no new findings' : 'no findings',
    ...others.map(({ message }) => toLine(message)),
    known > 0 ? `${known} known` : '',
    coverageVerdict(coverage),
    commandExitCode === 0 ? '' : `the command exited with ${commandExitCode}`,
  ]
  return `${isPassed ? 'passed' : 'failed'}: ${reasons.filter((reason) => reason !== '').join('; ')}`
}

/** Compares coverage with its minimum; empty without a minimum. */
export function coverageVerdict(coverage: Coverage | undefined): string {
  if (coverage?.minimum === undefined) return ''
  const { percent, minimum } = coverage
  return isEnough(coverage)
    ? `${percent} % of the contract covered, ${minimum} % required`
    : `only ${percent} % of the contract covered, ${minimum} % required`
}

/** What was checked, as a sentence without a full stop. */
export function subjectOf({ subject, check, document, requests, durationMs }: Report): string {
  const seen = check === 'consumer' ? 'made' : 'was sent'
  const time = `${(durationMs / 1000).toFixed(1)} s`
  const held = `compared with ${document.title} ${document.version} (${document.file})`
  return toLine(`${subject} ${seen} ${plural(requests, 'request')} in ${time}, ${held}`)
}

/** One line of a coverage table. */
export interface CoverageCounts {
  name: string
  requests: number
  met: number
  total: number
  percent: number
}

/** One operation in the coverage table. */
export interface CoverageRow extends CoverageCounts {
  gaps: string[]
}

/** One resource in the coverage table. */
export interface ResourceRow extends CoverageCounts {
  /** The number of its operations, and of those that were called. */
  operations: number
  called: number
}

/** One row per resource, in the order of the document. Empty if the operations have at most one resource. */
export function resourceRows({ operations }: Coverage): ResourceRow[] {
  const names = [...new Set(operations.flatMap(({ resource }) => resource ?? []))]
  if (names.length < 2) return []
  const rowOf = (title: string, name?: string) =>
    toResourceRow(
      title,
      operations.filter(({ resource }) => resource === name),
    )
  const rows = names.map((name) => rowOf(toLine(name), name))
  return operations.every(({ resource }) => resource) ? rows : [...rows, rowOf('(no resource)')]
}

function toResourceRow(name: string, operations: readonly OperationCoverage[]): ResourceRow {
  const points = operations.flatMap((operation) => operation.points)
  const met = points.filter(({ isMet }) => isMet).length
  return {
    name,
    operations: operations.length,
    called: operations.filter(({ requests }) => requests > 0).length,
    requests: operations.reduce((sum, { requests }) => sum + requests, 0),
    met,
    total: points.length,
    percent: percentOf(met, points),
  }
}

/** One row per operation, in the order of the document. */
export function coverageRows({ operations }: Coverage): CoverageRow[] {
  return operations.map((operation) => {
    const { points, requests } = operation
    const met = points.filter(({ isMet }) => isMet).length
    // All points of an operation that was never called have the same gap.
    const gaps = [...new Set(points.filter(({ isMet }) => !isMet).map(({ gap }) => toLine(gap)))]
    return {
      name: operationName(operation),
      requests,
      met,
      total: points.length,
      percent: percentOf(met, points),
      gaps,
    }
  })
}

function operationName({ operation, method, path }: OperationCoverage): string {
  return toLine(`${method} ${path} (${operation})`)
}

/** Rounded down to one decimal like the total, so that 99.96 does not become 100. */
function percentOf(met: number, { length }: readonly unknown[]): number {
  return length === 0 ? 100 : Math.floor((met * 1000) / length) / 10
}
