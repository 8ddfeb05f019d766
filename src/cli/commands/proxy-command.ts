/** `proxy`: forwards requests to a real service, and checks both the requests and the answers. */
import type { Command } from 'commander'
import { consumerOptions } from '../options/consumer-options.js'
import { documentArgument, documentOptions, takeBaseUrl } from '../options/document-options.js'
import { addOptions, option, positiveNumber } from '../options/option-values.js'
import { applyEnvironment, describeEnvironment } from '../options/options-from-environment.js'
import { reportOptions } from '../options/report-options.js'
import { hostOptions, logOption, maxBodyOption, maxMemoryOption, portOption } from '../options/server-options.js'
import { describeVariables, variables } from '../processes/consumer-environment.js'

/**
 * Adds `proxy` to the program.
 * @param consumer the words after `--`; undefined without `--`
 */
export function addProxyCommand(program: Command, consumer: readonly string[] | undefined): void {
  const command = program
    .command('proxy')
    .argument('<base-url>', 'address of the service with its base path, e.g. https://staging.example.com/v1')
    .argument(...documentArgument)
    .usage('[options] <base-url> [file|url] [-- <command...>]')
    .description('forward requests to a real server, and check them and the answers')
  addOptions(command, [
    portOption('port to listen on (4010; any free one for a command)'),
    ...hostOptions(),
    option('--api-key <key>', `a key for the command (also from ${variables.key}); it is never printed`),
    option('--server <name>', 'the server in the document that the address belongs to (found by its path)'),
    option('--timeout <seconds>', 'time that an answer may take to begin (60)', positiveNumber),
    option('--har <file>', 'record the traffic (HAR), without credentials'),
    ...consumerOptions(),
    ...documentOptions('compare with another document: Swagger 2.0 or OpenAPI 3.x, YAML or JSON'),
    maxBodyOption('size of a body that is judged; longer ones are only forwarded'),
    maxMemoryOption('bodies that are judged, and requests that wait'),
    logOption(),
    ...reportOptions(),
  ])
  command.addHelpText('after', describeVariables() + describeEnvironment(command.options))
  command.action(async () => {
    const baseUrl = takeBaseUrl(command)
    applyEnvironment(command, { 'api-key': variables.key })
    const { proxyTraffic } = await import('./proxy-traffic.js')
    process.exitCode = await proxyTraffic(baseUrl, consumer, command.opts())
  })
}
