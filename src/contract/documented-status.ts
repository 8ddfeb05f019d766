/** Finds the documented response for a status. */
import type { Operation } from './contract.js'
import type { DocumentedResponse } from './documented-response.js'

/** Looks up the status, then its range, then `default` (OpenAPI 3.1, section 4.8.16). */
export function documentedResponse({ responses }: Operation, status: number): DocumentedResponse | undefined {
  for (const name of [String(status), rangeOf(status), 'default']) {
    const found = responses.find((response) => response.status === name)
    if (found) return found
  }
  return undefined
}

/** `4XX` for 404. */
export function rangeOf(status: number): string {
  return `${Math.floor(status / 100)}XX`
}
