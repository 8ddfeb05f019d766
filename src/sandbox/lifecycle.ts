/** The lifecycle of an operation: headers announce its removal, and a refusal follows after it. */
import type { Operation } from '../contract/contract.js'
import { Memo } from './memo.js'
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
  // A path with parameters is not an address that a link can have.
  const path = successor?.path.includes('{') ? undefined : successor?.path
  if (!deprecated && sunset === undefined && path === undefined) return undefined
  const links = new Memo<string>(maxBases)
  return (headers, base) => {
    if (deprecation !== undefined) headers['Deprecation'] = deprecation
    if (sunsetDate !== undefined) headers['Sunset'] = sunsetDate
    if (path !== undefined) headers['Link'] = links.get(base) ?? links.set(base, toLink(base + path))
  }
}

/** Maximum number of cached links. */
const maxBases = 100

function toLink(path: string): string {
  return `<${toUriReference(path)}>; rel="successor-version"`
}

/** Percent-encodes characters that a `Link` header must not contain (RFC 8288, section 3). Keeps encoded ones. */
function toUriReference(path: string): string {
  return path.toWellFormed().replace(/[^!#-;=?-Z_a-z~[\]]/gu, encodeURIComponent)
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
