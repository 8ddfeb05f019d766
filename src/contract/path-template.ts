/** Documented paths: their segments with parameters anywhere, and the query that belongs to them. */

/**
 * A segment: texts with a parameter between each two of them. A literal segment has one text. A segment with only a
 * parameter has two empty texts.
 */
export interface PathSegment {
  texts: readonly string[]
  names: readonly string[]
}

/** A query parameter in a documented path. */
export interface QueryPair {
  name: string
  /** Undefined if any value matches: `?q={q}` */
  value: string | undefined
}

export interface PathTemplate {
  /** The documented path with a leading slash, without query and fragment. */
  path: string
  segments: PathSegment[]
  query: QueryPair[]
}

/**
 * Reads a documented path. An unmatched brace is text. A fragment only distinguishes documented operations, and an
 * expression such as `{?q}` (RFC 6570, section 3.2.8) only names query parameters, so both are dropped.
 * @example
 * parsePathTemplate('/xs/{id}.json?beta=true')
 * // path /xs/{id}.json, segments [xs] and [, .json] around id, query beta=true
 */
export function parsePathTemplate(documented: string): PathTemplate {
  const plain = documented.replace(/\{[?&#][^{}]*\}/g, '')
  const [, written = '', query = ''] = /^((?:\{[^{}/]*\}|[^?#])*)\??([^#]*)/.exec(plain) ?? []
  const path = written.startsWith('/') ? written : `/${written}`
  return {
    path,
    segments: path.slice(1).split('/').map(parseSegment),
    query: [...new URLSearchParams(query)].flatMap(([name, value]) =>
      name.includes('{') ? [] : { name, value: value.includes('{') ? undefined : value },
    ),
  }
}

function parseSegment(text: string): PathSegment {
  const parts = text.split(/\{([^{}]+)\}/)
  return { texts: parts.filter((_, index) => index % 2 === 0), names: parts.filter((_, index) => index % 2 === 1) }
}

/** The name of the parameter that is the whole segment. */
export function wholeParameter({ texts, names }: PathSegment): string | undefined {
  return names.length === 1 && texts.every((text) => text === '') ? names[0] : undefined
}

/**
 * Returns the decoded values of the parameters of a segment, or undefined if the text does not match. A value has at least one
 * character. If several splits match, each parameter from the left takes as little as possible, and the last one takes the
 * rest. A percent-encoded separator belongs to a value, unless the text matches only with it decoded.
 * @example
 * matchSegment(segment, 'x-y-z') // ['x', 'y-z'] for {a}-{b}
 * @returns undefined in place of a value whose percent-encoding is malformed
 */
export function matchSegment({ texts }: PathSegment, text: string): (string | undefined)[] | undefined {
  const values = split(texts, text)
  if (values) return values.map(decodeText)
  const decoded = decodeText(text)
  return decoded === undefined
    ? undefined
    : split(
        texts.map((each) => decodeText(each) ?? each),
        decoded,
      )
}

/** Searches for each text only once, from the left, so it takes linear time. */
function split(texts: readonly string[], text: string): string[] | undefined {
  const last = texts.length - 1
  const [prefix = ''] = texts
  const suffix = texts[last] ?? ''
  if (!text.startsWith(prefix) || !text.endsWith(suffix)) return undefined
  const values: string[] = []
  let start = prefix.length
  for (let index = 1; index < last; index++) {
    const separator = texts[index] ?? ''
    const end = text.indexOf(separator, start + 1)
    if (end === -1) return undefined
    values.push(text.slice(start, end))
    start = end + separator.length
  }
  const end = text.length - suffix.length
  if (end <= start) return undefined
  values.push(text.slice(start, end))
  return values
}

/** Decodes percent-encoded text. Returns undefined if it is malformed. */
export function decodeText(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Writes the path with the values of its parameters, without the query. */
export function fillPath({ segments }: PathTemplate, write: (name: string) => string): string {
  const fill = ({ texts, names }: PathSegment) =>
    texts.reduce((filled, text, index) => `${filled}${write(names[index - 1] ?? '')}${text}`)
  return segments.map((segment) => `/${fill(segment)}`).join('')
}

/** Writes the pairs of the query that have a value. */
export function writeQuery({ query }: PathTemplate): string {
  const write = (name: string, value: string) => encodeURIComponent(name) + (value && `=${encodeURIComponent(value)}`)
  return query.flatMap(({ name, value }) => (value === undefined ? [] : write(name, value))).join('&')
}
