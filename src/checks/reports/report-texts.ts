/** Texts that several report formats share. */
import { toJsonEscape, toSafeLine, unsafe } from '../../contract/safe-text.js'
import { type Finding, severities } from '../finding.js'
import { type Coverage, isEnough, isFailure, type OperationCoverage, type Report } from '../report.js'

/** `1 error`, `2 errors` */
export function plural(count: number, noun: string, several: string = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : several}`
}

/** Method, path, part of the request and kind, e.g. `GET /xs query limit maximum`. */
export function describePlace({ method, path, at, kind = '' }: Finding): string {
  return toLine([method, path, at, kind].filter((part) => part !== '').join(' '))
}

/** The message, with the number of occurrences if there are several. */
export function messageOf({ message, count }: Finding): string {
  return `${message}${count > 1 ? ` (${count} times)` : ''}`
}

/** The operation with its place in the document; empty without an operation. */
export function sourceOf({ operation, place }: Finding): string {
  return [operation ?? [], place ? `${place.file}:${place.line}` : []].flat().join(', ')
}

/** E.g. `2 errors and 1 info`; `no findings` for an empty list. */
export function countsOf(findings: readonly Finding[]): string {
  const counts = severities
    .map((severity) => ({ severity, count: findings.filter((finding) => finding.severity === severity).length }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => (severity === 'info' ? `${count} info` : plural(count, severity)))
  return counts.join(' and ').replace(/ and (?=.* and )/, ', ') || 'no findings'
}

/** The places in the consumer's code, e.g. `src/client.ts:12 in "adds a book" (test/shelf.test.ts:30)`. */
export function callersOf({ sources = [], count }: Pick<Finding, 'sources' | 'count'>): string[] {
  return sources.map(({ call, test, count: own }) => {
    const isElsewhere = test && (test.file !== call.file || test.line !== call.line)
    const line = isElsewhere ? `${test.file}:${test.line}` : ''
    const name = test?.name === undefined ? '' : JSON.stringify(test.name)
    const inTest = name === '' ? line && `, from ${line}` : ` in ${name}${line && ` (${line})`}`
    return `${call.file}:${call.line}${inTest}${own === count ? '' : ` (${plural(own, 'time')})`}`
  })
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
  return `${isEnough(coverage) ? '' : 'only '}${percent} % of the contract covered, ${minimum} % required`
}

/** What was checked, as a sentence without a full stop. */
export function subjectOf({ subject, check, document, requests, durationMs }: Report): string {
  if (check === 'changes') {
    return toLine(`${document.title} ${document.version} (${document.file}), compared with ${subject}`)
  }
  const seen = check === 'provider' ? 'was sent' : 'made'
  const time = `${(durationMs / 1000).toFixed(1)} s`
  const held = `compared with ${document.title} ${document.version} (${document.file})`
  return toLine(`${subject} ${seen} ${plural(requests, 'request')} in ${time}, ${held}`)
}

/** One operation or resource in a coverage table. */
export interface CoverageRow {
  name: string
  /** The number of its operations, and of those that were called. */
  operations: number
  called: number
  requests: number
  met: number
  total: number
  percent: number
  gaps: string[]
}

/** One row per resource, in the order of the document. Empty if the operations have at most one resource. */
export function resourceRows({ operations }: Coverage): CoverageRow[] {
  const names = [...new Set(operations.flatMap(({ resource }) => resource ?? []))]
  if (names.length < 2) return []
  const others = operations.filter(({ resource }) => !resource)
  return [
    ...names.map((name) =>
      toRow(
        name,
        operations.filter(({ resource }) => resource === name),
      ),
    ),
    ...(others.length > 0 ? [toRow('(no resource)', others)] : []),
  ]
}

/** One row per operation, in the order of the document. */
export function coverageRows({ operations }: Coverage): CoverageRow[] {
  return operations.map((each) => toRow(`${each.method} ${each.path} (${each.operation})`, [each]))
}

function toRow(name: string, operations: readonly OperationCoverage[]): CoverageRow {
  const points = operations.flatMap((operation) => operation.points)
  const missing = points.filter(({ isMet }) => !isMet)
  const met = points.length - missing.length
  return {
    name: toLine(name),
    operations: operations.length,
    called: operations.filter(({ requests }) => requests > 0).length,
    requests: operations.reduce((sum, { requests }) => sum + requests, 0),
    met,
    total: points.length,
    percent: percentOf(met, points.length),
    // All points of an operation that was never called have the same gap.
    gaps: [...new Set(missing.map(({ gap }) => toLine(gap)))],
  }
}

/** Rounded down to one decimal, so that 99.96 does not become 100; 100 of nothing. */
export function percentOf(met: number, total: number): number {
  return total === 0 ? 100 : Math.floor((met * 1000) / total) / 10
}

/**
 * The first number sign of a command that is executed anywhere in a line: `##[` (GitHub Actions, Azure Pipelines),
 * `##vso[` (Azure Pipelines) and `##teamcity[`.
 */
export const commandSign: RegExp = /#(?=#\w*\[)/g

/**
 * Replaces each unsafe character by U+FFFD, including line breaks and signs of commands. The line may still begin with a
 * command of GitHub Actions: `::`.
 */
export function toLine(text: string): string {
  return toSafeLine(text).replace(commandSign, '\ufffd')
}

/** Compiled at the first use, which takes a millisecond: most output has no such line. */
const commandStart = /^[^\p{L}\p{N}\p{P}\p{S}]*::/u

/** Lines for a terminal or a log. None of them is a command to a build server. */
export function toLines(text: string): string {
  return (
    text
      .split('\n')
      .map((line) => toLine(line.replace(/\r$/, '').replaceAll('\t', '  ')))
      // GitHub Actions ignores what is not visible before `::`.
      .map((line) => (line.includes('::') && commandStart.test(line) ? `| ${line}` : line))
      .join('\n')
  )
}

/** A character as a reference of XML and HTML. */
export function toReference(character: string): string {
  return `&#${character.charCodeAt(0)};`
}

const shownLength = 300

/** A body in one line, cut after 300 characters. */
export function shortenBody(body: string): string {
  // Cut first, as a body may have a megabyte.
  const line = toLine(
    body
      .slice(0, 10 * shownLength)
      .replace(/\s+/g, ' ')
      .trim(),
  )
  const characters = [...line]
  if (characters.length <= shownLength && body.length <= 10 * shownLength) return line
  return `${characters.slice(0, shownLength).join('')}…`
}

/** JSON that is safe on a terminal and in a log: also escapes what `JSON.stringify` does not. */
export function toJson(value: unknown): string {
  // Line breaks are layout; in strings they are already escaped. A number sign occurs only in strings.
  const text = JSON.stringify(value, null, 2).replace(unsafe, (found) => (found === '\n' ? found : toJsonEscape(found)))
  return `${text.replace(commandSign, toJsonEscape)}\n`
}
