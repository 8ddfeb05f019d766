/** Makes values of the headers that a response requires. */
import type { Located, OpenApiDocument, ParameterObject, ResponseObject, Schema } from './document.js'
import { resolve } from './references.js'
import { sample } from './schemas/sample.js'

/** Headers that every response sets itself, or that are described elsewhere (OpenAPI 3.1, section 4.8.17). */
const own = ['content-type', 'content-length', 'www-authenticate', 'allow', 'date', 'connection', 'transfer-encoding']

/** @returns undefined if no header is required */
export function compileHeaders(
  document: OpenApiDocument,
  response: Located<ResponseObject>,
): Record<string, string> | undefined {
  const headers = Object.entries(response.value.headers ?? {}).flatMap(([name, written]) => {
    const header = resolve<ParameterObject>(document, written, [...response.path, 'headers', name])
    if (header.value.required !== true || own.includes(name.toLowerCase())) return []
    return [[name, toText(sampleHeader(document, header))] as const]
  })
  return headers.length === 0 ? undefined : Object.fromEntries(headers)
}

function sampleHeader(document: OpenApiDocument, { value, path }: Located<ParameterObject>): unknown {
  const { example, schema, content } = value
  if (example !== undefined) return example
  if (schema !== undefined) return sample(document, { value: schema, path: [...path, 'schema'] })
  const [media] = Object.entries(content ?? {})
  const inner = media?.[1].schema as Schema | undefined
  return inner === undefined ? '' : JSON.stringify(sample(document, { value: inner, path: [...path, 'content'] }))
}

/** The style `simple`, without `explode` (OpenAPI 3.1, section 4.8.12.3). */
function toText(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(',')
  if (typeof value === 'object' && value !== null) return Object.entries(value).flat().map(String).join(',')
  return String(value)
}
