/** Checks a running service, shows the progress, and reports the findings. */

import { parseLock } from '../../checks/consumer/lock.js'
import type { CheckOptions } from '../../checks/provider/check-provider.js'
import { providerRules } from '../../checks/provider/provider-rules.js'
import { readWorkflows } from '../../checks/provider/workflows/workflows.js'
import type { Contract } from '../../contract/contract.js'
import { toSafeLine } from '../../contract/safe-text.js'
import { SandboxError } from '../../contract/sandbox-error.js'
import { readTextFile } from '../../node/read-text-file.js'
import type { ReportOptions } from '../options/check-options.js'
import type { DocumentOptions } from '../options/document-options.js'
import { prepareReports } from '../prepare-reports.js'
import { printMessage } from '../print-message.js'
import { variables } from '../processes/consumer-environment.js'
import { exitCodeOf, onSignals } from '../processes/signals.js'
import { describeDocument, loadDocument, placeFindings } from './checked-document.js'
import { chooseServer, isLoopback, parseBaseUrl } from './service-address.js'

/** Options from the command line. */
interface CheckServiceOptions
  extends ReportOptions,
    DocumentOptions,
    Pick<CheckOptions, 'seed' | 'rate'>,
    Partial<Pick<CheckOptions, 'server'>> {
  /** A key that is valid at the provider. */
  apiKey?: string
  /** A valid key of another account. */
  otherApiKey?: string
  /** Whether records may be created and changed. */
  write?: boolean
  /** Replaces `rate` for a provider on another machine. */
  remoteRate: number
  /** A file with workflows, and values of their inputs. */
  arazzo?: string
  input?: string[]
  /** A file with what consumers use. */
  lock?: string
  /** For one request, in seconds. */
  timeout?: number
}

/** @returns the exit code: 1 if the check failed, else 0 */
export async function checkService(written: string, options: CheckServiceOptions): Promise<number> {
  const { apiKey = '', spec, rate, remoteRate, timeout, seed, arazzo, input = [], lock } = options
  const baseUrl = parseBaseUrl(written)
  const reports = await prepareReports(options, providerRules)
  const { contract, document, places } = await loadDocument(options)
  const server = chooseServer(contract.servers, options.server, baseUrl).name
  checkKey(contract, server, apiKey)
  const workflows = arazzo === undefined ? undefined : readWorkflows(await readTextFile(arazzo), arazzo, input)
  const used = lock === undefined ? undefined : parseLock(await readTextFile(lock), lock).uses
  const isLocal = isLoopback(baseUrl)
  const canWrite = options.write ?? isLocal
  if (options.write === undefined && !isLocal) {
    printMessage(`${baseUrl} is not on this machine, so only read requests are sent (--write allows others)`)
  }
  const { checkProvider } = await import('../../checks/provider/check-provider.js')
  const startedAt = new Date()
  const interruption = new AbortController()
  const signals = onSignals((signal) => {
    interruption.abort(signal)
    printMessage(`interrupted by ${signal}: removing what this check created; a second signal ends it at once`)
  })
  const progress = createProgress()
  const result = await checkProvider({
    contract,
    document,
    baseUrl,
    server,
    key: apiKey,
    otherKey: options.otherApiKey,
    keyVariable: variables.key,
    canWrite,
    workflows,
    used: used && new Set(used.map(({ operation }) => operation)),
    rate: rate ?? (isLocal ? undefined : remoteRate),
    signal: interruption.signal,
    onProgress: progress.show,
    onFailure(notes) {
      progress.clear()
      for (const note of notes) printMessage(`note: ${note}`)
    },
    ...(timeout !== undefined && { timeoutMs: timeout * 1000 }),
    ...(seed !== undefined && { seed }),
  }).finally(progress.clear)
  const interruptedBy: NodeJS.Signals | undefined = interruption.signal.reason
  // All created records are removed now, so signals may end the program.
  if (!interruptedBy) signals.stop()
  const verdict = await reports.finish({
    check: 'provider',
    document: describeDocument(contract, spec),
    subject: baseUrl,
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    requests: result.requests,
    rules: providerRules,
    findings: await placeFindings(result.findings, places),
    notes: result.notes,
    failures: interruptedBy ? [{ message: `the check was interrupted by ${interruptedBy}`, help: partialHelp }] : [],
  })
  return interruptedBy ? exitCodeOf(interruptedBy) : verdict
}

const partialHelp = 'This report is partial, as further findings may be missing: run the check again'

function checkKey({ operations }: Contract, server: string, key: string): void {
  const isNeeded = operations.some(({ servers, security }) => servers.includes(server) && security.length > 0)
  if (key !== '' || !isNeeded) return
  throw new SandboxError(
    'INVALID_OPTION',
    `The document requires a key: set a valid one with --api-key or ${variables.key}`,
  )
}

/** One line that is overwritten, only on a terminal. */
function createProgress() {
  const { stderr } = process
  let shownAt = 0
  return {
    show({ sent, operation }: { sent: number; operation: string }) {
      const now = performance.now()
      if (!stderr.isTTY || now - shownAt < 100) return
      shownAt = now
      stderr.write(`\r\u001b[K${sent} requests, now ${toSafeLine(operation)}`)
    },
    clear() {
      if (stderr.isTTY) stderr.write('\r\u001b[K')
    },
  }
}
