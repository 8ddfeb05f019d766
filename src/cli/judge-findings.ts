/** Decides whether a run passes, by its findings, the baseline and `--fail-on`. */
import { createReport, type ReportParts } from '../checks/create-report.js'
import type { Report } from '../checks/report.js'
import type { BaselineFile } from './baseline-file.js'

/** What a check has found out. The rest of a report comes from options. */
export type ReportFacts = Omit<ReportParts, 'failOn' | 'baseline'>

/** Updates the baseline as well, if that was requested and the command did not fail. */
export async function judgeFindings(
  facts: ReportFacts,
  failOn: Report['failOn'],
  baseline?: BaselineFile,
): Promise<Report> {
  if (!baseline) return createReport({ ...facts, failOn })
  const { file, ids, isToBeUpdated } = baseline
  const { commandExitCode = 0 } = facts
  // A command that failed may have ended early, and the findings that it missed would be new in the next run.
  const isUpdated = isToBeUpdated && commandExitCode === 0
  const notes = [...facts.notes]
  if (isToBeUpdated && !isUpdated) {
    notes.push(`The baseline ${file} was not updated, as the command exited with ${commandExitCode}`)
  }
  if (isUpdated) await baseline.write(facts.findings)
  return createReport({ ...facts, notes, failOn, baseline: { file, ids, isUpdated } })
}
