/** Finds the record in the body of a request. */

import type { ChangeAccess, EffectKind } from '../../contract/effects/effect.js'
import { type Located, type OpenApiDocument, type Schema, schemaOf } from '../../document/document.js'
import { flattenSchema, hasFlag, isObjectSchema } from '../flatten-schema.js'
import type { DescribedOperation } from './describe-operations.js'
import { recordContent } from './request-content.js'

/** The schema of a request body, and of the record in it. */
export interface RequestRecord {
  given: NonNullable<ChangeAccess['given']>
  schema: Located<Schema>
}

/** An operation, and where its bodies have the record. */
export interface Sending {
  operation: DescribedOperation
  /** The names that lead to the record in the answer. */
  pointer: readonly string[]
  /** Those in the request, if a line says them. */
  requestAt?: readonly string[] | undefined
}

/** A collection, as far as its bodies say what it has. */
export interface SentRecords {
  record: Located<Schema>
  members: readonly (Sending & { kind: EffectKind })[]
}

/**
 * Finds the record in a request body: the whole body, or the same place as in the answer.
 * @param record the schema of the record
 */
export function findRequestRecord(
  document: OpenApiDocument,
  { operation, pointer, requestAt }: Sending,
  record: Located<Schema> | undefined,
): RequestRecord | undefined {
  const content = recordContent(document, operation)
  if (content?.value.schema === undefined) return undefined
  let schema = schemaOf(content)
  const given: string[] = []
  for (const name of requestAt ?? pointer) {
    const { properties, items } = flattenSchema(document, schema)
    const inner = name === '0' ? items : properties.get(name)
    if (!inner) break
    schema = inner
    given.push(name)
  }
  if (requestAt || (given.length > 0 && isObjectSchema(flattenSchema(document, schema)))) return { given, schema }
  if (given.length > 0) return findRequestRecord(document, { operation, pointer: [] }, record)
  const wrapper = record && findWrapper(document, schema, record)
  return wrapper ? { given: [wrapper[0]], schema: wrapper[1] } : { given, schema }
}

/**
 * The property in which only requests wrap the record, and which records do not have: alone or beside files, or the only one
 * with most properties of records: `{customer: {…}, password}`
 */
function findWrapper(
  document: OpenApiDocument,
  schema: Located<Schema>,
  record: Located<Schema>,
): [string, Located<Schema>] | undefined {
  const own = flattenSchema(document, record).properties
  const isFile = ([, each]: [string, Located<Schema>]) =>
    /^(binary|byte)$/.test(flattenSchema(document, each).keywords.format ?? '')
  const given = [...flattenSchema(document, schema).properties].filter((each) => !isFile(each))
  if (given.some(([name]) => own.has(name))) return undefined
  const objects = given.filter(([, each]) => isObjectSchema(flattenSchema(document, each)))
  if (given.length === 1) return objects[0]
  const alike = objects.filter(([, each]) => {
    const names = [...flattenSchema(document, each).properties.keys()]
    return names.length > 1 && 2 * names.filter((name) => own.has(name)).length > names.length
  })
  return alike.length === 1 ? alike[0] : undefined
}

/** Whether a schema has properties, at least half of them those of records. */
export function isLikeRecord(
  document: OpenApiDocument,
  schema: Located<Schema>,
  own: ReadonlyMap<string, unknown>,
): boolean {
  const names = [...flattenSchema(document, schema).properties.keys()]
  return names.length > 0 && 2 * names.filter((name) => own.has(name)).length >= names.length
}

/** Whether requests give a property of the records of a collection. */
export function findSent(document: OpenApiDocument, { members, record }: SentRecords): (name: string) => boolean {
  const sent = members.flatMap((member) => {
    const request = findRequestRecord(document, member, record)
    return request ? [...flattenSchema(document, request.schema).properties] : []
  })
  return (name) => sent.some(([each, schema]) => each === name && !hasFlag(document, schema, 'readOnly'))
}

/** The properties that creations send. */
export function sentBy(document: OpenApiDocument, { record, members }: SentRecords): Map<string, Located<Schema>> {
  const own = flattenSchema(document, record).properties
  const isWritable = ([name, schema]: [string, Located<Schema>]) =>
    ![schema, own.get(name)].some((each) => each && hasFlag(document, each, 'readOnly'))
  const sent = members.flatMap((member) => {
    const request = member.kind === 'create' ? findRequestRecord(document, member, record) : undefined
    return request ? [...flattenSchema(document, request.schema).properties].filter(isWritable) : []
  })
  return new Map(sent)
}
