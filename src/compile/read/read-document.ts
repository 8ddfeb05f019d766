/** Reads an OpenAPI document in YAML or JSON, notes what is wrong with it, and keeps the line of each part. */
import { SandboxError } from '../../contract/sandbox-error.js'
import {
  type DocumentPath,
  DocumentProblem,
  type OpenApiDocument,
  type OpenApiVersion,
  type Place,
} from '../document.js'
import { createNotes, type Notes } from '../notes.js'
import { checkDocument } from './check-document.js'
import { parseSource, type Source } from './parse-source.js'
import { quoteValue } from './quote-value.js'
import { tidyDocument } from './tidy-document.js'
import { upgradeSwagger } from './upgrade-swagger.js'

/** A document with its text, and with the places to quote in errors. */
export interface DocumentSource {
  /** The document as OpenAPI 3.1. */
  document: OpenApiDocument
  text: string
  /** What is wrong with the document. The compiler adds to it. */
  notes: Notes
  /** Converts a problem to an error with file, line, column and code frame. */
  toError(problem: { message: string; path: Place }): SandboxError
  /** Returns the line of a part of the document, from 1. If the part is missing, the line of its closest parent. */
  lineOf(path: DocumentPath): number
}

export interface ReadOptions {
  /** Refuses a document with anything wrong in it. @default false */
  strict?: boolean
  /** Also finds what takes long to find and changes nothing. @default false */
  thorough?: boolean
}

/**
 * @param file name to quote in errors
 * @throws SandboxError `INVALID_DOCUMENT` with its location, if the text cannot be parsed or is no OpenAPI document
 */
export function readDocument(
  text: string,
  file: string,
  { strict = false, thorough = strict }: ReadOptions = {},
): DocumentSource {
  const source = parseSource(text, file)
  /** The place in the text of a part of the upgraded document. */
  let toWritten = (path: DocumentPath): DocumentPath => path
  const locate = (path: Place) => source.locate(typeof path === 'number' ? path : toWritten(path))
  const toError = ({ message, path }: { message: string; path: Place }) =>
    new SandboxError('INVALID_DOCUMENT', message, locate(path))
  const notes = createNotes()
  try {
    const version = versionOf(source.value, notes)
    if (thorough || !source.isJson) noteDuplicateKeys(source, notes)
    const problems = thorough ? checkDocument(source.value, version) : []
    const [wrong] = [...notes.list, ...problems]
    if (wrong && strict) throw toError(wrong)
    const upgraded = version === '2.0' ? upgradeSwagger(source.value as Record<string, unknown>) : undefined
    if (upgraded) toWritten = upgraded.toWritten
    const document = tidyDocument(upgraded?.document ?? (source.value as object), version, notes)
    const known = new Set(notes.list.map(({ path }) => String(typeof path === 'number' ? path : toWritten(path))))
    for (const { message, path } of problems) {
      // Its path is the one in the text.
      if (!known.has(String(path))) notes.add(source.offsetOf(path), message, 'it makes no difference')
    }
    return { document, text, notes, toError, lineOf: (path) => locate(path).line }
  } catch (problem) {
    throw problem instanceof DocumentProblem ? toError(problem) : problem
  }
}

/** The version whose rules apply. @throws DocumentProblem if the value is no OpenAPI document */
function versionOf(document: unknown, notes: Notes): OpenApiVersion {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new DocumentProblem('This is not an OpenAPI document: it has no "openapi" field at its root', [])
  }
  const { openapi, swagger, paths } = document as Record<string, unknown>
  if (swagger !== undefined && openapi === undefined) {
    if (swagger === '2.0') return '2.0'
    if (!/^2/.test(String(swagger))) {
      throw new DocumentProblem(`Swagger ${quoteValue(swagger)} is not supported; only 2.0 is`, ['swagger'])
    }
    notes.add(['swagger'], `swagger must be "2.0" (got ${quoteValue(swagger)})`, 'the document is read as Swagger 2.0')
    return '2.0'
  }
  // A number if it is written without quotes: 3.1 or 3.
  const [, minor = '0'] = /^3(?:\.([012])|$)/.exec(String(openapi)) ?? [undefined, '1']
  const version: OpenApiVersion = minor === '0' ? '3.0' : minor === '2' ? '3.2' : '3.1'
  if (typeof openapi === 'string' && /^3\.[012]\.\d+/.test(openapi)) return version
  if (openapi === undefined && (typeof paths !== 'object' || paths === null)) {
    throw new DocumentProblem('This is not an OpenAPI document: it has no "openapi" field at its root', [])
  }
  const message = `openapi must be a version from 3.0.0 to 3.2.0 (got ${quoteValue(openapi)})`
  notes.add(['openapi'], message, `the document is read as OpenAPI ${version}`)
  return version
}

function noteDuplicateKeys(source: Source, notes: Notes): void {
  for (const { key, offset, isMerged } of source.duplicateKeys()) {
    const instead = isMerged && !source.isJson ? 'the members of both are used' : 'the last one is used'
    notes.add(offset, `The key "${key}" is given twice in the same object`, instead)
  }
}
