/** The options that all checks share: where reports go, and which findings fail the run. */
import { InvalidArgumentError, Option } from 'commander'
import type { Report } from '../../checks/report.js'
import { severities } from '../../checks/rule.js'
import { collect, flag, option } from './option-values.js'

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
