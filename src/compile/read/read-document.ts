/** Reads an OpenAPI document in YAML or JSON, and keeps the line of each part. */
import { isMap, isPair, isSeq, LineCounter, type Node, parseDocument, visit } from 'yaml'
import { SandboxError, type SourceLocation } from '../../contract/sandbox-error.js'
import { type DocumentPath, DocumentProblem, type OpenApiDocument } from '../document.js'
import { checkDocument } from './check-document.js'
import { upgradeDocument } from './upgrade-document.js'

/** A document with its text, and with the places to quote in errors. */
export interface DocumentSource {
  /** The document, upgraded to OpenAPI 3.1 if necessary. */
  document: OpenApiDocument
  text: string
  /** Converts a problem to an error with file, line, column and code frame. */
  toError(problem: DocumentProblem): SandboxError
  /** Returns the line of a part of the document, from 1. If the part is missing, the line of its closest parent. */
  lineOf(path: DocumentPath): number
}

/**
 * @param file name to quote in errors
 * @throws SandboxError `INVALID_DOCUMENT` with its location
 */
export function readDocument(text: string, file: string): DocumentSource {
  const lines = new LineCounter()
  const parsed = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true, merge: true })
  const toErrorAt = (message: string, offset: number): SandboxError => {
    const location = toLocation(text, file, lines.linePos(offset))
    return new SandboxError('INVALID_DOCUMENT', message, location)
  }
  const [syntaxError] = parsed.errors
  if (syntaxError) {
    const isSecond = syntaxError.code === 'MULTIPLE_DOCS'
    const why = isSecond ? 'a second document begins here; a file must have only one' : syntaxError.message
    throw toErrorAt(`Failed to read the document: ${why}`, syntaxError.pos[0])
  }

  visit(parsed, {
    Alias(_, alias) {
      if (alias.resolve(parsed)) return
      throw toErrorAt(`Failed to read the document: unknown anchor "&${alias.source}"`, alias.range?.[0] ?? 0)
    },
  })

  const toError = ({ message, path }: DocumentProblem) => toErrorAt(message, offsetOf(parsed.contents, path))
  try {
    const written: unknown = parsed.toJS({ maxAliasCount: 1000 })
    const version = checkDocument(written)
    const document = (version === '3.0' ? upgradeDocument(written) : written) as OpenApiDocument
    const lineOf = (path: DocumentPath) => lines.linePos(offsetOf(parsed.contents, path)).line
    return { document, text, toError, lineOf }
  } catch (problem) {
    if (problem instanceof DocumentProblem) throw toError(problem)
    throw new SandboxError('INVALID_DOCUMENT', `Failed to read the document "${file}": ${(problem as Error).message}`)
  }
}

/** The offset of the deepest existing part of the path: of its key, if it has one. */
function offsetOf(root: Node | null, path: DocumentPath): number {
  let node: unknown = root
  let offset = root?.range?.[0] ?? 0
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isPair(item) && String(item.key) === String(part))
      if (!pair) return offset
      offset = (pair.key as Node).range?.[0] ?? offset
      node = pair.value
    } else if (isSeq(node)) {
      node = node.items[Number(part)]
      offset = (node as Node | undefined)?.range?.[0] ?? offset
    } else return offset
  }
  return offset
}

function toLocation(text: string, file: string, at: { line: number; col: number }): SourceLocation {
  const line = Math.max(at.line, 1)
  const column = Math.max(at.col, 1)
  const lines = text.split(/\r?\n/)
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
  return { file, line, column, frame: frame.join('\n') }
}

const maxFrameWidth = 160
