/** What code of overrides does after its answer, without being waited for, does not end the program. */
import { dirname, resolve, sep } from 'node:path'
import { messageOf, placeIn } from '../../sandbox/overrides/override-places.js'
import { printMessage } from '../print-message.js'

/** @param files with overrides, whose folders have what they import */
export function keepRunning(files: readonly string[] = []): void {
  if (files.length === 0) return
  const folders = files.map((file) => dirname(resolve(file.replace(/^file:\/\//i, ''))) + sep)
  for (const event of ['uncaughtException', 'unhandledRejection'])
    process.on(event, (error: unknown) => {
      const isOurs = error instanceof Error && folders.some((folder) => String(error.stack).includes(folder))
      if (!isOurs) {
        process.stderr.write(`${error instanceof Error ? error.stack : messageOf(error)}\n`)
        process.exit(1)
      }
      const at = placeIn(error)
      printMessage(
        `Code of an override failed after its answer: ${messageOf(error)}${at === undefined ? '' : ` (${at})`}`,
      )
    })
}
