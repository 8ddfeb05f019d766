/** Starts a sandbox, runs the consumer's command or a recording against it, and reports findings and coverage. */
import { randomInt } from 'node:crypto'
import type { RecordKey } from '../../checks/consumer/consumer-rule.js'
import { consumerRules } from '../../checks/consumer/consumer-rules.js'
import {
  type ConsumerObserver,
  type ConsumerOptions as ObserverOptions,
  observeConsumer,
} from '../../checks/consumer/observe-consumer.js'
import { newFailure, newUsage } from '../../checks/consumer/rules/usage-rule.js'
import type { Finding } from '../../checks/finding.js'
import { type Failure, whyIncomplete } from '../../checks/report.js'
import type { Operation, RequestContract } from '../../contract/contract.js'
import { SandboxError } from '../../contract/sandbox-error.js'
import { type RunningServer, type ServerOptions, startServer } from '../../entries/node.js'
import { name, version } from '../../generated/package.js'
import type { Sandbox } from '../../sandbox/facade/sandbox.js'
import type { Exchange } from '../../state/journal.js'
import { finishLock, openLock } from '../lock-file.js'
import { type ConsumerOptions, dayMs, type ReportOptions } from '../options/check-options.js'
import { type SharedOptions, toServerOptions } from '../options/server-options.js'
import { prepareReports } from '../prepare-reports.js'
import { printMessage } from '../print-message.js'
import { consumerEnvironment, traceEnvironment, variables } from '../processes/consumer-environment.js'
import { runChild } from '../processes/run-child.js'
import { exitCodeOf } from '../processes/signals.js'
import { createTraceFile } from '../processes/trace-file.js'
import { describeDocument, placeFindings } from './checked-document.js'
import {
  catchErrors,
  countRefusedRequests,
  missingRequests,
  nameSources,
  type RefusedRequests,
  sourceNotes,
} from './consumer-requests.js'

/** @returns the exit code: that of the command if it failed, else 0 if the run passed and 1 if not */
export async function runConsumer(
  command: string | undefined,
  args: readonly string[],
  options: RunOptions,
): Promise<number> {
  const {
    env = [],
    allowNoRequests = false,
    trace = true,
    lock: lockFile,
    har,
    against,
    results,
    sunsetWithin,
    updateLock = false,
    minCoverage,
    report,
    failOn,
    ignore,
    baseline,
    updateBaseline,
    coverage,
    ...shared
  } = options
  if (har !== undefined && against !== undefined)
    throw new SandboxError(
      'INVALID_OPTION',
      'run --against runs a command, and cannot judge a recording (--har). Leave one of them out',
    )
  if (results !== undefined && against === undefined)
    throw new SandboxError('INVALID_OPTION', '--results needs --against <file|url>: the next document')
  const reports = await prepareReports(options, consumerRules)
  const startedAt = new Date()
  const open = against === undefined ? openSandbox : openAtLastingPort
  const sandbox = await open({ port: 0, ...toServerOptions(shared), exact: true })
  const traceFile = createTraceFile()
  try {
    const { contract } = sandbox.server.sandbox
    const lock = await openLock(lockFile, updateLock, contract.operations)
    const comparison =
      against === undefined
        ? undefined
        : await (await import('./run-against.js')).prepareComparison(sandbox.server, {
            ...{ against, results, env, testOf: traceFile.testOf },
            command: [command, ...args].join(' '),
            options: toServerOptions(shared),
          })
    let run = await runOn(sandbox, { lock, onUses: comparison?.onUses })
    // A command that may send nothing writes no empty lock.
    const failed = [...run.missing, ...run.unchecked]
    const stopped = run.stopped ?? (await comparison?.finishPresent(run))
    if (stopped !== undefined) return stopped
    const why = whyIncomplete({ commandExitCode: run.exitCode, failures: failed })
    const lockNotes = lock ? await finishLock(lock, run.observer.uses(), why) : []
    const ofLock = comparison ? run.findings.filter(({ rule }) => rule === newUsage.id) : []
    const next = comparison && (await openSandbox({ ...comparison.options, exact: true }))
    if (next) run = await runOn(next, {})
    if (run.stopped !== undefined) return run.stopped
    const compared = await comparison?.compare(run)
    const rules = consumerRules.filter((rule) => (lock || rule !== newUsage) && (comparison || rule !== newFailure))
    const { observer, refused, findings, exitCode } = run
    const verdict = await reports.finish({
      tool: { name, version },
      check: 'consumer',
      document: describeDocument(run.contract, against ?? shared.spec),
      subject: command === undefined ? (har ?? '') : [command, ...args].join(' '),
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
      requests: observer.requests() + refused.count(),
      // Of two runs, the findings say what failed.
      ...(!compared && { commandExitCode: exitCode }),
      rules: rules.map(({ id, severity, looksAt, help }) => ({ id, severity, looksAt, help })),
      findings: [...(compared?.findings ?? findings), ...ofLock],
      notes: [
        ...(compared?.notes ?? []),
        ...refused.notes(),
        ...run.notes,
        ...sourceNotes(findings, observer.malformedSources()),
        ...traceFile.notes(),
        ...lockNotes,
      ],
      failures: [...(allowNoRequests ? [] : run.missing), ...run.unchecked, ...(compared?.failures ?? [])],
      coverage: observer.coverage(),
      ...(minCoverage === undefined ? {} : { minimumCoverage: minCoverage }),
    })
    return compared || exitCode === 0 ? verdict : exitCode
  } finally {
    traceFile.remove()
    await sandbox.server.close()
  }

  /** Runs the command, or the recording. */
  async function runOn(
    { server, refused }: OpenSandbox,
    { lock, onUses }: Pick<ObserverOptions, 'lock' | 'onUses'>,
  ): Promise<FinishedRun> {
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
        sunsetWithin: sunsetWithin && sunsetWithin * dayMs,
      })
      const { unchecked, add } = catchErrors(observer.add)
      let exitCode = 0
      let notes: string[] = []
      let interruptedBy: NodeJS.Signals | undefined
      if (command === undefined) {
        const { replayRecording } = await import('./replay-recording.js')
        notes = await replayRecording(har ?? '', server.sandbox, add)
      } else {
        // Requests that the sandbox sends itself are not requests of the consumer.
        journal.subscribe((exchange) => {
          if (!exchange.sent) add(exchange)
        })
        const variablesOfTrace = { ...traceFile.env, ...(trace && traceEnvironment()) }
        const ending = await runChild({
          command,
          args,
          env: { ...process.env, ...consumerEnvironment(server, env), ...variablesOfTrace },
          isStdoutTaken: reports.isStdoutTaken,
        })
        ;({ exitCode, interruptedBy } = ending)
      }
      await server.close()
      if (interruptedBy) printMessage(`interrupted by ${interruptedBy}; there is no report`)
      const isStopped = interruptedBy !== undefined
      return {
        ...{ contract, observer, refused, exitCode, notes },
        stopped: interruptedBy && exitCodeOf(interruptedBy),
        missing: missingRequests(observer, refused.count()),
        unchecked: unchecked(),
        findings: isStopped ? [] : await nameSources(await placeFindings(observer.findings(), server.places)),
      }
    } finally {
      await server.close()
    }
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
  /** About the recording. */
  notes: string[]
  /** The failure of a run without requests, if it was one. */
  missing: Failure[]
  unchecked: Failure[]
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

interface RunOptions extends SharedOptions, ReportOptions, ConsumerOptions {
  /** File with what the consumer uses. */
  lock?: string
  /** A recording that is judged instead of a command. */
  har?: string
  /** The next version of the document, with which the command is run again. */
  against?: string
  /** JUnit XML that the command writes. */
  results?: string
  /** Writes the lock. @default false */
  updateLock?: boolean
}
