/** A served document that can be replaced while the program runs: by itself as it is saved now, or with other corrections. */

import { createKept } from '../control/kept.js'
import type { ReadText } from '../document/load-sources.js'
import { createWorlds, type WorldsOptions } from '../sandbox/worlds.js'
import { createFaults } from '../state/faults.js'
import type { WritableJournal } from '../state/journal.js'
import { openedCollections } from '../state/world-content.js'
import type { CarriedOver, CarryOver, OpenWorlds } from './carry-over.js'
import type { Corrections } from './corrections.js'
import { type ServedDocument, type ServedOptions, type ServeListeners, serveDocument } from './serve-document.js'

export interface ReplaceableDocument {
  /** The document as last read. */
  readonly current: ServedDocument
  /**
   * Reads the document again. Keeps the changes of callers, as far as they fit.
   * @returns undefined if it was closed meanwhile
   * @throws SandboxError like `serveDocument`. Then the previous document is still served
   */
  replace(): Promise<CarriedOver | undefined>
  close(): void
}

/** @throws SandboxError like `serveDocument` */
export async function serveReplaceable(
  options: ServedOptions,
  listeners: Pick<ServeListeners, 'access' | 'memory' | 'onRead' | 'onSent' | 'onSetAside' | 'isClosing' | 'overrides'>,
): Promise<ReplaceableDocument> {
  const kept = createKept(listeners.memory)
  const faults = createFaults(listeners.memory)
  const startedAt = options.now?.() ?? Date.now()
  const correct: Corrections['correct'] = async (id, action) => {
    await replace(() => {
      const actions = new Map(source.actions)
      if (action) actions.set(id, action)
      else if (!actions.delete(id)) return undefined
      return { actions }
    })
  }

  let source: Source = { actions: new Map(), texts: new Map() }
  let worlds: OpenWorlds = { byId: new Map() }
  /** Other programs that use a store have exchanges of their own. */
  let journal: WritableJournal | undefined
  let current = await open(worlds, source)
  if (!options.store) journal = current.engine.journal
  let carryOver: CarryOver | undefined
  let isClosed = false
  /** One document is read at a time. */
  let last: Promise<unknown> = Promise.resolve()

  function open(into: OpenWorlds, { actions, texts }: Source): Promise<ServedDocument> {
    // Other programs that use a store serve the document without these corrections.
    const corrections = options.store ? undefined : { actions, correct }
    return serveDocument(options, {
      ...listeners,
      ...{ kept, faults, startedAt, corrections, texts, journal },
      // A store carries worlds over when they are opened.
      ...(!options.store && {
        withParts: (parts) => ({ ...parts, createWorlds: (all) => createListedWorlds(all, into) }),
      }),
    })
  }

  /** @param change returns undefined if nothing is to be done */
  function replace(change: () => Partial<Source> | undefined): Promise<CarriedOver | undefined> {
    const replaced = last.then(() => {
      const changed = change()
      return changed && replaceNow({ ...source, ...changed })
    })
    last = replaced.catch(() => {})
    return replaced
  }

  async function replaceNow(by: Source): Promise<CarriedOver | undefined> {
    carryOver ??= (await import('./carry-over.js')).createCarryOver({ kept, faults, hasStore: !!options.store })
    const opened: OpenWorlds = { byId: new Map() }
    const next = await open(opened, by)
    for (const { name } of [...worlds.byId.values()].flatMap(openedCollections)) await next.prepare?.(name)
    if (isClosed) return undefined
    // Synchronous, so that no request is answered in between.
    const carried = carryOver({ document: current, worlds }, { document: next, worlds: opened })
    void current.end()
    source = by
    worlds = opened
    current = next
    return carried
  }

  return {
    get current() {
      return current
    },
    replace: () => replace(() => ({ texts: new Map() })),
    close() {
      isClosed = true
    },
  }
}

/** What a document is made from. */
interface Source {
  actions: Corrections['actions']
  texts: Map<string, ReadText>
}

function createListedWorlds(options: WorldsOptions, into: OpenWorlds): ReturnType<typeof createWorlds> {
  const { factory } = options
  const { byId } = into
  into.factory = factory
  const worlds = createWorlds({
    ...options,
    factory: {
      create(id, log) {
        const world = factory.create(id, log)
        byId.set(id, world)
        return world
      },
    },
  })
  return {
    ...worlds,
    remove(id) {
      byId.delete(id)
      return worlds.remove(id)
    },
    clear() {
      byId.clear()
      return worlds.clear()
    },
  }
}
