/** Reads options from environment variables: `PETSTORE_SANDBOX_MAX_BODY` is `--max-body`. */
import type { Command, Option } from 'commander'
import { name } from '../../generated/package.js'
import { isRepeatable } from './option-values.js'

const prefix = name.toUpperCase().replaceAll('-', '_')

function variableOf(option: Option): string {
  return `${prefix}_${option.name().toUpperCase().replaceAll('-', '_')}`
}

/** Lists the variables of a command's options, for its help text. */
export function describeEnvironment(options: readonly Option[]): string {
  const variables = options.filter(({ negate, hidden }) => !negate && !hidden).map(variableOf)
  return `\nEach option can also be set by an environment variable:\n  ${variables.join('\n  ')}\n`
}

/**
 * Sets options that are not on the command line. The values of a repeatable option are separated by commas.
 * @param also further variables by name of the option, read if its own variable is not set
 */
export function applyEnvironment(command: Command, also: Record<string, string> = {}): void {
  for (const option of command.options) {
    const key = option.attributeName()
    if (option.negate || option.hidden || command.getOptionValueSource(key) === 'cli') continue
    const variable = [variableOf(option), also[option.name()]].find((each) => each && process.env[each])
    const text = variable === undefined ? undefined : process.env[variable]
    if (variable === undefined || text === undefined) continue
    let parsed: unknown
    try {
      for (const value of isRepeatable(option) ? text.split(',') : [text])
        parsed = option.parseArg ? option.parseArg(value, parsed) : value
    } catch (error) {
      command.error(`error: environment variable ${variable} is invalid: ${(error as Error).message}`)
    }
    command.setOptionValueWithSource(key, parsed, 'env')
  }
}
