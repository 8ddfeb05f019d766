/** The parts that any contract may need, except for credential readers and stores. */
import { allCodecs } from '../media/all-codecs.js'
import type { EngineParts } from '../sandbox/create-engine.js'
import { readStyled } from '../sandbox/request/read-styled.js'
import { isolateContent } from '../sandbox/responses/isolate-content.js'
import { createNegotiate } from '../sandbox/responses/negotiate.js'
import { allEffects } from '../sandbox/writes/all-effects.js'
import { useExtras } from '../sandbox/writes/extras.js'
import { relations } from '../sandbox/writes/relations.js'
import { sampler } from '../sandbox/writes/sampler.js'
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
