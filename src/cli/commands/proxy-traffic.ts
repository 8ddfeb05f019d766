/** Forwards requests to a service, judges them by the rules of `run` and the answers by those of `check`, and reports both. */
import type { ConsumerRule } from '../../checks/consumer/consumer-rule.js'
import { consumerRules } from '../../checks/consumer/consumer-rules.js'
import { type ConsumerObserver, observeConsumer } from '../../checks/consumer/observe-consumer.js'
import { newUsage, overrideResponse } from '../../checks/consumer/rules/operation-rules.js'
import { invalidCredentials, unknownReference } from '../../checks/consumer/rules/request-rules.js'
import type { Rule } from '../../checks/finding.js'
import { observedRules, observeProvider } from '../../checks/provider/observe-provider.js'
import type { Failure } from '../../checks/report.js'
import { createHideCredentials } from '../../contract/hiding/hide-credentials.js'
import { SandboxError } from '../../contract/sandbox-error.js'
import { createSandbox } from '../../entries/create-sandbox.js'
import { defaultMemoryBytes, listen } from '../../node/listen.js'
import { createForward, type Forward, type Forwarded } from '../../node/proxy.js'
import { createRequestLog, type LogFormat, toLogOutput } from '../../node/request-log.js'
import type { Sandbox } from '../../sandbox/facade/sandbox.js'
import { MemoryBudget } from '../../state/memory-budget.js'
import { type ConsumerOptions, dayMs, type ReportOptions } from '../options/check-options.js'
import type { DocumentOptions } from '../options/document-options.js'
import type { SharedOptions } from '../options/server-options.js'
import { prepareReports } from '../prepare-reports.js'
import { printMessage } from '../print-message.js'
import { consumerEnvironment, traceEnvironment, variables } from '../processes/consumer-environment.js'
import { runChild } from '../processes/run-child.js'
import { exitCodeOf, onSignals } from '../processes/signals.js'
import { writeWholeFile } from '../write-file.js'
import { describeDocument, loadDocument, placeFindings } from './checked-document.js'
import { catchErrors, countRefusedRequests, missingRequests, nameSources, sourceNotes } from './consumer-requests.js'
import { createTraffic, type Traffic } from './forwarded-traffic.js'
import { judgeRecorded } from './replay-recording.js'
import { isLoopback, parseBaseUrl, serversAt } from './service-address.js'

/** Options from the command line. */
interface ProxyOptions
  extends DocumentOptions,
    ReportOptions,
    ConsumerOptions,
    Pick<SharedOptions, 'port' | 'maxBody' | 'maxMemory'> {
  host?: string
  /** Further names that requests may be sent to. */
  allowHost?: string[]
  /** A key for the command. */
  apiKey?: string
  /** Name of the server that the address belongs to. */
  server?: string
  /** Until an answer begins, in seconds. */
  timeout?: number
  /** File for the recording. */
  har?: string
  log?: LogFormat
}

/** They need the data and the keys of a sandbox, or a lock. */
const others: readonly ConsumerRule[] = [invalidCredentials, unknownReference, newUsage, overrideResponse]
const rules: readonly Rule[] = [...consumerRules.filter((rule) => !others.includes(rule)), ...observedRules]

/**
 * @param consumer the command; without it, the proxy listens until a signal
 * @returns the exit code: that of the command if it failed, else 0 if the check passed and 1 if not
 */
export async function proxyTraffic(
  written: string,
  consumer: readonly string[] | undefined,
  options: ProxyOptions,
): Promise<number> {
  const { env = [], trace = true, allowNoRequests = false, minCoverage, har, apiKey = '', timeout = 60 } = options
  const { maxBody = 1024 * 1024, maxMemory = defaultMemoryBytes() } = options
  const [command, ...args] = consumer ?? []
  checkUse(consumer, options)
  const address = parseBaseUrl(written)
  const target = new URL(address)
  const reports = await prepareReports({ ...options, har: undefined, recording: har }, rules)
  const { contract: documented, document, places } = await loadDocument(options)
  const contract = { ...documented, servers: serversAt(documented.servers, options.server, address) }
  const sandbox = createSandbox({ contract, exact: true, maxBodyBytes: maxBody, journal: { maxExchanges: 0 } })
  const observed = { contract, document, variables: { key: variables.key }, secrets: [apiKey] }
  const sunset = { sunsetWithin: options.sunsetWithin && options.sunsetWithin * dayMs }
  const observer = observeConsumer({ ...observed, ...sunset, existingKeys: () => [] })
  const provider = observeProvider(observed)
  const traffic = createTraffic(target.origin, maxBody, har !== undefined)
  const refused = countRefusedRequests()
  const startedAt = new Date()

  const { onForwarded, finish } = createJudging(sandbox, traffic, observer, provider)
  const memory = new MemoryBudget(maxMemory)
  const hideCredentials = createHideCredentials(contract, [apiKey], '[hidden]')
  const limits = { timeoutMs: timeout * 1000, maxBodyBytes: maxBody, memory }
  const { forward, allClosed } = followForwarding(await createForward({ target, ...limits, onForwarded }))
  const { host = '127.0.0.1', port = consumer ? 0 : 4010, allowHost = [], log: format } = options
  const log = createRequestLog({
    format: format ?? (consumer ? 'none' : 'pretty'),
    output: toLogOutput(process.stderr),
  })
  const server = await listen({
    ...{ port, host, allowHosts: allowHost, memory },
    serving: () => ({ sandbox, hideCredentials, control: () => undefined, forward }),
    onExchange(entry) {
      refused.add(entry)
      log?.add(entry)
    },
    onUnexpectedError: (error) => printMessage(`unexpected error: ${error instanceof Error ? error.stack : error}`),
  })
  try {
    if (isLoopback(address) && Number(target.port) === server.port)
      throw new SandboxError('INVALID_OPTION', `${address} would be the proxy itself; choose another --port`)
    let commandExitCode = 0
    if (command === undefined) await untilSignal(server.url, target.origin, contract.servers[0]?.mount ?? '')
    else {
      const own = consumerEnvironment({ url: server.url, sandbox: { ...sandbox, defaultKey: apiKey } }, env)
      if (apiKey === '') delete own[variables.key]
      const { isStdoutTaken } = reports
      const environment = { ...process.env, ...own, ...(trace && traceEnvironment()) }
      const ending = await runChild({ command, args, isStdoutTaken, env: environment })
      if (ending.interruptedBy) {
        printMessage(`interrupted by ${ending.interruptedBy}; there is no report`)
        return exitCodeOf(ending.interruptedBy)
      }
      commandExitCode = ending.exitCode
    }
    await server.close()
    await allClosed()
    const unchecked = await finish()
    await log?.flush()
    const findings = await nameSources(await placeFindings([...observer.findings(), ...provider.findings()], places))
    const missing = allowNoRequests ? [] : missingRequests(observer, refused.count(), 'proxy')
    const verdict = await reports.finish({
      check: 'proxy',
      document: describeDocument(contract, options.spec),
      subject: consumer ? `${consumer.join(' ')} at ${address}` : `callers of ${address}`,
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
      requests: traffic.count() + refused.count(),
      ...(consumer && { commandExitCode }),
      rules,
      findings,
      notes: [
        ...refused.notes(),
        ...traffic.notes(),
        ...provider.notes(),
        ...sourceNotes(observer.findings(), observer.malformedSources()),
      ],
      failures: [...missing, ...unchecked],
      coverage: observer.coverage(),
      ...(minCoverage === undefined ? {} : { minimumCoverage: minCoverage }),
    })
    if (har !== undefined) await writeWholeFile(har, JSON.stringify(await traffic.toHar(hideCredentials)))
    return commandExitCode || verdict
  } finally {
    await server.close()
  }
}

/** @throws SandboxError `INVALID_OPTION` */
function checkUse(consumer: readonly string[] | undefined, { host }: ProxyOptions): void {
  if (consumer && !consumer[0]) throw new SandboxError('INVALID_OPTION', 'proxy needs the name of a command after "--"')
  // Node.js listens on all addresses if the host is empty.
  if (host === '') throw new SandboxError('INVALID_OPTION', '--host must be an address such as 127.0.0.1 (got "")')
}

/** Judges what was forwarded. `finish` resolves when all of it is judged, to the failures to judge. */
function createJudging(
  sandbox: Sandbox,
  traffic: Traffic,
  observer: Pick<ConsumerObserver, 'add'>,
  provider: Pick<ReturnType<typeof observeProvider>, 'add'>,
): { onForwarded: (forwarded: Forwarded) => Promise<void>; finish: () => Promise<Failure[]> } {
  const { unchecked, add } = catchErrors(async (forwarded: Forwarded) => {
    const read = await traffic.read(forwarded)
    if (!read) return
    const exchange = await judgeRecorded(sandbox, read.recorded)
    if (!exchange) return traffic.leaveOut('a method that is never judged, such as TRACE')
    observer.add(exchange)
    if (read.answer) provider.add(exchange, read.answer)
  })
  /** The sandbox judges one request at a time. */
  let judged = Promise.resolve()
  return {
    onForwarded(forwarded) {
      judged = judged.then(() => add(forwarded))
      return judged
    },
    finish: () => judged.then(unchecked),
  }
}

async function untilSignal(url: string, origin: string, base: string): Promise<void> {
  const signal = new Promise<void>((resolve) => onSignals(() => resolve()))
  printMessage(`forwards ${url}${base} to ${origin}${base}; Ctrl-C ends it with a report`)
  await signal
}

/** `allClosed` resolves when all that was forwarded is known to the judges: the server may be closed before. */
function followForwarding(forwardOne: Forward): { forward: Forward; allClosed: () => Promise<unknown> } {
  const forwarding = new Set<Promise<unknown>>()
  return {
    forward(request, incoming, outgoing) {
      const answered = forwardOne(request, incoming, outgoing)
      const closed = new Promise<void>((resolve) => outgoing.once('close', resolve))
      forwarding.add(closed)
      void closed.then(() => forwarding.delete(closed))
      return answered
    },
    allClosed: () => Promise.all(forwarding),
  }
}
