/** Collects the operations of a document with their parameters, bodies, responses and servers. Resolves `$ref`s. */

import type { Method } from '../contract/contract.js'
import {
  type DocumentPath,
  DocumentProblem,
  type Located,
  type MediaTypeObject,
  methodNames,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type PathItem,
  type RequestBodyObject,
  type ResponseObject,
  type ServerObject,
} from './document.js'
import { bareMediaType, codecOf, isJson } from './media-types.js'
import { createNotes, type Notes } from './notes.js'
import { resolve } from './references.js'

export interface DescribedOperation {
  id: string
  method: Method
  /** The documented path: `/xs/{id}` */
  path: string
  /** The path's parts: text, or `{ parameter }` */
  segments: (string | { parameter: string })[]
  value: OperationObject
  at: DocumentPath
  /** Servers of the operation, else of the path, else of the document. */
  servers: ServerObject[]
  parameters: Located<ParameterObject>[]
  body: Located<RequestBodyObject> | undefined
  /** Responses by status, range or `default`. */
  responses: Map<string, Located<ResponseObject>>
}

/** @param notes gets what cannot be served, which is left out */
export function describeOperations(document: OpenApiDocument, notes: Notes = createNotes()): DescribedOperation[] {
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, written]) => {
    const item = resolve<PathItem>(document, written, ['paths', path])
    return methodNames
      .filter((name) => item.value[name] !== undefined)
      .flatMap((name) =>
        notes.attempt(() => [describeOperation(document, path, item, name)], 'the operation is left out', []),
      )
  })
  const ids = new Set<string>()
  return operations.map((operation) => {
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
  path: string,
  item: Located<PathItem>,
  name: (typeof methodNames)[number],
): DescribedOperation {
  const at = [...item.path, name]
  const value = item.value[name] as OperationObject
  const method = name.toUpperCase() as Method
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
  const segments = toSegments(path, at)
  for (const segment of segments) {
    const declared = typeof segment === 'string' || parameters.has(`path ${segment.parameter}`)
    if (!declared) throw new DocumentProblem(`The path "${path}" has a parameter that ${method} does not declare`, at)
  }
  return {
    id: value.operationId ?? `${method} ${path}`,
    method,
    path,
    segments,
    value,
    at,
    servers: value.servers ?? item.value.servers ?? document.servers ?? [{ url: '/' }],
    parameters: [...parameters.values()],
    body:
      value.requestBody === undefined
        ? undefined
        : resolve<RequestBodyObject>(document, value.requestBody, [...at, 'requestBody']),
    responses: new Map(
      Object.entries(value.responses ?? {})
        .filter(([status]) => !status.startsWith('x-'))
        .map(([status, written]) => [status, resolve<ResponseObject>(document, written, [...at, 'responses', status])]),
    ),
  }
}

function toSegments(path: string, at: DocumentPath): DescribedOperation['segments'] {
  return path
    .split('/')
    .slice(1)
    .map((segment) => {
      const parameter = /^\{([^{}]+)\}$/.exec(segment)?.[1]
      if (parameter !== undefined) return { parameter }
      if (/[{}]/.test(segment)) {
        throw new DocumentProblem(`The path "${path}" has a parameter that is only a part of "${segment}"`, at)
      }
      return segment
    })
}

/** Returns the JSON content of a body or response, if any. */
export function jsonContent(
  content: Record<string, MediaTypeObject> | undefined,
  at: DocumentPath,
): (Located<MediaTypeObject> & { mediaType: string }) | undefined {
  const json = Object.entries(content ?? {}).filter(([mediaType]) => isJson(mediaType))
  // Prefer a value to a patch, which describes only a change.
  const found = json.find(([mediaType]) => codecOf(bareMediaType(mediaType)) === 'json') ?? json[0]
  if (!found) return undefined
  const mediaType = found[0] === '*/*' ? 'application/json' : bareMediaType(found[0])
  return { mediaType, value: found[1], path: [...at, 'content', found[0]] }
}
