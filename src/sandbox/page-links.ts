/** Writes links to other pages of a list. */

import type { PageFact, ViewPosition, ViewSource } from '../contract/list-view.js'
import type { EffectInput } from './effects/effect.js'

/** Where a request was sent to. */
export interface Address {
  /** Without the query. */
  base: string
  query: string
  /** With the query. */
  url: string
}

/** The address of a request: as the caller wrote it over HTTP, else as the document describes it. */
export function addressOf({ contract, server, sent, query }: EffectInput): Address {
  const host = sent.header('host')
  const protocol = sent.header('x-forwarded-proto') === 'https' ? 'https' : 'http'
  const written = contract.servers.find(({ name }) => name === server)?.url.replace(/\/$/, '') ?? ''
  // A link is an absolute address, also where the document only has a path.
  const documented = /^[a-z]+:/i.test(written) ? written : `http://localhost${written}`
  const base = (host === undefined ? documented : `${protocol}://${host}${sent.mount}`) + sent.path
  return { base, query, url: query === '' ? base : `${base}?${query}` }
}

/** The same request for another page. @param value of the position. Undefined for the first page */
export function urlOf(
  { base, query }: Address,
  position: ViewPosition,
  value: unknown,
  positions: readonly ViewPosition[],
): string {
  const names = new Set(positions.filter((each) => each.in === 'query').map(nameOf))
  const kept = query.split('&').filter((pair) => pair !== '' && !names.has(decode(pair.split('=')[0] ?? '')))
  const pairs = value === undefined ? kept : [...kept, `${encode(nameOf(position))}=${encode(String(value))}`]
  return pairs.length === 0 ? base : `${base}?${pairs.join('&')}`
}

const relations: [name: string, from: PageFact][] = [
  ['first', 'firstUrl'],
  ['prev', 'previousUrl'],
  ['next', 'nextUrl'],
  ['last', 'lastUrl'],
]

/** The value of the header `Link` (RFC 8288, section 3). */
export function linksOf(facts: Partial<Record<PageFact, unknown>>): string | undefined {
  const links = relations.flatMap(([name, from]) => (facts[from] ? [`<${String(facts[from])}>; rel="${name}"`] : []))
  return links.length === 0 ? undefined : links.join(', ')
}

function nameOf({ name, member }: ViewSource): string {
  return member === undefined ? name : `${name}[${member}]`
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll('%5B', '[').replaceAll('%5D', ']').replaceAll('%24', '$')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
