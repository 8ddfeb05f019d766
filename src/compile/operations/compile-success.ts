/** Finds the documented success response of an operation. */
import type { Success } from '../../contract/effects/effect.js'
import type { Located, OpenApiDocument, ResponseObject } from '../../document/document.js'
import { withLazy } from '../../document/once.js'
import { chooseSuccess } from '../../schemas/operations/choose-success.js'
import { type DescribedOperation, jsonContent } from '../../schemas/operations/describe-operations.js'
import { type FoundSuccess, findContent } from '../../schemas/operations/find-success.js'
import { sampleBody, toJsonExample } from '../samples/sample-body.js'
import { compileHeaders, compileRedirect } from './compile-headers.js'

export interface DescribedSuccess extends Success, FoundSuccess {
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

export function describeContent(
  document: OpenApiDocument,
  response: Located<ResponseObject>,
): Omit<DescribedSuccess, 'status'> {
  const found = findContent(document, response)
  const json = jsonContent(response.value.content, response.path)
  if (json) return withLazy({ ...found }, 'example', () => toJsonExample(document, json))
  const other = sampleBody(document, response.value.content, response.path)
  if (!other) return {}
  const { mediaType, base64 } = other
  return base64 === undefined ? withLazy({ mediaType }, 'example', () => other.text ?? '') : { mediaType, base64 }
}
