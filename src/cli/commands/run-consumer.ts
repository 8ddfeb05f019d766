/** Starts a sandbox, runs the consumer's command or a recording against it, and reports findings and coverage. */
import type { RecordKey } from '../../checks/consumer/consumer-rule.js'
import { consumerRules } from '../../checks/consumer/consumer-rules.js'
import { observeConsumer } from '../../checks/consumer/observe-consumer.js'
import { newUsage } from '../../checks/consumer/rules/usage-rule.js'
import { whyIncomplete } from '../../checks/create-report.js'
import type { Operation } from '../../contract/contract.js'
import { startServer } from '../../entries/node.js'
import { name, version } from '../../generated/package.js'
import type { Sandbox } from '../../sandbox/facade/sandbox.js'
import type { Exchange } from '../../state/journal.js'
import { finishLock, openLock } from '../lock-file.js'
import { type ConsumerOptions, dayMs } from '../options/consumer-options.js'
import type { ReportOptions } from '../options/report-options.js'
import { type SharedOptions, toServerOptions } from '../options/server-options.js'
import { prepareReports } from '../prepare-reports.js'
import { printMessage } from '../print-message.js'
import { consumerEnvironment, traceEnvironment, variables } from '../processes/consumer-environment.js'
import { runChild } from '../processes/run-child.js'
import { exitCodeOf } from '../processes/signals.js'
import { createTraceFile } from '../processes/trace-file.js'
import { describeDocument, placeFindings } from './checked-document.js'
import { catchErrors, countRefusedRequests, missingRequests, nameSources, sourceNotes } from './consumer-requests.js'

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
    har = '',
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
  const reports = await prepareReports(options, consumerRules)
  const startedAt = new Date()
  const refused = countRefusedRequests()
  const traceFile = createTraceFile()
  const server = await startServer({ port: 0, ...toServerOptions(shared), exact: true, onExchange: refused.add })
  try {
    const { contract, journal } = server.sandbox
    const lock = await openLock(lockFile, updateLock, contract.operations)
    const observer = observeConsumer({
      contract,
      document: await server.document(),
      existingKeys: await createKeyLookup(server.sandbox),
      testOf: traceFile.testOf,
      variables,
      lock,
      sunsetWithin: sunsetWithin && sunsetWithin * dayMs,
    })
    const { unchecked, add } = catchErrors(observer.add)
    let exitCode = 0
    let recordingNotes: string[] = []
    if (command === undefined) {
      const { replayRecording } = await import('./replay-recording.js')
      recordingNotes = await replayRecording(har, server.sandbox, add)
    } else {
      // Requests that the sandbox sends itself are not requests of the consumer.
      journal.subscribe((exchange) => {
        if (!exchange.sent) add(exchange)
      })
      const ending = await runChild({
        command,
        args,
        env: {
          ...process.env,
          ...consumerEnvironment(server, env),
          ...traceFile.env,
          ...(trace && traceEnvironment()),
        },
        isStdoutTaken: reports.isStdoutTaken,
      })
      if (ending.interruptedBy) {
        printMessage(`interrupted by ${ending.interruptedBy}; there is no report`)
        return exitCodeOf(ending.interruptedBy)
      }
      exitCode = ending.exitCode
    }
    await server.close()
    const document = describeDocument(contract, shared.spec)
    const missing = missingRequests(observer, refused.count())
    const failures = [...(allowNoRequests ? [] : missing), ...unchecked()]
    // A command that may send nothing writes no empty lock.
    const why = whyIncomplete({ commandExitCode: exitCode, failures: [...missing, ...unchecked()] })
    const findings = await nameSources(await placeFindings(observer.findings(), server.places))
    const lockNotes = lock ? await finishLock(lock, observer.uses(), why) : []
    const rules = consumerRules.filter((rule) => lock || rule !== newUsage)
    const verdict = await reports.finish({
      tool: { name, version },
      check: 'consumer',
      document,
      subject: command === undefined ? har : [command, ...args].join(' '),
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
      requests: observer.requests() + refused.count(),
      commandExitCode: exitCode,
      rules: rules.map(({ id, severity, looksAt, help }) => ({ id, severity, looksAt, help })),
      findings,
      notes: [
        ...refused.notes(),
        ...recordingNotes,
        ...sourceNotes(findings, observer.malformedSources()),
        ...traceFile.notes(),
        ...lockNotes,
      ],
      failures,
      coverage: observer.coverage(),
      ...(minCoverage === undefined ? {} : { minimumCoverage: minCoverage }),
    })
    return exitCode === 0 ? verdict : exitCode
  } finally {
    traceFile.remove()
    await server.close()
  }
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
  /** Writes the lock. @default false */
  updateLock?: boolean
}
