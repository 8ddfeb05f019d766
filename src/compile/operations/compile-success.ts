/** Finds the documented success response of an operation. */
import type { Success } from '../../contract/effects/effect.js'
import {
  type Located,
  type OpenApiDocument,
  type ResponseObject,
  type Schema,
  schemaOf,
} from '../../document/document.js'
import { withLazy } from '../../document/once.js'
import { type FlatSchema, flattenSchema } from '../../schemas/flatten-schema.js'
import { type DescribedOperation, jsonContent } from '../describe-operations.js'
import { sampleBody, toJsonExample } from '../samples/sample-body.js'
import { chooseSuccess } from './choose-success.js'
import { compileHeaders, compileRedirect } from './compile-headers.js'

export interface DescribedSuccess extends Success {
  /** The JSON schema of the body, also flattened. */
  schema?: Located<Schema>
  flat?: FlatSchema
  /** JSON text, or text of another media type. */
  example?: string
  /** In place of text, the bytes of a file in Base64. */
  base64?: string
}

/** @returns undefined if no success is documented */
export function describeSuccess(
  document: OpenApiDocument,
  operation: DescribedOperation,
): DescribedSuccess | undefined {
  const chosen = chooseSuccess(operation)
  if (!chosen) return undefined
  const { status, response, isError } = chosen
  if (isError) return { status }
  const headers = redirects.has(status) ? compileRedirect(document, response) : compileHeaders(document, response)
  return Object.assign(describeContent(document, response), { status, ...(headers && { headers }) })
}

/** Statuses that lead to another address (RFC 9110, section 15.4). */
const redirects = new Set([301, 302, 303, 307, 308])

/** Whether a schema says nothing. */
function isAnything(schema: Schema): boolean {
  return schema === true || (typeof schema === 'object' && Object.keys(schema).every((name) => name === 'description'))
}

export function describeContent(
  document: OpenApiDocument,
  response: Located<ResponseObject>,
): Omit<DescribedSuccess, 'status'> {
  const json = jsonContent(response.value.content, response.path)
  if (json) {
    const { mediaType, value } = json
    const toExample = () => toJsonExample(document, json)
    if (value.schema === undefined || isAnything(value.schema)) return withLazy({ mediaType }, 'example', toExample)
    const schema = schemaOf(json)
    return withLazy({ mediaType, schema, flat: flattenSchema(document, schema) }, 'example', toExample)
  }
  const other = sampleBody(document, response.value.content, response.path)
  if (!other) return {}
  const { mediaType, base64 } = other
  return base64 === undefined ? withLazy({ mediaType }, 'example', () => other.text ?? '') : { mediaType, base64 }
}
