/** Combines records from a pool: far cheaper than generating each, and the records share their texts. */

import type { Key, Values } from '../state/stored-record.js'
import { type CollectionToGenerate, splitHidden } from './collection-to-generate.js'
import type { Keys } from './generate-record-keys.js'

/** Tries for one record. Only invalid keys need more than one try. */
const maxTries = 100

/** @returns a function that returns the next record, or undefined if no key is left */
export function createCombine(
  pool: readonly Values[],
  collection: CollectionToGenerate,
  keys: Keys,
): () => Values | undefined {
  const { model, random, references } = collection
  const validate = (record: Values) => collection.validate(splitHidden(collection, record)[0])
  let made = pool.length
  const names = new Set(pool.flatMap((record) => Object.keys(record)))
  for (const name of [model.key, ...Object.keys(references(0))]) names.delete(name)
  const columns = [...names].map((name) => {
    const values = pool.flatMap((record) => (record[name] === undefined ? [] : [record[name]]))
    return { name, values }
  })

  /** Takes the property names from one record, and the value of each property from a random record. */
  function combine(key: Key): Values {
    // Copies an object so that all records share one hidden class in V8, which stores no names per record.
    const record: Record<string, unknown> = {
      ...pool[random.below(pool.length)],
      ...references(made),
      [model.key]: key,
    }
    for (const { name, values } of columns) {
      if (record[name] !== undefined) record[name] = values[random.below(values.length)]
    }
    return record
  }

  return () => {
    for (let attempt = 0; attempt < maxTries && pool.length > 0; attempt++) {
      const key = keys.propose()
      if (key === undefined) return undefined
      const combined = collection.named(made, combine(key))
      // Valid values may be invalid together. Then use a plain copy.
      const record = validate(combined)
        ? combined
        : { ...pool[random.below(pool.length)], ...references(made), [model.key]: key }
      if (record !== combined && !validate(record)) continue
      keys.keep(key)
      made++
      return record
    }
    return undefined
  }
}
