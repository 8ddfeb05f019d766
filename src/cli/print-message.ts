/** Prints messages of the program to stderr. They may quote documents, responses and arguments. */
import { toLines } from '../checks/reports/safe-text.js'
import { name } from '../generated/package.js'

/** After the name of the program. No line of it is taken for a command by a build server. */
export function printMessage(text: string): void {
  process.stderr.write(`${toLines(`${name}: ${text}`)}\n`)
}

/** Keeps a full disk or a closed pipe behind stdout or stderr from ending the program. */

interface OutputWatch {
  /** Why stdout could not be written, if that is so; a pipe that the reader closed, such as `head`, is no failure. */
  failure(): Promise<Error | undefined>
}

export function watchOutput(): OutputWatch {
  let failure: Error | undefined
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') failure ??= error
  })
  // Where messages go that nobody can read any more.
  process.stderr.on('error', () => {})
  return {
    async failure() {
      // A stream reports its failure in a later turn than that of the write.
      await new Promise((resolve) => setImmediate(resolve))
      return failure
    },
  }
}
