/** Finds the examples that a document has of the records of a collection. */

import type { ExamplePlace } from '../../contract/contract.js'
import type { DocumentPath, Located, OpenApiDocument, Schema } from '../../document/document.js'
import { toJson } from '../../json/exact-json.js'
import { examplesAt, recordsIn } from '../../schemas/examples.js'
import { chooseSuccess } from '../../schemas/operations/choose-success.js'
import { jsonBody, jsonContent } from '../../schemas/operations/describe-operations.js'
import type { KnownCollection } from '../collection.js'
import type { Candidate } from './candidate.js'
import { findRequestRecord } from './request-record.js'

/** The places in the order in which they say most: lists, records, creations, then parameters. */
export function findExamplePlaces(
  document: OpenApiDocument,
  { members, record }: Pick<KnownCollection, 'members' | 'record'>,
): ExamplePlace[] {
  const rank = ({ is }: ExamplePlace) => ['list', 'record', 'draft', 'key'].indexOf(is)
  return members
    .flatMap((member) => [...inResponse(member), ...inRequest(member), ...ofKey(member)])
    .toSorted((one, other) => rank(one) - rank(other))

  function inRequest(member: Candidate): ExamplePlace[] {
    return member.kind === 'create' ? draftOf(document, member, record) : []
  }
}

function draftOf(
  document: OpenApiDocument,
  { operation, pointer }: Candidate,
  record: Located<Schema> | undefined,
): ExamplePlace[] {
  const content = jsonBody(operation)
  const request = content && findRequestRecord(document, operation, pointer, record)
  return content && request ? [{ path: content.path, pointer: request.given, is: 'draft' }] : []
}

/** The record in the example of an operation's own request. */
export function exampleOfRequest(document: OpenApiDocument, candidate: Candidate): Record<string, unknown> | undefined {
  const [place] = draftOf(document, candidate, candidate.record)
  return place && recordsIn(place, examplesAt(document, place)[0])[0]
}

function inResponse(candidate: Candidate): ExamplePlace[] {
  const { kind, success, pointer, record, isMap, decision } = candidate
  const isShown = kind === 'list' || kind === 'read' || kind === 'create' || kind === 'replace' || kind === 'update'
  const path = success?.schema?.path.slice(0, -1) ?? (candidate.isBlank && contentOf(candidate))
  if (!isShown || isMap || candidate.isBelow || record === undefined || !path) return []
  const wrapper = decision.wrapper !== undefined && { wrapper: decision.wrapper }
  return [{ path, pointer, ...wrapper, is: kind === 'list' ? 'list' : 'record' }]
}

/** Where the content of an answer without a schema is. */
export function contentOf({ operation }: Candidate): DocumentPath | undefined {
  const { response } = chooseSuccess(operation) ?? {}
  return response && jsonContent(response.value.content, response.path)?.path
}

/**
 * The record in the example of an operation's own answer, as it was before: the values of another operation's example are
 * those of any record.
 */
export function exampleOfAnswer(
  document: OpenApiDocument,
  candidate: Candidate,
  members: readonly Candidate[],
): Record<string, unknown> | undefined {
  const recordOf = (each: Candidate) => {
    const [place] = inResponse(each.kind === 'action' ? { ...each, kind: 'update' } : each)
    const values = place ? examplesAt(document, place) : []
    return place && values[0] !== undefined ? recordsIn(place, values[0])[0] : undefined
  }
  const record = recordOf(candidate)
  const text = toJson(record)
  const isShared = members.some((each) => each !== candidate && toJson(recordOf(each)) === text)
  return isShared ? undefined : record
}

function ofKey({ operation, parameter, keyIn }: Candidate): ExamplePlace[] {
  const found = operation.parameters.find(({ value }) => value.in === 'path' && value.name === parameter)
  return found && keyIn === undefined ? [{ path: found.path, pointer: [], is: 'key' }] : []
}
