/** Prints messages of the program to stderr. They may quote documents, responses and arguments. */
import { toLines } from '../checks/reports/safe-text.js'
import type { SandboxError } from '../contract/sandbox-error.js'
import { name } from '../generated/package.js'

/** After the name of the program. No line of it is taken for a command by a build server. */
export function printMessage(text: string): void {
  process.stderr.write(`${toLines(`${name}: ${text}`)}\n`)
}

/** The message of an error, with the file, the place and the text there, if it has one. */
export function withPlace({ location, message }: SandboxError): string {
  if (!location) return message
  const { file, line, column, frame } = location
  return `${file}:${line}:${column}: ${message}\n\n${frame}`
}
