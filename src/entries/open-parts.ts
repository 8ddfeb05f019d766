/** The parts that any contract may need, except for keys and stores. */
import { allCodecs } from '../media/all-codecs.js'
import type { EngineParts } from '../sandbox/create-engine.js'
import { createOpenKeys } from '../sandbox/credentials/open-keys.js'
import { allCredentialReaders } from '../sandbox/credentials/read-credentials.js'
import { createTokenEndpoint } from '../sandbox/credentials/token-endpoint.js'
import { applyOperation } from '../sandbox/http/apply-http.js'
import { createLeniency } from '../sandbox/request/leniency.js'
import { createPreferredExamples } from '../sandbox/request/preferred-examples.js'
import { readStyled } from '../sandbox/request/read-parameters.js'
import { createCorrections } from '../sandbox/responses/corrections.js'
import { createNegotiation } from '../sandbox/responses/negotiate.js'
import { createTellingApply } from '../sandbox/tell-idle.js'
import { allEffects } from '../sandbox/writes/all-effects.js'
import { openProgress } from '../sandbox/writes/progress.js'
import { showChosen } from '../sandbox/writes/property-choice.js'
import { writeError } from '../sandbox/writes/sampler.js'

export const openParts: EngineParts = {
  effects: allEffects,
  codecs: allCodecs,
  credentialReaders: allCredentialReaders,
  readStyled,
  applyOperation,
  createCorrections,
  createNegotiation,
  openProgress,
  showChosen,
  writeError,
}

/** What other contracts than the bundled one have in addition. @param exact whether only what is documented is accepted */
export function otherParts(exact = false): Partial<EngineParts> {
  return {
    createApply: createTellingApply,
    createKeys: createOpenKeys,
    createTokenEndpoint,
    createPreferredExamples,
    ...(!exact && { createLeniency }),
  }
}
