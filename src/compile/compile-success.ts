/** Finds the documented success response of an operation. */
import type { Method } from '../contract/contract.js'
import type { Success } from '../contract/effect.js'
import { compileHeaders } from './compile-headers.js'
import { type DescribedOperation, jsonContent } from './describe-operations.js'
import type { Located, OpenApiDocument, ResponseObject, Schema } from './document.js'
import { withLazy } from './lazy-value.js'
import { sampleBody, toJsonExample } from './samples/sample-body.js'
import { type FlatSchema, flattenSchema } from './schemas/flatten-schema.js'

export interface DescribedSuccess extends Success {
  /** The JSON schema of the body, also flattened. */
  schema?: Located<Schema>
  flat?: FlatSchema
  /** JSON text, or text of another media type. */
  example?: string
  /** In place of text, the bytes of a file in Base64. */
  base64?: string
}

/** Statuses for the range `2XX`, unless `x-sandbox-status` sets one from 200 to 299. */
const usual: Partial<Record<Method, number>> = { POST: 201, DELETE: 204 }

/** @returns undefined if no 2xx response is documented */
export function describeSuccess(
  document: OpenApiDocument,
  operation: DescribedOperation,
): DescribedSuccess | undefined {
  const documented = [...operation.responses].filter(([status]) => /^2(\d\d|XX)$/i.test(status))
  const [first] = documented.toSorted(([a], [b]) => a.localeCompare(b))
  if (!first) return undefined
  const [status, response] = first
  const chosen = Number(response.value['x-sandbox-status'])
  const range = chosen >= 200 && chosen <= 299 && Number.isInteger(chosen) ? chosen : (usual[operation.method] ?? 200)
  const headers = compileHeaders(document, response)
  const success = { status: /XX/i.test(status) ? range : Number(status), ...(headers && { headers }) }
  return Object.assign(describeContent(document, response), success)
}

function describeContent(
  document: OpenApiDocument,
  response: Located<ResponseObject>,
): Omit<DescribedSuccess, 'status'> {
  const json = jsonContent(response.value.content, response.path)
  if (json) {
    const { mediaType, value } = json
    const toExample = () => toJsonExample(document, json)
    if (value.schema === undefined) return withLazy({ mediaType }, 'example', toExample)
    const schema = { value: value.schema, path: [...json.path, 'schema'] }
    return withLazy({ mediaType, schema, flat: flattenSchema(document, schema) }, 'example', toExample)
  }
  const other = sampleBody(document, response.value.content, response.path)
  if (!other) return {}
  const { mediaType, text, base64 } = other
  return base64 === undefined ? { mediaType, example: text ?? '' } : { mediaType, base64 }
}
