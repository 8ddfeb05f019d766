import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseExactJson } from '../../src/json/exact-json.js'
import { PatchError } from '../../src/json/patch-error.js'
import { allCodecs } from '../../src/media/all-codecs.js'
import { type BodySource, DecodeError } from '../../src/media/codec.js'
import { jsonCodec } from '../../src/media/json-codec.js'
import { jsonPatchCodec } from '../../src/media/json-patch-codec.js'
import { mergePatchCodec } from '../../src/media/merge-patch-codec.js'
import { check } from './support/check.js'
import { deepFreeze, jsonValues, objectsOf, texts, toText } from './support/json-values.js'
import { contract } from './support/worlds.js'

/** Those that read JSON, for which only the text counts. */
const codecs = [jsonCodec, mergePatchCodec, jsonPatchCodec]
const source: BodySource = {
  bytes: new Uint8Array(),
  contentType: undefined,
  content: { mediaType: 'application/json', codec: 'json', validate: 0, shape: 0 },
  contract,
}

describe('a codec', () => {
  it('has the name under which it is found', () => {
    expect(Object.entries(allCodecs).map(([name, codec]) => [name, codec.name])).toStrictEqual([
      ['json', 'json'],
      ['merge-patch', 'merge-patch'],
      ['json-patch', 'json-patch'],
      ['form', 'form'],
      ['multipart', 'multipart'],
      ['text', 'text'],
      ['binary', 'binary'],
    ])
  })

  it('decodes JSON exactly', () => {
    check(jsonValues.map(toText), (text) => {
      const { exact, rounded } = parseExactJson(text)
      for (const { decode } of codecs) {
        const decoded = decode(text, source)
        expect(isDeepStrictEqual([decoded.exact, decoded.rounded], [exact, rounded])).toBe(true)
      }
    })
  })

  it('decodes or throws a DecodeError, with the place in the text', () => {
    check(
      fc.oneof(
        texts,
        fc.json(),
        fc.json().map((text) => text.slice(1)),
        fc.constantFrom('', '\ufeff{}', '{"a":01}', '[1,]'),
      ),
      (text) => {
        for (const { decode } of codecs) {
          try {
            decode(text, source)
          } catch (error) {
            expect(error).toBeInstanceOf(DecodeError)
            expect((error as DecodeError).message).toMatch(
              /^The body is not valid JSON: line \d+, column \d+: found (the end|".+")$/su,
            )
          }
        }
      },
    )
  })

  it('says that a text is nested too deep', () => {
    const text = '['.repeat(513) + ']'.repeat(513)
    for (const { decode } of codecs)
      expect(() => decode(text, source)).toThrow(new DecodeError('JSON must not be nested deeper than 512 levels'))
  })

  it('makes a new record, and leaves the record and the body as they are', () => {
    check(
      fc.tuple(objectsOf(jsonValues), fc.oneof(objectsOf(jsonValues), jsonValues)).map(deepFreeze),
      ([record, body]) => {
        for (const { patch } of codecs) {
          try {
            patch(record, body)
          } catch (error) {
            expect(error).toBeInstanceOf(PatchError)
          }
        }
      },
    )
  })
})

describe('the codec for JSON', () => {
  it('puts each property that is sent in the place of the old one', () => {
    check(fc.tuple(objectsOf(jsonValues), objectsOf(jsonValues)), ([record, body]) => {
      const patched = new Map([...Object.entries(record), ...Object.entries(body)])
      expect(isDeepStrictEqual(jsonCodec.patch(record, body), Object.fromEntries(patched))).toBe(true)
    })
  })
})
