/** Decides which records and answers must be made valid, because they may violate their schema. */

import type { CollectionModel } from '../../../contract/contract.js'
import type { Effect, ServiceWritten } from '../../../contract/effects/effect.js'
import { isReference, type Located, type OpenApiDocument, type Schema, schemaOf } from '../../../document/document.js'
import { resolve } from '../../../document/references.js'
import { toJson } from '../../../json/exact-json.js'
import { flattenSchema, hasFlag, placeOf } from '../../../schemas/flatten-schema.js'
import { type DescribedOperation, jsonBody } from '../../../schemas/operations/describe-operations.js'
import { isValid } from '../../operations/compile-ensure.js'
import type { OperationContext } from '../../operations/compile-operation.js'
import type { CompiledCandidate } from '../known-operation.js'

/** An operation of a collection with its effect. */
export interface StatefulOperation {
  candidate: CompiledCandidate
  effect: Effect
}

export function ensureRecords(
  { document, ensures }: OperationContext,
  { model, record }: { model: CollectionModel; record: Located<Schema> },
  operations: StatefulOperation[],
): void {
  const place = placeOf(document, record)
  const isSame = (schema: Located<Schema>) => placeOf(document, schema) === place
  const isProven = ({ candidate, effect }: StatefulOperation): boolean => {
    if (!('serviceWritten' in effect) || effect.kind === 'read' || effect.kind === 'remove') return true
    if (!candidate.record || !isSame(candidate.record)) return false
    // A part of a record may lack required properties of a nested object.
    return !('given' in effect) && provesRecord(document, candidate.operation, record, effect.serviceWritten)
  }
  if (!ensures.isProving || !operations.every(isProven)) model.ensure = ensures.add(record)
  // A sampled record has the key of the request, which its schema may not allow.
  const hasAnyKey = 'sample' in model
  for (const { candidate, effect } of operations) {
    if (!('collection' in effect) || !candidate.record) continue
    // What is shown under another name was not judged when the record was stored.
    if (isSame(candidate.record) && !hasAnyKey && !('aliases' in effect)) continue
    effect.ensure = ensures.add(candidate.isBelow ? withOwn(document, candidate.record, record) : candidate.record)
  }
}

/** The schema of a part of a record, which also requires the texts, numbers and flags that the record lacks. */
function withOwn(document: OpenApiDocument, part: Located<Schema>, record: Located<Schema>): Located<Schema> {
  const known = flattenSchema(document, record).properties
  const own = [...flattenSchema(document, part).properties].filter(([name, schema]) => {
    const { types } = flattenSchema(document, schema)
    const isPlain = types.size > 0 && !types.has('object') && !types.has('array')
    return !known.has(name) && isPlain && !hasFlag(document, schema, 'writeOnly')
  })
  return { value: { allOf: [part.value, { required: own.map(([name]) => name) }] }, path: [] }
}

/** Keywords of objects that only list their properties. */
const harmless = [
  ...['$ref', 'type', 'properties', 'required', 'allOf', 'title', 'description', 'deprecated', 'externalDocs'],
  ...['example', 'examples', 'default', 'readOnly', 'writeOnly', 'xml', '$comment'],
]

/** Whether a valid request body, with the properties that the service writes, is always a valid record. */
function provesRecord(
  document: OpenApiDocument,
  operation: DescribedOperation,
  record: Located<Schema>,
  serviceWritten: readonly ServiceWritten[],
): boolean {
  const content = jsonBody(operation)
  if (content?.value.schema === undefined) return false
  const request = flattenSchema(document, schemaOf(content))
  const flat = flattenSchema(document, record)
  const filled = new Map(serviceWritten.map((fill) => [fill.property, fill]))
  const isSame = ([name, schema]: [string, Located<Schema>]): boolean => {
    const sent = request.properties.get(name)
    return sent === undefined || isSameSchema(document, sent, schema)
  }
  const isGiven = (name: string): boolean => {
    const fill = filled.get(name)
    const property = flat.properties.get(name)
    if (!fill || !property) return request.required.has(name)
    if (fill.with === 'constant') return isValid(document, property, fill.value)
    return true
  }
  return isPlain(document, record.value) && [...flat.properties].every(isSame) && [...flat.required].every(isGiven)
}

/** Keywords without effect on validity. */
const annotations = ['title', 'description', 'deprecated', 'externalDocs', 'example', 'examples', 'default', '$comment']

function isSameSchema(document: OpenApiDocument, one: Located<Schema>, other: Located<Schema>): boolean {
  if (placeOf(document, one) === placeOf(document, other)) return true
  const [first, second] = [one, other].map(({ value }) =>
    toJson(value, (name, inner) => (annotations.includes(name) ? undefined : inner)),
  )
  return first === second
}

/** Whether a schema only lists properties, alone or in the parts of an `allOf`. */
function isPlain(document: OpenApiDocument, schema: Schema): boolean {
  if (typeof schema === 'boolean') return schema
  if (Object.keys(schema).some((keyword) => !harmless.includes(keyword) && !keyword.startsWith('x-'))) return false
  const parts = [...(schema.allOf ?? []), ...(isReference(schema) ? [resolve<Schema>(document, schema, []).value] : [])]
  return parts.every((part) => isPlain(document, part))
}
