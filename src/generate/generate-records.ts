/** Generates records one after another, each of them valid. */
import { flattenSchema } from '../compile/schemas/flatten-schema.js'
import { sample } from '../compile/schemas/sample.js'
import { judge } from '../contract/violations.js'
import type { Values } from '../state/stored-record.js'
import { type CollectionToGenerate, findRecordSchema } from './collection-to-generate.js'
import type { Keys } from './generate-keys.js'
import { generateValue } from './generate-value.js'
import { toGenerationSchema } from './generation-schema.js'

export interface RecordGenerator {
  /** The next record; nothing where none is found, or no key is left. */
  next(): Values | undefined
  /** What was wrong with the last try. */
  readonly problem: string
}

/** Tries for one record; in the first half everything optional may be there. */
const maxTries = 40

export function createRecordGenerator(collection: CollectionToGenerate, keys: Keys): RecordGenerator {
  const { document, model, schemaPath, validate, hints, random } = collection
  const located = findRecordSchema(document, schemaPath)
  const order = [...flattenSchema(document, located).properties.keys()]
  const schemas = (['anyOf', 'oneOf'] as const).map((choice) =>
    toGenerationSchema({ ...collection, schema: located.value, leftOut: model.key, choice }),
  )
  let preferred = 0
  let problem = 'no value keeps its schema'

  function complete(values: Values): Values | undefined {
    const key = keys.propose()
    if (key === undefined) return undefined
    const record = inOrder({ ...values, [model.key]: key }, order)
    const violations = judge(validate, record, record, false)
    if (violations.length === 0) {
      keys.keep(key)
      return record
    }
    problem = violations.map(({ message }) => message).join('; ')
    return undefined
  }

  /** Without what a hint leaves out of a share of the records. */
  function leaveOut(values: Values): Values {
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
        const record = values === undefined ? undefined : complete(leaveOut(values as Values))
        if (!record) continue
        preferred = choice
        return record
      }
      const shown = sample(document, located)
      return typeof shown === 'object' && shown !== null ? complete(shown as Values) : undefined
    },
  }
}

/** Properties as the document has them, then the others. */
function inOrder(values: Values, order: readonly string[]): Values {
  const names = [...new Set([...order.filter((name) => Object.hasOwn(values, name)), ...Object.keys(values)])]
  return Object.fromEntries(names.map((name) => [name, values[name]]))
}
