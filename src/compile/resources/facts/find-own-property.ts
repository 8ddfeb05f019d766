/** Finds the property of a record whose value a path below the record shows or writes. */

import { bareName } from '../../../values/words.js'
import type { Located, OpenApiDocument, Schema } from '../../document.js'
import { type FlatSchema, flattenSchema, isObjectSchema } from '../../schemas/flatten-schema.js'
import type { PathNode } from '../paths/path-tree.js'

export interface OwnProperty {
  property: string
  /** The only property of the body that has the value. Absent: the body is the value. */
  from?: string
}

/**
 * @param node the path, whose last segment has the name of the property
 * @param body what is shown or sent there
 * @returns undefined if the record has no such property, or one of another type
 * @example // `/endpoints/{endpointId}/secret` with `{key: "x"}`: { property: 'secret', from: 'key' }
 */
export function findOwnProperty(
  document: OpenApiDocument,
  record: Located<Schema>,
  { step }: PathNode,
  body: FlatSchema,
): OwnProperty | undefined {
  const name = bareName(step.text ?? '')
  const [property, schema] =
    [...flattenSchema(document, record).properties].find(([each]) => bareName(each) === name) ?? []
  if (property === undefined || !schema || name === '') return undefined
  const own = flattenSchema(document, schema)
  const names = [...body.properties.keys()]
  const isSame = (type: string, other: FlatSchema) => type !== 'null' && other.types.has(type)
  const from = names.find((each) => bareName(each) === name) ?? (names.length === 1 ? names[0] : undefined)
  const inner = from === undefined ? undefined : body.properties.get(from)
  const value = inner && flattenSchema(document, inner)
  if (from !== undefined && value && [...own.types].some((type) => isSame(type, value))) {
    if (!isObjectSchema(own) || !own.properties.has(from)) return { property, from }
  }
  if (!isObjectSchema(own) || names.length === 0) return undefined
  return names.every((each) => own.properties.has(each)) ? { property } : undefined
}
