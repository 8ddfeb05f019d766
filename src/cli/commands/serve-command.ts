/** `serve`, the default command: runs the sandbox as an HTTP server until a signal ends it. */
import type { Command } from 'commander'
import { toLines } from '../../checks/reports/report-texts.js'
import { suggestName } from '../../contract/suggest-closest.js'
import { type ServerOptions, startServer } from '../../entries/node.js'
import { createRequestLog, type LogFormat, toLogOutput } from '../../node/request-log.js'
import { describeReload, renderBanner } from '../banner.js'
import { documentArgument, mayBeDocument, takeDocument } from '../options/document-options.js'
import {
  addOptions,
  applyEnvironment,
  describeEnvironment,
  flag,
  option,
  wholeNumber,
  yesOrNo,
} from '../options/option-values.js'
import {
  hostOptions,
  logOption,
  portOption,
  type SharedOptions,
  sharedOptions,
  toServerOptions,
} from '../options/server-options.js'
import { printMessage } from '../print-message.js'
import { keepRunning } from '../processes/keep-running.js'
import { closeOnSignal } from '../processes/signals.js'

/** Milliseconds to write the rest of the log at the end. */
const flushLimitMs = 1_000

interface ServeOptions
  extends SharedOptions,
    Pick<ServerOptions, 'host' | 'cors' | 'exact' | 'prismQuery' | 'watch' | 'maxWorlds' | 'controlToken'> {
  /** Further names that requests may be sent to. */
  allowHost?: string[]
  log?: LogFormat
}

/** Adds `serve` to the program, as its default command. */
export function addServeCommand(program: Command): void {
  const command = program
    .command('serve', { isDefault: true })
    .description('serve the sandbox until it is stopped (the default command)')
    .argument(...documentArgument)
    // A misspelled command becomes an argument of this default command, which refuses it below.
    .allowExcessArguments()
  const { data, limits, clock, webhooks } = sharedOptions()
  const options = [
    portOption('port to listen on, 0 for any free one (4010; also from PORT)'),
    ...hostOptions(),
    ...data,
    flag('--exact', 'accept paths, media types and bodies only as documented'),
    flag('--prism-query', 'read ?__code=, ?__example= and ?__dynamic= as Prism does'),
    flag('--watch [boolean]', 'read the document again when a file of it changes, and keep the data that fits'),
    option('--cors [boolean]', 'allow requests from pages of any origin (true)', yesOrNo),
    option('--no-cors', 'let browsers refuse cross-origin requests'),
    ...limits,
    option(
      '--max-worlds <number>',
      'the most worlds in memory, of one key each; without a store, further keys get 503 (100000)',
      wholeNumber(1, 10_000_000),
    ),
    option(
      '--control-token <token>',
      'the token that the control API requires; without one it is off if other machines can reach the server',
    ),
    ...webhooks,
    logOption(),
    clock,
  ]
  addOptions(command, options)
  const environment = describeEnvironment(options)
  command.addHelpText('after', environment)
  // The help of the program includes that of its default command.
  program.addHelpText('after', () => `\n${command.helpInformation()}${environment}`)
  command.action(async () => {
    const [document, ...others] = command.args
    const unknown = document !== undefined && mayBeDocument(document) ? others[0] : document
    if (unknown !== undefined) refuseCommand(command, unknown, namesOf(program))
    takeDocument(command, document)
    applyEnvironment(command, { port: 'PORT' })
    await serve(command.opts())
  })
}

/** Refuses an unknown command, which the help of the program would hide. */
export function checkCommand(program: Command, name: string): void {
  const names = [...namesOf(program), 'help']
  if (!name.startsWith('-') && !names.includes(name)) refuseCommand(program, name, names)
}

/** What other tools call their commands, and the command that does it here. The hint names it. */
const otherNames = new Map(
  Object.entries({
    ...{ dev: 'serve', mock: 'serve', start: 'serve', lint: 'explain', validate: 'explain' },
    ...{ record: 'proxy', test: 'check', compare: 'diff', generate: 'export' },
  }),
)

function refuseCommand(command: Command, unknown: string, names: readonly string[]): never {
  if (command.args.indexOf(unknown) > 0 && mayBeDocument(unknown)) {
    return command.error(`error: one sandbox serves one document: start another one for "${unknown}"`)
  }
  const close = suggestName(unknown, names) ?? otherNames.get(unknown)
  const hint = close === undefined ? '' : `\n(Did you mean ${close}?)`
  return command.error(`error: there is no command or argument "${unknown}"${hint}`)
}

function namesOf(program: Command): string[] {
  return program.commands.map((each) => each.name())
}

async function serve({ log: format = 'pretty', allowHost = [], ...rest }: ServeOptions): Promise<void> {
  const log = createRequestLog({ format, output: toLogOutput(process.stderr) })
  const options: ServerOptions = {
    ...toServerOptions(rest),
    allowHosts: allowHost,
    onReload: (reload) => printMessage(describeReload(reload)),
  }
  if (log) options.onExchange = log.add
  keepRunning(rest.overrides)
  const server = await startServer(options)
  closeOnSignal(async () => {
    await server.close()
    // If nobody reads stderr, the rest of the log is lost.
    await Promise.race([log?.flush(), new Promise((resolve) => setTimeout(resolve, flushLimitMs))])
  })
  // Last, as scripts that wait for the banner may send a signal at once.
  process.stdout.write(toLines(await renderBanner(server, { ...rest, store: String(rest.store ?? 'memory') })))
}
