/** Finds what describes the success of an operation: its status, and the media type and schema of its body. */
import { bareMediaType, isRange, specificityOf } from '../../contract/http/media-types.js'
import {
  type DocumentPath,
  type Located,
  type MediaTypeObject,
  type OpenApiDocument,
  type ResponseObject,
  type Schema,
  schemaOf,
} from '../../document/document.js'
import { type FlatSchema, flattenSchema, isBinary, isObjectSchema } from '../flatten-schema.js'
import { chooseSuccess } from './choose-success.js'
import { type DescribedOperation, jsonContent } from './describe-operations.js'

export interface FoundSuccess {
  status: number
  /** Absent if the response has no body. Never a range. */
  mediaType?: string
  /** The JSON schema of the body, also flattened. */
  schema?: Located<Schema>
  flat?: FlatSchema
  /** Whether the body may be any JSON, and no example says what it is. */
  isAny?: true
}

/** @returns undefined if no success is documented */
export function findSuccess(document: OpenApiDocument, operation: DescribedOperation): FoundSuccess | undefined {
  const chosen = chooseSuccess(operation)
  if (!chosen) return undefined
  const { status, response, isError } = chosen
  return { status, ...(!isError && findContent(document, response)) }
}

export function findContent(
  document: OpenApiDocument,
  response: Located<ResponseObject>,
): Omit<FoundSuccess, 'status'> {
  const json = jsonContent(response.value.content, response.path)
  if (json) {
    const { mediaType, value } = json
    const hasExample = value.example !== undefined || value.examples !== undefined
    if (value.schema === undefined || isAnything(value.schema))
      return { mediaType, ...(!hasExample && { isAny: true }) }
    const schema = schemaOf(json)
    return { mediaType, schema, flat: flattenSchema(document, schema) }
  }
  const other = otherContent(document, response.value.content, response.path)
  return other ? { mediaType: other.mediaType } : {}
}

/** Whether a schema says nothing. */
function isAnything(schema: Schema): boolean {
  return schema === true || (typeof schema === 'object' && Object.keys(schema).every((name) => name === 'description'))
}

/**
 * The most specific documented media type, or the first of equals.
 * @param content content without JSON
 */
export function otherContent(
  document: OpenApiDocument,
  content: Record<string, MediaTypeObject> | undefined,
  at: DocumentPath,
): { mediaType: string; media: Located<MediaTypeObject> } | undefined {
  const [first] = Object.entries(content ?? {}).toSorted(
    ([a], [b]) => specificityOf(bareMediaType(b)) - specificityOf(bareMediaType(a)),
  )
  if (!first) return undefined
  const [name, value] = first
  const media = { value, path: [...at, 'content', name] }
  return { mediaType: toConcrete(name, flattenSchema(document, schemaOf(media))), media }
}

/** Whether a schema describes more than bytes. */
export function isData(flat: FlatSchema): boolean {
  return !isBinary(flat.keywords) && (flat.types.size > 0 || isObjectSchema(flat))
}

/** The media type of an answer if a range is documented. */
function toConcrete(name: string, flat: FlatSchema): string {
  const bare = bareMediaType(name)
  if (!isRange(bare)) return name.trim()
  if (bare.endsWith('+xml')) return 'application/xml'
  const concrete = { image: 'image/png', text: 'text/plain', audio: 'audio/wav', video: 'video/mp4' }
  const found = Object.entries(concrete).find(([type]) => bare.startsWith(`${type}/`))?.[1]
  return found ?? (isData(flat) ? 'application/json' : 'application/octet-stream')
}
