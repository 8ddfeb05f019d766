/** Reads the parameters of a media type or of a `Content-Disposition`. */

/** A name, and a token or a quoted text. */
const parameter = /;\s*([^\s;="]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/g

/**
 * The values by name in lower case (RFC 9110, section 5.6.6). The first of two equal names counts.
 * @example toParameters('text/plain; charset="utf-8"').get('charset') // 'utf-8'
 */
export function toParameters(header: string): Map<string, string> {
  const values = new Map<string, string>()
  for (const [, name = '', quoted, token = ''] of header.matchAll(parameter)) {
    const value = quoted === undefined ? token : quoted.replace(/\\(["\\])/g, '$1')
    if (!values.has(name.toLowerCase())) values.set(name.toLowerCase(), value)
  }
  return values
}
