/** SARIF 2.1.0, for code scanning and editors. Section numbers refer to the OASIS standard. */
import { createHash } from 'node:crypto'
import { isAbsolute, posix } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Finding, Rule, Severity } from '../finding.js'
import { isEnough, type Report } from '../report.js'
import { coverageVerdict, describePlace, shortenBody, toJson, toLine } from './report-texts.js'

const schema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'
const levels: Record<Severity, string> = { error: 'error', warning: 'warning', info: 'note' }

/** @param options.folder where the program was started, relative to the root of the repository; empty at the root */
export function renderSarif(report: Report, { folder }: { folder: string }): string {
  const { tool, check, rules, findings, coverage } = report
  return toJson({
    $schema: schema,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: tool.name, semanticVersion: tool.version, rules: rules.map(toDescriptor) } },
        // Distinguishes the results of several checks if they are uploaded together.
        automationDetails: { id: `${tool.name}/${check}/` },
        invocations: [toInvocation(report)],
        columnKind: 'utf16CodeUnits',
        results: findings.map((finding) => toResult(finding, report, folder)),
        ...(coverage
          ? { properties: { coverage: { met: coverage.met, total: coverage.total, percent: coverage.percent } } }
          : {}),
      },
    ],
  })
}

function toDescriptor({ id, severity, looksAt, help }: Rule): object {
  return {
    id,
    shortDescription: { text: sentence(looksAt) },
    help: { text: sentence(help) },
    defaultConfiguration: { level: levels[severity] },
  }
}

function toInvocation(report: Report): object {
  const { startedAt, durationMs, subject, notes, failures = [], coverage, commandExitCode = 0 } = report
  const start = new Date(startedAt)
  const notifications = [
    ...failures.map(({ message, help }) => ({
      level: 'error',
      message: { text: `${sentence(message)} ${sentence(help)}` },
    })),
    ...(isEnough(coverage) ? [] : [{ level: 'warning', message: { text: sentence(coverageVerdict(coverage)) } }]),
    ...notes.map((note) => ({ level: 'note', message: { text: sentence(note) } })),
  ]
  return {
    // Findings may be missing.
    executionSuccessful: commandExitCode === 0 && failures.length === 0,
    startTimeUtc: start.toISOString(),
    endTimeUtc: new Date(start.getTime() + durationMs).toISOString(),
    toolExecutionNotifications: notifications,
    properties: { subject: toLine(subject) },
  }
}

function toResult(finding: Finding, { rules, document, baseline }: Report, folder: string): object {
  const { id, rule, severity, operation, method, path, message, help, count, requests, response, place } = finding
  const documented = {
    artifactLocation: { uri: toUri(place?.file ?? document.file, folder) },
    // GitHub shows nothing without a line.
    region: { startLine: place?.line ?? 1 },
  }
  const [call, ...others] = (finding.sources ?? []).map((source) => ({
    artifactLocation: { uri: toUri(source.call.file, folder) },
    region: { startLine: source.call.line, ...(source.call.column && { startColumn: source.call.column }) },
  }))
  const ruleIndex = rules.findIndex((each) => each.id === rule)
  return {
    ruleId: rule,
    ...(ruleIndex < 0 ? {} : { ruleIndex }),
    level: levels[severity],
    message: { text: `${sentence(`${describePlace(finding)}: ${message}`)} ${sentence(help)}` },
    locations: [
      {
        physicalLocation: call ?? documented,
        logicalLocations: [
          {
            name: toLine(operation ?? path),
            fullyQualifiedName: toLine(`${method} ${path}`.trim()),
            kind: 'operation',
          },
        ],
      },
    ],
    ...(call && {
      relatedLocations: [documented, ...others].map((physicalLocation, index) => ({
        id: index + 1,
        physicalLocation,
        message: { text: index === 0 ? 'The operation in the document.' : 'Another call.' },
      })),
    }),
    occurrenceCount: count,
    partialFingerprints: {
      // GitHub identifies results by this fingerprint; two findings of one rule may have the same line.
      primaryLocationLineHash: `${createHash('sha256').update(id).digest('hex').slice(0, 16)}:1`,
      'findingId/v1': toLine(id),
    },
    // 3.27.23: present for all results of a run or for none; an empty list means not suppressed.
    ...(baseline ? { suppressions: finding.isKnown ? [toSuppression(baseline.file)] : [] } : {}),
    properties: {
      requests: requests.map(toLine),
      ...(response ? { response: { status: response.status, body: shortenBody(response.body) } } : {}),
    },
  }
}

function toSuppression(file: string): object {
  return { kind: 'external', status: 'accepted', justification: toLine(`Listed in the baseline ${file}.`) }
}

function toUri(file: string, folder: string): string {
  if (/^https?:\/\//i.test(file)) return encodeURI(toLine(file))
  if (isAbsolute(file)) return pathToFileURL(toLine(file)).href
  return toLine(repositoryPath(file, folder)).split('/').map(encodeURIComponent).join('/')
}

/** 3.11.3: messages end with a full stop. 3.11.6: these brackets would be a link. */
function sentence(text: string): string {
  return `${toLine(text).replaceAll('](', '\\](')}.`
}

/**
 * The path relative to the root of the repository, with slashes. Absolute paths stay as they are.
 * @param folder where the program was started, relative to the root of the repository; empty at the root
 */
export function repositoryPath(file: string, folder: string): string {
  if (isAbsolute(file)) return file
  return posix.join(folder.replaceAll('\\', '/'), file.replaceAll('\\', '/'))
}
