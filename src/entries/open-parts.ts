/** The parts that any contract may need, except for credential readers and stores. */

import type { RequestContract } from '../contract/contract.js'
import { allCodecs } from '../media/all-codecs.js'
import type { EngineParts } from '../sandbox/create-engine.js'
import { allEffects } from '../sandbox/effects/all-effects.js'
import { useExtras } from '../sandbox/effects/extras.js'
import { relations } from '../sandbox/effects/relations.js'
import { sampler } from '../sandbox/effects/sampler.js'
import type { Steps } from '../sandbox/handle.js'
import { toLenientSteps } from '../sandbox/request/lenient-steps.js'
import { preferExamples } from '../sandbox/request/preferred-examples.js'
import { readStyled } from '../sandbox/request/read-styled.js'
import { streamOnRequest } from '../sandbox/request/stream-on-request.js'
import { withCorrections } from '../sandbox/responses/corrected-answers.js'
import { isolateContent } from '../sandbox/responses/isolate-content.js'
import { createNegotiate } from '../sandbox/responses/negotiate.js'
import { addChanges } from '../state/record-changes.js'
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
  addChanges,
}

/** What other contracts than the bundled one need in addition to the usual steps. */
export function wrapSteps(contract: RequestContract, exact = false): (steps: Steps) => Steps {
  return (steps) => {
    preferExamples(steps, contract, sampler)
    const streaming = streamOnRequest(withCorrections(steps, contract, sampler))
    return exact ? streaming : toLenientSteps(streaming, contract)
  }
}
