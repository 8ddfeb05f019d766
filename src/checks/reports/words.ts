/** What several formats of report say in the same words. */
import { isEnough, isFailure } from '../create-report.js'
import type { Finding } from '../finding.js'
import type { Coverage, OperationCoverage, Report } from '../report.js'
import { severities } from '../rule.js'
import { toLine } from './safe-text.js'

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** `GET /xs query limit`, with what of it is there. */
export function describePlace({ method, path, at }: Finding): string {
  return toLine([method, path, at].filter((part) => part !== '').join(' '))
}

/** `2 errors and 1 info` of those that are not known. */
export function countsOf(findings: readonly Finding[]): string {
  const counts = severities
    .map((severity) => ({ severity, count: findings.filter((finding) => finding.severity === severity).length }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => (severity === 'info' ? `${count} info` : plural(count, severity)))
  return counts.join(' and ').replace(/ and (?=.* and )/, ', ') || 'no findings'
}

export function newOf({ findings }: Report): Finding[] {
  return findings.filter(({ isKnown }) => !isKnown)
}

/** Why the run passed or failed, in one sentence without a full stop. */
export function verdictOf(report: Report): string {
  const { findings, failOn, coverage, commandExitCode = 0, isPassed } = report
  const fresh = newOf(report)
  const failures = fresh.filter((finding) => isFailure(finding, failOn))
  const known = findings.length - fresh.length
  const reasons = [
    failures.length > 0 ? countsOf(fresh) : '',
    failures.length === 0 && fresh.length > 0 ? `${countsOf(fresh)}, which --fail-on ${failOn} lets pass` : '',
    fresh.length === 0 ? (known > 0 ? 'no new findings' : 'no findings') : '',
    known > 0 ? `${known} known` : '',
    coverageVerdict(coverage),
    commandExitCode === 0 ? '' : `the command itself ended with ${commandExitCode}`,
  ]
  return `${isPassed ? 'passed' : 'failed'}: ${reasons.filter((reason) => reason !== '').join('; ')}`
}

export function coverageVerdict(coverage: Coverage | undefined): string {
  if (coverage?.minimum === undefined) return ''
  const { percent, minimum } = coverage
  return isEnough(coverage)
    ? `${percent} % of the contract met, ${minimum} % asked for`
    : `only ${percent} % of the contract met, ${minimum} % asked for`
}

/** What was looked at, in one sentence without a full stop. */
export function subjectOf({ subject, check, document, requests, durationMs }: Report): string {
  const seen = check === 'consumer' ? 'made' : 'was sent'
  const time = `${(durationMs / 1000).toFixed(1)} s`
  const held = `held against ${document.title} ${document.version} (${document.file})`
  return toLine(`${subject} ${seen} ${plural(requests, 'request')} in ${time}, ${held}`)
}

export interface CoverageRow {
  name: string
  requests: number
  met: number
  total: number
  percent: number
  gaps: string[]
}

export function coverageRows({ operations }: Coverage): CoverageRow[] {
  return operations.map((operation) => {
    const { points, requests } = operation
    const met = points.filter(({ isMet }) => isMet).length
    // Of an operation that was never called, every point has the same gap.
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

/** As the whole is counted: rounded down to one decimal, as 99.96 is not 100. */
function percentOf(met: number, { length }: readonly unknown[]): number {
  return length === 0 ? 100 : Math.floor((met * 1000) / length) / 10
}
