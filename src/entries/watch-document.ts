/** Serves a document, and reloads it when one of its files changes. Keeps the state that still fits. */

import { SandboxError, withPlace } from '../contract/sandbox-error.js'
import { createKept, type Snapshot } from '../control/kept.js'
import { checkWatchable, type FileWatcher, watchFiles } from '../node/watch-files.js'
import type { PendingWebhook } from '../sandbox/webhooks/schedule.js'
import { createWorlds, type WorldsOptions } from '../sandbox/worlds.js'
import { createFaults } from '../state/faults.js'
import { problemOfRecord } from '../state/scenario.js'
import { type CarryOptions, carryCapture, carryWorld, type SetAside } from '../state/snapshots/carry-world.js'
import type { StoredWorld, WorldFactory } from '../state/stored-world.js'
import {
  type ServedDocument,
  type ServedOptions,
  type ServeListeners,
  type SetAsideRecord,
  serveDocument,
  toRecords,
} from './serve-document.js'

/** The result of reloading a document. */
export type Reload =
  | {
      /** The files that changed. */
      files: readonly string[]
      /** The number of operations that are served now. */
      operations: number
      /** The number of parts of the document that are left out or approximated. */
      noteCount: number
      /** The number of changes of callers that were kept, in all worlds. */
      kept: number
      /** The changes that do not fit. They are tried again each time. */
      setAside: readonly SetAsideRecord[]
    }
  /** The document can't be served, so the previous one is still served. */
  | { files: readonly string[]; error: SandboxError }

export interface WatchedDocument {
  /** The document as last read. */
  readonly current: ServedDocument
  close(): void
}

/** The worlds of a document, and their factory. */
interface OpenWorlds {
  byKey: Map<string, StoredWorld>
  factory?: WorldFactory
}

/** @throws SandboxError like `serveDocument`, and `INVALID_OPTION` if there is no file to watch */
export async function watchDocument(
  options: ServedOptions,
  webhooks: Pick<ServeListeners, 'access' | 'memory' | 'onSent' | 'onSetAside' | 'isClosing'>,
  onReload: (reload: Reload) => void,
): Promise<WatchedDocument> {
  const { spec, overlays = [], onUnexpectedError } = options
  const locations = [spec ?? [], overlays].flat()
  checkWatchable(locations, 'give the document as a file with "spec"')
  // A file may change while the document is read for the first time.
  let isBusy = true
  let waiting: readonly string[] = []
  let watcher: FileWatcher | undefined = watchFiles(reload)
  const kept = createKept(webhooks.memory)
  const faults = createFaults(webhooks.memory)
  let worlds: OpenWorlds = { byKey: new Map() }
  let unsent: PendingWebhook[] = []
  let asideByWorld = new Map<string, SetAside[]>()
  let asideBySnapshot = new Map<Snapshot, SetAside[]>()
  let current = await open(worlds).catch((error: unknown) => {
    watcher?.close()
    throw error
  })
  isBusy = false
  void reload([])

  function open(into: OpenWorlds): Promise<ServedDocument> {
    return serveDocument(options, {
      ...webhooks,
      kept,
      faults,
      onRead: (location) => watcher?.add(location),
      // A store carries worlds over when they are opened.
      ...(!options.store && {
        withParts: (parts) => ({ ...parts, createWorlds: (all) => createListedWorlds(all, into) }),
      }),
    })
  }

  async function reload(files: readonly string[]): Promise<void> {
    waiting = [...new Set([...waiting, ...files])]
    if (isBusy) return
    isBusy = true
    while (waiting.length > 0 && watcher) {
      const changed = waiting
      waiting = []
      const opened: OpenWorlds = { byKey: new Map() }
      try {
        const next = await open(opened)
        if (!watcher) return
        onReload({ files: changed, ...carryOver(next, opened) })
      } catch (error) {
        if (error instanceof SandboxError) {
          current.reportProblem(withPlace(error))
          onReload({ files: changed, error })
        } else onUnexpectedError?.(error)
      }
    }
    isBusy = false
  }

  /** Synchronous, so that no request is answered in between. */
  function carryOver(next: ServedDocument, opened: OpenWorlds): Omit<Extract<Reload, { kept: number }>, 'files'> {
    const { contract, engine } = next
    const problemOf = (collection: string, values: Readonly<Record<string, unknown>>) =>
      problemOfRecord(contract, collection, values)
    const carrying = { contract, problemOf }
    let count = 0
    const aside = new Map<string, SetAside[]>()
    if (!options.store) engine.clock.setOffset(current.engine.clock.offset, current.engine.clock.frozenAt)
    for (const [key, world] of worlds.byKey) {
      const to = engine.worlds.open(key) as StoredWorld
      const carried = carryWorld(world, to, asideByWorld.get(key) ?? [], carrying)
      count += carried.kept
      if (carried.aside.length > 0) aside.set(key, carried.aside)
    }
    carrySnapshots(opened, carrying)
    const operations = new Set<string | undefined>(contract.operations.map(({ id }) => id)).add(undefined)
    for (const { id, operation } of options.store ? [] : faults.list())
      if (!operations.has(operation)) void next.sandbox.faults.remove(id)
    unsent = [...unsent, ...(current.engine.interceptors.deliveries?.close() ?? [])]
    // A document without callbacks keeps pending requests for the next document.
    if (engine.interceptors.deliveries) engine.interceptors.deliveries.add(unsent.splice(0))
    worlds = opened
    asideByWorld = aside
    void current.end()
    current = next
    const setAside = [...aside].flatMap(([world, all]) => toRecords(world, all))
    return { operations: contract.operations.length, noteCount: next.noteCount, kept: count, setAside }
  }

  /** Carries snapshots over. Changes that do not fit are restored once they fit again, as in worlds. */
  function carrySnapshots(opened: OpenWorlds, options: CarryOptions): void {
    const aside = new Map<Snapshot, SetAside[]>()
    const { factory: from } = worlds
    const { factory: to } = opened
    if (!from || !to) return
    for (const [name, snapshot] of kept.snapshots) {
      const carried = carryCapture(snapshot.capture, { from, to }, asideBySnapshot.get(snapshot) ?? [], options)
      const next = { ...snapshot, capture: carried.capture }
      kept.setSnapshot(name, next)
      aside.set(next, carried.aside)
    }
    asideBySnapshot = aside
  }

  return {
    get current() {
      return current
    },
    close() {
      watcher?.close()
      watcher = undefined
    },
  }
}

function createListedWorlds(options: WorldsOptions, into: OpenWorlds): ReturnType<typeof createWorlds> {
  const { factory } = options
  const { byKey } = into
  into.factory = factory
  const worlds = createWorlds({
    ...options,
    factory: {
      create(key, log) {
        const world = factory.create(key, log)
        byKey.set(key, world)
        return world
      },
    },
  })
  return {
    ...worlds,
    remove(key) {
      byKey.delete(key)
      return worlds.remove(key)
    },
    clear() {
      byKey.clear()
      return worlds.clear()
    },
  }
}
