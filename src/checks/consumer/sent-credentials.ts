/** Distinguishes requests without credentials from requests with invalid ones. */
import type { SecurityScheme } from '../../contract/contract.js'
import { writeScheme } from '../../contract/credentials.js'
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
