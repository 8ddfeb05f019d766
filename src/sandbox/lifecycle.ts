/** What an operation says of its own end: headers while it is there, a refusal after. */
import type { Operation } from '../contract/contract.js'
import type { Clock } from '../state/clock.js'
import type { Refusal } from './refusal.js'

/** `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and a link to the successor under the base that was called. */
export function lifecycleHeaders({ lifecycle }: Operation, base: string): Record<string, string> {
  const { deprecated, deprecatedSince, sunset, successor } = lifecycle
  const headers: Record<string, string> = {}
  if (deprecated) headers['Deprecation'] = `@${deprecatedSince}`
  if (sunset !== undefined) headers['Sunset'] = new Date(sunset).toUTCString()
  // A link needs an address; a path with parameters is not one.
  if (successor && !successor.path.includes('{'))
    headers['Link'] = `<${base}${successor.path}>; rel="successor-version"`
  return headers
}

/** From the instant of its sunset on, an operation is no more. */
export function refuseRemoved({ id, lifecycle }: Operation, mount: string, clock: Clock): Refusal | undefined {
  const { sunset, successor } = lifecycle
  if (sunset === undefined || clock.now() < sunset) return undefined
  const date = new Date(sunset).toISOString().slice(0, 10)
  const filters = successor?.filters.map((filter) => `"${filter}"`).join(' and ')
  const how = filters ? ` with its ${filters} filter` : ''
  const instead = successor ? `; use ${successor.method} ${mount}${successor.path}${how} instead` : ''
  return { reason: 'removed', message: `${id} was removed on ${date}${instead}` }
}
