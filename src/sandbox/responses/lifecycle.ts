/** Headers and refusals about the lifecycle of an operation. */
import type { Operation } from '../../contract/contract.js'
import { Refusal } from '../outcome.js'

/**
 * `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and a link to the successor under the base that was called. The value of
 * `Deprecation` must be a date (RFC 9745, section 2.1), so it is left out if the document has none.
 */
export function lifecycleHeaders({ lifecycle }: Operation, base: string): Record<string, string> {
  const { deprecatedSince, sunset, successor } = lifecycle
  const headers: Record<string, string> = {}
  if (deprecatedSince !== undefined) headers['Deprecation'] = `@${deprecatedSince}`
  if (sunset !== undefined) headers['Sunset'] = new Date(sunset).toUTCString()
  if (successor?.link !== undefined) headers['Link'] = `<${base}${successor.link}>; rel="successor-version"`
  return headers
}

/** Refuses requests after the sunset of an operation. @param now milliseconds since 1970, by the world's clock */
export function refuseRemoved({ id, lifecycle }: Operation, mount: string, now: number): Refusal | undefined {
  const { sunset, successor } = lifecycle
  if (sunset === undefined || now < sunset) return undefined
  const date = new Date(sunset).toISOString().slice(0, 10)
  const filters = successor?.filters.map((filter) => `"${filter}"`).join(' and ')
  const how = filters ? ` with its ${filters} filter` : ''
  const instead = successor ? `; use ${successor.method} ${mount}${successor.path}${how} instead` : ''
  return new Refusal('removed', `${id} was removed on ${date}${instead}`)
}
