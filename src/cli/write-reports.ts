/** Writes a report: one format to stdout, others to files, and annotations and a summary for GitHub Actions. */
import type { Report } from '../checks/report.js'
import { type RenderOptions, reportFormats } from '../checks/reports/report-formats.js'
import { appendSummary, folderInRepository, isGithubActions, withoutCommands } from './github-actions.js'
import type { ReportTargets } from './report-targets.js'
import { writeWholeFile } from './write-file.js'

/** @throws SandboxError `INVALID_OPTION` for a file that cannot be written */
export async function writeReports(
  report: Report,
  { stdout, files }: ReportTargets,
  isCoverageListed: boolean,
): Promise<void> {
  const options: RenderOptions = {
    isColoured: isColoured(process.stdout),
    isCoverageListed,
    folder: folderInRepository(),
  }
  const isOnGithub = isGithubActions()
  const text = reportFormats[stdout](report, options)
  await print(process.stdout, isOnGithub && stdout === 'text' ? withoutCommands(text) : text)
  for (const { format, file } of files) {
    await writeWholeFile(file, reportFormats[format](report, { ...options, isColoured: false }))
  }
  if (!isOnGithub) return
  const annotations = reportFormats.github(report, options)
  if (stdout !== 'github') await print(stdout === 'text' ? process.stdout : process.stderr, annotations)
  await appendSummary(reportFormats.markdown(report, options))
}

/** `hasColors` respects NO_COLOR and similar variables. */
function isColoured(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY === true && stream.hasColors()
}

/** Waits until the text is written, as the process may end next. A closed pipe is not an error. */
function print(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve) => stream.write(text, () => resolve()))
}
