import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseExactJson } from '../../src/json/exact-json.js'
import { writeByShape } from '../../src/json/write-by-shape.js'
import { freezeClock, moveClockTo, RunningClock, resumeClock, toTime } from '../../src/state/clock.js'
import { restoreWorld, snapshotWorld } from '../../src/state/snapshots/snapshot-world.js'
import type { WorldState } from '../../src/state/snapshots/world-state.js'
import type { Values } from '../../src/state/stored-record.js'
import type { StoredWorld } from '../../src/state/stored-world.js'
import { resetWorld, undoTo } from '../../src/state/world-content.js'
import type { WorldId } from '../../src/state/world-id.js'
import { check } from './support/check.js'
import { createFactory, places } from './support/worlds.js'

interface Step {
  act:
    | 'add'
    | 'remove'
    | 'clear'
    | 'travelTo'
    | 'advance'
    | 'freeze'
    | 'resume'
    | 'resetClock'
    | 'reset'
    | 'restore'
    | 'look'
  /** Which collection, which key, how many milliseconds, or which snapshot. */
  number: number
  place: number
}

const now = 1_000_000_000_000
const step: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom(
    'add',
    'add',
    'add',
    'remove',
    'clear',
    'travelTo',
    'advance',
    'freeze',
    'resume',
    'resetClock',
    'reset',
    'restore',
    'look',
  ),
  number: fc.nat({ max: 6 }),
  place: fc.nat({ max: places.length - 1 }),
})
const steps = fc.array(step, { maxLength: 20 })

function create(): StoredWorld {
  return createFactory(() => now).create('sandbox' as WorldId)
}

function apply(world: StoredWorld, { act, number, place }: Step, snapshots: WorldState[]): void {
  const [name, server] = places[place] ?? ['', '']
  const collection = world.collection(name, server)
  const key = name === 'counters' ? number : String(number)
  if (act === 'add' && !collection.get(key)) collection.add({ id: key, number: 2n ** 60n + BigInt(number) })
  else if (act === 'remove') collection.remove(key)
  else if (act === 'clear') collection.clear()
  else if (act === 'travelTo') moveClockTo(world.clock, number * 1000)
  else if (act === 'advance') moveClockTo(world.clock, world.clock.now() + number - 3)
  else if (act === 'freeze') freezeClock(world.clock)
  else if (act === 'resume') resumeClock(world.clock)
  else if (act === 'resetClock') world.clock.setOffset(0)
  else if (act === 'reset') resetWorld(world)
  else if (act === 'restore')
    restoreWorld(world, snapshots[number % snapshots.length] ?? { clockOffset: 0, collections: [] })
  else collection.select([{ property: 'number', values: [0] }])
  snapshots.push(snapshotWorld(world))
}

/** All that can be seen of a world. */
function see(world: StoredWorld): unknown {
  const collections = places.map(([name, server]): [string, string, Values[], number, number] => {
    const collection = world.collection(name, server)
    return [name, server, collection.select([]).map(({ values }) => values), collection.size, collection.nextKey]
  })
  return { now: world.clock.now(), collections }
}

function expectSame(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toStrictEqual(expected)
}

describe('a stored world', () => {
  it('is the same after each restore of a snapshot, also through JSON text and in another world', () => {
    check(
      steps,
      (each) => {
        const world = create()
        const snapshots: WorldState[] = []
        const seen = each.map((step) => {
          apply(world, step, snapshots)
          return { view: see(world), text: writeByShape(snapshotWorld(world), [], 0) }
        })
        for (const { view, text } of seen) {
          const state = parseExactJson(text).exact as WorldState
          for (const target of [world, create()]) {
            restoreWorld(target, state)
            expectSame(see(target), view)
          }
        }
      },
      80,
    )
  })

  it('has after undoTo what it had then', () => {
    check(fc.tuple(steps, fc.array(fc.nat(), { minLength: 1, maxLength: 3 })), ([each, undos]) => {
      const world = create()
      let history = [{ length: 0, view: see(world) }]
      for (const undo of undos) {
        const snapshots: WorldState[] = []
        for (const step of each) {
          apply(world, step, snapshots)
          history.push({ length: world.log.length, view: see(world) })
        }
        const place = undo % history.length
        const { length, view } = history[place] ?? { length: 0, view: undefined }
        undoTo(world, length)
        expectSame(see(world), view)
        history = history.slice(0, place + 1)
      }
    })
  })

  it('can be snapshot and restored after an undo', () => {
    check(fc.tuple(steps, steps), ([kept, undone]) => {
      const world = create()
      const snapshots: WorldState[] = []
      for (const step of kept) apply(world, step, snapshots)
      const { length } = world.log
      for (const step of undone) apply(world, step, snapshots)
      undoTo(world, length)
      const other = create()
      restoreWorld(other, snapshotWorld(world))
      expectSame(see(other), see(world))
    })
  })

  it('is after a reset as it was in the beginning', () => {
    check(steps, (each) => {
      const world = create()
      const snapshots: WorldState[] = []
      for (const step of each) apply(world, step, snapshots)
      resetWorld(world)
      expectSame(see(world), see(create()))
      expectSame(snapshotWorld(world), { clockOffset: 0, collections: [] })
    })
  })

  it('stays as it is where a snapshot names an unknown collection', () => {
    const world = create()
    world.collection('counters').add({ id: 9 })
    const before = see(world)
    const unknown = { name: 'constructor', server: 'production', nextKey: 1, changed: [], added: [] }
    expect(() => restoreWorld(world, { clockOffset: 5, collections: [unknown] })).toThrow(
      'Unknown collection "constructor"',
    )
    expectSame(see(world), before)
  })

  it('keeps the worlds of two keys and the collections of two servers apart', () => {
    const factory = createFactory(() => now)
    const [one, other] = [factory.create('one' as WorldId), factory.create('other' as WorldId)]
    one.collection('counters', 'production').add({ id: 9 })
    moveClockTo(one.clock, one.clock.now() + 1000)
    expect(other.collection('counters', 'production').size).toBe(2)
    expect(one.collection('counters', 'staging').size).toBe(2)
    expect(one.collection('counters').size).toBe(3)
    expect(other.clock.now()).toBe(now)
  })
})

describe('a clock', () => {
  it('runs on from where it was put', () => {
    check(fc.tuple(fc.integer(), fc.integer(), fc.integer(), fc.integer()), ([start, elapsed, time, ahead]) => {
      let source = start
      const clock = new RunningClock(() => source)
      moveClockTo(clock, time)
      source += elapsed
      expect(clock.now()).toBe(time + elapsed)
      moveClockTo(clock, clock.now() + ahead)
      expect(clock.now()).toBe(time + elapsed + ahead)
      const other = new RunningClock(() => source)
      other.setOffset(clock.offset)
      expect(other.now()).toBe(clock.now())
      freezeClock(clock)
      source += elapsed
      expect(clock.now()).toBe(time + elapsed + ahead)
      moveClockTo(clock, time)
      source += elapsed
      expect(clock.now()).toBe(time)
      resumeClock(clock)
      source += elapsed
      expect(clock.now()).toBe(time + elapsed)
      clock.setOffset(0)
      expect(clock.now()).toBe(source)
    })
  })

  it('reads every date of the years 0000 to 9999', () => {
    const [min, max] = [new Date('0000-01-01T00:00:00.000Z'), new Date('9999-12-31T23:59:59.999Z')]
    check(fc.date({ noInvalidDate: true, min, max }), (date) => {
      expect(toTime(date)).toBe(date.getTime())
      expect(toTime(date.toISOString())).toBe(date.getTime())
      expect(toTime(date.getTime())).toBe(date.getTime())
    })
  })

  it.each([
    [253402300800000],
    [-62167219200001],
    [8.64e15 + 1],
    [-8.64e15 - 1],
    [Number.NaN],
    [Infinity],
    [''],
    ['tomorrow'],
    [new Date(Number.NaN)],
  ])('refuses %s as a time', (time) => {
    expect(() => toTime(time)).toThrow(RangeError)
  })

  it('stays where it is after it refused', () => {
    const clock = new RunningClock(() => 5)
    for (const milliseconds of [Number.NaN, Infinity, 253402300800000, -62167219200006]) {
      expect(() => moveClockTo(clock, clock.now() + milliseconds)).toThrow(RangeError)
      expect(() => moveClockTo(clock, milliseconds)).toThrow(RangeError)
    }
    expect(clock.now()).toBe(5)
  })
})
