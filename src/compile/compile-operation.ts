/** Compiles one operation of a document. */

import type { Body, DocumentedResponse, Effect, Lifecycle, Operation } from '../contract/contract.js'
import { compileErrorBody } from './compile-errors.js'
import { compileParameters } from './compile-parameters.js'
import { compileSecurity } from './compile-security.js'
import type { CompiledServers } from './compile-servers.js'
import { type DescribedOperation, isJson, jsonContent } from './describe-operations.js'
import type { Located, OpenApiDocument, ResponseObject, Schema } from './document.js'
import type { ShapeCompiler } from './schemas/compile-shapes.js'
import type { ValidatorCompiler } from './schemas/compile-validators.js'
import { sampleMediaType } from './schemas/sample.js'

/** What is compiled across operations. */
export interface OperationContext {
  document: OpenApiDocument
  servers: CompiledServers
  shapes: ShapeCompiler
  validators: ValidatorCompiler
  recordValidators: ValidatorCompiler
}

export function compileOperation(
  context: OperationContext,
  described: DescribedOperation,
  effect: Effect,
  lifecycle: Lifecycle,
): Operation {
  const { document, servers, validators } = context
  const { parameters, path, others } = compileParameters(document, described)
  const operation: Operation = {
    id: described.id,
    method: described.method,
    path: described.path,
    servers: servers.namesOf(described),
    parameters,
    security: compileSecurity(document, described),
    responses: [...described.responses].map(([status, response]) => compileResponse(context, status, response)),
    lifecycle,
    effect,
  }
  if (Object.keys(path).length > 0) operation.validatePath = validators.addObject(path)
  if (Object.keys(others).length > 0) operation.validateParameters = validators.addObject(others)
  const body = compileBody(context, described)
  if (body) operation.body = body
  return operation
}

/** A body of another media type than JSON is neither read nor judged. */
function compileBody({ shapes, validators }: OperationContext, { body }: DescribedOperation): Body | undefined {
  const json = body && jsonContent(body.value.content, body.path)
  if (!json) return undefined
  const schema: Located<Schema> = { value: json.value.schema ?? true, path: [...json.path, 'schema'] }
  return {
    required: body.value.required === true,
    mediaTypes: Object.keys(body.value.content)
      .filter(isJson)
      .map((mediaType) => mediaType.toLowerCase()),
    validate: validators.add(schema, 'request'),
    shape: shapes.add(schema, 'request'),
  }
}

function compileResponse(
  { document, validators }: OperationContext,
  status: string,
  response: Located<ResponseObject>,
): DocumentedResponse {
  const compiled: DocumentedResponse = { status: status === 'default' ? status : status.toUpperCase() }
  const json = jsonContent(response.value.content, response.path)
  if (!json) return compiled
  if (json.value.schema) validators.check({ value: json.value.schema, path: [...json.path, 'schema'] })
  const error = /^([45]|default)/.test(status) ? compileErrorBody(document, response) : undefined
  if (error) return { ...compiled, error }
  const example = JSON.stringify(sampleMediaType(document, json)) ?? 'null'
  return { ...compiled, mediaType: json.mediaType, example }
}
