import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { holdsInfinity, NestingError, parseExactJson, toExactInteger } from '../../src/json/exact-json.js'
import { next, toDoubleBelow, toRounded } from '../../src/json/rounding.js'
import { writeByShape } from '../../src/json/write-by-shape.js'
import { check } from './support/check.js'
import { deepFreeze, integers, jsonValues, objectsOf, texts, toHeld, toText } from './support/json-values.js'

function expectSame(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toStrictEqual(expected)
}

function messageOf(text: string): string | undefined {
  try {
    parseExactJson(text)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** Ends of a JSON text that was cut anywhere: of a token, and then of the open brackets. */
const ends = [
  '',
  '0',
  '"',
  '":0',
  ':0',
  '"":0',
  '"a":0',
  '\\"',
  '\\":0',
  'true',
  'rue',
  'ue',
  'e',
  'alse',
  'lse',
  'se',
  'ull',
]
  .concat([
    'll',
    'l',
    '.0',
    '00',
    'n"',
    'n":0',
    'u0000"',
    ',0',
    '0000"',
    '000"',
    '00"',
    '0"',
    '0000":0',
    '000":0',
    '00":0',
  ])
  .concat(['0":0'])

/** Whether a JSON text begins with this text, found out by `JSON.parse` alone. */
function canGoOn(text: string): boolean {
  const brackets: string[] = []
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{}]/gs)) {
    if (token === '[' || token === '{') brackets.unshift(token === '[' ? ']' : '}')
    else if (token === ']' || token === '}') brackets.shift()
  }
  return ends.some((end) => {
    try {
      JSON.parse(text + end + brackets.join(''))
      return true
    } catch {
      return false
    }
  })
}

describe('exact JSON', () => {
  it('names the first place after which no text is JSON, for every damage to a text', () => {
    const damage = fc.tuple(
      jsonValues,
      fc.nat(),
      fc.nat({ max: 3 }),
      fc.constantFrom(...'"\\{}[],:0-.etn\n\u0001 x', ''),
    )
    check(
      damage,
      ([value, place, removed, added]) => {
        const whole = toText(value)
        const start = place % (whole.length + 1)
        const text = whole.slice(0, start) + added + whole.slice(start + removed)
        const message = messageOf(text)
        if (message === undefined) return
        const [, line, column, found] = /^line (\d+), column (\d+): found (the end|".+")$/s.exec(message) ?? []
        const lines = text.split('\n').slice(0, Number(line) - 1)
        const at = lines.join('\n').length + (lines.length > 0 ? 1 : 0) + Number(column) - 1
        const character = text.codePointAt(at)
        expect(found).toBe(character === undefined ? 'the end' : JSON.stringify(String.fromCodePoint(character)))
        if (!canGoOn(text.slice(0, at))) expect.fail(`no JSON begins with ${text.slice(0, at)}`)
        // The token that is wrong has at most six characters until its error: an escape.
        if (character !== undefined && canGoOn(text.slice(0, at + 6)) && at + 6 < text.length)
          expect.fail(`JSON begins with ${text.slice(0, at + 6)}`)
      },
      1000,
    )
  })

  it('finds the place in a long text at once', () => {
    for (const part of ['[', '{"a":', '"a', '1,', '[1],', '\\u0041'])
      expect(messageOf(`["${part.repeat(200_000)}`)).toMatch(/^line 1, column \d+: found/)
    expect(messageOf('['.repeat(1_000_000))).toBe('line 1, column 1000001: found the end')
  })

  it('reads what another writer writes', () => {
    check(jsonValues, (value) => expectSame(parseExactJson(toText(value)).exact, value), 500)
  })

  it('reads what it writes', () => {
    check(jsonValues, (value) => expectSame(parseExactJson(writeByShape(value, [], 0)).exact, value), 500)
  })

  it('writes the names of an object in their order', () => {
    check(objectsOf(fc.constant(1)), (value) => {
      const text = writeByShape(value, [], 0)
      expect(text).toBe(JSON.stringify(value))
      expect(Object.keys(parseExactJson(text).exact as object)).toStrictEqual(Object.keys(value))
    })
  })

  it('keeps names such as __proto__ as properties', () => {
    const { exact, rounded } = parseExactJson('{"__proto__":{"constructor":12345678901234567890},"a":1e2}')
    for (const value of [exact, rounded] as Record<string, unknown>[]) {
      expect(Object.keys(value)).toStrictEqual(['__proto__', 'a'])
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    }
    expect(writeByShape(exact, [], 0)).toBe('{"__proto__":{"constructor":12345678901234567890},"a":100}')
  })

  it('takes no number out of a text', () => {
    const hostile = fc.array(fc.oneof(texts, fc.constantFrom('12345678901234567890', '1e5', '\\', '"', '\\"')))
    check(
      hostile.map((parts) => parts.join('')),
      (text) => {
        expect(parseExactJson(`[${JSON.stringify(text)},10000000000000000001]`).exact).toStrictEqual([
          text,
          10000000000000000001n,
        ])
      },
    )
  })

  it.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['-9007199254740993', -9007199254740993n],
    ['1e16', 10n ** 16n],
    ['1E+2', 100],
    ['12300e-2', 123],
    ['1.5e1', 15],
    ['9007199254740993.0', 9007199254740993n],
    ['900719925474099.10e1', 9007199254740991],
    ['1e39', 10n ** 39n],
    ['1e40', 1e40],
    ['-1.5E+308', -1.5e308],
    ['1234567890123456e40', 1234567890123456n * 10n ** 40n],
    ['1e-7', 1e-7],
    ['5e-324', 5e-324],
    ['-0', -0],
    ['0e999999999', 0],
    ['0.000e-999999999', 0],
  ])('reads the number %s exactly', (text, expected) => {
    expect(parseExactJson(text).exact).toBe(expected)
  })

  it.each([['1e400'], ['-1e400'], ['1e999999999'], [`1${'0'.repeat(400)}`], ['1e-400']])(
    'holds infinity for %s',
    (text) => {
      expect(holdsInfinity(parseExactJson(`{"a":[${text}]}`).exact)).toBe(true)
    },
  )

  it.each([
    '[1e5,1E+2,-1e0,100000000000000]',
    '{"a":"1e400","b":12e3}',
    '[12300e-2,1.5e1,0e9,-0.0e1]',
    '[1.0e-7,1e400]',
  ])('reads %s once: every number is exact as a double', (text) => {
    const { exact, rounded } = parseExactJson(text)
    expect(exact).toBe(rounded)
    expect(exact).toStrictEqual(JSON.parse(text))
  })

  it('holds no infinity for numbers that can be written again', () => {
    check(jsonValues, (value) => expect(holdsInfinity(value)).toBe(false))
  })

  it('throws a SyntaxError for exactly what JSON.parse throws one for', () => {
    const damaged = fc
      .tuple(
        jsonValues.map(toText),
        fc.nat(),
        fc.constantFrom('', '"', ',', '{', ']', '\\', '0', '.', '-', 'e', '\n', ' '),
      )
      .map(([text, place, inserted]) => {
        const at = place % (text.length + 1)
        return text.slice(0, at) + inserted + text.slice(at + 1)
      })
    check(damaged, (text) => {
      const isJson = isReadable(() => JSON.parse(text))
      expect(isReadable(() => parseExactJson(text))).toBe(isJson)
    })
  })

  it('reads 512 levels and refuses 513', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    expect(parseExactJson(nested(512)).exact).toHaveLength(1)
    expect(() => parseExactJson(nested(513))).toThrow(NestingError)
    expect(() => parseExactJson(nested(100_000))).toThrow(NestingError)
  })
})

/** Digits by the exponent: the exact value is known as a fraction of two bigints. */
const decimals = fc
  .record({
    digits: fc.oneof(
      fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }),
      fc.integer({ min: -2, max: 2 }).map((d) => 2n ** 53n + BigInt(d)),
      fc.integer({ min: -99, max: 99 }).map(BigInt),
    ),
    zeros: fc.nat({ max: 3 }),
    exponent: fc.oneof(fc.integer({ min: -30, max: 30 }), fc.integer({ min: -330, max: 280 })),
  })
  .map(({ digits, zeros, exponent }) => {
    const scaled = digits * 10n ** BigInt(zeros)
    const numerator = exponent > 0 ? scaled * 10n ** BigInt(exponent) : scaled
    const denominator = exponent < 0 ? 10n ** BigInt(-exponent) : 1n
    return { text: `${scaled}e${exponent}`, numerator, denominator }
  })

/** Whether what was read is an integer as it is held, or a double whose text has the same digits. */
function isSame(read: unknown, integer: bigint): boolean {
  const held = toHeld(integer)
  const [digits = '', exponent] = String(read).split('e+')
  if (typeof held === 'number' || exponent === undefined) return read === held
  const [whole = '', decimals = ''] = digits.split('.')
  return BigInt(whole + decimals) * 10n ** BigInt(Number(exponent) - decimals.length) === integer
}

describe('the rounded value', () => {
  it('is the same as the exact one where no number is inexact', () => {
    check(jsonValues, (value) => {
      const { exact, rounded } = parseExactJson(toText(value))
      if (!holdsBigint(exact)) expectSame(rounded, exact)
    })
  })

  it('of an integer is the greatest double that is not above it, or beyond 2^64 the nearest one', () => {
    check(
      integers,
      (integer) => {
        const { rounded } = parseExactJson(toText(integer))
        if (Math.abs(Number(integer)) > 2 ** 64) {
          expect(rounded).toBe(Number(integer))
          return
        }
        expect(BigInt(rounded as number) <= BigInt(integer)).toBe(true)
        const above = next(rounded as number, (rounded as number) < 0 ? -1n : 1n)
        if (typeof integer === 'number') expect(rounded).toBe(integer)
        else expect(BigInt(above) > integer).toBe(true)
      },
      500,
    )
  })

  it('of a decimal is an integer exactly where the decimal is one', () => {
    check(
      decimals,
      ({ text, numerator, denominator }) => {
        const { exact, rounded } = parseExactJson(text)
        const isInteger = numerator % denominator === 0n
        expect(Number.isInteger(rounded)).toBe(isInteger)
        if (isInteger) expect(isSame(exact, numerator / denominator)).toBe(true)
      },
      500,
    )
  })

  it('of a bigint is the same by parsing and by toRounded', () => {
    check(jsonValues, (value) => {
      const rounded = toRounded(deepFreeze(structuredClone(value)))
      expect(writeByShape(rounded, [], 0)).toBe(writeByShape(parseExactJson(toText(value)).rounded, [], 0))
    })
  })

  it('of a value without bigints is that value itself', () => {
    const value = { a: [1, 'x', { b: null }] }
    expect(toRounded(value)).toBe(value)
  })

  it('copies only what leads to a bigint', () => {
    const kept = { c: 1 }
    const value = { a: [2n ** 60n + 1n], kept }
    const rounded = toRounded(value) as typeof value
    expect(rounded).toEqual({ a: [2 ** 60], kept })
    expect(rounded.kept).toBe(kept)
    expect(value.a).toStrictEqual([2n ** 60n + 1n])
  })

  it('keeps a bigint under the name __proto__', () => {
    check(objectsOf(integers), (value) => {
      expect(Object.keys(toRounded(value) as object)).toStrictEqual(Object.keys(value))
    })
  })

  it('beyond the doubles is the greatest one', () => {
    expect(toDoubleBelow(10n ** 400n)).toBe(Number.MAX_VALUE)
  })
})

describe('toExactInteger', () => {
  it('reads every integer as it is held', () => {
    check(integers, (integer) => expect(toExactInteger(String(integer))).toBe(integer))
  })
})

function isReadable(read: () => unknown): boolean {
  try {
    read()
    return true
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError)
    return false
  }
}

function holdsBigint(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint'
  return Object.values(value).some(holdsBigint)
}
