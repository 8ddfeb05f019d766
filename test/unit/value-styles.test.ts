import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { joinPairs, writeValue } from '../../src/checks/provider/requests/write-values.js'
import type { StyleName, TextType, ValueStyle } from '../../src/contract/request-model.js'
import { parseExactJson } from '../../src/json/exact-json.js'
import { parsePairs } from '../../src/media/fields.js'
import { decodeFromPairs, decodeFromText } from '../../src/media/value-styles.js'
import { check } from './support/check.js'

/** An object, a list of integers, a list of texts, and their parts. */
const textTypes: TextType[] = [
  {
    types: ['object'],
    properties: [
      ['whole', 3],
      ['flag', 4],
      ['text', 5],
      ['rest', 1],
      ['inner', 0],
    ],
  },
  { types: ['array'], items: 3 },
  { types: ['array'], items: 5 },
  { types: ['integer'] },
  { types: ['boolean'] },
  { types: ['string'] },
]
const context = { textTypes }

/** Any text but an empty one: a list of one empty text is written like an empty list. */
const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).map((each) => each.toWellFormed())
const scalars = { whole: fc.maxSafeInteger(), flag: fc.boolean(), text }
const flat = fc.record(scalars, { requiredKeys: ['whole'] })
const integers = fc.array(fc.maxSafeInteger(), { minLength: 1, maxLength: 4 })
/** Where the separator is percent-encoded like the items, these must not have it. */
const without = (separators: RegExp) =>
  fc.array(
    text.filter((each) => !separators.test(each)),
    { minLength: 1, maxLength: 4 },
  )
const flatWithout = (separators: RegExp) =>
  fc.record({ ...scalars, text: scalars.text.filter((each) => !separators.test(each)) }, { requiredKeys: ['whole'] })

function style(name: StyleName, explode: boolean, type: number): ValueStyle {
  return { name, explode, type }
}

interface Row {
  name: StyleName
  explode: boolean
  objects: fc.Arbitrary<object>
  texts: fc.Arbitrary<string[]>
}

/** Judges objects, lists of integers and lists of texts, each with its style. */
function checkAll({ name, explode, objects, texts }: Row, judge: (own: ValueStyle, value: unknown) => void): void {
  for (const [type, values] of [objects, integers, texts].entries()) {
    check<unknown>(values, (value) => judge(style(name, explode, type), value))
  }
}

const inPairs: Row[] = [
  { name: 'form', explode: true, objects: flat, texts: without(/^$/) },
  // One item with an encoded comma is read as two.
  { name: 'form', explode: false, objects: flat, texts: fc.array(text, { minLength: 2, maxLength: 4 }) },
  { name: 'spaceDelimited', explode: false, objects: flatWithout(/ /), texts: without(/ /) },
  { name: 'pipeDelimited', explode: false, objects: flatWithout(/\|/), texts: without(/\|/) },
]

describe('a value in a query', () => {
  it.each(inPairs)('is read as it was written in the style $name, explode $explode', (row) => {
    checkAll(row, (own, value) => {
      const query = joinPairs([...writeValue('p', own, value), ['other', '1']])
      expect(decodeFromPairs(parsePairs(query), 'p', own, context)?.value, query).toEqual(value)
    })
  })

  it('is read as it was written in the style deepObject, however deep', () => {
    const { node } = fc.letrec<{ node: object }>((tie) => ({
      node: fc.record(
        { ...scalars, rest: integers, inner: fc.option(tie('node'), { nil: undefined, maxDepth: 4 }) },
        { requiredKeys: ['whole'] },
      ),
    }))
    check(node, (written) => {
      const value = JSON.parse(JSON.stringify(written))
      const own = style('deepObject', true, 0)
      const query = joinPairs(writeValue('p', own, value))
      expect(decodeFromPairs(parsePairs(query), 'p', own, context)?.value, query).toEqual(value)
    })
  })

  it('is read as it was written as JSON', () => {
    check(fc.jsonValue(), (value) => {
      const own = style('json', false, 0)
      const query = joinPairs(writeValue('p', own, value))
      expect(decodeFromPairs(parsePairs(query), 'p', own, context)?.value).toEqual(
        parseExactJson(JSON.stringify(value)).exact,
      )
    })
  })

  it('never fails, whatever is sent', () => {
    const names = fc.stringMatching(/^[pa[\]01=&%+.]{0,12}$/)
    check(
      fc.tuple(names, names).map(([a, b]) => `${a}=${b}&p${b}=${a}`),
      (query) => {
        for (const { name, explode } of [...inPairs, { name: 'deepObject', explode: true } as const]) {
          for (const type of textTypes.keys())
            decodeFromPairs(parsePairs(query), 'p', style(name, explode, type), context)
        }
      },
    )
  })
})

const inText: Row[] = [
  { name: 'simple', explode: false, objects: flatWithout(/,/), texts: without(/,/) },
  { name: 'simple', explode: true, objects: flatWithout(/,/), texts: without(/,/) },
  { name: 'label', explode: false, objects: flatWithout(/,/), texts: without(/,/) },
  { name: 'label', explode: true, objects: flatWithout(/\./), texts: without(/\./) },
  { name: 'matrix', explode: false, objects: flatWithout(/[,;]/), texts: without(/[,;]/) },
  { name: 'matrix', explode: true, objects: flatWithout(/;/), texts: without(/;/) },
]

describe('a value in a path or header', () => {
  it.each(inText)('is read as it was written in the style $name, explode $explode', (row) => {
    checkAll(row, (own, value) => {
      const [[, written] = ['', '']] = writeValue('p', own, value, (each) => each)
      expect(decodeFromText(written, 'p', own, context), written).toEqual(value)
    })
  })
})
