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
    if (files.every((file) => overrides?.files.includes(file))) return useSaved(files)
    try {
      if (files.some((file) => overrides?.files.includes(file))) overrides?.load(() => {}, watcher.add)
      report(files, await document.replace())
    } catch (error) {
      fail(files, error)
    }
  })
  return {
    get current() {
      // What was saved is used from the next request on, and not only when it is noticed.
      const saved = overrides?.files.filter(watcher.hasChanged) ?? []
      if (saved.length > 0) useSaved(saved)
      return document.current
    },
    close() {
      document.close()
      void watcher.close()
    },
  }

  /** Uses code that was saved. */
  function useSaved(files: readonly string[]): void {
    try {
      overrides?.load(document.current.useOverrides, watcher.add)
      report(files, { kept: 0, setAside: [] })
    } catch (error) {
      // A file that was not read, because another one has an error, is not new any more, either.
      for (const file of files) watcher.add(file)
      fail(files, error)
    }
  }

  function report(files: readonly string[], carried: CarriedOver | undefined): void {
    const { contract, noteCount } = document.current
    if (carried) onReload({ files, operations: contract.operations.length, noteCount, ...carried })
  }

  function fail(files: readonly string[], error: unknown): void {
    if (error instanceof SandboxError) {
      document.current.reportProblem(withPlace(error))
      onReload({ files, error })
    } else onUnexpectedError?.(error)
  }
}
