/** What exchanges show of records: what new ones have, what operations set, and which values are unique. */
import { groupBy } from '../json/group-by.js'
import { toJsonPointer } from '../json/json-pointer.js'
import { isFree, isTime } from './compare-answers.js'
import type { Learned, Observed, Values } from './observed.js'
import { manyTimes } from './propose-answers.js'
import { recordIn, type ShownRecord } from './shown-records.js'

const nothing = '$none'

/** What new records have that no request gave. */
export function* proposeFirst(
  shown: readonly ShownRecord[],
  isKey: (record: string, name: string) => boolean,
): Generator<Learned> {
  for (const [collection, records] of groupBy(shown, (each) => each.collection)) {
    const names = new Set(records.flatMap(({ real, own = {} }) => [...Object.keys(real), ...Object.keys(own)]))
    for (const name of names) {
      if (isKey(collection, name)) continue
      const unsent = records.filter(({ sent, own }) => own && !sent.has(name))
      const says = firstOf(unsent, name)
      if (says === undefined || !unsent.some((each) => isOther(each, name))) continue
      yield { collection, member: 'first', about: name, says, seen: numbersOf(unsent) }
      if (says !== nothing) yield* leaveOut(unsent, name)
    }
  }
}

/** What goes with a value of new records: operations that do not show it. */
function* leaveOut(records: readonly ShownRecord[], name: string): Generator<Learned> {
  const shownOnce = records.filter(({ exchange: { operation } }) => operation.effect.kind !== 'list')
  for (const [operation, own] of groupBy(shownOnce, ({ exchange }) => exchange.operation.id)) {
    const about = toJsonPointer([...(own[0]?.at ?? []), name])
    if (own.every(({ real }) => !(name in real)))
      yield { operation, member: 'answer', about, says: nothing, seen: numbersOf(own) }
  }
}

/** Undefined if the records do not agree. */
function firstOf(records: readonly ShownRecord[], name: string): unknown {
  if (records.every(({ real }) => !(name in real))) return nothing
  const fresh = records.filter(({ isNew, real }) => isNew && name in real)
  const given = fresh.flatMap(({ exchange, real }) =>
    exchange.operation.effect.kind === 'create' ? [sourcesOf(exchange, real[name])] : [],
  )
  const [source] = (given[0] ?? []).filter((each) => given.every((all) => all.includes(each)))
  const values = new Set(fresh.map(({ real }) => JSON.stringify(real[name])))
  // A value that is always the same may be one by chance.
  if (source !== undefined && (values.size > 1 || source.startsWith('$request.path'))) return source
  return constantOf(fresh, name)
}

/** Where a request has a value. */
function sourcesOf({ request }: Observed, value: unknown): string[] {
  const isSame = ([, each]: [string, unknown]) => typeof value !== 'object' && String(each) === String(value)
  const body = Object(request.body) as Values
  return [
    ...Object.entries(request.path)
      .filter(isSame)
      .map(([name]) => `$request.path.${name}`),
    ...Object.entries(body)
      .filter(isSame)
      .map(([name]) => `$request.body#${toJsonPointer([name])}`),
    ...Object.entries(request.query)
      .filter(isSame)
      .map(([name]) => `$request.query.${name}`),
  ]
}

/** The value that all have. One with keys or random texts only if several records have it. `$now` for times. */
function constantOf(records: readonly ShownRecord[], name: string): unknown {
  const values = records.map(({ real }) => real[name])
  const [first, ...others] = values
  if (first === undefined) return undefined
  if (values.every((each) => isTime(name, each))) return '$now'
  const text = JSON.stringify(first)
  const isChance = () => isFree(name, first) && new Set(records.map(({ key }) => key)).size < manyTimes
  if (isTime(name, first) || text.includes('"$') || isChance()) return undefined
  return others.every((each) => JSON.stringify(each) === text) ? first : undefined
}

function isOther({ real, own }: ShownRecord, name: string): boolean {
  return JSON.stringify(real[name]) !== JSON.stringify(own?.[name])
}

function numbersOf(records: readonly ShownRecord[]): number[] {
  return [...new Set(records.map(({ exchange }) => exchange.number))]
}

/** What operations set in a record besides what their requests give. */
export function* proposeChanges(shown: readonly ShownRecord[]): Generator<Learned> {
  const changed = shown.filter(({ exchange: { operation, own } }) => {
    const { kind } = operation.effect
    return (kind === 'action' || kind === 'update' || kind === 'replace') && own.status < 300
  })
  for (const [operation, records] of groupBy(changed, ({ exchange }) => exchange.operation.id)) {
    const names = new Set(records.flatMap(({ real }) => Object.keys(real)))
    for (const name of names) {
      const unsent = records.filter(({ exchange, real }) => {
        const given = recordIn(exchange.operation, exchange.request.body) ?? {}
        return name in real && !(name in given)
      })
      const isSet = unsent.some(
        ({ before = {}, real }) =>
          Object.keys(before).length > 0 && JSON.stringify(before[name]) !== JSON.stringify(real[name]),
      )
      if (!isSet || !unsent.some((each) => isOther(each, name))) continue
      const says = constantOf(unsent, name)
      if (says !== undefined) yield { operation, member: 'changes', about: name, says, seen: numbersOf(unsent) }
    }
  }
}

/** Collections with records of a record that the service did not remove. @param pathsBelow the paths of those that name its collection */
export function* proposeBlocked(
  all: readonly Observed[],
  pathsBelow: (collection: string) => readonly string[],
): Generator<Learned> {
  const refused = all.filter(
    ({ operation: { effect }, real, own }) => effect.kind === 'remove' && real.status >= 400 && own.status < 300,
  )
  const made = new Set(
    all.flatMap(({ operation: { effect, path }, real }) => (effect.kind === 'create' && real.status < 300 ? path : [])),
  )
  for (const [operation, group] of groupBy(refused, ({ operation: { id } }) => id)) {
    const { effect } = group[0]?.operation ?? {}
    const seen = group.map(({ number }) => number)
    const paths = effect && 'collection' in effect ? pathsBelow(effect.collection ?? '') : []
    for (const about of paths.filter((path) => made.has(path)))
      yield { operation, member: 'blockedBy', about, says: true, seen }
  }
}

/** Values that a creation was refused for, as another record has them. */
export function* proposeUnique(all: readonly Observed[]): Generator<Learned> {
  const creations = all.filter(({ operation: { effect } }) => effect.kind === 'create')
  for (const [collection, own] of groupBy(creations, ({ operation: { effect } }) =>
    'collection' in effect ? (effect.collection ?? '') : '',
  )) {
    const taken: Values[] = []
    const seen = new Map<string, number[]>()
    const allowed = new Set<string>()
    for (const { number, operation, request, real, own: answered } of own) {
      const given = recordIn(operation, request.body) ?? {}
      const same = Object.keys(given).filter(
        (name) => isScalar(given[name]) && taken.some((each) => each[name] === given[name]),
      )
      if (real.status < 300) {
        taken.push(given)
        for (const name of same) allowed.add(name)
      } else if (answered.status < 300) for (const name of same) seen.set(name, [...(seen.get(name) ?? []), number])
    }
    const [best] = [...seen]
      .filter(([name]) => !allowed.has(name))
      .toSorted(([, one], [, other]) => other.length - one.length)
    if (best) yield { collection, member: 'unique', about: best[0], says: true, seen: best[1] }
  }
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number'
}
