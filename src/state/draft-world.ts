/** A private copy of a world, for code that takes its time: its changes are taken over only if nothing that it read has changed. */

import { shareChanges } from './snapshots/capture-world.js'
import type { Extras } from './stored-answers.js'
import { StoredCollection } from './stored-collection.js'
import type { StoredWorld, WorldFactory } from './stored-world.js'

export interface DraftWorld {
  /** The copy. A collection is copied when it is used first. */
  world: StoredWorld
  /** Whether something that was read has changed in the world meanwhile. */
  isStale(): boolean
  /** Makes the same changes to the world. Not to be called if it is stale. */
  commit(): void
}

interface ReadCollection {
  copy: StoredCollection
  stateId: number
  /** The collection of the world, which another state of it may replace. */
  original(): StoredCollection
}

export function draftWorld(world: StoredWorld, factory: WorldFactory): DraftWorld {
  const draft = factory.create(world.id)
  const { offset, frozenAt } = world.clock
  draft.clock.put({ offset, frozenAt })
  const { files, own } = world.extras ?? {}
  draft.extras = toExtras(files, own)
  const read: ReadCollection[] = []
  draft.collection = (name, server) => {
    const slot = world.places.find(name, server)
    const known = draft.collections[slot.index]
    if (known) return known
    const original = () => world.collection(slot.name, slot.server)
    const { context, nextKey, size, stateId } = original()
    const copy = new StoredCollection(context, draft.log)
    const changes = shareChanges(original())
    Object.assign(copy, { nextKey, size, state: stateId, changes })
    draft.collections[slot.index] = copy
    read.push({ copy, stateId, original })
    return copy
  }

  return {
    world: draft,
    isStale: () =>
      world.extras?.files !== files ||
      world.extras?.own !== own ||
      read.some(({ original, stateId }) => original().stateId !== stateId),
    commit() {
      for (const { copy, stateId, original } of read) {
        const { nextKey, size, changes } = copy
        if (copy.stateId !== stateId) Object.assign(original(), { nextKey, size, state: copy.stateId, changes })
      }
      const changed = toExtras(draft.extras?.files, draft.extras?.own)
      if (draft.log.some(({ kind }) => kind === 'file' || kind === 'own'))
        world.extras = { ...world.extras, ...changed }
      world.log.push(...draft.log)
    },
  }
}

function toExtras(files: Extras['files'], own: Extras['own']): Extras {
  return { ...(files && { files }), ...(own && { own }) }
}
