/** `run --against`: what fails when the command is run again with the next version of the document. */
import { stat, utimes } from 'node:fs/promises'
import { isAbsolute, relative } from 'node:path'
import type { Version } from '../../checks/changes/change.js'
import { changeRules } from '../../checks/changes/change-rules.js'
import { findChanges } from '../../checks/changes/find-changes.js'
import { withoutNames } from '../../checks/changes/operation-use.js'
import type { Use } from '../../checks/consumer/lock.js'
import { readJunit, type TestResult } from '../../checks/consumer/read-junit.js'
import { newFailure } from '../../checks/consumer/rules/operation-rules.js'
import { type Finding, severities, toFinding } from '../../checks/finding.js'
import type { Failure } from '../../checks/report.js'
import { describePlace, plural } from '../../checks/reports/report-texts.js'
import type { Contract } from '../../contract/contract.js'
import { SandboxError } from '../../contract/sandbox-error.js'
import { carryScenario } from '../../entries/carry-scenario.js'
import type { CompiledDocument } from '../../entries/compile-document.js'
import { createSandbox } from '../../entries/create-sandbox.js'
import { generateScenario } from '../../entries/generate-scenario.js'
import { type CompileFileOptions, compileFile, type RunningServer, type ServerOptions } from '../../entries/node.js'
import { groupBy } from '../../json/group-by.js'
import { readTextFile } from '../../node/read-text-file.js'
import type { Exchange } from '../../state/journal.js'
import { printMessage } from '../print-message.js'
import { consumerEnvironment } from '../processes/consumer-environment.js'
import {
  createRequestsByTest,
  filesOf,
  findOrigins,
  type RequestsByTest,
  type RequestsOfTest,
} from '../requests-by-test.js'

/** What a run of the command found. */
interface FinishedRun {
  /** Of the command. */
  exitCode: number
  /** With places and names of tests. */
  findings: readonly Finding[]
}

export interface ComparisonOptions {
  /** The next document. */
  against: string
  /** JUnit XML that the command writes. */
  results: string | undefined
  /** The values of `--env`. */
  env: readonly string[]
  /** The name of the test whose own key a request has. */
  testOf: (exchange: Exchange) => string | undefined
  /** As text, for findings. */
  command: string
  /** Options of the present sandbox, without its port. */
  options: ServerOptions
}

export interface Comparison {
  /** Options of the sandbox of the next document. */
  options: ServerOptions
  /** To be called with what each call of the first run uses. */
  onUses(exchange: Exchange, uses: readonly Use[]): void
  /** To be called between the runs. @returns the exit code if there is nothing to compare */
  finishPresent(run: FinishedRun): Promise<number | undefined>
  /** To be called after the second run. */
  compare(run: FinishedRun): Promise<{ findings: Finding[]; notes: string[]; failures: Failure[] }>
}

/** Changes that a test is told. */
const maxChanges = 3
/** Tests and findings that a text lists. */
const maxListed = 5

interface Compared {
  /** The present document, as far as every sandbox has it. */
  old: Version
  next: Version
  /** How texts name both. */
  names: { present: string; next: string }
  requests: RequestsByTest
  /** The command as text. */
  command: string
}

/** The first run, with the results of its tests. */
interface Before {
  exitCode: number
  results: readonly TestResult[]
  /** Ids of its findings. */
  findings: ReadonlySet<string>
}

/**
 * Prepares the comparison before the first run, so that a wrong document fails at once.
 * @throws SandboxError for a document that can't be served
 */
export async function prepareComparison(
  present: RunningServer,
  { against, results, env, testOf, command, options }: ComparisonOptions,
): Promise<Comparison> {
  const next = await compileFile(against, documentOptionsOf(options))
  const { contract } = next
  // Fails for a name of a server that only the present document has.
  consumerEnvironment({ url: '', sandbox: createSandbox({ contract }) }, env)
  const nextOptions = await toNextOptions(present, next, against, options)
  const named = { present: nameOf(present.sandbox.contract), next: nameOf(contract) }
  // Not everyone counts versions.
  const names = named.present === named.next ? { present: options.spec ?? named.present, next: against } : named
  const old = { contract: present.sandbox.contract as Contract, document: await present.document() }
  const compared: Compared = { old, next, names, requests: createRequestsByTest(testOf), command }
  let file = results === undefined ? undefined : await expectResults(results)
  let before: Before
  printMessage(`running the command with ${names.present}`)
  return {
    options: nextOptions,
    onUses: compared.requests.add,
    async finishPresent({ exitCode, findings }) {
      const found = (await file?.read(names.present, exitCode)) ?? []
      before = { exitCode, results: found, findings: new Set(findings.map(({ id }) => id)) }
      const isComparable = file ? found.some(({ status }) => status === 'passed') : exitCode === 0
      if (!isComparable && exitCode === 0)
        throw new SandboxError(
          'UNREADABLE_FILE',
          `Failed to compare the results "${results}": no test passes with ${names.present}. Name the file to which your tests write JUnit XML, and let them pass first`,
        )
      if (!isComparable) {
        const why = file ? 'no test passes' : `the command exits with ${exitCode}`
        printMessage(`${why} with ${names.present}, so that there is nothing to compare; there is no report`)
        return exitCode
      }
      if (results !== undefined) file = await expectResults(results)
      printMessage(`running the command with ${names.next}`)
      return undefined
    },
    async compare({ exitCode, findings }) {
      const fresh = findings.filter(({ id }) => !before.findings.has(id))
      const known = findings.length - fresh.length
      const found = (await file?.read(names.next, exitCode)) ?? []
      const failed = file
        ? await compareResults(compared, before, found, fresh)
        : compareExitCodes(compared, exitCode, fresh)
      const isUnexplained =
        file && exitCode !== 0 && before.exitCode === 0 && failed.length === 0 && !found.some(isFailed)
      const message = `the command exits with ${exitCode} with ${names.next}, although no test in ${results} fails`
      const now = new Map(found.map((result) => [result.id, result.status]))
      const isSkipped = ({ id, status }: TestResult) => status === 'passed' && now.get(id) === 'skipped'
      return {
        findings: [...failed, ...fresh],
        notes: [
          `First, the command ran with ${names.present}`,
          ...(known > 0 ? [`Left out, as it has them there as well: ${plural(known, 'finding')}`] : []),
          ...listTests(`already failed with ${names.present}`, before.results.filter(isFailed)),
          ...listTests(`skipped with ${names.next}, but not before`, before.results.filter(isSkipped)),
        ],
        failures: isUnexplained ? [{ message, help: 'Look at its output, such as errors outside of tests' }] : [],
      }
    },
  }
}

/** The options about the document, except the document itself. */
function documentOptionsOf(options: ServerOptions): CompileFileOptions {
  const { overlays, allowRemoteRefs, allowOutsideRefs, strict, unknownKeys } = options
  const all = { overlays, allowRemoteRefs, allowOutsideRefs, strict, unknownKeys }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

/** Options of the sandbox of the next document, with the data of the present one as far as it fits. */
async function toNextOptions(
  present: RunningServer,
  next: CompiledDocument,
  against: string,
  { scenario, records, seed, ...options }: ServerOptions,
): Promise<ServerOptions> {
  const data = { ...(records !== undefined && { records }), ...(seed !== undefined && { seed }) }
  const at = options.at ?? Date.now()
  const own = scenario === undefined ? await generateScenario({ compiled: next, at, ...data }) : {}
  return {
    ...options,
    spec: against,
    scenario: await carryScenario(present.sandbox, next.contract, own),
    // Tests may quote the address.
    port: present.port,
  }
}

/** The test, or the command as a whole, as a finding. */
function toNewFailure(
  compared: Compared,
  { where, test, message }: { where: string; test: string; message: string },
  requests: RequestsOfTest,
  findings: readonly Finding[],
): Finding {
  const { frame, isCertain } = requests
  const refused = findings.filter(({ severity }) => severity === 'error')
  const changes = changesOf(compared, requests, refused).slice(0, maxChanges)
  const explained = `${isCertain ? 'Changes that affect its requests' : 'Perhaps because of these changes'}: ${numbered(changes)}`
  const said = list(findings.map((finding) => `${finding.rule} ${describePlace(finding)}`))
  const unexplained = said.length > 0 ? `; its requests: ${said.join('; ')}` : ''
  const help = changes.length > 0 ? explained : `No documented change explains it${unexplained}`
  const finding = toFinding({ rule: newFailure, method: '', path: where, at: test, message, help }, [])
  return { ...finding, ...(frame && { sources: [{ call: frame, test: frame, count: 1 }] }) }
}

/** @param fresh findings that only the second run has */
async function compareResults(
  compared: Compared,
  before: Before,
  results: readonly TestResult[],
  fresh: readonly Finding[],
): Promise<Finding[]> {
  const { names, requests } = compared
  const now = new Map(results.map((result) => [result.id, result]))
  const failed = before.results.filter(({ id, status }) => status === 'passed' && isFailed(now.get(id)))
  return Promise.all(
    failed.map(async (result) => {
      const { message: why } = now.get(result.id) ?? { message: 'it is not in the results' }
      const message = `it passes with ${names.present}, and fails with ${names.next}${why ? `: ${why}` : ''}`
      const { file: where, title: test } = describeTest(result)
      // The findings about its requests.
      const isOf = findOrigins(result, before.results).slice(0, 2)
      const own = fresh.filter(({ sources = [] }) =>
        sources.some(({ call, test: frame = call }) => isOf.some((is) => is(frame))),
      )
      return toNewFailure(compared, { where, test, message }, await requests.of(result, before.results), own)
    }),
  )
}

function compareExitCodes(compared: Compared, exitCode: number, fresh: readonly Finding[]): Finding[] {
  if (exitCode === 0) return []
  const { names, requests, command } = compared
  const message = `it exits with 0 with ${names.present}, and with ${exitCode} with ${names.next}`
  const all = { uses: requests.all(), frame: undefined, isCertain: true }
  return [toNewFailure(compared, { where: command, test: '', message }, all, fresh)]
}

function listTests(what: string, tests: readonly TestResult[]): string[] {
  const titles = list(tests.map((test) => describeTest(test).title)).join('; ')
  return tests.length > 0 ? [`${plural(tests.length, 'test')} ${what}: ${titles}`] : []
}

/** The same on each machine. Some runners repeat titles in each other. */
function describeTest(result: TestResult): { file: string; title: string } {
  const { className, suites, name } = result
  const [file = ''] = filesOf(result)
  const isOwn = (title: string) => title !== file && !name.includes(title)
  const titles = [...new Set([className, ...suites])].filter(isOwn)
  return { file: isAbsolute(file) ? relative(process.cwd(), file) : file, title: [...titles, name].join(' > ') }
}

function isFailed(result: TestResult | undefined): boolean {
  return result === undefined || result.status === 'failed'
}

/** Each may have a semicolon. */
function numbered(texts: readonly string[]): string {
  return texts.map((text, index) => (texts.length > 1 ? `(${index + 1}) ${text}` : text)).join('; ')
}

function list(texts: readonly string[]): string[] {
  const more = texts.length - maxListed
  return [...texts.slice(0, maxListed), ...(more > 0 ? [`and ${more} more`] : [])]
}

function nameOf({ title, version }: { title: string; version: string }): string {
  return `${title} ${version}`
}

/**
 * Changes that can have made a test fail, the most severe first, as sentences without a full stop: of what it sends and gets. Those of
 * requests come before those of answers, as nobody knows what the test reads of them.
 * @param refused findings that only the second run has about its requests
 */
function changesOf(
  { old, next }: Compared,
  { uses, isCertain }: RequestsOfTest,
  refused: readonly Finding[],
): string[] {
  const called = new Set(uses.map(({ operation }) => operation))
  // The others would only be compared to be left out.
  const operations = old.contract.operations.filter(({ method, path }) => called.has(`${method} ${path}`))
  const lock = { uses, reads: readsOf(uses) }
  const found = findChanges({ ...old, contract: { ...old.contract, operations } }, next, { lock })
  const affecting = found
    .map(({ finding }) => finding)
    .filter(({ impact, severity }) => impact !== 'unused' && severity !== 'info')
  const isOfAnswer = ({ at }: Finding) => at.startsWith('response ')
  const keyOf = ({ method, path, at }: Finding, kind = '') => `${method} ${withoutNames(path)} ${at} ${kind}`
  const places = new Set(refused.flatMap((each) => [keyOf(each), keyOf(each, each.kind)]))
  const exact = affecting.filter((each) => places.has(keyOf(each, each.rule === 'limit-narrowed' ? each.kind : '')))
  // What was not refused fails for an answer, or for what is ignored.
  const isPossible = (each: Finding) => isOfAnswer(each) || !isCertain || refused.length > 0 || !refusing.has(each.rule)
  const rank = (each: Finding) => severities.indexOf(each.severity) + (isOfAnswer(each) ? severities.length : 0)
  return (exact.length > 0 ? exact : affecting.filter(isPossible))
    .sort((one, other) => rank(one) - rank(other))
    .map((each) => `${describePlace(each)}: ${each.message}`)
}

/** Rules about what the next version refuses. */
const refusing = new Set(changeRules.filter(({ severity }) => severity === 'error').map(({ id }) => id))

/** What answers had, as if all of it was read. */
function readsOf(uses: readonly Use[]): Record<string, string[]> {
  const returned = uses.filter(({ part }) => part === 'returned')
  const byAnswer = groupBy(returned, ({ operation, at }) => `${operation} ${at.slice(0, 3)}`)
  return Object.fromEntries([...byAnswer].map(([answer, group]) => [answer, group.map(({ at }) => at.slice(4))]))
}

/** Prepares a run of the command: a file that is already there is not read. */
async function expectResults(file: string): Promise<ResultsFile> {
  const old = await markOld(file)
  return {
    async read(run, exitCode) {
      const time = await timeOf(file)
      if (time !== undefined && time !== old) return readJunit(await readTextFile(file), file)
      const exit = exitCode === 0 ? '' : `, and exited with ${exitCode}`
      const why = `the command did not write it with ${run}${exit}. Name the file to which your test runner writes JUnit XML`
      throw new SandboxError('UNREADABLE_FILE', `Failed to read the results "${file}": ${why}`)
    },
  }
}

interface ResultsFile {
  /**
   * Reads the results after the run.
   * @param run what the command was run with, for errors
   * @throws SandboxError `UNREADABLE_FILE`, also if the command did not write the file
   */
  read(run: string, exitCode: number): Promise<TestResult[]>
}

/** Gives a file a time that no new one has, and returns it. It is not removed, as its name may be a mistake. */
async function markOld(file: string): Promise<number | undefined> {
  await utimes(file, 0, 0).catch(() => {})
  return timeOf(file)
}

async function timeOf(file: string): Promise<number | undefined> {
  return (await stat(file).catch(() => undefined))?.mtimeMs
}
