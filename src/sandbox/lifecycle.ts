/** The lifecycle of an operation: headers announce its removal, and a refusal follows after it. */
import type { Operation } from '../contract/contract.js'
import { Refusal } from './outcome.js'

/** Adds the headers of an operation to those of a response. @param base path of the called server */
export type AddLifecycleHeaders = (headers: Record<string, string>, base: string) => void

/**
 * Compiles `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and a link to the successor on the called server.
 * @returns undefined if the operation needs none of them
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

/** Refuses requests from the sunset of an operation on. @param now milliseconds since 1970, by the world's clock */
export function refuseRemoved({ id, lifecycle }: Operation, mount: string, now: number): Refusal | undefined {
  const { sunset, successor } = lifecycle
  if (sunset === undefined || now < sunset) return undefined
  const date = new Date(sunset).toISOString().slice(0, 10)
  const filters = successor?.filters.map((filter) => `"${filter}"`).join(' and ')
  const how = filters ? ` with its ${filters} filter` : ''
  const instead = successor ? `; use ${successor.method} ${mount}${successor.path}${how} instead` : ''
  return new Refusal('removed', `${id} was removed on ${date}${instead}`)
}
