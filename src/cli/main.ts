/** The command line: the only place that prints and exits. */
import { Command, CommanderError } from 'commander'
import { toLines } from '../checks/reports/report-texts.js'
import { SandboxError, withPlace } from '../contract/sandbox-error.js'
import { description, name, version } from '../generated/package.js'
import {
  addCheckCommand,
  addDiffCommand,
  addProxyCommand,
  addRulesCommand,
  addRunCommand,
  splitAtCommand,
} from './commands/check-commands.js'
import { addExplainCommand, addExportCommand, addLearnCommand } from './commands/document-commands.js'
import { addServeCommand, checkCommand } from './commands/serve-command.js'
import { refuseTwice } from './options/option-values.js'
import { printMessage, watchOutput } from './print-message.js'

/** Exit codes: 0 passed, 1 findings, 2 wrong use or an unreadable document. */
const wrongUse = 2

/** Runs one command and sets the exit code. */
export async function main(args: readonly string[] = process.argv.slice(2)): Promise<void> {
  const output = watchOutput()
  const program = new Command(name)
    .description(description)
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .configureHelp({ minWidthToWrap: 30 })
    .showHelpAfterError('(--help lists commands and options)')
    .exitOverride()
    // Commands inherit it.
    .configureOutput({ writeErr: (text) => process.stderr.write(toLines(text)) })
  const { own, consumer } = splitAtCommand(args)
  addServeCommand(program)
  addRunCommand(program, consumer)
  addCheckCommand(program)
  addProxyCommand(program, consumer)
  addDiffCommand(program)
  addRulesCommand(program)
  addExplainCommand(program)
  addExportCommand(program)
  addLearnCommand(program)
  for (const command of program.commands) refuseTwice(command)
  try {
    checkHelp(program, own)
    await program.parseAsync(own, { from: 'user' })
  } catch (error) {
    process.exitCode = report(error)
  }
  const failure = await output.failure()
  if (!failure) return
  printMessage(`Failed to write to stdout: ${failure.message}`)
  process.exitCode = wrongUse
}

/** Refuses `help` for an unknown command, which would print the general help. */
function checkHelp(program: Command, [first, subject]: readonly string[]): void {
  if (first === 'help' && subject !== undefined) checkCommand(program, subject)
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : wrongUse
  if (error instanceof SandboxError) {
    printMessage(withPlace(error))
    return wrongUse
  }
  printMessage(`unexpected error: ${error instanceof Error ? error.message : error}`)
  printMessage('This is a mistake of the program: report it, with what it prints if DEBUG=1 is set')
  if (process.env['DEBUG']) console.error(error)
  return wrongUse
}
