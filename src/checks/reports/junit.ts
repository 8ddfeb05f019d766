/**
 * JUnit XML, as GitLab and Jenkins read it. Each finding is a failed test, as GitLab shows one failure per test and
 * identifies tests by class and name. A rule without findings is a passed test.
 */
import type { Frame } from '../consumer/sources.js'
import type { Finding } from '../finding.js'
import { isEnough, isFailure, type Report } from '../report.js'
import {
  callersOf,
  commandSign,
  coverageRows,
  coverageVerdict,
  describePlace,
  messageOf,
  shortenBody,
  sourceOf,
  toLine,
  toReference,
} from './report-texts.js'

type Outcome = 'passed' | 'failure' | 'skipped'

interface TestCase {
  className: string
  name: string
  /** The place of the call in the consumer's code. */
  call?: Frame | undefined
  outcome: Outcome
  /** One line. Not shown for a passed test. */
  message?: string
  /** Kind of failure. */
  type?: string
  details?: string
}

/** One test suite with the findings, the rules without findings, other failures, and the coverage if it has a minimum. */
export function renderJunit(report: Report): string {
  const { tool, check, durationMs, startedAt } = report
  const cases = casesOf(report)
  const count = (outcome: Outcome) => cases.filter((each) => each.outcome === outcome).length
  const seconds = (durationMs / 1000).toFixed(3)
  const counts = { tests: cases.length, failures: count('failure'), errors: 0 }
  // The original schema has neither time zone nor fractions, and Jenkins relies on that.
  const timestamp = new Date(startedAt).toISOString().slice(0, 19)
  const suite = { name: `${tool.name} ${check}`, ...counts, skipped: count('skipped'), time: seconds, timestamp }
  const name = `${tool.name} ${tool.version}`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name, ...counts, time: seconds })}>`,
    `  <testsuite${attributes(suite)}>`,
    ...cases.map(renderCase),
    ...(report.notes.length > 0 ? [`    <system-out>${toXml(report.notes.join('\n'))}</system-out>`] : []),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function casesOf(report: Report): TestCase[] {
  const { rules, findings, failures = [], coverage, tool, check } = report
  // Jenkins shows everything before the last dot as the package.
  const classOf = (rule: string) => `${tool.name}.${check}.${rule}`
  const clean = rules.filter(({ id }) => !findings.some(({ rule }) => rule === id))
  return [
    ...findings.map((finding) => findingCase(finding, classOf(finding.rule), report)),
    ...clean.map(({ id, looksAt }) => ({ className: classOf(id), name: looksAt, outcome: 'passed' as const })),
    ...failures.map(({ message, help }) => ({
      className: classOf('run'),
      name: toLine(message),
      outcome: 'failure' as const,
      type: 'error',
      message,
      details: `Help: ${help}`,
    })),
    ...(coverage?.minimum === undefined
      ? []
      : [
          {
            className: classOf('coverage'),
            name: `at least ${coverage.minimum} % of the contract is covered`,
            outcome: isEnough(coverage) ? ('passed' as const) : ('failure' as const),
            type: 'coverage',
            message: coverageVerdict(coverage),
            details: coverageRows(coverage)
              .flatMap(({ name, gaps }) => gaps.map((gap) => `${name}: ${gap}`))
              .join('\n'),
          },
        ]),
  ]
}

function findingCase(finding: Finding, className: string, { failOn, baseline }: Report): TestCase {
  const { isKnown, message, severity } = finding
  return {
    className,
    name: describePlace(finding),
    call: finding.sources?.[0]?.call,
    outcome: isKnown ? 'skipped' : isFailure(finding, failOn) ? 'failure' : 'passed',
    message: isKnown ? `known from ${baseline?.file}: ${message}` : message,
    type: severity,
    details: detailsOf(finding),
  }
}

function detailsOf(finding: Finding): string {
  const { id, severity, operation, help, requests, response } = finding
  return [
    `${severity}: ${messageOf(finding)}`,
    `Help: ${help}`,
    ...callersOf(finding).map((caller) => `Called: ${caller}`),
    ...(operation === undefined ? [] : [`Operation: ${sourceOf(finding)}`]),
    ...requests.map((request) => `$ ${request}`),
    ...(response ? [`Answered: ${response.status} ${shortenBody(response.body)}`] : []),
    `Id: ${id}`,
  ].join('\n')
}

function renderCase({ className, name, call, outcome, message = '', type = '', details = '' }: TestCase): string {
  const place = call && { file: call.file, line: call.line }
  const head = `    <testcase${attributes({ classname: className, name, time: '0.000', ...place })}`
  if (outcome === 'passed') {
    return details === '' ? `${head}/>` : `${head}>\n      <system-out>${toXml(details)}</system-out>\n    </testcase>`
  }
  const more: Record<string, string> = outcome === 'failure' ? { message, type } : { message }
  return `${head}>\n      <${outcome}${attributes(more)}>${toXml(details)}</${outcome}>\n    </testcase>`
}

function attributes(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${toXml(String(value)).replace(/[\t\n\r]/g, toReference)}"`)
    .join('')
}

/** Characters that XML 1.0 (2.2) forbids or discourages, even as references. They are replaced. */
const forbidden = /[^\t\n\r\u0020-\u007e\u00a0-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd\u{10000}-\u{10ffff}]/gu
const references: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' }

/** References also hide commands to build servers, which read the output of a job line by line. */
function toXml(text: string): string {
  return text
    .replace(forbidden, '\ufffd')
    .replace(/[&<>"\r]/g, (found) => references[found] ?? found)
    .replace(/:(?=:)/g, toReference)
    .replace(commandSign, toReference)
}
