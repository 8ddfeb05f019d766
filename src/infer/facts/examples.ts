/** Finds the examples that a document has of the records of a collection. */
import type { ExamplePlace } from '../../contract/contract.js'
import {
  type DocumentPath,
  isReference,
  type Located,
  type OpenApiDocument,
  type Schema,
  schemaOf,
} from '../../document/document.js'
import { resolve } from '../../document/references.js'
import { fromJson, toJson } from '../../json/exact-json.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { flattenSchema } from '../../schemas/flatten-schema.js'
import { chooseSuccess } from '../../schemas/operations/choose-success.js'
import { jsonBody, jsonContent } from '../../schemas/operations/describe-operations.js'
import type { KnownCollection } from '../collection.js'
import type { Candidate } from './candidate.js'
import { findRequestRecord } from './request-record.js'

interface WithExamples {
  example?: unknown
  examples?: unknown
  schema?: Schema
}

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

/** The values of a property in the records at a place, or those of a place that has keys. */
export function propertyExamples(document: OpenApiDocument, place: ExamplePlace, name: string): unknown[] {
  const values = examplesAt(document, place)
  return place.is === 'key'
    ? values
    : values.flatMap((value) => recordsIn(place, value)).map((record) => ownValue(record, name))
}

/** The values at a place: those of the media type or the parameter itself, else those of its schema. */
export function examplesAt(
  document: OpenApiDocument,
  place: Pick<ExamplePlace, 'path' | 'is'> & Partial<ExamplePlace>,
): unknown[] {
  const { path, is } = place
  const own = ownExamplesAt(document, place)
  const schema = holderOf(document, path)?.schema
  if (own.length > 0 || schema === undefined) return own
  const located = schemaOf({ value: { schema }, path })
  const ofSchema = schemaExamples(document, located)
  const { default: standard } = flattenSchema(document, located).keywords
  // The default of a key is one that works.
  return is === 'key' && ofSchema.length === 0 && standard !== undefined ? [standard] : ofSchema.map(parse)
}

function holderOf(document: OpenApiDocument, path: ExamplePlace['path']): WithExamples | undefined {
  const holder = path.reduce<unknown>(
    (at, part) => (isObject(at) || Array.isArray(at) ? at[part as never] : undefined),
    document,
  )
  return isObject(holder) ? (holder as WithExamples) : undefined
}

/** Those of the media type or the parameter itself. */
function ownExamplesAt(document: OpenApiDocument, { path }: Pick<ExamplePlace, 'path'>): unknown[] {
  const { example, examples } = holderOf(document, path) ?? {}
  const named = isObject(examples) ? Object.values(examples) : []
  const values = named.flatMap((each) => {
    const named = isReference(each) ? resolve<{ value?: unknown }>(document, each, [...path]).value : each
    return isObject(named) && 'value' in named ? [named['value']] : []
  })
  return [...(example === undefined ? [] : [example]), ...values].map(parse)
}

export function schemaExamples(document: OpenApiDocument, schema: Located<Schema>): unknown[] {
  const { example, examples } = flattenSchema(document, schema).keywords
  return [...(example === undefined ? [] : [example]), ...(Array.isArray(examples) ? examples : [])]
}

/** Examples may be JSON in a text. */
function parse(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  try {
    return fromJson(value)
  } catch {
    return value
  }
}

export function recordsIn({ pointer, wrapper, is }: ExamplePlace, value: unknown): Record<string, unknown>[] {
  const inner = pointer.reduce<unknown>((at, name) => (isObject(at) ? ownValue(at, name) : undefined), value)
  const listed = Array.isArray(inner) ? inner : is === 'list' ? [] : [inner]
  const records: unknown[] =
    wrapper === undefined ? listed : listed.map((item) => (isObject(item) ? ownValue(item, wrapper) : undefined))
  return records.filter(isObject)
}
