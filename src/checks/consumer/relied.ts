/** Finds which open facts decided a status, a value, an order or a presence in the answer of an exchange. */
import type { CollectionModel, Operation, RequestContract } from '../../contract/contract.js'
import { namesOfBody, toPlainName } from '../../contract/effects/names-of-body.js'
import type { OpenFact } from '../../contract/open-fact.js'
import { decodeText } from '../../contract/path-template.js'
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
  const sendable = new Map<Operation, ReadonlySet<string>>()

  return (exchange) => {
    const operation = byId.get(exchange.operation ?? '')
    const earlier = seen.add(exchange, operation)
    if (exchange.cause?.kind === 'preference' || exchange.cause?.kind === 'fault' || exchange.sent) return []
    if (!operation) return facts.filter(({ kind }) => kind === 'request').flatMap((fact) => doubt(fact, exchange, [nameOf(exchange)]))
    const { effect } = operation
    const collection = 'collection' in effect ? effect.collection : undefined
    const own = facts.filter((fact) =>
      fact.operation === undefined
        ? fact.collection === undefined || fact.collection === collection
        : fact.operation === operation.id,
    )
    const canSend = getOrInsert(sendable, operation, () => namesOfBody(contract, operation))
    const deciding = { exchange, operation, earlier, canSend, model: models.get(collection ?? '') }
    return rankFacts(own.flatMap((fact) => {
      const decided = decides(fact, deciding)
      if (!Array.isArray(decided)) return decided ? fact : []
      return fact.isDoubt ? doubt(fact, exchange, decided) : narrow(fact, decided)
    }))
  }
}

/** A doubt about one request. */
function doubt(fact: OpenFact, exchange: Exchange, about: string[]): OpenFact[] {
  if (about.length === 0) return []
  const name = nameOf(exchange)
  return [{ ...fact, about, fact: `${fact.fact}${about.includes(name) ? '' : ` by ${name}`}: ${about.join(', ')}` }]
}

function nameOf({ request, operation }: Exchange): string {
  return `${request.method} ${operation ?? request.path}`
}

/** The most decisive first. @example rankFacts(facts)[0] // what requests contradict, else what has no effect */
export function rankFacts<Fact extends Pick<OpenFact, 'kind' | 'right' | 'isDoubt'>>(facts: readonly Fact[]): Fact[] {
  const rank = ({ kind, right = 0.7, isDoubt }: Fact) => (isDoubt ? -1 : kind === 'status' ? 1 : right)
  return [...facts].sort((one, other) => rank(one) - rank(other))
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
  /** Whether a request of its operation succeeded before. */
  hasSucceeded: boolean
  /** Whether an answer showed the key in its path, and nothing removed it. */
  isLost: boolean
  /** The collections in which it added records, and their keys. */
  added: ReadonlyMap<string, ReadonlySet<string>>
  /** Whether something is decided for the first time. */
  isFirst(name: string): boolean
}

interface Deciding {
  exchange: Exchange
  operation: Operation
  earlier: Earlier
  model: CollectionModel | undefined
  /** The names that its request may have, without their spelling. */
  canSend: ReadonlySet<string>
}

function createSeen(models: ReadonlyMap<string, CollectionModel>): { add(exchange: Exchange, operation: Operation | undefined): Earlier } {
  const sent = new Set<string>()
  const removed = new Set<string>()
  const worlds = new Map<string, Map<string, Set<string>>>()
  const decided = new Set<string>()
  return {
    add({ key: world = '', request, response, changes = [] }, operation) {
      const added = getOrInsert(worlds, world, () => new Map<string, Set<string>>())
      const name = JSON.stringify([world, request.method, request.path, request.query, request.body])
      const isRepeated = sent.has(name)
      if (sent.size >= mostKnown) sent.clear()
      const succeeded = JSON.stringify([world, operation?.id])
      const hasSucceeded = sent.has(succeeded)
      const given = keyIn(operation, request.path)
      const isGiven = given !== undefined && sent.has(JSON.stringify([world, 'shown', given]))
      const isRemoved = [...removed].some((each) => `${request.path}/`.startsWith(each))
      if (response.status < 400) {
        if (request.method !== 'GET') sent.add(name)
        sent.add(succeeded)
        for (const text of textsIn(tryJson(response.body))) sent.add(JSON.stringify([world, 'shown', text]))
        if (operation?.effect.kind === 'remove') removed.add(`${request.path}/`)
      }
      for (const { collection, before, after } of changes) {
        const own = after?.[models.get(collection)?.key ?? '']
        if (!before && own !== undefined) getOrInsert(added, collection, () => new Set<string>()).add(String(own))
      }
      const isFirst = (what: string) => {
        const size = decided.size
        return decided.add(JSON.stringify([world, what])).size > size
      }
      return { isRepeated, hasSucceeded, isLost: isGiven && !isRemoved, added, isFirst }
    },
  }
}

/** @returns some of the properties that it is about, if it decided only these */
function decides({ kind, about, right }: OpenFact, { exchange, operation, earlier, model, canSend }: Deciding): boolean | string[] {
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
      return refused !== undefined && hasText(response.body, refused) && earlier.isFirst(refused) && (refused !== 'invalid_request' || earlier.hasSucceeded)
    case 'request':
      return refused === 'invalid_request' && !earlier.hasSucceeded ? (exchange.violations ?? []).map(({ at }) => at) : refused === 'unsupported_media_type' || refused === 'not_made' ? [nameOf(exchange)] : false
    case 'key':
      return refused === 'not_found' && earlier.isLost ? [keyIn(operation, request.path) ?? ''] : false
    case 'parameter':
      // A search that finds something has found what it should.
      return (
        isSuccess &&
        new URLSearchParams(request.query).has(about[0] ?? '') &&
        (right === 0 || itemsIn(tryJson(response.body)).length === 0)
      )
    case 'order': {
      const own = 'collection' in effect && earlier.added.get(effect.collection ?? '')
      if (!isSuccess || effect.kind !== 'list' || !own || isSorted(operation, request.query)) return false
      const items = itemsIn(tryJson(response.body))
      const size = sizeOf(operation, request.query)
      // Pages are read to their end. One record, or the first ones without a size, are what the order chose.
      const isPart = size === undefined ? items.length >= (effect.query.defaultSize ?? Infinity) : size === 1 && items.length > 0
      return isPart && own.size > 1 && items.some((item) => own.has(String(isObject(item) ? item[model?.key ?? ''] : item)))
    }
    case 'optional':
    case 'first': {
      const added = changes.find(
        ({ before, collection }) => !before && 'collection' in effect && collection === effect.collection,
      )
      if (!isSuccess || !added?.after) return false
      const [sent, shown] = [given(), namesIn(tryJson(response.body))]
      if (kind === 'optional') return false
      // What a caller may send, and does not, is nothing. What only the service writes is something.
      return about.filter((name) => {
        const plain = toPlainName(name)
        if (sent.has(plain)) return false
        const value = added.after?.[name]
        const isMissing = value === undefined || value === null || value === ''
        const isMade = !isObject(value) && !isNothing(value)
        const isOpen = isMissing
          ? !canSend.has(plain) && (shown.has(plain) || shown.has(toPlainName(model?.key ?? '')))
          : shown.has(plain) && isMade
        return isOpen && earlier.isFirst(`${added.collection}/${name}`)
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
    (name) => !given.has(toPlainName(name)) && !isNothing(before[name]) && isNothing(after[name]),
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
  return (isObject(body) ? Object.values(body) : [body]).filter(Array.isArray).flat()
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

/** The last key in a path. */
function keyIn(operation: Operation | undefined, path: string): string | undefined {
  const last = operation?.path.split('/').findLastIndex((step) => step.startsWith('{')) ?? -1
  return last < 0 ? undefined : decodeText(path.split('/')[last] ?? '')
}

/** Whether a body has a text, however it is written. */
function hasText(body: unknown, text: string): boolean {
  return [...textsIn(tryJson(body))].some((each) => toPlainName(each) === toPlainName(text))
}

function* textsIn(value: unknown): Generator<string> {
  if (isObject(value) || Array.isArray(value)) for (const each of Object.values(value)) yield* textsIn(each)
  else if (typeof value === 'string' || typeof value === 'number') yield String(value)
}

/** The names of the properties of a value, at any depth, without their spelling. */
function namesIn(value: unknown, names: Set<string> = new Set()): Set<string> {
  if (typeof value !== 'object' || value === null) return names
  for (const [name, each] of Object.entries(value)) {
    if (!Array.isArray(value)) names.add(toPlainName(name))
    namesIn(each, names)
  }
  return names
}

function isNothing(value: unknown): boolean {
  return !value || (Array.isArray(value) && value.length === 0)
}
