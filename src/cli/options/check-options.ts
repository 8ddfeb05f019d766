/** The options of commands that check something: of all of them, and of those that judge the requests of a consumer. */
import { InvalidArgumentError, Option } from 'commander'
import { severities } from '../../checks/finding.js'
import type { Report } from '../../checks/report.js'
import { collect, flag, option, percentage, wholeNumber } from './option-values.js'

export interface ConsumerOptions {
  /** Further environment variables for the command, each `NAME=what`. */
  env?: string[]
  /** In percent. @default no minimum */
  minCoverage?: number
  /** In days. @default a deprecated operation is a warning */
  sunsetWithin?: number
  /** File with what must be true at the end. Of `run` only. @default nothing */
  expect?: string
  /** How many guesses may decide answers. Of `run` only. @default any number */
  maxOpen?: number
  /** Whether a command that sends no request may pass. @default false */
  allowNoRequests?: boolean
  /** Whether the processes of the command tell where requests were made. @default true */
  trace?: boolean
}

/** Milliseconds of a day. */
export const dayMs: number = 24 * 60 * 60 * 1000

export function consumerOptions(): Option[] {
  return [
    option(
      '--env <NAME=what>',
      'another variable for the command: the address of a server by its name, api-key, or sandbox for the address without a path (repeatable)',
      collect,
    ),
    flag('--coverage', 'list the coverage by resource and operation, and what is not covered'),
    option('--min-coverage <percent>', 'fail if less of the contract is covered', percentage),
    option(
      '--sunset-within <days>',
      'calls of operations that end within these days are errors',
      wholeNumber(0, 36_500),
    ),
    flag('--allow-no-requests', 'do not fail if the command sends no request'),
    new Option('--no-trace', 'do not load anything into the command to find out which line made a request'),
  ]
}

export interface ReportOptions {
  /** Each `format` or `format=file`. @default ['text'] */
  report?: string[]
  /** Findings of this severity or worse fail the run. @default 'error' */
  failOn?: Report['failOn']
  /** Ids of rules whose findings are left out. */
  ignore?: string[]
  /** File with known findings, which do not fail the run. */
  baseline?: string
  /** Writes the findings of this run to the baseline. @default false */
  updateBaseline?: boolean
  /** Lists the coverage in the text. Of `run` only. @default false */
  coverage?: boolean
  /** Lists all guesses in the text. Of `run` only. @default false */
  guesses?: boolean
}

export function reportOptions(): Option[] {
  const formats = 'text, json, junit, sarif, github, gitlab or markdown, to a file or to stdout (text; repeatable)'
  const failOn = new Option('--fail-on <severity>', 'findings of this severity or worse fail the run (error)')
  return [
    option('--report <format[=file]>', formats, collect),
    failOn.choices([...severities, 'never']),
    // Other tools have this name, and the closest one here would be `--port`.
    option('--format <format>', '', (format) => {
      throw new InvalidArgumentError(`Write --report ${format}.`)
    }).hideHelp(),
    option('--ignore <rule>', 'leave out the findings of this rule (repeatable)', collect),
    option('--baseline <file>', 'findings that are listed in this file do not fail the run'),
    flag('--update-baseline', 'write the findings of this run to the baseline'),
  ]
}
