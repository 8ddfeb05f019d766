/** Operations on the records of a collection. */
import type { CollectionModel, Contract } from '../../contract/contract.js'
import { SandboxError } from '../../contract/sandbox-error.js'
import { quote, type Violation } from '../../contract/violations.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { removedMark } from '../../json/path-property.js'
import { addRecord } from '../../sandbox/facade/collection.js'
import type { ValidRequest } from '../../sandbox/validate.js'
import { atTime } from '../../sandbox/writes/progress.js'
import { isRemoved } from '../../sandbox/writes/sampled-record.js'
import { withinOf } from '../../state/identity.js'
import type { Exchange } from '../../state/journal.js'
import { violationsOfRecord } from '../../state/scenario.js'
import { keysLike, missingOwner } from '../../state/snapshots/carry-world.js'
import type { StoredCollection } from '../../state/stored-collection.js'
import type { Filter, StoredRecord, Values } from '../../state/stored-record.js'
import { findCollection, type StoredWorld } from '../../state/stored-world.js'
import { type ControlHandlers, InvalidRecord, NotFound } from '../control-api.js'
import { toText } from '../describe-exchange.js'
import type { Inspected } from '../inspected.js'
import type { WorldsOfControl } from './world-routes.js'

function environmentOf(query: ValidRequest['query']): string | undefined {
  return query['environment'] as string | undefined
}

export function recordRoutes(
  contract: Contract,
  { find, isOf, use, engine, sandbox: { exchanges } }: WorldsOfControl,
  { complete }: Pick<Inspected, 'complete'>,
): ControlHandlers {
  /** Runs a function on the collection that a request names. */
  function useCollection<T>(
    { path, query }: ValidRequest,
    work: (collection: StoredCollection, name: string, world: StoredWorld) => T,
  ): Promise<T> {
    const name = String(path['name'])
    const environment = environmentOf(query)
    if (!contract.collections.some((each) => each.name === name)) {
      const names = contract.collections.map((each) => each.name).join(', ')
      throw new NotFound(`There is no collection "${name}"; the collections are ${names || 'none'}`)
    }
    findCollection(contract, name, environment)
    return use(find(path['key']), (world) => work(world.collection(name, environment), name, world))
  }

  function useRecord<T>(
    request: ValidRequest,
    work: (collection: StoredCollection, record: StoredRecord, name: string) => T,
  ): Promise<T> {
    const id = Number(request.path['id'])
    return useCollection(request, (collection, name) => {
      const record = collection.at(id)
      if (!record || isRemoved(record)) throw new NotFound(`There is no record with the id ${id} in ${name}`)
      return work(collection, record, name)
    })
  }

  return {
    listRecords: async (request) => [
      200,
      await useCollection(request, (collection, name, world) =>
        listRecords(findCollection(engine.contract, name, undefined), collection, request, world.clock.now()),
      ),
    ],
    addRecord: async (request) => [
      201,
      await useCollection(request, (collection, name, world) => {
        const model = findCollection(contract, name, undefined)
        let value = sentValues(contract, request, name)
        if (request.query['validate'] !== false) {
          value = complete(model, value, environmentOf(request.query), world)
          const server = environmentOf(request.query) ?? model.servers[0]
          refuse(missingOwners(contract, collection, model, value, world, server))
        }
        const { values } = addRecord(collection, model, value, (made) => check(contract, request, name, made))
        const [added] = collection.entries([])
        return { id: added?.[0] ?? 0, values }
      }),
    ],
    clearRecords: async (request) => {
      await useCollection(request, (collection) => collection.clear())
      return [204]
    },
    getRecord: async (request) => [
      200,
      await useRecord(request, (_, { values }) => ({ id: request.path['id'], values })),
    ],
    replaceRecord: async (request) => [
      200,
      await useRecord(request, (collection, before, name) => {
        const { key, scope, identity } = collection.context
        const sent = sentValues(contract, request, name)
        const owned = identity ? identity.keep(sent, before.values) : sent
        const values = { ...owned, [key]: before.values[key] }
        check(contract, request, name, values)
        const within = scope && withinOf(before.values, scope)
        const replaced = collection.replace(before.values[key] as never, values, within)
        return { id: request.path['id'], values: replaced?.values ?? values }
      }),
    ],
    async listRecordChanges(request) {
      const [name, server, property, key] = await useRecord(request, ({ context }, { values }, of) => {
        return [of, context.server, context.key, values[context.key]] as const
      })
      const id = Number(request.path['id'])
      const all = await exchanges.list({ where: await isOf(request.path['key']) })
      const isOfRecord = ({ collection, server: on, position, before, after }: Change) =>
        collection === name && on === server && position === id && (after ?? before)?.[property] === key
      return [200, all.flatMap((exchange) => describeChangesIn(exchange, isOfRecord)).reverse()]
    },
    removeRecord: async (request) => {
      await useRecord(request, (collection, { values }) => {
        const { key, scope } = collection.context
        collection.remove(values[key] as never, scope && withinOf(values, scope))
      })
      return [204]
    },
  }
}

type Change = NonNullable<Exchange['changes']>[number]

/** @param isOfRecord also by its key, as a world that was reset has other records in the same positions */
function describeChangesIn(
  { id: exchange, at, operation, request: { method, path }, changes = [] }: Exchange,
  isOfRecord: (change: Change) => boolean,
): object[] {
  return changes.filter(isOfRecord).map(({ before, after }) => ({
    ...{ exchange, at: new Date(at).toISOString(), method, path },
    ...(operation !== undefined && { operation }),
    ...(before && { before }),
    ...(after && { after }),
  }))
}

/** A page of the records that the query selects, as they are at a time in milliseconds since 1970. */
function listRecords(model: CollectionModel, collection: StoredCollection, request: ValidRequest, now: number): object {
  const { limit = 100, offset = 0, text, where = [], sort } = request.query as Listing
  const tests = [...(text === undefined ? [] : [searchFor(text)]), ...where.map(hasValue)]
  const entries = [...collection.entries(filtersOf(collection, request))]
  const present = model.progress
    ? entries.map(([id, each]) => [id, atTime(model, each, now)] as (typeof entries)[number])
    : entries
  const all = present.filter(([, record]) => !isRemoved(record) && tests.every((test) => test(record.values)))
  if (sort !== undefined) all.sort(byProperty(sort))
  const page = all.slice(offset, offset + limit)
  return { total: all.length, records: page.map(([id, { values }]) => ({ id, values })) }
}

/** The values in a body. Also accepts the form of an answer: `{"id": 6, "values": {...}}`. */
function sentValues({ operations, shapes }: Contract, { body }: ValidRequest, collection: string): Values {
  const { id: _, values, ...others } = body.value as Values
  const own = operations.flatMap(({ effect }) =>
    'shape' in effect && effect.collection === collection ? (shapes[effect.shape]?.properties ?? []) : [],
  )
  const isShown = own.length > 0 && !own.some(([name]) => name === 'values') && Object.keys(others).length === 0
  return isShown && isObject(values) ? values : (body.value as Values)
}

/** @throws InvalidRecord for violations of its schema */
function check(contract: Contract, { query }: ValidRequest, collection: string, values: Values): void {
  if (Object.hasOwn(values, removedMark))
    throw new SandboxError('INVALID_RECORD', `${removedMark} is a name that no record may have`)
  refuse(query['validate'] === false ? [] : violationsOfRecord(contract, collection, values))
}

function missingOwners(
  contract: Contract,
  { context }: StoredCollection,
  model: CollectionModel,
  values: Values,
  world: StoredWorld,
  server: string | undefined,
): Violation[] {
  const violations = (context.scope ?? []).flatMap(({ property, isOpen }): Violation[] => {
    if (isOpen || ownValue(values, property) !== undefined) return []
    const message = `${property} is required: it is the key of the record to which this one belongs`
    return [{ in: 'body', at: property, rule: 'required', message }]
  })
  const missing = violations.length === 0 ? missingOwner(contract, model, values, world, server) : undefined
  for (const [own, other] of missing?.values ?? []) {
    const message = `${own} must be the ${other} of a record in ${missing?.collection} (got ${quote(values[own])})`
    violations.push({ in: 'body', at: own, rule: 'owner', message })
  }
  return violations
}

/** @throws InvalidRecord if there are violations */
function refuse(violations: readonly Violation[]): void {
  if (violations.length === 0) return
  const problem = violations.map(({ message }) => message).join('; ')
  throw new InvalidRecord(`${problem}; validate=false accepts it`, violations)
}

/** Whether a value contains a text at any depth. Names of properties do not count. */
function searchFor(text: string): (value: unknown) => boolean {
  const wanted = text.toLowerCase()
  return function has(value): boolean {
    if (typeof value === 'object' && value !== null) return Object.values(value).some(has)
    return String(value).toLowerCase().includes(wanted)
  }
}

interface Listing {
  limit?: number
  offset?: number
  text?: string
  where?: string[]
  sort?: string
}

/** @param test `property=value`. A list has the value if one of its items has it */
function hasValue(test: string): (values: Values) => boolean {
  const [property = '', ...rest] = test.split('=')
  const wanted = rest.join('=')
  return (values) => [ownValue(values, property)].flat().some((each) => toText(each) === wanted)
}

/** @param sort a property, after a minus sign for the greatest first. Records without it come last */
function byProperty(sort: string): (one: [number, StoredRecord], other: [number, StoredRecord]) => number {
  const isDown = sort.startsWith('-')
  const property = isDown ? sort.slice(1) : sort
  return ([, one], [, other]) => {
    const [first, second] = [ownValue(one.values, property), ownValue(other.values, property)]
    if (first == null || second == null) return Number(first == null) - Number(second == null)
    const isNumber = [first, second].every((each) => typeof each === 'number' || typeof each === 'bigint')
    const order = isNumber
      ? first < second
        ? -1
        : Number(first > second)
      : toText(first).localeCompare(toText(second), 'en', { numeric: true })
    return isDown ? -order : order
  }
}

function filtersOf(collection: StoredCollection, { query }: ValidRequest): Filter[] {
  const { key: property, scope = [] } = collection.context
  const { key: keys, parent = [] } = query as { key?: string[]; parent?: string[] }
  const byKey = keys === undefined ? [] : [{ property, values: keys.map((each) => collection.toKey(each)) }]
  // Keys may contain commas.
  const parents = parent.length === scope.length ? parent : parent.flatMap((each) => each.split(','))
  const byParent = parents.map((text, index) => ({ property: scope[index]?.property ?? '', values: keysLike(text) }))
  return [...byKey, ...byParent]
}
