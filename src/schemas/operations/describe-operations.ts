/** Collects the operations of a document with their parameters, bodies, responses and servers. Resolves `$ref`s. */

import type { Method } from '../../contract/contract.js'
import { bareMediaType, codecOf, isJson, isRange } from '../../contract/http/media-types.js'
import { type PathTemplate, parsePathTemplate } from '../../contract/path-template.js'
import { shorten } from '../../contract/violations.js'
import {
  type DocumentPath,
  type Located,
  type MediaTypeObject,
  type OpenApiDocument,
  type OperationObject,
  operationsOf,
  type ParameterObject,
  type PathItem,
  type RequestBodyObject,
  type ResponseObject,
  type ServerObject,
} from '../../document/document.js'
import { createNotes, type Notes } from '../../document/notes.js'
import { oncePer } from '../../document/once.js'
import { resolve } from '../../document/references.js'
import { withoutPath } from '../../lexicon/operation-names.js'
import { isBinary } from '../flatten-schema.js'
import { type Reach, tellApart } from './tell-apart.js'

export interface DescribedOperation extends Reach {
  id: string
  method: Method
  /** The documented path with a leading slash: `/xs/{id}` */
  path: string
  /** The parsed path. */
  template: PathTemplate
  value: OperationObject
  /** Its operationId without what a framework adds to it, or an empty text. */
  called: string
  at: DocumentPath
  /** Servers of the operation, else of the path, else of the document. */
  servers: ServerObject[]
  parameters: Located<ParameterObject>[]
  body: Located<RequestBodyObject> | undefined
  /** Responses by status, range or `default`. */
  responses: Map<string, Located<ResponseObject>>
}

/**
 * The operations of a document, collected once.
 * @param notes collects parts that are not served as written
 */
export function describeOperations(document: OpenApiDocument, notes?: Notes): readonly DescribedOperation[] {
  const { operations, list } = descriptionOf(document)
  for (const { path, message, instead, isLimit } of list) notes?.[isLimit ? 'addLimit' : 'add'](path, message, instead)
  return operations
}

const descriptionOf = oncePer((document: OpenApiDocument) => {
  const notes = createNotes()
  return { operations: describeAll(document, notes), list: notes.list }
})

/** Maximum segments of a path, because each is a level of the tree that finds operations. */
const maxSegments = 500

function describeAll(document: OpenApiDocument, notes: Notes): DescribedOperation[] {
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, written]) => {
    if (path.split('/', maxSegments + 2).length > maxSegments + 1) {
      notes.addLimit(['paths', path], `"${shorten(path)}" has more than ${maxSegments} segments`, 'it is not served')
      return []
    }
    const item = resolve<PathItem>(document, written, ['paths', path])
    return operationsOf(item.value).map((written) => describeOperation(document, path, item, written, notes))
  })
  const ids = new Set<string>()
  return tellApart(document, operations, notes).map((operation) => {
    const { id, method, path, at } = operation
    if (!ids.has(id)) {
      ids.add(id)
      return operation
    }
    const own = `${method} ${path}`
    notes.add([...at, 'operationId'], `The operationId "${id}" is not unique`, `"${own}" is used`)
    return { ...operation, id: own }
  })
}

function describeOperation(
  document: OpenApiDocument,
  documented: string,
  item: Located<PathItem>,
  [method, value, place]: ReturnType<typeof operationsOf>[number],
  notes: Notes,
): DescribedOperation {
  const at = [...item.path, ...place]
  const parameters = new Map<string, Located<ParameterObject>>()
  for (const [list, place] of [
    [item.value.parameters, item.path],
    [value.parameters, at],
  ] as const) {
    list?.forEach((written, index) => {
      const parameter = resolve<ParameterObject>(document, written, [...place, 'parameters', index])
      parameters.set(`${parameter.value.in} ${parameter.value.name}`, parameter)
    })
  }
  const path = describePath(documented, [...parameters.values()], at, notes)
  const responses = new Map(
    Object.entries(value.responses ?? {})
      .filter(([status]) => !status.startsWith('x-'))
      .map(([status, written]) => [status, resolve<ResponseObject>(document, written, [...at, 'responses', status])]),
  )
  for (const [status, { value }] of responses) {
    const isUnused = value['x-sandbox-status'] !== undefined && /^\d{3}$/.test(status)
    if (isUnused) notes.add([...at, 'responses', status], ...unusedStatus)
  }
  return {
    ...path,
    id: value.operationId ?? `${method} ${path.path}`,
    method,
    value,
    called: typeof value.operationId === 'string' ? withoutPath(value.operationId, method, path.path) : '',
    at,
    servers: serversOf(value, item.value, document),
    body:
      value.requestBody === undefined
        ? undefined
        : resolve<RequestBodyObject>(document, value.requestBody, [...at, 'requestBody']),
    responses,
  }
}

const unusedStatus = [
  '"x-sandbox-status" chooses a status of "2XX" or "default", and this response has one of its own',
  'it is ignored: document the response under the status that you want, and remove this one',
] as const

interface DescribedPath {
  /** The documented path with a leading slash. */
  path: string
  template: PathTemplate
  /** The declared parameters, and those that occur only in the path. */
  parameters: Located<ParameterObject>[]
}

/** Maximum notes about undeclared parameters of one path. */
const maxNotes = 20

/**
 * A request has exactly the path parameters of the template: an undeclared one is a string, and a declared one that is not
 * in the template is ignored. Query parameters of the template are known even if they are not declared.
 */
function describePath(
  documented: string,
  declared: readonly Located<ParameterObject>[],
  at: DocumentPath,
  notes: Notes,
): DescribedPath {
  const template = parsePathTemplate(documented)
  const path = documented.startsWith('/') ? documented : `/${documented}`
  const names = new Set(template.segments.flatMap((segment) => segment.names))
  const isIgnored = ({ value }: Located<ParameterObject>) => value.in === 'path' && !names.has(value.name)
  const isDeclared = (place: ParameterObject['in'], name: string) =>
    declared.some(({ value }) => value.in === place && value.name === name)
  const undeclared = [...names].filter((name) => !isDeclared('path', name))
  const add = (value: ParameterObject): Located<ParameterObject> => ({ value, path: at })
  if (path !== documented) notes.add(at, `The path "${documented}" does not begin with a slash`, `"${path}" is served`)
  for (const name of undeclared.slice(0, maxNotes)) {
    notes.add(at, `The path parameter "${name}" of "${shorten(documented)}" is not declared`, 'any text is accepted')
  }
  if (undeclared.length > maxNotes) {
    const message = `${undeclared.length - maxNotes} more path parameters of "${shorten(documented)}" are not declared`
    notes.add(at, message, 'any text is accepted')
  }
  for (const { value, path: place } of declared.filter(isIgnored)) {
    notes.add(place, `"${documented}" does not have the path parameter "${value.name}"`, 'it is ignored')
  }
  return {
    path,
    template,
    parameters: [
      ...declared.filter((parameter) => !isIgnored(parameter)),
      ...undeclared.map((name) => add({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...template.query
        .filter(({ name }) => !isDeclared('query', name))
        .map(({ name, value }) => add({ name, in: 'query', schema: toSchema(value) })),
    ],
  }
}

function toSchema(value: string | undefined): ParameterObject['schema'] & object {
  return value === undefined ? { type: 'string' } : { type: 'string', enum: [value] }
}

/** The servers of the first owner with any. An empty list counts as absent (OpenAPI 3.1, section 4.8.1). */
function serversOf(...owners: readonly { servers?: ServerObject[] }[]): ServerObject[] {
  const own = owners.find(({ servers }) => Array.isArray(servers) && servers.length > 0)
  return own?.servers ?? [{ url: '/' }]
}

/** Returns the JSON content of the body of a request, if any. */
export function jsonBody({ body }: Pick<DescribedOperation, 'body'>): ReturnType<typeof jsonContent> {
  return body && jsonContent(body.value.content, body.path)
}

/** Returns the JSON content of a body or response, if any. */
export function jsonContent(
  content: Record<string, MediaTypeObject> | undefined,
  at: DocumentPath,
): (Located<MediaTypeObject> & { mediaType: string }) | undefined {
  const json = Object.entries(content ?? {}).filter(
    ([mediaType, { schema }]) => isJson(mediaType) && !(isRange(mediaType) && isBinary(schema)),
  )
  // Prefer a complete value to a patch, which only describes a change.
  const found = json.find(([mediaType]) => codecOf(bareMediaType(mediaType)) === 'json') ?? json[0]
  if (!found) return undefined
  const mediaType = isRange(found[0]) ? 'application/json' : bareMediaType(found[0])
  return { mediaType, value: found[1], path: [...at, 'content', found[0]] }
}

/** Whether responses with a status, a range or `default` are errors. */
export function isErrorStatus(status: string): boolean {
  return /^([45]|default)/.test(status)
}
