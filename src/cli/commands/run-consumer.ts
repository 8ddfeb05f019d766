/** Starts a sandbox, runs the consumer's command or a recording against it, and reports findings and coverage. */
import { randomInt } from 'node:crypto'
import type { ConsumerRule, RecordKey } from '../../checks/consumer/consumer-rule.js'
import { consumerRules } from '../../checks/consumer/consumer-rules.js'
import { endStateRules } from '../../checks/consumer/end-state.js'
import {
  type ConsumerObserver,
  type ConsumerOptions as ObserverOptions,
  observeConsumer,
} from '../../checks/consumer/observe-consumer.js'
import { type Guess, observeGuesses } from '../../checks/consumer/relied.js'
import { newFailure, newUsage, overrideResponse } from '../../checks/consumer/rules/operation-rules.js'
import type { Finding } from '../../checks/finding.js'
import { parseJsonFile } from '../../checks/json-file.js'
import { type Failure, whyIncomplete } from '../../checks/report.js'
import { plural } from '../../checks/reports/report-texts.js'
import type { Operation, RequestContract } from '../../contract/contract.js'
import { SandboxError } from '../../contract/sandbox-error.js'
import type { OpenEndState } from '../../entries/judge-end-state.js'
import { type RunningServer, type ServerOptions, startServer } from '../../entries/node.js'
import { parseExactJson } from '../../json/exact-json.js'
import { readTextFile } from '../../node/read-text-file.js'
import type { Sandbox } from '../../sandbox/facade/sandbox.js'
import type { Exchange } from '../../state/journal.js'
import { finishLock, openLock } from '../lock-file.js'
import { type ConsumerOptions, dayMs, type ReportOptions } from '../options/check-options.js'
import { type SharedOptions, toServerOptions } from '../options/server-options.js'
import { prepareReports, type ReadFiles, type ReportFacts } from '../prepare-reports.js'
import { printMessage } from '../print-message.js'
import { consumerEnvironment, traceEnvironment, variables } from '../processes/consumer-environment.js'
import { keepRunning } from '../processes/keep-running.js'
import { type ChildEnding, runChild } from '../processes/run-child.js'
import { exitCodeOf } from '../processes/signals.js'
import { createTraceFile, type TraceFile } from '../processes/trace-file.js'
import { describeDocument, placeFindings } from './checked-document.js'
import {
  catchErrors,
  countRefusedRequests,
  missingRequests,
  nameSources,
  type RefusedRequests,
  sourceNotes,
} from './consumer-requests.js'
import { collectIdleNotes, type IdleNotes } from './idle-notes.js'
import type { Comparison } from './run-against.js'

const ofEndState: readonly ConsumerRule[] = Object.values(endStateRules)

/** What a run needs besides a sandbox. */
interface Runner {
  /** Undefined for a recording. */
  command: string | undefined
  args: readonly string[]
  options: RunOptions
  traceFile: TraceFile
  isStdoutTaken: boolean
  startedAt: Date
}

/** @returns the exit code: that of the command if it failed, else 0 if the run passed and 1 if not */
export async function runConsumer(
  command: string | undefined,
  args: readonly string[],
  options: RunOptions,
): Promise<number> {
  checkTogether(options)
  const { against, updateLock = false } = options
  const reports = await prepareReports(options, consumerRules)
  const startedAt = new Date()
  keepRunning(options.overrides)
  const open = against === undefined ? openSandbox : openAtLastingPort
  const sandbox = await open({ port: 0, ...toSandboxOptions(options), exact: true })
  const traceFile = createTraceFile()
  const runner: Runner = { command, args, options, traceFile, isStdoutTaken: reports.isStdoutTaken, startedAt }
  try {
    const lock = await openLock(options.lock, updateLock, sandbox.server.sandbox.contract.operations)
    const comparison = await openComparison(sandbox.server, runner)
    const expected = await openExpectation(options.expect, sandbox.server.sandbox.contract)
    let run = await runOn(sandbox, runner, { lock, onUses: comparison?.onUses, expected })
    // A command that may send nothing writes no empty lock.
    const failed = [...run.missing, ...run.unchecked]
    const stopped = run.stopped ?? (await comparison?.finishPresent(run))
    if (stopped !== undefined) return stopped
    const why = whyIncomplete({ commandExitCode: run.exitCode, failures: failed })
    const lockNotes = lock ? await finishLock(lock, run.observer.uses(), why) : []
    const ofLock = comparison ? run.findings.filter(({ rule }) => rule === newUsage.id) : []
    const next = comparison && (await openSandbox({ ...comparison.options, exact: true }))
    if (next) run = await runOn(next, runner, {})
    if (run.stopped !== undefined) return run.stopped
    const compared = await comparison?.compare(run)
    const rules = consumerRules.filter(
      (rule) =>
        (lock || rule !== newUsage) &&
        (comparison || rule !== newFailure) &&
        (expected || !ofEndState.includes(rule)) &&
        (options.overrides || rule !== overrideResponse),
    )
    const verdict = await reports.finish(toFacts(runner, run, { compared, rules, lockNotes, ofLock }))
    return compared || run.exitCode === 0 ? verdict : run.exitCode
  } finally {
    traceFile.remove()
    await sandbox.server.close()
  }
}

/** @throws SandboxError `INVALID_OPTION` for options that exclude each other */
function checkTogether({ har, against, results, expect }: RunOptions): void {
  if (expect !== undefined && against !== undefined)
    throw new SandboxError(
      'INVALID_OPTION',
      'run --expect judges one run, and --against makes two. Leave one of them out',
    )
  if (har !== undefined && against !== undefined)
    throw new SandboxError(
      'INVALID_OPTION',
      'run --against runs a command, and cannot judge a recording (--har). Leave one of them out',
    )
  if (results !== undefined && against === undefined)
    throw new SandboxError('INVALID_OPTION', '--results needs --against <file|url>: the next document')
}

/** Options of the sandbox from those of `run`, without its own. */
function toSandboxOptions(options: RunOptions): ServerOptions {
  const { env, allowNoRequests, trace, lock, har, against, results, expect, sunsetWithin, ...own } = options
  const { updateLock, values, guesses, maxOpen, ...others } = own
  const { minCoverage, report, failOn, ignore, baseline, updateBaseline, coverage, ...shared } = others
  return toServerOptions(shared)
}

async function openComparison(
  server: RunningServer,
  { command, args, options, traceFile }: Runner,
): Promise<Comparison | undefined> {
  const { against, results, env = [] } = options
  if (against === undefined) return undefined
  const { prepareComparison } = await import('./run-against.js')
  return prepareComparison(server, {
    ...{ against, results, env, testOf: traceFile.testOf },
    command: [command, ...args].join(' '),
    options: toSandboxOptions(options),
  })
}

interface RunResults {
  /** What only the next document lets fail. */
  compared: Awaited<ReturnType<Comparison['compare']>> | undefined
  rules: readonly ConsumerRule[]
  lockNotes: readonly string[]
  /** The findings about the lock of the first of two runs. */
  ofLock: readonly Finding[]
}

function toFacts(
  { command, args, options, traceFile, startedAt }: Runner,
  { observer, refused, findings, exitCode, contract, idle, notes, missing, unchecked, guesses }: FinishedRun,
  { compared, rules, lockNotes, ofLock }: RunResults,
): ReportFacts {
  const { against, spec, har = '', allowNoRequests = false, minCoverage, maxOpen } = options
  return {
    check: 'consumer',
    document: describeDocument(contract, against ?? spec),
    subject: command === undefined ? har : [command, ...args].join(' '),
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    requests: observer.requests() + refused.count(),
    // Of two runs, the findings say what failed.
    ...(!compared && { commandExitCode: exitCode }),
    rules,
    findings: [...(compared?.findings ?? findings), ...ofLock],
    notes: [
      ...(compared?.notes ?? []),
      ...refused.notes(),
      ...idle.notes(),
      ...notes,
      ...sourceNotes(findings, observer.malformedSources(), command === undefined),
      ...traceFile.notes(),
      ...lockNotes,
    ],
    ...(guesses.length > 0 && { guesses }),
    failures: [
      ...(allowNoRequests ? [] : missing),
      ...unchecked,
      ...(compared?.failures ?? []),
      ...tooManyGuesses(guesses.length, maxOpen),
    ],
    coverage: observer.coverage(),
    ...(minCoverage === undefined ? {} : { minimumCoverage: minCoverage }),
  }
}

/** Runs the command, or the recording. */
async function runOn(
  { server, refused }: OpenSandbox,
  { command, args, options, traceFile, isStdoutTaken }: Runner,
  { lock, onUses, expected }: Pick<ObserverOptions, 'lock' | 'onUses'> & { expected?: OpenEndState | undefined },
): Promise<FinishedRun> {
  const { sunsetWithin, har = '', env = [], trace = true, values: keepsValues = true } = options
  try {
    const { contract, journal } = server.sandbox
    const observer = observeConsumer({
      contract,
      document: await server.document(),
      existingKeys: await createKeyLookup(server.sandbox),
      testOf: traceFile.testOf,
      variables,
      lock,
      onUses,
      keepsValues,
      sunsetWithin: sunsetWithin && sunsetWithin * dayMs,
    })
    const idle = collectIdleNotes(contract)
    const guessed = observeGuesses(contract, await server.openFacts(), traceFile.testOf)
    const world = expected && server.sandbox.world(expected.world)
    const before = await world?.snapshot()
    const { unchecked, add } = catchErrors((exchange: Exchange) => {
      idle.add(exchange)
      observer.add(exchange)
      guessed.add(exchange)
      if (exchange.key === world?.key) expected?.add(exchange)
    })
    let ending: ChildEnding = { exitCode: 0, interruptedBy: undefined }
    let notes: string[] = []
    if (command === undefined) {
      const { replayRecording } = await import('./replay-recording.js')
      notes = await replayRecording(har, server.sandbox, add)
    } else {
      // Requests that the sandbox sends itself are not requests of the consumer.
      journal.subscribe((exchange) => {
        if (!exchange.sent) add(exchange)
      })
      const variablesOfTrace = { ...traceFile.env, ...(trace && traceEnvironment()) }
      const environment = { ...process.env, ...consumerEnvironment(server, env), ...variablesOfTrace }
      ending = await runChild({ command, args, env: environment, isStdoutTaken })
    }
    const { exitCode, interruptedBy } = ending
    const ofEnd = world && expected ? await expected.judge(world, before) : []
    const isIdle = expected?.isIdle() && observer.calls() > 0
    await server.close()
    if (interruptedBy) printMessage(`interrupted by ${interruptedBy}; there is no report`)
    return {
      ...{ contract, observer, refused, exitCode, idle, notes },
      stopped: interruptedBy && exitCodeOf(interruptedBy),
      missing: missingRequests(observer, refused.count()),
      unchecked: [...unchecked(), ...(isIdle ? [idleWorld] : [])],
      guesses: interruptedBy ? [] : await nameSources(guessed.guesses()),
      findings: interruptedBy
        ? []
        : await nameSources(await placeFindings([...observer.findings(), ...ofEnd], server.places)),
    }
  } finally {
    await server.close()
  }
}

/** A sandbox for a run, which counts the requests that its server refuses. */
interface OpenSandbox {
  server: RunningServer
  refused: RefusedRequests
}

async function openSandbox(options: ServerOptions): Promise<OpenSandbox> {
  const refused = countRefusedRequests()
  return { server: await startServer({ ...options, onExchange: refused.add }), refused }
}

/** At a port that no system gives to a connection, such as one of another test: between two runs, it would be taken. Linux gives those from 32768, others from 49152. */
async function openAtLastingPort(options: ServerOptions): Promise<OpenSandbox> {
  for (let tries = 0; tries < 20; tries++) {
    try {
      return await openSandbox({ ...options, port: randomInt(20_000, 30_000) })
    } catch (error) {
      if (!(error instanceof SandboxError && error.code === 'PORT_IN_USE')) throw error
    }
  }
  return openSandbox(options)
}

/** What a run of the command found. */
export interface FinishedRun {
  contract: RequestContract
  observer: ConsumerObserver
  refused: RefusedRequests
  /** Of the command; 0 for a recording. */
  exitCode: number
  /** The exit code if a signal ended the run. */
  stopped: number | undefined
  /** With places and names of tests. */
  findings: Finding[]
  /** What its requests have that has no effect. */
  idle: IdleNotes
  guesses: Guess[]
  /** About the recording. */
  notes: string[]
  /** The failure of a run without requests, if it was one. */
  missing: Failure[]
  unchecked: Failure[]
}

function tooManyGuesses(count: number, max: number = Number.POSITIVE_INFINITY): Failure[] {
  if (count <= max) return []
  const message = `${plural(count, 'guess', 'guesses')} decided answers, and --max-open allows ${max}`
  return [{ message, help: 'Correct or confirm some of them in an overlay; --guesses lists all' }]
}

/** An expectation about a world that nobody used would always hold. */
const idleWorld: Failure = {
  message: 'no request was of the world about which --expect is',
  help: 'Name in "world" the key that the requests have. Without it, it is the key that the command gets',
}

/** Undefined without `--expect`. @throws SandboxError `UNREADABLE_FILE` or `INVALID_OPTION` */
async function openExpectation(file: string | undefined, contract: RequestContract): Promise<OpenEndState | undefined> {
  if (file === undefined) return undefined
  const { openEndState } = await import('../../entries/judge-end-state.js')
  const text = await readTextFile(file)
  parseJsonFile(text, 'expectation', file)
  return openEndState(parseExactJson(text.replace(/^\ufeff/, '')).exact, contract, variables)
}

/** Maximum number of keys that are read before the command starts. */
const maxKeys = 10_000

/** The initial keys of every world, by the collection of an operation. */
async function createKeyLookup(sandbox: Sandbox): Promise<(exchange: Exchange, operation: Operation) => RecordKey[]> {
  const keys = new Map<string, RecordKey[]>()
  for (const { name: collection, key } of sandbox.contract.collections) {
    const records = await sandbox.world().collection(collection).list({ limit: maxKeys })
    keys.set(
      collection,
      records.map((record) => record[key] as RecordKey),
    )
  }
  return (_, { effect }) => ('collection' in effect ? (keys.get(effect.collection) ?? []) : [])
}

type OwnFiles = Pick<ReadFiles, 'expect' | 'lock' | 'har' | 'against' | 'results' | 'updateLock'>
interface RunOptions extends SharedOptions, ReportOptions, ConsumerOptions, OwnFiles {
  /** Whether the lock keeps values that were sent. @default true */
  values?: boolean
}
