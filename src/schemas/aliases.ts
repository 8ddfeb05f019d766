/** Values that bodies and records have under different names. */
import type { Alias } from '../contract/effects/effect.js'
import type { JsonType } from '../contract/request-model.js'
import type { Located, OpenApiDocument, Schema } from '../document/document.js'
import { type FlatSchema, flattenSchema } from './flatten-schema.js'

/** @returns undefined if the two have other types, and no text can be converted */
export function toAlias(
  document: OpenApiDocument,
  name: string,
  schema: Located<Schema>,
  own: string | undefined,
  known: FlatSchema['properties'],
): Alias | undefined {
  const other = own === undefined ? undefined : known.get(own)
  if (own === undefined || !other) return undefined
  const { types } = flattenSchema(document, schema)
  const wanted = [...flattenSchema(document, other).types] as JsonType[]
  if (wanted.some((type) => type !== 'null' && types.has(type))) return [name, own]
  const isConverted = types.has('string') && wanted.some((type) => /^(integer|number|boolean)$/.test(type))
  return isConverted ? [name, own, wanted] : undefined
}

/** What a request describes, with the names of the record. */
export function withOwnNames(flat: FlatSchema, aliases: readonly Alias[]): FlatSchema {
  if (aliases.length === 0) return flat
  const toOwn = (name: string) => aliases.find(([sent]) => sent === name)?.[1] ?? name
  const properties = new Map([...flat.properties].map(([name, schema]) => [toOwn(name), schema]))
  return { ...flat, properties, required: new Set([...flat.required].map(toOwn)) }
}
