/** Judges what must be true at the end: which records there are, which have changed, and how often operations were called. */
import type { CollectionModel, RequestContract } from '../../contract/contract.js'
import { findSecretNames } from '../../contract/hiding/find-credentials.js'
import { andMore, maxListed, quote } from '../../contract/violations.js'
import { toJson } from '../../json/exact-json.js'
import type { ExactValue } from '../../json/exact-value.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { isSameJson } from '../../json/same-json.js'
import type { Exchange } from '../../state/journal.js'
import { type Finding, hiddenKey, toFinding } from '../finding.js'
import type { ConsumerRule } from './consumer-rule.js'
import type { ExpectedCalls, ReadEndState, ReadRecords } from './read-end-state.js'
import type { ShownExchange } from './show-exchange.js'
import { addSource, readSource } from './sources.js'

type Values = Readonly<Record<string, unknown>>

/** A record that differs from before. */
export interface ChangedRecord {
  kind: 'added' | 'changed' | 'removed'
  collection: string
  environment: string
  before?: Values
  after?: Values
}

const rule = (id: string, looksAt: string, help: string): ConsumerRule => ({
  ...{ id, looksAt, help },
  severity: 'error',
  restsOn: 'the document: the collections and operations that the expectation names',
  isExpectable: false,
  find: () => [],
})

/** About the end of a run: they find nothing in a call. */
export const endStateRules: Record<'endState' | 'collateralChange' | 'callCount', ConsumerRule> = {
  endState: rule(
    'end-state',
    'a record that must be found at the end and is not, or the reverse (with --expect)',
    'Change the code that should have made it so, or what is expected',
  ),
  collateralChange: rule(
    'collateral-change',
    'a record that is another at the end, and is not expected to be (with --expect)',
    'Leave the record as it is, expect it in "records", or list its collection in "allow"',
  ),
  callCount: rule(
    'call-count',
    'an operation that is called more or less often than expected (with --expect)',
    'Change the code that calls it, or what is expected',
  ),
}

/** What a world has at its end. */
export interface JudgedWorld {
  /** The records that differ from before. */
  changes: readonly ChangedRecord[]
  /** The records of a collection whose property has one of the values. @param property @default all records */
  list(collection: string, property?: string, values?: readonly unknown[]): Promise<readonly Values[]>
}

export interface EndStateObserver {
  /** Adds an exchange of the world. */
  add(exchange: Exchange): void
  /** Whether no exchange was added. */
  isIdle(): boolean
  judge(world: JudgedWorld): Promise<Finding[]>
}

/** Characters of a message. */
const maxMessage = 400

/** @param show hides credentials */
export function observeEndState(
  expected: ReadEndState,
  contract: RequestContract,
  show: (exchange: Exchange) => ShownExchange,
): EndStateObserver {
  const { records, calls, unchanged, allow } = expected
  const operations = new Map(contract.operations.map((each) => [each.id, each]))
  const secrets = findSecretNames(contract)
  /** The last exchange that changed a record. */
  const changers = new Map<string, Exchange>()
  /** The last one that removed a record which is expected: what the run added is in no change. */
  const removers = new Map<ReadRecords, Exchange>()
  const counts = calls.map(() => ({ count: 0, last: undefined as Exchange | undefined }))

  const keyIn = ({ key }: CollectionModel, values: Values | undefined) => String(ownValue(values ?? {}, key))
  const idOf = (model: CollectionModel, environment: string, values: Values | undefined) => {
    const owners = (model.scope ?? []).map(({ property }) => String(values?.[property]))
    return toJson([model.name, environment, keyIn(model, values), ...owners])
  }
  const model = (name: string) => contract.collections.find((each) => each.name === name) as CollectionModel
  // Expected records are those of the first server that has the collection.
  const isOneOf = (
    { model: { name, servers }, where = {}, properties }: ReadRecords,
    { collection, environment = servers[0] }: { collection: string; environment?: string | undefined },
    values: Values | undefined,
  ) =>
    name === collection &&
    environment === servers[0] &&
    values !== undefined &&
    Object.entries(where).every(([each, value]) => isAlike(value, valueAt(values, properties.get(each))))

  function toProblem(at: string, message: string, named: string, exchange: Exchange | undefined, kind?: string) {
    const operation = operations.get(exchange?.operation ?? '')
    const [, method = '', path = named] = /^([A-Z]+) (\/.*)$/.exec(named) ?? []
    return {
      ...(operation && { operation: operation.id }),
      method: operation?.method ?? method,
      path: operation?.path ?? path,
      ...{ at, message: message.length > maxMessage ? `${message.slice(0, maxMessage)}…` : message },
      ...(kind !== undefined && { kind }),
    }
  }

  function find(which: ConsumerRule, problem: ReturnType<typeof toProblem>, exchange: Exchange | undefined): Finding {
    const shown = exchange && show(exchange)
    const { requests = [], response } = shown?.reproduce() ?? {}
    const hide = shown?.hide ?? ((text: string) => text)
    const finding = toFinding(
      { rule: which, ...problem, at: hide(problem.at), message: hide(problem.message) },
      requests,
      response,
    )
    addSource(finding, readSource(exchange?.source ?? '') ?? [], undefined)
    return finding
  }

  /** Values as messages show them. */
  function write(values: Values | undefined): string {
    const shown = Object.entries(values ?? {}).filter(([name]) => !name.startsWith('{'))
    return toJson(withoutSecrets(Object.fromEntries(shown)) as ExactValue)
  }

  function withoutSecrets(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(withoutSecrets)
    const parts = Object.entries(value).map(([name, each]) => {
      const isSecret = name.split('/').some((part) => secrets.isSecret(part))
      return [name, isSecret ? hiddenKey : withoutSecrets(each)]
    })
    return Object.fromEntries(parts)
  }

  async function* judgeRecords(each: ReadRecords, { changes, list }: JudgedWorld): AsyncGenerator<Finding> {
    const { where = {}, has = {}, count, absent = false, named, model: own, properties } = each
    // With a value that has an index, the time does not depend on the other records.
    const indexed = Object.entries(where).find(([name, value]) => !name.startsWith('/') && typeof value !== 'object')
    const [property] = properties.get(indexed?.[0] ?? '') ?? []
    const found = (await list(own.name, property, indexed && spellings(indexed[1]))).filter((values) =>
      isOneOf(each, { collection: own.name }, values),
    )
    const which = `${named}${Object.keys(where).length === 0 ? '' : ` with ${write(where)}`}`
    const at = `${named} ${write(where)}`
    const wanted = absent ? 0 : count
    if (wanted === undefined ? found.length === 0 : found.length !== wanted) {
      const ofThese = changes.filter((change) =>
        [change.before, change.after].some((values) => isOneOf(each, change, values)),
      )
      const isTooMany = found.length > (wanted ?? 0)
      const culprit =
        ofThese.findLast(({ after, kind }) => (isTooMany ? after && kind === 'added' : !after)) ?? ofThese.at(-1)
      const exchange = culprit
        ? changers.get(idOf(own, culprit.environment, culprit.after ?? culprit.before))
        : removers.get(each)
      const message = `${found.length === 0 ? 'no' : found.length} record${found.length === 1 ? '' : 's'} of ${which}, expected ${wanted === 0 ? 'none' : (wanted ?? 'at least 1')}`
      yield find(endStateRules.endState, toProblem(at, message, named, exchange, 'count'), exchange)
      return
    }
    for (const values of found)
      for (const [name, value] of Object.entries(has)) {
        const actual = valueAt(values, properties.get(name))
        if (isSame(value, actual)) continue
        const exchange = changers.get(idOf(own, own.servers[0] ?? '', values))
        const isSecret = (properties.get(name) ?? [name]).some((part) => secrets.isSecret(part))
        const is = (one: unknown) => (isSecret ? hiddenKey : toJson(withoutSecrets(one ?? null) as ExactValue))
        const key = keyIn(own, values)
        const message = `${named} ${quote(key)}: ${name} is ${is(actual)}, expected ${is(value)}`
        yield find(endStateRules.endState, toProblem(`${at} ${name}`, message, named, exchange), exchange)
      }
  }

  function isUnexpected(change: ChangedRecord): boolean {
    const { kind, collection, before, after } = change
    if (allow.has(collection)) return false
    if (records.some((each) => [before, after].some((values) => isOneOf(each, change, values)))) return false
    return kind !== 'changed' || differences(before, after).some((name) => !isRewritten(contract, collection, name))
  }

  function toCollateral({ kind, collection, environment, before, after }: ChangedRecord): Finding {
    const own = model(collection)
    const one = (name: string, of: Values = {}) => write({ [name]: of[name] ?? null })
    const toText = (name: string) => `${one(name, before)} became ${one(name, after)}`
    const what = kind === 'changed' ? differences(before, after).map(toText).join(', ') : write(after ?? before)
    const exchange = changers.get(idOf(own, environment, after ?? before))
    const key = keyIn(own, after ?? before)
    const message = `${collection} ${quote(key)} was ${kind}: ${what}`
    return find(
      endStateRules.collateralChange,
      toProblem(`${collection} ${key}`, message, collection, exchange, kind),
      exchange,
    )
  }

  function countOthers(count: number): Finding {
    const message = `${andMore(count).replace(/^and /, '')} records have changed`
    return find(endStateRules.collateralChange, toProblem('', message, '', undefined, 'unlisted'), undefined)
  }

  function* judgeCalls(): Generator<Finding> {
    for (const [index, { named, min = 0, max = Number.POSITIVE_INFINITY, status }] of calls.entries()) {
      const { count, last } = counts[index] ?? { count: 0, last: undefined }
      if (count >= min && count <= max) continue
      const times = `${count === 1 ? 'once' : `${count} times`}${status === undefined ? '' : ` with ${status}`}`
      const message = `${named} was called ${times}, expected ${count < min ? `at least ${min}` : `at most ${max}`}`
      yield find(endStateRules.callCount, toProblem('', message, named, last, count < min ? 'min' : 'max'), last)
    }
  }

  let isIdle = true
  return {
    isIdle: () => isIdle,
    add(exchange) {
      isIdle = false
      for (const { collection, server: environment, before, after } of exchange.changes ?? []) {
        changers.set(idOf(model(collection), environment, after ?? before), exchange)
        if (!after)
          for (const each of records)
            if (isOneOf(each, { collection, environment }, before)) removers.set(each, exchange)
      }
      for (const [index, { operation, status, max = Number.POSITIVE_INFINITY }] of calls.entries()) {
        const counted = counts[index]
        if (!counted || exchange.operation !== operation.id || !hasStatus(exchange, status)) continue
        // The first one too many is shown.
        if (counted.count++ <= max) counted.last = exchange
      }
    },
    async judge(world) {
      const findings: Finding[] = []
      for (const each of records) for await (const finding of judgeRecords(each, world)) findings.push(finding)
      const others = unchanged ? world.changes.filter(isUnexpected) : []
      findings.push(...others.slice(0, maxListed).map(toCollateral))
      if (others.length > maxListed) findings.push(countOthers(others.length - maxListed))
      return [...findings, ...judgeCalls()]
    },
  }
}

function hasStatus({ response }: Exchange, status: ExpectedCalls['status']): boolean {
  const [first = '', ...rest] = String(status ?? 'XXX').toUpperCase()
  const own = String(response.status)
  return (first === 'X' || own[0] === first) && rest.every((digit, index) => digit === 'X' || digit === own[index + 1])
}

function valueAt(values: Values, path: readonly string[] = []): unknown {
  return path.reduce<unknown>((value, name) => {
    if (Array.isArray(value)) return value[Number(name)]
    return isObject(value) ? ownValue(value, name) : undefined
  }, values)
}

function isSame(expected: unknown, actual: unknown): boolean {
  return isSameJson((expected ?? null) as ExactValue, (actual ?? null) as ExactValue)
}

/** Keys are numbers in one place and texts in another. */
function isAlike(expected: unknown, actual: unknown): boolean {
  const areScalars = [expected, actual].every((each) => typeof each !== 'object' && each !== undefined)
  return isSame(expected, actual) || (areScalars && String(expected) === String(actual))
}

/** The values that are written alike. */
function spellings(value: unknown): unknown[] {
  const text = String(value)
  const number = Number(text)
  const isNumber = text === String(number)
  if (text === 'true' || text === 'false') return [text === 'true', text]
  return [...new Set([value, text, ...(isNumber ? [number] : /^-?\d{16,}$/.test(text) ? [BigInt(text)] : [])])]
}

/** The properties with other values. */
function differences(before: Values = {}, after: Values = {}): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.filter((name) => !isSame(before[name], after[name]))
}

/** Whether the service writes a property again with each change, such as the time of it: a record that is changed back has another. */
function isRewritten({ operations, collections }: RequestContract, collection: string, name: string): boolean {
  const { made = [] } = collections.find((each) => each.name === collection) ?? {}
  const isVersion = made.some(({ pointer, isVersion }) => isVersion && pointer.length === 1 && pointer[0] === name)
  return (
    isVersion ||
    operations.some(
      ({ effect }) =>
        'serviceWritten' in effect &&
        effect.collection === collection &&
        effect.serviceWritten?.some((each) => each.property === name && each.again && each.with === 'now'),
    )
  )
}
