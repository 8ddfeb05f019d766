/** Cases: creating pets, and violations of the schema of a new pet. */
import type { Case } from '../support/run-case.js'
import {
  ada,
  all,
  allAfter,
  bo,
  get,
  lifecycle,
  namesMount,
  noted,
  onStores,
  post,
  rex,
  rex4,
  rexIs4,
} from './vocabulary.js'

const names: [what: string, written: string][] = [
  ['empty', '""'],
  ['of one space', '" "'],
  ['with quotes and a backslash', String.raw`"\"Rex\" \\ \/"`.replace(String.raw`\/`, '/')],
  ['with line breaks and a tab', String.raw`"a\nb\r\nc\td"`],
  ['with an emoji', '"🐕‍🦺"'],
  ['in right-to-left text', '"كلب ‮dog‬"'],
  ['called __proto__', '"__proto__"'],
  ['called constructor', '"constructor"'],
  ['that looks like a number', '"9223372036854775808"'],
  ['that looks like JSON', String.raw`"{\"id\":9}"`],
  ['of a lone surrogate', String.raw`"\ud800"`],
  ['with lone surrogates in the middle', String.raw`"a\udc00b\ud83dc"`],
  ['with a NUL', String.raw`"a\u0000b"`],
  ['with a line separator', '"a\u2028b\u2029c"'],
]

const violations: [what: string, body: string, message: string][] = [
  ['an empty object', '{}', 'name is required; categoryId is required'],
  ['no name', '{"categoryId":7}', 'name is required'],
  ['no category', '{"name":"Rex"}', 'categoryId is required'],
  [
    'no category and a status that is unknown',
    '{"name":"Rex","status":"gone"}',
    'categoryId is required; status must be one of available, pending, sold (got "gone")',
  ],
  [
    'nothing right',
    '{"name":5,"categoryId":"x","status":"gone"}',
    'name must be a string (got 5); categoryId must be an integer (got "x"); status must be one of available, pending, sold (got "gone")',
  ],
  ['a name of null', '{"name":null,"categoryId":7}', 'name must be a string (got null)'],
  ['a name that is a number', '{"name":1e2,"categoryId":7}', 'name must be a string (got 100)'],
  ['a name that is an array', '{"name":["Rex"],"categoryId":7}', 'name must be a string (got an array)'],
  ['a name that is an object', '{"name":{"a":1},"categoryId":7}', 'name must be a string (got an object)'],
  ['a category of null', '{"name":"Rex","categoryId":null}', 'categoryId must be an integer (got null)'],
  ['a category in a string', '{"name":"Rex","categoryId":"7"}', 'categoryId must be an integer (got "7")'],
  ['a fraction', '{"name":"Rex","categoryId":1.5}', 'categoryId must be an integer (got 1.5)'],
  [
    'a category beyond int64',
    '{"name":"Rex","categoryId":9223372036854775808}',
    'categoryId must be an int64: from -9223372036854775808 to 9223372036854775807 (got 9223372036854775808)',
  ],
  [
    'a status in capitals',
    '{"name":"Rex","categoryId":7,"status":"SOLD"}',
    'status must be one of available, pending, sold (got "SOLD")',
  ],
  [
    'a status of null',
    '{"name":"Rex","categoryId":7,"status":null}',
    'status must be one of available, pending, sold (got null)',
  ],
  [
    'an empty status',
    '{"name":"Rex","categoryId":7,"status":""}',
    'status must be one of available, pending, sold (got "")',
  ],
  [
    'a status in a list',
    '{"name":"Rex","categoryId":7,"status":["sold"]}',
    'status must be one of available, pending, sold (got an array)',
  ],
  ['an array', `[${rex}]`, 'body must be an object (got an array)'],
  ['an empty array', '[]', 'body must be an object (got an array)'],
  ['a string', '"Rex"', 'body must be an object (got "Rex")'],
  ['a number', '7', 'body must be an object (got 7)'],
  ['a boolean', 'true', 'body must be an object (got true)'],
  ['null', 'null', 'body must be an object (got null)'],
]

export const creationCases: readonly Case[] = [
  ...onStores((base) => [
    ...['available', 'pending', 'sold'].map((status): Case => {
      const text = `{"id":4,"name":"Rex","categoryId":7,"status":"${status}"}`
      return {
        name: `creates an animal that is ${status} at ${base}/pets, first in the list, readable and found by its status`,
        ...namesMount(base),
        steps: [
          post(`${base}/pets`, `{"name":"Rex","categoryId":7,"status":"${status}"}`, { status: 201, text }),
          get(`${base}/pets`, allAfter(text)),
          get(`${base}/pets?limit=1`, { status: 200, text: `[${text}]` }),
          get(`${base}/pets/4`, { status: 200, text, headers: lifecycle(base) }),
          get(`${base}/pets?status=${status}&limit=1`, { status: 200, text: `[${text}]` }),
        ],
      }
    }),
    {
      name: `creates an animal without a status at ${base}/pets, which no status filter finds`,
      steps: [
        post(`${base}/pets`, rex, rexIs4),
        get(`${base}/pets`, allAfter(rex4)),
        get(`${base}/pets?status=available`, { status: 200, text: `[${ada}]` }),
        get(`${base}/pets?status=pending`, { status: 200, text: '[]' }),
        get(`${base}/pets?status=sold`, { status: 200, text: `[${bo}]` }),
      ],
    },
    ...violations.map(
      ([what, body, message]): Case => ({
        name: `answers 400 to ${what} at ${base}/pets, and names every violation`,
        steps: [
          post(`${base}/pets`, body, {
            status: 400,
            text: JSON.stringify({ code: 'invalid_request', message, status: 400 }),
          }),
          get(`${base}/pets`, all),
        ],
      }),
    ),
  ]),
  ...names.map(([what, written]): Case => {
    const text = `{"id":4,"name":${written},"categoryId":7}`
    return {
      name: `keeps a name ${what}`,
      steps: [
        post('/v1/pets', `{"name":${written},"categoryId":7}`, { status: 201, text }),
        get('/v1/pets/4', { status: 200, text, headers: lifecycle('/v1') }),
        get('/v1/pets', allAfter(text)),
      ],
    }
  }),
  {
    name: 'drops unknown properties, and notes each in the journal',
    steps: [
      post('/v1/pets', '{"colour":"red","name":"Rex","categoryId":7,"tags":[{"a":1}]}', rexIs4),
      noted('"colour"', '"tags"'),
      get('/v1/pets/4', { ...rexIs4, status: 200, headers: lifecycle('/v1') }),
    ],
  },
  ...['99', '1', '-1', '"x"', 'null', '9223372036854775807', '{}'].map(
    (id): Case => ({
      name: `ignores the id ${id} in a body, and notes it`,
      steps: [
        post('/v1/pets', `{"id":${id},"name":"Rex","categoryId":7}`, rexIs4),
        noted('"id"'),
        get('/v1/pets', allAfter(rex4)),
      ],
    }),
  ),
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'then', 'toJSON'].map(
    (name): Case => ({
      name: `drops an unknown property with the name ${name} like any other`,
      steps: [
        post('/v1/pets', `{"${name}":{"id":9,"status":"sold"},"name":"Rex","categoryId":7}`, rexIs4),
        noted(`"${name}"`),
        get('/v1/pets?status=sold', { status: 200, text: `[${bo}]` }),
        get('/v1/pets', allAfter(rex4)),
      ],
    }),
  ),
]
