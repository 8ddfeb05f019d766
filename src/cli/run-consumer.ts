/** Starts a sandbox, runs the consumer's command against it, and reports findings and coverage. */
import type { RecordKey } from '../checks/consumer/consumer-rule.js'
import { consumerRules } from '../checks/consumer/consumer-rules.js'
import { observeConsumer } from '../checks/consumer/observe-consumer.js'
import type { Operation } from '../contract/contract.js'
import { startServer } from '../entries/node.js'
import { name, version } from '../generated/package.js'
import { readTextFile } from '../node/read-text-file.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import type { Exchange } from '../state/journal.js'
import { describeDocument, placeFindings } from './checked-document.js'
import { consumerEnvironment, variables } from './consumer-environment.js'
import { prepareReports } from './prepare-reports.js'
import { exitCodeOf, runChild } from './run-child.js'
import type { RunOptions } from './run-options.js'
import { toServerOptions } from './server-options.js'

/** @returns the exit code: that of the command if it failed, else 0 if the run passed and 1 if not */
export async function runConsumer(command: string, args: readonly string[], options: RunOptions): Promise<number> {
  const { env = [], minCoverage, report, failOn, baseline, updateBaseline, ...shared } = options
  const reports = await prepareReports(options)
  const startedAt = new Date()
  const server = await startServer({ port: 0, ...toServerOptions(shared) })
  try {
    const { contract, journal } = server.sandbox
    const { add, ...observer } = observeConsumer({
      contract,
      document: await server.document(),
      existingKeys: await createKeyLookup(server.sandbox),
      variables,
    })
    journal.subscribe(add)
    const { exitCode, interruptedBy } = await runChild({
      command,
      args,
      env: { ...process.env, ...consumerEnvironment(server, env) },
      isStdoutTaken: reports.isStdoutTaken,
    })
    if (interruptedBy) {
      process.stderr.write(`${name}: interrupted by ${interruptedBy}; there is no report\n`)
      return exitCodeOf(interruptedBy)
    }
    await server.close()
    const document = describeDocument(contract, shared.spec)
    const verdict = await reports.finish({
      tool: { name, version },
      check: 'consumer',
      document,
      subject: [command, ...args].join(' '),
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
      requests: observer.requests(),
      commandExitCode: exitCode,
      rules: consumerRules.map(({ id, severity, looksAt, help }) => ({ id, severity, looksAt, help })),
      findings: await placeFindings(observer.findings(), await textOf(shared.spec), document.file),
      notes: observer.requests() > 0 ? [] : [`The command made no request: does it read ${variables.base}?`],
      coverage: observer.coverage(),
      ...(minCoverage === undefined ? {} : { minimumCoverage: minCoverage }),
    })
    return exitCode === 0 ? verdict : exitCode
  } finally {
    await server.close()
  }
}

async function textOf(spec: string | undefined): Promise<string> {
  return spec === undefined ? (await import('../generated/document.js')).text : readTextFile(spec)
}

/** Keys that are read before the command starts. */
const maxKeys = 10_000

/** The keys that every world begins with, by the collection of an operation. */
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
