/** Reads what must be true at the end, and checks that the document has what it names. */
import type { CollectionModel, Operation, RequestContract } from '../../contract/contract.js'
import { SandboxError } from '../../contract/sandbox-error.js'
import { suggestion } from '../../contract/suggest-closest.js'
import { quote } from '../../contract/violations.js'
import { fromJsonPointer } from '../../json/json-pointer.js'
import { getOrInsert, isObject, ownValue } from '../../json/own-value.js'

/** What must be true at the end: `petstore-sandbox/expect.schema.json` describes it. */
export interface EndState {
  /** The key of the world. @default the first valid key */
  world?: string
  /** Records by the path or the name of their collection. @default {} */
  records?: Readonly<Record<string, readonly ExpectedRecords[]>>
  /** How often operations are called, by `METHOD /path` or id. @default {} */
  calls?: Readonly<Record<string, ExpectedCalls>>
  /** Whether every other record is as before. @default true */
  unchanged?: boolean
  /** Collections, by path or name, in which any record may change. @default [] */
  allow?: readonly string[]
}

/** Records of a collection, by the values of properties or JSON Pointers. */
export interface ExpectedRecords {
  /** Which records are meant. Numbers and texts that are written alike are the same. @default all */
  where?: Values
  /** What each of them has. Null is also a property that is absent. @default {} */
  has?: Values
  /** How many there are. @default at least 1 */
  count?: number
  /** Whether there is none. @default false */
  absent?: boolean
}

/** How many requests an operation gets, whatever their answer. */
export interface ExpectedCalls {
  /** @default 0 */
  min?: number
  /** @default any number */
  max?: number
  /** Counts only requests with this status, or with one of a class such as `2XX`. @default all */
  status?: string | number
}

type Values = Readonly<Record<string, unknown>>

export interface ReadRecords extends ExpectedRecords {
  /** As it was given. */
  named: string
  model: CollectionModel
  properties: ReadonlyMap<string, readonly string[]>
}

interface ReadCalls extends ExpectedCalls {
  named: string
  operation: Operation
}

/** An expectation that fits the document. */
export interface ReadEndState {
  world: string | undefined
  records: readonly ReadRecords[]
  calls: readonly ReadCalls[]
  unchanged: boolean
  /** Names of collections. */
  allow: ReadonlySet<string>
}

/** How messages quote members of the expectation, for each what it must be. */
const kinds = {
  text: ['a text', (value: unknown) => typeof value === 'string'],
  boolean: ['true or false', (value: unknown) => typeof value === 'boolean'],
  count: ['a whole number, 0 or more', (value: unknown) => Number.isInteger(value) && Number(value) >= 0],
  object: ['an object', isObject],
  list: ['a list', Array.isArray],
  status: [
    'a status such as 201, or a class such as "2XX"',
    (value: unknown) => /^[1-5](\d\d|XX)$/i.test(String(value)),
  ],
} as const

type Kinds = Readonly<Record<string, keyof typeof kinds>>
const ofEndState: Kinds = {
  $schema: 'text',
  world: 'text',
  records: 'object',
  calls: 'object',
  unchanged: 'boolean',
  allow: 'list',
}
const ofRecords: Kinds = { where: 'object', has: 'object', count: 'count', absent: 'boolean' }
const ofCalls: Kinds = { min: 'count', max: 'count', status: 'status' }

/**
 * Reads an expectation.
 * @throws SandboxError `INVALID_OPTION` for another form, and for a collection, property or operation that the document does not
 * have, with the closest one
 */
export function readEndState(given: unknown, contract: RequestContract): ReadEndState {
  const { world, records = {}, calls = {}, unchanged = true, allow = [] } = check<EndState>(given, ofEndState, '')
  const findCollection = createFindCollection(contract)
  return {
    ...{ world, unchanged },
    records: Object.entries(records).flatMap(([named, all]) => {
      const model = findCollection(named)
      const properties = new Map<string, readonly string[]>()
      checkOne(all, 'list', `records ${quote(named)}`)
      return all.map((each, index): ReadRecords => {
        const at = `records ${quote(named)} ${index}`
        const read = check<ExpectedRecords>(each, ofRecords, at)
        if (read.absent && (read.has ?? read.count) !== undefined)
          throw wrong(at, 'must have no "has" and no "count" beside "absent"')
        for (const name of Object.keys({ ...read.where, ...read.has }))
          properties.set(name, findProperty(contract, model, name, named))
        return { ...read, named, model, properties }
      })
    }),
    calls: Object.entries(calls).map(([named, each]) => {
      const operation = contract.operations.find(({ id, method, path }) => [id, `${method} ${path}`].includes(named))
      if (!operation)
        throw unknown(
          'operation',
          named,
          contract.operations.flatMap(({ id, method, path }) => [`${method} ${path}`, id]),
        )
      const at = `calls ${quote(named)}`
      const read = check<ExpectedCalls>(each, ofCalls, at)
      if (Number(read.min) > Number(read.max)) throw wrong(at, 'must not have a "min" above its "max"')
      return { ...read, named: `${operation.method} ${operation.path}`, operation }
    }),
    allow: new Set(allow.map((named) => findCollection(String(named)).name)),
  }
}

function check<Read>(given: unknown, members: Kinds, at: string): Read {
  if (!isObject(given)) throw wrong(at, `must be an object (got ${quote(given)})`)
  for (const [name, value] of Object.entries(given)) {
    const kind = ownValue(members, name)
    const place = `${at} ${quote(name)}`.trim()
    if (!kind) throw wrong(place, `is unknown${suggestion(name, Object.keys(members))}`)
    checkOne(value, kind, place)
  }
  return given as Read
}

function checkOne(value: unknown, kind: keyof typeof kinds, at: string): void {
  const [what, isRight] = kinds[kind]
  if (!isRight(value)) throw wrong(at, `must be ${what} (got ${quote(value)})`)
}

function wrong(at: string, why: string): SandboxError {
  return new SandboxError('INVALID_OPTION', `The expectation is wrong: ${at === '' ? 'it' : at} ${why}`)
}

function unknown(what: string, name: string, known: readonly string[]): SandboxError {
  return new SandboxError('INVALID_OPTION', `The document has no ${what} ${quote(name)}${suggestion(name, known)}`)
}

/** Finds collections by their names, and by the paths of operations that list or create their records. */
function createFindCollection({ collections, operations }: RequestContract): (named: string) => CollectionModel {
  const named = new Map<string, CollectionModel>()
  for (const { path, effect } of operations) {
    // What exists once is read at the path of its collection.
    const isWhole =
      effect.kind === 'list' || effect.kind === 'create' || ('parameter' in effect && effect.parameter === '')
    const model = isWhole && collections.find(({ name }) => name === effect.collection)
    if (model) getOrInsert(named, path, () => model)
  }
  for (const model of collections) getOrInsert(named, model.name, () => model)
  return (name) => {
    const found = named.get(name)
    if (found) return found
    throw unknown('collection', name, [...named.keys()])
  }
}

/** The names that lead to a property. A key that only paths have is written without its braces. */
function findProperty(
  { shapes, operations }: RequestContract,
  model: CollectionModel,
  name: string,
  named: string,
): string[] {
  const hidden = model.hidden ?? []
  const ofPath = hidden.find((each) => each === name || each === `{${name}}`)
  if (ofPath !== undefined) return [ofPath]
  const path = name.startsWith('/') ? fromJsonPointer(name) : [name]
  const [first = ''] = path
  const known = operations.flatMap(({ effect }) => {
    const isOfRecords = 'collection' in effect && effect.collection === model.name && 'shape' in effect
    return isOfRecords ? (shapes[effect.shape as number]?.properties ?? []).map(([each]) => each) : []
  })
  if (known.length === 0 || known.includes(first)) return path
  throw unknown(`property of ${named}`, first, [...known, ...hidden.map((each) => each.replace(/^\{(.+)\}$/, '$1'))])
}
