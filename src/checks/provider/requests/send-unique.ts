/** Sends a request with unique values, and with others again if the provider has records with these already. */
import type { NoResponse } from '../client.js'
import type { Expected } from '../judges/judge-expectation.js'
import type { ParsedResponse } from '../judges/judge-response.js'
import type { Draft, ProviderRequest } from './request-draft.js'
import type { UniqueValues, VariedDraft } from './unique-values.js'

/** A request that was sent, and what came back. */
export interface Exchange {
  request: ProviderRequest
  response: ParsedResponse | NoResponse
}

export interface UniqueExchange extends Exchange {
  varied: VariedDraft
  /** The response is about values that another record has, and says nothing about the request. */
  isDuplicate: boolean
  /** Status of the response to the first request, if another one was sent in its place. */
  replacedStatus?: number
}

/**
 * @param send sends a request as it is
 * @param isExact no value is changed but a new record's key
 */
export async function sendUnique(
  unique: UniqueValues,
  send: (draft: Draft) => Promise<Exchange>,
  { draft, expected, isExact }: { draft: Draft; expected: Expected; isExact: boolean },
): Promise<UniqueExchange> {
  const varied = unique.vary(draft, isExact)
  const first = { ...(await send(varied.draft)), varied, isDuplicate: false }
  const { response } = first
  if ('why' in response) return first
  if (expected !== 'success') {
    const isSuccess = response.status < 300
    if (isSuccess && expected === 'invalid') unique.accept(varied, response)
    return { ...first, isDuplicate: expected === 'invalid' && unique.isConflict(varied, response) }
  }
  if (!unique.isDuplicate(varied, response)) {
    if (response.status < 300) unique.accept(varied, response)
    return first
  }
  if (response.status < 300) unique.learnAnswered(varied, response)
  for (const other of isExact ? [] : unique.alternatives(draft)) {
    const again = { ...(await send(other.draft)), varied: other, isDuplicate: false }
    if ('why' in again.response || again.response.status >= 500) return again
    if (again.response.status >= 300 || unique.isDuplicate(other, again.response)) continue
    unique.accept(other, again.response)
    return { ...again, replacedStatus: response.status }
  }
  return { ...first, isDuplicate: unique.isCertainDuplicate(varied, response) }
}
