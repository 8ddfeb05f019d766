/** Distinguishes requests without credentials from requests with invalid ones, and hides keys. */
import type { SecurityScheme } from '../../contract/contract.js'
import { encodeBase64, writeScheme } from '../../contract/credentials.js'
import type { Call } from './consumer-rule.js'
import { requestHeader } from './exchange-headers.js'

/** Why credentials were refused, and where they belong; undefined if the request was not refused for them. */
export function credentialProblem(call: Call): { kind: 'missing' | 'invalid'; at: string } | undefined {
  const { exchange, operation, contract, isForced } = call
  if (isForced || !operation || exchange.refused !== 'unauthorized') return undefined
  const alternatives = operation.security.map((names) => names.flatMap((name) => contract.schemes[name] ?? []))
  const isMissing = (scheme: SecurityScheme) => sentBy(call, scheme) === undefined
  const tried = alternatives.find((schemes) => !schemes.every(isMissing)) ?? alternatives[0] ?? []
  const missing = tried.find(isMissing)
  const named = missing ?? tried[0]
  return { kind: missing ? 'missing' : 'invalid', at: named ? placeOfScheme(named) : 'header Authorization' }
}

/** Whether the request has this key as it is, so that a line with the key in its place shows nothing else that is secret. */
export function sendsOnly(key: string, call: Call): boolean {
  const sent = Object.values(call.contract.schemes).flatMap((scheme) => sentBy(call, scheme) ?? [])
  return sent.every((each) => each === key)
}

/** The credentials of a scheme as they are in the request. Undefined if it has none. */
function sentBy({ exchange }: Call, scheme: SecurityScheme): string | undefined {
  if (scheme.kind !== 'apiKey') {
    // The scheme is case-insensitive (RFC 9110, section 11.1). A key by another scheme counts as missing.
    const [, name = '', rest = ''] = /^\s*(\S*)(.*)$/s.exec(requestHeader(exchange, 'authorization') ?? '') ?? []
    return name.toLowerCase() === writeScheme(scheme).toLowerCase() ? rest.trim() : undefined
  }
  if (scheme.in === 'header') return requestHeader(exchange, scheme.name)
  if (scheme.in === 'query') return new URLSearchParams(exchange.request.query).get(scheme.name) ?? undefined
  const cookies = (requestHeader(exchange, 'cookie') ?? '').split(/; */)
  return cookies.find((cookie) => cookie.startsWith(`${scheme.name}=`))?.slice(scheme.name.length + 1)
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
      if (/^(proxy-)?authorization$/i.test(name)) return hideAuthorization(text)
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

function hideAuthorization(text: string): string {
  // Base64, so that the line can have the user name and password instead.
  if (/^\s*basic\s/i.test(text)) return `Basic ${encodeBase64(`${hiddenKey}:`)}`
  return text.replace(/^(\s*\S+\s+)?.+$/s, `$1${hiddenKey}`)
}
