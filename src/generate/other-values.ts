/** Makes the values of records that hints and other answers describe. */

import type { Located, Schema } from '../document/document.js'
import { isObject } from '../json/own-value.js'
import { makeValue } from '../json/sampler/make-value.js'
import { exampleValue, flattenSchema } from '../schemas/flatten-schema.js'
import { toVariants } from '../schemas/schema-variants.js'
import type { Values } from '../state/stored-record.js'
import { callFaker } from './check-hints.js'
import { type CollectionToGenerate, findRecordSchema } from './collection-to-generate.js'

/**
 * The number of the record that has the examples of properties: that with the key in them, else the newest, because lists begin
 * with it. None has them beside whole examples, which it would repeat.
 */
export function findShown({ document, schemaPath, model, records, examples }: CollectionToGenerate): number {
  if (examples.records.length > 0) return -records
  const [first] = examples.keys
  if (model.keyKind !== 'integer') return first === undefined ? records - 1 : 0
  const key = flattenSchema(document, findRecordSchema(document, schemaPath)).properties.get(model.key)
  const shown = Number(key && exampleValue(flattenSchema(document, key).keywords))
  if (shown >= 1 && shown <= records) return shown - 1
  return Number(first) > records ? 0 : records - 1
}

/** Maximum schemas to use for one collection. */
const maxSchemas = 4

export interface ShownValues {
  /** Names of the properties. */
  names: ReadonlySet<string>
  /** Makes values for one more record. */
  next(): Values
}

/** @param record the schema of the records */
export function createShownValues(collection: CollectionToGenerate, record: Located<Schema>): ShownValues {
  const { document, model, random, shownPaths, compiler, now } = collection
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
  const plan = compiler.add({ type: 'object', properties }, { owner: model.name })
  const shownAt = findShown(collection)
  let made = 0
  return {
    names: new Set(Object.keys(properties)),
    next() {
      const values = makeValue(compiler.plans, plan, { random, now, record: Math.abs(made++ - shownAt) })
      return isObject(values) ? values : {}
    },
  }
}

/** @returns makes the values of the properties with hints, which override the keywords of the document */
export function createHintedValues(collection: CollectionToGenerate, record: Located<Schema>): () => Values {
  const { document, model, hints, compiler, random, now, faker } = collection
  const { properties } = flattenSchema(document, record)
  const makers = Object.entries(hints).map(([name, hint]): [string, () => unknown] => {
    const { faker: method, absent: _, ...keywords } = hint
    const variants = toVariants(document, properties.get(name)?.value ?? true)
    if (method === undefined) {
      const schemas = variants.map((variant) => ({ ...variant, ...keywords }))
      const isChanged = Object.keys(keywords).length > 0
      const plan = compiler.add(schemas.length === 1 ? (schemas[0] ?? true) : { anyOf: schemas }, {
        name,
        owner: model.name,
      })
      return [name, () => (isChanged ? makeValue(compiler.plans, plan, { random, now, record: 1 }) : undefined)]
    }
    const isDay = variants.some(({ format }) => format === 'date')
    const make = () => {
      const value = callFaker(faker, method, `${model.name}.${name}`)
      return value instanceof Date ? value.toISOString().slice(0, isDay ? 10 : undefined) : value
    }
    return [name, make]
  })
  return () => {
    const made = makers.map(([name, make]): [string, unknown] => [name, make()])
    return Object.fromEntries(made.filter(([, value]) => value !== undefined))
  }
}

const nothing: ShownValues = { names: new Set(), next: () => ({}) }
