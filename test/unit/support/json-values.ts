/** Arbitrary JSON values as the program holds them: every digit kept, and names that break naive programs. */
import fc from 'fast-check'

const hostileNames = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'length',
  '',
  '-',
  '0',
  '1',
]
const hostileTexts = [
  '"',
  '\\',
  '\\"',
  '/',
  '~',
  '~0',
  '~1',
  '\ud800',
  '\udc00\ud800',
  '\u2028',
  '\u0000',
  '🐕',
  'a\r\nb',
]

/** Any code point, halves of surrogate pairs among them. The unit `binary` would list all of them first. */
export const characters: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff })
  .map((point) => String.fromCodePoint(point))

/** Any UTF-16 text, halves of surrogate pairs among them. */
export const texts: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: characters, maxLength: 6 }),
  fc.constantFrom(...hostileTexts, ...hostileNames),
  fc.string({ unit: fc.constantFrom('\ud83d', '\udc15', '\ud800', 'a', '"', '\\', '1', 'e'), maxLength: 6 }),
)

export const names: fc.Arbitrary<string> = fc.oneof(fc.constantFrom('a', 'b', ...hostileNames), texts)

/** Integers around ±(2^53−1), around powers of ten, and of any size up to 10^40. */
export const integers: fc.Arbitrary<number | bigint> = fc
  .oneof(
    fc.maxSafeInteger().map(BigInt),
    fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
    fc
      .tuple(fc.constantFrom(1n, -1n), fc.integer({ min: -3, max: 3 }))
      .map(([sign, d]) => sign * 2n ** 53n + BigInt(d)),
    fc
      .tuple(fc.integer({ min: 0, max: 300 }), fc.integer({ min: -1, max: 1 }))
      .map(([n, d]) => 10n ** BigInt(n) + BigInt(d)),
  )
  .map(toHeld)

/** An integer as the program holds it: a number where that is exact, else a bigint. */
export function toHeld(integer: bigint): number | bigint {
  const number = Number(integer)
  return Number.isSafeInteger(number) ? number : integer
}

/** Finite doubles as they are read: no −0, which JSON texts of most writers do not have; integers as they are held. */
const doubles = fc
  .oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(5e-324, 1.7976931348623157e308, -1.7976931348623157e308, 1e-7, 1e21, 0.1, 4503599627370495.5),
  )
  .map((double) => (Number.isInteger(double) ? toHeld(BigInt(double)) : double))

export const scalars: fc.Arbitrary<unknown> = fc.oneof(fc.constant(null), fc.boolean(), texts, integers, doubles)

function containers(items: fc.Arbitrary<unknown>, maxLength: number): fc.Arbitrary<unknown> {
  return fc.oneof(fc.array(items, { maxLength }), objectsOf(items, maxLength))
}

/** Objects as `JSON.parse` makes them: `__proto__` is a property like any other. */
export function objectsOf(items: fc.Arbitrary<unknown>, maxKeys = 4): fc.Arbitrary<Record<string, unknown>> {
  return fc
    .uniqueArray(fc.tuple(names, items), { selector: ([name]) => name, maxLength: maxKeys })
    .map(Object.fromEntries)
}

/** Any JSON value, nested up to three levels. */
export const jsonValues: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 1, arbitrary: scalars },
  {
    weight: 4,
    arbitrary: containers(
      fc.oneof({ weight: 3, arbitrary: scalars }, containers(fc.oneof(scalars, containers(scalars, 2)), 3)),
      4,
    ),
  },
)

/** JSON text by another writer than ours: the code under test must not judge itself. */
export function toText(value: unknown): string {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return `[${value.map(toText).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{ ${Object.entries(value)
    .map(([name, item]) => `${JSON.stringify(name)} : ${toText(item)}`)
    .join(' , ')} }`
}

/** Freezes a value with all that it holds: what changes it throws. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value)
    for (const item of Object.values(value)) deepFreeze(item)
  }
  return value
}
