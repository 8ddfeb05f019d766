/** Regular expressions of documents are read as their authors meant them. */
import { describe, expect, it } from 'vitest'
import { readPattern } from '../../src/document/patterns/read-pattern.js'

interface Case {
  pattern: string
  /** Absent if the pattern is right as it is. */
  isRepaired?: true
  matches: string[]
  refuses: string[]
}

const cases: Case[] = [
  { pattern: '^[a-z]+$', matches: ['abc'], refuses: ['ABC'] },
  { pattern: String.raw`^\p{L}+$`, matches: ['čaj'], refuses: ['1'] },
  { pattern: String.raw`^[\w\-]+$`, matches: ['a-b'], refuses: ['a b'] },
  { pattern: String.raw`^a\-b\_c$`, isRepaired: true, matches: ['a-b_c'], refuses: ['ab'] },
  { pattern: String.raw`^\"x\"$`, isRepaired: true, matches: ['"x"'], refuses: ['x'] },
  { pattern: String.raw`^[\w-.]+@x$`, isRepaired: true, matches: ['a.b-c@x'], refuses: ['a b@x'] },
  { pattern: '^[a-z0-9-.]*$', matches: ['a-.9'], refuses: ['A'] },
  { pattern: '^{[a-z]}$', isRepaired: true, matches: ['{a}'], refuses: ['a'] },
  { pattern: '^a{2}b{1,}c{1,2}$', matches: ['aabc'], refuses: ['abc'] },
  { pattern: '^a]$', isRepaired: true, matches: ['a]'], refuses: ['a'] },
  { pattern: '^x{,3}$', isRepaired: true, matches: ['x{,3}'], refuses: ['xx'] },
  { pattern: String.raw`\A[0-9]+\z`, isRepaired: true, matches: ['12'], refuses: ['a12', 'A12z'] },
  { pattern: '(?i)^abc$', isRepaired: true, matches: ['abc'], refuses: ['abcd'] },
  { pattern: '^(?P<year>[0-9]{4})$', isRepaired: true, matches: ['2026'], refuses: ['26'] },
  { pattern: '^[[:alpha:]_]+$', isRepaired: true, matches: ['a_b'], refuses: ['1'] },
  { pattern: '^[a-z]++$', isRepaired: true, matches: ['abc'], refuses: ['1'] },
  { pattern: String.raw`/^[a-z\-]+$/i`, isRepaired: true, matches: ['a-b'], refuses: ['1'] },
  { pattern: String.raw`^\p{XDigit}{2}-\P{XDigit}$`, isRepaired: true, matches: ['aF-g'], refuses: ['g1-g', 'aF-f'] },
  { pattern: String.raw`^[\p{Alnum}\p{Punct}\p{Blank}]+$`, isRepaired: true, matches: ['a! \t~'], refuses: ['č'] },
  { pattern: String.raw`^[^\p{Cntrl}]+$`, isRepaired: true, matches: ['ač'], refuses: ['\n'] },
  { pattern: String.raw`^\p{Print}+$`, isRepaired: true, matches: ['a b'], refuses: ['a\nb'] },
  { pattern: String.raw`^[\p{IsLetter}\p{Han}]+$`, isRepaired: true, matches: ['č中'], refuses: ['1'] },
  { pattern: String.raw`^[^/:|\000-\037]+$`, isRepaired: true, matches: ['a b'], refuses: ['a/b', 'a\u001fb'] },
  { pattern: String.raw`^[\x{60}\x{1f600}]+$`, isRepaired: true, matches: ['`😀'], refuses: ['6'] },
  {
    pattern: String.raw`^(((?!-)[a-z0-9-]{0,62}[a-z0-9])\.)+((?!-(?=a))[a-z0-9-]{1,62}[a-z0-9])$`,
    isRepaired: true,
    matches: ['a.b-c.example'],
    refuses: ['string', 'a..bc'],
  },
  { pattern: '(?i)^[g-k]{2}$', isRepaired: true, matches: ['gh', 'Gh', 'GH'], refuses: ['ga', 'ghi'] },
  { pattern: '/^[g-k]{2}$/i', isRepaired: true, matches: ['Gh'], refuses: ['gz'] },
  { pattern: '^(?i)key-[^a-c]é$', isRepaired: true, matches: ['KEY-dÉ'], refuses: ['key-Aé', 'kéy-dé'] },
  { pattern: '^(?i:ab)c$', isRepaired: true, matches: ['aBc'], refuses: ['ab'] },
  { pattern: '(?im)^a.c$', isRepaired: true, matches: ['x\nAbC\ny'], refuses: ['xabc', 'a\nc'] },
  { pattern: '(?s)^a.c$', isRepaired: true, matches: ['a\nc'], refuses: ['ac'] },
  { pattern: '/^a.c$/s', isRepaired: true, matches: ['a\nc'], refuses: ['ac'] },
  { pattern: '(?x) ^ [a b]+ [0-9] # a digit\n $', isRepaired: true, matches: ['a b1'], refuses: ['ab', '-a1'] },
  { pattern: '(?u)^é$', isRepaired: true, matches: ['é'], refuses: ['e'] },
  { pattern: '(?-i)^a$', isRepaired: true, matches: ['a'], refuses: ['b'] },
  { pattern: String.raw`(?i)\A\p{Lu}[x]\Z`, isRepaired: true, matches: ['aX', 'AX'], refuses: ['1x'] },
  { pattern: '^(?>ab|a)[*+]?+c{2}+$', isRepaired: true, matches: ['abcc', 'a+cc'], refuses: ['abc', 'ab++cc'] },
  {
    pattern: String.raw`^a\++\h[\h]\Q.*\E(?#more)$`,
    isRepaired: true,
    matches: ['a++ \t.*'],
    refuses: ['a  xx', 'ahh.*'],
  },
  { pattern: '^(?P<a>x)(?P=a)$', isRepaired: true, matches: ['xx'], refuses: ['x'] },
  { pattern: '^[(?i)]$', matches: ['?', 'i'], refuses: ['I'] },
  { pattern: String.raw`^\/a$`, matches: ['/a'], refuses: ['a'] },
]

describe('reads the pattern', () => {
  for (const { pattern: written, isRepaired, matches, refuses } of cases) {
    it(written, () => {
      const { pattern, why } = readPattern(written)
      expect(why === undefined).toBe(isRepaired === undefined)
      const read = new RegExp(pattern ?? '', 'u')
      for (const text of matches) expect(read.test(text), text).toBe(true)
      for (const text of refuses) expect(read.test(text), text).toBe(false)
    })
  }
})

it.each([
  String.raw`[\p{Print}&&[^|:/]]+`,
  '^((a+)+)\\2$',
  '(',
  '[z-a]',
  '*a',
  String.raw`^\p{Foo}$`,
  '(?<a>x)(?<a>y)',
])('cannot read %s, and says why', (written) => {
  expect(readPattern(written)).toEqual({ why: expect.stringContaining(JSON.stringify(written)) })
})

it('reads a pattern without the flag u as one with it', () => {
  const loose = [String.raw`[\-\_]\@`, 'a{', '}', ']', String.raw`[\d-x]`, String.raw`\a\e\i`, '{{name}}', 'x{1']
  const texts = ['-@', '_@', 'a{', '}', ']', '1', '-', 'x', 'aei', '{{name}}', 'x{1', '']
  for (const written of loose) {
    const read = new RegExp(readPattern(written).pattern ?? '(?!)', 'u')
    const original = new RegExp(written)
    for (const text of texts) expect(read.test(text), `${written} on ${text}`).toBe(original.test(text))
  }
})

it('leaves out lookaround that the documented example contradicts', () => {
  const wrong = '^[a-z]((?!--|..)[a-z.-])+$'
  expect(readPattern(wrong, 'north-sea')).toEqual({ pattern: '^[a-z]([a-z.-])+$', why: expect.stringContaining(wrong) })
  expect(readPattern(wrong)).toEqual({ pattern: wrong })
  const right = '^[a-z]((?!--)[a-z-])+$'
  expect(readPattern(right, 'north-sea')).toEqual({ pattern: right })
})

it.each([
  ['comments', '(?#'.repeat(30_000)],
  ['classes', `(?x)${'['.repeat(60_000)}`],
])('reads unfinished %s in linear time, and refuses them', (_, written) => {
  const { user } = process.cpuUsage()
  expect(readPattern(written).pattern).toBeUndefined()
  expect(process.cpuUsage().user - user).toBeLessThan(2_000_000)
})
