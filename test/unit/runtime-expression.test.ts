/** Reads runtime expressions (OpenAPI 3.1, section 4.8.20.4). */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseExpressionTemplate, parseRuntimeExpression } from '../../src/contract/runtime-expression.js'

it.each([
  ['$url', { of: 'url' }],
  ['$method', { of: 'method' }],
  ['$statusCode', { of: 'statusCode' }],
  ['$request.header.X-Webhook', { of: 'request', in: 'header', name: 'X-Webhook' }],
  ['$request.query.q', { of: 'request', in: 'query', name: 'q' }],
  ['$request.query.a[b]', { of: 'request', in: 'query', name: 'a[b]' }],
  ['$request.path.id', { of: 'request', in: 'path', name: 'id' }],
  ['$request.body', { of: 'request', in: 'body' }],
  ['$request.body#', { of: 'request', in: 'body', pointer: [] }],
  ['$request.body#/', { of: 'request', in: 'body', pointer: [''] }],
  ['$request.body#/a~1b/~0/0', { of: 'request', in: 'body', pointer: ['a/b', '~', '0'] }],
  ['$response.body#/id', { of: 'response', in: 'body', pointer: ['id'] }],
  ['$response.header.Location', { of: 'response', in: 'header', name: 'Location' }],
])('reads %s', (text, expected) => {
  expect(parseRuntimeExpression(text)).toEqual({ text, ...expected })
})

it.each([
  ...['', '$', 'url', '$Url', '$url.x', '$request', '$request.', '$request.cookie.a', '$request.header.', '$response'],
  ...['$request.header.a b', '$request.body.url', '$request.body/url', '$request.body#url', '$request.body#/a~2'],
  ...['$request.body#/~', 'request.body#/url', ' $url', '$statuscode'],
])('refuses "%s"', (text) => {
  expect(parseRuntimeExpression(text)).toBeUndefined()
})

/** The grammar of the standard, as texts with what they mean. */
const names = fc.string({ unit: fc.constantFrom(...'aB0-_.[]'), maxLength: 8 })
const tokens = fc.string({ unit: fc.constantFrom(..."aZ9!#$%&'*+-.^_`|~"), minLength: 1, maxLength: 8 })
const pointers = fc.array(fc.string({ maxLength: 6 }), { maxLength: 4 })
const sources = fc.oneof(
  tokens.map((name) => [`header.${name}`, { in: 'header', name }] as const),
  names.map((name) => [`query.${name}`, { in: 'query', name }] as const),
  names.map((name) => [`path.${name}`, { in: 'path', name }] as const),
  fc.constant(['body', { in: 'body' }] as const),
  pointers.map((pointer) => {
    const written = pointer.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    return [`body#${written.join('')}`, { in: 'body', pointer }] as const
  }),
)

it('reads every expression of the grammar', () => {
  const all = fc.tuple(fc.constantFrom('request', 'response'), sources)
  fc.assert(
    fc.property(all, ([of, [written, meaning]]) => {
      const text = `$${of}.${written}`
      expect(parseRuntimeExpression(text)).toEqual({ text, of, ...meaning })
    }),
  )
})

it('reads texts with expressions in braces, and never loses a character', () => {
  const literals = fc.string({ unit: fc.constantFrom(...'a:/?&=$ü'), maxLength: 6 }).filter((text) => text[0] !== '$')
  const embedded = sources.filter(([written]) => !/[{}]/.test(written)).map(([written]) => `{$request.${written}}`)
  fc.assert(
    fc.property(fc.array(fc.tuple(literals, embedded), { maxLength: 4 }), literals, (pairs, end) => {
      const text = pairs.flat().join('') + end
      const parts = parseExpressionTemplate(text)
      if (!Array.isArray(parts)) throw new Error(parts.wrong)
      expect(parts.map((part) => (typeof part === 'string' ? part : `{${part.text}}`)).join('')).toBe(text)
      expect(parts.filter((part) => typeof part !== 'string')).toHaveLength(pairs.length)
    }),
  )
})

it.each([
  ['{request.body#/url}', '{request.body#/url}'],
  ['http://a/{id}', '{id}'],
  ['http://a/{$request.body.id}', '{$request.body.id}'],
  ['$request.url', '$request.url'],
  ['http://a/{$url', 'http://a/{$url'],
])('names what is wrong in %s', (text, wrong) => {
  expect(parseExpressionTemplate(text)).toEqual({ wrong })
})
