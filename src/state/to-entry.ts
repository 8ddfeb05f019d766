/** Exchanges as they are stored. Handlers for MSW need none. */
import type { Entry, Exchange } from './journal.js'

/** The reverse of `toExchange`. */
export function toEntry({ request, response, ...rest }: Exchange): Entry {
  const { headers: requestHeaders, body: requestBody, ...called } = request
  return { ...rest, ...called, ...response, requestHeaders, requestBody }
}
