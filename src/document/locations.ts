/** Paths and URLs of files, and the references between them (RFC 3986, section 5). Works without Node.js. */
import type { SourceLocation } from '../contract/sandbox-error.js'
import { once } from './once.js'

export function isUrl(location: string): boolean {
  return /^https?:/i.test(location)
}

/** Splits a `$ref` into the file, which is empty for the same file, and the fragment. */
export function splitReference($ref: string): [file: string, fragment: string] {
  const hash = $ref.indexOf('#')
  return hash === -1 ? [$ref, ''] : [$ref.slice(0, hash), $ref.slice(hash + 1)]
}

/**
 * @param base the file with the reference
 * @param reference without a fragment
 * @returns a path or a URL. Its scheme may be unreadable, such as `urn:x`.
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
    // Malformed percent-encoding may be a literal file name.
    return joinPaths(base, reference)
  }
}

/** Whether a file from a URL refers to a file on this machine. */
export function isForeign(origin: string, location: string): boolean {
  return isUrl(origin) && !hasScheme(location)
}

/** Why such a file is not read, as a clause. */
export const whyForeign = 'a document from a URL may not refer to files of this machine'

/** A path without dot segments, as far as possible. */
export function normalizePath(path: string): string {
  return joinPaths('', path)
}

/** Whether it is a URL with any scheme. A single letter is a Windows drive. */
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

const maxFrameWidth = 160

export function createLocator(text: string, file: string): (offset: number) => SourceLocation {
  const linesOf = once(() => text.split(/\r?\n/))
  const startsOf = once(() => [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)])
  return (offset) => {
    const starts = startsOf()
    const line = countUpTo(starts, offset)
    const column = offset - (starts[line - 1] ?? 0) + 1
    return { file, line, column, frame: frameOf(linesOf(), line, column) }
  }
}

/** How many of the sorted numbers are at most the given one. */
function countUpTo(sorted: readonly number[], most: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) <= most) low = middle + 1
    else high = middle
  }
  return low
}

function frameOf(lines: readonly string[], line: number, column: number): string {
  const first = Math.max(line - 2, 1)
  const width = String(line + 1).length
  const frame = lines.slice(first - 1, line + 1).flatMap((content, index) => {
    const number = first + index
    const shown = content.length > maxFrameWidth ? `${content.slice(0, maxFrameWidth)}…` : content
    const row = `${number === line ? '>' : ' '} ${String(number).padStart(width)} | ${shown}`
    if (number !== line || column > maxFrameWidth) return [row]
    const mark = content.slice(0, column - 1).replace(/[^\t]/g, ' ')
    return [row, `  ${' '.repeat(width)} | ${mark}^`]
  })
  return frame.join('\n')
}
