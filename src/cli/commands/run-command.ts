/** `run`: runs the consumer's test command against a sandbox and checks its requests. */
import type { Command } from 'commander'
import { SandboxError } from '../../contract/sandbox-error.js'
import { consumerOptions, reportOptions } from '../options/check-options.js'
import { documentArgument, mayBeDocument, takeDocument } from '../options/document-options.js'
import { addOptions, applyEnvironment, describeEnvironment, flag, option } from '../options/option-values.js'
import { portOption, sharedOptions } from '../options/server-options.js'
import { describeVariables } from '../processes/consumer-environment.js'

/** Separates this program's arguments from the consumer's command, which commander would parse as well. */
export function splitAtCommand(args: readonly string[]): {
  own: readonly string[]
  consumer: readonly string[] | undefined
} {
  const end = args[0] === 'run' || args[0] === 'proxy' ? args.indexOf('--') : -1
  return end === -1 ? { own: args, consumer: undefined } : { own: args.slice(0, end), consumer: args.slice(end + 1) }
}

/**
 * Adds `run` to the program.
 * @param consumer the words after `--`; undefined without `--`
 */
export function addRunCommand(program: Command, consumer: readonly string[] | undefined): void {
  const command = program
    .command('run')
    .argument(...documentArgument)
    .usage('[options] [file|url] -- <command...>')
    .description("run your tests against a sandbox and check your code's requests")
    .allowExcessArguments()
  const { data, limits, clock, webhooks } = sharedOptions()
  addOptions(command, [
    portOption('port to listen on (any free one)'),
    ...consumerOptions(),
    option('--har <file>', 'judge a recording (HAR) instead of a command'),
    option(
      '--against <file|url>',
      'run the command again with the next version of the document, and report what fails then',
    ),
    option('--results <file>', 'JUnit XML that the command writes, so that --against names the tests that fail'),
    option('--lock <file>', 'what your code uses of the service; new uses are warnings'),
    flag('--update-lock', 'write what this run used to the lock'),
    ...data,
    ...limits,
    clock,
    ...webhooks,
    ...reportOptions(),
  ])
  command.addHelpText('after', describeVariables() + describeEnvironment(command.options))
  command.action(async () => {
    const [before = ''] = command.args
    const isRecording = command.opts<{ har?: string }>().har !== undefined
    const document = (consumer || isRecording) && mayBeDocument(before) ? before : undefined
    const rest = command.args.slice(document === undefined ? 0 : 1)
    const [first, ...others] = isRecording ? checkNoCommand(rest) : toWords(rest)
    takeDocument(command, document)
    applyEnvironment(command)
    const { runConsumer } = await import('./run-consumer.js')
    process.exitCode = await runConsumer(first, others, command.opts())
  })

  function checkNoCommand(before: readonly string[]): [] {
    const [wrong] = [...before, ...(consumer ?? [])]
    if (wrong === undefined) return []
    throw new SandboxError(
      'INVALID_OPTION',
      `run --har judges a recording, and takes no command (got "${wrong}"). Leave it out`,
    )
  }

  function toWords(before: readonly string[]): [string, ...string[]] {
    const [first, ...others] = consumer ?? []
    if (first === '') throw new SandboxError('INVALID_OPTION', 'The command after "--" must have a name (got "")')
    if (first !== undefined && before.length === 0) return [first, ...others]
    const [wrong] = before
    const document = wrong !== undefined && mayBeDocument(wrong) ? `${wrong} ` : ''
    const words = document === '' ? before : before.slice(1)
    const example = consumer ?? words
    throw new SandboxError(
      'INVALID_OPTION',
      consumer && wrong !== undefined
        ? `run takes only a document before "--" (got "${wrong}")`
        : `run needs a command after "--": ${program.name()} run ${document}-- ${example.length > 0 ? example.join(' ') : 'npm test'}`,
    )
  }
}
