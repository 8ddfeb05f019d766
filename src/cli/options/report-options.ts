/** The options that all checks share: where reports go, and which findings fail the run. */
import { type Command, Option } from 'commander'
import type { Report } from '../../checks/report.js'
import { severities } from '../../checks/rule.js'
import { collect, yesOrNo } from './option-values.js'

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
}

/** Adds `--report`, `--fail-on`, `--baseline` and `--update-baseline` to a command. */
export function addReportOptions(command: Command): Command {
  const options = [
    new Option(
      '--report <format[=file]>',
      'text, json, junit, sarif, github or markdown, to a file or to stdout (text; repeatable)',
    ).argParser(collect),
    new Option('--fail-on <severity>', 'findings of this severity or worse fail the run (error)').choices([
      ...severities,
      'never',
    ]),
    new Option('--ignore <rule>', 'leave out the findings of this rule (repeatable)').argParser(collect),
    new Option('--baseline <file>', 'findings that are listed in this file do not fail the run'),
    new Option('--update-baseline', 'write the findings of this run to the baseline')
      // A text, so that an environment variable can set it to true or false.
      .preset('true')
      .argParser(yesOrNo),
  ]
  for (const option of options) command.addOption(option)
  return command
}
