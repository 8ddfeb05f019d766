/**
 * Generates a scenario from the schemas of a document: the first records by plans, and further records
 * by combining these. The same seed gives the same bytes on every machine.
 */

import type { CollectionModel, Contract } from '../contract/contract.js'
import { sampleTime } from '../contract/effects/effect.js'
import type { Validate } from '../contract/validator.js'
import type { OpenApiDocument } from '../document/document.js'
import { once, withLazy } from '../document/once.js'
import { getOrInsert } from '../json/own-value.js'
import { createRandom, toSeed } from '../json/random.js'
import { finish, finishInSlices, nextTurn } from '../json/steps.js'
import { countedIn } from '../lexicon/numbers.js'
import { bareName, nounOf, ownerWords, sameName } from '../lexicon/words.js'
import { aboutOf, createPlanCompiler } from '../schemas/compile-plans.js'
import type { Scenario } from '../state/scenario.js'
import type { Key, Values } from '../state/stored-record.js'
import { createValueLooks } from '../values/value-looks.js'
import { checkHints, createFaker, documentHints } from './check-hints.js'
import { type CollectionToGenerate, splitHidden } from './collection-to-generate.js'
import { createExampleReader } from './document-examples.js'
import { createFindReferences } from './find-references.js'
import { createKeys, type Keys } from './generate-record-keys.js'
import { createRecordGenerator } from './generate-records.js'
import { type Hints, usualRecords } from './hints.js'
import { countFor, createReferences, placesOf, sortByReferences } from './references.js'

export interface ScenarioToGenerate {
  document: OpenApiDocument
  /** Compiled from the document. */
  contract: Contract
  /** Number of records in each collection. */
  records: number
  seed: number
  hints: Hints
  /** Milliseconds since 1970. Generated times are relative to its day. @default 2026-01-01 */
  now?: number | undefined
  /** Called during the work and at the end, with the number of finished records of all collections. */
  onProgress?: ((done: number, total: number) => void) | undefined
  /** Called for each collection that stays empty because no valid record was found. */
  onSkip?: ((collection: string, why: string) => void) | undefined
}

/** The number of records of a collection that are generated one by one. */
const poolSize = 1000
/** Maximum characters of generated records. Collections with large records have fewer, but at least one. */
const maxCharacters = 2_000_000
/** The number of records in one turn of the event loop. Both take about the same time. */
const turn = { generated: 200, combined: 20_000 }

/**
 * Generates records for each collection that an operation reads, oldest first.
 * @throws SandboxError `INVALID_OPTION` for wrong hints
 */
export async function generateScenario(input: ScenarioToGenerate): Promise<Scenario> {
  const { records, onProgress } = input
  const scenario: Record<string, readonly Values[]> = {}
  const { toOrder, generate } = prepare(input, scenario)
  const models = toOrder()
  const total = records * models.length
  for (const [index, model] of models.entries()) {
    const steps = generate(model)
    let step = steps.next()
    for (; !step.done; step = steps.next()) {
      if (step.value === undefined || step.value % turn.generated !== 0) continue
      onProgress?.(index * records + step.value, total)
      await nextTurn()
    }
    scenario[model.name] = step.value
  }
  onProgress?.(total, total)
  return scenario
}

/** A scenario in which each collection is generated on first read. */
export interface LazyScenario {
  scenario: Scenario
  /**
   * Generates a collection and those that it refers to, one record in each turn of the event loop.
   * @returns undefined if they already exist
   */
  prepare(collection: string): Promise<void> | undefined
}

/** For few records: reading an unprepared collection generates it synchronously. */
export function generateLazily(input: ScenarioToGenerate): LazyScenario {
  const scenario: Record<string, readonly Values[]> = {}
  const { models, toOrder, neededBy, generate } = prepare(input, scenario)
  const byName = new Map(models.map((model) => [model.name, model]))
  const isThere = (name: string) => Object.getOwnPropertyDescriptor(scenario, name)?.get === undefined
  const running = new Map<string, Promise<void>>()
  let last: Promise<void> = Promise.resolve()
  for (const model of models) {
    withLazy(scenario, model.name, () => {
      for (const needed of missing(model)) if (needed !== model) keep(needed, finish(generate(needed)))
      return finish(generate(model))
    })
  }
  return { scenario, prepare: prepareOne }

  function prepareOne(name: string): Promise<void> | undefined {
    const model = byName.get(name)
    if (!model || isThere(name)) return undefined
    return getOrInsert(running, name, () => {
      const start = () => run(model)
      last = last.then(start, start).finally(() => running.delete(name))
      return last
    })
  }

  /** A collection after those that it needs, as far as they do not exist. Found without recursion, because chains may be long. */
  function missing(model: CollectionModel): CollectionModel[] {
    const found = new Set([model])
    for (const each of found)
      for (const name of neededBy(each)) if (!isThere(name)) found.add(byName.get(name) as CollectionModel)
    return found.size === 1 ? [model] : toOrder().filter((each) => found.has(each))
  }

  async function run(model: CollectionModel): Promise<void> {
    await nextTurn()
    for (const each of missing(model)) {
      const records = await finishInSlices(generate(each), nextTurn)
      // A request may have read it in the meantime.
      if (!isThere(each.name)) keep(each, records)
    }
  }

  function keep({ name }: CollectionModel, value: Values[]): void {
    Object.defineProperty(scenario, name, { value, enumerable: true })
  }
}

/**
 * Returns the collections that operations read, and generates one of them.
 * @param scenario contains the records of the collections to which it refers
 */
function prepare(
  { document, contract, records, seed, hints, now = sampleTime, onSkip }: ScenarioToGenerate,
  scenario: Scenario,
): {
  models: CollectionModel[]
  /** The collections in the order in which they can be generated. */
  toOrder(): CollectionModel[]
  /** The earlier collections that a collection refers to. */
  neededBy(model: CollectionModel): Set<string>
  generate(model: CollectionModel): Generator<number | undefined, Values[]>
} {
  checkHints(hints, contract, document)
  const compiler = createPlanCompiler(document, createValueLooks(aboutOf(document)), Math.max(records, 1))

  // If collections refer to each other, only the later one has references.
  const positions = once(() => new Map(toOrder().map(({ name }, index) => [name, index])))
  const isBefore = (name: string, { name: own }: CollectionModel) =>
    (positions().get(name) ?? models.length) < (positions().get(own) ?? 0)

  function neededBy(model: CollectionModel): Set<string> {
    const named = [...(model.links ?? []), ...findReferences(model)].map(({ collection }) => collection)
    return new Set(named.filter((name) => isBefore(name, model)))
  }

  function* generate(model: CollectionModel): Generator<number | undefined, Values[]> {
    const links = (model.links ?? []).filter(({ collection }) => isBefore(collection, model))
    const placeOf = (name: string) => positions().get(name) ?? -1
    // What a record belongs to follows from the later ones.
    const properties = findReferences(model)
      .map((each) => (isBefore(each.collection, model) ? each : { ...each, collection: '' }))
      .toSorted((one, other) => placeOf(other.collection) - placeOf(one.collection))
    const schemaPath = contract.recordSchemas[model.record] ?? []
    const examples = examplesOf(model)
    const hasExamples = examples.records.length > 0
    const { references, named, count } = createReferences({
      ...{ links, key: model.key, properties, scenario, records, hasExamples, now, owner: ownerWords(model.name) },
      isPart: model.hidden?.includes(model.key) === true,
      placesIn: (name) => {
        const other = models.find((each) => each.name === name)
        const singles = other ? findReferences(other).filter(({ isList, isWithin }) => !isList && !isWithin) : []
        const all = [...singles, ...placesOf(other?.links ?? [])]
        return all.filter(({ collection }) => other && isBefore(collection, other))
      },
    })
    // Each collection has its own seed, so that the records of one do not depend on other collections.
    const ownSeed = toSeed(`${seed} ${model.name}`)
    const faker = createFaker()
    faker.seed(ownSeed)
    const generated = yield* generateCollection({
      document,
      model,
      schemaPath,
      shownPaths: contract.recordSources?.[model.name]?.shownSchemas ?? [],
      examples,
      validate: contract.recordValidators[model.record] ?? (() => true),
      plans: contract.plans,
      compiler,
      now,
      hints: { ...documentHints(document, contract, model), ...hints[model.name] },
      records: count,
      isOldestFirst: contract.operations.some(
        ({ effect }) => effect?.kind === 'list' && effect.collection === model.name && effect.query.isOldestFirst,
      ),
      references,
      named,
      faker,
      random: createRandom(ownSeed),
    })
    if (generated.problem !== undefined) onSkip?.(model.name, generated.problem)
    const validate = contract.recordValidators[model.record] ?? (() => true)
    return withCounts(withParents(generated.records, model, validate), childrenOf(model, generated.records.length))
  }

  /** How many records belong to each one, by the noun of these. See `createReferences`. */
  function childrenOf(model: CollectionModel, length: number): [noun: string, countOf: (index: number) => number][] {
    return models.flatMap((child) => {
      const owners = (child.links ?? []).filter(({ isOwner }) => isOwner)
      if (owners.length !== 1 || owners[0]?.collection !== model.name || !isBefore(model.name, child)) return []
      if (examplesOf(child).records.length > 0) return []
      const all = countFor(records, length)
      return [
        [
          sameName(child.name.split('/').at(-1) ?? ''),
          (index) => Math.floor(all / length) + (index < all % length ? 1 : 0),
        ],
      ]
    })
  }

  const read = namesOfRead(contract)
  const models = contract.collections.filter(({ name }) => read.has(name))
  const lastOf = (name: string) => sameName(name.split('/').at(-1) ?? '')
  const listed = new Set(contract.operations.flatMap(({ effect }) => (effect.kind === 'list' ? effect.collection : [])))
  const nouns = new Set([...listed].map(lastOf))
  // Of collections with the same noun, those that are listed have what others refer to.
  const findReferences = createFindReferences(
    document,
    contract,
    (name) => read.has(name) && (listed.has(name) || !nouns.has(lastOf(name))),
  )
  const examplesOf = createExampleReader(document, contract, models, findReferences)
  // References are found when the first record is needed.
  const toOrder = once(() =>
    sortByReferences(models, (model) =>
      findReferences(model).flatMap(({ collection, isName }) => (isName ? [] : collection)),
    ),
  )
  return { models, toOrder, neededBy, generate }
}

/** Records of a tree name earlier ones as their parents: `parent_id`, `parentFolderId`. The first one has none, if it may. */
function withParents(records: Values[], { name, key }: CollectionModel, validate: Validate): Values[] {
  const noun = bareName(nounOf(name))
  const isParent = (own: string) => [`parent${key}`, `parent${noun}${key}`].map(bareName).includes(bareName(own))
  // There may be millions of records, and most have all properties.
  const property = records
    .slice(0, poolSize)
    .flatMap((each) => Object.keys(each))
    .find(isParent)
  if (property === undefined) return records
  const keys = new Set(records.map((record) => record[key]))
  return records.map((record, index) => {
    if (record[property] == null || (record[property] !== record[key] && keys.has(record[property]))) return record
    const { [property]: _, ...others } = record
    const parent = records[Math.floor(index / 2)]?.[key]
    const possible = index === 0 ? [{ ...record, [property]: null }, others] : [{ ...record, [property]: parent }]
    return possible.find((each) => validate(each)) ?? record
  })
}

/** Whether a number counts some of what another one counts. */
function isPartOf(name: string, whole: string, noun: string): boolean {
  return name !== whole && countedIn(name)?.startsWith(noun) === true
}

/** Records say how many others belong to them: `zone_count` */
function withCounts(
  records: Values[],
  children: readonly [noun: string, countOf: (index: number) => number][],
): Values[] {
  if (children.length === 0) return records
  return records.map((record, index) => {
    const names = Object.keys(record)
    const counts = Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
      // What has parts is their sum: `booksCount`, `booksReadCount`
      const [, countOf] =
        children.find(([noun]) => countedIn(name) === noun && !names.some((each) => isPartOf(each, name, noun))) ?? []
      return countOf && typeof value === 'number' ? [[name, countOf(index)]] : []
    })
    return counts.length === 0 ? record : { ...record, ...Object.fromEntries(counts) }
  })
}

/** Collections whose records an operation reads, changes, removes or belongs to. Records of others would never be visible. */
function namesOfRead({ operations, collections }: Contract): Set<string> {
  const sampled = new Set(collections.flatMap((model) => ('sample' in model ? model.name : [])))
  return new Set(
    operations.flatMap(({ effect }) => {
      const place = 'place' in effect ? effect.place : undefined
      const owners = (place?.owners ?? []).flatMap(({ collection }) => (sampled.has(collection) ? [] : collection))
      if (!('collection' in effect) || effect.kind === 'create') return owners
      const isRead = effect.kind === 'list' || !sampled.has(effect.collection)
      return isRead ? [...owners, effect.collection] : owners
    }),
  )
}

/** Yields the number of finished records from time to time, and undefined within a record. */
function* generateCollection(
  collection: CollectionToGenerate,
): Generator<number | undefined, { records: Values[]; problem?: string }> {
  const records: Values[] = []
  let characters = 0
  function* add(
    make: () => Generator<undefined, Values | undefined>,
    count: number,
    turnSize: number,
  ): Generator<number | undefined, void> {
    while (records.length < count && characters <= maxCharacters) {
      const record = yield* make()
      if (!record) return
      records.push(record)
      // Combined records share their texts with the generated ones.
      if (turnSize === turn.generated) characters += charactersOf(record)
      if (turnSize === turn.generated || records.length % turnSize === 0) yield records.length
    }
  }
  const keys = createKeys(collection)
  const generator = createRecordGenerator(collection, keys)
  // Examples come first in lists. All examples of a document are used, unless fewer records are requested.
  const examples = yield* generator.examples(
    collection.records < usualRecords ? collection.records : Number.POSITIVE_INFINITY,
  )
  const count = Math.max(collection.records - examples.length, 0)
  yield* add(generator.next, Math.min(count, poolSize), turn.generated)
  if (records.length + examples.length === 0 && collection.records > 0) return { records, problem: generator.problem }
  const combine = createCombine([...records], collection, keys)
  // biome-ignore lint/correctness/useYield: combining takes no time.
  const combineOne = function* (): Generator<undefined, Values | undefined> {
    return combine()
  }
  yield* add(combineOne, count, turn.combined)
  // The one with the examples of properties, too: see `findShown`.
  const { model, examples: given } = collection
  const isFirst = given.records.length === 0 && given.keys.length > 0 && model.keyKind !== 'integer'
  const shown = isFirst ? records.splice(0, 1) : []
  const { isOldestFirst } = collection
  return {
    records: isOldestFirst ? [...examples, ...shown, ...records] : [...records, ...shown, ...examples.toReversed()],
  }
}

/** About the length of a value as JSON. */
function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 1
  return Object.entries(value).reduce((sum, [name, inner]) => sum + name.length + charactersOf(inner), 1)
}

/** Maximum tries for one record. Only invalid keys need more than one. */
const maxTries = 100

/** @returns a function that returns the next record, or undefined if no key is left */
function createCombine(
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
      const combined = collection.named(made, combine(key), 'combined')
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
