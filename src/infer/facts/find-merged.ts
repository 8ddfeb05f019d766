/** Finds the objects in a record that an update merges. */
import { guess } from '../../behaviour/line.js'
import type { CollectionLines } from '../../behaviour/members.js'
import type { MergedObject } from '../../contract/effects/effect.js'
import type { Located, OpenApiDocument, Schema } from '../../document/document.js'
import { saysEmpty, saysMerged } from '../../lexicon/texts.js'
import { type FlatSchema, flattenSchema } from '../../schemas/flatten-schema.js'
import type { DescribedOperation } from '../../schemas/operations/describe-operations.js'

/** @param request what the request describes, with the names of the record */
export function findMerged(
  document: OpenApiDocument,
  request: FlatSchema | undefined,
  record: Located<Schema>,
  lines: CollectionLines,
  operation: Pick<DescribedOperation, 'value'>,
): MergedObject[] {
  const { properties } = flattenSchema(document, record)
  // The attributes of a resource object are changed one by one (JSON:API 1.1, section 7.2).
  if (properties.has('type') && properties.has('attributes'))
    return [{ property: 'attributes' }, { property: 'relationships' }]
  return [...properties].flatMap(([property, schema]): MergedObject[] => {
    const own = flattenSchema(document, schema)
    const sent = request?.properties.get(property)
    // What the operation says is about all that it changes.
    const isAll = request?.properties.size === 1 && sent !== undefined
    const texts = [own, sent && flattenSchema(document, sent)].map((flat) => descriptionOf(flat?.keywords))
    const said = [...texts, isAll ? descriptionOf(operation.value) : ''].join('. ')
    if (!isMap(document, own, schema) || !saysMerged(said)) return []
    const why = 'its description says that keys are changed one by one'
    const merged = { property, unset: saysEmpty(said) ? [null, ''] : [null] }
    lines.add('merges', property, merged, guess('description', why))
    return [merged]
  })
}

/** Whether a schema is that of an object whose names are free, and whose values are not structured. */
function isMap(
  document: OpenApiDocument,
  { types, properties, keywords }: FlatSchema,
  { path }: Located<Schema>,
): boolean {
  const { additionalProperties: values } = keywords
  if (!types.has('object') || properties.size > 0 || typeof values !== 'object') return false
  const inner = flattenSchema(document, { value: values, path: [...path, 'additionalProperties'] })
  return inner.types.size > 0 && !inner.types.has('object') && !inner.types.has('array')
}

function descriptionOf(keywords: object | undefined): string {
  const { description } = (keywords ?? {}) as { description?: unknown }
  return typeof description === 'string' ? description : ''
}
