/** Cases: readable bodies and content types, and the size limit of bodies. */
import { expect } from 'vitest'
import type { Case } from '../support/run-case.js'
import { all, bodyOf, error, get, idsDown, key, post, rex, rexIs4, send } from './vocabulary.js'

const notJson: [what: string, body: string | Uint8Array, found: string][] = [
  ['nothing', '', 'A JSON body is required (got none)'],
  ['white space', ' \n', 'line 2, column 1: found the end'],
  ['an open brace', '{', 'line 1, column 2: found the end'],
  ['a word', 'hello', 'line 1, column 1: found "h"'],
  ['a word that begins like another', 'trust', 'line 1, column 1: found "t"'],
  ['single quotes', "{'name':'Rex','categoryId':7}", 'line 1, column 2: found "\'"'],
  ['a trailing comma', '{"name":"Rex","categoryId":7,}', 'line 1, column 30: found "}"'],
  ['a trailing comma in an array', '{"name":["Rex",],"categoryId":7}', 'line 1, column 16: found "]"'],
  ['a comment', '{"name":"Rex",/* seven */"categoryId":7}', 'line 1, column 15: found "/"'],
  ['a name without quotes', '{name:"Rex"}', 'line 1, column 2: found "n"'],
  ['a name without a value', '{"name"}', 'line 1, column 8: found "}"'],
  ['two names', '{"name" "x"}', 'line 1, column 9: found "\\""'],
  ['a missing comma', '{\n  "name": "Rex"\n  "categoryId": 7\n}', 'line 3, column 3: found "\\""'],
  ['a missing comma after Windows lines', '{\r\n"name":"Rex"\r\n"categoryId":7}', 'line 3, column 1: found "\\""'],
  ['an array that ends as an object', '{"name":["Rex"}', 'line 1, column 15: found "}"'],
  ['something after the end', `${rex}x`, 'line 1, column 30: found "x"'],
  ['two values', `${rex}${rex}`, 'line 1, column 30: found "{"'],
  ['an emoji between values', `{"name":"🐕",🐕}`, 'line 1, column 14: found "🐕"'],
  ['NaN', '{"name":"Rex","categoryId":NaN}', 'line 1, column 28: found "N"'],
  ['a number with a leading zero', '{"name":"Rex","categoryId":07}', 'line 1, column 29: found "7"'],
  ['a number with a plus', '{"name":"Rex","categoryId":+7}', 'line 1, column 28: found "+"'],
  ['a minus alone', '{"name":"Rex","categoryId":-}', 'line 1, column 28: found "-"'],
  ['a hexadecimal number', '{"name":"Rex","categoryId":0x7}', 'line 1, column 29: found "x"'],
  ['a number without decimals', '{"name":"Rex","categoryId":7.}', 'line 1, column 29: found "."'],
  ['a line break in a string', '{"name":"R\nx","categoryId":7}', 'line 1, column 11: found "\\n"'],
  ['a NUL in a string', '{"name":"R\u0000x","categoryId":7}', 'line 1, column 11: found "\\u0000"'],
  ['an unknown escape', '{"name":"R\\x","categoryId":7}', 'line 1, column 11: found "\\\\"'],
  ['a string without an end', '{"name":"Rex', 'line 1, column 13: found the end'],
  ['a NUL after the end', `${rex}\u0000`, 'line 1, column 30: found "\\u0000"'],
  ['form fields', 'name=Rex&categoryId=7', 'line 1, column 1: found "n"'],
  ['UTF-16', new Uint8Array([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]), 'The body is not valid UTF-8'],
]

const mebibyte = 1024 * 1024

function withName(...bytes: number[]): Uint8Array {
  return new Uint8Array([...new TextEncoder().encode('{"categoryId":7,"name":"'), ...bytes, 0x22, 0x7d])
}

const notUtf8: [what: string, body: Uint8Array][] = [
  ['a byte that no character begins with', withName(0xff)],
  ['a continuation byte alone', withName(0x80)],
  ['an overlong NUL', withName(0xc0, 0x80)],
  ['an overlong slash', withName(0xe0, 0x80, 0xaf)],
  ['an encoded surrogate', withName(0xed, 0xa0, 0x80)],
  ['a character beyond Unicode', withName(0xf4, 0x90, 0x80, 0x80)],
  ['a character that is cut off', withName(0xe2, 0x82)],
  ['Latin-1', withName(0x52, 0xe9, 0x78)],
]

const rightTypes = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'APPLICATION/JSON',
  'Application/Json; Charset="Utf-8"',
  'application/json ; charset=utf-8',
  'application/json;',
]

const wrongTypes = [
  'text/plain',
  'text/json',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/jsonp',
  'application/vnd.api+json',
  'application/*',
  '*/*',
  'json',
  'application',
  'application/json, text/plain',
  '',
]

export const bodyCases: readonly Case[] = [
  ...notJson.map(
    ([what, body, found]): Case => ({
      name: `answers 400 to a body of ${what}, which is not JSON, and names the place`,
      steps: [post('/v1/pets', body, error(400, 'invalid_request', found)), get('/v1/pets', all)],
    }),
  ),
  ...notUtf8.map(
    ([what, body]): Case => ({
      name: `answers 400 to a body with ${what}, which is not UTF-8`,
      steps: [post('/v1/pets', body, error(400, 'invalid_request', 'UTF-8')), get('/v1/pets', all)],
    }),
  ),
  {
    name: 'reads a JSON body after a byte order mark',
    steps: [post('/v1/pets', `\ufeff${rex}`, rexIs4)],
  },
  {
    name: 'reads a JSON body with white space around it',
    steps: [post('/v1/pets', '\r\n\t {\n "name" : "Rex" ,\t"categoryId" : 7\r\n}\n ', rexIs4)],
  },
  ...rightTypes.map(
    (type): Case => ({
      name: `reads the content type "${type}" as JSON`,
      steps: [{ ...send('POST', '/v1/pets', [key, ['Content-Type', type]], rexIs4), body: rex }],
    }),
  ),
  ...wrongTypes.map(
    (type): Case => ({
      name: `answers the documented 400 to the content type "${type}", and names the allowed one`,
      steps: [
        {
          ...send(
            'POST',
            '/v1/pets',
            [key, ['Content-Type', type]],
            error(400, 'unsupported_media_type', 'application/json'),
          ),
          body: rex,
        },
        get('/v1/pets', all),
      ],
    }),
  ),
  ...[
    ['application/json', 'text/plain'],
    ['text/plain', 'application/json'],
    ['application/json', 'application/json'],
  ].map(
    (types): Case => ({
      name: `answers the documented 400 to two content types: ${types.join(' and ')}`,
      steps: [
        {
          ...send(
            'POST',
            '/v1/pets',
            [key, ...types.map((type) => ['Content-Type', type] as const)],
            error(400, 'unsupported_media_type', types.join(', ')),
          ),
          body: rex,
        },
        get('/v1/pets', all),
      ],
    }),
  ),
  {
    name: 'answers the documented 400 to a body without a content type',
    steps: [
      {
        ...send('POST', '/v1/pets', [key], error(400, 'unsupported_media_type', 'application/json')),
        body: new TextEncoder().encode(rex),
      },
      get('/v1/pets', all),
    ],
  },
  {
    name: 'answers 400 to a request without a body and without a content type',
    steps: [send('POST', '/v1/pets', [key], { status: 400 }), get('/v1/pets', all)],
  },
  {
    name: 'answers the documented 400 to a body with a content encoding',
    steps: [
      post('/v1/pets', rex, error(400, 'unsupported_media_type', 'gzip'), ['Content-Encoding', 'gzip']),
      get('/v1/pets', all),
    ],
  },
  {
    name: 'uses the last of duplicate keys',
    steps: [
      post('/v1/pets', '{"name":"A","categoryId":7,"name":"Rex"}', rexIs4),
      post('/v1/pets', '{"name":1,"name":"B","categoryId":"x","categoryId":8}', {
        status: 201,
        text: '{"id":5,"name":"B","categoryId":8}',
      }),
      post('/v1/pets', '{"name":"C","categoryId":9223372036854775807,"categoryId":9}', {
        status: 201,
        text: '{"id":6,"name":"C","categoryId":9}',
      }),
      post('/v1/pets', '{"name":"D","categoryId":9,"categoryId":9223372036854775807}', {
        status: 201,
        text: '{"id":7,"name":"D","categoryId":9223372036854775807}',
      }),
      post('/v1/pets', '{"name":"E","categoryId":9,"category\\u0049d":9223372036854775806}', {
        status: 201,
        text: '{"id":8,"name":"E","categoryId":9223372036854775806}',
      }),
      post('/v1/pets', '{"name":"F","name":6,"categoryId":9}', error(400, 'invalid_request', 'name')),
    ],
  },
  {
    name: 'accepts a body of exactly the limit, 1 MiB, and answers 413 to one byte more',
    steps: [
      post('/v1/pets', bodyOf(mebibyte), { status: 201, check: (body) => expect(body).toHaveProperty('id', 4) }),
      post('/v1/pets', bodyOf(mebibyte + 1), error(413, 'payload_too_large', '1048576')),
      get('/v1/pets?limit=100', idsDown(4, 1)),
    ],
  },
  {
    name: 'answers 413 to a body of many times the limit, and answers the next request',
    steps: [
      post('/v1/pets', bodyOf(5 * mebibyte), error(413, 'payload_too_large', '1048576')),
      post('/v1/pets', rex, rexIs4),
    ],
  },
  {
    name: 'applies the limit of the option maxBodyBytes',
    options: { maxBodyBytes: 64 },
    steps: [
      post('/v1/pets', bodyOf(64), { status: 201 }),
      post('/v1/pets', bodyOf(65), error(413, 'payload_too_large', '64')),
      post('/staging/v1/pets', bodyOf(65), error(413, 'payload_too_large', '64')),
      post('/messages', bodyOf(65), error(413, 'payload_too_large', '64')),
      get('/v1/pets?limit=100', { status: 200, check: (body) => expect(body).toHaveLength(4) }),
    ],
  },
  {
    name: 'counts the bytes of a body, not its characters',
    options: { maxBodyBytes: 40 },
    steps: [
      post('/v1/pets', '{"name":"1234567890","categoryId":7}', { status: 201 }),
      post('/v1/pets', '{"name":"éééééééééé","categoryId":7}', error(413, 'payload_too_large', '40')),
    ],
  },
]
