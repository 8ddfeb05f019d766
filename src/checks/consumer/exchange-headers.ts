/** Reads headers of an exchange. */
import type { Exchange } from '../../state/journal.js'

/** Value of a request header, several values joined by commas (RFC 9110, section 5.3); undefined if it is absent. */
export function requestHeader({ request }: Exchange, name: string): string | undefined {
  const wanted = name.toLowerCase()
  const values = request.headers.filter(
    (_, index) => index % 2 === 1 && request.headers[index - 1]?.toLowerCase() === wanted,
  )
  return values.length === 0 ? undefined : values.join(', ')
}

/** Whether the response was chosen by `Prefer: code=`. */
export function isForced({ response }: Exchange): boolean {
  return /(^|[\s,])code=/.test(response.headers['Preference-Applied'] ?? '')
}
