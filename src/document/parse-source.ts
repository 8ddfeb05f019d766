/** Parses the text of a document, in YAML or JSON, and finds the places of its parts. */
import { SandboxError, type SourceLocation } from '../contract/sandbox-error.js'
import { fromJson } from '../json/exact-json.js'
import { type DuplicateKey, readAnyYaml, type TextPlaces } from './any-yaml.js'
import { checkSize } from './check-size.js'
import type { DocumentPath } from './document.js'
import { createLocator } from './locations.js'
import { once } from './once.js'
import { findPlaces, readPlain } from './plain-yaml.js'

/** A parsed file. */
export interface Source {
  /** Its name in messages. */
  file: string
  /** Its path or URL, the base of relative references. */
  location: string
  text: string
  /** The parsed value. The caller may modify it. */
  value: unknown
  /** Whether the JSON parser read the text. It does not report duplicate keys. */
  isJson: boolean
  /** Duplicate keys with their offsets. */
  duplicateKeys(): DuplicateKey[]
  /** The offset of a part of the document in its text. If the part is missing, that of its closest parent. */
  offsetOf(path: DocumentPath): number
  /** The place in the text. If the part is missing, that of its closest parent. */
  locate(place: DocumentPath | number): SourceLocation
}

/** Maximum characters. Parsed YAML takes up to 70 times its size. The largest public documents have 12 million. */
const maxYaml = 16 * 1024 ** 2

const escapedSurrogate = /\\u(?:0000)?d[89a-f]/i

/**
 * @param file name to quote in errors
 * @param location its path or URL, if it differs from the name
 * @throws SandboxError `INVALID_DOCUMENT` if the text cannot be parsed, or would take too much memory
 */
export function parseSource(written: string, file: string, location: string = file): Source {
  const text = written.replace(/^\uFEFF/, '')
  const fail = (why: string) => new SandboxError('INVALID_DOCUMENT', `Failed to read the document "${file}": ${why}`)
  if (/^\s*<(?:[!?a-z])/i.test(text)) {
    const why = 'it is HTML or XML, not YAML or JSON. Give the file itself, not a page that shows it'
    throw fail(why)
  }
  const locate = once(() => createLocator(text, file))
  const refuse = (message: string, offset: number) =>
    new SandboxError('INVALID_DOCUMENT', `Failed to read the document: ${message}`, locate()(offset))
  const any = once(() => readAnyYaml(text, refuse))
  const json = parseJson(text)
  const unreadable = json === undefined ? checkYaml(text) : undefined
  if (unreadable !== undefined) throw fail(unreadable)
  const plain = json === undefined ? readPlain(text) : { value: json }
  const parsed = plain ? plain.value : any().value()
  let isExact = true
  const why = checkSize(parsed, () => {
    isExact = false
  })
  if (why !== undefined) throw fail(why)
  const value = json === undefined || isExact ? parsed : fromJson(text, parsed)
  if (!text.isWellFormed() || escapedSurrogate.test(text)) makeWellFormed(value)
  // The fast parser finds no places, so they are found when the first one is needed.
  const places = once((): TextPlaces => (plain && findPlaces(text)) ?? any())
  const offsetOf = (path: DocumentPath) => places().offsetOf(path)
  return {
    file,
    location,
    text,
    value,
    isJson: json !== undefined,
    // Plain YAML has no duplicate keys.
    duplicateKeys: () => (plain && json === undefined ? [] : places().duplicateKeys),
    offsetOf,
    locate: (place) => locate()(typeof place === 'number' ? place : offsetOf(place)),
  }
}

/** @returns why a text that is not JSON cannot be YAML, or would take too much memory; or undefined */
function checkYaml(text: string): string | undefined {
  if (text.includes('\0')) return 'it is not text: it has a NUL character'
  if (text.length <= maxYaml) return undefined
  return `it is not valid JSON, and YAML may have at most ${maxYaml} characters (got ${text.length})`
}

/** Much faster than a YAML parser. Returns undefined if the text is not a JSON object, which YAML may still accept. */
function parseJson(text: string): object | undefined {
  if (!/^\s*\{/.test(text)) return undefined
  try {
    return JSON.parse(text) as object
  } catch {
    return undefined
  }
}

/**
 * Replaces lone surrogates by U+FFFD in all names and texts of a value, in place. Only patterns may contain them.
 * @param root without cycles
 */
function makeWellFormed(root: unknown): void {
  const open = [root]
  const seen = new Set<unknown>()
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    const members = value as Record<string, unknown>
    for (const [name, inner] of Object.entries(members)) {
      const isText = typeof inner === 'string' && name !== 'pattern'
      if (!name.isWellFormed()) delete members[name]
      if (!name.isWellFormed() || (isText && !inner.isWellFormed()))
        members[name.toWellFormed()] = isText ? inner.toWellFormed() : inner
      open.push(inner)
    }
  }
}
