/** Prepares the reports of a check before it runs, so that wrong options fail at once. */
import { SandboxError } from '../contract/sandbox-error.js'
import { openBaseline } from './baseline-file.js'
import { judgeFindings, type ReportFacts } from './decide-result.js'
import type { ReportOptions } from './report-options.js'
import { checkDistinct, parseTargets } from './report-targets.js'
import { sameFile } from './same-file.js'
import { checkWritable } from './write-file.js'
import { writeReports } from './write-reports.js'

export interface PreparedReports {
  /** Stdout carries a report for machines. All other output has to go to stderr. */
  isStdoutTaken: boolean
  /** Judges the findings and writes all reports. @returns the exit code: 1 if the run failed, else 0 */
  finish(facts: ReportFacts): Promise<0 | 1>
}

/** Files that the check reads. No report may replace them. */
export interface ReadFiles {
  spec?: string
  scenario?: string
}

/** @throws SandboxError `INVALID_OPTION`, or `UNREADABLE_FILE` for the baseline */
export async function prepareReports(options: ReportOptions & ReadFiles): Promise<PreparedReports> {
  const { report = [], failOn = 'error', updateBaseline = false } = options
  const targets = parseTargets(report)
  const files = targets.files.map(({ file }) => file)
  checkDistinct(options.baseline === undefined ? files : [options.baseline, ...files])
  await checkKept(options, files)
  const baseline = await openBaseline(options.baseline, updateBaseline)
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

/** @throws SandboxError `INVALID_OPTION` if a report or the baseline would replace a file that is read, or each other */
async function checkKept({ spec, scenario, baseline }: ReportOptions & ReadFiles, files: string[]): Promise<void> {
  const written = baseline === undefined ? files : [baseline, ...files]
  const read = [
    ...[spec ?? []].flat().map((file) => ({ file, what: 'the document' })),
    ...[scenario ?? []].flat().map((file) => ({ file, what: 'the scenario' })),
  ]
  for (const [index, file] of written.entries()) {
    const what = await findSame(file, read)
    if (what !== undefined) {
      const writes = file === baseline ? 'the baseline' : 'a report'
      throw new SandboxError('INVALID_OPTION', `"${file}" is ${what}; ${writes} would replace it. Name another file`)
    }
    const others = written.slice(0, index).map((other) => ({ file: other, what: other }))
    if ((await findSame(file, others)) !== undefined) {
      throw new SandboxError('INVALID_OPTION', `"${file}" would be written twice; name two files`)
    }
  }
}

async function findSame(file: string, others: { file: string; what: string }[]): Promise<string | undefined> {
  for (const other of others) if (await sameFile(file, other.file)) return other.what
  return undefined
}
