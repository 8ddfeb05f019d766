/** Reads a document with all files that it refers to, and its overlays. */
import { SandboxError } from '../contract/sandbox-error.js'
import { hasScheme, isForeign, isUrl, normalizePath, resolveLocation, splitReference, whyForeign } from './locations.js'
import { parseSource, type Source } from './parse-source.js'
import type { Sources } from './sources.js'

/** A text with its location, which for a URL is that after redirects. */
export interface ReadText {
  text: string
  location: string
}

/** A text that is not read. */
export interface SourceText {
  /** Name to quote in errors. */
  file: string
  text: string
}

export interface LoadOptions {
  /**
   * Reads a file or URL.
   * @param isReferred whether a document names it instead of the user
   * @throws SandboxError `UNREADABLE_FILE`
   */
  read(location: string, isReferred: boolean): Promise<ReadText>
  /** Files or URLs of overlays, or their texts. */
  overlays?: readonly (string | SourceText)[] | undefined
  /** Whether the URLs that a document refers to are requested. @default false */
  allowRemoteRefs?: boolean | undefined
}

const maxFiles = 10_000
/** Maximum characters of all files of a document. */
const maxCharacters = 256 * 1024 ** 2
/** Maximum files that are read at the same time. */
const maxReaders = 16

/**
 * @param spec path or URL of the document, or the document itself
 * @throws SandboxError if the document or an overlay cannot be read
 */
export async function loadSources(
  spec: string | SourceText,
  { read, overlays = [], allowRemoteRefs = false }: LoadOptions,
): Promise<Sources> {
  const [root, ...applied] = await Promise.all([open(spec), ...overlays.map(open)])
  const others = new Map<string, Source | string>()
  const waiting: string[] = []
  let characters = root.text.length
  find(root.value, root)
  // A `$ref` in an overlay is relative to the document, but has the origin of the overlay.
  for (const overlay of applied) find(overlay.value, root, overlay)
  const known = new Set([root.file, root.location])
  await readWaiting()
  if (applied.length === 0) return { root, others, overlays: [] }
  const { applyOverlay } = await import('./apply-overlay.js')
  return { root, others, overlays: applied.map((source) => ({ source, apply: applyOverlay })) }

  async function open(location: string | SourceText): Promise<Source> {
    if (typeof location !== 'string') return parseSource(location.text, location.file)
    const found = await read(location, false)
    return parseSource(found.text, location, isUrl(location) ? found.location : normalizePath(found.location))
  }

  /** Adds the files that any part of a value refers to. A false match only costs reading a file. */
  function find(value: unknown, source: Source, origin: Source = source): void {
    for (const $ref of findReferences(value)) {
      const [file] = splitReference($ref)
      if (file === '') continue
      const location = resolveLocation(source.location, file)
      if (!others.has(location) && !isForeign(origin.location, location)) {
        others.set(location, 'it was not read')
        waiting.push(location)
      }
    }
  }

  async function readWaiting(): Promise<void> {
    const readers = new Set<Promise<void>>()
    while (waiting.length > 0 || readers.size > 0) {
      for (const location of waiting.splice(0, maxReaders - readers.size)) {
        const reader = readOther(location).then((source) => {
          others.set(location, source)
          readers.delete(reader)
        })
        readers.add(reader)
      }
      await Promise.race(readers)
    }
  }

  async function readOther(location: string): Promise<Source | string> {
    if (known.has(location)) return root
    if (/^file:/i.test(location)) return whyForeign
    if (!isUrl(location) && hasScheme(location)) return 'only files and http(s) URLs can be read'
    if (isUrl(location) && !allowRemoteRefs) return 'a URL in a document is requested only with --allow-remote-refs'
    if (others.size > maxFiles) return `the document has more than ${maxFiles} files`
    try {
      const { text, location: found } = await read(location, true)
      characters += text.length
      if (characters > maxCharacters) return `the files of the document have more than ${maxCharacters} characters`
      const source = parseSource(text, location, found)
      find(source.value, source)
      return source
    } catch (error) {
      if (error instanceof SandboxError) return reasonOf(error)
      throw error
    }
  }
}

/** The reason without the name of the file, which is already in the note. */
function reasonOf({ message, location }: SandboxError): string {
  const why = message.replace(/^Failed to read [^:]*?(?:"[^"]*")?: /, '')
  return location ? `${location.file}:${location.line}:${location.column}: ${why}` : why
}

/** All texts in `$ref`s, discriminator mappings and the `externalValue`s of examples. */
function findReferences(root: unknown): Set<string> {
  const found = new Set<string>()
  const seen = new Set<unknown>()
  const open: unknown[] = [root]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    for (const [name, inner] of Object.entries(value)) {
      if (typeof inner === 'object') open.push(inner)
      else if ((name === '$ref' || name === 'externalValue') && typeof inner === 'string') found.add(inner)
    }
    const { mapping } = value as { mapping?: unknown }
    if (typeof mapping !== 'object' || mapping === null) continue
    for (const each of Object.values(mapping)) if (typeof each === 'string' && /[./]/.test(each)) found.add(each)
  }
  return found
}
