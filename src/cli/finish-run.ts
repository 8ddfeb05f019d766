/** What is made of a run: its report, and whether it has passed. */
import { Option } from 'commander'
import type { Finding } from '../checks/finding.js'
import type { Coverage } from '../checks/report.js'

export interface FinishOptions {
  report?: string | undefined
}

/** Everything that a report says of a run. */
export interface RunFacts {
  /** `file` as it was named on the command line; none for the bundled one. */
  document: { title: string; version: string; file: string | undefined }
  /** The consumer's command, word by word. */
  command: readonly string[]
  commandExitCode: number
  startedAt: Date
  durationMs: number
  requests: number
  findings: Finding[]
  /** With the minimum that was asked for. */
  coverage: Coverage
}

export function finishOptions(): Option[] {
  return [new Option('--report <format>', 'what is reported: json')]
}

export function isReportOnStdout({ report }: FinishOptions): boolean {
  return report !== undefined
}

/** @returns whether the run has passed */
export function finish({ findings, coverage, ...facts }: RunFacts, { report }: FinishOptions): boolean {
  if (report === 'json') process.stdout.write(`${JSON.stringify({ ...facts, findings, coverage }, null, 2)}\n`)
  const isCovered = coverage.minimum === undefined || coverage.percent >= coverage.minimum
  return isCovered && !findings.some(({ severity, isKnown }) => severity === 'error' && !isKnown)
}
