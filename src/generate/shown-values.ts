/** Makes what answers show of a record besides its schema: a list may show other properties than a read. */
import type { Located, Schema } from '../compile/document.js'
import { flattenSchema } from '../compile/schemas/flatten-schema.js'
import { isObject } from '../json/is-object.js'
import type { Values } from '../state/stored-record.js'
import { type CollectionToGenerate, findRecordSchema } from './collection-to-generate.js'
import { generateValue } from './generate-value.js'
import { toGenerationSchema } from './generation-schema.js'

/** The most schemas that are looked at for one collection. */
const maxSchemas = 4

export interface ShownValues {
  /** Names of the properties. */
  names: ReadonlySet<string>
  /** Makes values for one more record. */
  next(): Values
}

/** @param record the schema of the records */
export function createShownValues(collection: CollectionToGenerate, record: Located<Schema>): ShownValues {
  const { document, model, random, shownPaths } = collection
  const own = flattenSchema(document, record)
  const { additionalProperties: others = true, unevaluatedProperties: further = true } = own.keywords
  if (others !== true || further !== true) return nothing
  const known = new Set([...own.properties.keys(), model.key, ...(model.hidden ?? [])])
  const properties: Record<string, Schema> = {}
  for (const path of shownPaths.slice(0, maxSchemas)) {
    const shown = findRecordSchema(document, path)
    if (shown.value === undefined) continue
    for (const [name, { value }] of flattenSchema(document, shown).properties)
      if (!known.has(name) && !Object.hasOwn(properties, name)) properties[name] = value
  }
  if (Object.keys(properties).length === 0) return nothing
  const schema = toGenerationSchema({
    ...collection,
    schema: { type: 'object', properties },
    leftOut: model.key,
    choice: 'anyOf',
  })
  return {
    names: new Set(Object.keys(properties)),
    next() {
      const values = schema && generateValue(schema, random.below(2 ** 31))
      return isObject(values) ? values : {}
    },
  }
}

const nothing: ShownValues = { names: new Set(), next: () => ({}) }
