/** Reads the credentials of requests, scheme by scheme. */
import type { Operation, SecurityScheme } from '../../contract/contract.js'
import { writeScheme } from '../../contract/credentials.js'
import type { Exchange } from '../../state/journal.js'
import type { Call } from './consumer-rule.js'
import { requestCookies, requestHeader } from './exchange-values.js'

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
  const alternatives = security.map((names) => names.flatMap((name) => contract.schemes[name] ?? []))
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
