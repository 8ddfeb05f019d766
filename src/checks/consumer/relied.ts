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

/** @param isEach whether each answer names all that decided it, and not only the first one that a place in the code reads */
export function createFindRelied(contract: RequestContract, facts: readonly OpenFact[], isEach = false): FindRelied {
  const byId = new Map(contract.operations.map((each) => [each.id, each]))
  const models = new Map(contract.collections.map((each) => [each.name, each]))
  const seen = createSeen(models, isEach)
  const sendable = new Map<Operation, ReadonlySet<string>>()

  return (exchange) => {
    const operation = byId.get(exchange.operation ?? '')
    const earlier = seen.add(exchange, operation)
    if ((exchange.cause && exchange.cause.kind !== 'override') || exchange.sent) return []
    const effect = operation?.effect
    const collection = effect && 'collection' in effect ? effect.collection : undefined
    const model = models.get(collection ?? '')
    const canSend = operation && getOrInsert(sendable, operation, () => namesOfBody(contract, operation))
    const isOwn = (fact: OpenFact) =>
      fact.operation === undefined
        ? fact.collection === undefined || fact.collection === collection
        : fact.operation === operation?.id
    const found = facts.flatMap((fact) => {
      if (fact.operation !== undefined && earlier.decides(fact)) return fact
      if (!isOwn(fact)) return []
      if (fact.isDoubt && fact.kind !== 'errors')
        return narrow(fact, contradictedBy(fact, exchange, operation, earlier))
      if (!operation || !canSend) return []
      const decided = decides(fact, { exchange, operation, earlier, canSend, model })
      return Array.isArray(decided) ? narrow(fact, decided) : decided ? fact : []
    })
    return found.sort((one, other) => rankOf(one) - rankOf(other))
  }
}

/** What requests contradict of what is taken for right. */
function contradictedBy(
  { kind }: OpenFact,
  exchange: Exchange,
  operation: Operation | undefined,
  { hasSucceeded, isLost, isUnwritten, unseen }: Earlier,
): string[] {
  const { request, refused, violations = [] } = exchange
  // Only what the document names is sure to be no secret.
  const name = operation ? nameOf(operation) : `${request.method} of a path`
  if (kind === 'related') return [...unseen]
  if (kind === 'collection') return isUnwritten ? [name] : []
  if (kind === 'key') return operation && refused === 'not_found' && isLost ? [name] : []
  if (refused === 'invalid_request')
    return hasSucceeded
      ? []
      : violations.map(({ at, rule }) => `${rule === 'required' ? at.split('.').at(-1) : 'a value'} of ${name}`)
  const isUndescribed = !operation || refused === 'unsupported_media_type' || refused === 'not_made'
  return refused !== undefined && isUndescribed ? [name] : []
}

function nameOf({ method, path }: Operation): string {
  return `${method} ${path}`
}

/** The most decisive have the least: what requests contradict, then what is least often right. */
function rankOf({ kind, right = 0.7, isDoubt }: OpenFact): number {
  if (isDoubt && kind !== 'errors') return -1
  return kind === 'status' ? 1 : right
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
        (one, other) => testsOf(other) - testsOf(one) || rankOf(one) - rankOf(other) || other.count - one.count,
      ),
  }
}

/** How many tests read an answer that a fact decided. */
function testsOf({ sources = [] }: Guess): number {
  return new Set(sources.map(({ test, call }) => test?.name ?? `${(test ?? call).file}:${(test ?? call).line}`)).size
}

/** What earlier requests of the same world did. */
type Earlier = ReturnType<ReturnType<typeof createSeen>['add']>

interface Deciding {
  exchange: Exchange
  operation: Operation
  earlier: Earlier
  model: CollectionModel | undefined
  /** The names that its request may have, without their spelling. */
  canSend: ReadonlySet<string>
}

/** The last request that may have changed something. Its path has a slash at its end. */
type Written = { operation: Operation; path: string; changed: ReadonlySet<string> } | undefined

/** Operations and requests that succeeded, values of answers, paths of `DELETE`, collections that changed, and keys that were added. */
const createWorld = () => ({
  ...{ sent: new Set<string>(), shown: new Set<string>(), removed: new Set<string>(), touched: new Set<string>() },
  ...{ decided: new Set<string>(), added: new Map<string, Set<string>>(), last: undefined as Written },
})

function createSeen(models: ReadonlyMap<string, CollectionModel>, isEach: boolean) {
  const worlds = new Map<string, ReturnType<typeof createWorld>>()
  return {
    add({ key = '', request, response, cause, source, changes = [] }: Exchange, operation: Operation | undefined) {
      const world = getOrInsert(worlds, key, createWorld)
      const { sent, shown, decided, removed, added, touched, last } = world
      const name = JSON.stringify([request.method, request.path, request.query, request.body])
      const [steps, body] = [request.path.split('/'), tryJson(response.body)]
      const isSuccess = response.status < 400
      const { effect } = operation ?? {}
      const collection = (effect && 'collection' in effect && effect.collection) || ''
      const isList = effect?.kind === 'list'
      const isRead = effect?.kind === 'read' || isList || request.method === 'GET'
      const readsLast = isRead && isSuccess && last?.path.startsWith(`${request.path}/`) ? last : undefined
      const isUnseen =
        readsLast !== undefined &&
        readsLast.operation.effect.kind !== 'remove' &&
        (isList ? readsLast.changed.size === 0 : !readsLast.changed.has(collection))
      const isRemoved = steps.some((_, end) => removed.has(steps.slice(0, end + 1).join('/')))
      const isChosen = request.method === 'PUT' || request.method === 'POST'
      const isOpen = effect?.kind === 'read' || (isList && itemsIn(body).length === 0)
      const keys = [...steps, ...new URLSearchParams(request.query).values()].map(decodeText)
      const isOfAdded = keys.some((each = '') => [...added.values()].some((own) => own.has(each)))
      const earlier = {
        added,
        isRepeated: sent.has(name),
        hasSucceeded: sent.has(operation?.id ?? ''),
        /** An answer showed the key in its path, or a creation has it, and nothing removed it. */
        isLost: !isRemoved && (isChosen || shown.has(keyIn(operation, request.path) ?? '')),
        /** It reads what is below a record that a request added, and no request wrote it. */
        isUnwritten: isSuccess && isOpen && collection !== '' && !touched.has(collection) && isOfAdded,
        /** The operation that it follows, and that left what it reads as it was. */
        unseen: isUnseen ? [nameOf(readsLast.operation)] : [],
        /** Whether the operation that it follows made what it reads, because of a fact. */
        decides({ kind, operation: id, about }: OpenFact) {
          if (id !== last?.operation.id) return false
          if (kind === 'left') return isRead && isSuccess && about.includes(collection) && added.has(collection)
          if (kind === 'changes' && about.length > 0) return readsLast !== undefined && !isList && shows(about, body)
          return isUnseen && (kind === 'effect' || kind === 'changes')
        },
        /** Whether a place in the code relies on something for the first time. */
        isFirst(what: string) {
          const each = `${what} ${source ?? ''}`
          return isEach || (!decided.has(each) && decided.add(each).size > 0)
        },
      }
      for (const each of [sent, shown, removed, decided]) if (each.size >= mostKnown) each.clear()
      if (isSuccess && operation) {
        sent.add(operation.id)
        if (request.method !== 'GET') sent.add(name)
        if (request.method === 'DELETE') removed.add(request.path)
        const changed = new Set(changes.map((each) => each.collection))
        if (!isRead && !cause) world.last = { operation, path: `${request.path}/`, changed }
        for (const text of textsIn(body)) shown.add(text)
      }
      for (const { collection: other, before, after } of changes) {
        touched.add(other)
        const own = after?.[models.get(other)?.key ?? '']
        if (!before && own !== undefined) getOrInsert(added, other, () => new Set<string>()).add(String(own))
      }
      return earlier
    },
  }
}

/** @returns some of the properties that it is about, if it decided only these */
function decides(
  { kind, about, right }: OpenFact,
  { exchange, operation, earlier, model, canSend }: Deciding,
): boolean | string[] {
  const { request, response, refused, changes = [] } = exchange
  const { effect } = operation
  const isSuccess = response.status < 400
  const [[record], body] = [changes, tryJson(response.body)]
  const given = () => namesIn(readSent(request.body))
  const added = 'collection' in effect ? earlier.added.get(effect.collection ?? '') : undefined
  /** Whether it shows a record that an earlier request added. */
  const showsOwn = () =>
    itemsIn(body).some((item) => added?.has(String(isObject(item) ? item[model?.key ?? ''] : item)))
  switch (kind) {
    case 'effect':
      // An update keeps what is not sent, which is no guess; a replacement loses it.
      if (refused === 'not_found') return earlier.isLost
      // What it did, or what a list shows, speaks for it.
      if ((effect.kind === 'example' || effect.kind === 'list') && changes.length > 0) return false
      if (effect.kind === 'list' && request.method === 'GET' && showsOwn()) return false
      return isSuccess && effect.kind !== 'update' && (effect.kind !== 'replace' || isLacking(record, given()))
    case 'changes':
      return isSuccess && (about.length === 0 || shows(about, body))
    case 'refusal':
      return refused === 'conflict'
    case 'status':
      return isSuccess && earlier.isRepeated
    case 'errors':
      // Requests that never succeed are refused for another reason.
      return (
        refused !== undefined &&
        textsIn(body).some((each) => toPlainName(each) === toPlainName(refused)) &&
        earlier.isFirst(`error ${refused}`)
      )
    case 'parameter':
      // A search that finds something has found what it should.
      return (
        isSuccess &&
        new URLSearchParams(request.query).has(about[0] ?? '') &&
        (right === 0 || itemsIn(body).length === 0)
      )
    case 'order': {
      // Who asks for pages reads them all.
      if (!isSuccess || effect.kind !== 'list' || request.query !== '' || effect.query.standard) return false
      const { length } = itemsIn(body)
      return length >= (effect.query.defaultSize ?? Infinity) && (added?.size ?? 0) > 1 && showsOwn()
    }
    case 'first': {
      const own = changes.find(
        ({ before, collection }) => !before && 'collection' in effect && collection === effect.collection,
      )
      if (!isSuccess || !own?.after) return false
      const [sent, shown] = [given(), namesIn(body)]
      const isRecord = shown.has(toPlainName(model?.key ?? ''))
      // What a caller may send, and does not, is nothing. What only the service writes is something.
      const open = about.filter((name) => {
        const [plain, value] = [toPlainName(name), own.after?.[name]]
        if (sent.has(plain)) return false
        const isMissing = value === undefined || value === null || value === ''
        if (isMissing) return !canSend.has(plain) && (isRecord || shown.has(plain))
        return shown.has(plain) && !isObject(value) && !isNothing(value)
      })
      return open.filter((name) => earlier.isFirst(`first ${name}`)).length > 0 ? open : []
    }
    default:
      return false
  }
}

/** A fact about some of its properties. */
function narrow(fact: OpenFact, about: readonly string[]): OpenFact[] {
  if (about.length === 0) return []
  if (fact.isDoubt) {
    const [method = '', path = ''] = about[0]?.split(' ') ?? []
    const target = fact.correct.target.replace('/a/path', path).replace('.get', `.${method.toLowerCase()}`)
    return [{ ...fact, about, fact: `${fact.fact}: ${about.join(', ')}`, correct: { ...fact.correct, target } }]
  }
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

/** Whether a body has one of some properties. */
function shows(about: readonly string[], body: unknown): boolean {
  const shown = namesIn(body)
  return about.some((each) => shown.has(toPlainName(each.split('/').at(-1) ?? '')))
}

/** The texts and numbers of a value, as texts. */
function textsIn(value: unknown): string[] {
  if (isObject(value) || Array.isArray(value)) return Object.values(value).flatMap(textsIn)
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : []
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
