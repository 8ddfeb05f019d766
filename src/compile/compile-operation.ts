/** Compiles one operation of a document. */

import type { BodyContent, CodecName, Effect, Lifecycle, Operation, RequestBody } from '../contract/contract.js'
import type { DocumentedResponse } from '../contract/documented-response.js'
import type { EnsureCompiler } from './compile-ensure.js'
import { compileErrorBody } from './compile-error-body.js'
import { compileHeaders } from './compile-headers.js'
import { compileParameters } from './compile-parameters.js'
import { compileSecurity } from './compile-security.js'
import type { CompiledServers } from './compile-servers.js'
import { type DescribedOperation, jsonContent } from './describe-operations.js'
import type { Located, OpenApiDocument, ResponseObject, Schema } from './document.js'
import { withLazy } from './lazy-value.js'
import { bareMediaType, codecOf, patches } from './media-types.js'
import type { Notes } from './notes.js'
import type { PlanCompiler } from './schemas/compile-plans.js'
import type { ShapeCompiler } from './schemas/compile-shapes.js'
import type { ValidatorCompiler } from './schemas/compile-validators.js'
import { sampleMediaType } from './schemas/sample.js'

/** Compilers that all operations share. */
export interface OperationContext {
  document: OpenApiDocument
  notes: Notes
  servers: CompiledServers
  shapes: ShapeCompiler
  validators: ValidatorCompiler
  recordValidators: ValidatorCompiler
  ensures: EnsureCompiler
  plans: PlanCompiler
}

/** What is inferred from all operations together. */
export interface InferredParts {
  effect: Effect
  /** Schema of the record that the operation writes. Undefined if it writes none. */
  written: Located<Schema> | undefined
  lifecycle: Lifecycle
}

export function compileOperation(
  context: OperationContext,
  described: DescribedOperation,
  { effect, written, lifecycle }: InferredParts,
): Operation {
  const { document, servers, validators, notes } = context
  const { parameters, path, others } = compileParameters(
    document,
    described,
    'parameter' in effect ? effect.parameter : undefined,
  )
  const operation: Operation = {
    id: described.id,
    method: described.method,
    path: described.servedPath ?? described.path,
    servers: servers.namesOf(described),
    parameters,
    security: compileSecurity(document, described, notes),
    responses: [...described.responses].map(([status, response]) => compileResponse(context, status, response)),
    lifecycle,
    effect,
  }
  if (described.selector) operation.selector = described.selector
  if (Object.keys(path).length > 0) operation.validatePath = validators.addObject(path)
  if (Object.keys(others).length > 0) operation.validateParameters = validators.addObject(others)
  const body = compileBody(context, described, effect, written)
  if (body) operation.body = body
  return operation
}

/** A body without a codec for any of its media types is neither read nor validated. */
function compileBody(
  { shapes, validators }: OperationContext,
  { body }: DescribedOperation,
  effect: Effect,
  record: Located<Schema> | undefined,
): RequestBody | undefined {
  if (!body) return undefined
  // The first one that fits a request is used, and the wildcard fits all.
  const isAny = (name: string) => Number(bareMediaType(name) === '*/*')
  const written = Object.entries(body.value.content).toSorted(([a], [b]) => isAny(a) - isAny(b))
  const content = written.flatMap(([name, media]): BodyContent[] => {
    const mediaType = bareMediaType(name)
    const codec = codecOf(mediaType)
    if (!codec) return []
    const path = [...body.path, 'content', name, 'schema']
    const schema: Located<Schema> = { value: media.schema ?? true, path }
    const shape = codec === 'json-patch' ? 0 : shapes.add(schema, 'request', record)
    const own = { mediaType, codec, validate: validators.add(schema, 'request'), shape }
    if (mediaType !== '*/*' || effect.kind !== 'update') return [own]
    // Any media type includes patches. The schema describes a record, so only their result is validated.
    const validate = validators.add({ value: true, path }, 'request')
    const toPatch = ([type, patch]: [string, CodecName]): BodyContent => {
      return { mediaType: type, codec: patch, validate, shape: patch === 'json-patch' ? 0 : shape }
    }
    return [...Object.entries(patches).map(toPatch), own]
  })
  return content.length === 0 ? undefined : { required: body.value.required === true, content }
}

function compileResponse(
  { document, ensures }: OperationContext,
  status: string,
  response: Located<ResponseObject>,
): DocumentedResponse {
  const headers = compileHeaders(document, response)
  const compiled: DocumentedResponse = {
    status: status === 'default' ? status : status.toUpperCase(),
    ...(headers && { headers }),
  }
  const json = jsonContent(response.value.content, response.path)
  if (!json) return compiled
  const error = /^([45]|default)/.test(status) ? compileErrorBody({ document, ensures }, response) : undefined
  if (error) return { ...compiled, error }
  const { mediaType, value } = json
  const toExample = () => sampleMediaType(document, json) ?? null
  const schema = value.schema === undefined ? undefined : { value: value.schema, path: [...json.path, 'schema'] }
  const ensure = schema && ensures.addFor(schema, toExample)
  const example = { ...compiled, mediaType, ...(ensure && { ensure }) }
  return withLazy(example, 'example', () => JSON.stringify(toExample()))
}
