/** Completes the values of records by keys and references, and makes them valid. */
import { judge } from '../contract/violations.js'
import type { ExactValue } from '../json/exact-value.js'
import { withNested } from '../json/nested.js'
import { isObject } from '../json/own-value.js'
import { derive } from '../json/sampler/derive.js'
import { ensureValid } from '../json/sampler/ensure-valid.js'
import type { Key, Values } from '../state/stored-record.js'
import { withTimesInOrder } from '../values/agreed-times.js'
import { type CollectionToGenerate, type Origin, splitHidden } from './collection-to-generate.js'
import type { ReservableKeys } from './generate-record-keys.js'

/** The records of one collection while they are generated. */
export interface RecordsInMaking {
  collection: CollectionToGenerate
  keys: ReservableKeys
  /** The properties in the order of the document. */
  order: readonly string[]
  /** The number of records made. */
  made: number
  hasKeys: boolean
  /** The last record that is not valid. */
  failing: Values | undefined
}

/** How a record is completed. */
interface Completion {
  /** The key of the record. @default the next one */
  key?: Key | undefined
  /** Values that refer to records of other collections. @default those of the next record */
  related?: Values
  /** The plan of a record whose values follow from each other. */
  plan?: number
  /** @default 'made' with a plan */
  from?: Origin
  /** Whether wrong values are replaced by values of the sampler plan. */
  isMended?: boolean
}

/** @returns undefined if the record is not valid, or no key is left */
export function completeRecord(
  records: RecordsInMaking,
  values: Values,
  {
    key = nextKey(records),
    related,
    plan,
    from = plan === undefined ? 'combined' : 'made',
    isMended = false,
  }: Completion = {},
): Values | undefined {
  const { model, references, named } = records.collection
  if (key === undefined) return undefined
  const keyed = { ...values, ...(related ?? references(records.made)), [model.key]: key }
  const own = model.keyPointer ? withNested(keyed, model.keyPointer, key) : keyed
  const linked = named(records.made, own, from)
  const { compiler, now, hints } = records.collection
  const isGiven = (name: string) => name === model.key || Object.hasOwn(hints, name)
  const derived = plan === undefined ? linked : (derive(compiler.plans, plan, linked, { now, isGiven }) as Values)
  const record = [...new Set([derived, linked, own])].reduce<Values | undefined>(
    (found, each) => found ?? toValid(records, each, key, isMended),
    undefined,
  )
  if (record) {
    records.keys.keep(key)
    records.made++
  }
  return record
}

/** Searches for a missing key only once, because it takes many tries. */
export function nextKey(records: RecordsInMaking): Key | undefined {
  const key = records.hasKeys ? records.keys.propose() : undefined
  records.hasKeys = key !== undefined
  return key
}

function toValid(records: RecordsInMaking, values: Values, key: Key, isMended: boolean): Values | undefined {
  const { collection, order } = records
  const [shown, hidden] = splitHidden(collection, values)
  const whole = isMended ? mend(collection, inOrder(shown, order), key) : inOrder(shown, order)
  const record = collection.validate(whole) ? whole : withoutWrong(collection, whole)
  if (record) return collection.model.hidden ? { ...record, ...hidden } : record
  records.failing = whole
  return undefined
}

/** Leaves out the properties that make a record invalid, such as an example in another form. */
function withoutWrong({ model, validate }: CollectionToGenerate, record: Values): Values | undefined {
  const wrong = new Set(judge(validate, record, record, false).map(({ at, path }) => path?.[0] ?? at.split(/[.[]/)[0]))
  const others = Object.entries(record).filter(([name]) => !wrong.has(name))
  const mended = Object.fromEntries(others)
  return wrong.has('') || wrong.has(model.key) || !validate(mended) ? undefined : mended
}

/** Makes the values of a record valid, if possible without changing its key. */
function mend({ model, validate, plans, random, now }: CollectionToGenerate, record: Values, key: unknown): Values {
  const { ensure } = model
  const seed = random.below(2 ** 31)
  const mended = ensure && ensureValid({ value: record as ExactValue, judge: validate, plans, plan: ensure.plan, seed })
  const isSame = isObject(mended) && (mended[model.key] === key || model.hidden?.includes(model.key) === true)
  return isSame ? withTimesInOrder(mended, now) : record
}

/** Adds what an example has in another form than the schema, as far as that can be made valid. */
export function restore({ collection, order }: RecordsInMaking, record: Values, example: Values): Values {
  const { model, validate } = collection
  const isLost = ([name]: [string, unknown]) => order.includes(name) && !Object.hasOwn(record, name)
  const lost = Object.entries(withoutNulls(example) as Values).filter(isLost)
  if (lost.length === 0 || model.hidden) return record
  const whole = mend(collection, inOrder({ ...record, ...Object.fromEntries(lost) }, order), record[model.key])
  return validate(whole) ? whole : record
}

/** Leaves out null values that the schema does not allow, which are common in examples. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isObject(value)) return value
  const others = Object.entries(value).filter(([, own]) => own !== null)
  return Object.fromEntries(others.map(([name, own]) => [name, withoutNulls(own)]))
}

/** Sorts properties in the order of the document, followed by all others. */
function inOrder(values: Values, order: readonly string[]): Values {
  const names = [...new Set([...order.filter((name) => Object.hasOwn(values, name)), ...Object.keys(values)])]
  return Object.fromEntries(names.map((name) => [name, values[name]]))
}
