/** Finds the record in the body of a request. */
import type { ChangeAccess } from '../../../contract/effects/effect.js'
import type { DescribedOperation } from '../../describe-operations.js'
import { type Located, type OpenApiDocument, type Schema, schemaOf } from '../../document.js'
import { oncePer } from '../../once.js'
import { recordContent } from '../../operations/compile-representations.js'
import { flattenSchema, hasFlag, isObjectSchema } from '../../schemas/flatten-schema.js'
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
  // Only requests wrap the record: in a property that records do not have, alone or beside a file.
  const isFile = ([, each]: [string, Located<Schema>]) =>
    /^(binary|byte)$/.test(flattenSchema(document, each).keywords.format ?? '')
  const [only, ...others] = [...flattenSchema(document, schema).properties].filter((each) => !isFile(each))
  const isWrapper =
    only !== undefined &&
    others.length === 0 &&
    isObjectSchema(flattenSchema(document, only[1])) &&
    record !== undefined &&
    !flattenSchema(document, record).properties.has(only[0])
  return isWrapper ? { given: [only[0]], schema: only[1] } : { given, schema }
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
