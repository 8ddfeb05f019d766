/** Tells a request without credentials from one with wrong ones. */
import type { SecurityScheme } from '../../contract/contract.js'
import type { Call } from './consumer-rule.js'
import { requestHeader } from './exchange-headers.js'

/** What the refused request lacked; nothing where it was not refused for its credentials. */
export function credentialProblem(call: Call): { kind: 'missing' | 'invalid'; at: string } | undefined {
  const { exchange, operation, contract, isForced } = call
  if (isForced || !operation || exchange.refused !== 'unauthorized') return undefined
  const schemes = operation.security.flat().flatMap((name) => contract.schemes[name] ?? [])
  const sent = schemes.find((scheme) => isSent(call, scheme))
  const named = sent ?? schemes[0]
  return { kind: sent ? 'invalid' : 'missing', at: named ? placeOfScheme(named) : 'header Authorization' }
}

function isSent({ exchange }: Call, scheme: SecurityScheme): boolean {
  // In any case (RFC 9110, section 11.1); a key in another scheme than the documented one is none.
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

/**
 * Headers and query without the credentials that were not valid: they may well be those of another service.
 * Those that were valid stay, for `toCurl` to put a variable in their place.
 */
export function hideCredentials({ exchange, contract }: Call): { headers: readonly string[]; query: string } {
  const { request, key } = exchange
  if (key !== undefined) return request
  const schemes = Object.values(contract.schemes).flatMap((scheme) => (scheme.kind === 'apiKey' ? scheme : []))
  const isSecret = (place: string, name: string) =>
    schemes.some((scheme) => scheme.in === place && scheme.name.toLowerCase() === name.toLowerCase())
  const headers = request.headers.map((text, index) => {
    const name = request.headers[index - 1] ?? ''
    if (index % 2 === 0) return text
    if (/^(proxy-)?authorization$/i.test(name)) return text.replace(/^(\s*\S+\s+)?.+$/, `$1${hidden}`)
    if (/^cookie$/i.test(name)) return text.replace(/=[^;]*/g, `=${hidden}`)
    return isSecret('header', name) ? hidden : text
  })
  const query = request.query
    .split('&')
    .map((part) => {
      const [name = ''] = part.split('=')
      return isSecret('query', name) ? `${name}=${hidden}` : part
    })
    .join('&')
  return { headers, query }
}

const hidden = '***'
