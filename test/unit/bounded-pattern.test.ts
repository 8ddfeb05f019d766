/** Patterns match the same as in JavaScript, without taking exponential time. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boundPattern, isExponential } from '../../src/document/patterns/bounded-pattern.js'

const harmless = [
  '^[a-z]+$',
  '^[A-Z]{3}-[0-9]{4}$',
  '^(\\d{1,3}\\.){3}\\d{1,3}$',
  '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$',
  '^(?=.*[A-Z])(?=.*\\d).{8,}$',
  '^(red|green|blue)$',
  '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  '^[a-z]((?!--|__)[a-z_-])+$',
]
const dangerous = ['^(a+)+$', '^(a|aa)*$', '(x+x+)+y', '^(\\w+\\s?)*$', '^((a{1,5}){1,20})$', '^(a?){30}a{30}$']

it.each(harmless)('%s is harmless', (pattern) => expect(isExponential(pattern)).toBe(false))

describe.each(dangerous)('%s', (pattern) => {
  it('is matched by another engine, however long the text is', () => {
    expect(isExponential(pattern)).toBe(true)
    const bounded = boundPattern(pattern)
    for (const text of ['a'.repeat(20_000), 'x'.repeat(20_000), `${'a'.repeat(20_000)}!`]) {
      expect(bounded?.test(text)).toBeTypeOf('boolean')
    }
  })

  it('matches the same texts', () => {
    const own = new RegExp(pattern, 'u')
    const bounded = boundPattern(pattern)
    const text = fc.string({ unit: fc.constantFrom('a', 'x', 'y', ' '), maxLength: 12 })
    fc.assert(fc.property(text, (each) => bounded?.test(each) === own.test(each)))
  })
})

it('matches a long text against several quantifiers', () => {
  const bounded = boundPattern('^\\s*a*\\s*b*\\s*$')
  expect(bounded?.test(`${' '.repeat(50_000)}!`)).toBe(false)
  expect(bounded?.test(' '.repeat(50_000))).toBe(true)
  expect(boundPattern('a+$')?.test(`${'a'.repeat(100_000)}!`)).toBe(false)
})

it('reads no pattern that only the engine of JavaScript knows, if that takes exponential time', () => {
  expect(boundPattern('^(?=(a+)+b)a')).toBeUndefined()
  expect(boundPattern('^(?=(a|a|a)+b)a')).toBeUndefined()
  expect(boundPattern('^(?=a)ab$')?.test('ab')).toBe(true)
})

it('looks ahead in each repetition of a group', () => {
  const bounded = boundPattern('^[a-z]((?!--|__)[a-z_-])+$')
  expect(['north-sea', 'north--sea', 'a__b'].map((text) => bounded?.test(text))).toEqual([true, false, false])
})

it('reads more repetitions than the other engine counts as no limit, but not in a character class', () => {
  const bounded = boundPattern(String.raw`^x(\w|\/|-){2,1011}$`)
  expect(['xa', 'xab', `x${'a'.repeat(2000)}`].map((text) => bounded?.test(text))).toEqual([false, true, true])
  const literal = boundPattern('^([{1,2000}]+)+$')
  expect(['{2}', '3'].map((text) => literal?.test(text))).toEqual([true, false])
})
