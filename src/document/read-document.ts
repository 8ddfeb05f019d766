/** Reads an OpenAPI document in YAML or JSON, notes its problems, and keeps the line of each part. */
import { SandboxError, type SourceLocation } from '../contract/sandbox-error.js'
import { isObject } from '../json/own-value.js'
import { toRounded } from '../json/rounding.js'
import { checkSize } from './check-size.js'
import {
  type DocumentPath,
  DocumentProblem,
  filesMember,
  isFilePlace,
  type OpenApiDocument,
  type OpenApiVersion,
  type Place,
} from './document.js'
import { linkSources, needsLinks } from './link-sources.js'
import { createNotes, type Notes } from './notes.js'
import type { Source } from './parse-source.js'
import { createPlaces } from './places.js'
import { quoteValue } from './quote-value.js'
import { createResolver } from './resolve-reference.js'
import { type Sources, singleSource } from './sources.js'
import { upgradeSchemas } from './tidy/swagger-parts.js'
import { tidyDocument } from './tidy/tidy-document.js'
import { upgradeSwagger } from './tidy/upgrade-swagger.js'

/** A document with the places to quote in errors. */
export interface DocumentSource {
  /** The document as OpenAPI 3.1. */
  document: OpenApiDocument
  /** The text of the file. */
  text: string
  /** Whether the document also includes other files or overlays. */
  isComposed: boolean
  /** The notes about the document. The compiler adds more. */
  notes: Notes
  /** Converts a problem to an error with file, line, column and code frame. */
  toError(problem: { message: string; path: Place }): SandboxError
  /** Returns where a part of the document is in its file. If the part is missing, the place of its closest parent. */
  locate(path: Place): SourceLocation
}

export interface ReadOptions {
  /** Refuses a document with any mistake. @default false */
  strict?: boolean
  /** Also finds problems that take long to find and change nothing. @default false */
  thorough?: boolean
  /** Leaves out what operations do, for a comparison of requests and answers. @default false */
  isOutline?: boolean
  /** 404: no unknown key has a record, not even one that only the caller can know. @default some have a sample */
  unknownKeys?: 404 | undefined
}

/** A violation of the official schema, with its place in the original document. */
export interface SchemaProblem {
  message: string
  path: DocumentPath
}

/** Returns the violations of the official schema of a version. */
export type DocumentCheck = (document: object, version: OpenApiVersion) => SchemaProblem[]

/**
 * Reads a document that is a single text.
 * @param file name to quote in errors
 * @throws SandboxError `INVALID_DOCUMENT` with its location, if the text cannot be parsed or is not an OpenAPI document
 */
export function readDocument(text: string, file: string, options: ReadOptions = {}): DocumentSource {
  return readSources(singleSource(text, file), options)
}

/**
 * @param sources are modified, so they can be read only once
 * @param check finds the mistakes of a document that is read thoroughly. Absent: only those that change what is read
 * @throws SandboxError `INVALID_DOCUMENT` with its location, if they are not an OpenAPI document or not overlays
 */
export function readSources(
  sources: Sources,
  { strict = false, thorough = strict }: ReadOptions = {},
  check?: DocumentCheck,
): DocumentSource {
  const { root, overlays } = sources
  const places = createPlaces(root)
  /** The place in the text of a part of the upgraded document. */
  let toWritten = (path: DocumentPath): DocumentPath => path
  const files = new Map([root, ...overlays.map(({ source }) => source)].map((source) => [source.file, source]))
  const find = (place: Place) => {
    if (!isFilePlace(place)) return places.find(toWritten(place))
    return { source: files.get(place.file) ?? root, path: place.at }
  }
  const locate = (place: Place) => {
    const { source, path } = find(place)
    return source.locate(path)
  }
  const toError = ({ message, path }: { message: string; path: Place }) =>
    new SandboxError('INVALID_DOCUMENT', message, locate(path))
  const notes = createNotes()
  const versions = new Map<string, OpenApiVersion>()
  try {
    const written = toDocument(root.value)
    const resolver = createResolver(sources, {
      mount(source, path) {
        files.set(source.file, source)
        places.set(path, { source, path: [] })
        written[filesMember] = { ...(written[filesMember] as object | undefined), [source.file]: source.value }
        if (thorough || !source.isJson) noteDuplicateKeys(source, notes)
        const own = declaredVersion(source.value)
        if (own) versions.set(source.file, own)
        if (isObject(source.value) && (own === '2.0' || isSwagger(written))) upgradeSchemas(source.value, false)
      },
      originOf: (path) => places.find(path).source,
      overlays: new Set(overlays.map(({ source }) => source)),
    })
    const hasFiles = sources.others.size > 0
    for (const { source, apply } of overlays) apply(written, source, { resolver, places, notes, hasFiles })
    const version = versionOf(written, notes)
    if (thorough || !root.isJson) noteDuplicateKeys(root, notes)
    const problems = (thorough && check?.(toRounded(written) as object, version)) || []
    const wrong = notes.mistake ?? problems[0]
    if (wrong && strict) throw toError(wrong)
    const hasLinks = hasFiles || overlays.length > 0 || needsLinks(root.text)
    const missing = hasLinks ? linkSources(written, { resolver, places, isSwagger: version === '2.0' }) : new Map()
    const why = hasLinks ? checkSize(written) : undefined
    if (why !== undefined) throw new DocumentProblem(`Failed to read the document: ${why}`, [])
    const upgraded = version === '2.0' ? upgradeSwagger(written) : undefined
    if (upgraded) toWritten = upgraded.toWritten
    const document = tidyDocument(upgraded?.document ?? written, {
      versionOf: ([first, file]) => (first === filesMember && versions.get(String(file))) || version,
      missing,
      notes,
    })
    const keyOf = (path: Place) => {
      const { source, path: inner } = find(path)
      return `${source.file} ${inner}`
    }
    const known = new Set(notes.list.map(({ path }) => keyOf(path)))
    for (const { message, path } of problems) {
      // The path of a problem refers to the original text.
      const { source, path: at } = places.find(path)
      if (!known.has(`${source.file} ${at}`)) notes.add({ file: source.file, at }, message, 'it makes no difference')
    }
    const isComposed = filesMember in document || overlays.length > 0
    return { document, text: root.text, isComposed, notes, toError, locate }
  } catch (problem) {
    throw problem instanceof DocumentProblem ? toError(problem) : problem
  }
}

function toDocument(value: unknown): Record<string, unknown> {
  if (isObject(value)) return value
  throw new DocumentProblem(noDocument, [])
}

const noDocument =
  'This is not an OpenAPI document: it has no "openapi" field at its root. Give the file that has "openapi" or "swagger" there'

function isSwagger({ openapi, swagger }: Record<string, unknown>): boolean {
  return openapi === undefined && /^2/.test(String(swagger))
}

/** The version of a file that is a complete document. */
function declaredVersion(value: unknown): OpenApiVersion | undefined {
  if (!isObject(value)) return undefined
  if (isSwagger(value)) return '2.0'
  const [version] = /^3\.[012]/.exec(String(value['openapi'])) ?? []
  return version as OpenApiVersion | undefined
}

/** The version whose rules apply. @throws DocumentProblem if the value is not an OpenAPI document */
function versionOf({ openapi, swagger, paths }: Record<string, unknown>, notes: Notes): OpenApiVersion {
  if (swagger !== undefined && openapi === undefined) {
    if (swagger === '2.0') return '2.0'
    if (!/^2/.test(String(swagger))) {
      throw new DocumentProblem(`Swagger ${quoteValue(swagger)} is not supported; only 2.0 is. Convert it first`, [
        'swagger',
      ])
    }
    notes.add(['swagger'], `swagger must be "2.0" (got ${quoteValue(swagger)})`, 'the document is read as Swagger 2.0')
    return '2.0'
  }
  // Without quotes it is a number: 3.1 or 3.
  const [, minor = '0'] = /^3(?:\.([012])|$)/.exec(String(openapi)) ?? [undefined, '1']
  const version: OpenApiVersion = minor === '0' ? '3.0' : minor === '2' ? '3.2' : '3.1'
  if (typeof openapi === 'string' && /^3\.[012]\.\d+/.test(openapi)) return version
  if (openapi === undefined && (typeof paths !== 'object' || paths === null)) {
    throw new DocumentProblem(noDocument, [])
  }
  const message = `openapi must be a version from 3.0.0 to 3.2.0 (got ${quoteValue(openapi)})`
  notes.add(['openapi'], message, `the document is read as OpenAPI ${version}`)
  return version
}

function noteDuplicateKeys(source: Source, notes: Notes): void {
  for (const { key, offset, isMerged } of source.duplicateKeys()) {
    const instead = isMerged && !source.isJson ? 'the members of both are used' : 'the last one is used'
    notes.add({ file: source.file, at: offset }, `The key "${key}" is given twice in the same object`, instead)
  }
}
