/** Decides whether a run passes, by its findings, the baseline and `--fail-on`. */
import { createReport, type ReportParts, whyIncomplete } from '../checks/create-report.js'
import type { Report } from '../checks/report.js'
import type { BaselineFile } from './baseline-file.js'

/** What a check has found out. The rest of a report comes from options. */
export type ReportFacts = Omit<ReportParts, 'failOn' | 'baseline'>

/** Updates the baseline as well, if that was requested and nothing can be missing. */
export async function judgeFindings(
  facts: ReportFacts,
  failOn: Report['failOn'],
  baseline?: BaselineFile,
): Promise<Report> {
  if (!baseline) return createReport({ ...facts, failOn })
  const { file, ids, isToBeUpdated } = baseline
  const why = whyIncomplete(facts)
  // The findings that are missing now would be new in the next run.
  const isUpdated = isToBeUpdated && why === undefined
  const notes = [...facts.notes]
  if (isToBeUpdated && !isUpdated) notes.push(`The baseline ${file} was not updated, as ${why}`)
  if (isUpdated) await baseline.write(facts.findings)
  return createReport({ ...facts, notes, failOn, baseline: { file, ids, isUpdated } })
}
