/** Judges the conditions of a request (RFC 9110, section 13). */

/** What identifies the state of a resource. */
export interface Version {
  /** An entity tag: `"x"`, or `W/"x"` for a weak one. */
  tag: string
  /** Time of the last change in milliseconds since 1970, if known. */
  modified?: number | undefined
}

export type Verdict =
  | { is: 'met' }
  /** 304 for a read, 412 otherwise. */
  | { is: 'unchanged' | 'failed'; header: string; value: string }

const met: Verdict = { is: 'met' }

/**
 * Judges in the order of section 13.2.2. Ignores a date if the time of the last change is unknown, or if it is not a valid
 * HTTP date (sections 13.1.3 and 13.1.4).
 * @param header reads a header by its name in lower case
 * @param version undefined if the resource does not exist
 */
export function judgeConditions(
  header: (name: string) => string | undefined,
  version: Version | undefined,
  isReading: boolean,
): Verdict {
  const failed = (name: string, value: string): Verdict => ({ is: 'failed', header: name, value })
  const unchanged = (name: string, value: string): Verdict => ({
    is: isReading ? 'unchanged' : 'failed',
    header: name,
    value,
  })
  const seconds = version?.modified === undefined ? undefined : Math.floor(version.modified / 1000)

  const match = header('if-match')
  if (match !== undefined) {
    if (!matches(match, version, isSameTag)) return failed('If-Match', match)
  } else {
    const unmodified = header('if-unmodified-since')
    const limit = parseDate(unmodified)
    if (unmodified !== undefined && limit !== undefined && seconds !== undefined && seconds > limit)
      return failed('If-Unmodified-Since', unmodified)
  }

  const noneMatch = header('if-none-match')
  if (noneMatch !== undefined) {
    return matches(noneMatch, version, isAlike) ? unchanged('If-None-Match', noneMatch) : met
  }
  const since = header('if-modified-since')
  const limit = parseDate(since)
  const isUnmodified = since !== undefined && limit !== undefined && seconds !== undefined && seconds <= limit
  return isReading && isUnmodified ? unchanged('If-Modified-Since', since) : met
}

/** Writes the time of a change as an HTTP date (RFC 9110, section 5.6.7). */
export function toHttpDate(milliseconds: number): string {
  return new Date(milliseconds).toUTCString()
}

function matches(
  field: string,
  version: Version | undefined,
  compare: (one: string, other: string) => boolean,
): boolean {
  if (version === undefined) return false
  return field.trim() === '*' || parseTags(field).some((tag) => compare(tag, version.tag))
}

/** The entity tags of a list. Text without quotes is one tag, because many clients leave out the quotes. */
function parseTags(field: string): string[] {
  const tags = field.match(/(?:W\/)?"[^"]*"/g)
  return tags ?? [`"${field.trim()}"`]
}

/** The strong comparison (section 8.8.3.2). */
function isSameTag(one: string, other: string): boolean {
  return one === other && !one.startsWith('W/')
}

/** The weak comparison. */
function isAlike(one: string, other: string): boolean {
  return bare(one) === bare(other)
}

function bare(tag: string): string {
  return tag.replace(/^W\//, '')
}

/** The three forms of HTTP dates (section 5.6.7). */
const dates = [
  /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]+day, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/,
]

/** @returns seconds since 1970, or undefined if the text is not an HTTP date */
function parseDate(text: string | undefined): number | undefined {
  if (text === undefined || !dates.some((form) => form.test(text))) return undefined
  // Two digits mean the latest year that is at most 50 years in the future.
  const whole = text.replace(/-(\d\d) (?=\d\d:)/, (_, digits) => ` ${toYear(Number(digits))} `)
  // Only the last form has no zone.
  const read = Date.parse(whole.endsWith('GMT') ? whole : `${whole} GMT`)
  return Number.isNaN(read) ? undefined : read / 1000
}

function toYear(digits: number): number {
  const latest = new Date().getUTCFullYear() + 50
  return latest - ((((latest - digits) % 100) + 100) % 100)
}
