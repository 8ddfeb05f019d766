/** Prints messages of the program to stderr. They may quote documents, responses and arguments. */
import { toLines } from '../checks/reports/safe-text.js'
import { name } from '../generated/package.js'

/** After the name of the program. No line of it is taken for a command by a build server. */
export function printMessage(text: string): void {
  process.stderr.write(`${toLines(`${name}: ${text}`)}\n`)
}
