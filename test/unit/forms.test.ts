import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { joinPairs, writeBrackets } from '../../src/checks/provider/requests/write-values.js'
import type { TextType } from '../../src/contract/request-model.js'
import { DecodeError } from '../../src/media/codec.js'
import { collectFields, decodeFields, parsePairs } from '../../src/media/fields.js'
import { toParameters } from '../../src/media/media-type-parameters.js'
import { parseMultipart } from '../../src/media/parse-multipart.js'
import { toMultipart } from '../support/multipart.js'
import { check, checkLater } from './support/check.js'

const bytes = fc.uint8Array({ maxLength: 60 })
/** Bytes that look like parts of a boundary. */
const hostile = fc
  .array(fc.constantFrom('\r\n', '--x', '--', '\r', '\n', 'x', '--x--', ' '), { maxLength: 8 })
  .map((pieces) => new TextEncoder().encode(pieces.join('')))
const boundary = fc.stringMatching(/^[A-Za-z0-9'()+_,./:=?-]{1,70}$/)
const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 }).map((text) => text.toWellFormed())

/** The way of browsers. */
function quoteName(text: string): string {
  return `"${text.replace(/\n/g, '%0A').replace(/\r/g, '%0D').replace(/"/g, '%22')}"`
}

describe('a multipart body', () => {
  it('is split into parts that keep every byte', () => {
    check(fc.tuple(boundary, fc.array(fc.oneof(bytes, hostile), { maxLength: 5 })), ([edge, bodies]) => {
      const safe = bodies.filter((body) => !new TextDecoder('latin1').decode(body).includes(`--${edge}`))
      const parts = safe.map((body, index) => ({
        headers: [`Content-Disposition: form-data; name="f${index}"`, 'Content-Type: application/octet-stream'],
        body,
      }))
      expect(parseMultipart(toMultipart([...parts], edge), edge).map((part) => [...part.bytes])).toEqual(
        safe.map((body) => [...body]),
      )
    })
  })

  it('is read as the platform writes it', async () => {
    const entries = fc.array(
      fc.tuple(
        name.filter((each) => !/[\\%\r]/.test(each)),
        fc.oneof(
          name.filter((each) => !/[\r\n]/.test(each)),
          bytes,
        ),
      ),
      {
        minLength: 1,
        maxLength: 5,
      },
    )
    await checkLater(
      entries,
      async (values) => {
        const form = new FormData()
        for (const [key, value] of values) {
          if (typeof value === 'string') form.append(key, value)
          else form.append(key, new Blob([new Uint8Array(value)], { type: 'image/png' }), `${key}.png`)
        }
        const response = new Response(form)
        const edge = toParameters(response.headers.get('content-type') ?? '').get('boundary') ?? ''
        const parts = parseMultipart(new Uint8Array(await response.arrayBuffer()), edge)
        const read = parts.map((part) => [
          part.name.replaceAll('\r\n', '\n'),
          part.filename?.replaceAll('\r\n', '\n'),
          part.type,
          [...part.bytes],
        ])
        expect(read).toEqual(
          values.map(([key, value]) =>
            typeof value === 'string'
              ? [key, undefined, undefined, [...new TextEncoder().encode(value)]]
              : [key, `${key}.png`, 'image/png', [...value]],
          ),
        )
      },
      100,
    )
  })

  it('is read or refused with a reason, whatever it holds', () => {
    check(
      fc.oneof(
        bytes,
        hostile,
        fc.array(hostile, { maxLength: 5 }).map((all) => new Uint8Array(Buffer.concat(all))),
      ),
      (body) => {
        try {
          parseMultipart(body, 'x')
        } catch (error) {
          expect(error).toBeInstanceOf(DecodeError)
        }
      },
    )
  })

  it.each([
    ['form-data; name=plain', 'plain', undefined],
    ['form-data; NAME="a b"; FileName="c;d.txt"', 'a b', 'c;d.txt'],
    ['form-data; name="a \\"b\\" \\\\"; filename="x"', 'a "b" \\', 'x'],
    ['form-data; name="%22a%0D%0A%41"; filename="C:\\dir\\x"', '"a\r\n%41', 'C:\\dir\\x'],
    ["form-data; name=a; filename=x; filename*=UTF-8''na%C3%AFve.txt", 'a', 'naïve.txt'],
    ['form-data; name="é"; filename="😀.png"', 'é', '😀.png'],
  ])('has names as in %s', (disposition, expected, filename) => {
    const [part] = parseMultipart(toMultipart([{ headers: [`Content-Disposition: ${disposition}`], body: '' }]), 'x')
    expect([part?.name, part?.filename]).toEqual([expected, filename])
  })

  it('has the names that browsers quote', () => {
    check(
      name.filter((each) => !/\\|%/.test(each)),
      (each) => {
        const headers = [`Content-Disposition: form-data; name=${quoteName(each)}`]
        expect(parseMultipart(toMultipart([{ headers, body: '' }]), 'x')[0]?.name).toBe(each)
      },
    )
  })

  it('of a million lines is read in linear time', () => {
    const lines = '--x\r\n'.repeat(200_000)
    expect(() => parseMultipart(new TextEncoder().encode(lines), 'x')).toThrow(DecodeError)
    const body = toMultipart([{ headers: ['Content-Disposition: form-data; name=a'], body: '\r\n--y'.repeat(200_000) }])
    expect(parseMultipart(body, 'x')[0]?.bytes.length).toBe(1_000_000)
  })
})

describe('a form', () => {
  const textTypes: TextType[] = [
    {
      types: ['object'],
      properties: [
        ['text', 1],
        ['whole', 2],
        ['list', 3],
        ['inner', 0],
        ['list of objects', 4],
      ],
    },
    { types: ['string'] },
    { types: ['integer'] },
    { types: ['array'], items: 2 },
    { types: ['array'], items: 0 },
  ]
  const { node } = fc.letrec<{ node: object }>((tie) => {
    const inner = fc.option(tie('node'), { nil: undefined, maxDepth: 3 })
    const list = fc.array(fc.maxSafeInteger(), { minLength: 1, maxLength: 3 })
    return {
      node: fc.record(
        {
          text: name,
          whole: fc.maxSafeInteger(),
          list,
          inner,
          'list of objects': fc.option(fc.tuple(tie('node')), { nil: undefined, maxDepth: 2 }),
        },
        { requiredKeys: ['whole'] },
      ),
    }
  })

  it('is read as it was written, however deep', () => {
    check(node, (written) => {
      const value = JSON.parse(JSON.stringify(written))
      const text = joinPairs(
        Object.entries(value).flatMap(([key, inner]) => writeBrackets(encodeURIComponent(key), inner)),
      )
      expect(
        decodeFields(
          collectFields(parsePairs(text), () => false),
          textTypes[0],
          { textTypes },
        ),
        text,
      ).toEqual(value)
    })
  })

  it('has the pairs that the platform reads', () => {
    check(fc.string({ unit: fc.constantFrom('a', '=', '&', '+', '%', '4', '1', '?', 'é', ' ') }), (text) => {
      expect(parsePairs(text).map(({ name: key, value }) => [key, value])).toEqual([...new URLSearchParams(`&${text}`)])
    })
  })
})
