/** Finds which open facts decided a status, a value, an order or a presence in the answer of an exchange. */
import type { CollectionModel, Operation, RequestContract } from '../../contract/contract.js'
import type { OpenFact } from '../../contract/open-fact.js'
import { getOrInsert, isObject } from '../../json/own-value.js'
import type { Exchange } from '../../state/journal.js'
import { addSource, type FindingSource, readSource } from './sources.js'

/** The open facts that decided something in an answer. Exchanges of one world are given in their order. */
export type FindRelied = (exchange: Exchange) => OpenFact[]

/** Maximum number of requests that are known as sent before. Beyond it, they are forgotten. */
const mostKnown = 10_000

export function createFindRelied(contract: RequestContract, facts: readonly OpenFact[]): FindRelied {
  const byId = new Map(contract.operations.map((each) => [each.id, each]))
  const models = new Map(contract.collections.map((each) => [each.name, each]))
  const seen = createSeen(models)

  return (exchange) => {
    const operation = byId.get(exchange.operation ?? '')
    const earlier = seen.add(exchange)
    if (!operation || exchange.cause?.kind === 'preference' || exchange.cause?.kind === 'fault') return []
    const { effect } = operation
    const collection = 'collection' in effect ? effect.collection : undefined
    const own = facts.filter((fact) =>
      fact.operation === undefined
        ? fact.collection === undefined || fact.collection === collection
        : fact.operation === operation.id,
    )
    const deciding = { exchange, operation, earlier, key: models.get(collection ?? '')?.key }
    return own.flatMap((fact) => {
      const decided = decides(fact, deciding)
      return Array.isArray(decided) ? narrow(fact, decided) : decided ? fact : []
    })
  }
}

/** An open fact that decided answers, and where these were read. */
export interface Guess extends OpenFact {
  /** The number of answers that it decided. */
  count: number
  /** Where in the consumer's code they were asked for. Absent if nobody knows. */
  sources?: FindingSource[]
}

export interface GuessObserver {
  add(exchange: Exchange): void
  /** Those of the most tests first, then those that are least often right. */
  guesses(): Guess[]
}

/** @param testOf the name of the test whose own key a request has */
export function observeGuesses(
  contract: RequestContract,
  facts: readonly OpenFact[],
  testOf: (exchange: Exchange) => string | undefined = () => undefined,
): GuessObserver {
  const findRelied = createFindRelied(contract, facts)
  const guesses = new Map<number, Guess>()
  const wholeOf = ({ number }: OpenFact) => facts.find((each) => each.number === number) as OpenFact
  return {
    add(exchange) {
      for (const fact of findRelied(exchange)) {
        const guess = getOrInsert(guesses, fact.number, () => ({ ...fact, count: 0 }))
        guess.count++
        const about = [...new Set([...guess.about, ...fact.about])]
        if (about.length > guess.about.length) Object.assign(guess, narrow(wholeOf(fact), about)[0])
        addSource(guess, readSource(exchange.source ?? '') ?? [], testOf(exchange))
      }
    },
    guesses: () =>
      [...guesses.values()].sort(
        (one, other) =>
          testsOf(other) - testsOf(one) || (one.right ?? 0.5) - (other.right ?? 0.5) || other.count - one.count,
      ),
  }
}

/** How many tests read an answer that a fact decided. */
function testsOf({ sources = [] }: Guess): number {
  return new Set(sources.map(({ test, call }) => test?.name ?? `${(test ?? call).file}:${(test ?? call).line}`)).size
}

/** What earlier requests of the same world did. */
interface Earlier {
  /** Whether the same request succeeded before. */
  isRepeated: boolean
  /** The collections in which it added records, and their keys. */
  added: ReadonlyMap<string, ReadonlySet<string>>
}

interface Deciding {
  exchange: Exchange
  operation: Operation
  earlier: Earlier
  /** The property with the key of its records. */
  key: string | undefined
}

function createSeen(models: ReadonlyMap<string, CollectionModel>): { add(exchange: Exchange): Earlier } {
  const sent = new Set<string>()
  const worlds = new Map<string, Map<string, Set<string>>>()
  return {
    add({ key: world = '', request, response, changes = [] }) {
      const added = getOrInsert(worlds, world, () => new Map<string, Set<string>>())
      const name = JSON.stringify([world, request.method, request.path, request.query, request.body])
      const isRepeated = sent.has(name)
      if (sent.size >= mostKnown) sent.clear()
      if (response.status < 400 && request.method !== 'GET') sent.add(name)
      for (const { collection, before, after } of changes) {
        const own = after?.[models.get(collection)?.key ?? '']
        if (!before && own !== undefined) getOrInsert(added, collection, () => new Set<string>()).add(String(own))
      }
      return { isRepeated, added }
    },
  }
}

/** @returns some of the properties that it is about, if it decided only these */
function decides({ kind, about }: OpenFact, { exchange, operation, earlier, key }: Deciding): boolean | string[] {
  const { request, response, refused, changes = [] } = exchange
  const { effect } = operation
  const isSuccess = response.status < 400
  const [record] = changes
  const given = () => namesIn(readSent(request.body))
  switch (kind) {
    case 'effect':
      // An update keeps what is not sent, which is no guess; a replacement loses it.
      return isSuccess && effect.kind !== 'update' && (effect.kind !== 'replace' || isLacking(record, given()))
    case 'changes':
      return isSuccess
    case 'refusal':
      return refused === 'conflict'
    case 'status':
      return isSuccess && earlier.isRepeated
    case 'left':
      return isSuccess && about.some((name) => earlier.added.has(name))
    case 'errors':
      return !isSuccess && response.body !== undefined
    case 'parameter':
      return isSuccess && new URLSearchParams(request.query).has(about[0] ?? '')
    case 'order': {
      const own = 'collection' in effect && earlier.added.get(effect.collection ?? '')
      if (!isSuccess || effect.kind !== 'list' || !own || isSorted(operation, request.query)) return false
      const items = itemsIn(response.body)
      const size = sizeOf(operation, request.query) ?? effect.query.defaultSize
      // It decides which records a part of the list has.
      const isPart = size !== undefined && items.length >= size
      return isPart && items.filter((item) => own.has(String(isObject(item) ? item[key ?? ''] : item))).length > 1
    }
    case 'optional':
    case 'first': {
      const added = changes.find(
        ({ before, collection }) => !before && 'collection' in effect && collection === effect.collection,
      )
      if (!isSuccess || !added?.after) return false
      const [sent, shown] = [given(), namesIn(tryJson(response.body))]
      if (kind === 'optional')
        return Object.entries(added.after).some(
          ([name, value]) => (value === '' || value === null) && !sent.has(toPlain(name)) && shown.has(toPlain(name)),
        )
      return about.filter((name) => {
        const plain = toPlain(name)
        return !sent.has(plain) && shown.has(plain) && !isNothing(added.after?.[name])
      })
    }
  }
}

/** A fact about some of its properties. */
function narrow(fact: OpenFact, about: readonly string[]): OpenFact[] {
  if (about.length === 0) return []
  const keep = (value: unknown): unknown =>
    isObject(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => about.includes(name))) : value
  const update = Object.entries(fact.correct.update).map(([name, said]) => [
    name,
    isObject(said) ? { ...said, [fact.kind]: keep(said[fact.kind]) } : said,
  ])
  return [{ ...fact, about, correct: { ...fact.correct, update: Object.fromEntries(update) } }]
}

/** Whether a record had something that the request does not have. */
function isLacking(change: NonNullable<Exchange['changes']>[number] | undefined, given: ReadonlySet<string>): boolean {
  const { before = {}, after = {} } = change ?? {}
  return Object.keys(before).some(
    (name) => !given.has(toPlain(name)) && !isNothing(before[name]) && isNothing(after[name]),
  )
}

function isSorted({ effect }: Operation, query: string): boolean {
  if (effect.kind !== 'list') return false
  const { standard, order } = effect.query
  const names = [...new URLSearchParams(query).keys()]
  return (
    standard !== undefined ||
    (order !== undefined && names.some((name) => JSON.stringify(order).includes(JSON.stringify(name))))
  )
}

/** The items of the lists that a body is, or has in an object. */
function itemsIn(body: unknown): unknown[] {
  const whole = tryJson(body)
  return (isObject(whole) ? Object.values(whole) : [whole]).filter(Array.isArray).flat()
}

function tryJson(body: unknown): unknown {
  if (typeof body !== 'string') return undefined
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** The page size that a request gives. */
function sizeOf({ effect }: Operation, query: string): number | undefined {
  const given = new URLSearchParams(query)
  const sizes = effect.kind === 'list' ? effect.query.sizes.flatMap(({ name }) => given.get(name) ?? []) : []
  return sizes.length > 0 ? Number(sizes[0]) : undefined
}

/** A body as JSON, or the fields of a form: `metadata[tier]` is one of `metadata`. */
function readSent(body: string | undefined): unknown {
  const fields = [...new URLSearchParams(body)].map(([name, value]) => [name.split('[', 1)[0], value])
  return tryJson(body) ?? Object.fromEntries(fields)
}

/** A name without its spelling: forms have others than answers. */
function toPlain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

/** The names of the properties of a value, at any depth, without their spelling. */
function namesIn(value: unknown, names: Set<string> = new Set()): Set<string> {
  if (typeof value !== 'object' || value === null) return names
  for (const [name, each] of Object.entries(value)) {
    if (!Array.isArray(value)) names.add(toPlain(name))
    namesIn(each, names)
  }
  return names
}

function isNothing(value: unknown): boolean {
  return !value || (Array.isArray(value) && value.length === 0)
}
