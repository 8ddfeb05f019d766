/**
 * Generates a scenario from the schemas of a document: the first records by plans, and further records
 * by combining these. The same seed gives the same bytes on every machine.
 */

import type { CollectionModel, Contract } from '../contract/contract.js'
import { sampleTime } from '../contract/effects/effect.js'
import type { OpenApiDocument } from '../document/document.js'
import { once, oncePer, withLazy } from '../document/once.js'
import { getOrInsert } from '../json/own-value.js'
import { createRandom, toSeed } from '../json/random.js'
import { finish, finishInSlices, nextTurn } from '../json/steps.js'
import { countedIn } from '../lexicon/numbers.js'
import { ownerWords, sameName } from '../lexicon/words.js'
import { aboutOf, createPlanCompiler } from '../schemas/compile-plans.js'
import { flattenSchema } from '../schemas/flatten-schema.js'
import type { Scenario } from '../state/scenario.js'
import type { Key, Values } from '../state/stored-record.js'
import { createValueLooks } from '../values/value-looks.js'
import { checkHints, createFaker, documentHints } from './check-hints.js'
import { type CollectionToGenerate, findRecordSchema, splitHidden } from './collection-to-generate.js'
import { createExampleReader } from './document-examples.js'
import { createFindReferences } from './find-references.js'
import { createKeys, type Keys } from './generate-record-keys.js'
import { createRecordGenerator } from './generate-records.js'
import { type Hints, usualRecords } from './hints.js'
import { createReferences, type Place, placesOf, sharedOf, sortByReferences } from './references.js'
import { withWrongOf } from './valid-records.js'

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
  const { models, steps } = prepare(input, scenario)
  const total = records * models.length
  for (const [index, { make, into, name }] of steps().entries()) {
    const work = make()
    let step = work.next()
    for (; !step.done; step = work.next()) {
      if (typeof step.value !== 'number' || step.value % turn.generated !== 0) continue
      onProgress?.(Math.min(index * records + step.value, total), total)
      await nextTurn()
    }
    into[name] = step.value
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
  const { models, stepsTo } = prepare(input, scenario)
  const byName = new Map(models.map((model) => [model.name, model]))
  const running = new Map<string, Promise<void>>()
  let last: Promise<void> = Promise.resolve()
  for (const model of models) {
    withLazy(scenario, model.name, () => {
      for (const step of stepsTo(model)) if (!isDone(step)) keep(step, finish(step.make()))
      return scenario[model.name]
    })
  }
  return { scenario, prepare: prepareOne }

  function prepareOne(name: string): Promise<void> | undefined {
    const model = byName.get(name)
    if (!model || isDone({ into: scenario, name })) return undefined
    return getOrInsert(running, name, () => {
      const start = () => run(model)
      last = last.then(start, start).finally(() => running.delete(name))
      return last
    })
  }

  async function run(model: CollectionModel): Promise<void> {
    await nextTurn()
    for (const step of stepsTo(model)) {
      if (isDone(step)) continue
      const records = await finishInSlices(step.make(), nextTurn)
      // A request may have read it in the meantime.
      if (!isDone(step)) keep(step, records)
    }
  }
}

/** One of the steps to the records of a collection. */
interface Step {
  into: Record<string, readonly Values[]>
  name: string
  make(): Generator<unknown, readonly Values[]>
}

const isDone = ({ into, name }: Pick<Step, 'into' | 'name'>) =>
  Object.getOwnPropertyDescriptor(into, name)?.value !== undefined

function keep({ into, name }: Step, value: readonly Values[]): void {
  Object.defineProperty(into, name, { value, enumerable: true, configurable: true, writable: true })
}

/**
 * Returns the collections that operations read, and how to generate them: first records that refer to earlier collections, then
 * what these show of later ones.
 */
function prepare(
  { document, contract, records, seed, hints, now = sampleTime, onSkip }: ScenarioToGenerate,
  scenario: Record<string, readonly Values[]>,
): {
  models: CollectionModel[]
  /** The steps to a collection, after those of all that it needs. */
  stepsTo(model: CollectionModel): Step[]
  /** The steps to all collections. */
  steps(): Step[]
} {
  checkHints(hints, contract, document)
  const compiler = createPlanCompiler(document, createValueLooks(aboutOf(document)), Math.max(records, 1))
  /** Records that show nothing of later collections. */
  const bases: Record<string, readonly Values[]> = {}
  /** The keys of examples of the document, which stay as they are. */
  const exampleKeys = new Map<string, ReadonlySet<unknown>>()

  const positions = once(() => new Map(toOrder().map(({ name }, index) => [name, index])))
  const isBefore = (name: string, { name: own }: Pick<CollectionModel, 'name'>) =>
    (positions().get(name) ?? models.length) < (positions().get(own) ?? 0)
  const byName = new Map<string, CollectionModel>()

  function neededBy(model: CollectionModel): CollectionModel[] {
    const named = [...(model.links ?? []), ...findReferences(model)].map(({ collection }) => collection)
    return [...toModels(named.filter((name) => isBefore(name, model))), ...(sourceOf(model) ?? [])]
  }

  /** The collection that has the same records at another path, if this one has no owners and no examples: `/admin/books` */
  const sourceOf = oncePer((model: CollectionModel): [CollectionModel] | undefined => {
    const isOwned = ({ links = [] }: CollectionModel) => links.some(({ isOwner }) => isOwner)
    const alike = models.filter(
      ({ name, key, keyKind }) => lastOf(name) === lastOf(model.name) && key === model.key && keyKind === model.keyKind,
    )
    if (alike.length < 2 || isOwned(model) || examplesOf(model).records.length > 0) return undefined
    const owned = alike.filter(isOwned)
    const [source] =
      owned.length === 1
        ? owned
        : alike.filter((each) => !isOwned(each)).toSorted((one, other) => one.name.length - other.name.length)
    return source && source !== model ? [source] : undefined
  })

  /** Whether two collections have the same records. */
  const isSame = (name: string, other: string) => {
    const [one, two] = [name, other].map((each) => sourceOf(byName.get(each) as CollectionModel)?.[0].name ?? each)
    return one === two
  }
  const toModels = (names: readonly string[]) => names.flatMap((name) => byName.get(name) ?? [])

  /** What its records show of its own collection and of later ones. */
  const laterOf = oncePer((model: CollectionModel) =>
    findReferences(model).filter(
      ({ collection, isName }) => positions().has(collection) && !isName && !isBefore(collection, model),
    ),
  )
  /** The later collections that name it, if its records count them. */
  const countedBy = oncePer((model: CollectionModel) => {
    const schema = findRecordSchema(document, contract.recordSchemas[model.record] ?? [])
    const counted = new Set(
      [...flattenSchema(document, schema).properties.keys()].flatMap((name) => countedIn(name) ?? []),
    )
    return models.filter(
      ({ name }) =>
        counted.has(lastOf(name)) &&
        isBefore(model.name, { name }) &&
        placesIn(name).some(({ collection }) => isSame(collection, model.name)),
    )
  })
  /** Earlier collections that its records show, and that show later ones themselves. */
  const shownOf = oncePer((model: CollectionModel) =>
    toModels(
      findReferences(model).flatMap(({ collection, isShown }) =>
        isShown && isBefore(collection, model) ? collection : [],
      ),
    ).filter(isCompleted),
  )
  function isCompleted(model: CollectionModel): boolean {
    return laterOf(model).length > 0 || countedBy(model).length > 0 || shownOf(model).length > 0
  }

  /** Found without recursion, because chains may be long. */
  function closureOf(start: readonly CollectionModel[], next: (model: CollectionModel) => readonly CollectionModel[]) {
    const found = new Set(start)
    for (const each of found) for (const other of next(each)) found.add(other)
    return found.size === 1 ? [...found] : toOrder().filter((each) => found.has(each))
  }

  const needsOf = oncePer((model: CollectionModel) => {
    const completed = closureOf([model], shownOf)
    const named = completed.flatMap((each) => [
      ...toModels(laterOf(each).map(({ collection }) => collection)),
      ...countedBy(each),
    ])
    return { completed, generated: closureOf([...completed, ...named], neededBy) }
  })

  const toBase = (model: CollectionModel): Step => ({ into: bases, name: model.name, make: () => generate(model) })
  const toWhole = (model: CollectionModel): Step => ({ into: scenario, name: model.name, make: () => complete(model) })

  const singlesOf = (model: CollectionModel) =>
    findReferences(model).filter(({ isList, isWithin }) => !isList && !isWithin)

  /** Where the records of a collection name those of an earlier one. */
  function placesIn(name: string): Place[] {
    const other = byName.get(name)
    const all = other ? [...singlesOf(other), ...placesOf(other.links ?? [])] : []
    return all.filter(({ collection }) => other && isBefore(collection, other))
  }

  function* generate(model: CollectionModel): Generator<number | undefined, Values[]> {
    const links = (model.links ?? []).filter(({ collection }) => isBefore(collection, model))
    const placeOf = (name: string) => positions().get(name) ?? -1
    // What a record belongs to follows from the later ones.
    const properties = findReferences(model)
      .filter(({ collection, isWithin }) => isBefore(collection, model) || isWithin)
      .toSorted((one, other) => placeOf(other.collection) - placeOf(one.collection))
    const schemaPath = contract.recordSchemas[model.record] ?? []
    const examples = examplesOf(model)
    const hasExamples = examples.records.length > 0
    const { references, named, count } = createReferences({
      ...{
        links,
        key: model.key,
        properties,
        scenario: bases,
        records,
        hasExamples,
        now,
        owner: ownerWords(model.name),
      },
      isPart: model.hidden?.includes(model.key) === true,
      placesIn,
    })
    // Each collection has its own seed, so that the records of one do not depend on other collections.
    const ownSeed = toSeed(`${seed} ${model.name}`)
    const faker = createFaker()
    faker.seed(ownSeed)
    const validate = contract.recordValidators[model.record] ?? (() => true)
    const generated = yield* generateCollection({
      document,
      model,
      schemaPath,
      shownPaths: contract.recordSources?.[model.name]?.shownSchemas ?? [],
      examples,
      validate,
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
    exampleKeys.set(model.name, generated.exampleKeys)
    const [source] = sourceOf(model) ?? []
    const sources = source && isBefore(source.name, model) ? (bases[source.name] ?? []) : []
    return generated.records.map((record, index) => {
      const isFlat = ([, value]: [string, unknown]) => typeof value !== 'object'
      const shared = Object.entries(sharedOf(record, sources[index] ?? {})).filter(isFlat)
      if (shared.length * 2 <= Object.entries(record).filter(isFlat).length) return record
      const whole = withWrongOf({ model, validate }, { ...record, ...Object.fromEntries(shared) }, record)
      return validate(splitHidden({ model }, whole)[0]) ? whole : record
    })
  }

  /** The records with what they show of later collections and of their own one. */
  function* complete(model: CollectionModel): Generator<number, readonly Values[]> {
    const known = bases[model.name] ?? []
    if (!isCompleted(model) || known.length === 0) return known
    const { completed, generated } = needsOf(model)
    const earlier = new Set(completed.map(({ name }) => name))
    const view = Object.fromEntries(
      generated.map(({ name }) => [name, (name !== model.name && earlier.has(name) ? scenario : bases)[name] ?? []]),
    )
    const shown = shownOf(model)
    const { completed: completeOne } = createReferences({
      ...{ links: [], key: model.key, scenario: view, records, hasExamples: false, now, owner: '', isPart: false },
      properties: [
        ...laterOf(model),
        ...findReferences(model).filter((each) => each.isShown && shown.some(({ name }) => name === each.collection)),
      ],
      placesIn,
      self: model.name,
      isSelf: (name) => isSame(name, model.name),
      counted: countedBy(model).map(({ name }) => [lastOf(name), name]),
    })
    const examples = exampleKeys.get(model.name)
    const validate = contract.recordValidators[model.record] ?? (() => true)
    const made: Values[] = []
    for (const [index, record] of known.entries()) {
      const whole = examples?.has(record[model.key])
        ? record
        : withWrongOf({ model, validate }, completeOne(index, record), record)
      made.push(whole === record || validate(splitHidden({ model }, whole)[0]) ? whole : record)
      yield made.length
    }
    return made
  }

  const read = namesOfRead(contract)
  const models = contract.collections.filter(({ name }) => read.has(name))
  for (const model of models) byName.set(model.name, model)
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
  /** Whether the records of a collection name the one of another that they are shown in. */
  const isPartIn = (child: CollectionModel | undefined, { name }: CollectionModel) =>
    child !== undefined &&
    placesOf([...(child.links ?? [])])
      .concat(singlesOf(child).filter(({ isShown }) => !isShown))
      .some(({ collection }) => byName.has(collection) && isSame(collection, name))
  // References are found when the first record is needed.
  const toOrder = once(() =>
    sortByReferences(models, (model) => [
      ...(sourceOf(model) ?? []).map(({ name }) => name),
      ...findReferences(model).flatMap(({ collection, isName, isShown }) =>
        isName || (isShown && isPartIn(byName.get(collection), model)) ? [] : collection,
      ),
    ]),
  )
  return {
    models,
    stepsTo: (model) => {
      const { completed, generated } = needsOf(model)
      return [...generated.map(toBase), ...completed.map(toWhole)]
    },
    steps: () => [...toOrder().map(toBase), ...toOrder().map(toWhole)],
  }
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
): Generator<number | undefined, { records: Values[]; exampleKeys: ReadonlySet<unknown>; problem?: string }> {
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
  const exampleKeys = new Set(examples.map((each) => each[collection.model.key]))
  if (records.length + examples.length === 0 && collection.records > 0)
    return { records, exampleKeys, problem: generator.problem }
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
    exampleKeys,
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
