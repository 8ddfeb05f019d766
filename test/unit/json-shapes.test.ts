import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseExactJson } from '../../src/json/exact-json.js'
import { jsonPatch } from '../../src/json/json-patch.js'
import { createNamed, ownValue } from '../../src/json/own-value.js'
import { pruneByShape } from '../../src/json/prune-by-shape.js'
import { isSameJson } from '../../src/json/same-json.js'
import type { Shape } from '../../src/json/shape.js'
import { toTyped } from '../../src/json/typed-value.js'
import { writeByShape } from '../../src/json/write-by-shape.js'
import { check } from './support/check.js'
import { deepFreeze, integers, jsonValues, names, objectsOf, texts, toText } from './support/json-values.js'

/** Number 0 is any value; the others lead to one another, also in circles. */
const shape: fc.Arbitrary<Shape> = fc.record(
  {
    properties: fc.uniqueArray(fc.tuple(names, fc.nat({ max: 3 })), { selector: ([name]) => name, maxLength: 5 }),
    open: fc.boolean(),
    // As the compiler makes them: none of these is a known property.
    hidden: fc.uniqueArray(names, { maxLength: 3 }),
    items: fc.nat({ max: 3 }),
  },
  { requiredKeys: [] },
)
const shapes = fc.tuple(shape, shape, shape).map((all): Shape[] => [{}, ...all.map(withoutBoth)])

function withoutBoth({ hidden, ...others }: Shape): Shape {
  if (!hidden) return others
  return { ...others, hidden: hidden.filter((name) => !others.properties?.some(([each]) => each === name)) }
}

/** What is left of a value, and in which order it is written. */
function modelOf(value: unknown, all: readonly Shape[], number: number): unknown {
  const { properties, open, hidden = [], items } = all[number] ?? {}
  if (Array.isArray(value)) return value.map((item) => (items === undefined ? item : modelOf(item, all, items)))
  if (typeof value !== 'object' || value === null || !properties) return value
  const known = properties.filter(([name]) => Object.hasOwn(value, name))
  const unknown = Object.entries(value).filter(
    ([name]) => !properties.some(([each]) => each === name) && !hidden.includes(name),
  )
  const kept = known.map(([name, inner]) => [
    name,
    modelOf(ownValue(value as Record<string, unknown>, name), all, inner),
  ])
  return Object.fromEntries([...kept, ...(open ? unknown : [])])
}

function expectSame(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toStrictEqual(expected)
}

describe('a shape', () => {
  it('decides which properties are written', () => {
    check(
      fc.tuple(jsonValues.map(deepFreeze), shapes),
      ([value, all]) => {
        expectSame(parseExactJson(writeByShape(value, all, 1)).exact, modelOf(value, all, 1))
      },
      500,
    )
  })

  it('decides which properties are pruned, and each is named', () => {
    check(
      fc.tuple(jsonValues, shapes),
      ([value, all]) => {
        const pruned = structuredClone(value)
        const dropped: string[] = []
        pruneByShape(pruned, all, 1, (path) => dropped.push(path))
        expectSame(pruned, modelOf(value, all, 1))
        expect(dropped.length > 0).toBe(!isDeepStrictEqual(pruned, value))
      },
      500,
    )
  })

  it('leaves the same by pruning as by writing', () => {
    check(fc.tuple(jsonValues, shapes), ([value, all]) => {
      const text = writeByShape(value, all, 1)
      const pruned = structuredClone(value)
      pruneByShape(pruned, all, 1, () => {})
      expect(writeByShape(pruned, all, 1)).toBe(text)
    })
  })

  it('writes known properties in their order, then the others', () => {
    const all: Shape[] = [
      {},
      {
        properties: [
          ['b', 0],
          ['a', 0],
        ],
        open: true,
      },
    ]
    expect(writeByShape({ z: 1, a: 2, b: 2n ** 64n }, all, 1)).toBe('{"b":18446744073709551616,"a":2,"z":1}')
  })

  it('writes no property without a value, and null for a missing item', () => {
    expect(writeByShape({ a: undefined, b: [undefined] }, [], 0)).toBe('{"b":[null]}')
  })

  it('names what it prunes by its path', () => {
    const all: Shape[] = [{}, { properties: [['a', 2]] }, { items: 3 }, { properties: [] }]
    const dropped: string[] = []
    pruneByShape({ a: [{}, { b: 1 }], c: 1 }, all, 1, (path) => dropped.push(path))
    expect(dropped).toStrictEqual(['a[1].b', 'c'])
  })

  it('prunes a copied value in one place without the other', () => {
    // The effect of an update: the patched record is cloned as a whole, and what its schema does not know is dropped.
    const all: Shape[] = [
      {},
      {
        properties: [
          ['one', 2],
          ['other', 3],
        ],
      },
      {
        properties: [
          ['id', 0],
          ['name', 0],
        ],
      },
      {
        properties: [
          ['id', 0],
          ['phone', 0],
        ],
      },
    ]
    const record = { one: { id: 1, name: 'Ada' }, other: { id: 2, phone: '5' } }
    const patched = structuredClone(jsonPatch(record, [{ op: 'copy', from: '/one', path: '/other' }]))
    pruneByShape(patched, all, 1, () => {})
    expect(patched).toStrictEqual({ one: { id: 1, name: 'Ada' }, other: { id: 1 } })
  })
})

describe('isSameJson', () => {
  it('finds a copy with its names in another order the same', () => {
    check(jsonValues, (value) => {
      const copy = reversed(value)
      expect(isSameJson(value, copy)).toBe(true)
      expect(isSameJson(copy, value)).toBe(true)
    })
  })

  it('says the same as comparing sorted texts', () => {
    check(
      fc.tuple(jsonValues, jsonValues),
      ([one, other]) => {
        expect(isSameJson(one, other)).toBe(toText(sorted(one)) === toText(sorted(other)))
      },
      500,
    )
  })

  it('finds a value with one change another one', () => {
    check(fc.tuple(objectsOf(jsonValues), names, jsonValues), ([value, name, item]) => {
      const isThere = Object.hasOwn(value, name) && toText(sorted(value[name])) === toText(sorted(item))
      const changed = Object.fromEntries([...Object.entries(value), [name, item]])
      expect(isSameJson(value, changed)).toBe(isThere)
    })
  })

  it.each<[unknown, unknown, boolean]>([
    [1, 1n, true],
    [2 ** 60, 2n ** 60n, true],
    [2 ** 60, 2n ** 60n + 1n, false],
    [1.5, 1n, false],
    ['1', 1n, false],
    [true, 1n, false],
    [0, -0, true],
    [Infinity, 2n ** 1024n, false],
    [[], {}, false],
    [{ a: 1 }, { constructor: 1 }, false],
    [JSON.parse('{"__proto__":{}}'), { a: 1 }, false],
    [null, {}, false],
  ])('compares %s with %s', (one, other, isSame) => {
    expect(isSameJson(one, other)).toBe(isSame)
    expect(isSameJson(other, one)).toBe(isSame)
  })
})

describe('an own value', () => {
  it('is found under every name, and nothing that is inherited', () => {
    check(fc.tuple(objectsOf(jsonValues), names), ([object, name]) => {
      const entry = Object.entries(object).find(([each]) => each === name)
      expect(ownValue(object, name)).toBe(entry?.[1])
      const named = createNamed<unknown>()
      expect(named[name]).toBeUndefined()
      named[name] = 1
      expect(Object.entries(named)).toStrictEqual([[name, 1]])
    })
  })
})

describe('toTyped', () => {
  const scalar = fc.oneof(fc.boolean(), integers, fc.double({ noNaN: true }), texts)

  it('reads the text of an integer or of a boolean as that', () => {
    check(fc.oneof(integers, fc.boolean()), (value) => {
      expect(toTyped(String(value), ['integer', 'boolean'])).toBe(value)
    })
  })

  it('reads the text of a short decimal as a number', () => {
    const decimal = fc
      .tuple(fc.integer({ min: -9999, max: 9999 }), fc.nat({ max: 4 }))
      .map(([digits, n]) => digits / 10 ** n)
    check(decimal, (value) => expect(toTyped(String(value), ['number'])).toBe(value === 0 ? 0 : value))
  })

  it('gives one value for one text, and the text back', () => {
    const numbers = fc.stringMatching(/^-?[0-9]{0,3}(\.[0-9]{0,3})?(e1)?$/)
    check(
      fc.oneof(numbers, texts),
      (text) => {
        const typed = toTyped(text, ['integer', 'number', 'boolean', 'null'])
        expect(String(typed)).toBe(text)
        expect(toTyped(typed, ['string'])).toBe(text)
      },
      600,
    )
  })

  it('stays as it is where the type is right or the text is another one', () => {
    check(scalar, (value) => {
      expect(toTyped(value, [])).toBe(value)
      if (typeof value === 'string') expect(toTyped(value, ['integer', 'string'])).toBe(value)
      else expect(toTyped(value, ['number', 'boolean', 'string'])).toBe(value)
    })
    for (const text of ['01', '+1', '1.0', '1e2', '-0', ' 1', '1 ', '', '0x1', 'NaN', 'Infinity', '1n']) {
      expect(toTyped(text, ['integer', 'number'])).toBe(text)
    }
  })
})

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, item]) => [name, reversed(item)]),
  )
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, item]): [string, unknown] => [name, sorted(item)])
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}
