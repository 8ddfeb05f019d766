/** Distinguishes requests without credentials from requests with invalid ones, and hides keys. */
import type { SecurityScheme } from '../../contract/contract.js'
import type { Call } from './consumer-rule.js'
import { requestHeader } from './exchange-headers.js'

/** Why credentials were refused, and where they belong; undefined if the request was not refused for them. */
export function credentialProblem(call: Call): { kind: 'missing' | 'invalid'; at: string } | undefined {
  const { exchange, operation, contract, isForced } = call
  if (isForced || !operation || exchange.refused !== 'unauthorized') return undefined
  const schemes = operation.security.flat().flatMap((name) => contract.schemes[name] ?? [])
  const sent = schemes.find((scheme) => isSent(call, scheme))
  const named = sent ?? schemes[0]
  return { kind: sent ? 'invalid' : 'missing', at: named ? placeOfScheme(named) : 'header Authorization' }
}

function isSent({ exchange }: Call, scheme: SecurityScheme): boolean {
  // The scheme is case-insensitive (RFC 9110, section 11.1). A key by another scheme counts as missing.
  if (scheme.kind !== 'apiKey')
    return new RegExp(`^\\s*${scheme.kind}(\\s|$)`, 'i').test(requestHeader(exchange, 'authorization') ?? '')
  if (scheme.in === 'header') return requestHeader(exchange, scheme.name) !== undefined
  if (scheme.in === 'query') return new URLSearchParams(exchange.request.query).has(scheme.name)
  const cookies = (requestHeader(exchange, 'cookie') ?? '').split(/; */)
  return cookies.some((cookie) => cookie.startsWith(`${scheme.name}=`))
}

function placeOfScheme(scheme: SecurityScheme): string {
  return scheme.kind === 'apiKey' ? `${scheme.in} ${scheme.name}` : 'header Authorization'
}

/** Shown instead of a key. */
export const hiddenKey = '***'

/** Headers and query with `***` instead of every key. An invalid key may be a valid one of another service. */
export function hideKeys({ exchange, contract }: Call): { headers: string[]; query: string } {
  const { headers, query } = exchange.request
  const schemes = Object.values(contract.schemes).flatMap((scheme) => (scheme.kind === 'apiKey' ? scheme : []))
  const isKey = (place: string, name: string) =>
    schemes.some((scheme) => scheme.in === place && scheme.name.toLowerCase() === name.toLowerCase())
  return {
    headers: headers.map((text, index) => {
      const name = index % 2 === 1 ? (headers[index - 1] ?? '') : ''
      if (/^(proxy-)?authorization$/i.test(name)) return text.replace(/^(\s*\S+\s+)?.+$/, `$1${hiddenKey}`)
      if (/^cookie$/i.test(name)) return text.replace(/=[^;]*/g, `=${hiddenKey}`)
      return isKey('header', name) ? hiddenKey : text
    }),
    query: query
      .split('&')
      .map((part) =>
        part.replace(/=.*/s, (value) => (isKey('query', part.split('=')[0] ?? '') ? `=${hiddenKey}` : value)),
      )
      .join('&'),
  }
}
