/** Makes options, parses their values, and reads them from environment variables. All parsers throw commander's `InvalidArgumentError`. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { name } from '../../generated/package.js'
import { aHostName, aTargetHost, isHostName, isTargetHost } from '../../node/host-name.js'

/** @param parse called with the text, and with the value of the option so far. @default the value is the text */
export function option<T>(flags: string, description: string, parse?: (text: string, before: T) => T): Option {
  const made = new Option(flags, description)
  return parse ? made.argParser(parse) : made
}

/** An option with an optional value, so that an environment variable can set it to true or false. */
export function flag(flags: string, description: string): Option {
  return option(flags, description, yesOrNo).preset('true')
}

export function addOptions(command: Command, options: readonly Option[]): Command {
  for (const each of options) command.addOption(each)
  return command
}

/** Refuses options of a command that are given twice, unless they are repeatable. */
export function refuseTwice(command: Command): void {
  for (const option of command.options) {
    if (isRepeatable(option)) continue
    let isGiven = false
    command.on(`option:${option.name()}`, () => {
      if (isGiven) command.error(`error: option '${option.flags}' is given twice; give it once`)
      isGiven = true
    })
  }
}

/** Whether each value of an option is added to those before. */
export function isRepeatable({ parseArg }: Option): boolean {
  return [collect, collectHosts, collectTargets].some((each) => each === parseArg)
}

function refuse(allowed: string, text: string): never {
  throw new InvalidArgumentError(`It must be ${allowed} (got "${text}").`)
}

/** A parser for whole numbers within bounds, both included. */
export function wholeNumber(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const number = /^-?\d+$/.test(text) ? Number(text) : Number.NaN
    if (number >= minimum && number <= maximum) return number
    return refuse(`a whole number from ${minimum} to ${maximum}`, text)
  }
}

/** A parser for the only status that unknown keys can get everywhere. */
export function only404(text: string): 404 {
  return text === '404' ? 404 : refuse('404', text)
}

const units: Record<string, number> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 }

/** A parser for numbers of bytes within bounds, both included, with `k`, `m` or `g` for powers of 1024: `1m`. */
export function byteCount(least: string, most: string): (text: string) => number {
  return (text) => {
    const bytes = toBytes(text)
    if (bytes >= toBytes(least) && bytes <= toBytes(most)) return bytes
    const bounds = least === '0' ? `at most ${most}` : `${least} to ${most}`
    return refuse(`a number of bytes such as 65536, 64k or 1m, ${bounds}`, text)
  }
}

function toBytes(text: string): number {
  const [, digits, unit = ''] = /^(\d+)\s*([kmg]?)(?:i?b)?$/i.exec(text) ?? []
  return Number(digits) * (units[unit.toLowerCase()] ?? Number.NaN)
}

const unitLengths: Record<string, number> = { ms: 1, s: 1000, m: 60_000 }

/** A parser for a time of 0 or more with a unit, in milliseconds: `0s`, `500ms`, `1.5s` or `2m`. */
export function milliseconds(text: string): number {
  const [, digits = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*(ms|s|m)$/i.exec(text) ?? []
  const length = unitLengths[unit.toLowerCase()]
  return length === undefined ? refuse('a time such as 0s, 500ms, 2s or 1m', text) : Number(digits) * length
}

/** A number from 0 to 100, decimals allowed. */
export function percentage(text: string): number {
  const number = toDecimal(text)
  return number <= 100 ? number : refuse('a number from 0 to 100', text)
}

/** A number above 0, decimals allowed. */
export function positiveNumber(text: string): number {
  const number = toDecimal(text)
  return number > 0 && Number.isFinite(number) ? number : refuse('a number above 0', text)
}

function toDecimal(text: string): number {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
}

/** True for true, yes, on and 1; false for false, no, off and 0. */
export function yesOrNo(text: string): boolean {
  if (/^(true|yes|on|1)$/i.test(text)) return true
  return /^(false|no|off|0)$/i.test(text) ? false : refuse('true or false', text)
}

/** Collects the names of a repeatable option. */
export function collectHosts(text: string, before: string[] | undefined): string[] {
  return isHostName(text) ? collect(text, before) : refuse(aHostName, text)
}

/** Collects the hosts of a repeatable option, each with an optional port. */
export function collectTargets(text: string, before: string[] | undefined): string[] {
  return isTargetHost(text) ? collect(text, before) : refuse(aTargetHost, text)
}

/** Collects the values of a repeatable option. */
export function collect(text: string, before: string[] | undefined): string[] {
  return [...(before ?? []), text]
}

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
 * Sets options that are not on the command line: `PETSTORE_SANDBOX_MAX_BODY` is `--max-body`. The values of a repeatable option are separated by commas.
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
