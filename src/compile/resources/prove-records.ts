/** Proves that what operations write to a collection always satisfies the schema of its records. */
import type { Fill } from '../../contract/effect.js'
import { isValid, placeOf } from '../compile-ensure.js'
import { type DescribedOperation, jsonContent } from '../describe-operations.js'
import { isReference, type Located, type OpenApiDocument, type Schema } from '../document.js'
import { resolve } from '../references.js'
import { flattenSchema } from '../schemas/flatten-schema.js'

/** Keywords of objects that list their properties. */
const harmless = [
  ...['$ref', 'type', 'properties', 'required', 'allOf', 'title', 'description', 'deprecated', 'externalDocs'],
  ...['example', 'examples', 'default', 'readOnly', 'writeOnly', 'xml', '$comment'],
]

/** Whether a valid request body, with the properties that the service fills in, is always a valid record. */
export function provesRecord(
  document: OpenApiDocument,
  operation: DescribedOperation,
  record: Located<Schema>,
  fills: readonly Fill[],
): boolean {
  const content = operation.body && jsonContent(operation.body.value.content, operation.body.path)
  if (content?.value.schema === undefined) return false
  const request = flattenSchema(document, { value: content.value.schema, path: [...content.path, 'schema'] })
  const flat = flattenSchema(document, record)
  const filled = new Map(fills.map((fill) => [fill.property, fill]))
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

/** Keywords that say nothing about which values are valid. */
const annotations = ['title', 'description', 'deprecated', 'externalDocs', 'example', 'examples', 'default', '$comment']

function isSameSchema(document: OpenApiDocument, one: Located<Schema>, other: Located<Schema>): boolean {
  if (placeOf(document, one) === placeOf(document, other)) return true
  const [first, second] = [one, other].map(({ value }) =>
    JSON.stringify(value, (name, inner) => (annotations.includes(name) ? undefined : inner)),
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
