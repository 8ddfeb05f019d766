/** Compiles one operation of a document. */

import type { OperationSaid } from '../../behaviour/members.js'
import type { Lifecycle, Operation } from '../../contract/contract.js'
import type { DocumentedResponse } from '../../contract/documented-response.js'
import type { Effect } from '../../contract/effects/effect.js'
import type { KeyWord } from '../../contract/request-model.js'
import type { Located, OpenApiDocument, ResponseObject, Schema } from '../../document/document.js'
import type { Notes } from '../../document/notes.js'
import { withLazy } from '../../document/once.js'
import { fromJson } from '../../json/exact-json.js'
import type { PlanCompiler } from '../../schemas/compile-plans.js'
import type { ShapeCompiler } from '../../schemas/compile-shapes.js'
import type { TextTypeCompiler } from '../../schemas/compile-text-types.js'
import type { ValidatorCompiler } from '../../schemas/compile-validators.js'
import type { XmlCompiler } from '../../schemas/compile-xml.js'
import { type DescribedOperation, isErrorStatus, jsonContent } from '../../schemas/operations/describe-operations.js'
import { findStreamProperty } from '../../schemas/operations/streams.js'
import type { CompiledServers } from '../compile-servers.js'
import { sampleNamed } from '../samples/sample-body.js'
import { compileBody } from './compile-body.js'
import type { EnsureCompiler } from './compile-ensure.js'
import type { ErrorBodyCompiler } from './compile-error-body.js'
import { compileHeaders } from './compile-headers.js'
import { compileParameters } from './compile-parameters.js'
import { compileRepresentations } from './compile-representations.js'
import type { CompiledSchemes } from './compile-security.js'
import { describeContent } from './compile-success.js'
import { findForgiven } from './find-forgiven.js'

/** Compilers that all operations share. */
export interface OperationContext {
  document: OpenApiDocument
  notes: Notes
  servers: CompiledServers
  security: CompiledSchemes
  shapes: ShapeCompiler
  textTypes: TextTypeCompiler
  validators: ValidatorCompiler
  recordValidators: ValidatorCompiler
  ensures: EnsureCompiler
  errorBodies: ErrorBodyCompiler
  plans: PlanCompiler
  xml: XmlCompiler
  isExact?: boolean | undefined
}

/** Parts that are inferred from all operations together. */
export interface InferredParts {
  effect: Effect
  /** Schema of the record that the operation writes. Undefined if it writes none. */
  written: Located<Schema> | undefined
  lifecycle: Lifecycle
  lines: OperationSaid
}

export function compileOperation(
  context: OperationContext,
  described: DescribedOperation,
  { effect, written, lifecycle, lines }: InferredParts,
): Operation {
  const { servers, security, validators } = context
  const { parameters, path, others } = compileParameters(
    context,
    described,
    'parameter' in effect ? effect.parameter : undefined,
  )
  const operation: Operation = {
    id: described.id,
    method: described.method,
    path: described.servedPath ?? described.path,
    servers: servers.namesOf(described),
    parameters,
    security: security.securityOf(described),
    responses: [...described.responses].map(([status, response]) => {
      return compileResponse(context, status, response, lines)
    }),
    lifecycle,
    effect,
  }
  const alternatives = described.value.security ?? context.document.security ?? []
  if (operation.security.length === 0 && alternatives.some((each) => Object.keys(each).length > 0))
    operation.hasOptionalKey = true
  if (!context.isExact && operation.path !== '/') operation.equivalentPath = withOtherEnd(operation.path)
  const invalidStatus = lines.value('invalidStatus')
  if (invalidStatus !== undefined) operation.invalidStatus = invalidStatus
  const conflictStatus = lines.value('conflictStatus')
  if (conflictStatus !== undefined) operation.conflictStatus = conflictStatus
  const invalidPath = lines.value('invalidPath')
  if (invalidPath !== undefined) operation.invalidPath = invalidPath
  if (described.selector) operation.selector = described.selector
  if (Object.keys(path).length > 0) operation.validatePath = validators.addObject(path)
  if (Object.keys(others).length > 0) operation.validateParameters = validators.addObject(others)
  const body = compileBody(context, described, effect, written)
  if (body) operation.body = body
  if (!context.isExact) withLazy(operation, 'forgiven', () => findForgiven(context.document, described))
  const keyWords = context.isExact ? undefined : compileKeyWords(lines, effect)
  if (keyWords) operation.keyWords = keyWords
  const representations = compileRepresentations(context, described, effect)
  if (representations) operation.representations = representations
  if (representations?.some(({ from }) => from === 'stream')) {
    const property = findStreamProperty(context.document, described)
    if (property !== undefined) operation.streamedBy = property
  }
  return operation
}

/** With a slash at the end of the path, or without it. */
function withOtherEnd(template: string): string {
  const [path = '', ...query] = template.split('?')
  return [path.endsWith('/') ? path.slice(0, -1) : `${path}/`, ...query].join('?')
}

/** With the named examples of a response, which few requests ask for. */
function compileResponse(
  context: OperationContext,
  status: string,
  response: Located<ResponseObject>,
  lines: OperationSaid,
): DocumentedResponse {
  const compiled = compileBodyOf(context, status, response, lines)
  const content = Object.values(response.value.content ?? {})
  if (!content.some(({ examples }) => examples && Object.keys(examples).length > 0)) return compiled
  return withLazy(compiled, 'examples', () => sampleNamed(context.document, response))
}

function compileBodyOf(
  { document, ensures, errorBodies }: OperationContext,
  status: string,
  response: Located<ResponseObject>,
  lines: OperationSaid,
): DocumentedResponse {
  const headers = compileHeaders(document, response)
  const compiled: DocumentedResponse = {
    status: status === 'default' ? status : status.toUpperCase(),
    ...(headers && { headers }),
  }
  const isError = isErrorStatus(status)
  const error = lines.value('errorBody', status)
  if (error) return { ...compiled, error: errorBodies(error) }
  if (isError && !jsonContent(response.value.content, response.path)) return compiled
  const content = describeContent(document, response)
  const { mediaType, schema, base64 } = content
  if (mediaType === undefined || base64 !== undefined)
    return { ...compiled, ...(mediaType !== undefined && { mediaType, base64 }) }
  const toExample = () => content.example ?? 'null'
  const ensure = schema && ensures.addFor(schema, () => fromJson(toExample()))
  return withLazy({ ...compiled, mediaType, ...(ensure && { ensure }) }, 'example', toExample)
}

/**
 * Finds words that callers may send in place of a key.
 * @returns the words for each parameter of the path that is the key of a record. Undefined if there are none
 */
function compileKeyWords(lines: OperationSaid, effect: Effect): KeyWord[] | undefined {
  const placed = 'place' in effect ? (effect.place?.values ?? []) : []
  const own =
    'parameter' in effect && effect.parameter !== undefined ? [{ ...effect, parameter: effect.parameter }] : []
  const found = [...placed, ...own].flatMap(({ parameter, collection }): KeyWord[] => {
    const words = lines.value('keyWords', parameter) ?? []
    return words.length > 0 && collection !== undefined ? [{ parameter, words, collection }] : []
  })
  return found.length > 0 ? found : undefined
}
