/** Paths and URLs of files, and the references between them (RFC 3986, section 5). Works without Node.js. */

export function isUrl(location: string): boolean {
  return /^https?:/i.test(location)
}

/** A `$ref` in two parts: the file, which is empty for its own one, and the fragment. */
export function splitReference($ref: string): [file: string, fragment: string] {
  const hash = $ref.indexOf('#')
  return hash === -1 ? [$ref, ''] : [$ref.slice(0, hash), $ref.slice(hash + 1)]
}

/**
 * @param base the file with the reference
 * @param reference without a fragment
 * @returns a path or a URL. It may be one of a scheme that cannot be read, such as `urn:x`.
 * @example
 * resolveLocation('api/books.yaml', '../common.yaml') // 'common.yaml'
 */
export function resolveLocation(base: string, reference: string): string {
  try {
    if (isUrl(reference)) return new URL(reference).href
    if (isUrl(base)) return new URL(reference, base).href
    if (/^file:/i.test(reference)) return decodeURIComponent(new URL(reference).pathname).replace(/^\/(?=[a-z]:)/i, '')
    const path = decodeURIComponent(reference)
    return hasScheme(path) ? path : joinPaths(base, path)
  } catch {
    // Malformed percent-encoding may be the name of the file.
    return joinPaths(base, reference)
  }
}

/** Whether a file from a URL refers to one of this machine. */
export function isForeign(origin: string, location: string): boolean {
  return isUrl(origin) && !hasScheme(location)
}

/** Why such a file is not read, as a clause. */
export const whyForeign = 'a document from a URL may not refer to files of this machine'

/** A path without dots, where they can be left out. */
export function normalizePath(path: string): string {
  return joinPaths('', path)
}

/** Whether it is a URL of any scheme. A single letter is a drive of Windows. */
export function hasScheme(location: string): boolean {
  return /^[a-z][a-z\d+.-]+:/i.test(location)
}

function joinPaths(base: string, path: string): string {
  const isAbsolute = /^(?:[/\\]|[a-z]:[/\\])/i.test(path)
  const all = [...(isAbsolute ? [] : base.split(/[/\\]/).slice(0, -1)), ...path.split(/[/\\]/)]
  const parts: string[] = []
  for (const [index, part] of all.entries()) {
    const last = parts.at(-1)
    if (part === '.' || (part === '' && index > 0)) continue
    if (part !== '..' || last === undefined || last === '..') parts.push(part)
    else if (last !== '') parts.pop()
  }
  return parts.join('/')
}
