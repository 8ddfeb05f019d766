/** Serves a document, and reloads it when one of its files changes. Keeps the state that still fits. */

import { SandboxError, withPlace } from '../contract/sandbox-error.js'
import { checkWatchable, createFileWatcher } from '../node/watch-files.js'
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
  listeners: Pick<ServeListeners, 'access' | 'memory' | 'onSent' | 'onSetAside' | 'isClosing' | 'overrides'>,
  onReload: (reload: Reload) => void,
): Promise<WatchedDocument> {
  const { spec, overlays = [], onUnexpectedError } = options
  const { overrides } = listeners
  checkWatchable([spec ?? [], overlays, overrides?.files ?? []].flat(), 'give the document as a file with "spec"')
  const watcher = createFileWatcher()
  for (const file of overrides?.files ?? []) watcher.add(file)
  const document = await serveReplaceable(options, { ...listeners, onRead: watcher.add })
  watcher.start(async (files) => {
    try {
      const ofCode = files.filter((file) => overrides?.files.includes(file))
      if (ofCode.length > 0) overrides?.load(watcher.add)
      const isOnlyCode = ofCode.length === files.length
      if (isOnlyCode) document.current.useOverrides()
      const carried = isOnlyCode ? { kept: 0, setAside: [] } : await document.replace()
      if (!carried) return
      const { contract, noteCount } = document.current
      onReload({ files, operations: contract.operations.length, noteCount, ...carried })
    } catch (error) {
      if (error instanceof SandboxError) {
        document.current.reportProblem(withPlace(error))
        onReload({ files, error })
      } else onUnexpectedError?.(error)
    }
  })
  return {
    get current() {
      return document.current
    },
    close() {
      document.close()
      void watcher.close()
    },
  }
}
