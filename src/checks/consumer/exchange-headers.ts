/** Looks up headers of an exchange. */
import type { Exchange } from '../../state/journal.js'

/** Values of a request header, joined where it came more than once (RFC 9110, section 5.3). */
export function requestHeader({ request }: Exchange, name: string): string | undefined {
  const wanted = name.toLowerCase()
  const values = request.headers.filter(
    (_, index) => index % 2 === 1 && request.headers[index - 1]?.toLowerCase() === wanted,
  )
  return values.length === 0 ? undefined : values.join(', ')
}

/** Whether `Prefer: code=` was obeyed. */
export function isForced({ response }: Exchange): boolean {
  return /(^|[\s,])code=/.test(response.headers['Preference-Applied'] ?? '')
}
