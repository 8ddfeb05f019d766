/** `check`: compares a running service with the document. */
import type { Command } from 'commander'
import { documentArgument, documentOptions, takeBaseUrl } from '../options/document-options.js'
import { addOptions, option, positiveNumber, wholeNumber, yesOrNo } from '../options/option-values.js'
import { applyEnvironment, describeEnvironment } from '../options/options-from-environment.js'
import { reportOptions } from '../options/report-options.js'
import { variables } from '../processes/consumer-environment.js'

/** Requests per second to a provider on another machine, unless --rate says otherwise. */
const remoteRate = 20

/** Adds `check` to the program. */
export function addCheckCommand(program: Command): void {
  const command = program
    .command('check')
    .argument('<base-url>', 'address of the service with its base path, e.g. https://staging.example.com/v1')
    .argument(...documentArgument)
    .description('check a real server against the document')
  addOptions(command, [
    option('--api-key <key>', `a key that is valid for the service (also from ${variables.key}); it is never printed`),
    ...documentOptions('check it against another document: Swagger 2.0 or OpenAPI 3.x, YAML or JSON'),
    option('--server <name>', 'the server in the document that the address belongs to (found by its path)'),
    option('--write [boolean]', 'also create and change records (only on addresses of this machine)', yesOrNo),
    option('--rate <number>', `maximum requests per second (${remoteRate}; no limit on this machine)`, positiveNumber),
    option('--timeout <seconds>', 'time limit for one request (10)', positiveNumber),
    option('--seed <number>', 'makes generated requests repeatable (1)', wholeNumber(0, 2 ** 31 - 1)),
    ...reportOptions(),
  ])
  command.addHelpText('after', describeEnvironment(command.options))
  command.action(async () => {
    const baseUrl = takeBaseUrl(command)
    applyEnvironment(command, { 'api-key': variables.key })
    const { checkService } = await import('./check-service.js')
    process.exitCode = await checkService(baseUrl, { ...command.opts(), remoteRate })
  })
}
