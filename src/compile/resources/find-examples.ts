/** Finds where a document has examples of the records of a collection, and of their keys. */
import type { ExamplePlace } from '../../contract/contract.js'
import { jsonContent } from '../describe-operations.js'
import type { OpenApiDocument } from '../document.js'
import type { Candidate } from './candidate.js'
import { findRequestRecord } from './compile-access.js'
import type { Group } from './compile-place.js'

/** The places in the order in which they say most: lists, records, creations, then parameters. */
export function findExamplePlaces(document: OpenApiDocument, { members, record }: Group): ExamplePlace[] {
  const rank = ({ is }: ExamplePlace) => ['list', 'record', 'draft', 'key'].indexOf(is)
  return members
    .flatMap((member) => [...inResponse(member), ...inRequest(member), ...ofKey(member)])
    .toSorted((one, other) => rank(one) - rank(other))

  function inRequest({ kind, operation, pointer }: Candidate): ExamplePlace[] {
    const content = operation.body && jsonContent(operation.body.value.content, operation.body.path)
    if (kind !== 'create' || !content) return []
    const request = findRequestRecord(document, operation, pointer, record)
    return request ? [{ path: content.path, pointer: request.given, is: 'draft' }] : []
  }
}

function inResponse({ kind, success, pointer, record, isMap, decision: { wrapper } }: Candidate): ExamplePlace[] {
  const isShown = kind === 'list' || kind === 'read' || kind === 'create' || kind === 'replace' || kind === 'update'
  if (!isShown || isMap || record === undefined || success?.schema === undefined) return []
  const path = success.schema.path.slice(0, -1)
  return [{ path, pointer, ...(wrapper !== undefined && { wrapper }), is: kind === 'list' ? 'list' : 'record' }]
}

function ofKey({ operation, parameter, keyIn }: Candidate): ExamplePlace[] {
  const found = operation.parameters.find(({ value }) => value.in === 'path' && value.name === parameter)
  return found && keyIn === undefined ? [{ path: found.path, pointer: [], is: 'key' }] : []
}
