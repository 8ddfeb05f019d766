/** What an operation says about its own end: headers until then, a refusal afterwards. */
import type { Operation } from '../contract/contract.js'
import { Refusal } from './outcome.js'

/** Adds the headers of an operation to those of a response. @param base the path of the base that was called */
export type AddLifecycleHeaders = (headers: Record<string, string>, base: string) => void

/**
 * `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and a link to the successor under the base that was called.
 * @returns undefined for an operation that has none of them
 */
export function compileLifecycleHeaders({ lifecycle }: Operation): AddLifecycleHeaders | undefined {
  const { deprecated, deprecatedSince, sunset, successor } = lifecycle
  const deprecation = deprecated ? `@${deprecatedSince}` : undefined
  const sunsetDate = sunset === undefined ? undefined : new Date(sunset).toUTCString()
  const link = successor?.link
  if (!deprecated && sunset === undefined && link === undefined) return undefined
  return (headers, base) => {
    if (deprecation !== undefined) headers['Deprecation'] = deprecation
    if (sunsetDate !== undefined) headers['Sunset'] = sunsetDate
    if (link !== undefined) headers['Link'] = `<${base}${link}>; rel="successor-version"`
  }
}

/** From the instant of its sunset on, an operation is removed. @param now by the clock of the world */
export function refuseRemoved({ id, lifecycle }: Operation, mount: string, now: number): Refusal | undefined {
  const { sunset, successor } = lifecycle
  if (sunset === undefined || now < sunset) return undefined
  const date = new Date(sunset).toISOString().slice(0, 10)
  const filters = successor?.filters.map((filter) => `"${filter}"`).join(' and ')
  const how = filters ? ` with its ${filters} filter` : ''
  const instead = successor ? `; use ${successor.method} ${mount}${successor.path}${how} instead` : ''
  return new Refusal('removed', `${id} was removed on ${date}${instead}`)
}
