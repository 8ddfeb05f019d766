/** `check`: compares a running service with the document. */
import { type Command, Option } from 'commander'
import type { Contract } from '../contract/contract.js'
import { toSafeLine } from '../contract/safe-text.js'
import { SandboxError, unknownName } from '../contract/sandbox-error.js'
import { type CompiledDocument, compileDocument } from '../entries/compile-document.js'
import { name, version } from '../generated/package.js'
import { readTextFile } from '../node/read-text-file.js'
import { isLoopback, parseBaseUrl, serverFor } from './base-address.js'
import { describeDocument, placeFindings } from './checked-document.js'
import { variables } from './consumer-environment.js'
import { positiveNumber, wholeNumber, yesOrNo } from './option-values.js'
import { applyEnvironment, describeEnvironment } from './options-from-environment.js'
import { prepareReports } from './prepare-reports.js'
import { printMessage } from './print-message.js'
import { addReportOptions, type ReportOptions } from './report-options.js'

interface CheckCommandOptions extends ReportOptions {
  /** A key that is valid at the provider. */
  apiKey?: string
  /** Name of the server of the document. */
  server?: string
  /** File of an OpenAPI document. */
  spec?: string
  /** Whether records may be created and changed. */
  write?: boolean
  /** Requests per second. */
  rate?: number
  /** For one request, in seconds. */
  timeout?: number
  /** Makes generated requests repeatable. */
  seed?: number
}

/** Requests per second to a provider on another machine, unless --rate says otherwise. */
const remoteRate = 20

/** Adds `check` to the program. */
export function addCheckCommand(program: Command): void {
  const command = program
    .command('check')
    .argument('<base-url>', 'address of the service with its base path, e.g. https://staging.example.com/v1')
    .description('check a real server against the document')
    .helpOption('-h, --help', 'print this help')
    .allowExcessArguments(false)
  const options = [
    new Option(
      '--api-key <key>',
      `a key that is valid for the service (also from ${variables.key}); it is never printed`,
    ),
    new Option('--spec <file>', 'check it against another OpenAPI document, 3.0 or 3.1, YAML or JSON'),
    new Option('--server <name>', 'the server in the document that the address belongs to (found by its path)'),
    new Option('--write [boolean]', 'also create and change records (only on addresses of this machine)').argParser(
      yesOrNo,
    ),
    new Option('--rate <number>', `maximum requests per second (${remoteRate}; no limit on this machine)`).argParser(
      positiveNumber,
    ),
    new Option('--timeout <seconds>', 'time limit for one request (10)').argParser(positiveNumber),
    new Option('--seed <number>', 'makes generated requests repeatable (1)').argParser(wholeNumber(0, 2 ** 31 - 1)),
  ]
  for (const option of options) command.addOption(option)
  addReportOptions(command)
  command.addHelpText('after', describeEnvironment(command.options))
  command.action(async (baseUrl: string) => {
    applyEnvironment(command, { 'api-key': variables.key })
    process.exitCode = await check(baseUrl, command.opts())
  })
}

/** The document that was compiled when the program was built. */
async function loadBundledDocument(): Promise<CompiledDocument> {
  const [{ contract }, { document, text }] = await Promise.all([
    import('../generated/contract.js'),
    import('../generated/document.js'),
  ])
  return { contract, document, text }
}

/** @returns the exit code */
async function check(written: string, options: CheckCommandOptions): Promise<number> {
  const { apiKey = '', spec, rate, timeout, seed } = options
  const baseUrl = parseBaseUrl(written)
  const reports = await prepareReports(options)
  const { contract, document, text } =
    spec === undefined ? await loadBundledDocument() : await compileDocument(await readTextFile(spec), spec)
  const server = chooseServer(contract, options.server, baseUrl)
  checkKey(contract, server, apiKey)
  const isLocal = isLoopback(baseUrl)
  const canWrite = options.write ?? isLocal
  if (options.write === undefined && !isLocal) {
    printMessage(`${baseUrl} is not on this machine, so only read requests are sent (--write allows others)`)
  }
  const { checkProvider } = await import('../checks/provider/check-provider.js')
  const { providerRules } = await import('../checks/provider/provider-rules.js')
  const startedAt = new Date()
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
    onProgress: progress.show,
    onFailure(notes) {
      progress.clear()
      for (const note of notes) printMessage(`note: ${note}`)
    },
    ...(timeout === undefined ? {} : { timeoutMs: timeout * 1000 }),
    ...(seed === undefined ? {} : { seed }),
  }).finally(progress.clear)
  const checked = describeDocument(contract, spec)
  return reports.finish({
    tool: { name, version },
    check: 'provider',
    document: checked,
    subject: baseUrl,
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    requests: result.requests,
    rules: [...providerRules],
    findings: await placeFindings(result.findings, text, checked.file),
    notes: result.notes,
  })
}

function chooseServer({ servers }: Contract, wanted: string | undefined, baseUrl: string): string {
  if (wanted === undefined) return serverFor(servers, baseUrl).name
  const server = servers.find((each) => each.name === wanted)
  if (server) return server.name
  const names = servers.map((each) => each.name)
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
