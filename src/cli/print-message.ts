/** Prints messages of the program to stderr. They may quote documents, responses and arguments. */
import { toLines } from '../checks/reports/report-texts.js'
import { name } from '../generated/package.js'

/** Prints a message after the name of the program. Build servers do not execute any of its lines. */
export function printMessage(text: string): void {
  process.stderr.write(`${toLines(`${name}: ${text}`)}\n`)
}

/** Prevents a full disk or a closed pipe at stdout or stderr from ending the program. */

interface OutputWatch {
  /** The error of writing to stdout, if any. A pipe that the reader closed, such as `head`, is not an error. */
  failure(): Promise<Error | undefined>
}

export function watchOutput(): OutputWatch {
  let failure: Error | undefined
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') failure ??= error
  })
  // Ignores errors, because nobody can read these messages any more.
  process.stderr.on('error', () => {})
  return {
    async failure() {
      // A stream reports its failure in a later turn than that of the write.
      await new Promise((resolve) => setImmediate(resolve))
      return failure
    },
  }
}
