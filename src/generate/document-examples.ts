/** Reads the examples that a document has of the records of a collection. */

import type { CollectionModel, Contract, ExamplePlace } from '../contract/contract.js'
import type { Located, OpenApiDocument, Schema } from '../document/document.js'
import { oncePer } from '../document/once.js'
import { isObject } from '../json/own-value.js'
import { examplesAt, recordsIn, schemaExamples } from '../schemas/examples.js'
import { flattenSchema } from '../schemas/flatten-schema.js'
import { toKey } from '../state/stored-collection.js'
import type { Key, Values } from '../state/stored-record.js'
import { type DocumentExamples, findRecordSchema } from './collection-to-generate.js'
import type { createFindReferences } from './find-references.js'

const noExamples: DocumentExamples = { records: [], keys: [] }

/** Maximum records and keys that are taken from a document. */
const most = 100

/**
 * @param models all collections, whose examples may have keys of each other
 * @returns a function that reads the examples of a collection
 */
export function createExampleReader(
  document: OpenApiDocument,
  contract: Contract,
  models: readonly CollectionModel[],
  findReferences: ReturnType<typeof createFindReferences>,
): (model: CollectionModel) => DocumentExamples {
  const aliased = contract.operations.flatMap(({ effect }) => ('aliases' in effect && effect.aliases ? [effect] : []))
  const ownOf = oncePer((model: CollectionModel): DocumentExamples => {
    const places = contract.recordSources?.[model.name]?.examples
    if (!places) return noExamples
    const record = findRecordSchema(document, contract.recordSchemas[model.record] ?? [])
    return readExamples(document, places, record, model, aliasesOf(model))
  })
  return (model) => {
    const own = ownOf(model)
    return { ...own, keys: [...new Set([...own.keys, ...keysNamedInOthers(model)])] }
  }

  function aliasesOf({ name, key }: CollectionModel): string[] {
    const aliases = aliased.flatMap(({ collection, aliases = [] }) => (collection === name ? aliases : []))
    return aliases.flatMap(([shown, own]) => (own === key ? shown : []))
  }

  /** Keys of a collection in examples of other records, so that these records exist. */
  function keysNamedInOthers({ name, key, keyKind }: CollectionModel): Key[] {
    const type = keyKind === 'integer' ? 'number' : 'string'
    return models.flatMap((other) => {
      const { records } = other.name === name ? noExamples : ownOf(other)
      if (records.length === 0) return []
      const naming = findReferences(other).filter((each) => each.collection === name && each.key === key)
      const properties = new Set(naming.map(({ property }) => property))
      const named = properties.size === 0 ? [] : records.flatMap(({ values }) => valuesOf(values, properties))
      return named.filter((value): value is Key => typeof value === type && value !== '')
    })
  }
}

/**
 * @param record the schema of a record
 * @param aliases the names under which bodies show hidden keys
 */
function readExamples(
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

/** The values of properties, including nested ones. */
function valuesOf(value: unknown, properties: ReadonlySet<string>, depth = 0): unknown[] {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return []
  return Object.entries(value).flatMap(([name, own]) =>
    properties.has(name) ? [own].flat() : valuesOf(own, properties, depth + 1),
  )
}

/** Maximum depth of nested objects and lists that are searched for references. */
const maxDepth = 6
