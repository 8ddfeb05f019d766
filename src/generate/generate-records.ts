/** Generates valid records one by one. */

import { judge } from '../contract/violations.js'
import type { Located, Schema } from '../document/document.js'
import { once } from '../document/once.js'
import type { ExactValue } from '../json/exact-value.js'
import { withNested } from '../json/nested.js'
import { isObject } from '../json/own-value.js'
import { ensureValid } from '../json/sampler/ensure-valid.js'
import { makeValue } from '../json/sampler/make-value.js'
import { isKeyWord } from '../lexicon/record-names.js'
import { ownerWords, wordsOf } from '../lexicon/words.js'
import { isPlaceholder, naming, ownerOfRecords } from '../schemas/compile-plans.js'
import { flattenSchema } from '../schemas/flatten-schema.js'
import { sample, sampleGiven } from '../schemas/sample.js'
import { toVariants } from '../schemas/schema-variants.js'
import type { Key, Values } from '../state/stored-record.js'
import { withTimesInOrder } from '../values/agreed-times.js'
import { inAgreement } from '../values/agreement.js'
import { callFaker } from './check-hints.js'
import { type CollectionToGenerate, findRecordSchema, splitHidden } from './collection-to-generate.js'
import type { ReservableKeys } from './generate-record-keys.js'
import { inPossibleState } from './possible-state.js'
import { isOfOne, varyExample } from './vary-example.js'

export interface RecordGenerator {
  /** Returns records from examples of the document, as far as they are valid. Called first. Yields before each record. */
  examples(most: number): Generator<undefined, Values[]>
  /** Returns the next record, or undefined if no valid record is found or no key is left. Yields before each try. */
  next(): Generator<undefined, Values | undefined>
  /** Why the last try failed. */
  readonly problem: string
}

/** Maximum tries for one record. The second half generates only the required properties of `oneOf` alternatives. */
const maxTries = 40
/** Maximum tries for a name that no other record has. */
const maxNames = 5

export function createRecordGenerator(collection: CollectionToGenerate, keys: ReservableKeys): RecordGenerator {
  const { document, model, schemaPath, validate, plans, compiler, hints, random, references, named, now } = collection
  const located = findRecordSchema(document, schemaPath)
  const { properties, required } = flattenSchema(document, located)
  const order = [...properties.keys()]
  const isNullable = (name: string) => flattenSchema(document, properties.get(name) ?? located).types.has('null')
  const lackOf = (name: string) => (!required.has(name) ? 'absent' : isNullable(name) ? 'null' : 'kept')
  const shown = collection.examples.records.map(({ values }) => values)
  const owner = ownerOfRecords(model.name, located)
  const plan = once(() => ({ number: compiler.add(located.value, { owner, shown }) }))
  const shownAt = findShown(collection)
  const hinted = createHintedValues(collection, located)
  const others = createShownValues(collection, located)
  const nameProperty = order.find((name) => naming.test(name) && hints[name] === undefined)
  const names = new Set<string>()
  /** What further records repeat: examples of the document, or what it shows of most properties. */
  const units: Values[] = []
  const templates = once(() => {
    const most = Math.max(...units.map((each) => Object.keys(each).length))
    return units.length > 0 ? units.filter((each) => Object.keys(each).length * 2 >= most) : shownTogether()
  })
  let isBrief = false
  let mends = false
  let made = 0
  let hasKeys = true
  let failing: Values | undefined

  /**
   * @param isMended whether wrong values are replaced by values of the sampler plan
   * @param key the key of the record. Absent: the next one
   * @param related values that refer to records of other collections
   */
  function complete(values: Values, isMended = false, key = nextKey(), related = references(made)): Values | undefined {
    if (key === undefined) return undefined
    const keyed = { ...values, ...related, [model.key]: key }
    const own = model.keyPointer ? withNested(keyed, model.keyPointer, key) : keyed
    const linked = named(made, own)
    const record = toValid(linked, key, isMended) ?? (linked === own ? undefined : toValid(own, key, isMended))
    if (record) {
      keys.keep(key)
      made++
    }
    return record
  }

  /** Searches for a missing key only once, because it takes many tries. */
  function nextKey(): Key | undefined {
    const key = hasKeys ? keys.propose() : undefined
    hasKeys = key !== undefined
    return key
  }

  function toValid(values: Values, key: Key, isMended: boolean): Values | undefined {
    const [shown, hidden] = splitHidden(collection, values)
    const whole = isMended ? mend(inOrder(shown, order), key) : inOrder(shown, order)
    const record = validate(whole) ? whole : withoutWrong(whole)
    if (record) return model.hidden ? { ...record, ...hidden } : record
    failing = whole
    return undefined
  }

  /** Leaves out the properties that make a record invalid, such as an example in another form. */
  function withoutWrong(record: Values): Values | undefined {
    const wrong = new Set(
      judge(validate, record, record, false).map(({ at, path }) => path?.[0] ?? at.split(/[.[]/)[0]),
    )
    const others = Object.entries(record).filter(([name]) => !wrong.has(name))
    const mended = Object.fromEntries(others)
    return wrong.has('') || wrong.has(model.key) || !validate(mended) ? undefined : mended
  }

  /** Makes the values of a record valid, if possible without changing its key. */
  function mend(record: Values, key: unknown): Values {
    const { ensure } = model
    const seed = random.below(2 ** 31)
    const mended =
      ensure && ensureValid({ value: record as ExactValue, judge: validate, plans, plan: ensure.plan, seed })
    const isSame = isObject(mended) && (mended[model.key] === key || model.hidden?.includes(model.key) === true)
    return isSame ? withTimesInOrder(mended, now) : record
  }

  /** Adds what an example has in another form than the schema, as far as that can be made valid. */
  function restore(record: Values, shown: Values): Values {
    const isLost = ([name]: [string, unknown]) => order.includes(name) && !Object.hasOwn(record, name)
    const lost = Object.entries(withoutNulls(shown) as Values).filter(isLost)
    if (lost.length === 0 || model.hidden) return record
    const whole = mend(inOrder({ ...record, ...Object.fromEntries(lost) }, order), record[model.key])
    return validate(whole) ? whole : record
  }

  /** Removes the properties that hints make absent in some of the records. */
  function removeAbsent(values: Values): Values {
    const isKept = (name: string) => hints[name]?.absent === undefined || random.next() >= hints[name].absent
    return Object.fromEntries(Object.entries(values).filter(([name]) => isKept(name)))
  }

  /** Whether an example is of a request, or has only ids, so that it would be meaningless to people. */
  function isPartial(values: Values): boolean {
    const says = ([name, value]: [string, unknown]) =>
      name !== model.key && value !== null && (order.includes(name) || others.names.has(name)) && !isIdName(name)
    return collection.examples.arePartial === true || !Object.entries(values).some(says)
  }

  /** An example with values where it says little. */
  function withTold(values: Values): Values {
    const told = Object.entries(values).filter(([name, value]) => value !== 'string' || name === model.key)
    const isShort = isPartial(values)
    const made = isShort || told.length < Object.keys(values).length ? makeNext(false) : undefined
    if (!made) return values
    if (isShort) return inAgreement({ ...others.next(), ...made, ...Object.fromEntries(told) }, now)
    const entries = Object.entries(made).filter(([name]) => Object.hasOwn(values, name))
    return Object.fromEntries([...entries, ...told])
  }

  /** Whether another record has the same name. */
  function isNamedAgain(values: Values): boolean {
    const name = nameProperty === undefined ? undefined : values[nameProperty]
    return typeof name === 'string' && (names.has(name) || !names.add(name))
  }

  /** @param isShort whether to make only required values, so that a value matches no other alternative */
  function makeNext(isShort: boolean): Values | undefined {
    const record = isShort ? {} : { record: Math.abs(made - shownAt) }
    const value = makeValue(compiler.plans, plan().number, { random, now, ...record })
    return isObject(value) ? { ...value, ...hinted() } : undefined
  }

  /** The examples of the properties of a record, if most have one. */
  function shownTogether(): Values[] {
    const { number } = plan()
    const compiled = compiler.plans[number]
    const names = compiled?.kind === 'object' ? compiled.shown : undefined
    const value = names && makeValue(compiler.plans, number, { random, now, record: 0 })
    if (!isObject(value)) return []
    return [Object.fromEntries(Object.entries(value).filter(([name]) => names?.includes(name)))]
  }

  /** A variation of an example, completed by other values if the example is only a part of a record. */
  function repeatExample(values: Values, names: Values, key: Key): Values | undefined {
    const shown = templates()[made % templates().length]
    if (!shown) return undefined
    const keys = [shown[model.key], key] as const
    const varied = varyExample({ shown, made: names, others: values, keys, owner: ownerWords(model.name), now, random })
    const hinted = Object.entries(values).filter(([name]) => hints[name] !== undefined)
    for (const each of [varied, shown]) {
      const own = { ...each, ...Object.fromEntries(hinted) }
      const isWhole = units.length > 0 && !isPartial(each)
      const whole = removeAbsent(isWhole ? own : inAgreement({ ...values, ...own }, now))
      const possible = isWhole && hinted.length === 0 ? whole : inPossibleState(whole, lackOf, 'absent')
      const record = complete(possible, false, key, relatedTo(possible))
      if (record) return record
    }
    return undefined
  }

  /** Adds no references that an example does not have, except its owners. */
  function relatedTo(values: Values): Values {
    const owned = new Set(
      (model.links ?? []).flatMap(({ isOwner, values: pairs }) => (isOwner ? pairs : []).map(([own]) => own)),
    )
    const isKept = (name: string) => Object.hasOwn(values, name) || owned.has(name) || !order.includes(name)
    return Object.fromEntries(Object.entries(references(made)).filter(([name]) => isKept(name)))
  }

  return {
    get problem() {
      if (!failing) return 'no generated value satisfies its schema'
      const violations = judge(validate, failing, failing, false)
      return violations.map(({ message }) => message).join('; ')
    },
    *examples(most) {
      const records: Values[] = []
      const isKnown = (name: string) =>
        order.length === 0 || name === model.key || order.includes(name) || others.names.has(name)
      // An example without any property of the schema belongs to something else.
      const all = collection.examples.records.filter(({ values }) => Object.keys(values).some(isKnown))
      for (const [index, { key: given, values: shown }] of all.slice(0, most).entries()) {
        yield
        const values = withTold(shown)
        if (given !== undefined && !keys.reserve(given)) continue
        // Examples get the highest keys, because lists begin with these.
        const highest = model.keyKind === 'integer' ? collection.records - index : undefined
        const key = given ?? (highest !== undefined && keys.reserve(highest) ? highest : undefined)
        const related = relatedTo(values)
        const record =
          complete(values, false, key, related) ??
          complete(withoutNulls(values) as Values, false, key, related) ??
          complete(withoutNulls(values) as Values, true, key)
        if (!record) continue
        records.push(restore(record, values))
        if (isBlank(shown)) continue
        const isKept = ([name]: [string, unknown]) => !isPartial(shown) || Object.hasOwn(shown, name)
        const entries = Object.entries(splitHidden(collection, records.at(-1) ?? record)[0])
        units.push(Object.fromEntries(entries.filter(isKept)))
      }
      return records
    },
    *next() {
      for (let attempt = 0; attempt < (mends ? 0 : maxTries) && hasKeys; attempt++) {
        const isShort = isBrief || attempt >= maxTries / 2
        yield
        const values = makeNext(isShort)
        if (values === undefined || (attempt < maxNames && isNamedAgain(values))) continue
        const key = nextKey()
        if (key === undefined) break
        // Other names follow a key that is one.
        const made = removeAbsent({ ...others.next(), ...values, [model.key]: key })
        const names = Object.entries(made).filter(([name]) => name === model.key || isOfOne(name))
        const agreedNames = inAgreement(Object.fromEntries(names), now)
        const named = agreedNames[model.key]
        const own = typeof named === 'string' && named !== key && keys.reserve(named) ? named : key
        const repeated = repeatExample(made, agreedNames, own)
        if (repeated) return repeated
        const agreed = inAgreement(made, now)
        const record =
          complete(inPossibleState(agreed, lackOf, 'absent'), false, own) ??
          complete(inPossibleState(agreed, lackOf, 'kept'), false, own) ??
          complete(agreed, false, own) ??
          complete(withTimesInOrder(made, now), false, key)
        if (!record) continue
        isBrief = isShort
        return record
      }
      if (!hasKeys) return undefined
      const shown = sample(document, located)
      const sampled = mends || !isObject(shown) ? undefined : complete(shown as Values)
      if (sampled) return sampled
      const mended = complete(withTimesInOrder(makeNext(isBrief) ?? {}, now), true)
      mends = mended !== undefined
      return mended
    },
  }
}

/**
 * The number of the record that has the examples of properties: that with the key in them, else the newest, because lists begin
 * with it. None has them beside whole examples, which it would repeat.
 */
function findShown({ document, schemaPath, model, records, examples }: CollectionToGenerate): number {
  if (examples.records.length > 0) return -records
  const [first] = examples.keys
  if (model.keyKind !== 'integer') return first === undefined ? records - 1 : 0
  const key = flattenSchema(document, findRecordSchema(document, schemaPath)).properties.get(model.key)
  const shown = Number(key && sampleGiven(flattenSchema(document, key).keywords))
  if (shown >= 1 && shown <= records) return shown - 1
  return Number(first) > records ? 0 : records - 1
}

/** Whether an example only says where texts would be. */
function isBlank(values: Values): boolean {
  const texts = Object.entries(values).filter(([, value]) => typeof value === 'string')
  return (
    texts.length > 1 && texts.every(([name, text]) => text === '' || text === name || isPlaceholder.test(`${text}`))
  )
}

function isIdName(name: string): boolean {
  return isKeyWord(wordsOf(name).at(-1))
}

/** Leaves out null values that the schema does not allow, which are common in examples. */
function withoutNulls(value: unknown): unknown {
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

/** Maximum schemas to use for one collection. */
const maxSchemas = 4

interface ShownValues {
  /** Names of the properties. */
  names: ReadonlySet<string>
  /** Makes values for one more record. */
  next(): Values
}

/** @param record the schema of the records */
function createShownValues(collection: CollectionToGenerate, record: Located<Schema>): ShownValues {
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
function createHintedValues(collection: CollectionToGenerate, record: Located<Schema>): () => Values {
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
