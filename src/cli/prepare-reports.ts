/** Prepares the reports of a check before it runs, so that wrong options fail at once. */
import { openBaseline } from './baseline-file.js'
import { judgeFindings, type ReportFacts } from './decide-result.js'
import type { ReportOptions } from './report-options.js'
import { checkDistinct, parseTargets } from './report-targets.js'
import { checkWritable } from './write-file.js'
import { writeReports } from './write-reports.js'

export interface PreparedReports {
  /** Stdout carries a report for machines. All other output has to go to stderr. */
  isStdoutTaken: boolean
  /** Judges the findings and writes all reports. @returns the exit code: 1 if the run failed, else 0 */
  finish(facts: ReportFacts): Promise<0 | 1>
}

/** @throws SandboxError `INVALID_OPTION`, or `UNREADABLE_FILE` for the baseline */
export async function prepareReports(options: ReportOptions): Promise<PreparedReports> {
  const { report = [], failOn = 'error', updateBaseline = false } = options
  const targets = parseTargets(report)
  const baseline = await openBaseline(options.baseline, updateBaseline)
  const files = targets.files.map(({ file }) => file)
  checkDistinct(baseline ? [baseline.file, ...files] : files)
  for (const file of files) await checkWritable(file)
  return {
    isStdoutTaken: targets.stdout !== 'text',
    async finish(facts) {
      const result = await judgeFindings(facts, failOn, baseline)
      await writeReports(result, targets)
      return result.isPassed ? 0 : 1
    },
  }
}
