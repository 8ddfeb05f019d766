/** The formats of reports, by name. */
import { createHash } from 'node:crypto'
import type { Finding, Severity } from '../finding.js'
import { isEnough, type Report } from '../report.js'
import { renderJunit } from './junit.js'
import { renderMarkdown } from './markdown.js'
import {
  callersOf,
  coverageVerdict,
  describePlace,
  newOf,
  shortenBody,
  sourceOf,
  toJson,
  toLine,
  verdictOf,
} from './report-texts.js'
import { renderSarif, repositoryPath } from './sarif.js'
import { renderText, type TextOptions } from './text.js'

export interface RenderOptions extends TextOptions {
  /** Folder where the program was started, relative to the root of the repository; empty at the root. */
  folder: string
}

export type ReportFormat = 'text' | 'json' | 'junit' | 'sarif' | 'github' | 'gitlab' | 'markdown'

export const reportFormats: Record<ReportFormat, (report: Report, options: RenderOptions) => string> = {
  text: renderText,
  // Safe to print on a terminal.
  json: toJson,
  junit: renderJunit,
  sarif: renderSarif,
  github: renderGithub,
  gitlab: renderGitlab,
  markdown: renderMarkdown,
}

const commands: Record<Severity, string> = { error: 'error', warning: 'warning', info: 'notice' }

/** Leaves out known findings, so that a pull request shows only new ones. */
function renderGithub(report: Report, { folder }: { folder: string }): string {
  const lines = newOf(report).map((finding) => annotate(finding, report, folder))
  for (const { message, help } of report.failures ?? []) {
    const text = [message, help].map(toLine).join('\n')
    lines.push(command('error', { title: `${report.tool.name}: ${report.check}` }, text))
  }
  if (!isEnough(report.coverage)) {
    lines.push(command('error', { title: `${report.tool.name}: coverage` }, coverageVerdict(report.coverage)))
  }
  // An empty report would look like a failure to write it.
  if (lines.length === 0) lines.push(command('notice', { title: report.tool.name }, verdictOf(report)))
  return `${lines.join('\n')}\n`
}

function annotate(finding: Finding, { document }: Report, folder: string): string {
  const { severity, rule, message, help, requests, response, place } = finding
  const [call] = finding.sources ?? []
  const shown = call?.call ?? (document.isBundled ? undefined : place)
  const location: Record<string, string> = shown
    ? { file: repositoryPath(shown.file, folder), line: String(shown.line) }
    : {}
  const text = [
    toLine(message),
    toLine(help),
    ...callersOf(finding).map((caller) => `called: ${toLine(caller)}`),
    ...(call && place ? [`documented: ${toLine(sourceOf(finding))}`] : []),
    ...requests.map((request) => `$ ${toLine(request)}`),
    ...(response ? [`${response.status} ${shortenBody(response.body)}`] : []),
  ]
  return command(commands[severity], { ...location, title: `${rule}: ${describePlace(finding)}` }, text.join('\n'))
}

const gitlabSeverities: Record<Severity, string> = { error: 'major', warning: 'minor', info: 'info' }

/** Code Quality of GitLab. It compares branches itself, and has no suppressions: known findings are left out. */
function renderGitlab(report: Report, { folder }: { folder: string }): string {
  const whole = { file: report.document.file, line: 1 }
  const toIssue = (id: string, rule: string, severity: Severity, description: string, { file, line } = whole) => ({
    description,
    check_name: rule,
    fingerprint: createHash('sha256').update(id).digest('hex'),
    severity: gitlabSeverities[severity],
    location: { path: toLine(repositoryPath(file, folder)), lines: { begin: line } },
  })
  const { failures = [], coverage } = report
  return toJson([
    ...newOf(report).map((finding) => {
      const { id, rule, severity, message, help, place, sources } = finding
      const description = `${describePlace(finding)}: ${toLine(message)}. ${toLine(help)}.`
      return toIssue(id, rule, severity, description, sources?.[0]?.call ?? place)
    }),
    ...failures.map(({ message, help }) =>
      toIssue(`run ${message}`, 'run', 'error', `${toLine(message)}. ${toLine(help)}.`),
    ),
    ...(isEnough(coverage) ? [] : [toIssue('coverage', 'coverage', 'error', coverageVerdict(coverage))]),
  ])
}

function command(name: string, properties: Record<string, string>, message: string): string {
  const list = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(toLine(value))}`)
  return `::${name} ${list.join(',')}::${escapeData(message)}`
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
