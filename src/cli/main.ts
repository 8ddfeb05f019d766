/** The command line: the only place that prints and exits. */
import { Command, CommanderError } from 'commander'
import { SandboxError } from '../contract/sandbox-error.js'
import { description, name, version } from '../generated/package.js'
import { addCheckCommand } from './check-command.js'
import { addExportCommand } from './export-command.js'
import { addRulesCommand } from './rules-command.js'
import { addRunCommand, splitAtCommand } from './run-command.js'
import { addServeCommand } from './serve-command.js'
import { watchOutput } from './watch-output.js'

/** Exit codes: 0 all is well, 1 findings, 2 wrong use or something that cannot be read. */
const wrongUse = 2

export async function main(args: readonly string[] = process.argv.slice(2)): Promise<void> {
  const output = watchOutput()
  const program = new Command(name)
    .description(description)
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .showHelpAfterError('(--help shows what there is)')
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
  const failure = await output.failure()
  if (!failure) return
  process.stderr.write(`${name}: Failed to write to stdout: ${failure.message}\n`)
  process.exitCode = wrongUse
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : wrongUse
  if (error instanceof SandboxError) {
    const { location, message } = error
    const place = location ? `${location.file}:${location.line}:${location.column}: ` : ''
    process.stderr.write(`${name}: ${place}${message}\n${location ? `\n${location.frame}\n` : ''}`)
    return wrongUse
  }
  process.stderr.write(`${name}: an unexpected failure: ${error instanceof Error ? error.message : error}\n`)
  if (process.env['DEBUG']) console.error(error)
  return wrongUse
}
