/** Makes any number of records out of some: far cheaper than generating each, and they share their texts. */

import type { Key, Values } from '../state/stored-record.js'
import type { CollectionToGenerate } from './collection-to-generate.js'
import type { Keys } from './generate-keys.js'

/** Tries for one record; only a key that is not valid needs more than one. */
const maxTries = 100

/** @returns a function that gives the next record; nothing where no key is left */
export function createCombine(
  pool: readonly Values[],
  { model, validate, random }: CollectionToGenerate,
  keys: Keys,
): () => Values | undefined {
  const names = new Set(pool.flatMap((record) => Object.keys(record)))
  names.delete(model.key)
  const columns = [...names].map((name) => {
    const values = pool.flatMap((record) => (record[name] === undefined ? [] : [record[name]]))
    return { name, values }
  })

  /** Which properties there are is as in one record; the value of each comes from another one. */
  function combine(key: Key): Values {
    // A copy and not a new object: the engine then knows all records as one kind, and keeps no names with them.
    const record: Record<string, unknown> = { ...pool[random.below(pool.length)], [model.key]: key }
    for (const { name, values } of columns) {
      if (record[name] !== undefined) record[name] = values[random.below(values.length)]
    }
    return record
  }

  return () => {
    for (let attempt = 0; attempt < maxTries && pool.length > 0; attempt++) {
      const key = keys.propose()
      if (key === undefined) return undefined
      const combined = combine(key)
      // What is valid part by part may not be as a whole; then a copy will do.
      const record = validate(combined) ? combined : { ...pool[random.below(pool.length)], [model.key]: key }
      if (record !== combined && !validate(record)) continue
      keys.keep(key)
      return record
    }
    return undefined
  }
}
