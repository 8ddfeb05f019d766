/** Reads the links of responses: values of an answer that are parameters of another operation (OpenAPI 3.1, section 4.8.20). */

import type {
  DocumentPath,
  Located,
  OpenApiDocument,
  ParameterObject,
  ResponseObject,
} from '../../document/document.js'
import { createNotes, type Notes } from '../../document/notes.js'
import { oncePer } from '../../document/once.js'
import { quoteValue } from '../../document/quote-value.js'
import { fromPointer, resolve } from '../../document/references.js'
import { isObject } from '../../json/own-value.js'
import { type DescribedOperation, describeOperations } from './describe-operations.js'

/** Not the whole query. */
export interface LinkedParameter extends ParameterObject {
  in: Exclude<ParameterObject['in'], 'querystring'>
}

export interface DocumentedLink {
  name: string
  /** The status of the answer, or its range. */
  status: string
  /** The operation with the answer, and the one that the link leads to. */
  from: DescribedOperation
  to: DescribedOperation
  /** The parameters that it names, each with its value: an expression, or any other value. Undefined where there is none. */
  parameters: { known: LinkedParameter | undefined; value: unknown }[]
}

/**
 * The links of the answers of all operations, without those that lead nowhere.
 * @param notes collects links that name what does not exist
 */
export function documentedLinks(document: OpenApiDocument, notes?: Notes): readonly DocumentedLink[] {
  const { links, list } = linksOf(document)
  for (const { path, message, instead } of list) notes?.add(path, message, instead)
  return links
}

const linksOf = oncePer((document: OpenApiDocument) => {
  const notes = createNotes()
  const operations = describeOperations(document)
  const links = operations.flatMap((from) =>
    [...from.responses].flatMap(([status, response]) =>
      readLinks(document, operations, response, notes).map((link) => ({ ...link, status, from })),
    ),
  )
  return { links, list: notes.list }
})

function readLinks(
  document: OpenApiDocument,
  operations: readonly DescribedOperation[],
  { value: response, path }: Located<ResponseObject>,
  notes: Notes,
): Omit<DocumentedLink, 'status' | 'from'>[] {
  const { links } = response
  return Object.entries(isObject(links) ? links : {}).flatMap(([name, each]) => {
    const at = [...path, 'links', name]
    const { value: link, path: place } = notes.attempt(() => resolve<unknown>(document, each, at), 'it is ignored', {
      value: undefined,
      path: at,
    })
    if (!isObject(link)) return []
    const { operationId, operationRef, parameters } = link
    // What another document has is not known.
    if (operationId === undefined && typeof operationRef === 'string' && !operationRef.startsWith('#')) return []
    const to = operations.find(
      operationId === undefined ? isAt(operationRef, place) : ({ value }) => value.operationId === operationId,
    )
    if (!to) {
      const named = quoteValue(operationId ?? operationRef)
      notes.add(place, `The link "${name}" leads to no operation (got ${named})`, 'it is ignored')
      return []
    }
    const named = Object.entries(isObject(parameters) ? parameters : {}).map(([parameter, value]) => {
      const known = findParameter(to, parameter)
      if (!known)
        notes.add([...place, 'parameters', parameter], `${to.id} has no parameter "${parameter}"`, 'it is ignored')
      return { known, value }
    })
    return [{ name, to, parameters: named }]
  })
}

/** Whether an operation is at a pointer: `#/paths/~1users~1{id}/get` */
function isAt(ref: unknown, from: DocumentPath): (operation: DescribedOperation) => boolean {
  const [first, ...place] = String(ref).startsWith('#/') ? fromPointer(String(ref), from) : []
  return (each) => first === 'paths' && place.join(' ') === `${each.path} ${each.method.toLowerCase()}`
}

/** @param name the name alone, or with its place: `path.id` */
function findParameter({ parameters }: DescribedOperation, name: string): LinkedParameter | undefined {
  const [, place, own] = /^(path|query|header|cookie)\.(.*)$/s.exec(name) ?? []
  const all = parameters.flatMap(({ value }) => (value.in === 'querystring' ? [] : [value as LinkedParameter]))
  return all.find((each) => each.name === name) ?? all.find((each) => each.in === place && each.name === own)
}
