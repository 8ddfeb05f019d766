/** Every effect and codec, because the contract may be compiled at run time. */
import { contract as bundledContract } from '../generated/contract.js'
import type { EngineParts } from '../sandbox/create-engine.js'
import { openCredentials } from '../sandbox/credentials/open-keys.js'
import { allCredentialReaders } from '../sandbox/credentials/read-credentials.js'
import type { WorldsOptions } from '../sandbox/worlds.js'
import { createWorldsInStore } from '../sandbox/worlds-in-store.js'
import { type OpenedShared, openSharedTable } from '../state/commits/keep-start.js'
import { describeBase } from '../state/commits/world-base.js'
import type { OnAside } from '../state/commits/world-table.js'
import type { CheckedOptions } from './assemble-sandbox.js'
import { openParts, wrapSteps } from './open-parts.js'

/** The parts for any contract, with or without a store. */
export function allParts(
  { contract, scenario, store, exact }: Pick<CheckedOptions, 'contract' | 'scenario' | 'store' | 'exact'>,
  { shared, onAside }: { shared?: OpenedShared | undefined; onAside?: OnAside } = {},
): EngineParts {
  return {
    ...openParts,
    credentialReaders: allCredentialReaders,
    ...(contract !== bundledContract && openCredentials),
    ...(contract !== bundledContract && { wrapSteps: wrapSteps(contract, exact) }),
    ...(store && {
      createWorlds: (all: WorldsOptions) =>
        createWorldsInStore(all, store, shared ?? openSharedTable(store), () =>
          describeBase(contract, scenario, openParts.relations?.createIdentity, onAside),
        ),
    }),
  }
}
