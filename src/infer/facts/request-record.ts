/** Finds the record in the body of a request. */

import type { ChangeAccess } from '../../contract/effects/effect.js'
import { type Located, type OpenApiDocument, type Schema, schemaOf } from '../../document/document.js'
import { oncePer } from '../../document/once.js'
import { flattenSchema, hasFlag, isObjectSchema } from '../../schemas/flatten-schema.js'
import type { DescribedOperation } from '../../schemas/operations/describe-operations.js'
import { recordContent } from '../../schemas/operations/request-content.js'
import type { KnownCollection } from '../collection.js'
import type { Candidate } from './candidate.js'

/** The schema of a request body, and of the record in it. */
export interface RequestRecord {
  given: NonNullable<ChangeAccess['given']>
  schema: Located<Schema>
}

/** Where corrections say that requests have the record. */
export const requestPlaces: (document: OpenApiDocument) => Map<DescribedOperation, string[]> = oncePer(() => new Map())

/**
 * Finds the record in a request body: the whole body, or the same place as in the answer.
 * @param pointer the names that lead to the record in the answer
 * @param record the schema of the record
 */
export function findRequestRecord(
  document: OpenApiDocument,
  operation: DescribedOperation,
  pointer: readonly string[],
  record: Located<Schema> | undefined,
): RequestRecord | undefined {
  const content = recordContent(document, operation)
  if (content?.value.schema === undefined) return undefined
  let schema = schemaOf(content)
  const given: string[] = []
  const chosen = requestPlaces(document).get(operation)
  for (const name of chosen ?? pointer) {
    const { properties, items } = flattenSchema(document, schema)
    const inner = name === '0' ? items : properties.get(name)
    if (!inner) break
    schema = inner
    given.push(name)
  }
  if (chosen || (given.length > 0 && isObjectSchema(flattenSchema(document, schema)))) return { given, schema }
  if (given.length > 0) return findRequestRecord(document, operation, [], record)
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
export function findSent(
  document: OpenApiDocument,
  { members, record }: { members: readonly Candidate[]; record: Located<Schema> },
): (name: string) => boolean {
  const sent = members.flatMap(({ operation, pointer }) => {
    const request = findRequestRecord(document, operation, pointer, record)
    return request ? [...flattenSchema(document, request.schema).properties] : []
  })
  return (name) => sent.some(([each, schema]) => each === name && !hasFlag(document, schema, 'readOnly'))
}

/** The properties that creations send. */
export function sentBy(
  document: OpenApiDocument,
  { record, members }: Pick<KnownCollection, 'record' | 'members'>,
): Map<string, Located<Schema>> {
  const own = flattenSchema(document, record).properties
  const isWritable = ([name, schema]: [string, Located<Schema>]) =>
    ![schema, own.get(name)].some((each) => each && hasFlag(document, each, 'readOnly'))
  const sent = members.flatMap(({ kind, operation, pointer }) => {
    const request = kind === 'create' ? findRequestRecord(document, operation, pointer, record) : undefined
    return request ? [...flattenSchema(document, request.schema).properties].filter(isWritable) : []
  })
  return new Map(sent)
}
