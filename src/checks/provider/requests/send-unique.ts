/** Sends a request with unique values, and again with other values if the provider already has records with these. */
import type { NoResponse } from '../client.js'
import type { Expected } from '../judges/judge-expectation.js'
import type { ParsedResponse } from '../judges/judge-response.js'
import type { Draft, ProviderRequest } from './request-draft.js'
import type { UniqueValues, VariedDraft } from './unique-values.js'

/** A sent request with its response. */
export interface Exchange {
  request: ProviderRequest
  response: ParsedResponse | NoResponse
}

export interface UniqueExchange extends Exchange {
  varied: VariedDraft
  /** The response is only about values that another record already has. */
  isDuplicate: boolean
  /** Status of the response to the first request, if another request replaced it. */
  replacedStatus?: number
}

/**
 * @param send sends a request unchanged
 * @param isExact only the key of a new record is changed
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
