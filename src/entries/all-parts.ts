/** Every effect and codec, because the contract may be compiled at run time. */
import { contract as bundledContract } from '../generated/contract.js'
import { allCodecs } from '../media/all-codecs.js'
import type { EngineParts } from '../sandbox/create-engine.js'
import { openCredentials } from '../sandbox/credentials/open-keys.js'
import { allCredentialReaders } from '../sandbox/credentials/read-credentials.js'
import { allEffects } from '../sandbox/effects/all-effects.js'
import { useBesides } from '../sandbox/effects/extras.js'
import { nesting } from '../sandbox/effects/relations.js'
import { filler } from '../sandbox/effects/sampler.js'
import { readStyled } from '../sandbox/request/read-styled.js'
import { isolateContent } from '../sandbox/responses/isolate-content.js'
import { createNegotiate } from '../sandbox/responses/negotiate.js'
import type { WorldsOptions } from '../sandbox/worlds.js'
import { createWorldsInStore } from '../sandbox/worlds-in-store.js'
import { undoTo } from '../state/world-content.js'
import type { CheckedOptions } from './assemble-sandbox.js'

/** The parts for any contract, with or without a store. */
export function allParts({ contract, store }: Pick<CheckedOptions, 'contract' | 'store'>): EngineParts {
  return {
    effects: allEffects,
    codecs: allCodecs,
    credentialReaders: allCredentialReaders,
    filler,
    undoTo,
    nesting,
    readStyled,
    useBesides,
    createNegotiate,
    isolateContent,
    ...(contract !== bundledContract && openCredentials),
    ...(store && { createWorlds: (all: WorldsOptions) => createWorldsInStore(all, store) }),
  }
}
