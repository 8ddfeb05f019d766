/** Serves a document, and reloads it when one of its files changes. Keeps the state that still fits. */

import { SandboxError, withPlace } from '../contract/sandbox-error.js'
import { checkWatchable, type FileWatcher, watchFiles } from '../node/watch-files.js'
import type { CarriedOver } from './carry-over.js'
import { serveReplaceable } from './replace-document.js'
import type { ServedDocument, ServedOptions, ServeListeners } from './serve-document.js'

/** The result of reloading a document. */
export type Reload =
  | ({
      /** The files that changed. */
      files: readonly string[]
      /** The number of operations that are served now. */
      operations: number
      /** The number of parts of the document that are left out or approximated. */
      noteCount: number
    } & CarriedOver)
  /** The document can't be served, so the previous one is still served. */
  | { files: readonly string[]; error: SandboxError }

export interface WatchedDocument {
  /** The document as last read. */
  readonly current: ServedDocument
  close(): void
}

/** @throws SandboxError like `serveDocument`, and `INVALID_OPTION` if there is no file to watch */
export async function watchDocument(
  options: ServedOptions,
  listeners: Pick<ServeListeners, 'access' | 'memory' | 'onSent' | 'onSetAside' | 'isClosing'>,
  onReload: (reload: Reload) => void,
): Promise<WatchedDocument> {
  const { spec, overlays = [], onUnexpectedError } = options
  const locations = [spec ?? [], overlays].flat()
  checkWatchable(locations, 'give the document as a file with "spec"')
  // A file may change while the document is read for the first time.
  let isBusy = true
  let waiting: readonly string[] = []
  let watcher: FileWatcher | undefined = watchFiles(reload)
  const onRead = (location: string) => watcher?.add(location)
  const document = await serveReplaceable(options, { ...listeners, onRead }).catch((error: unknown) => {
    watcher?.close()
    throw error
  })
  isBusy = false
  void reload([])

  async function reload(files: readonly string[]): Promise<void> {
    waiting = [...new Set([...waiting, ...files])]
    if (isBusy) return
    isBusy = true
    while (waiting.length > 0 && watcher) {
      const changed = waiting
      waiting = []
      try {
        const carried = await document.replace()
        if (!carried) return
        const { contract, noteCount } = document.current
        onReload({ files: changed, operations: contract.operations.length, noteCount, ...carried })
      } catch (error) {
        if (error instanceof SandboxError) {
          document.current.reportProblem(withPlace(error))
          onReload({ files: changed, error })
        } else onUnexpectedError?.(error)
      }
    }
    isBusy = false
  }

  return {
    get current() {
      return document.current
    },
    close() {
      document.close()
      watcher?.close()
      watcher = undefined
    },
  }
}
