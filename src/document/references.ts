/** Follows the `$ref`s of a document (RFC 6901, and OpenAPI 3.1, section 4.8.23). */
import { getOrInsert } from '../json/own-value.js'
import {
  type DocumentPath,
  DocumentProblem,
  isReference,
  type Located,
  type OpenApiDocument,
  type Reference,
} from './document.js'
import { oncePer } from './once.js'

/** Resolves `$ref`s to a value. @throws DocumentProblem for a dangling, circular or external `$ref` */
export function resolve<T>(document: OpenApiDocument, value: T | Reference, path: DocumentPath): Located<T> {
  const seen = new Set<string>()
  let current: Located<T | Reference> = { value, path }
  while (isReference(current.value)) {
    const { $ref } = current.value
    if (seen.has($ref)) throw new DocumentProblem(`$ref "${$ref}" leads back to itself`, current.path)
    seen.add($ref)
    current = followOnce(document, current.value, current.path)
  }
  return current as Located<T>
}

/** Caches paths by document and `$ref`, because a document has far more `$ref`s than targets. */
const pathsOf = oncePer((_: OpenApiDocument) => new Map<string, DocumentPath>())

/** The target of a `$ref`, which may be another `$ref`. @throws DocumentProblem for a dangling or external `$ref` */
export function followOnce<T>(
  document: OpenApiDocument,
  { $ref }: Reference,
  from: DocumentPath,
): Located<T | Reference> {
  const path = getOrInsert(pathsOf(document), $ref, () => fromPointer($ref, from))
  return { value: valueAt(document, path, $ref, from) as T | Reference, path }
}

/** Converts a pointer such as `#/a/b~1c` to a path. @throws DocumentProblem if it points outside the file */
export function fromPointer($ref: string, from: DocumentPath): DocumentPath {
  if (!$ref.startsWith('#/')) {
    throw new DocumentProblem(
      `$ref "${$ref}" points outside the file; bundle the document into one file first (e.g. "redocly bundle")`,
      from,
    )
  }
  const parts = $ref.slice(2).split('/')
  if (!/[%~]/.test($ref)) return parts
  try {
    return parts.map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
  } catch {
    throw new DocumentProblem(`$ref "${$ref}" is not a valid URI: its percent-encoding is malformed`, from)
  }
}

/** Converts a path to a pointer for a `$ref` (RFC 6901, section 6). */
export function toPointer(path: DocumentPath): string {
  return `#${path.map((part) => `/${encodeURIComponent(String(part).replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')}`
}

function valueAt(document: OpenApiDocument, target: DocumentPath, $ref: string, from: DocumentPath): unknown {
  let value: unknown = document
  for (const part of target) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) {
      throw new DocumentProblem(`$ref "${$ref}" points to nothing: there is no "${part}"`, from)
    }
    value = (value as Record<string, unknown>)[part]
  }
  return value
}
