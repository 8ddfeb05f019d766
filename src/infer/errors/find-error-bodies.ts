/** Finds which parts of the documented bodies of errors have the facts about a refusal. */

import { toErrorBody } from '../../behaviour/error-template.js'
import { guess } from '../../behaviour/line.js'
import type { FoundErrorBody, ServiceLines } from '../../behaviour/members.js'
import { type ErrorPart, type UsualField, usualFields } from '../../contract/documented-response.js'
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
import { exampleOf } from '../../schemas/examples.js'
import { flattenSchema, placeOf } from '../../schemas/flatten-schema.js'
import { type DescribedOperation, isErrorStatus, jsonContent } from '../../schemas/operations/describe-operations.js'
import type { Candidate } from '../facts/candidate.js'
import { findHabits } from '../habits.js'
import {
  collectErrorBodies,
  type ErrorContent,
  errorContent,
  findUndescribed,
  withoutOthers,
} from './error-examples.js'
import type { ErrorResponse } from './error-facts.js'
import { compileErrorPart } from './error-parts.js'

/** Says which parts of the bodies of errors have which facts, for each status of each operation, and for all others. */
export function findErrorBodies(document: OpenApiDocument, candidates: readonly Candidate[]): ServiceLines {
  const service: ServiceLines = findHabits(document)
  const errors = service.get('errors')
  const habit = errors && toErrorBody(errors.says)
  const finder = createFinder(document, habit)
  const why = guess('name', 'its properties are called so')
  for (const { operation, kind, lines } of candidates) {
    const isOfState = kind === 'action' || kind === 'remove'
    for (const [status, response] of operation.responses) {
      const found = isErrorStatus(status) && finder.find(status, response, operation.responses, isOfState)
      if (found) lines.add('errorBody', status, found, why)
    }
  }
  const isShown = () => candidates.some(({ lines }) => lines.all('errorBody').length > 0)
  const usual = habit ?? finder.findUsual() ?? (isShown() ? undefined : finder.findUndescribed())
  if (usual) service.add('errorBody', '', usual, errors?.evidence ?? why)
  return service
}

/** @param habit what errors have whose status no response describes */
function createFinder(document: OpenApiDocument, habit: FoundErrorBody | undefined) {
  const known = new Map<string, FoundErrorBody>()
  const { findExamples, findUsual: findContents } = collectErrorBodies(document)

  return {
    /** The body of a response. If it has none, that of `default` of the same operation, or the usual one of its status. */
    find(
      status: string,
      response: Located<ResponseObject>,
      responses: DescribedOperation['responses'],
      isOfState: boolean,
    ): FoundErrorBody | undefined {
      const { content } = response.value
      if (content && Object.keys(content).length > 0) {
        const json = jsonContent(content, response.path)
        return json ? findIn(status, json, isOfState) : findText(response)
      }
      const others = responses.get('default')
      const found = others && errorContent(others)
      return found ? findIn(status, found, isOfState) : findUsual(status, isOfState)
    },
    findUsual: () => findUsual(),
    /** The body of a document without error responses, if its schemas show one with a message. */
    findUndescribed() {
      const content = findUndescribed(document)
      const body = content && findIn('default', content)
      return toJson(body)?.includes('"message"') ? body : undefined
    },
  }

  /** The most frequent body, of which an object says more than a text. */
  function findUsual(status?: string, isOfState?: boolean): FoundErrorBody | undefined {
    const contents = findContents(status).slice(0, maxUsual)
    if (contents.length === 0) return habit
    const bodies = contents.flatMap((content) => findIn(status ?? 'default', content, isOfState) ?? [])
    return (
      bodies.find(({ fields, part }) => fields ?? (part?.from === 'object' && part.members.length > 0)) ?? bodies[0]
    )
  }

  function findIn(status: string, content: ErrorContent, isOfState = false): FoundErrorBody | undefined {
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

  function compile(schema: Located<Schema>, mediaType: string, shown: unknown, source: ErrorResponse): FoundErrorBody {
    const part = compileErrorPart(document, schema.value, shown, source)
    const fields = toUsual(document, schema, part)
    const isMade = schema.path.length === 1 && !isReference(schema.value)
    return { mediaType, ...(fields ? { fields } : part && { part }), ...(!isMade && { schema }) }
  }
}

/** The maximum schemas of which one is chosen as the usual one. */
const maxUsual = 3

/** An error body that is not JSON. */
function findText({ value }: Located<ResponseObject>): FoundErrorBody | undefined {
  const names = Object.keys(value.content ?? {}).filter((name) => !isRange(name))
  const text = names.find((name) => codecOf(bareMediaType(name)) === 'text')
  const name = text ?? names.find(isXml)
  return name === undefined ? undefined : { mediaType: bareMediaType(name), form: text === undefined ? 'xml' : 'text' }
}

/** Keywords that allow only some texts or numbers. */
const bounds = ['enum', 'const', 'pattern', 'format', 'minLength', 'maxLength', 'minimum', 'maximum', 'multipleOf']

/** The properties of an object with only usual properties that allow any text or number. */
function toUsual(document: OpenApiDocument, schema: Located<Schema>, part?: ErrorPart): UsualField[] | undefined {
  const members = !part ? [] : part.from === 'object' ? part.members : undefined
  // A schema without named properties may still allow the usual ones.
  if (members?.length === 0) return [...usualFields]
  const { properties } = flattenSchema(document, schema)
  const isUsual = ([name, { from }]: [string, ErrorPart, boolean?]) => {
    const property = properties.get(name)
    const { keywords = {} } = property ? flattenSchema(document, property) : {}
    return name === from && usualFields.includes(name as UsualField) && !bounds.some((keyword) => keyword in keywords)
  }
  return members?.every(isUsual) ? members.map(([name]) => name as UsualField) : undefined
}
