/** Finds the property by which an object in a record is the one whose key a request has. */
import type { JsonType } from '../../contract/request-model.js'
import type { Located, OpenApiDocument, Schema } from '../../document/document.js'
import { type FlatSchema, flattenSchema } from '../../schemas/flatten-schema.js'
import { findKey } from './find-key.js'

export const scalars = ['string', 'integer', 'number'] as const

export interface Item {
  schema: Located<Schema>
  flat: FlatSchema
  isList: boolean
}

/** A schema, or that of the items if it is a list. */
export function itemOf(document: OpenApiDocument, schema: Located<Schema>): Item {
  const flat = flattenSchema(document, schema)
  if (!flat.items || flat.properties.size > 0) return { schema, flat, isList: false }
  return { schema: flat.items, flat: flattenSchema(document, flat.items), isList: true }
}

/**
 * The properties of an object that may have a key that is sent, the likeliest first.
 * @param sent the types of what is sent
 * @param names of the keys of its collection, if that is known
 */
export function findReferenceKeys(
  document: OpenApiDocument,
  flat: FlatSchema,
  sent: ReadonlySet<string>,
  [key, ...otherKeys]: readonly string[] = [],
  collection = '',
): [property: string, types: JsonType[]][] {
  const isFitting = ([, schema]: [string, Located<Schema>]) =>
    scalars.some((type) => sent.has(type) && flattenSchema(document, schema).types.has(type))
  const fitting = { ...flat, properties: new Map([...flat.properties].filter(isFitting)) }
  const usual = [fitting, flat].map((each) => findKey(document, each, undefined, collection)?.property)
  // What a short form of a record requires is its key.
  const required = flat.required.size === 1 ? [...flat.required] : []
  return [...new Set([key, usual[0], ...otherKeys, usual[1], ...required])].flatMap(
    (property): [string, JsonType[]][] => {
      const schema = property === undefined ? undefined : flat.properties.get(property)
      const types = schema ? flattenSchema(document, schema).types : new Set()
      const own = scalars.filter((type) => types.has(type))
      return property === undefined || own.length === 0 ? [] : [[property, own]]
    },
  )
}
