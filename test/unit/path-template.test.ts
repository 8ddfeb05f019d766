import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decodeText,
  fillPath,
  matchSegment,
  parsePathTemplate,
  wholeParameter,
  writeQuery,
} from '../../src/contract/path-template.js'
import { check } from './support/check.js'
import { matchNaively } from './support/naive-segments.js'

/** The segments of a path as text, with the names of parameters in angle brackets. */
function segmentsOf(documented: string): string[] {
  return parsePathTemplate(documented).segments.map(({ texts, names }) =>
    texts.map((text, index) => (index === 0 ? text : `<${names[index - 1]}>${text}`)).join(''),
  )
}

describe('a documented path', () => {
  it.each([
    ['/', ['']],
    ['', ['']],
    ['/pets', ['pets']],
    ['pets', ['pets']],
    ['/pets/', ['pets', '']],
    ['//pets', ['', 'pets']],
    ['/pets/{id}', ['pets', '<id>']],
    ['/Accounts/{Sid}.json', ['Accounts', '<Sid>.json']],
    ['/compare/{base}...{head}', ['compare', '<base>...<head>']],
    ['/items/{id}:cancel', ['items', '<id>:cancel']],
    ['/items:{verb}', ['items:<verb>']],
    ['/report({id})', ['report(<id>)']],
    ['/map/{z}/{x}/{y}.{format}', ['map', '<z>', '<x>', '<y>.<format>']],
    ['/{a}{b}', ['<a><b>']],
    ['/a/{b', ['a', '{b']],
    ['/a/b}', ['a', 'b}']],
    ['/a/{}', ['a', '{}']],
    ['/{{a}}', ['{<a>}']],
    ['/{a/b}', ['{a', 'b}']],
    ['/{id?}', ['<id?>']],
    ['/a?b=c', ['a']],
    ['/a#b', ['a']],
    ['/#b?c', ['']],
    ['/a?b=c#d', ['a']],
    ['/a{?b,c}', ['a']],
    ['/a{?b}{&c}{#d}', ['a']],
    ['/__proto__/{constructor}', ['__proto__', '<constructor>']],
  ])('%j has the segments %j', (documented, segments) => {
    expect(segmentsOf(documented)).toEqual(segments)
  })

  it.each([
    ['/a', '', []],
    ['/a?b=c', 'b=c', [['b', 'c']]],
    [
      '/a?b=c&d=e',
      'b=c&d=e',
      [
        ['b', 'c'],
        ['d', 'e'],
      ],
    ],
    ['/a?b', 'b', [['b', '']]],
    ['/a?b=', 'b', [['b', '']]],
    ['/a?b=x%20y', 'b=x%20y', [['b', 'x y']]],
    ['/a?b={b}', '', [['b', undefined]]],
    [
      '/a?b={b}&c=1',
      'c=1',
      [
        ['b', undefined],
        ['c', '1'],
      ],
    ],
    ['/a?{b}', '', []],
    ['/a{?b}', '', []],
    ['/a?b=c#d=e', 'b=c', [['b', 'c']]],
    ['/a#b?c=d', '', []],
  ] as const)('%j prescribes the query %j', (documented, written, pairs) => {
    const template = parsePathTemplate(documented)
    expect(template.query.map(({ name, value }) => [name, value])).toEqual(pairs)
    expect(writeQuery(template)).toBe(written)
  })

  it('names the parameter that is a whole segment', () => {
    const wholeOf = (documented: string) => parsePathTemplate(documented).segments.map(wholeParameter)
    expect(wholeOf('/a/{b}/{c}.d/{e}{f}/')).toEqual([undefined, 'b', undefined, undefined, undefined])
  })

  it('is filled with values', () => {
    const fill = (documented: string) => fillPath(parsePathTemplate(documented), (name) => name.toUpperCase())
    expect(fill('a/{b}/{c}.{d}/e/?f=g')).toBe('/a/B/C.D/e/')
  })
})

function match(documented: string, text: string) {
  const [segment = { texts: [], names: [] }] = parsePathTemplate(documented).segments
  return matchSegment(segment, text)
}

describe('a segment with parameters', () => {
  it.each([
    ['/{a}', 'x', ['x']],
    ['/{a}', '', undefined],
    ['/{a}.json', 'x.json', ['x']],
    ['/{a}.json', 'x.json.json', ['x.json']],
    ['/{a}.json', '.json', undefined],
    ['/{a}.json', 'x.jsonx', undefined],
    ['/{a}.{b}', 'x.y', ['x', 'y']],
    ['/{a}.{b}', 'x.y.z', ['x', 'y.z']],
    ['/{a}.{b}', '..y', ['.', 'y']],
    ['/{a}.{b}', 'x.', undefined],
    ['/{a}-{b}', 'x-y-z', ['x', 'y-z']],
    ['/{a}-{b}', '---', ['-', '-']],
    ['/{a}...{b}', 'v1.0...v1.1', ['v1.0', 'v1.1']],
    ['/{a}...{b}', 'x....y', ['x', '.y']],
    ['/{a}-{b}.json', 'x-y-z.json', ['x', 'y-z']],
    ['/{a}-{b}-z', 'x-z', undefined],
    ['/{a}-{b}-z', 'x-y-z', ['x', 'y']],
    ['/{a}{b}', 'xyz', ['x', 'yz']],
    ['/{a}{b}', 'x', undefined],
    ['/{a}{b}{c}', 'xy', undefined],
    ['/aa{b}aa', 'aaa', undefined],
    ['/aa{b}aa', 'aaaaa', ['a']],
    ['/({a},{b})', '(1,2)', ['1', '2']],
    // A percent-encoded separator belongs to a value.
    ['/{a}:{b}', 'x%3Ay:z', ['x:y', 'z']],
    ['/{a}:cancel', 'x%2Fy:cancel', ['x/y']],
    ['/{a}.json', 'a%20b.json', ['a b']],
    // Unless nothing else fits.
    ['/{a}:cancel', 'x%3Acancel', ['x']],
    ['/{a}.json', 'x%2Ejson', ['x']],
    ['/{a} b', 'x%20b', ['x']],
    ['/{a}é', 'x%C3%A9', ['x']],
    ['/{a}%20b', 'x%20b', ['x']],
    ['/{a}%C3%A9', 'xé', ['x']],
    // A broken percent-encoding is part of a value, which then has no text.
    ['/{a}.json', '%zz.json', [undefined]],
    ['/{a}-{b}', '%zz-y', [undefined, 'y']],
    ['/{a} b', '%zz%20b', undefined],
  ])('%j takes from %j the values %j', (documented, text, values) => {
    expect(match(documented, text)).toEqual(values)
  })

  it('is split as trying all splits does', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '-', '.', '%2D', '%', '%C3%A9', 'é'), maxLength: 8 })
    const literal = fc.constantFrom('-', '.', '--', 'a', '-a', 'é', '%2D', '')
    const names = ['p', 'q', 'r', 's']
    const segments = fc.array(literal, { minLength: 2, maxLength: 5 })
    check(
      fc.tuple(segments, text),
      ([texts, given]) => {
        const own = { texts, names: names.slice(0, texts.length - 1) }
        expect(matchSegment(own, given)).toEqual(matchNaively(texts, given))
      },
      3000,
    )
  })

  it('gives back the values that a path is filled with, if they have no separator', () => {
    const value = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text.isWellFormed())
    check(fc.array(value, { minLength: 4, maxLength: 4 }), (values) => {
      const encoded = values.map((each) => encodeURIComponent(each).replace(/[.~()-]/g, toEscape))
      const template = parsePathTemplate('/({0}.{1}-{2}~{3})')
      const path = fillPath(template, (name) => encoded[Number(name)] ?? '')
      const [segment = { texts: [], names: [] }] = template.segments
      expect(matchSegment(segment, path.slice(1))).toEqual(values)
    })
  })

  it.each(['-'.repeat(10_000), 'x-'.repeat(5000), `${'-'.repeat(9999)}!`, '%2D'.repeat(3333), 'a'.repeat(10_000)])(
    'is compared with long text in linear time',
    (text) => {
      const documented = `/${'{p}-'.repeat(30)}{q}!`
      // With backtracking, this would take longer than the test may.
      for (let time = 0; time < 100; time++) match(documented, text)
      expect(match(documented, `${text}!`)?.length).toBe(text.includes('a') ? undefined : 31)
    },
  )
})

function toEscape(character: string): string {
  return `%${character.charCodeAt(0).toString(16)}`
}

it('decodes percent-encoded text, if it is well-formed', () => {
  expect(['a', '%61', '%C3%A9', '%', '%zz', '%ff'].map(decodeText)).toEqual([
    'a',
    'a',
    'é',
    undefined,
    undefined,
    undefined,
  ])
})
