/** The parts that any contract may need, except for credential readers and stores. */
import { allCodecs } from '../media/all-codecs.js'
import type { EngineParts } from '../sandbox/create-engine.js'
import { allEffects } from '../sandbox/effects/all-effects.js'
import { useExtras } from '../sandbox/effects/extras.js'
import { relations } from '../sandbox/effects/relations.js'
import { sampler } from '../sandbox/effects/sampler.js'
import { readStyled } from '../sandbox/request/read-styled.js'
import { isolateContent } from '../sandbox/responses/isolate-content.js'
import { createNegotiate } from '../sandbox/responses/negotiate.js'
import { undoTo } from '../state/world-content.js'

export const openParts: Omit<EngineParts, 'credentialReaders'> = {
  effects: allEffects,
  codecs: allCodecs,
  sampler,
  undoTo,
  relations,
  readStyled,
  useExtras,
  createNegotiate,
  isolateContent,
}
