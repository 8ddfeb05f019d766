/** Generates valid records one by one. */
import { sample } from '../compile/samples/sample.js'
import { judge } from '../contract/violations.js'
import type { Located, Schema } from '../document/document.js'
import { once } from '../document/once.js'
import { isObject } from '../json/own-value.js'
import { makeValue } from '../json/sampler/make-value.js'
import { isKeyWord } from '../lexicon/record-names.js'
import { isOwnStateName } from '../lexicon/stages.js'
import { isSameName, nounOf, ownerWords, wordsOf } from '../lexicon/words.js'
import { type FlatSchema, flattenSchema } from '../schemas/flatten-schema.js'
import type { Key, Values } from '../state/stored-record.js'
import { withTimesInOrder } from '../values/agreed-times.js'
import { inAgreement } from '../values/agreement.js'
import { isPlaceholder, naming } from '../values/value-looks.js'
import { type CollectionToGenerate, findRecordSchema, ownerIn, splitHidden } from './collection-to-generate.js'
import type { ReservableKeys } from './generate-record-keys.js'
import { createHintedValues, createShownValues, findShown, type ShownValues } from './other-values.js'
import { inPossibleState } from './possible-state.js'
import { completeRecord, nextKey, type RecordsInMaking, restore, withoutNulls } from './valid-records.js'
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

interface Generation extends RecordsInMaking {
  located: Located<Schema>
  flat: FlatSchema
  /** The number of the sampler plan of a record. */
  plan(): number
  /** The number of the record that has the examples of properties. */
  shownAt: number
  /** Makes the values that hints describe. */
  hinted(): Values
  /** Values of properties that only other answers show. */
  others: ShownValues
  /** The states of a record. */
  states: readonly string[]
  /** The property by which people know a record. */
  nameProperty: string | undefined
  names: Set<string>
  /** Whole examples of the document. */
  units: Values[]
  /** What further records repeat: examples of the document, or what it shows of most properties. */
  templates(): Values[]
  /** Whether only required values are made, because others make a value match several alternatives. */
  isBrief: boolean
  /** Whether values are only valid after they are mended. */
  mends: boolean
}

export function createRecordGenerator(collection: CollectionToGenerate, keys: ReservableKeys): RecordGenerator {
  const generation = startGeneration(collection, keys)
  return {
    get problem() {
      const { failing } = generation
      if (!failing) return 'no generated value satisfies its schema'
      const violations = judge(collection.validate, failing, failing, false)
      return violations.map(({ message }) => message).join('; ')
    },
    examples: (most) => fromExamples(generation, most),
    next: () => nextRecord(generation),
  }
}

function startGeneration(collection: CollectionToGenerate, keys: ReservableKeys): Generation {
  const { document, schemaPath, compiler, hints } = collection
  const located = findRecordSchema(document, schemaPath)
  const flat = flattenSchema(document, located)
  const order = [...flat.properties.keys()]
  const called = `${nounOf(collection.model.name)}-name`
  const examples = collection.examples.records.map(({ values }) => values)
  const plan = once(() => ({ number: compiler.add(located.value, { owner: ownerIn(collection), examples }) }))
  const templates = once(() => toTemplates(generation))
  const generation: Generation = {
    ...{ collection, keys, order, made: 0, hasKeys: true, failing: undefined, located, flat },
    plan: () => plan().number,
    shownAt: findShown(collection),
    hinted: createHintedValues(collection, located),
    others: createShownValues(collection, located),
    states: statesOf(collection, flat),
    nameProperty: order.find((name) => (naming.test(name) || isSameName(name, called)) && hints[name] === undefined),
    ...{ names: new Set<string>(), units: [], templates, isBrief: false, mends: false },
  }
  return generation
}

/** The states of records, in the order of the document. */
function statesOf({ document }: CollectionToGenerate, { properties }: FlatSchema): string[] {
  const schema = [...properties].find(([name]) => isOwnStateName(name))?.[1]
  const { enum: allowed = [] } = schema ? flattenSchema(document, schema).keywords : {}
  return allowed.filter((each) => typeof each === 'string')
}

function toTemplates(generation: Generation): Values[] {
  const { units } = generation
  const most = Math.max(...units.map((each) => Object.keys(each).length))
  return units.length > 0 ? units.filter((each) => Object.keys(each).length * 2 >= most) : shownTogether(generation)
}

/** The examples of the properties of a record, if most have one. */
function shownTogether({ collection, plan }: Generation): Values[] {
  const { compiler, random, now } = collection
  const number = plan()
  const compiled = compiler.plans[number]
  const names = compiled?.kind === 'object' ? compiled.shown : undefined
  const value = names && makeValue(compiler.plans, number, { random, now, record: 0 })
  if (!isObject(value)) return []
  return [Object.fromEntries(Object.entries(value).filter(([name]) => names?.includes(name)))]
}

/** What a record has where the schema does not require a value. */
function lackOf({ collection, located, flat }: Generation, name: string): 'absent' | 'null' | 'kept' {
  if (!flat.required.has(name)) return 'absent'
  const { types } = flattenSchema(collection.document, flat.properties.get(name) ?? located)
  return types.has('null') ? 'null' : 'kept'
}

/** Records from examples of the document, as far as they are valid. */
function* fromExamples(generation: Generation, most: number): Generator<undefined, Values[]> {
  const { collection, order, keys, others, units } = generation
  const { model } = collection
  const records: Values[] = []
  const isKnown = (name: string) =>
    order.length === 0 || name === model.key || order.includes(name) || others.names.has(name)
  // An example without any property of the schema belongs to something else.
  const all = collection.examples.records.filter(({ values }) => Object.keys(values).some(isKnown))
  for (const [index, { key: given, values: shown }] of all.slice(0, most).entries()) {
    yield
    const values = withTold(generation, shown)
    if (given !== undefined && !keys.reserve(given)) continue
    // Examples get the highest keys, because lists begin with these.
    const highest = model.keyKind === 'integer' ? collection.records - index : undefined
    const key = given ?? (highest !== undefined && keys.reserve(highest) ? highest : undefined)
    const exactly = { key, from: 'example' } as const
    const related = relatedTo(generation, values)
    const record =
      completeRecord(generation, values, { ...exactly, related }) ??
      completeRecord(generation, withoutNulls(values) as Values, { ...exactly, related }) ??
      completeRecord(generation, withoutNulls(values) as Values, { ...exactly, isMended: true })
    if (!record) continue
    const whole = restore(generation, record, values)
    records.push(whole)
    if (isBlank(shown)) continue
    const isKept = ([name]: [string, unknown]) => !isPartial(generation, shown) || Object.hasOwn(shown, name)
    units.push(Object.fromEntries(Object.entries(splitHidden(collection, whole)[0]).filter(isKept)))
  }
  return records
}

/** Whether an example is of a request, or has only ids, so that it would be meaningless to people. */
function isPartial({ collection, order, others }: Generation, values: Values): boolean {
  const says = ([name, value]: [string, unknown]) =>
    name !== collection.model.key &&
    value !== null &&
    (order.includes(name) || others.names.has(name)) &&
    !isIdName(name)
  return collection.examples.arePartial === true || !Object.entries(values).some(says)
}

/** An example with values where it says little. */
function withTold(generation: Generation, values: Values): Values {
  const { collection, others } = generation
  const told = Object.entries(values).filter(([name, value]) => value !== 'string' || name === collection.model.key)
  const isShort = isPartial(generation, values)
  const made = isShort || told.length < Object.keys(values).length ? makeNext(generation, false) : undefined
  if (!made) return values
  if (isShort) return inAgreement({ ...others.next(), ...made, ...Object.fromEntries(told) }, collection.now)
  const entries = Object.entries(made).filter(([name]) => Object.hasOwn(values, name))
  return Object.fromEntries([...entries, ...told])
}

function* nextRecord(generation: Generation): Generator<undefined, Values | undefined> {
  const { document, now } = generation.collection
  for (let attempt = 0; attempt < (generation.mends ? 0 : maxTries) && generation.hasKeys; attempt++) {
    const isShort = generation.isBrief || attempt >= maxTries / 2
    yield
    const made = makeNext(generation, isShort)
    if (made === undefined) continue
    const isAgain = attempt <= maxNames && isNamedAgain(generation, made)
    if (isAgain && attempt < maxNames) continue
    const values = isAgain ? withOwnName(generation, made) : made
    const key = nextKey(generation)
    if (key === undefined) break
    const repeated = tryRecord(generation, values, key, attempt >= maxNames)
    if (!repeated) continue
    if (!repeated.isRepeated) generation.isBrief = isShort
    return repeated.record
  }
  if (!generation.hasKeys) return undefined
  const shown = sample(document, generation.located)
  const sampled = generation.mends || !isObject(shown) ? undefined : completeRecord(generation, shown as Values)
  if (sampled) return sampled
  const values = withTimesInOrder(makeNext(generation, generation.isBrief) ?? {}, now)
  const mended = completeRecord(generation, values, { isMended: true })
  generation.mends = mended !== undefined
  return mended
}

/** Makes a record of values: a variation of an example, or one whose values agree with each other. */
function tryRecord(
  generation: Generation,
  values: Values,
  key: Key,
  mayDisagree: boolean,
): { record: Values; isRepeated: boolean } | undefined {
  const { collection, keys, others, states } = generation
  const { model, now } = collection
  const made = removeAbsent(collection, { ...others.next(), ...values, [model.key]: key })
  // Other names follow a key that is one.
  const names = Object.entries(made).filter(([name]) => name === model.key || isOfOne(name))
  const agreedNames = inAgreement(Object.fromEntries(names), now)
  const named = agreedNames[model.key]
  const own = typeof named === 'string' && named !== key && keys.reserve(named) ? named : key
  const repeated = repeatExample(generation, made, agreedNames, own)
  if (repeated) return { record: repeated, isRepeated: true }
  const agreed = inAgreement(made, now, ownerWords(ownerIn(collection)))
  const plan = generation.plan()
  const possible = (otherwise: 'absent' | 'kept') =>
    inPossibleState(agreed, (name) => lackOf(generation, name), otherwise, states)
  const record =
    completeRecord(generation, possible('absent'), { key: own, plan }) ??
    completeRecord(generation, possible('kept'), { key: own, plan }) ??
    completeRecord(generation, agreed, { key: own, plan }) ??
    (mayDisagree
      ? completeRecord(generation, withTimesInOrder(made, now, ownerWords(ownerIn(collection))), { key })
      : undefined)
  return record && { record, isRepeated: false }
}

/** Whether another record has the same name. */
function isNamedAgain({ nameProperty, names }: Generation, values: Values): boolean {
  const name = nameProperty === undefined ? undefined : values[nameProperty]
  return typeof name === 'string' && (names.has(name) || !names.add(name))
}

/** A word that all others have already gets a number. */
function withOwnName({ nameProperty = '', made }: Generation, values: Values): Values {
  const name = String(values[nameProperty])
  return /\s/.test(name) ? values : { ...values, [nameProperty]: `${name}-${made}` }
}

/** @param isShort whether to make only required values, so that a value matches no other alternative */
function makeNext({ collection, made, shownAt, plan, hinted }: Generation, isShort: boolean): Values | undefined {
  const { compiler, random, now } = collection
  const record = isShort ? {} : { record: Math.abs(made - shownAt) }
  const value = makeValue(compiler.plans, plan(), { random, now, ...record })
  return isObject(value) ? { ...value, ...hinted() } : undefined
}

/** Removes the properties that hints make absent in some of the records. */
function removeAbsent({ hints, random }: CollectionToGenerate, values: Values): Values {
  const isKept = (name: string) => hints[name]?.absent === undefined || random.next() >= hints[name].absent
  return Object.fromEntries(Object.entries(values).filter(([name]) => isKept(name)))
}

/** A variation of an example, completed by other values if the example is only a part of a record. */
function repeatExample(generation: Generation, values: Values, names: Values, key: Key): Values | undefined {
  const { collection, units, made } = generation
  const { model, hints, now, random } = collection
  const templates = generation.templates()
  const shown = templates[made % templates.length]
  if (!shown) return undefined
  const keys = [shown[model.key], key] as const
  const varied = varyExample({ shown, made: names, others: values, keys, owner: ownerWords(model.name), now, random })
  const hinted = Object.entries(values).filter(([name]) => hints[name] !== undefined)
  for (const each of [varied, shown]) {
    const own = { ...each, ...Object.fromEntries(hinted) }
    const isWhole = units.length > 0 && !isPartial(generation, each)
    const whole = removeAbsent(
      collection,
      isWhole ? own : inAgreement({ ...values, ...own }, now, ownerWords(ownerIn(collection))),
    )
    const possible =
      isWhole && hinted.length === 0
        ? whole
        : inPossibleState(whole, (name) => lackOf(generation, name), 'absent', generation.states)
    const record = completeRecord(generation, possible, {
      ...{ key, related: relatedTo(generation, possible) },
      ...(!isWhole && { plan: generation.plan() }),
    })
    if (record) return record
  }
  return undefined
}

/** Adds no references that an example does not have, except its owners. */
function relatedTo({ collection, order, made }: Generation, values: Values): Values {
  const { model, references } = collection
  const owned = new Set(
    (model.links ?? []).flatMap(({ isOwner, values: pairs }) => (isOwner ? pairs : []).map(([own]) => own)),
  )
  const isKept = (name: string) => Object.hasOwn(values, name) || owned.has(name) || !order.includes(name)
  return Object.fromEntries(Object.entries(references(made)).filter(([name]) => isKept(name)))
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
