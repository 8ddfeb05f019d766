/** The options of every check that say where its report goes and what fails it, and what becomes of them. */
import { type Command, Option } from 'commander'
import { createReport, type ReportParts } from '../checks/create-report.js'
import type { Report } from '../checks/report.js'
import { type RenderOptions, reportFormats } from '../checks/reports/report-formats.js'
import { severities } from '../checks/rule.js'
import { type BaselineFile, openBaseline } from './baseline-file.js'
import { appendSummary, folderInRepository, isGithubActions, withoutCommands } from './github-actions.js'
import { collect, yesOrNo } from './option-values.js'
import { checkDistinct, parseTargets, type ReportTargets } from './report-targets.js'
import { checkWritable, writeWholeFile } from './write-file.js'

export interface ReportOptions {
  report?: string[]
  /** @default 'error' */
  failOn?: Report['failOn']
  baseline?: string
  updateBaseline?: boolean
}

/** What a check knows; the options know the rest. */
export type ReportFacts = Omit<ReportParts, 'failOn' | 'baseline'>

export interface PreparedReports {
  /** What stdout carries is for machines: who prints beside it uses stderr. */
  isStdoutTaken: boolean
  /** Writes everything that was asked for. @returns the exit code: 1 for findings that fail the run, else 0 */
  finish(facts: ReportFacts): Promise<0 | 1>
}

export function addReportOptions(command: Command): Command {
  const options = [
    new Option(
      '--report <format[=file]>',
      'text, json, junit, sarif, github or markdown, to a file or to stdout (text; repeatable)',
    ).argParser(collect),
    new Option('--fail-on <severity>', 'findings of this severity or worse fail the run (error)').choices([
      ...severities,
      'never',
    ]),
    new Option('--baseline <file>', 'findings that are listed in this file do not fail the run'),
    new Option('--update-baseline', 'write the findings of this run to the baseline')
      // As a text, so that the environment can say yes or no too.
      .preset('true')
      .argParser(yesOrNo),
  ]
  for (const option of options) command.addOption(option)
  return command
}

/** Finds wrong use before anything runs. @throws SandboxError */
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
      const result = await judge(facts, failOn, baseline)
      await writeReports(result, targets)
      return result.isPassed ? 0 : 1
    },
  }
}

async function judge(facts: ReportFacts, failOn: Report['failOn'], baseline?: BaselineFile): Promise<Report> {
  if (!baseline) return createReport({ ...facts, failOn })
  const { file, ids, isToBeUpdated } = baseline
  const { commandExitCode = 0 } = facts
  // What it would have met besides would be new in the next run.
  const isUpdated = isToBeUpdated && commandExitCode === 0
  const notes = [...facts.notes]
  if (isToBeUpdated && !isUpdated) {
    notes.push(`The baseline ${file} was not updated, as the command ended with ${commandExitCode}`)
  }
  if (isUpdated) await baseline.write(facts.findings)
  return createReport({ ...facts, notes, failOn, baseline: { file, ids, isUpdated } })
}

async function writeReports(report: Report, { stdout, files }: ReportTargets): Promise<void> {
  const options: RenderOptions = { isColoured: isColoured(process.stdout), folder: folderInRepository() }
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

/** `hasColors` obeys NO_COLOR and its like. */
function isColoured(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY === true && stream.hasColors()
}

/** Waits, as who ends the process next would cut it short. A reader that went away is no failure. */
function print(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve) => stream.write(text, () => resolve()))
}
