/** Prepares the reports of a check before it runs, so that wrong options fail at once. */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { appendFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import type { Finding, Rule } from '../checks/finding.js'
import {
  createReport,
  parseBaseline,
  type Report,
  type ReportParts,
  renderBaseline,
  whyIncomplete,
} from '../checks/report.js'
import { type RenderOptions, type ReportFormat, reportFormats } from '../checks/reports/report-formats.js'
import { plural } from '../checks/reports/report-texts.js'
import { SandboxError, unknownName } from '../contract/sandbox-error.js'
import { name, version } from '../generated/package.js'
import { readTextFile } from '../node/read-text-file.js'
import type { ReportOptions } from './options/check-options.js'
import { printMessage } from './print-message.js'
import { checkWritable, writeWholeFile } from './write-file.js'

export interface PreparedReports {
  /** Stdout carries a report for machines. All other output has to go to stderr. */
  isStdoutTaken: boolean
  /** Judges the findings and writes all reports. @returns the exit code: 1 if the run failed, else 0 */
  finish(facts: ReportFacts): Promise<0 | 1>
}

/** Files that the check reads. No report may replace them. */
export interface ReadFiles {
  spec?: string | undefined
  /** The old version of the document. */
  old?: string
  scenario?: string
  /** A recording that is judged instead of a command. */
  har?: string
  /** The next version of the document, with which the command is run again. */
  against?: string
  /** JUnit XML that the command writes. */
  results?: string
  /** What must be true at the end. */
  expect?: string
  /** What the consumer uses. */
  lock?: string
  /** The lock is written as well. @default false */
  updateLock?: boolean
  /** A file that the check writes besides its reports. */
  recording?: string | undefined
}

/**
 * @param rules the rules of the check, which can be ignored
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
  const files = [
    ...targets.files.map(({ file }) => file),
    ...(options.recording === undefined ? [] : [options.recording]),
  ]
  await checkKept(options, files)
  const known = await openBaseline(options.baseline, updateBaseline)
  // Ignored findings do not count as gone.
  const baseline = known && { ...known, ids: known.ids.filter((id) => !ignore.includes(id.split(' ')[0] ?? '')) }
  for (const file of files) await checkWritable(file)
  return {
    isStdoutTaken: targets.stdout !== 'text',
    async finish(facts) {
      const result = await judgeFindings(withoutRules(facts, ignore), failOn, baseline)
      const { coverage = false, guesses = false } = options
      await writeReports(result, targets, { isCoverageListed: coverage, areGuessesListed: guesses })
      return result.isPassed ? 0 : 1
    },
  }
}

/** Adds a note about ignored rules, so that they do not look satisfied. */
function withoutRules(facts: ReportFacts, ignored: readonly string[]): Omit<ReportParts, 'failOn' | 'baseline'> {
  const isLeft = (id: string) => !ignored.includes(id)
  const findings = facts.findings.filter(({ rule }) => isLeft(rule))
  const count = plural(facts.findings.length - findings.length, 'finding')
  const notes = ignored.length > 0 ? [`--ignore ${ignored.join(', ')}: ${count} left out`] : []
  const rules = facts.rules.filter(({ id }) => isLeft(id))
  return {
    ...{ tool: { name, version }, ...facts, findings, notes: [...facts.notes, ...notes] },
    rules: rules.map(({ id, severity, restsOn, looksAt, help }) => ({ id, severity, restsOn, looksAt, help })),
  }
}

interface ReportTargets {
  stdout: ReportFormat
  files: { format: ReportFormat; file: string }[]
}

/**
 * Text goes to stdout if no other format does.
 * @param values each `format` or `format=file`
 * @throws SandboxError `INVALID_OPTION`
 */
function parseTargets(values: readonly string[]): ReportTargets {
  const targets = values.map(parseTarget)
  const files = targets.flatMap(({ format, file }) => (file === undefined ? [] : [{ format, file }]))
  const [first = 'text', second] = targets.flatMap(({ format, file }) => (file === undefined ? [format] : []))
  if (second !== undefined) {
    const both = `--report ${first} and --report ${second} would both be written to stdout`
    throw new SandboxError('INVALID_OPTION', `${both}; write one of them to a file: --report ${second}=<file>`)
  }
  return { stdout: first, files }
}

function parseTarget(value: string): { format: ReportFormat; file?: string } {
  const [name = ''] = value.split('=', 1)
  if (!isFormat(name)) throw unknownName('report format', name, Object.keys(reportFormats))
  if (name === value) return { format: name }
  const file = value.slice(name.length + 1)
  if (file !== '') return { format: name, file }
  throw new SandboxError('INVALID_OPTION', `--report ${value} names no file; leave the "=" out for stdout`)
}

function isFormat(name: string): name is ReportFormat {
  return Object.hasOwn(reportFormats, name)
}

/** @throws SandboxError `INVALID_OPTION` if a report, the baseline or the lock would replace a file that is read, or each other */
async function checkKept(options: ReportOptions & ReadFiles, files: string[]): Promise<void> {
  const { spec, old, against, scenario, har, results, expect, lock, updateLock = false, baseline } = options
  const written = [baseline ?? [], (updateLock ? lock : undefined) ?? [], files].flat()
  const places = await Promise.all(written.map(identityOf))
  const twice = written.find((_, index) => places.indexOf(places[index] ?? '') !== index)
  if (twice !== undefined) throw new SandboxError('INVALID_OPTION', `"${twice}" would be written twice; name two files`)
  const reads = {
    document: spec,
    'old document': old,
    'next document': against,
    scenario,
    recording: har,
    'file of results': results,
    expectation: expect,
    lock: updateLock ? undefined : lock,
  }
  for (const [what, read] of Object.entries(reads)) {
    const kept = read === undefined ? undefined : await identityOf(read)
    const file = written.find((_, index) => places[index] === kept)
    if (file === undefined) continue
    const writes = file === baseline ? 'the baseline' : file === lock ? 'the lock' : 'a report'
    throw new SandboxError('INVALID_OPTION', `"${file}" is the ${what}; ${writes} would replace it. Name another file`)
  }
}

/** Identifies a file by any path to it, including links and files that do not exist yet. */
async function identityOf(file: string): Promise<string> {
  const path = resolve(file)
  try {
    const found = await stat(path, { bigint: true })
    // Hard links, and names that differ only in case, have the same inode. Some file systems have none.
    return found.isFile() && found.ino !== 0n ? `${found.dev} ${found.ino}` : await realpath(path)
  } catch {
    return join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path))
  }
}

/** The results of a check. The rest of a report comes from options. */
export type ReportFacts = Omit<ReportParts, 'tool' | 'rules' | 'failOn' | 'baseline'> & { rules: readonly Rule[] }

/** Updates the baseline as well, if that was requested and nothing can be missing. */
async function judgeFindings(
  facts: ReturnType<typeof withoutRules>,
  failOn: Report['failOn'],
  baseline?: BaselineFile,
): Promise<Report> {
  if (!baseline) return createReport({ ...facts, failOn })
  const { file, ids, isToBeUpdated } = baseline
  const why = whyIncomplete(facts)
  // Otherwise the findings that are missing now would be new in the next run.
  const isUpdated = isToBeUpdated && why === undefined
  const notes = [...facts.notes]
  if (isToBeUpdated && !isUpdated) notes.push(`The baseline ${file} was not updated, as ${why}`)
  if (isUpdated) await baseline.write(facts.findings)
  return createReport({ ...facts, notes, failOn, baseline: { file, ids, isUpdated } })
}

/** @throws SandboxError `INVALID_OPTION` for a file that cannot be written */
async function writeReports(
  report: Report,
  { stdout, files }: ReportTargets,
  isListed: Pick<RenderOptions, 'isCoverageListed' | 'areGuessesListed'>,
): Promise<void> {
  const options: RenderOptions = {
    // `hasColors` respects NO_COLOR and similar variables.
    isColoured: process.stdout.isTTY === true && process.stdout.hasColors(),
    ...isListed,
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

/** Waits until the text is written, because the process may end next. A closed pipe is not an error. */
function print(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve) => stream.write(text, () => resolve()))
}

/** Whether this process runs in a job of GitHub Actions. */
function isGithubActions(): boolean {
  return process.env['GITHUB_ACTIONS'] === 'true'
}

/** Folder where this process was started, relative to the root of the repository; empty at the root or if unknown. */
function folderInRepository(): string {
  const root = isGithubActions() ? process.env['GITHUB_WORKSPACE'] : process.env['CI_PROJECT_DIR']
  if (!root) return ''
  const folder = relative(root, process.cwd())
  return folder.startsWith('..') || isAbsolute(folder) ? '' : folder
}

/** Wraps a text so that the runner does not execute lines that look like workflow commands. */
function withoutCommands(text: string): string {
  const token = randomUUID()
  return `::stop-commands::${token}\n${text}::${token}::\n`
}

/** Adds to the summary of the job. A failure to write it is only printed, because it must not fail a run that passed. */
async function appendSummary(markdown: string): Promise<void> {
  const file = process.env['GITHUB_STEP_SUMMARY']
  if (!file) return
  try {
    await checkWritable(file)
    await appendFile(file, `${markdown}\n`)
  } catch (error) {
    printMessage(`The job summary could not be written: ${(error as Error).message}`)
  }
}

/** A baseline that was read and can be written. */
interface BaselineFile {
  file: string
  /** Ids of its findings before the run. */
  ids: readonly string[]
  isToBeUpdated: boolean
  write(findings: readonly Finding[]): Promise<void>
}

/** Undefined without `--baseline`. @throws SandboxError `INVALID_OPTION` or `UNREADABLE_FILE` */
async function openBaseline(file: string | undefined, isToBeUpdated: boolean): Promise<BaselineFile | undefined> {
  if (file === undefined) {
    if (!isToBeUpdated) return undefined
    throw new SandboxError('INVALID_OPTION', '--update-baseline needs --baseline <file>: the file to write')
  }
  const isThere = existsSync(file)
  if (!isThere && !isToBeUpdated) {
    throw new SandboxError(
      'UNREADABLE_FILE',
      `Failed to read the baseline "${file}": there is no such file. Add --update-baseline once to create it`,
    )
  }
  if (isToBeUpdated) await checkWritable(file)
  const ids = isThere ? parseBaseline(await readTextFile(file), file, isToBeUpdated) : []
  return { file, ids, isToBeUpdated, write: (findings) => writeWholeFile(file, renderBaseline(findings)) }
}
