/** Generates valid records one by one. */
import { flattenSchema } from '../compile/schemas/flatten-schema.js'
import { sample } from '../compile/schemas/sample.js'
import { judge } from '../contract/violations.js'
import type { Values } from '../state/stored-record.js'
import { type CollectionToGenerate, findRecordSchema, splitHidden } from './collection-to-generate.js'
import type { Keys } from './generate-record-keys.js'
import { generateValue } from './generate-value.js'
import { toGenerationSchema } from './generation-schema.js'

export interface RecordGenerator {
  /** Returns the next record, or undefined if no valid record is found or no key is left. */
  next(): Values | undefined
  /** Why the last try failed. */
  readonly problem: string
}

/** Tries for one record. The second half generates only the required properties of `oneOf` alternatives. */
const maxTries = 40

export function createRecordGenerator(collection: CollectionToGenerate, keys: Keys): RecordGenerator {
  const { document, model, schemaPath, validate, hints, random, references } = collection
  const located = findRecordSchema(document, schemaPath)
  const order = [...flattenSchema(document, located).properties.keys()]
  const schemas = (['anyOf', 'oneOf'] as const).map((choice) =>
    toGenerationSchema({ ...collection, schema: located.value, leftOut: model.key, choice }),
  )
  let preferred = 0
  let made = 0
  let problem = 'no generated value satisfies its schema'

  function complete(values: Values): Values | undefined {
    const key = keys.propose()
    if (key === undefined) return undefined
    const [shown, hidden] = splitHidden(collection, { ...values, ...references(made), [model.key]: key })
    const record = inOrder(shown, order)
    const violations = judge(validate, record, record, false)
    if (violations.length === 0) {
      keys.keep(key)
      made++
      return model.hidden ? { ...record, ...hidden } : record
    }
    problem = violations.map(({ message }) => message).join('; ')
    return undefined
  }

  /** Removes the properties that hints make absent in some of the records. */
  function removeAbsent(values: Values): Values {
    const isKept = (name: string) => hints[name]?.absent === undefined || random.next() >= hints[name].absent
    return Object.fromEntries(Object.entries(values).filter(([name]) => isKept(name)))
  }

  return {
    get problem() {
      return problem
    },
    next() {
      for (let attempt = 0; attempt < maxTries; attempt++) {
        const choice = attempt < maxTries / 2 ? preferred : 1
        const schema = schemas[choice]
        const values = schema && generateValue(schema, random.below(2 ** 31))
        const record = values === undefined ? undefined : complete(removeAbsent(values as Values))
        if (!record) continue
        preferred = choice
        return record
      }
      const shown = sample(document, located)
      return typeof shown === 'object' && shown !== null ? complete(shown as Values) : undefined
    },
  }
}

/** Sorts properties in the order of the document, followed by all others. */
function inOrder(values: Values, order: readonly string[]): Values {
  const names = [...new Set([...order.filter((name) => Object.hasOwn(values, name)), ...Object.keys(values)])]
  return Object.fromEntries(names.map((name) => [name, values[name]]))
}
