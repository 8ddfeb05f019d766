/** Reads the examples that a document has of the records of a collection. */

import { examplesAt, recordsIn, schemaExamples } from '../compile/resources/facts/examples.js'
import type { CollectionModel, ExamplePlace } from '../contract/contract.js'
import type { Located, OpenApiDocument, Schema } from '../document/document.js'
import { isObject } from '../json/own-value.js'
import { flattenSchema } from '../schemas/flatten-schema.js'
import { toKey } from '../state/stored-collection.js'
import type { Key, Values } from '../state/stored-record.js'

export interface DocumentExamples {
  /** Records, with a key if the example has one. Examples with the same key complete each other. */
  records: { key: Key | undefined; values: Values }[]
  /** Whether they are of requests, which have only a part of a record. */
  arePartial?: boolean
  /** Keys in examples of parameters and of the key property. */
  keys: Key[]
}

export const noExamples: DocumentExamples = { records: [], keys: [] }

/** Maximum records and keys that are taken from a document. */
const most = 100

/**
 * @param record the schema of a record
 * @param aliases the names under which bodies show hidden keys
 */
export function readExamples(
  document: OpenApiDocument,
  places: readonly ExamplePlace[],
  record: Located<Schema>,
  model: CollectionModel,
  aliases: readonly string[],
): DocumentExamples {
  const found = places.flatMap((place) => examplesAt(document, place).map((value) => ({ place, value })))
  const records = new Map<Key | symbol, { key: Key | undefined; values: Values }>()
  const add = (values: Values) => {
    const named = [model.key, ...aliases].find((name) => Object.hasOwn(values, name))
    const key = named === undefined ? undefined : keyOf(model, values[named])
    const known = key === undefined ? undefined : records.get(key)
    records.set(key ?? Symbol(model.key), { key, values: known ? { ...values, ...known.values } : values })
  }
  for (const { place, value } of found) {
    if (place.is === 'list' || place.is === 'record') for (const each of recordsIn(place, value)) add(each)
  }
  for (const example of schemaExamples(document, record)) if (isObject(example)) add(example)
  const arePartial = records.size === 0
  if (arePartial) {
    for (const { place, value } of found)
      if (place.is === 'draft') for (const each of recordsIn(place, value)) add(each)
  }
  const property = flattenSchema(document, record).properties.get(model.key)
  const shown = property ? schemaExamples(document, property) : []
  const keys = [...found.flatMap(({ place, value }) => (place.is === 'key' ? [value] : [])), ...shown].flatMap(
    (value) => keyOf(model, value) ?? [],
  )
  return { records: [...records.values()].slice(0, most), arePartial, keys: [...new Set(keys)].slice(0, most) }
}

function keyOf({ keyKind }: CollectionModel, value: unknown): Key | undefined {
  if (keyKind === 'integer') {
    const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value
    // Further keys are counted from the highest one.
    return typeof number === 'number' && Number.isSafeInteger(number) && number < 2 ** 52 ? number : undefined
  }
  const isText = (typeof value === 'string' && value !== '') || typeof value === 'number'
  return isText ? toKey(String(value) as never, keyKind) && String(value) : undefined
}
