/** Writes links to other pages of a list. */
import type { PageFact, PagePosition, RequestValue } from '../../contract/effects/list-query.js'
import { decodeText } from '../../contract/path-template.js'
import { decodeBytes, encodeBytes } from '../../json/base64.js'
import type { StoredRecord } from '../../state/stored-record.js'
import { pathOfJoined } from '../request/path-candidates.js'
import type { EffectInput } from '../writes/effect-input.js'

/** The address that a request was sent to. */
export interface Address {
  /** The host that the caller used over HTTP, else the documented one. */
  origin: string
  /** Without the query. */
  base: string
  query: string
  /** With the query. */
  url: string
}

/** The address of a request. Links begin with the path if possible, because it is the same in every transport. */
export function addressOf({ contract, server, sent, query }: EffectInput): Address {
  const host = sent.header('host')
  const protocol = sent.header('x-forwarded-proto') === 'https' ? 'https' : 'http'
  const documented = contract.servers.find(({ name }) => name === server)?.url ?? ''
  const [known = 'http://localhost'] = /^[a-z]+:\/\/[^/]+/i.exec(documented) ?? []
  // A path that begins with two slashes would name a host (RFC 3986, section 4.2). One may be a link that a client appended.
  const base = (pathOfJoined(sent.path) ?? `${sent.mount}${sent.path}`).replace(/^\/(?=\/)/, '/./')
  const url = query === '' ? base : `${base}?${query}`
  return { origin: host === undefined ? known : `${protocol}://${host}`, base, query, url }
}

/** The URL of another page. @param value the position. Undefined for the first page */
export function urlOf(
  { base, query }: Address,
  position: PagePosition,
  value: unknown,
  positions: readonly PagePosition[],
): string {
  const names = new Set(positions.filter((each) => each.in === 'query').map(parameterName))
  const nameOf = ([name = '']: string[]) => decodeText(name.replaceAll('+', ' ')) ?? name
  const kept = query.split('&').filter((pair) => pair !== '' && !names.has(nameOf(pair.split('='))))
  const pairs = value === undefined ? kept : [...kept, `${encode(parameterName(position))}=${encode(String(value))}`]
  return pairs.length === 0 ? base : `${base}?${pairs.join('&')}`
}

const relations: [name: string, from: PageFact][] = [
  ['first', 'firstUrl'],
  ['prev', 'previousUrl'],
  ['next', 'nextUrl'],
  ['last', 'lastUrl'],
]

/** The value of the header `Link` (RFC 8288, section 3). Its links are absolute, because clients expect that. */
export function linksOf(facts: Partial<Record<PageFact, unknown>>, { origin }: Address): string | undefined {
  const links = relations.flatMap(([name, from]) =>
    facts[from] ? [`<${origin}${String(facts[from])}>; rel="${name}"`] : [],
  )
  return links.length === 0 ? undefined : links.join(', ')
}

function parameterName({ name, member }: RequestValue): string {
  return member === undefined ? name : `${name}[${member}]`
}

function encode(text: string): string {
  // Brackets are not allowed in a query (RFC 3986, section 3.4).
  return encodeURIComponent(text).replaceAll('%24', '$')
}

const keyText = ({ values }: StoredRecord, key: string) => String(values[key])

/**
 * The cursor of the page that begins at an index, or that ends before it.
 * @param isKey whether the cursor is the key of a record
 */
export function cursorAt(
  sorted: readonly StoredRecord[],
  index: number,
  key: string,
  isKey: boolean,
  isBefore = false,
): string | undefined {
  const record = sorted[isBefore ? index : index - 1]
  if (!record) return undefined
  const text = keyText(record, key)
  return isKey ? text : toOpaque(`${isBefore ? '<' : ''}${index} ${text}`)
}

/** The position of a cursor: the index at which its page begins, or before which it ends. */
export interface FoundCursor {
  index: number
  isEnd: boolean
}

/** @param as whether a cursor may be the key of the record before or after the page */
export function findCursor(
  cursor: string,
  sorted: readonly StoredRecord[],
  key: string,
  as: 'cursor' | 'after' | 'before',
): FoundCursor | undefined {
  const own = as === 'cursor' ? -1 : sorted.findIndex((record) => keyText(record, key) === cursor)
  if (own !== -1) return as === 'before' ? { index: own, isEnd: true } : { index: own + 1, isEnd: false }
  if (/^\d{1,15}$/.test(cursor)) return as === 'cursor' ? { index: Number(cursor), isEnd: false } : undefined
  const [, sign, number, text] = /^(<?)(\d+) ([\s\S]*)$/.exec(fromOpaque(cursor)) ?? []
  if (number === undefined) return undefined
  const index = sorted.findIndex((record) => keyText(record, key) === text)
  const isEnd = sign === '<' || as === 'before'
  // If the record is gone, the following records have moved up.
  if (isEnd) return { index: index === -1 ? Number(number) : index, isEnd }
  return { index: index === -1 ? Math.max(Number(number) - 1, 0) : index + 1, isEnd }
}

/** Encodes text as base64url, so that URLs need not escape it (RFC 4648, section 5). */
function toOpaque(text: string): string {
  const base64 = encodeBytes(new TextEncoder().encode(text))
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function fromOpaque(cursor: string): string {
  const base64 = cursor.replaceAll('-', '+').replaceAll('_', '/')
  const bytes = decodeBytes(base64.padEnd(Math.ceil(base64.length / 4) * 4, '='))
  return bytes ? new TextDecoder().decode(bytes) : ''
}
