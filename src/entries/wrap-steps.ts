/** The steps of contracts other than the bundled one. */
import type { RequestContract } from '../contract/contract.js'
import { sampler } from '../sandbox/effects/sampler.js'
import type { Steps } from '../sandbox/handle.js'
import { toLenientSteps } from '../sandbox/request/lenient-steps.js'
import { preferExamples } from '../sandbox/request/preferred-examples.js'
import { streamOnRequest } from '../sandbox/request/stream-on-request.js'
import { withCorrections } from '../sandbox/responses/corrected-answers.js'

/** What other contracts than the bundled one need in addition to the usual steps. */
export function wrapSteps(contract: RequestContract, exact = false): (steps: Steps) => Steps {
  return (steps) => {
    preferExamples(steps, contract, sampler)
    const streaming = streamOnRequest(withCorrections(steps, contract, sampler))
    return exact ? streaming : toLenientSteps(streaming, contract)
  }
}
