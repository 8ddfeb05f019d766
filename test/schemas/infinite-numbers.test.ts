/** A number that no double can represent is refused wherever it is sent, as it cannot be written as JSON. */
import { compileDocument, createSandbox } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import { documentOf, doors, openDocument, receive } from '../support/one-operation.js'

const schema = {
  type: 'object',
  properties: { id: { type: 'integer' }, any: {}, typed: { type: 'number' }, object: { type: 'object' } },
}
const json = { content: { 'application/json': { schema } } }
const jsonOf = (items: object) => ({ content: { 'application/json': { schema: items } } })
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } }
const text = documentOf({
  '/things': {
    get: { responses: { 200: { description: 'ok', ...jsonOf({ type: 'array', items: schema }) } } },
    post: {
      requestBody: {
        content: {
          ...json.content,
          'application/x-www-form-urlencoded': { schema },
          'multipart/form-data': { schema, encoding: { any: { contentType: 'application/json' } } },
        },
      },
      responses: { 201: { description: 'ok', ...json } },
    },
  },
  '/things/{id}': {
    parameters: [id],
    get: { responses: { 200: { description: 'ok', ...json } } },
    put: { requestBody: json, responses: { 200: { description: 'ok', ...json } } },
    patch: {
      requestBody: {
        content: { 'application/merge-patch+json': { schema }, 'application/json-patch+json': { schema: {} } },
      },
      responses: { 200: { description: 'ok', ...json } },
    },
  },
})

const multipart = 'multipart/form-data; boundary=b'
const part = (value: string) =>
  `--b\r\nContent-Disposition: form-data; name="any"\r\nContent-Type: application/json\r\n\r\n${value}\r\n--b--\r\n`
const form = 'application/x-www-form-urlencoded'

/** Requests with a number in the place of `N`. */
const requests: [what: string, method: string, target: string, type: string, body: string][] = [
  ['alone', 'POST', '/things', 'application/json', '{"any":N}'],
  ['in a list', 'POST', '/things', 'application/json', '{"any":[1,[N]]}'],
  ['in an object', 'POST', '/things', 'application/json', '{"any":{"__proto__":{"a":N}}}'],
  ['beside an inexact number', 'POST', '/things', 'application/json', '{"any":[N,1.00000000000000001]}'],
  ['with a type', 'POST', '/things', 'application/json', '{"typed":N}'],
  ['in a form', 'POST', '/things', form, 'object=%7B%22a%22%3AN%7D'],
  ['in a part of a multipart body', 'POST', '/things', multipart, part('{"a":N}')],
  ['in a replacement', 'PUT', '/things/1', 'application/json', '{"any":N}'],
  ['in a merge patch', 'PATCH', '/things/1', 'application/merge-patch+json', '{"any":N}'],
  ['in a JSON Patch', 'PATCH', '/things/1', 'application/json-patch+json', '[{"op":"add","path":"/any","value":N}]'],
]

describe.each(doors)('through %s', (door) => {
  async function sendAll(number: string): Promise<unknown[]> {
    const connection = await openDocument(door, text)
    await receive(connection, {
      method: 'POST',
      target: '/things',
      headers: [['Content-Type', 'application/json']],
      body: '{"any":1}',
    })
    const got: unknown[] = []
    for (const [what, method, target, type, body] of requests) {
      const headers = [['Content-Type', type]] as const
      const { status } = await receive(connection, { method, target, headers, body: body.replace('N', number) })
      got.push([what, status < 300 ? 'stored' : status])
    }
    return got
  }

  it.each([
    ['1e400', '1e400'],
    ['-1e400', '-1e400'],
    ['a huge exponent', '1E+999999999'],
    ['400 digits', `1${'0'.repeat(400)}`],
    ['1e-400', '1e-400'],
    ['-1E-400', '-1E-400'],
    ['many zeros after the point', `0.${'0'.repeat(400)}1`],
  ])('refuses %s', async (_, number) => {
    expect(await sendAll(number)).toEqual(requests.map(([what]) => [what, 400]))
  })

  it.each([['1e308'], ['-1.7e308'], ['5e-324'], ['0e-400']])('stores %s', async (number) => {
    expect(await sendAll(number)).toEqual(requests.map(([what]) => [what, 'stored']))
  })
})

it('answers a number with an exponent as briefly as it was sent', async () => {
  const connection = await openDocument('fetch', text)
  const sent = `{"id":1,"any":[${Array(1000).fill('1e300').join(',')},-1.5E+40,12e39]}`
  const headers = [['Content-Type', 'application/json']] as const
  const { status, text: answer } = await receive(connection, { method: 'POST', target: '/things', headers, body: sent })
  const any = [...Array(1000).fill('1e+300'), '-1.5e+40', `12${'0'.repeat(39)}`]
  expect([status, answer]).toEqual([201, `{"id":1,"any":[${any.join(',')}]}`])
})

it('refuses a scenario with one', async () => {
  const { contract } = await compileDocument(text)
  const scenario = { things: [{ id: 1, any: [Number.POSITIVE_INFINITY] }] }
  expect(() => createSandbox({ contract, scenario })).toThrow(
    'Failed to use the scenario: things[0]: a record must be JSON (got the number Infinity)',
  )
})
