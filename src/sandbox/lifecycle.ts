/** What an operation says about its own end: headers until then, a refusal afterwards. */
import type { Operation } from '../contract/contract.js'
import { Memo } from './memo.js'
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
  // A link needs an address; a path with parameters is not one.
  const path = successor?.path.includes('{') ? undefined : successor?.path
  if (!deprecated && sunset === undefined && path === undefined) return undefined
  const links = new Memo<string>(maxBases)
  return (headers, base) => {
    if (deprecation !== undefined) headers['Deprecation'] = deprecation
    if (sunsetDate !== undefined) headers['Sunset'] = sunsetDate
    if (path !== undefined) headers['Link'] = links.get(base) ?? links.set(base, toLink(base + path))
  }
}

/** Bases whose link is remembered. */
const maxBases = 100

function toLink(path: string): string {
  return `<${toUriReference(path)}>; rel="successor-version"`
}

/** Percent-encodes what an address in a `Link` header cannot hold (RFC 8288, section 3); keeps what is encoded already. */
function toUriReference(path: string): string {
  return path.toWellFormed().replace(/[^!#-;=?-Z_a-z~[\]]/gu, encodeURIComponent)
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
