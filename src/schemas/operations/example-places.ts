/** Finds the examples that a document has of the records of a collection. */

import type { ExamplePlace } from '../../contract/contract.js'
import type { EffectKind } from '../../contract/effects/effect.js'
import type { DocumentPath, Located, OpenApiDocument, Schema } from '../../document/document.js'
import { toJson } from '../../json/exact-json.js'
import { examplesAt, recordsIn } from '../examples.js'
import { chooseSuccess } from './choose-success.js'
import { jsonBody, jsonContent } from './describe-operations.js'
import type { FoundSuccess } from './find-success.js'
import { findRequestRecord, type Sending } from './request-record.js'

/** An operation, and where its answer shows records. */
export interface Showing extends Sending {
  kind: EffectKind
  success: FoundSuccess | undefined
  record: Located<Schema> | undefined
  isMap: boolean
  /** The property of each item of the list that has the record. */
  wrapper?: string | undefined
  isBelow?: true
  isBlank?: true
  parameter: string | undefined
  keyIn?: unknown
}

/** The places in the order in which they say most: lists, records, creations, then parameters. */
export function findExamplePlaces(
  document: OpenApiDocument,
  { members, record }: { members: readonly Showing[]; record: Located<Schema> },
): ExamplePlace[] {
  const rank = ({ is }: ExamplePlace) => ['list', 'record', 'draft', 'key'].indexOf(is)
  return members
    .flatMap((member) => [...inResponse(member), ...inRequest(member), ...ofKey(member)])
    .toSorted((one, other) => rank(one) - rank(other))

  function inRequest(member: Showing): ExamplePlace[] {
    return member.kind === 'create' ? draftOf(document, member, record) : []
  }
}

function draftOf(document: OpenApiDocument, candidate: Showing, record: Located<Schema> | undefined): ExamplePlace[] {
  const content = jsonBody(candidate.operation)
  const request = content && findRequestRecord(document, candidate, record)
  return content && request ? [{ path: content.path, pointer: request.given, is: 'draft' }] : []
}

/** The record in the example of an operation's own request. */
export function exampleOfRequest(document: OpenApiDocument, candidate: Showing): Record<string, unknown> | undefined {
  const [place] = draftOf(document, candidate, candidate.record)
  return place && recordsIn(place, examplesAt(document, place)[0])[0]
}

function inResponse(candidate: Showing): ExamplePlace[] {
  const { kind, success, record, isMap } = candidate
  const isShown = kind === 'list' || kind === 'read' || kind === 'create' || kind === 'replace' || kind === 'update'
  const path = success?.schema?.path.slice(0, -1) ?? (candidate.isBlank && contentOf(candidate))
  if (!isShown || isMap || candidate.isBelow || record === undefined || !path) return []
  const wrapper = candidate.wrapper !== undefined && { wrapper: candidate.wrapper }
  return [{ path, pointer: [...candidate.pointer], ...wrapper, is: kind === 'list' ? 'list' : 'record' }]
}

/** Where the content of an answer without a schema is. */
export function contentOf({ operation }: Showing): DocumentPath | undefined {
  const { response } = chooseSuccess(operation) ?? {}
  return response && jsonContent(response.value.content, response.path)?.path
}

/**
 * The record in the example of an operation's own answer, as it was before: the values of another operation's example are
 * those of any record.
 */
export function exampleOfAnswer(
  document: OpenApiDocument,
  candidate: Showing,
  members: readonly Showing[],
): Record<string, unknown> | undefined {
  const recordOf = (each: Showing) => {
    const [place] = inResponse(each.kind === 'action' ? { ...each, kind: 'update' } : each)
    const values = place ? examplesAt(document, place) : []
    return place && values[0] !== undefined ? recordsIn(place, values[0])[0] : undefined
  }
  const record = recordOf(candidate)
  const text = toJson(record)
  const isShared = members.some((each) => each !== candidate && toJson(recordOf(each)) === text)
  return isShared ? undefined : record
}

function ofKey({ operation, parameter, keyIn }: Showing): ExamplePlace[] {
  const found = operation.parameters.find(({ value }) => value.in === 'path' && value.name === parameter)
  return found && keyIn === undefined ? [{ path: found.path, pointer: [], is: 'key' }] : []
}
