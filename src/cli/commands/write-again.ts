/** Writes files again when a file that they are made from changes. */
import { SandboxError, withPlace } from '../../contract/sandbox-error.js'
import { checkWatchable, watchFiles } from '../../node/watch-files.js'
import { printMessage } from '../print-message.js'
import { closeOnSignal } from '../processes/signals.js'

/** What is watched in addition to what is read. */
interface Sources {
  spec: string
  overlay?: string[]
  scenario?: string
}

/**
 * Writes once, and again after each change, until a signal ends the program. A failure then is printed, and the files stay as they
 * were.
 * @param write calls its argument before it reads a file
 * @throws SandboxError of the first time, and `INVALID_OPTION` if there is no file to watch
 */
export async function writeAgain(
  { spec, overlay = [], scenario }: Sources,
  write: (onRead: (location: string) => void) => Promise<void>,
): Promise<void> {
  const locations = [spec, ...overlay]
  checkWatchable(locations, 'give the document as a file')
  let isBusy = true
  let isChanged = false
  const watcher = watchFiles((files) => void again(files))
  if (scenario !== undefined) watcher.add(scenario)
  await write(watcher.add)
  // The watcher does not keep the program running.
  const running = setInterval(() => {}, 2 ** 30)
  closeOnSignal(async () => {
    watcher.close()
    clearInterval(running)
    while (isBusy) await new Promise((resolve) => setTimeout(resolve, 10))
  })
  isBusy = false
  if (isChanged) await again([])

  async function again(files: readonly string[]): Promise<void> {
    isChanged = true
    if (isBusy) return
    isBusy = true
    while (isChanged) {
      isChanged = false
      try {
        await write(watcher.add)
      } catch (error) {
        const why = error instanceof SandboxError ? withPlace(error) : String(error)
        printMessage(`${files.join(', ')} changed, and nothing is written: ${why}`)
      }
    }
    isBusy = false
  }
}
