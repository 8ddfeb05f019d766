/** `serve`, which is what happens when no command is named: the sandbox behind a port until a signal comes. */
import { type Command, Option } from 'commander'
import { createRequestLog, type LogFormat } from '../node/request-log.js'
import { type ServerOptions, startServer } from '../server.js'
import { renderBanner } from './banner.js'
import { applyEnvironment, variableOf } from './environment.js'
import { byteCount, collect, wholeNumber, yesOrNo } from './option-values.js'
import { closeOnSignal } from './signals.js'

interface ServeOptions {
  port?: number
  host?: string
  apiKey?: string[]
  scenario?: string
  records?: number
  seed?: number
  spec?: string
  cors?: boolean
  maxBody?: number
  log?: LogFormat
  at?: string
}

const maxRecords = 10_000_000

export function addServeCommand(program: Command): void {
  const command = program
    .command('serve', { isDefault: true })
    .description('serve the sandbox until it is stopped (this is what happens without a command)')
    .helpOption('-h, --help', 'print this help')
    // A misspelt command comes here, as this one is the default: it is refused by its name below.
    .allowExcessArguments()
  const options = [
    new Option('-p, --port <number>', 'port to listen on, 0 for any free one (4010; also from PORT)').argParser(
      wholeNumber(0, 65535),
    ),
    new Option('--host <address>', 'address to listen on (127.0.0.1, so that only this machine reaches it)'),
    new Option('--api-key <key>', 'a key that is valid; no other is then (repeatable)').argParser(collect),
    new Option(
      '--scenario <name|file>',
      'what every key begins with (default): default, empty, sold-out, edge-cases, or a JSON file',
    ),
    new Option('--records <number>', 'begin with this many generated records instead').argParser(
      wholeNumber(0, maxRecords),
    ),
    new Option('--seed <number>', 'makes generated data repeatable (1)').argParser(wholeNumber(0, 2 ** 32 - 1)),
    new Option('--spec <file>', 'serve another OpenAPI document, 3.0 or 3.1, YAML or JSON'),
    new Option('--cors [boolean]', 'answer pages of any origin (true)').argParser(yesOrNo),
    new Option('--no-cors', "leave cross-origin requests to the browser's refusal"),
    new Option('--max-body <bytes>', 'what a request body may have, e.g. 64k (1m)').argParser(byteCount),
    new Option('--log <format>', 'request log on stderr (pretty): pretty, json or none').choices([
      'pretty',
      'json',
      'none',
    ]),
    new Option('--at <time>', 'where the clock starts, e.g. 2030-12-04T23:59:00Z (now)'),
  ]
  for (const option of options) command.addOption(option)
  const variables = options.filter((option) => !option.negate).map(variableOf)
  const environment = `\nEach option can also come from the environment:\n  ${variables.join('\n  ')}\n`
  command.addHelpText('after', environment)
  // What happens without a command is what most people ask about.
  program.addHelpText('after', () => `\n${command.helpInformation()}${environment}`)
  command.action(async () => {
    const [unknown] = command.args
    if (unknown !== undefined) command.error(`error: there is no command or argument "${unknown}"`)
    applyEnvironment(command, { port: 'PORT' })
    await serve(command.opts())
  })
}

async function serve({ apiKey, maxBody, log: format = 'pretty', ...rest }: ServeOptions): Promise<void> {
  const log = createRequestLog({ format, stream: process.stderr })
  const options: ServerOptions = {
    ...rest,
    ...(apiKey ? { apiKeys: apiKey } : {}),
    ...(maxBody === undefined ? {} : { maxBodyBytes: maxBody }),
    onUnexpectedError: (error) => process.stderr.write(`${error instanceof Error ? error.stack : error}\n`),
    onProgress: showProgress,
    onSkip: (collection, why) => process.stderr.write(`No records were generated for "${collection}": ${why}\n`),
  }
  if (log) options.onExchange = log.add
  const server = await startServer(options)
  process.once('exit', () => log?.flush())
  closeOnSignal(server.close)
  // Last: who waits for it may send a signal at once.
  process.stdout.write(renderBanner(server))
}

/** Generating much takes seconds; on a terminal it shows that something happens. */
function showProgress(done: number, total: number): void {
  if (!process.stderr.isTTY) return
  process.stderr.write(done < total ? `\rgenerated ${done} of ${total} records` : '\r\u001b[K')
}
