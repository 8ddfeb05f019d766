/** The options of all commands that judge the requests of a consumer. */
import { Option } from 'commander'
import { collect, flag, option, percentage, wholeNumber } from './option-values.js'

export interface ConsumerOptions {
  /** Further environment variables for the command, each `NAME=what`. */
  env?: string[]
  /** In percent. @default no minimum */
  minCoverage?: number
  /** In days. @default a deprecated operation is a warning */
  sunsetWithin?: number
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
