/** The steps of contracts other than the bundled one. */
import type { RequestContract } from '../contract/contract.js'
import { isObject, ownValue } from '../json/own-value.js'
import type { Steps } from '../sandbox/handle.js'
import { change, toLenientSteps } from '../sandbox/request/lenient-steps.js'
import { preferExamples } from '../sandbox/request/preferred-examples.js'
import { withCorrections } from '../sandbox/responses/corrected-answers.js'
import { sampler } from '../sandbox/writes/sampler.js'

/** What other contracts than the bundled one need in addition to the usual steps. */
export function wrapSteps(contract: RequestContract, exact = false): (steps: Steps) => Steps {
  return (steps) => {
    preferExamples(steps, contract, sampler)
    const streaming = streamOnRequest(withCorrections(steps, contract, sampler))
    return exact ? streaming : toLenientSteps(streaming, contract)
  }
}

/** Streams an answer if a property of the body asks for it, whatever `Accept` says. */
function streamOnRequest(steps: Steps): Steps {
  const { apply, negotiate } = steps
  return {
    ...steps,
    apply(input) {
      const { request, operation, valid } = input
      const { streamedBy, representations = [] } = operation
      const { value } = valid.body
      const isAsked = streamedBy !== undefined && isObject(value) && ownValue(value, streamedBy) === true
      const type = isAsked ? representations.find(({ from }) => from === 'stream')?.mediaType : undefined
      const applied = apply(input)
      if (type === undefined || !negotiate) return applied
      const header = (name: string) => (name === 'accept' ? type : request.header(name))
      const represent = negotiate(change(request, { header }), operation, representations)
      if (typeof represent !== 'function') return applied
      return applied instanceof Promise ? applied.then(represent) : represent(applied)
    },
  }
}
