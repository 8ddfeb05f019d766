/** Streams an answer if a property of the body asks for it. Separate, so that bundles of contracts without streams drop it. */
import { isObject, ownValue } from '../../json/own-value.js'
import type { Steps } from '../handle.js'
import { change } from './lenient-steps.js'

/** Comes before what `Accept` says. */
export function streamOnRequest(steps: Steps): Steps {
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
