import { IncomingMessage, ServerResponse, validateHeaderName, validateHeaderValue } from 'node:http'
import { Socket } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SandboxResponse } from '../../src/sandbox/request/request.js'
import { encodeHeaderValue, toSendable } from '../../src/sandbox/responses/sendable-response.js'
import { check } from './support/check.js'
import { characters, texts } from './support/json-values.js'

const statuses = fc.oneof(
  fc.integer({ min: 100, max: 700 }),
  fc.constantFrom(0, -1, 99, 199, 200, 204, 205, 304, 599, 600, 1000, 200.5, Number.NaN, Infinity),
)
const headerTexts = fc.oneof(
  texts,
  fc.string({ unit: characters }),
  fc.constantFrom('a\r\nSet-Cookie: b=c', '\r', '\n', '\x7f', '\x80', ' a ', '%'),
)
const headerNames = fc.oneof(
  fc.constantFrom(
    'Content-Type',
    'content-type',
    'Location',
    'X-Name',
    '__proto__',
    'constructor',
    '',
    'a b',
    'ä',
    'a\n',
    'a:',
  ),
  headerTexts,
)
const responses: fc.Arbitrary<SandboxResponse> = fc.record({
  status: statuses,
  headers: fc
    .array(fc.tuple(headerNames, headerTexts), { maxLength: 5 })
    .map((all): Record<string, string> => Object.fromEntries(all)),
  body: fc.oneof(fc.constant(undefined), texts, fc.uint8Array({ maxLength: 4 })),
})

describe('what leaves the boundary', () => {
  it('can be sent by fetch and by node:http', () => {
    check(
      responses,
      (response) => {
        const { status, headers, body } = toSendable(response)
        expect(new Response(body as BodyInit | undefined, { status, headers }).status).toBe(status)
        for (const [name, value] of Object.entries(headers)) {
          validateHeaderName(name)
          validateHeaderValue(name, value)
          expect(name + value).not.toMatch(/[\r\n\0]/)
        }
        const outgoing = new ServerResponse(new IncomingMessage(new Socket()))
        outgoing.writeHead(status, headers)
        outgoing.end(body)
      },
      800,
    )
  })

  it('is the same when it passes once more, and stays as it is where it can be sent', () => {
    check(responses, (response) => {
      const once = toSendable(response)
      expect(toSendable(once)).toBe(once)
    })
  })

  it('keeps each header that has a name, with a value that decodes to the same', () => {
    check(responses, (response) => {
      const { headers } = toSendable(response)
      const named = Object.entries(response.headers).filter(([name]) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
      for (const [name, value] of named) {
        const isDropped =
          name === 'Content-Type' && [204, 205, 304].includes(response.status) && response.body !== undefined
        if (isDropped) expect(Object.keys(headers)).not.toContain(name)
        else expect(Object.getOwnPropertyDescriptor(headers, name)?.value).toBe(encodeHeaderValue(value))
      }
      expect(Object.keys(headers).length).toBeLessThanOrEqual(named.length)
    })
  })

  it('encodes only what a header cannot hold, so that it decodes to the text', () => {
    check(headerTexts, (text) => {
      const withoutPercent = text.replaceAll('%', '')
      expect(decodeURIComponent(encodeHeaderValue(withoutPercent))).toBe(toWellFormed(withoutPercent))
      expect(encodeHeaderValue('Visible ASCII, 100 %\t')).toBe('Visible ASCII, 100 %\t')
    })
  })

  it.each([[199], [600], [0], [200.5], [Number.NaN]])('has the status 500 in place of %s, and its body', (status) => {
    expect(toSendable({ status, headers: { A: 'b' }, body: '{}' })).toStrictEqual({
      status: 500,
      headers: { A: 'b' },
      body: '{}',
    })
  })

  it.each([[204], [205], [304]])('has no body with the status %s', (status) => {
    const response = { status, headers: { 'Content-Type': 'text/plain', A: 'b' }, body: 'x', bytes: new Uint8Array(1) }
    expect(toSendable(response)).toStrictEqual({ status, headers: { A: 'b' }, body: undefined, bytes: undefined })
  })
})

/** Like `String.prototype.toWellFormed`, which TypeScript does not know here. */
function toWellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}
