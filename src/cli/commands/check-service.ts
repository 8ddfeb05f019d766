/** Checks a running service, shows the progress, and reports the findings. */

import { isIP } from 'node:net'
import type { CheckOptions } from '../../checks/provider/check-provider.js'
import { providerRules } from '../../checks/provider/provider-rules.js'
import type { CompiledText } from '../../compile/compile-text.js'
import type { Contract, Server } from '../../contract/contract.js'
import { toSafeLine } from '../../contract/safe-text.js'
import { SandboxError, unknownName } from '../../contract/sandbox-error.js'
import { compileSpec, isBundled } from '../../entries/compile-spec.js'
import { name, version } from '../../generated/package.js'
import { type DocumentOptions, toSpecOptions } from '../options/document-options.js'
import type { ReportOptions } from '../options/report-options.js'
import { prepareReports } from '../prepare-reports.js'
import { printMessage } from '../print-message.js'
import { variables } from '../processes/consumer-environment.js'
import { exitCodeOf, onSignals } from '../processes/signals.js'
import { describeDocument, placeFindings } from './checked-document.js'

/** Options from the command line. */
interface CheckServiceOptions
  extends ReportOptions,
    DocumentOptions,
    Pick<CheckOptions, 'seed' | 'rate'>,
    Partial<Pick<CheckOptions, 'server'>> {
  /** A key that is valid at the provider. */
  apiKey?: string
  /** Whether records may be created and changed. */
  write?: boolean
  /** Replaces `rate` for a provider on another machine. */
  remoteRate: number
  /** For one request, in seconds. */
  timeout?: number
}

/** @returns the exit code: 1 if the check failed, else 0 */
export async function checkService(written: string, options: CheckServiceOptions): Promise<number> {
  const { apiKey = '', spec, strict = false, rate, remoteRate, timeout, seed } = options
  const baseUrl = parseBaseUrl(written)
  const reports = await prepareReports(options, providerRules)
  const source = toSpecOptions(options)
  const compiled = isBundled(source) ? undefined : await compileSpec(source, { strict })
  const { contract, document } = compiled ?? (await loadBundledDocument())
  const server = chooseServer(contract, options.server, baseUrl)
  checkKey(contract, server, apiKey)
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
    keyVariable: variables.key,
    canWrite,
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
    tool: { name, version },
    check: 'provider',
    document: describeDocument(contract, spec),
    subject: baseUrl,
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    requests: result.requests,
    rules: [...providerRules],
    findings: await placeFindings(result.findings, async () => (compiled ?? (await compileSpec({}, {}))).places()),
    notes: result.notes,
    failures: interruptedBy ? [{ message: `the check was interrupted by ${interruptedBy}`, help: partialHelp }] : [],
  })
  return interruptedBy ? exitCodeOf(interruptedBy) : verdict
}

const partialHelp = 'This report is partial, as further findings may be missing: run the check again'

/** The document that was compiled when the program was built. */
async function loadBundledDocument(): Promise<Pick<CompiledText, 'contract' | 'document'>> {
  const [{ contract }, { document }] = await Promise.all([
    import('../../generated/contract.js'),
    import('../../generated/document.js'),
  ])
  return { contract, document }
}

function chooseServer({ servers }: Contract, wanted: string | undefined, baseUrl: string): string {
  if (wanted === undefined) return serverFor(servers, baseUrl).name
  const names = servers.map(({ name }) => name)
  if (names.includes(wanted)) return wanted
  throw unknownName('server', wanted, names)
}

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

/**
 * The address without a trailing slash.
 * @throws SandboxError `INVALID_OPTION`
 */
function parseBaseUrl(written: string): string {
  const url = URL.canParse(written) ? new URL(written) : undefined
  const refuse = (why: string) => {
    // The part before an @ may contain a password, and a query a key.
    const shown = written.replace(/\/\/[^/]*@/, '//***@').replace(/([?#]).+/s, '$1***')
    return new SandboxError('INVALID_OPTION', `The address "${shown}" ${why}, e.g. https://staging.example.com/v1`)
  }
  if (!url?.host) throw refuse('is not a URL with a host; write it with its scheme and base path')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refuse('must begin with http:// or https://')
  if (url.username !== '' || url.password !== '') throw refuse('must not contain a user or password; use --api-key')
  if (url.search !== '' || url.hash !== '') throw refuse('must end with the base path, without "?" and "#"')
  return url.href.replace(/\/+$/, '')
}

/** Whether an address belongs to this machine (RFC 6890, RFC 6761 section 6.3). */
function isLoopback(address: string): boolean {
  const host = new URL(address).hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) === 4) return host.startsWith('127.')
  return host === '::1' || host === 'localhost' || host.endsWith('.localhost')
}

/**
 * The server with this address, else the one whose base path the address ends with, else the first one.
 * @throws SandboxError `INVALID_DOCUMENT` if there are no servers
 */
function serverFor(servers: readonly Server[], address: string): Server {
  const { pathname } = new URL(address)
  const path = pathname === '/' ? '' : pathname
  const same = servers.find(({ url }) => url === address) ?? servers.find(({ mount }) => mount === path)
  const alike = servers
    .filter(({ basePath }) => (basePath === '' ? path === '' : path.endsWith(basePath)))
    .sort((a, b) => b.basePath.length - a.basePath.length)
  const server = same ?? alike[0] ?? servers[0]
  if (!server) throw new SandboxError('INVALID_DOCUMENT', 'The document has no servers')
  return server
}
