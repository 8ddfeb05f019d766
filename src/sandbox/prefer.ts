/** What a caller asks of the sandbox itself in a `Prefer` header (RFC 7240). */

export interface Preferences {
  /** A status to answer with. */
  code?: number
  /** Milliseconds to wait before the answer. */
  delayMs?: number
  /** What was not understood. */
  ignored: string[]
}

/** A longer delay is not obeyed: who wants to see a time-out sees it by then. */
const maxDelayMs = 60_000

export function parsePrefer(header: string): Preferences {
  const preferences: Preferences = { ignored: [] }
  for (const part of header.split(',')) {
    const [, name = '', value = ''] = /^\s*([^\s=;]+)\s*(?:=\s*"?([^\s";]*)"?)?/.exec(part) ?? []
    const number = /^\d{1,6}$/.test(value) ? Number(value) : Number.NaN
    // RFC 7240, section 2: names are compared in any case, and of one given twice the first counts.
    const known = name.toLowerCase()
    if (known === 'code' && preferences.code === undefined && number >= 100 && number <= 599) preferences.code = number
    else if (known === 'delay' && preferences.delayMs === undefined && number <= maxDelayMs)
      preferences.delayMs = number
    else if (part.trim() !== '') preferences.ignored.push(part.trim())
  }
  return preferences
}
