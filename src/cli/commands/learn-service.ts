/** Learns what a service does from recordings of it, or compares a sandbox with them. */
import { existsSync } from 'node:fs'
import { parseJsonFile } from '../../checks/json-file.js'
import { plural, toLines } from '../../checks/reports/report-texts.js'
import { SandboxError } from '../../contract/sandbox-error.js'
import {
  compareRecording,
  type Fidelity,
  type LearnedService,
  learnRecordings,
  type Share,
} from '../../entries/learn-recordings.js'
import type { Records } from '../../entries/play-recording.js'
import { toJson } from '../../json/exact-json.js'
import { readTextFile } from '../../node/read-text-file.js'
import { type DocumentOptions, toSpecOptions } from '../options/document-options.js'
import { printMessage } from '../print-message.js'
import { checkWritable, writeWholeFile } from '../write-file.js'

export interface LearnCommandOptions extends DocumentOptions {
  /** The overlay to write. @default stdout */
  out?: string
  /** The file for the records that existed before. @default none is written */
  records?: string
  force?: boolean
  /** The share of the exchanges that test, in percent. */
  test?: number
  keepValues?: boolean
  /** Only compares. */
  check?: boolean
  scenario?: string
  minStatus?: number
  minAnswers?: number
}

/** @throws SandboxError `INVALID_OPTION`, `INVALID_DOCUMENT` or `UNREADABLE_FILE` */
export async function learnService(files: readonly string[], options: LearnCommandOptions): Promise<void> {
  const { out, records, force = false, test = 30, keepValues = false } = options
  const spec = toSpecOptions(options)
  if (options.check) return compare(files, options)
  for (const file of [out, records]) {
    if (file === undefined) continue
    if (existsSync(file) && !force)
      throw new SandboxError('INVALID_OPTION', `"${file}" already exists; --force overwrites it`)
    await checkWritable(file)
  }
  const learned = await learnRecordings(files, { ...spec, test: test / 100, keepValues })
  if (out === undefined) process.stdout.write(learned.overlay)
  else await writeWholeFile(out, learned.overlay)
  if (records !== undefined) await writeWholeFile(records, `${toJson(learned.records, undefined, 2)}\n`)
  for (const line of report(learned, options)) printMessage(line)
}

function* report(
  { lines, records, tested, all }: LearnedService,
  { out, records: file }: LearnCommandOptions,
): Generator<string> {
  yield `learned ${plural(lines, 'line')}${out === undefined ? '' : `, in ${out}`}`
  const count = Object.values(records).reduce((sum, each) => sum + each.length, 0)
  if (file !== undefined) yield `${plural(count, 'record')} existed before, in ${file}`
  if (tested && tested.after.count > 0) {
    const { before, after } = tested
    yield `the last ${plural(after.count, 'exchange')}, of which nothing was learned for this test: same status ${share(before.sameStatus, before)} before, ${share(after.sameStatus, after)} after; whole answer ${share(before.right, before)} before, ${share(after.right, after)} after`
    yield* reportOperations(before, after)
  }
  yield `all ${plural(all.after.count, 'exchange')}: whole answer ${share(all.before.right, all.before)} before, ${share(all.after.right, all.after)} after`
  if (all.after.common.length > 0) yield 'what still differs most often, and no line says:'
  for (const each of all.after.common) yield `  ${each}`
}

function* reportOperations(before: Fidelity, after: Fidelity): Generator<string> {
  for (const [name, now] of after.operations) {
    const earlier = before.operations.get(name) ?? now
    if (earlier.right !== now.right || earlier.sameStatus !== now.sameStatus)
      yield `  ${name}: whole answer ${earlier.right} to ${now.right} of ${now.count}`
  }
}

function share(part: number, { count }: Share): string {
  return `${part} of ${count} (${count === 0 ? 0 : Math.round((100 * part) / count)} %)`
}

/** Sets the exit code to 1 if too few answers are right. */
async function compare(files: readonly string[], options: LearnCommandOptions): Promise<void> {
  const { scenario, minStatus = 0, minAnswers = 0 } = options
  const records =
    scenario === undefined ? {} : (parseJsonFile(await readTextFile(scenario), 'scenario', scenario) as Records)
  const found = await compareRecording(files, toSpecOptions(options), records)
  const percent = (part: number) => (found.count === 0 ? 100 : (100 * part) / found.count)
  const hasFailed = percent(found.sameStatus) < minStatus || percent(found.right) < minAnswers
  const lines = [
    `same status: ${share(found.sameStatus, found)}, at least ${minStatus} %`,
    `whole answer: ${share(found.right, found)}, at least ${minAnswers} %`,
    ...[...found.operations]
      .filter(([, { right, count }]) => hasFailed && right < count)
      .map(([name, own]) => `  ${name}: same status ${own.sameStatus}, whole answer ${own.right} of ${own.count}`),
    hasFailed ? 'FAILED' : 'passed',
  ]
  process.stdout.write(toLines(`${lines.join('\n')}\n`))
  if (hasFailed) process.exitCode = 1
}
