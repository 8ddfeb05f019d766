/** Makes the values of which lines only say that they are made. */
import { briefly, isMade } from '../../behaviour/values.js'
import type { Located, OpenApiDocument, Schema } from '../../document/document.js'
import { isObject } from '../../json/own-value.js'
import { singular } from '../../lexicon/words.js'
import { flattenSchema } from '../../schemas/flatten-schema.js'
import { withBranch } from '../../schemas/tagged.js'
import { sample } from './sample.js'

/** @param value with `$made` in place of each value that is made. @param name of the property that has it */
export function resolveMade(document: OpenApiDocument, schema: Located<Schema>, value: unknown, name: string): unknown {
  if (isMade(value)) return sample(document, schema, name, value === briefly)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const { items } = flattenSchema(document, schema)
    return items ? value.map((each) => resolveMade(document, items, each, singular(name))) : value
  }
  if (!isObject(value)) return value
  const { properties } = flattenSchema(document, withBranch(document, schema))
  const entries = Object.entries(value).map(([own, each]): [string, unknown] => {
    const inner = properties.get(own)
    return [own, inner ? resolveMade(document, inner, each, own) : each]
  })
  return Object.fromEntries(entries)
}
