// JSON whose repeated parts are written once.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCompact, writeCompact } from '../../src/json/compact-json.js'
import { parseExactJson } from '../../src/json/exact-json.js'

const long = 'a text that is written once'

describe('compact JSON', () => {
  it.each([
    ['a text', [long, long], `["$",[${JSON.stringify(long)}],[{"$":0},{"$":0}]]`],
    ['an object', [{ a: long }, { a: long }], `["$",[{"a":${JSON.stringify(long)}}],[{"$":0},{"$":0}]]`],
    ['a short part', [[1], [1]], '["$",[],[[1],[1]]]'],
    ['the name of references', [{ $: 1 }, '$$'], '["$$$",[],[{"$":1},"$$"]]'],
    ['nothing', null, '["$",[],null]'],
  ])('writes %s', (_, value, text) => {
    expect(writeCompact(value)).toBe(text)
    expect(readCompact(text)).toEqual(value)
  })

  it('reads what it has written', () => {
    const parts = fc.constantFrom<unknown>(
      long,
      `${long}\n'"\\`,
      { a: long, b: [long] },
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    )
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        parts,
        fc.jsonValue(),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.constantFrom('a', '$', '$$', '__proto__', 'constructor'), tie('value'), {
          noNullPrototype: true,
        }),
      ),
    })).value
    fc.assert(
      fc.property(json, (value) => {
        const text = JSON.stringify(value)
        expect(JSON.stringify(readCompact(writeCompact(JSON.parse(text))))).toBe(text)
      }),
    )
  })

  it('keeps every digit of numbers', () => {
    const { exact } = parseExactJson('[[12345678901234567890, 1.5],[12345678901234567890, 1.5]]')
    const text = writeCompact(exact)
    expect(readCompact(text)).toEqual(exact)
  })

  it('gives each use a value of its own', () => {
    const [one, other] = readCompact(writeCompact([{ a: long }, { a: long }])) as object[]
    expect(one).toEqual(other)
    expect(one).not.toBe(other)
  })
})
