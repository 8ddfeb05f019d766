import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseExactJson } from '../../src/json/exact-json.js'
import { writeByShape } from '../../src/json/write-by-shape.js'
import { createBase } from '../../src/state/base-records.js'
import type { Change, NextKeyChange, RecordChange } from '../../src/state/change.js'
import { restoreCollection, snapshotCollection } from '../../src/state/snapshots/snapshot-world.js'
import { type CollectionContext, makeKey, StoredCollection, toKey } from '../../src/state/stored-collection.js'
import type { Filter, Key, Values } from '../../src/state/stored-record.js'
import { check } from './support/check.js'

type Kind = 'integer' | 'string' | 'uuid'

/** A collection as a list of records, oldest first. */
interface Model {
  records: readonly Values[]
  nextKey: number
}

interface Step {
  act: 'add' | 'replace' | 'remove' | 'clear' | 'skipKey' | 'look'
  /** Which of the keys. */
  key: number
  values: Values
}

const keysOf: Record<Kind, readonly Key[]> = {
  integer: [1, 2, 3, 4, 5, 9, -3, 0, 100, 2 ** 53 - 1, 2n ** 53n, 2n ** 63n - 1n],
  string: ['1', '2', '3', '01', 'a', '__proto__', 'constructor', '', '\ud800', 'true', '1e3', '12'],
  uuid: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((number) => toKey(number, 'uuid')),
}

const tag = fc.constantFrom<unknown>('x', 'y', 1, '1', true, null, 2n ** 60n)
const values: fc.Arbitrary<Values> = fc.record(
  { tag: fc.oneof(tag, fc.uniqueArray(tag, { maxLength: 3 })), constructor: tag, other: fc.nat({ max: 3 }) },
  { requiredKeys: ['other'] },
)
const step: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom(
    'add',
    'add',
    'add',
    'replace',
    'replace',
    'remove',
    'remove',
    'clear',
    'skipKey',
    'look',
    'look',
  ),
  key: fc.nat({ max: 11 }),
  values,
})
const filter: fc.Arbitrary<Filter> = fc.record({
  property: fc.constantFrom('tag', 'constructor', 'other', 'missing'),
  values: fc.array(fc.oneof(tag, fc.constantFrom(0, 1, 2, undefined)), { minLength: 1, maxLength: 2 }),
})
const cases = fc.record({
  kind: fc.constantFrom<Kind>('integer', 'string', 'uuid'),
  /** A run of keys that count up needs no table: it is a path of its own in the base. */
  base: fc.oneof(
    fc.uniqueArray(fc.nat({ max: 11 }), { maxLength: 5 }),
    fc.constantFrom<number[]>([0, 1, 2], [2, 1, 0, 3, 4], []),
  ),
  steps: fc.array(step, { maxLength: 25 }),
  filters: fc.array(filter, { maxLength: 2 }),
  limit: fc.option(fc.nat({ max: 4 }), { nil: undefined }),
})
type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never

function undoTo(collection: StoredCollection, log: Change[], length: number): void {
  for (const change of log.splice(length).reverse()) collection.undo(change as RecordChange | NextKeyChange)
}

function create({ kind, base }: Pick<Case, 'kind' | 'base'>, log: Change[] = []) {
  const keys = keysOf[kind]
  const scenario = base.map((number) => ({
    id: keys[number],
    tag: number % 2 === 0 ? 'x' : ['y', 1],
    other: number % 4,
  }))
  let lastStateId = 0
  const newStateId = () => ++lastStateId
  const context: CollectionContext = {
    name: 'records',
    server: 'production',
    base: createBase(scenario, 'id', newStateId()),
    key: 'id',
    keyTypes: kind === 'integer' ? ['integer'] : ['string'],
    newStateId,
  }
  const isNumeric = kind === 'integer'
  const records = isNumeric
    ? scenario.toSorted((a, b) => (BigInt(a.id as number) < BigInt(b.id as number) ? -1 : 1))
    : scenario
  return {
    context,
    collection: new StoredCollection(context, log),
    model: { records, nextKey: nextAfter(scenario, 1) },
  }
}

function nextAfter(records: readonly Values[], nextKey: number): number {
  const keys = records.map(({ id }) => id).filter((id) => typeof id === 'number')
  return Math.max(nextKey, ...keys.map((key) => key + 1))
}

function keyOf({ key }: Step, kind: Kind): Key {
  return keysOf[kind][key] ?? ''
}

/** Does one step to the collection. @returns what the model is after it */
function apply(collection: StoredCollection, model: Model, step: Step, kind: Kind): Model {
  const key = keyOf(step, kind)
  const { records, nextKey } = model
  const known = records.find(({ id }) => id === key)
  const record: Values = { ...step.values, id: key }
  switch (step.act) {
    case 'add':
      if (known) return model
      expect(collection.add(record).values).toBe(record)
      return { records: [...records, record], nextKey: nextAfter([record], nextKey) }
    case 'replace': {
      const replaced = collection.replace(key, { ...step.values, id: 'another' })
      expect(replaced?.values).toStrictEqual(known && record)
      return { records: records.map((each) => (each === known ? record : each)), nextKey }
    }
    case 'remove':
      expect(collection.remove(key)?.values).toStrictEqual(known)
      return { records: records.filter((each) => each !== known), nextKey }
    case 'clear':
      collection.clear()
      return { records: [], nextKey }
    case 'skipKey':
      collection.skipKey()
      return { records, nextKey: nextKey + 1 }
    case 'look':
      // Makes an index, which later changes have to keep right.
      collection.select([{ property: 'tag', values: ['x'] }])
      collection.select([{ property: 'other', values: [1] }])
      return model
  }
}

function passes(record: Values, { property, values }: Filter): boolean {
  const value = Object.hasOwn(record, property) ? record[property] : undefined
  return (Array.isArray(value) ? value : [value]).some((item) => values.includes(item))
}

function expectSame(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toStrictEqual(expected)
}

/** Compares everything that can be asked. */
function expectModel(collection: StoredCollection, { records, nextKey }: Model, { kind, filters, limit }: Case): void {
  const newestFirst = records.toReversed()
  const found = newestFirst.filter((record) => filters.every((each) => passes(record, each)))
  expect(collection.size).toBe(records.length)
  expect(collection.nextKey).toBe(nextKey)
  expectSame(
    collection.select([]).map((each) => each.values),
    newestFirst,
  )
  expectSame(
    collection.select(filters, limit).map((each) => each.values),
    found.slice(0, limit),
  )
  expect(collection.count(filters)).toBe(found.length)
  for (const key of keysOf[kind]) {
    const record = records.find(({ id }) => id === key)
    expectSame(collection.get(key)?.values, record)
    if (kind === 'integer') expectSame(collection.get(String(key))?.values, record)
  }
  for (const value of ['x', 1, null]) {
    const single = { property: 'tag', values: [value] }
    expectSame(
      collection.select([single]).map((each) => each.values),
      newestFirst.filter((record) => passes(record, single)),
    )
  }
}

describe('a stored collection', () => {
  it('has after each change what a plain list would have', () => {
    check(
      cases,
      (each) => {
        let { collection, model }: { collection: StoredCollection; model: Model } = create(each)
        expectModel(collection, model, each)
        for (const step of each.steps) model = apply(collection, model, step, each.kind)
        expectModel(collection, model, each)
        for (const step of each.steps) {
          model = apply(collection, model, step, each.kind)
          expectModel(collection, model, each)
        }
      },
      200,
    )
  })

  it('is the same after a snapshot and a restore, also through JSON text', () => {
    check(cases, (each) => {
      let { context, collection, model }: { context: CollectionContext; collection: StoredCollection; model: Model } =
        create(each)
      const half = each.steps.length / 2
      for (const step of each.steps.slice(0, half)) model = apply(collection, model, step, each.kind)
      const text = writeByShape(snapshotCollection(collection) ?? null, [], 0)
      const state = parseExactJson(text).exact as ReturnType<typeof snapshotCollection> | null
      const restored = new StoredCollection(context, [])
      if (state) restoreCollection(restored, state)
      expectModel(restored, model, each)
      expectSame(snapshotCollection(restored), snapshotCollection(collection))
      for (const step of each.steps.slice(half)) model = apply(restored, model, step, each.kind)
      expectModel(restored, model, each)
    })
  })

  it('has after undoTo what it had then, whatever was undone before', () => {
    check(
      fc.tuple(cases, fc.array(fc.nat(), { minLength: 1, maxLength: 3 })),
      ([each, undos]) => {
        const log: Change[] = []
        let { collection, model }: { collection: StoredCollection; model: Model } = create(each, log)
        // The model and the length of the log after each step; one step may be several changes.
        let history = [{ length: 0, model }]
        for (const undo of undos) {
          for (const step of each.steps) {
            model = apply(collection, model, step, each.kind)
            history.push({ length: log.length, model })
          }
          const place = undo % history.length
          const back = history[place] ?? { length: 0, model }
          undoTo(collection, log, back.length)
          expect(log.length).toBe(back.length)
          model = back.model
          history = history.slice(0, place + 1)
          expectModel(collection, model, each)
        }
      },
      200,
    )
  })

  it('keeps committed changes when later ones are undone', () => {
    check(cases, (each) => {
      const log: Change[] = []
      let { collection, model }: { collection: StoredCollection; model: Model } = create(each, log)
      const half = each.steps.length / 2
      for (const step of each.steps.slice(0, half)) model = apply(collection, model, step, each.kind)
      const committed = log.length
      let later = model
      for (const step of each.steps.slice(half)) later = apply(collection, later, step, each.kind)
      log.splice(0, committed)
      undoTo(collection, log, 0)
      expectModel(collection, model, each)
    })
  })

  it('has one state id exactly as long as its records are the same', () => {
    check(cases, (each) => {
      let { collection, model }: { collection: StoredCollection; model: Model } = create(each)
      expect(collection.stateId).toBe(create(each).context.base.stateId)
      for (const step of each.steps) {
        const before = { id: collection.stateId, records: model.records }
        model = apply(collection, model, step, each.kind)
        const isChanged = !isDeepStrictEqual(model.records, before.records)
        if (isChanged) expect(collection.stateId).not.toBe(before.id)
        if (step.act === 'look' || step.act === 'skipKey') expect(collection.stateId).toBe(before.id)
      }
    })
  })

  it('does not let two collections of one base see each other', () => {
    check(cases, (each) => {
      const { context, collection, model } = create(each)
      const other = new StoredCollection(context, [])
      let changed: Model = model
      for (const step of each.steps) changed = apply(collection, changed, step, each.kind)
      expectModel(other, model, each)
    })
  })

  it('has no snapshot as long as nothing is changed', () => {
    expect(snapshotCollection(create({ kind: 'integer', base: [0, 1] }).collection)).toBeUndefined()
  })

  it('finds a key by the text or the number that it has', () => {
    const { collection } = create({ kind: 'integer', base: [0, 1, 2] })
    collection.add({ id: 12 })
    collection.add({ id: 2n ** 63n - 1n })
    expect(collection.get('12')?.values).toStrictEqual({ id: 12 })
    expect(collection.get('012')).toBeUndefined()
    expect(collection.get('9223372036854775807')?.values).toStrictEqual({ id: 2n ** 63n - 1n })
    const { collection: texts } = create({ kind: 'string', base: [] })
    texts.add({ id: '12' })
    expect(texts.get(12)?.values).toStrictEqual({ id: '12' })
  })

  it('finds a record by the key that it was added with', () => {
    const { collection: integers } = create({ kind: 'integer', base: [0] })
    const keys: readonly (readonly [unknown, unknown])[] = [
      ['12', 12],
      [13n, 13],
      [2n ** 60n, 2n ** 60n],
      ['0x1', '0x1'],
    ]
    for (const [given, key] of keys) {
      expect(integers.toKey(given)).toBe(key)
      integers.add({ id: integers.toKey(given) })
      expect(integers.get(given as Key)?.values).toStrictEqual({ id: key })
    }
    for (const given of [1.5, {}, [], true, null, undefined, Number.NaN]) expect(integers.toKey(given)).toBeUndefined()
    const { collection: texts } = create({ kind: 'string', base: [] })
    texts.add({ id: texts.toKey(12) })
    for (const key of [12, '12']) expect(texts.get(key)?.values).toStrictEqual({ id: '12' })
  })

  it('makes keys that are free and that count up', () => {
    check(cases, (each) => {
      let { collection, model }: { collection: StoredCollection; model: Model } = create(each)
      for (const step of each.steps) model = apply(collection, model, step, each.kind)
      const made = [1, 2, 3].map(() => {
        const key = makeKey(collection, each.kind)
        if (key !== undefined) {
          expect(collection.get(key)).toBeUndefined()
          collection.add({ id: key })
        }
        return key
      })
      const isUsedUp = each.kind === 'integer' && !Number.isSafeInteger(collection.nextKey)
      if (isUsedUp) expect(made.at(-1)).toBeUndefined()
      else expect(new Set(made).size).toBe(3)
    })
  })
})
