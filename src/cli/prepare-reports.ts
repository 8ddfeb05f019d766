/** Prepares the reports of a check before it runs, so that wrong options fail at once. */
import { plural } from '../checks/reports/report-texts.js'
import type { Rule } from '../checks/rule.js'
import { SandboxError, unknownName } from '../contract/sandbox-error.js'
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

/**
 * @param rules those of the check, which can be ignored
 * @throws SandboxError `INVALID_OPTION`, or `UNREADABLE_FILE` for the baseline
 */
export async function prepareReports(
  options: ReportOptions & ReadFiles,
  rules: readonly Rule[],
): Promise<PreparedReports> {
  const { report = [], failOn = 'error', ignore = [], updateBaseline = false } = options
  const ids = rules.map(({ id }) => id)
  const unknown = ignore.find((id) => !ids.includes(id))
  if (unknown !== undefined) throw unknownName('rule', unknown, ids)
  const targets = parseTargets(report)
  const files = targets.files.map(({ file }) => file)
  checkDistinct(options.baseline === undefined ? files : [options.baseline, ...files])
  await checkKept(options, files)
  const known = await openBaseline(options.baseline, updateBaseline)
  // What is ignored is not gone.
  const baseline = known && { ...known, ids: known.ids.filter((id) => !ignore.includes(id.split(' ')[0] ?? '')) }
  for (const file of files) await checkWritable(file)
  return {
    isStdoutTaken: targets.stdout !== 'text',
    async finish(facts) {
      const result = await judgeFindings(withoutRules(facts, ignore), failOn, baseline)
      await writeReports(result, targets, options.coverage === true)
      return result.isPassed ? 0 : 1
    },
  }
}

/** Says which rules are left out, so that nobody takes them for kept. */
function withoutRules(facts: ReportFacts, ignored: readonly string[]): ReportFacts {
  const isLeft = (id: string) => !ignored.includes(id)
  const findings = facts.findings.filter(({ rule }) => isLeft(rule))
  const count = plural(facts.findings.length - findings.length, 'finding')
  const notes = ignored.length > 0 ? [`--ignore ${ignored.join(', ')}: ${count} left out`] : []
  return { ...facts, findings, rules: facts.rules.filter(({ id }) => isLeft(id)), notes: [...facts.notes, ...notes] }
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
