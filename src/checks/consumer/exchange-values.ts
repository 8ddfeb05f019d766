/** Reads texts and JSON of requests. */
import { parseExactJson } from '../../json/exact-json.js'
import type { Exchange } from '../../state/journal.js'

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
