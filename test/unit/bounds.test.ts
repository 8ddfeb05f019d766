import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Memo } from '../../src/sandbox/memo.js'
import { BodyCollector } from '../../src/sandbox/request/body-limit.js'
import { createJournal, type Entry } from '../../src/state/journal.js'
import { check } from './support/check.js'

function entryOf(key: string | undefined, length: number): Entry {
  return {
    id: 0,
    at: 0,
    key,
    server: undefined,
    operation: undefined,
    method: 'GET',
    path: '',
    query: '',
    requestHeaders: [],
    requestBody: undefined,
    status: 200,
    headers: {},
    body: 'x'.repeat(length),
    refused: undefined,
    violations: undefined,
    notes: [],
    cause: undefined,
  }
}

function throwIt(error: unknown): never {
  throw error
}

/** Bytes that an entry is counted as, beside its body. */
const overhead = 200

describe('a journal', () => {
  const keys = fc.constantFrom('one', 'other', undefined)
  const steps = fc.array(
    fc.oneof(
      { weight: 8, arbitrary: fc.record({ key: keys, length: fc.constantFrom(0, 1, 100, 800) }) },
      { weight: 1, arbitrary: fc.record({ clear: fc.constantFrom('all', 'one', 'other', 'missing') }) },
    ),
    { maxLength: 30 },
  )
  const bounds = fc.record({
    maxExchanges: fc.constantFrom(0, 1, 2, 3, 5, 1000),
    maxBytes: fc.constantFrom(0, 1, 200, 201, 500, 1000, 100_000),
  })

  it('keeps the newest exchanges that its bounds allow', () => {
    check(
      fc.tuple(bounds, steps),
      ([{ maxExchanges, maxBytes }, all]) => {
        const journal = createJournal({ maxExchanges, maxBytes }, throwIt)
        let kept: { id: number; key: string | undefined; size: number }[] = []
        let lastId = 0
        for (const step of all) {
          if ('clear' in step) {
            const key = step.clear === 'all' ? undefined : step.clear
            journal.clear(key)
            kept = kept.filter((each) => key !== undefined && each.key !== key)
          } else {
            journal.add(entryOf(step.key, step.length))
            kept.push({ id: ++lastId, key: step.key, size: overhead + step.length })
            const isOver = () => kept.length > maxExchanges || kept.reduce((sum, { size }) => sum + size, 0) > maxBytes
            while (isOver()) kept.shift()
          }
          const ids = (key?: string) => kept.filter((each) => key === undefined || each.key === key).map(({ id }) => id)
          expect(journal.size).toBe(kept.length)
          expect(journal.list().map(({ id }) => id)).toStrictEqual(ids())
          expect(journal.list('one').map(({ id }) => id)).toStrictEqual(ids('one'))
        }
      },
      400,
    )
  })

  it('reports each exchange to its listeners, kept or not, until they end', () => {
    const errors: unknown[] = []
    const journal = createJournal({ maxExchanges: 0 }, (error) => errors.push(error))
    const heard: number[] = []
    journal.subscribe(() => throwIt('a listener failed'))
    const end = journal.subscribe(({ id }) => heard.push(id))
    journal.add(entryOf('one', 1))
    journal.add(entryOf('one', 1))
    end()
    journal.add(entryOf('one', 1))
    expect(heard).toStrictEqual([1, 2])
    expect(errors).toHaveLength(3)
    expect(journal.list()).toStrictEqual([])
  })
})

describe('a memo', () => {
  const steps = fc.array(
    fc.record({
      act: fc.constantFrom('get', 'set'),
      key: fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor'),
      size: fc.integer({ min: 1, max: 8 }),
    }),
    { maxLength: 40 },
  )

  it('gives what was set last, or nothing', () => {
    check(
      fc.tuple(fc.constantFrom(0, 1, 2, 5, 10, 16), steps),
      ([most, all]) => {
        const memo = new Memo<{ size: number }>(most, ({ size }) => size)
        const last = new Map<string, { size: number }>()
        for (const { act, key, size } of all) {
          if (act === 'get') expect([undefined, last.get(key)]).toContain(memo.get(key))
          else {
            const value = { size }
            expect(memo.set(key, value)).toBe(value)
            last.set(key, value)
          }
        }
      },
      400,
    )
  })

  it('holds no more than its bound', () => {
    const small = fc.array(
      fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), size: fc.integer({ min: 1, max: 5 }) }),
    )
    check(small, (all) => {
      const memo = new Memo<{ size: number }>(10, ({ size }) => size)
      for (const { key, size } of all) memo.set(key, { size })
      const found = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((key) => memo.get(key) ?? [])
      expect(found.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(10)
    })
  })

  it('holds what was set or got last, up to half of its bound', () => {
    check(fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 30 }), (keys) => {
      const memo = new Memo<string>(6)
      for (const key of keys) memo.get(key) ?? memo.set(key, key)
      for (const key of [...new Set(keys.toReversed())].slice(0, 3)) expect(memo.get(key)).toBe(key)
    })
  })

  it('forgets the value before where the one that is set is too big', () => {
    const memo = new Memo<string>(10, ({ length }) => length)
    memo.set('a', 'old')
    memo.set('a', 'too big for it')
    expect(memo.get('a')).toBeUndefined()
  })
})

describe('a body collector', () => {
  it('gives all bytes in their order, or nothing where there are more than allowed', () => {
    const chunks = fc.array(fc.uint8Array({ maxLength: 6 }), { maxLength: 6 })
    check(fc.tuple(chunks, fc.nat({ max: 20 })), ([all, maxBytes]) => {
      const collector = new BodyCollector(maxBytes)
      let size = 0
      for (const chunk of all) {
        collector.add(chunk)
        size += chunk.length
        expect(collector.isTooLarge).toBe(size > maxBytes)
      }
      const bytes = collector.bytes()
      expect(bytes && [...bytes]).toStrictEqual(size > maxBytes ? undefined : all.flatMap((chunk) => [...chunk]))
    })
  })

  it('takes exactly as many bytes as are allowed', () => {
    for (const [size, isTooLarge] of [
      [0, false],
      [3, false],
      [4, true],
    ] as const) {
      const collector = new BodyCollector(3)
      collector.add(new Uint8Array(size))
      expect(collector.isTooLarge).toBe(isTooLarge)
    }
  })
})
