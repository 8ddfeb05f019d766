/** Compiles the documented schema of an error response to a body that a refusal can fill in. */

import type { ErrorBody, ErrorPart, UsualField } from '../../contract/documented-response.js'
import type { EffectKind } from '../../contract/effects/effect.js'
import { bareMediaType, codecOf, isRange, isXml } from '../../contract/http/media-types.js'
import {
  isReference,
  type Located,
  type OpenApiDocument,
  type ResponseObject,
  type Schema,
  schemaOf,
} from '../../document/document.js'
import { toPointer } from '../../document/references.js'
import { toJson } from '../../json/exact-json.js'
import { getOrInsert } from '../../json/own-value.js'
import { flattenSchema, placeOf } from '../../schemas/flatten-schema.js'
import { type DescribedOperation, jsonContent } from '../../schemas/operations/describe-operations.js'
import { exampleOf } from '../samples/sample.js'
import type { EnsureCompiler } from './compile-ensure.js'
import {
  collectErrorBodies,
  type ErrorContent,
  errorContent,
  findUndescribed,
  withoutOthers,
} from './error-examples.js'
import type { ErrorResponse } from './error-facts.js'
import { compileErrorPart } from './error-parts.js'

/** The fields of an error body if none is documented. */
export const usualFields: UsualField[] = ['code', 'message', 'status']

/** Compiles the error bodies of a document, each schema once. */
export interface ErrorBodyCompiler {
  /**
   * The body of a response. If it has none, that of `default` of the same operation, or the usual one of its status.
   * @param effect of the operation
   * @returns undefined if none is documented
   */
  compile(
    status: string,
    response: Located<ResponseObject>,
    responses: DescribedOperation['responses'],
    effect: EffectKind,
  ): ErrorBody | undefined
  /** The body that most error responses of the document have. */
  compileUsual(): ErrorBody | undefined
  /** The body of a document without error responses, if its schemas show one with a message. */
  compileUndescribed(): ErrorBody | undefined
}

export function createErrorBodyCompiler(document: OpenApiDocument, ensures: EnsureCompiler): ErrorBodyCompiler {
  const known = new Map<string, ErrorBody>()
  const { findExamples, findUsual } = collectErrorBodies(document)

  return {
    compile(status, response, responses, effect) {
      const isOfState = effect === 'action' || effect === 'remove'
      const { content } = response.value
      if (content && Object.keys(content).length > 0) {
        const json = jsonContent(content, response.path)
        return json ? compileContent(status, json, isOfState) : compileText(response)
      }
      const others = responses.get('default')
      const found = others && errorContent(others)
      return found ? compileContent(status, found, isOfState) : compileUsual(status, isOfState)
    },
    compileUsual: () => compileUsual(),
    compileUndescribed() {
      const content = findUndescribed(document)
      const body = content && compileContent('default', content)
      return toJson(body)?.includes('"message"') ? body : undefined
    },
  }

  /** The most frequent body, of which an object says more than a text. */
  function compileUsual(status?: string, isOfState?: boolean): ErrorBody | undefined {
    const contents = findUsual(status).slice(0, maxUsual)
    const bodies = contents.flatMap((content) => compileContent(status ?? 'default', content, isOfState) ?? [])
    return (
      bodies.find(({ fields, part }) => fields ?? (part?.from === 'object' && part.members.length > 0)) ?? bodies[0]
    )
  }

  function compileContent(status: string, content: ErrorContent, isOfState = false): ErrorBody | undefined {
    if (content.value.schema === undefined) return undefined
    const { mediaType } = content
    const schema = schemaOf(content)
    const shown = exampleOf(document, content)
    const at = toPointer(content.path)
    const examples = withoutOthers(findExamples(schema), at, isOfState)
    const source = { status, at, examples }
    const isOwn = examples.some((each) => each.at === at)
    const kept = examples.map(({ code }) => code).join()
    const variant = examples.length > 0 ? `${status} ${isOwn ? at : ''} ${kept}` : ''
    const id = `${mediaType} ${placeOf(document, schema)} ${toJson(shown)} ${variant}`
    return getOrInsert(known, id, () => compile(schema, mediaType, shown, source))
  }

  function compile(schema: Located<Schema>, mediaType: string, shown: unknown, source: ErrorResponse): ErrorBody {
    const part = compileErrorPart(document, schema.value, shown, source)
    const fields = toUsual(document, schema, part)
    const isMade = schema.path.length === 1 && !isReference(schema.value)
    const toSample = () => fields && Object.fromEntries(fields.map((name) => [name, samples[name]]))
    const ensure = isMade ? undefined : ensures.addFor(schema, toSample)
    return { mediaType, ...(fields ? { fields } : { part }), ...(ensure && { ensure }) }
  }
}

/** The maximum schemas of which one is chosen as the usual one. */
const maxUsual = 3

/** An error body that is not JSON. */
function compileText({ value }: Located<ResponseObject>): ErrorBody | undefined {
  const names = Object.keys(value.content ?? {}).filter((name) => !isRange(name))
  const text = names.find((name) => codecOf(bareMediaType(name)) === 'text')
  const name = text ?? names.find(isXml)
  return name === undefined ? undefined : { mediaType: bareMediaType(name), form: text === undefined ? 'xml' : 'text' }
}

const samples: Record<UsualField, unknown> = { code: 'code', message: 'message', status: 500 }

/** Keywords that allow only some texts or numbers. */
const bounds = ['enum', 'const', 'pattern', 'format', 'minLength', 'maxLength', 'minimum', 'maximum', 'multipleOf']

/** The properties of an object with only usual properties that allow any text or number. */
function toUsual(document: OpenApiDocument, schema: Located<Schema>, part?: ErrorPart): UsualField[] | undefined {
  const members = !part ? [] : part.from === 'object' ? part.members : undefined
  // A schema without named properties may still allow the usual ones.
  if (members?.length === 0) return usualFields
  const { properties } = flattenSchema(document, schema)
  const isUsual = ([name, { from }]: [string, ErrorPart, boolean?]) => {
    const property = properties.get(name)
    const { keywords = {} } = property ? flattenSchema(document, property) : {}
    return name === from && name in samples && !bounds.some((keyword) => keyword in keywords)
  }
  return members?.every(isUsual) ? members.map(([name]) => name as UsualField) : undefined
}
