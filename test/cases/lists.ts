/** Cases: listing pets, with limits, filters and unknown parameters. */
import type { Case } from '../support/run-case.js'
import { ada, all, bo, cy, error, get, idsAre, idsDown, json, noted, notInFetch, onStores, pets } from './vocabulary.js'

const badLimits: [limit: string, why: string | RegExp][] = [
  ['0', 'at least 1'],
  ['101', 'at most 100'],
  ['-1', 'at least 1'],
  ['-0', 'limit'],
  ['1.5', 'integer'],
  ['1.0', 'integer'],
  ['abc', 'integer'],
  ['', 'integer'],
  ['1e1', 'integer'],
  ['0x10', 'integer'],
  ['+5', 'integer'],
  ['%2B5', 'integer'],
  ['%205', 'integer'],
  ['5%20', 'integer'],
  ['05', 'integer'],
  ['1,2', 'integer'],
  ['%D9%A5', 'integer'],
  ['NaN', 'integer'],
  ['Infinity', 'integer'],
  ['null', 'integer'],
  ['true', 'integer'],
  ['%zz', 'integer'],
  ['%00', 'integer'],
  ['2147483648', 'at most 100'],
  ['9007199254740993', 'at most 100'],
  ['9223372036854775808', 'at most 100'],
  ['-9223372036854775809', 'at least 1'],
  ['1'.repeat(400), 'at most 100'],
]

export const listCases: readonly Case[] = [
  ...onStores((base) => [
    {
      name: `lists the newest first at ${base}/pets`,
      steps: [get(`${base}/pets`, all)],
    },
    {
      name: `lists at most 20 at ${base}/pets without a limit`,
      options: { scenario: pets(120) },
      steps: [get(`${base}/pets`, idsDown(120, 101))],
    },
    {
      name: `lists all at ${base}/pets if there are fewer than 20`,
      options: { scenario: pets(19) },
      steps: [get(`${base}/pets`, idsDown(19, 1))],
    },
    {
      name: `applies every limit from 1 to 100 at ${base}/pets`,
      options: { scenario: pets(120) },
      steps: Array.from({ length: 100 }, (_, index) =>
        get(`${base}/pets?limit=${index + 1}`, idsDown(120, 120 - index)),
      ),
    },
    {
      name: `lists all at ${base}/pets if the limit is greater`,
      options: { scenario: pets(99) },
      steps: [get(`${base}/pets?limit=100`, idsDown(99, 1))],
    },
    ...badLimits.map(
      ([limit, why]): Case => ({
        name: `answers 400 to ${base}/pets?limit=${limit.slice(0, 40)}`,
        steps: [get(`${base}/pets?limit=${limit}`, error(400, 'invalid_request', 'limit', why))],
      }),
    ),
    {
      name: `answers 400 to a limit given twice at ${base}/pets, even the same one`,
      steps: [
        get(`${base}/pets?limit=5&limit=6`, error(400, 'invalid_request', 'limit', 'once')),
        get(`${base}/pets?limit=5&limit=5`, error(400, 'invalid_request', 'limit', 'once')),
        get(`${base}/pets?limit=5&status=sold&limit=0`, error(400, 'invalid_request', 'limit', 'once')),
      ],
    },
    {
      name: `filters by each status at ${base}/pets`,
      steps: [
        get(`${base}/pets?status=available`, { status: 200, text: `[${ada}]` }),
        get(`${base}/pets?status=pending`, { status: 200, text: '[]' }),
        get(`${base}/pets?status=sold`, { status: 200, text: `[${bo}]` }),
      ],
    },
    ...['', 'SOLD', 'Sold', 'sold%20', '%20sold', 'gone', 'null', 'available,sold', 'sold%00', '%zz'].map(
      (status): Case => ({
        name: `answers 400 to ${base}/pets?status=${status}, and names the allowed values`,
        steps: [
          get(
            `${base}/pets?status=${status}`,
            error(400, 'invalid_request', 'status', 'one of available, pending, sold'),
          ),
        ],
      }),
    ),
    {
      name: `answers 400 to a status given twice at ${base}/pets`,
      steps: [
        get(`${base}/pets?status=sold&status=available`, error(400, 'invalid_request', 'status', 'once')),
        get(`${base}/pets?status=sold&status=sold`, error(400, 'invalid_request', 'status', 'once')),
      ],
    },
  ]),
  {
    name: 'applies the limit after the filter',
    options: { scenario: pets(120) },
    steps: [
      get('/v1/pets?status=sold&limit=3', idsAre([119, 115, 111])),
      get('/v1/pets?limit=2&status=pending', idsAre([118, 114])),
      get('/v1/pets?status=available', idsAre(Array.from({ length: 20 }, (_, index) => 117 - 4 * index))),
    ],
  },
  {
    name: 'lists nothing in an empty collection',
    options: { scenario: {} },
    steps: [
      get('/v1/pets', { status: 200, text: '[]' }),
      get('/v1/pets?status=sold&limit=1', { status: 200, text: '[]' }),
    ],
  },
  {
    name: 'names both parameters if both are invalid',
    steps: [
      get(
        '/v1/pets?limit=0&status=gone',
        error(400, 'invalid_request', 'limit', 'at least 1', 'status', 'one of available, pending, sold (got "gone")'),
      ),
    ],
  },
  {
    name: 'decodes a percent-encoded value',
    steps: [
      get('/v1/pets?limit=%31', { status: 200, text: `[${cy}]` }),
      get('/v1/pets?status=%73old', { status: 200, text: `[${bo}]` }),
      get('/v1/pets?%6cimit=1', { status: 200, text: `[${cy}]` }),
    ],
  },
  ...[
    ['colour=red', 'colour'],
    ['LIMIT=0', 'LIMIT'],
    ['limit%5B%5D=0', 'limit[]'],
    ['petId=1', 'petId'],
    ['name=Ada', 'name'],
    ['colour', 'colour'],
    ['colour=%zz', 'colour'],
    ['colour=red&colour=blue', 'colour'],
    ['__proto__=1', '__proto__'],
    ['=1', '""'],
  ].map(
    ([query, name]): Case => ({
      name: `ignores the unknown parameter in ?${query}, and notes it in the journal`,
      steps: [get(`/v1/pets?${query}`, all), noted(String(name))],
    }),
  ),
  {
    name: 'notes every unknown parameter next to a known one',
    steps: [get('/v1/pets?colour=red&limit=1&size=big', { status: 200, text: `[${cy}]` }), noted('colour', 'size')],
  },
  {
    name: 'accepts a question mark without a query',
    steps: [get('/v1/pets?', all)],
  },
  {
    name: 'answers with JSON for any Accept header',
    steps: ['text/html', 'application/xml', 'application/json;q=0', 'nonsense'].map((accept) =>
      get('/v1/pets', all, ['Accept', accept]),
    ),
  },
  {
    name: 'lists even if the request has a body',
    ...notInFetch('a Request with GET has no body'),
    steps: [{ ...get('/v1/pets', all, json), body: '{' }, get('/v1/pets', all)],
  },
]
