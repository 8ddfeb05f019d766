/** Markdown for GitHub, for the summary of a job. */
import type { Finding, Severity } from '../finding.js'
import type { Coverage, Report } from '../report.js'
import {
  callersOf,
  coverageRows,
  describePlace,
  messageOf,
  newOf,
  plural,
  resourceRows,
  shortenBody,
  sourceOf,
  subjectOf,
  toLine,
  toReference,
  verdictOf,
} from './report-texts.js'

/** Bytes. GitHub discards a summary above 1 MiB, and other steps of the job may add to it. */
const budget = 500_000

const signs: Record<Severity, string> = { error: '❌', warning: '⚠️', info: 'ℹ️' }

/** Verdict, new findings, coverage and notes. */
export function renderMarkdown(report: Report): string {
  const { tool, isPassed, coverage, notes, baseline, failures = [] } = report
  const sections = [
    `## ${isPassed ? '✅' : '❌'} ${toInline(tool.name)} ${toInline(verdictOf(report))}`,
    toInline(subjectOf(report)),
    ...failures.map(({ message, help }) => `❌ <b>${toInline(message)}</b>: ${toInline(help)}.`),
    ...withinBudget(newOf(report)),
    baseline && baseline.gone.length > 0 && !baseline.isUpdated
      ? `No longer found, <code>--update-baseline</code> removes these from ${code(baseline.file)}:\n\n${list(baseline.gone.map(code))}`
      : '',
    coverage ? coverageTable(coverage) : '',
    notes.length > 0 ? `### Notes\n\n${list(notes.map(toInline))}` : '',
  ]
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`
}

/** The table of findings and their details, as many as the budget allows. */
function withinBudget(findings: readonly Finding[]): string[] {
  if (findings.length === 0) return []
  const parts = findings.map((finding) => ({ row: toRow(finding), details: toDetails(finding) }))
  let size = 0
  const fitting = parts.filter(({ row, details }) => {
    size += Buffer.byteLength(row + details)
    return size <= budget
  })
  const rest = parts.length - fitting.length
  return [
    ['| | rule | where | what |', '| --- | --- | --- | --- |', ...fitting.map(({ row }) => row)].join('\n'),
    ...fitting.map(({ details }) => details),
    rest > 0 ? `And ${plural(rest, 'more finding')}, omitted to keep this summary short.` : '',
  ]
}

function toRow(finding: Finding): string {
  const { severity, rule } = finding
  const what = toInline(messageOf(finding))
  return `| ${signs[severity]} ${severity} | ${code(rule)} | ${code(describePlace(finding))} | ${what} |`
}

function toDetails(finding: Finding): string {
  const { rule, help, requests, response } = finding
  const where = sourceOf(finding)
  const callers = callersOf(finding)
  const lines = [
    ...requests.map(toLine),
    ...(response ? [`# answered ${response.status} ${shortenBody(response.body)}`.trimEnd()] : []),
  ]
  return [
    `<details><summary>${code(rule)} ${code(describePlace(finding))}</summary>`,
    '',
    `${toInline(help)}.${where === '' ? '' : ` ${code(where)}`}`,
    '',
    ...callers.map((caller) => `- called: ${code(caller)}`),
    ...(callers.length > 0 ? [''] : []),
    ...(lines.length > 0 ? [`<pre lang="sh">${lines.map(toHtml).join('\n')}</pre>`, ''] : []),
    '</details>',
  ].join('\n')
}

function coverageTable(coverage: Coverage): string {
  const { met, total, percent, minimum } = coverage
  const rows = coverageRows(coverage)
  const gaps = rows.filter((row) => row.gaps.length > 0)
  const resources = resourceRows(coverage)
  return [
    `### Coverage: ${percent} %${minimum === undefined ? '' : ` (${minimum} % required)`}`,
    '',
    `${met} of ${total} points of the contract were covered.`,
    '',
    ...(resources.length > 0
      ? [
          '| resource | operations | requests | covered | percent |',
          '| --- | ---: | ---: | ---: | ---: |',
          ...resources.map(
            (row) =>
              `| ${code(row.name)} | ${row.called}/${row.operations} | ${row.requests} | ${row.met}/${row.total} | ${row.percent} % |`,
          ),
          '',
        ]
      : []),
    '| operation | requests | covered | percent |',
    '| --- | ---: | ---: | ---: |',
    ...rows.map((row) => `| ${code(row.name)} | ${row.requests} | ${row.met}/${row.total} | ${row.percent} % |`),
    ...(gaps.length > 0
      ? [
          '',
          '<details><summary>What was not covered</summary>',
          '',
          ...gaps.map((row) => `- ${code(row.name)}\n${row.gaps.map((gap) => `  - ${toInline(gap)}`).join('\n')}`),
          '',
          '</details>',
        ]
      : []),
  ].join('\n')
}

function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n')
}

/** In a `code` tag, as text in backticks could contain backticks. */
function code(text: string): string {
  return `<code>${toInline(text)}</code>`
}

/** Escapes by references, which are never markup (CommonMark 6.2). Backslashes don't work in tables and tags. */
function toInline(text: string): string {
  return toLine(text).replace(/[&<>"'`*_|~[\]\\$#@]|:(?=:)/g, toReference)
}

/** For `pre` tags, where nothing else is markup. */
function toHtml(text: string): string {
  return text.replace(/[&<>]|:(?=:)/g, toReference)
}
