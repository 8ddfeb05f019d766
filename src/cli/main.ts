/** The command line: the only place that prints and exits. */
import { Command, CommanderError } from 'commander'
import { SandboxError } from '../contract/sandbox-error.js'
import { description, name, version } from '../generated/package.js'
import { addCheckCommand } from './check-command.js'
import { addExportCommand } from './export-command.js'
import { addRulesCommand } from './rules-command.js'
import { addRunCommand, splitAtCommand } from './run-command.js'
import { addServeCommand } from './serve-command.js'

/** Exit codes: 0 passed, 1 findings, 2 wrong use or an unreadable document. */
const wrongUse = 2

/** Runs one command and sets the exit code. */
export async function main(args: readonly string[] = process.argv.slice(2)): Promise<void> {
  // A reader such as `head` may close the pipe early; that is not an error.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe)
  const program = new Command(name)
    .description(description)
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .showHelpAfterError('(--help lists commands and options)')
    .exitOverride()
  const { own, consumer } = splitAtCommand(args)
  addServeCommand(program)
  addRunCommand(program, consumer)
  addCheckCommand(program)
  addRulesCommand(program)
  addExportCommand(program)
  try {
    await program.parseAsync(own, { from: 'user' })
  } catch (error) {
    process.exitCode = report(error)
  }
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : wrongUse
  if (error instanceof SandboxError) {
    const { location, message } = error
    const place = location ? `${location.file}:${location.line}:${location.column}: ` : ''
    process.stderr.write(`${name}: ${place}${message}\n${location ? `\n${location.frame}\n` : ''}`)
    return wrongUse
  }
  process.stderr.write(`${name}: unexpected error: ${error instanceof Error ? error.message : error}\n`)
  if (process.env['DEBUG']) console.error(error)
  return wrongUse
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}
