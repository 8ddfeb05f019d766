/** Parses `--report`: which formats are written to which files, and which one to stdout. */
import { resolve } from 'node:path'
import { type ReportFormat, reportFormats } from '../checks/reports/report-formats.js'
import { SandboxError, unknownName } from '../contract/sandbox-error.js'

/** Where each report is written. */
export interface ReportTargets {
  stdout: ReportFormat
  files: { format: ReportFormat; file: string }[]
}

/**
 * Text goes to stdout if no other format does.
 * @param values each `format` or `format=file`
 * @throws SandboxError `INVALID_OPTION`
 */
export function parseTargets(values: readonly string[]): ReportTargets {
  const targets = values.map(parseTarget)
  const files = targets.flatMap(({ format, file }) => (file === undefined ? [] : [{ format, file }]))
  const [first = 'text', second] = targets.flatMap(({ format, file }) => (file === undefined ? [format] : []))
  if (second !== undefined) {
    throw new SandboxError(
      'INVALID_OPTION',
      `--report ${first} and --report ${second} would both be written to stdout; write one of them to a file: ` +
        `--report ${second}=<file>`,
    )
  }
  checkDistinct(files.map(({ file }) => file))
  return { stdout: first, files }
}

/** @throws SandboxError `INVALID_OPTION` if a file occurs twice */
export function checkDistinct(files: readonly string[]): void {
  const paths = files.map((file) => resolve(file))
  const twice = files.find((_, index) => paths.indexOf(paths[index] ?? '') !== index)
  if (twice !== undefined) throw new SandboxError('INVALID_OPTION', `"${twice}" would be written twice; name two files`)
}

function parseTarget(value: string): { format: ReportFormat; file?: string } {
  const [name = ''] = value.split('=', 1)
  if (!isFormat(name)) throw unknownName('report format', name, Object.keys(reportFormats))
  if (name === value) return { format: name }
  const file = value.slice(name.length + 1)
  if (file !== '') return { format: name, file }
  throw new SandboxError('INVALID_OPTION', `--report ${value} names no file; leave the "=" out for stdout`)
}

function isFormat(name: string): name is ReportFormat {
  return Object.hasOwn(reportFormats, name)
}
