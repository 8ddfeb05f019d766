/** Chooses the media type of an answer by the `Accept` header (RFC 9110, section 12.5.1). */
import type { Operation, RequestContract } from '../../contract/contract.js'
import type { Representation } from '../../contract/http/representation.js'
import { decodeBytes } from '../../json/base64.js'
import { writeXml } from '../../media/write-xml.js'
import { Refusal, type Written, type WrittenOutcome } from '../outcome.js'
import type { SandboxRequest } from '../request/request.js'
import type { Sampler } from '../writes/sampler.js'
import { choose } from './choose-media-type.js'
import { streamAnswer } from './stream-answer.js'

/** Converts the outcome of an effect to the requested media type. */
export type Represent = (outcome: WrittenOutcome) => WrittenOutcome

/** @returns a refusal if nothing is acceptable and the operation documents 406 */
export type Negotiate = (
  request: SandboxRequest,
  operation: Operation,
  others: readonly Representation[],
) => Represent | Refusal

export interface NegotiateOptions {
  contract: RequestContract
  sampler?: Sampler | undefined
}

export type CreateNegotiate = (options: NegotiateOptions) => Negotiate

export function createNegotiate({ contract, sampler }: NegotiateOptions): Negotiate {
  return function negotiate(request, operation, others) {
    const { effect } = operation
    const own = 'mediaType' in effect ? effect.mediaType : undefined
    const accept = request.header('accept')
    if (own === undefined) return (outcome) => outcome
    const types = [own, ...others.map(({ mediaType }) => mediaType)]
    const position = accept === undefined ? 0 : choose(accept, types)
    const refuses = contract.hasHttpSemantics || operation.responses.some(({ status }) => status === '406')
    if (position === -1 && refuses) {
      return new Refusal('not_acceptable', `Accept must allow ${types.join(' or ')} (got ${JSON.stringify(accept)})`)
    }
    const chosen = others[position - 1]
    return (outcome) => {
      if (outcome instanceof Refusal) return outcome
      const vary: Record<string, string> = others.length === 0 ? {} : { Vary: 'Accept' }
      if (outcome.status === 304) return { ...outcome, headers: { ...outcome.headers, ...vary } }
      if (outcome.body === undefined || outcome.mediaType !== own) return outcome
      const answer = chosen ? { ...outcome, bytes: undefined, ...represent(operation, outcome, chosen) } : outcome
      return others.length === 0 ? answer : { ...answer, headers: { ...answer.headers, ...vary } }
    }
  }

  function represent(operation: Operation, { body, content }: Written, chosen: Representation): Partial<Written> {
    const { mediaType } = chosen
    const toValue = () => content?.value?.() ?? null
    if (chosen.from === 'json') return { mediaType, body }
    if (chosen.from === 'text') {
      const value = toValue()
      return { mediaType, body: typeof value === 'string' ? value : body }
    }
    if (chosen.from === 'stream') {
      const { stream } = chosen
      const name = operation.id
      return { mediaType, body: streamAnswer({ contract, sampler, mediaType, stream, value: toValue(), name }) }
    }
    if (chosen.from === 'xml') {
      return { mediaType, body: writeXml(toValue(), contract.xml ?? [], chosen.element, chosen.root) }
    }
    const { base64, body: text = '', ensure } = chosen
    if (base64 !== undefined) return { mediaType, body: decodeBytes(base64) }
    const name = `${mediaType} ${operation.id}`
    return { mediaType, body: (ensure && sampler?.ensureText(contract, ensure, text, name)) ?? text }
  }
}
