/** Reads requests: headers, cookies, JSON, credentials, and the announced status. */
import type { Operation, SecurityScheme } from '../../contract/contract.js'
import { writeScheme } from '../../contract/credentials.js'
import { rangeOf } from '../../contract/documented-status.js'
import { parseExactJson } from '../../json/exact-json.js'
import type { Exchange } from '../../state/journal.js'
import type { Call } from './consumer-rule.js'

/** Value of a request header, several values joined by commas (RFC 9110, section 5.3); undefined if it is absent. */
export function requestHeader({ request }: Exchange, name: string): string | undefined {
  const wanted = name.toLowerCase()
  const values = request.headers.filter(
    (_, index) => index % 2 === 1 && request.headers[index - 1]?.toLowerCase() === wanted,
  )
  return values.length === 0 ? undefined : values.join(', ')
}

/** Values of all cookies of a name. */
export function requestCookies(exchange: Exchange, name: string): string[] {
  const cookies = (requestHeader(exchange, 'cookie') ?? '').split(/; */)
  return cookies.filter((cookie) => cookie.startsWith(`${name}=`)).map((cookie) => cookie.slice(name.length + 1))
}

/** A JSON text with every digit of its integers; undefined if it is not JSON. */
export function readJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : parseExactJson(text).exact
  } catch {
    return undefined
  }
}

/** Name of the request header. */
export const expectationHeader = 'Sandbox-Expect'

/** The statuses that a consumer announced. */
interface Expectation {
  /** Value of the header. */
  text: string
  /** The statuses and ranges in it, in upper case and each once. */
  statuses: readonly string[]
  /** It is a comma-separated list of statuses or ranges such as 4XX. */
  isReadable: boolean
  /** The response has one of these statuses. */
  isMet: boolean
}

/** Undefined without the header. */
export function readExpectation(exchange: Exchange): Expectation | undefined {
  const text = requestHeader(exchange, expectationHeader)?.trim()
  if (text === undefined) return undefined
  const expected = [...new Set(text.split(',').map((part) => part.trim().toUpperCase()))]
  const isReadable = expected.every((part) => /^[1-5](\d\d|XX)$/.test(part))
  const { status } = exchange.response
  return {
    text,
    statuses: expected,
    isReadable,
    isMet: isReadable && expected.some((part) => part === String(status) || part === rangeOf(status)),
  }
}

/** The credentials of a scheme as they are in the request. Undefined if it has none. */
export function sentBy(exchange: Exchange, scheme: SecurityScheme): string | undefined {
  if (scheme.kind !== 'apiKey') {
    // The scheme is case-insensitive (RFC 9110, section 11.1). A key by another scheme counts as missing.
    const [, name = '', rest = ''] = /^\s*(\S*)(.*)$/s.exec(requestHeader(exchange, 'authorization') ?? '') ?? []
    return name.toLowerCase() === writeScheme(scheme).toLowerCase() ? rest.trim() : undefined
  }
  if (scheme.in === 'header') return requestHeader(exchange, scheme.name)
  if (scheme.in === 'query') return new URLSearchParams(exchange.request.query).get(scheme.name) ?? undefined
  return requestCookies(exchange, scheme.name)[0]
}

/** The kinds of credentials that a request uses, e.g. `bearer` or `header X-Key`; `none` without any. */
export function usedSchemes({ exchange, contract }: Call, { security }: Operation): string {
  // What no operation needs may be sent as well.
  const named = security.length > 0 ? security : Object.keys(contract.schemes).map((name) => [name])
  const alternatives = named.map((names) => names.flatMap((name) => contract.schemes[name] ?? []))
  const used = alternatives.find((schemes) => schemes.every((scheme) => sentBy(exchange, scheme) !== undefined)) ?? []
  return kindsOf(used).join(' and ') || 'none'
}

/** The kinds of credentials that schemes need, each once, sorted. */
export function kindsOf(schemes: readonly SecurityScheme[]): string[] {
  const kinds = schemes.map((scheme) =>
    scheme.kind === 'apiKey'
      ? `${scheme.in} ${scheme.name}`
      : scheme.kind === 'http'
        ? scheme.scheme.toLowerCase()
        : scheme.kind,
  )
  return [...new Set(kinds)].sort()
}
