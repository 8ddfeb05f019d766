/** The parts for worlds in a store. */

import type { EngineParts } from '../sandbox/create-engine.js'
import type { WorldsOptions } from '../sandbox/worlds.js'
import { createWorldsInStore } from '../sandbox/worlds-in-store.js'
import { type OpenedShared, openSharedTable } from '../state/commits/shared-table.js'
import { describeBase } from '../state/commits/world-base.js'
import type { OnAside } from '../state/commits/world-table.js'
import type { CheckedOptions } from './assemble-sandbox.js'

/** @returns no parts without a store */
export function storeParts(
  { contract, scenario, store }: Pick<CheckedOptions, 'contract' | 'scenario' | 'store'>,
  { shared, onAside }: { shared?: OpenedShared | undefined; onAside?: OnAside } = {},
): Pick<EngineParts, 'createWorlds'> {
  if (!store) return {}
  return {
    createWorlds: (all: WorldsOptions) =>
      createWorldsInStore(all, store, shared ?? openSharedTable(store), () =>
        describeBase(contract, scenario, onAside),
      ),
  }
}
