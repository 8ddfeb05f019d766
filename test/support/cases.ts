/** What each request gets: every row and rule of the behaviour page, as data. `behaviour.test.ts` plays it. */
import { createSandbox, type Sandbox, type SandboxOptions } from 'petstore-sandbox'
import { expect } from 'vitest'
import type { Header } from './raw-request.js'
import type { Case, Expected, Send } from './run-case.js'

// --- the words of the table ----------------------------------------------------------------------------------------

const key: Header = ['Authorization', 'Bearer sandbox']
const json: Header = ['Content-Type', 'application/json']

function get(target: string, expected: Expected, ...headers: Header[]): Send {
  return { method: 'GET', target, headers: [key, ...headers], expect: expected }
}

function post(target: string, body: string | Uint8Array, expected: Expected, ...headers: Header[]): Send {
  return { method: 'POST', target, headers: [key, json, ...headers], body, expect: expected }
}

/** Without a key, unless one is among the headers. */
function send(method: string, target: string, headers: Header[], expected: Expected): Send {
  return { method, target, headers, expect: expected }
}

const ada = '{"id":1,"name":"Ada","categoryId":1,"status":"available"}'
const bo = '{"id":2,"name":"Bo","categoryId":2,"status":"sold"}'
const cy = '{"id":3,"name":"Cy","categoryId":1}'
const all: Expected = { status: 200, text: `[${cy},${bo},${ada}]` }
const rex = '{"name":"Rex","categoryId":7}'
const rexIs4: Expected = { status: 201, text: '{"id":4,"name":"Rex","categoryId":7}' }

/** What the whole list is after a record was added. */
function allAfter(...added: string[]): Expected {
  return { status: 200, text: `[${[...added.toReversed(), cy, bo, ada].join(',')}]` }
}

function error(status: number, ...expected: NonNullable<Expected['error']>): Expected {
  return { status, error: expected }
}

/** Both servers of the store, where the sandbox mounts them. */
const stores = ['/v1', '/staging/v1']

function onStores(make: (base: string) => Case | Case[]): Case[] {
  return stores.flatMap(make)
}

/** For answers that name the path that was called. */
function namesMount(base: string): Pick<Case, 'except'> {
  return base === '/staging/v1' ? { except: { documented: 'the documented staging address has no /staging' } } : {}
}

const noBodyInFetch = { fetch: 'a Request with GET has no body', documented: 'a Request with GET has no body' }
const normalised = (how: string) => ({
  fetch: `a URL is normalised: ${how}`,
  documented: `a URL is normalised: ${how}`,
})

function lifecycle(base: string) {
  return {
    deprecation: '@1795132800',
    sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
    link: `<${base}/pets>; rel="successor-version"`,
  }
}

function pets(count: number): NonNullable<SandboxOptions['scenario']> {
  const statuses = ['available', 'pending', 'sold', undefined]
  return {
    pets: Array.from({ length: count }, (_, index) => {
      const status = statuses[index % 4]
      const pet = { id: index + 1, name: `Pet ${index + 1}`, categoryId: index % 5 }
      return status === undefined ? pet : { ...pet, status }
    }),
  }
}

/** The ids of a list, which are those from the first down to the last. */
function idsDown(first: number, last: number): Expected {
  const ids = Array.from({ length: first - last + 1 }, (_, index) => first - index)
  return { status: 200, check: (body) => expect(body.map(({ id }: { id: number }) => id)).toEqual(ids) }
}

function lastExchange(sandbox: Sandbox) {
  const exchange = sandbox.journal.list().at(-1)
  if (!exchange) throw new Error('The journal is empty')
  return exchange
}

/** The journal's last exchange has exactly these notes, each told by a part of it. */
function noted(...parts: string[]) {
  return (sandbox: Sandbox): void => {
    const { notes } = lastExchange(sandbox)
    expect(notes).toEqual(parts.map((part) => expect.stringContaining(part)))
  }
}

// --- keys ----------------------------------------------------------------------------------------------------------

/** Each operation on each server that has it, with the headers of all its answers. */
const operations = [
  ...stores.flatMap((base) => [
    { called: `GET ${base}/pets`, method: 'GET', target: `${base}/pets` },
    { called: `POST ${base}/pets`, method: 'POST', target: `${base}/pets` },
    { called: `GET ${base}/pets/{petId}`, method: 'GET', target: `${base}/pets/1`, headers: lifecycle(base), base },
    { called: `GET ${base}/store/orders`, method: 'GET', target: `${base}/store/orders` },
  ]),
  { called: 'POST /messages', method: 'POST', target: '/messages' },
]

const challenge = /^Bearer realm="[^"]+"$/
const invalidToken = /^Bearer realm="[^"]+", error="invalid_token"$/

const strangers: { who: string; headers: Header[]; authenticate: RegExp }[] = [
  { who: 'without a key', headers: [], authenticate: challenge },
  { who: 'with Basic', headers: [['Authorization', 'Basic c2FuZGJveDo=']], authenticate: challenge },
  { who: 'with the key alone', headers: [['Authorization', 'sandbox']], authenticate: challenge },
  { who: 'with "Bearersandbox"', headers: [['Authorization', 'Bearersandbox']], authenticate: challenge },
  { who: 'with an empty key', headers: [['Authorization', 'Bearer ']], authenticate: invalidToken },
  { who: 'with "Bearer" alone', headers: [['Authorization', 'bearer']], authenticate: invalidToken },
  { who: 'with an unknown key', headers: [['Authorization', 'Bearer wrong']], authenticate: invalidToken },
]

const unauthorized = operations.flatMap(({ called, method, target, headers = {}, base = '' }) =>
  strangers.map(
    (stranger): Case => ({
      name: `answers 401 to ${called} ${stranger.who}, and names a key that works`,
      ...namesMount(base),
      steps: [
        send(method, target, stranger.headers, {
          ...error(401, 'unauthorized', 'Authorization: Bearer sandbox'),
          headers: { 'www-authenticate': stranger.authenticate, ...headers },
        }),
      ],
    }),
  ),
)

const refusedKey = { ...error(401, 'unauthorized'), headers: { 'www-authenticate': invalidToken } }

const keys: Case[] = [
  ...unauthorized,
  ...['sandbox', 'sandbox-a', 'sandbox-A.b_c-9', 'sandbox--', `sandbox-${'x'.repeat(64)}`].map(
    (name): Case => ({
      name: `takes the key "${name}" out of the box`,
      steps: [send('GET', '/v1/pets', [['Authorization', `Bearer ${name}`]], all)],
    }),
  ),
  ...[
    'sandbox-',
    `sandbox-${'x'.repeat(65)}`,
    'sandbox-a b',
    'sandbox-a/b',
    'sandbox-a,b',
    'sandbox_a',
    'Sandbox',
    'sandboxa',
    'xsandbox',
    '"sandbox"',
    'sandbox, Bearer sandbox',
  ].map(
    (name): Case => ({
      name: `refuses the key "${name}"`,
      steps: [send('GET', '/v1/pets', [['Authorization', `Bearer ${name}`]], refusedKey)],
    }),
  ),
  ...['Bearer', 'bearer', 'BEARER', 'bEaReR'].map(
    (scheme): Case => ({
      name: `reads the scheme written as "${scheme}"`,
      steps: [send('GET', '/v1/pets', [['authorization', `${scheme} sandbox`]], all)],
    }),
  ),
  {
    name: 'takes no key from the query',
    steps: [
      send('GET', '/v1/pets?access_token=sandbox&Authorization=Bearer%20sandbox', [], {
        ...error(401, 'unauthorized'),
        headers: { 'www-authenticate': challenge },
      }),
    ],
  },
  {
    name: 'takes only the keys of the option apiKeys, and names the first of them',
    options: { apiKeys: ['one', 'two'] },
    steps: [
      send('GET', '/v1/pets', [['Authorization', 'Bearer one']], all),
      send('GET', '/v1/pets', [['Authorization', 'Bearer two']], all),
      get('/v1/pets', { ...error(401, 'unauthorized', 'Bearer one'), headers: { 'www-authenticate': invalidToken } }),
      send('GET', '/v1/pets', [['Authorization', 'Bearer sandbox-a']], refusedKey),
      send('GET', '/v1/pets', [['Authorization', 'Bearer ONE']], refusedKey),
    ],
  },
  {
    name: 'keeps the worlds of two keys apart: a record, its id and the list',
    steps: [
      post('/v1/pets', rex, rexIs4),
      get('/v1/pets', allAfter(String(rexIs4.text))),
      send('GET', '/v1/pets', [['Authorization', 'Bearer sandbox-b']], all),
      send('GET', '/v1/pets/4', [['Authorization', 'Bearer sandbox-b']], {
        ...error(404, 'not_found'),
        headers: lifecycle('/v1'),
      }),
      {
        ...send('POST', '/v1/pets', [['Authorization', 'Bearer sandbox-b'], json], {
          status: 201,
          text: '{"id":4,"name":"Ben","categoryId":8}',
        }),
        body: '{"name":"Ben","categoryId":8}',
      },
      get('/v1/pets/4', { ...rexIs4, status: 200, headers: lifecycle('/v1') }),
    ],
  },
  {
    name: 'keeps the worlds of listed keys apart as well',
    options: { apiKeys: ['one', 'two'] },
    steps: [
      { ...send('POST', '/v1/pets', [['Authorization', 'Bearer one'], json], rexIs4), body: rex },
      send('GET', '/v1/pets', [['Authorization', 'Bearer two']], all),
    ],
  },
  {
    name: 'answers 503 to a further key when there is no room for its world, and goes on for the others',
    options: { maxWorlds: 1 },
    steps: [
      send('GET', '/v1/pets', [['Authorization', 'Bearer sandbox-a']], all),
      send('GET', '/v1/pets', [['Authorization', 'Bearer sandbox-b']], error(503, 'unavailable')),
      send('GET', '/v1/pets', [['Authorization', 'Bearer sandbox-a']], all),
    ],
  },
]

// --- order of the steps --------------------------------------------------------------------------------------------

const removed: NonNullable<Expected['error']> = ['removed', 'GET /v1/pets', '"status" filter']
const afterSunset = { at: '2031-01-01T00:00:00Z' }
const unauthorizedHeaders = { 'www-authenticate': challenge }

const order: Case[] = [
  {
    name: 'answers 404 for an unknown path before it asks for a key',
    steps: [send('GET', '/v1/nothing', [], error(404, 'not_found'))],
  },
  {
    name: 'answers 405 for another method before it asks for a key',
    steps: [
      send('PUT', '/v1/pets', [], {
        ...error(405, 'method_not_allowed'),
        headers: { allow: 'GET, HEAD, OPTIONS, POST' },
      }),
    ],
  },
  {
    name: 'answers 401 to a bad body with no key',
    steps: [
      {
        ...send('POST', '/v1/pets', [json], { ...error(401, 'unauthorized'), headers: unauthorizedHeaders }),
        body: '{',
      },
    ],
  },
  {
    name: 'answers 401 to a bad body with a bad key',
    steps: [{ ...send('POST', '/v1/pets', [['Authorization', 'Bearer wrong'], json], refusedKey), body: '{"name":1}' }],
  },
  {
    name: 'answers 401 to a bad query without a key',
    steps: [send('GET', '/v1/pets?limit=0', [], { ...error(401, 'unauthorized'), headers: unauthorizedHeaders })],
  },
  {
    name: 'answers 401 to a malformed id without a key',
    steps: [
      send('GET', '/v1/pets/abc', [], {
        ...error(401, 'unauthorized'),
        headers: { ...unauthorizedHeaders, ...lifecycle('/v1') },
      }),
    ],
  },
  {
    name: 'asks for a key before it says that an operation is removed',
    options: afterSunset,
    steps: [
      send('GET', '/v1/pets/1', [], {
        ...error(401, 'unauthorized'),
        headers: { ...unauthorizedHeaders, ...lifecycle('/v1') },
      }),
    ],
  },
  {
    name: 'says that an operation is removed before it looks at preferences',
    options: afterSunset,
    steps: [get('/v1/pets/1', { ...error(404, ...removed), headers: lifecycle('/v1') }, ['Prefer', 'code=503'])],
  },
  {
    name: 'says that an operation is removed before it looks at the id',
    options: afterSunset,
    steps: [get('/v1/pets/abc', { ...error(404, ...removed), headers: lifecycle('/v1') })],
  },
  {
    name: 'obeys a preference before it looks at the body',
    steps: [
      post('/v1/pets', '{', { ...error(503, 'unavailable'), headers: { 'preference-applied': 'code=503' } }, [
        'Prefer',
        'code=503',
      ]),
    ],
  },
  {
    name: 'asks for a key before it obeys a preference',
    steps: [
      send('GET', '/v1/pets', [['Prefer', 'code=503']], {
        ...error(401, 'unauthorized'),
        headers: unauthorizedHeaders,
      }),
    ],
  },
]

// --- listPets ------------------------------------------------------------------------------------------------------

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

const list: Case[] = [
  ...onStores((base) => [
    {
      name: `lists the newest first at ${base}/pets`,
      steps: [get(`${base}/pets`, all)],
    },
    {
      name: `lists at most 20 at ${base}/pets when no limit is given`,
      options: { scenario: pets(120) },
      steps: [get(`${base}/pets`, idsDown(120, 101))],
    },
    {
      name: `lists all at ${base}/pets when there are fewer than 20`,
      options: { scenario: pets(19) },
      steps: [get(`${base}/pets`, idsDown(19, 1))],
    },
    {
      name: `keeps every limit from 1 to 100 at ${base}/pets`,
      options: { scenario: pets(120) },
      steps: Array.from({ length: 100 }, (_, index) =>
        get(`${base}/pets?limit=${index + 1}`, idsDown(120, 120 - index)),
      ),
    },
    {
      name: `lists what there is at ${base}/pets when the limit is more`,
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
        name: `answers 400 to ${base}/pets?status=${status}, and says what is allowed`,
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
    name: 'lists the first so many of those that pass the filter',
    options: { scenario: pets(120) },
    steps: [
      get('/v1/pets?status=sold&limit=3', {
        status: 200,
        check: (body) => expect(body.map(({ id }: { id: number }) => id)).toEqual([119, 115, 111]),
      }),
      get('/v1/pets?limit=2&status=pending', {
        status: 200,
        check: (body) => expect(body.map(({ id }: { id: number }) => id)).toEqual([118, 114]),
      }),
      get('/v1/pets?status=available', {
        status: 200,
        check: (body) =>
          expect(body.map(({ id }: { id: number }) => id)).toEqual(Array.from({ length: 20 }, (_, i) => 117 - 4 * i)),
      }),
    ],
  },
  {
    name: 'lists nothing where there is nothing',
    options: { scenario: {} },
    steps: [
      get('/v1/pets', { status: 200, text: '[]' }),
      get('/v1/pets?status=sold&limit=1', { status: 200, text: '[]' }),
    ],
  },
  {
    name: 'names both parameters when both are wrong',
    steps: [
      get(
        '/v1/pets?limit=0&status=gone',
        error(400, 'invalid_request', 'limit', 'at least 1', 'status', 'one of available, pending, sold (got "gone")'),
      ),
    ],
  },
  {
    name: 'reads a percent-encoded value as what it stands for',
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
      name: `leaves the unknown parameter of ?${query} aside, and notes it in the journal`,
      steps: [get(`/v1/pets?${query}`, all), noted(String(name))],
    }),
  ),
  {
    name: 'notes every unknown parameter beside a known one',
    steps: [get('/v1/pets?colour=red&limit=1&size=big', { status: 200, text: `[${cy}]` }), noted('colour', 'size')],
  },
  {
    name: 'takes a question mark without a query',
    steps: [get('/v1/pets?', all)],
  },
  {
    name: 'answers JSON whatever is accepted',
    steps: ['text/html', 'application/xml', 'application/json;q=0', 'nonsense'].map((accept) =>
      get('/v1/pets', all, ['Accept', accept]),
    ),
  },
  {
    name: 'lists though the request brings a body',
    except: noBodyInFetch,
    steps: [{ ...get('/v1/pets', all, json), body: '{' }, get('/v1/pets', all)],
  },
]

// --- createPet -----------------------------------------------------------------------------------------------------

/** Text of the category in, text of the category out: by creation, by reading, and in the list. */
const integers: [written: string, kept: string][] = [
  ['0', '0'],
  ['-1', '-1'],
  ['-0', '0'],
  ['1.0', '1'],
  ['1e3', '1000'],
  ['1E+3', '1000'],
  ['1000e-3', '1'],
  ['12.50e1', '125'],
  ['-5.0', '-5'],
  ['9007199254740991', '9007199254740991'],
  ['9007199254740992', '9007199254740992'],
  ['9007199254740993', '9007199254740993'],
  ['-9007199254740993', '-9007199254740993'],
  ['1000000000000000000', '1000000000000000000'],
  ['1e18', '1000000000000000000'],
  ['9007199254740993.0', '9007199254740993'],
  ['9.007199254740993e15', '9007199254740993'],
  ['9223372036854775295', '9223372036854775295'],
  ['9223372036854775806', '9223372036854775806'],
  ['9223372036854775807', '9223372036854775807'],
  ['9223372036854775807.000', '9223372036854775807'],
  ['922337203685477580.7e1', '9223372036854775807'],
  ['-9223372036854775807', '-9223372036854775807'],
  ['-9223372036854775808', '-9223372036854775808'],
]

const int64 = /int64|integer/

const badCategories: [written: string, why: string | RegExp][] = [
  ['1.5', 'integer'],
  ['-0.1', 'integer'],
  ['1e-3', 'integer'],
  ['9223372036854775808', int64],
  ['9223372036854775807.5', int64],
  ['-9223372036854775809', int64],
  ['-9223372036854775808.5', int64],
  ['9223372036854775808.0', int64],
  ['9.3e18', int64],
  ['1e19', int64],
  ['18446744073709551615', int64],
  ['1e308', int64],
  ['1e400', int64],
  ['-1e400', int64],
  ['"1"', 'integer'],
  ['""', 'integer'],
  ['true', 'integer'],
  ['null', 'integer'],
  ['[]', 'integer'],
  ['[1]', 'integer'],
  ['{}', 'integer'],
]

/** Fractions that a double cannot tell from an integer. They are fractions all the same. */
const hiddenFractions = [
  '9007199254740993.5',
  '4503599627370497.25',
  '1.00000000000000000001',
  '1e-400',
  '-1e-999999999',
]

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

const notJson: [what: string, body: string | Uint8Array][] = [
  ['nothing', ''],
  ['white space', ' \n'],
  ['an open brace', '{'],
  ['a word', 'hello'],
  ['single quotes', "{'name':'Rex','categoryId':7}"],
  ['a trailing comma', '{"name":"Rex","categoryId":7,}'],
  ['a comment', '{"name":"Rex",/* seven */"categoryId":7}'],
  ['something after the end', `${rex}x`],
  ['two values', `${rex}${rex}`],
  ['NaN', '{"name":"Rex","categoryId":NaN}'],
  ['a number with a leading zero', '{"name":"Rex","categoryId":07}'],
  ['a number with a plus', '{"name":"Rex","categoryId":+7}'],
  ['a hexadecimal number', '{"name":"Rex","categoryId":0x7}'],
  ['a line break in a string', '{"name":"R\nx","categoryId":7}'],
  ['a NUL in a string', '{"name":"R\u0000x","categoryId":7}'],
  ['a NUL after the end', `${rex}\u0000`],
  ['form fields', 'name=Rex&categoryId=7'],
  ['UTF-16', new Uint8Array([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00])],
]

const withName = (...bytes: number[]) =>
  new Uint8Array([...new TextEncoder().encode('{"categoryId":7,"name":"'), ...bytes, 0x22, 0x7d])

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

/** A body of exactly so many bytes. */
function bodyOf(bytes: number): string {
  const empty = '{"name":"","categoryId":7}'
  return `{"name":"${'x'.repeat(bytes - empty.length)}","categoryId":7}`
}

const mebibyte = 1024 * 1024

const create: Case[] = [
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
        get(`${base}/pets`, allAfter(String(rexIs4.text))),
        get(`${base}/pets?status=available`, { status: 200, text: `[${ada}]` }),
        get(`${base}/pets?status=pending`, { status: 200, text: '[]' }),
        get(`${base}/pets?status=sold`, { status: 200, text: `[${bo}]` }),
      ],
    },
    ...violations.map(
      ([what, body, message]): Case => ({
        name: `answers 400 to ${what} at ${base}/pets and says all that is wrong`,
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
  ...integers.map(([written, kept]): Case => {
    const text = `{"id":4,"name":"Rex","categoryId":${kept}}`
    return {
      name: `keeps every digit of the category ${written}`,
      steps: [
        post('/v1/pets', `{"name":"Rex","categoryId":${written}}`, { status: 201, text }),
        get('/v1/pets/4', { status: 200, text, headers: lifecycle('/v1') }),
        get('/v1/pets?limit=1', { status: 200, text: `[${text}]` }),
      ],
    }
  }),
  ...badCategories.map(
    ([written, why]): Case => ({
      name: `answers 400 to the category ${written}`,
      steps: [
        post('/v1/pets', `{"name":"Rex","categoryId":${written}}`, error(400, 'invalid_request', 'categoryId', why)),
        get('/v1/pets', all),
      ],
    }),
  ),
  ...hiddenFractions.map(
    (written): Case => ({
      name: `answers 400 to the category ${written}, a fraction though a double does not show it`,
      steps: [
        post('/v1/pets', `{"name":"Rex","categoryId":${written}}`, error(400, 'invalid_request', 'categoryId')),
        get('/v1/pets', all),
      ],
    }),
  ),
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
  ...notJson.map(
    ([what, body]): Case => ({
      name: `answers 400 to a body of ${what}, which is not JSON`,
      steps: [post('/v1/pets', body, error(400, 'invalid_request')), get('/v1/pets', all)],
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
      name: `takes the content type "${type}" for JSON`,
      steps: [{ ...send('POST', '/v1/pets', [key, ['Content-Type', type]], rexIs4), body: rex }],
    }),
  ),
  ...wrongTypes.map(
    (type): Case => ({
      name: `answers the documented 400 to the content type "${type}", and names the right one`,
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
    name: 'answers the documented 400 to a body that is said to be compressed',
    steps: [
      post('/v1/pets', rex, error(400, 'unsupported_media_type', 'gzip'), ['Content-Encoding', 'gzip']),
      get('/v1/pets', all),
    ],
  },
  {
    name: 'counts the last of duplicate keys',
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
    name: 'drops unknown properties, and notes each in the journal',
    steps: [
      post('/v1/pets', '{"colour":"red","name":"Rex","categoryId":7,"tags":[{"a":1}]}', rexIs4),
      noted('"colour"', '"tags"'),
      get('/v1/pets/4', { ...rexIs4, status: 200, headers: lifecycle('/v1') }),
    ],
  },
  ...['99', '1', '-1', '"x"', 'null', '9223372036854775807', '{}'].map(
    (id): Case => ({
      name: `assigns the id itself where the body has the id ${id}, and notes it`,
      steps: [
        post('/v1/pets', `{"id":${id},"name":"Rex","categoryId":7}`, rexIs4),
        noted('"id"'),
        get('/v1/pets', allAfter(String(rexIs4.text))),
      ],
    }),
  ),
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'then', 'toJSON'].map(
    (name): Case => ({
      name: `drops a property called ${name} like any other`,
      steps: [
        post('/v1/pets', `{"${name}":{"id":9,"status":"sold"},"name":"Rex","categoryId":7}`, rexIs4),
        noted(`"${name}"`),
        get('/v1/pets?status=sold', { status: 200, text: `[${bo}]` }),
        get('/v1/pets', allAfter(String(rexIs4.text))),
      ],
    }),
  ),
  {
    name: 'takes a body of exactly the limit, 1 MiB, and answers 413 to one byte more',
    steps: [
      post('/v1/pets', bodyOf(mebibyte), { status: 201, check: ({ id }) => expect(id).toBe(4) }),
      post('/v1/pets', bodyOf(mebibyte + 1), error(413, 'payload_too_large', '1048576')),
      get('/v1/pets?limit=100', {
        status: 200,
        check: (body) => expect(body.map(({ id }: { id: number }) => id)).toEqual([4, 3, 2, 1]),
      }),
    ],
  },
  {
    name: 'answers 413 to a body of many times the limit, and goes on',
    steps: [
      post('/v1/pets', bodyOf(5 * mebibyte), error(413, 'payload_too_large', '1048576')),
      post('/v1/pets', rex, rexIs4),
    ],
  },
  {
    name: 'keeps the limit of the option maxBodyBytes',
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

// --- ids -----------------------------------------------------------------------------------------------------------

const ids: Case[] = [
  {
    name: 'counts ids up by one, whatever was refused in between',
    steps: [
      post('/v1/pets', rex, rexIs4),
      post('/v1/pets', '{}', error(400, 'invalid_request')),
      post('/v1/pets', '{', error(400, 'invalid_request')),
      post('/v1/pets', rex, { status: 201, text: '{"id":5,"name":"Rex","categoryId":7}' }),
      get('/v1/pets?limit=2', {
        status: 200,
        text: '[{"id":5,"name":"Rex","categoryId":7},{"id":4,"name":"Rex","categoryId":7}]',
      }),
    ],
  },
  {
    name: 'begins with id 1 where there is nothing',
    options: { scenario: {} },
    steps: [post('/v1/pets', rex, { status: 201, text: '{"id":1,"name":"Rex","categoryId":7}' })],
  },
  {
    name: 'gives no id twice, though the record that had it is gone',
    steps: [
      post('/v1/pets', rex, rexIs4),
      (sandbox) => {
        sandbox.world().collection('pets', 'production').remove(4)
        sandbox.world().collection('pets', 'production').remove(3)
      },
      get('/v1/pets/4', { ...error(404, 'not_found'), headers: lifecycle('/v1') }),
      get('/v1/pets', { status: 200, text: `[${bo},${ada}]` }),
      post('/v1/pets', rex, { status: 201, text: '{"id":5,"name":"Rex","categoryId":7}' }),
    ],
  },
  {
    name: 'gives the id after the highest of the beginning, though all of the beginning is gone',
    steps: [
      (sandbox) => {
        for (const id of [1, 2, 3]) sandbox.world().collection('pets', 'production').remove(id)
      },
      get('/v1/pets', { status: 200, text: '[]' }),
      post('/v1/pets', rex, rexIs4),
    ],
  },
  {
    name: 'reads ids beyond 2^53 with every digit, and counts on below them',
    options: {
      scenario: {
        pets: [
          { id: 7, name: 'G', categoryId: 1 },
          { id: 9007199254740993n, name: 'A', categoryId: 1 },
          { id: 9223372036854775807n, name: 'B', categoryId: -9223372036854775808n },
        ],
      },
    },
    steps: [
      get('/v1/pets/9007199254740993', {
        status: 200,
        text: '{"id":9007199254740993,"name":"A","categoryId":1}',
        headers: lifecycle('/v1'),
      }),
      get('/v1/pets/9007199254740992', { ...error(404, 'not_found', '9007199254740992'), headers: lifecycle('/v1') }),
      get('/v1/pets/9007199254740994', { ...error(404, 'not_found', '9007199254740994'), headers: lifecycle('/v1') }),
      get('/v1/pets/9223372036854775807', {
        status: 200,
        text: '{"id":9223372036854775807,"name":"B","categoryId":-9223372036854775808}',
        headers: lifecycle('/v1'),
      }),
      get('/v1/pets?limit=1', {
        status: 200,
        text: '[{"id":9223372036854775807,"name":"B","categoryId":-9223372036854775808}]',
      }),
      post('/v1/pets', rex, { status: 201, text: '{"id":8,"name":"Rex","categoryId":7}' }),
      get('/v1/pets/8', {
        status: 200,
        text: '{"id":8,"name":"Rex","categoryId":7}',
        headers: lifecycle('/v1'),
      }),
    ],
  },
  {
    name: 'gives 2^53-1 as the last id, and answers 503 when no id is left',
    options: { scenario: { pets: [{ id: 9007199254740990, name: 'G', categoryId: 1 }] } },
    steps: [
      post('/v1/pets', rex, { status: 201, text: '{"id":9007199254740991,"name":"Rex","categoryId":7}' }),
      post('/v1/pets', rex, error(503, 'unavailable')),
      get('/v1/pets', { status: 200, check: (body) => expect(body).toHaveLength(2) }),
    ],
  },
  {
    name: 'keeps production and staging apart: records, ids and lists',
    steps: [
      post('/v1/pets', rex, rexIs4),
      post('/v1/pets', rex, { status: 201, text: '{"id":5,"name":"Rex","categoryId":7}' }),
      get('/staging/v1/pets', all),
      post('/staging/v1/pets', '{"name":"Stage","categoryId":1}', {
        status: 201,
        text: '{"id":4,"name":"Stage","categoryId":1}',
      }),
      get('/staging/v1/pets', allAfter('{"id":4,"name":"Stage","categoryId":1}')),
      get('/v1/pets', allAfter(String(rexIs4.text), '{"id":5,"name":"Rex","categoryId":7}')),
    ],
  },
  {
    name: 'has its beginning back after a reset of a world, ids included, and leaves the other worlds',
    steps: [
      post('/v1/pets', rex, rexIs4),
      { ...send('POST', '/v1/pets', [['Authorization', 'Bearer sandbox-b'], json], rexIs4), body: rex },
      (sandbox) => sandbox.world().reset(),
      get('/v1/pets', all),
      send('GET', '/v1/pets', [['Authorization', 'Bearer sandbox-b']], allAfter(String(rexIs4.text))),
      post('/v1/pets', rex, rexIs4),
    ],
  },
  {
    name: 'has its beginning back after a reset of the sandbox, in every world',
    steps: [
      post('/v1/pets', rex, rexIs4),
      { ...send('POST', '/v1/pets', [['Authorization', 'Bearer sandbox-b'], json], rexIs4), body: rex },
      (sandbox) => {
        sandbox.clock.travelTo('2031-01-01')
        sandbox.reset()
        expect(sandbox.journal.size).toBe(0)
        expect(sandbox.clock.now()).toBe(Date.parse('2026-11-21'))
      },
      get('/v1/pets', all),
      send('GET', '/v1/pets', [['Authorization', 'Bearer sandbox-b']], all),
    ],
  },
]

// --- getPet --------------------------------------------------------------------------------------------------------

const unknownIds: [written: string, why: string | RegExp][] = [
  ['4', '4'],
  ['0', '0'],
  ['999', '999'],
  ['-1', '-1'],
  ['9007199254740993', '9007199254740993'],
  ['9223372036854775807', '9223372036854775807'],
  ['-9223372036854775808', '-9223372036854775808'],
  ['9223372036854775808', 'int64'],
  ['-9223372036854775809', 'int64'],
  ['99999999999999999999999', 'int64'],
  ['abc', 'integer'],
  ['1.0', 'integer'],
  ['01', 'integer'],
  ['+1', 'integer'],
  ['1e0', 'integer'],
  ['0x1', 'integer'],
  ['1,2', 'integer'],
  ['%201', 'integer'],
  ['1%20', 'integer'],
  ['1%0A', 'integer'],
  ['1%00', 'integer'],
  ['1%2F2', 'integer'],
  ['%2F', 'integer'],
  ['%D9%A1', 'integer'],
  ['__proto__', 'integer'],
  ['null', 'integer'],
  ['{petId}', 'integer'],
  ['%2e%2e', 'integer'],
  ['%', 'integer'],
  ['%zz', 'integer'],
  ['%2', 'integer'],
  ['1%', 'integer'],
  ['%E0%A4%A', 'integer'],
  ['%ff', 'integer'],
  ['%C0%AF', 'integer'],
  ['%ED%A0%80', 'integer'],
]

const read: Case[] = [
  ...onStores((base) => [
    {
      name: `reads an animal at ${base}/pets/{petId}, and says that the operation is deprecated`,
      ...namesMount(base),
      steps: [
        get(`${base}/pets/1`, { status: 200, text: ada, headers: lifecycle(base) }),
        get(`${base}/pets/2`, { status: 200, text: bo, headers: lifecycle(base) }),
        get(`${base}/pets/3`, { status: 200, text: cy, headers: lifecycle(base) }),
      ],
    },
    ...unknownIds.map(
      ([id, why]): Case => ({
        name: `answers 404 to ${base}/pets/${id}`,
        ...namesMount(base),
        ...(id === '{petId}' ? { except: normalised('braces are percent-encoded') } : {}),
        ...(id === '%2e%2e' ? { except: normalised('%2e%2e is a parent') } : {}),
        steps: [
          get(`${base}/pets/${id}`, { ...error(404, 'not_found', why), headers: lifecycle(base) }),
          get(`${base}/pets/1`, { status: 200, text: ada, headers: lifecycle(base) }),
        ],
      }),
    ),
  ]),
  {
    name: 'reads an id that is percent-encoded',
    steps: [get('/v1/pets/%31', { status: 200, text: ada, headers: lifecycle('/v1') })],
  },
  {
    name: 'reads an animal whatever the query says, and notes it',
    steps: [get('/v1/pets/1?limit=0', { status: 200, text: ada, headers: lifecycle('/v1') }), noted('limit')],
  },
]

// --- the end of getPet ---------------------------------------------------------------------------------------------

const sunset: Case[] = [
  ...onStores((base): Case => {
    const gone = {
      ...error(404, 'removed', 'getPet', '2030-12-05', `GET ${base}/pets`, '"status" filter'),
      headers: lifecycle(base),
    }
    return {
      name: `removes getPet at ${base} at the instant of its sunset, not before, by the clock`,
      ...namesMount(base),
      steps: [
        (sandbox) => sandbox.clock.travelTo('2030-12-04T23:59:59.999Z'),
        get(`${base}/pets/1`, { status: 200, text: ada, headers: lifecycle(base) }),
        (sandbox) => sandbox.clock.advance(1),
        get(`${base}/pets/1`, gone),
        get(`${base}/pets/999`, gone),
        (sandbox) => sandbox.clock.travelTo('2040-01-01'),
        get(`${base}/pets/1`, gone),
        get(`${base}/pets`, all),
        get(`${base}/pets?status=available`, { status: 200, text: `[${ada}]` }),
        post(`${base}/pets`, rex, rexIs4),
        (sandbox) => sandbox.clock.travelTo('2030-12-04'),
        get(`${base}/pets/4`, { ...rexIs4, status: 200, headers: lifecycle(base) }),
      ],
    }
  }),
  {
    name: 'removes getPet at once where the clock starts at the instant of its sunset',
    options: { at: '2030-12-05T00:00:00Z' },
    steps: [get('/v1/pets/1', { ...error(404, ...removed), headers: lifecycle('/v1') })],
  },
  {
    name: 'has getPet where the clock starts a millisecond before its sunset',
    options: { at: Date.parse('2030-12-05T00:00:00Z') - 1 },
    steps: [get('/v1/pets/1', { status: 200, text: ada, headers: lifecycle('/v1') })],
  },
  {
    name: 'removes getPet by the clock of the world that is called',
    steps: [
      (sandbox) => sandbox.world('sandbox-later').clock.travelTo('2030-12-05'),
      get('/v1/pets/1', { status: 200, text: ada, headers: lifecycle('/v1') }),
      send('GET', '/v1/pets/1', [['Authorization', 'Bearer sandbox-later']], {
        ...error(404, ...removed),
        headers: lifecycle('/v1'),
      }),
      (sandbox) => sandbox.world('sandbox-later').clock.reset(),
      send('GET', '/v1/pets/1', [['Authorization', 'Bearer sandbox-later']], {
        status: 200,
        text: ada,
        headers: lifecycle('/v1'),
      }),
    ],
  },
]

// --- store orders, messages ----------------------------------------------------------------------------------------

const queued = (message: string, createdAt: string): Expected => ({
  status: 202,
  check(body) {
    expect(Object.keys(body)).toEqual(['id', 'message', 'status', 'createdAt'])
    expect(body).toEqual({ id: expect.stringMatching(/./), message, status: 'queued', createdAt })
  },
})
const today = '2026-11-21T00:00:00.000Z'

const others: Case[] = [
  ...onStores((base) => ({
    name: `answers 501 to GET ${base}/store/orders, as its success is not described`,
    steps: [
      get(`${base}/store/orders`, error(501, 'not_described', '/store/orders')),
      get(`${base}/store/orders?limit=0`, error(501, 'not_described')),
    ],
  })),
  {
    name: 'queues a message',
    steps: [post('/messages', '{"message": "hi"}', queued('hi', today))],
  },
  {
    name: 'dates a message by the clock of the world',
    steps: [
      (sandbox) => sandbox.world().clock.travelTo('2027-01-02T03:04:05.678Z'),
      post('/messages', '{"message":"hi"}', queued('hi', '2027-01-02T03:04:05.678Z')),
      (sandbox) => sandbox.world().clock.advance(1000),
      post('/messages', '{"message":"hi"}', queued('hi', '2027-01-02T03:04:06.678Z')),
      {
        ...send('POST', '/messages', [['Authorization', 'Bearer sandbox-b'], json], queued('hi', today)),
        body: '{"message":"hi"}',
      },
    ],
  },
  {
    name: 'gives each message an id of its own',
    steps: [
      post('/messages', '{"message":"a"}', { status: 202, check: ({ id }) => expect(id).toBe('1') }),
      post('/messages', '{"message":"b"}', { status: 202, check: ({ id }) => expect(id).toBe('2') }),
    ],
  },
  {
    name: 'queues an empty message, and one that is hard to write',
    steps: [
      post('/messages', '{"message":""}', queued('', today)),
      post('/messages', String.raw`{"message":"\"\n\ud83d\udc15\u202e"}`, queued('"\n🐕\u202e', today)),
    ],
  },
  {
    name: 'drops what a message does not have, and notes it',
    steps: [
      post(
        '/messages',
        '{"id":"mine","status":"sent","createdAt":"2020-01-01T00:00:00Z","message":"hi"}',
        queued('hi', today),
      ),
      noted('"id"', '"status"', '"createdAt"'),
    ],
  },
  ...(
    [
      ['{}', 'message is required'],
      ['{"Message":"hi"}', 'message is required'],
      ['{"message":5}', 'message must be a string (got 5)'],
      ['{"message":null}', 'message must be a string (got null)'],
      ['{"message":["hi"]}', 'message must be a string (got an array)'],
      ['["hi"]', 'body must be an object (got an array)'],
      ['"hi"', 'body must be an object (got "hi")'],
      ['{"message"', 'JSON'],
      ['', 'JSON'],
    ] as const
  ).map(
    ([body, why]): Case => ({
      name: `answers 400 to a message of ${body || 'nothing'}`,
      steps: [post('/messages', body, error(400, 'invalid_request', why))],
    }),
  ),
  {
    name: 'answers the documented 400 to a message of another content type',
    steps: [
      {
        ...send('POST', '/messages', [key, ['Content-Type', 'text/plain']], error(400, 'unsupported_media_type')),
        body: '{"message":"hi"}',
      },
    ],
  },
]

// --- paths and methods ---------------------------------------------------------------------------------------------

const unknownPaths: [target: string, named: string, except?: Case['except']][] = [
  ['/v1/pet', '/v1/pets'],
  ['/v1/petz', '/v1/pets'],
  ['/v1/Pets', '/v1/pets'],
  ['/v1/pets/', '/v1/pets'],
  ['/v1/pets//', '/v1/pets'],
  ['/v1//pets', '/v1/pets'],
  ['//v1/pets', '/v1/pets', normalised('two slashes begin a host')],
  ['/v1/pets/1/', '/v1/pets'],
  ['/v1/pets/1/2', '/v1/pets'],
  ['/v1/stor/orders', '/v1/store/orders'],
  ['/v1/store/orders/', '/v1/store/orders'],
  ['/v1', '/v1/'],
  ['/v1/', '/v1/'],
  ['/v2/pets', '/v1/pets'],
  ['/v1pets', '/v1/pets'],
  ['/pets/', '/v1/pets'],
  ['/message', '/messages'],
  ['/messages/', '/messages'],
  ['/v1/messages', '/messages'],
  ['/v1/%zz', '/v1/'],
  ['/%zz', '/'],
  ['/v1/p%ffets', '/v1/pets'],
  ['/staging/v1/pet', '/staging/v1/pets', namesMount('/staging/v1').except],
  ['/staging/v1/pets/', '/staging/v1/pets', namesMount('/staging/v1').except],
  ['/staging/pets', '/staging/v1/pets'],
  ['/stagin/v1/pets', '/v1/pets'],
  [`/v1/${'x'.repeat(4000)}`, '/v1/'],
]

const methods = ['PUT', 'PATCH', 'DELETE'] as const
const otherMethods: { target: string; allow: string; methods: string[] }[] = [
  ...stores.flatMap((base) => [
    { target: `${base}/pets`, allow: 'GET, HEAD, OPTIONS, POST', methods: [...methods] },
    { target: `${base}/pets/1`, allow: 'GET, HEAD, OPTIONS', methods: ['POST', ...methods] },
    { target: `${base}/pets/abc`, allow: 'GET, HEAD, OPTIONS', methods: ['POST'] },
    { target: `${base}/store/orders`, allow: 'GET, HEAD, OPTIONS', methods: ['POST', ...methods] },
  ]),
  { target: '/messages', allow: 'OPTIONS, POST', methods: ['GET', ...methods] },
]

const routes: Case[] = [
  ...unknownPaths.map(
    ([target, named, except]): Case => ({
      name: `answers 404 to ${target.slice(0, 40)}, and names ${named} as the closest path`,
      ...(except ? { except } : {}),
      steps: [get(target, error(404, 'not_found', named, target.slice(0, 100)))],
    }),
  ),
  ...['/pets', '/pets/7', '/store/orders'].map(
    (target): Case => ({
      name: `answers 404 to ${target}, and says that the base /v1 is missing`,
      steps: [get(target, error(404, 'not_found', '/v1', 'base', 'missing'))],
    }),
  ),
  {
    name: 'answers 404 to a path that climbs out of the base',
    except: normalised('dots are resolved'),
    steps: [
      get('/v1/../v1/pets', error(404, 'not_found')),
      get('/v1/pets/../pets', error(404, 'not_found')),
      get('/v1/./pets', error(404, 'not_found')),
    ],
  },
  {
    name: 'reads a known segment that is percent-encoded',
    steps: [get('/v1/p%65ts', all), get('/v1/%70%65%74%73', all)],
  },
  {
    name: 'goes on after malformed percent signs everywhere',
    steps: [
      get('/v1/pets/%', { ...error(404, 'not_found'), headers: lifecycle('/v1') }),
      get('/v1/%/%', error(404, 'not_found')),
      get('/%E0%A4%A/pets', error(404, 'not_found')),
      get('/v1/pets?%=%&%zz=%zz', all),
      get('/v1/pets', all),
    ],
  },
  ...otherMethods.flatMap(({ target, allow, methods: refused }) =>
    refused.map(
      (method): Case => ({
        name: `answers 405 to ${method} ${target}, and says what is allowed`,
        ...namesMount(target.startsWith('/staging') ? '/staging/v1' : ''),
        steps: [
          send(method, target, [key], { ...error(405, 'method_not_allowed', method, allow), headers: { allow } }),
        ],
      }),
    ),
  ),
  {
    name: 'answers 405 to TRACE',
    except: { fetch: 'a Request forbids TRACE', documented: 'a Request forbids TRACE' },
    steps: [
      send('TRACE', '/v1/pets', [key], {
        ...error(405, 'method_not_allowed', 'TRACE'),
        headers: { allow: 'GET, HEAD, OPTIONS, POST' },
      }),
    ],
  },
  {
    name: 'answers 405 to a method of another protocol',
    steps: ['PROPFIND', 'PURGE', 'SEARCH'].map((method) =>
      send(method, '/v1/pets', [key], {
        ...error(405, 'method_not_allowed', method),
        headers: { allow: 'GET, HEAD, OPTIONS, POST' },
      }),
    ),
  },
  {
    name: 'answers 404, not 405, to another method on an unknown path',
    steps: [send('DELETE', '/v1/nothing', [key], error(404, 'not_found'))],
  },
  ...onStores((base) => ({
    name: `answers HEAD at ${base} as GET, without the body`,
    ...namesMount(base),
    steps: [
      send('HEAD', `${base}/pets`, [key], {
        status: 200,
        text: '',
        headers: { 'content-type': 'application/json', 'content-length': `${all.text?.length}` },
      }),
      send('HEAD', `${base}/pets?limit=1`, [key], {
        status: 200,
        text: '',
        headers: { 'content-type': 'application/json', 'content-length': `${cy.length + 2}` },
      }),
      send('HEAD', `${base}/pets/1`, [key], {
        status: 200,
        text: '',
        headers: { 'content-type': 'application/json', 'content-length': `${ada.length}`, ...lifecycle(base) },
      }),
    ],
  })),
  {
    name: 'counts the bytes, not the characters, of what HEAD leaves out',
    options: { scenario: { pets: [{ id: 1, name: 'é🐕', categoryId: 1 }] } },
    steps: [
      send('HEAD', '/v1/pets/1', [key], {
        status: 200,
        text: '',
        headers: {
          'content-type': 'application/json',
          'content-length': String(new TextEncoder().encode('{"id":1,"name":"é🐕","categoryId":1}').length),
          ...lifecycle('/v1'),
        },
      }),
    ],
  },
  ...(
    [
      ['/v1/pets?limit=0', [key], 400, {}],
      ['/v1/pets', [], 401, { 'www-authenticate': challenge }],
      ['/v1/pets/9', [key], 404, lifecycle('/v1')],
      ['/v1/nothing', [key], 404, {}],
      ['/messages', [key], 405, { allow: 'OPTIONS, POST' }],
      ['/v1/store/orders', [key], 501, {}],
    ] as const
  ).map(
    ([target, headers, status, expected]): Case => ({
      name: `answers ${status} to HEAD ${target} as to GET, without the body`,
      steps: [
        send('HEAD', target, [...headers], {
          status,
          text: '',
          headers: { 'content-type': 'application/json', 'content-length': /^[1-9]\d*$/, ...expected },
        }),
      ],
    }),
  ),
]

// --- cross-origin requests -----------------------------------------------------------------------------------------

const origin: Header = ['Origin', 'http://localhost:5173']

function cors(value = 'http://localhost:5173') {
  return {
    'access-control-allow-origin': value,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers':
      'Deprecation, Sunset, Link, WWW-Authenticate, Allow, Retry-After, Preference-Applied',
    vary: 'Origin',
  }
}

function preflight(target: string, method: string, headers: string | undefined): Send {
  const asked: Header[] = [origin, ['Access-Control-Request-Method', method]]
  if (headers !== undefined) asked.push(['Access-Control-Request-Headers', headers])
  return send('OPTIONS', target, asked, {
    status: 204,
    text: '',
    headers: {
      ...cors(),
      'access-control-allow-methods': new RegExp(`(^|, )${method}(,|$)`),
      ...(headers === undefined ? {} : { 'access-control-allow-headers': headers }),
      'access-control-max-age': /^\d+$/,
    },
  })
}

const allowed: [target: string, allow: string][] = [
  ...stores.flatMap((base): [string, string][] => [
    [`${base}/pets`, 'GET, HEAD, OPTIONS, POST'],
    [`${base}/pets/1`, 'GET, HEAD, OPTIONS'],
    [`${base}/store/orders`, 'GET, HEAD, OPTIONS'],
  ]),
  ['/messages', 'OPTIONS, POST'],
]

const crossOrigin: Case[] = [
  {
    name: 'lets a page of any origin read an answer, with credentials',
    steps: [
      get('/v1/pets', { ...all, headers: cors() }, origin),
      get('/v1/pets', { ...all, headers: cors('https://app.example') }, ['Origin', 'https://app.example']),
      get('/v1/pets', { ...all, headers: cors('null') }, ['Origin', 'null']),
      post('/v1/pets', rex, { ...rexIs4, headers: cors() }, origin),
      post('/messages', '{"message":"hi"}', { ...queued('hi', today), headers: cors() }, origin),
      get('/staging/v1/pets', { ...all, headers: cors() }, origin),
    ],
  },
  {
    name: 'lets a page read every refusal, with what it says',
    options: { maxBodyBytes: 64 },
    steps: [
      get('/v1/pets?limit=0', { ...error(400, 'invalid_request'), headers: cors() }, origin),
      send('GET', '/v1/pets', [origin], {
        ...error(401, 'unauthorized'),
        headers: { ...cors(), 'www-authenticate': challenge },
      }),
      get('/v1/nothing', { ...error(404, 'not_found'), headers: cors() }, origin),
      get('/v1/pets/9', { ...error(404, 'not_found'), headers: { ...cors(), ...lifecycle('/v1') } }, origin),
      send('DELETE', '/v1/pets', [key, origin], {
        ...error(405, 'method_not_allowed'),
        headers: { ...cors(), allow: 'GET, HEAD, OPTIONS, POST' },
      }),
      post('/v1/pets', bodyOf(65), { ...error(413, 'payload_too_large'), headers: cors() }, origin),
      get('/v1/store/orders', { ...error(501, 'not_described'), headers: cors() }, origin),
      get(
        '/v1/pets',
        { ...error(503, 'unavailable'), headers: { ...cors(), 'preference-applied': 'code=503' } },
        origin,
        ['Prefer', 'code=503'],
      ),
    ],
  },
  ...[
    ['/v1/pets', 'GET'],
    ['/v1/pets', 'POST'],
    ['/v1/pets', 'DELETE'],
    ['/v1/pets/1', 'GET'],
    ['/staging/v1/pets', 'POST'],
    ['/v1/store/orders', 'GET'],
    ['/messages', 'POST'],
    ['/v1/nothing', 'PUT'],
  ].map(
    ([target = '', method = '']): Case => ({
      name: `answers the preflight of ${method} ${target} without a key, and allows every header that it asks for`,
      steps: [
        preflight(target, method, 'authorization,content-type'),
        preflight(target, method, 'X-Anything, prefer'),
        preflight(target, method, undefined),
      ],
    }),
  ),
  ...allowed.map(
    ([target, allow]): Case => ({
      name: `answers OPTIONS ${target} with what is allowed, without a key`,
      steps: [
        send('OPTIONS', target, [], { status: 204, text: '', headers: { allow } }),
        send('OPTIONS', target, [key], { status: 204, text: '', headers: { allow } }),
        send('OPTIONS', target, [origin], { status: 204, text: '', headers: { allow, ...cors() } }),
      ],
    }),
  ),
  {
    name: 'answers 404 to OPTIONS on an unknown path',
    steps: [send('OPTIONS', '/v1/nothing', [], error(404, 'not_found'))],
  },
  {
    name: 'says nothing of origins with the option cors off, and answers a preflight like any OPTIONS',
    options: { cors: false },
    steps: [
      get('/v1/pets', all, origin),
      send('GET', '/v1/pets', [origin], { ...error(401, 'unauthorized'), headers: { 'www-authenticate': challenge } }),
      send('OPTIONS', '/v1/pets', [origin, ['Access-Control-Request-Method', 'POST']], {
        status: 204,
        text: '',
        headers: { allow: 'GET, HEAD, OPTIONS, POST' },
      }),
    ],
  },
]

// --- preferences ---------------------------------------------------------------------------------------------------

const prefer = (value: string): Header => ['Prefer', value]
const applied = (value: string) => ({ 'preference-applied': value })

const forcedCodes: [status: number, code: string][] = [
  [400, 'invalid_request'],
  [401, 'unauthorized'],
  [404, 'not_found'],
  [405, 'method_not_allowed'],
  [410, 'removed'],
  [413, 'payload_too_large'],
  [415, 'unsupported_media_type'],
  [429, 'rate_limited'],
  [500, 'internal_error'],
  [501, 'not_described'],
  [503, 'unavailable'],
]

const preferences: Case[] = [
  ...onStores((base) =>
    forcedCodes.map(
      ([status, code]): Case => ({
        name: `answers ${status} on ${base} when that is preferred, whether documented or not, and changes nothing`,
        ...namesMount(base),
        steps: [
          get(`${base}/pets`, { ...error(status, code), headers: applied(`code=${status}`) }, prefer(`code=${status}`)),
          post(
            `${base}/pets`,
            rex,
            { ...error(status, code), headers: applied(`code=${status}`) },
            prefer(`code=${status}`),
          ),
          get(
            `${base}/pets/1`,
            { ...error(status, code), headers: { ...applied(`code=${status}`), ...lifecycle(base) } },
            prefer(`code=${status}`),
          ),
          get(`${base}/pets`, all),
          post(`${base}/pets`, rex, rexIs4),
        ],
      }),
    ),
  ),
  {
    name: 'answers any other error that is preferred, in the shape of an error',
    steps: [402, 403, 409, 418, 422, 451, 499, 502, 504, 599].map((status) =>
      get('/v1/pets', { status, headers: applied(`code=${status}`) }, prefer(`code=${status}`)),
    ),
  },
  {
    name: 'answers the documented success that is preferred, and changes nothing',
    steps: [
      post(
        '/v1/pets',
        rex,
        {
          status: 201,
          headers: applied('code=201'),
          check: (body) => expect(body).toMatchObject({ id: expect.any(Number), name: expect.any(String) }),
        },
        prefer('code=201'),
      ),
      get('/v1/pets', all),
      get(
        '/v1/pets',
        { status: 200, headers: applied('code=200'), check: (body) => expect(Array.isArray(body)).toBe(true) },
        prefer('code=200'),
      ),
      get(
        '/v1/pets/999',
        {
          status: 200,
          headers: { ...applied('code=200'), ...lifecycle('/v1') },
          check: (body) => expect(body).toMatchObject({ id: expect.any(Number), name: expect.any(String) }),
        },
        prefer('code=200'),
      ),
      post(
        '/messages',
        '{}',
        {
          status: 200,
          headers: applied('code=200'),
          check: (body) => expect(Object.keys(body)).toEqual(['id', 'message', 'status', 'createdAt']),
        },
        prefer('code=200'),
      ),
      post('/v1/pets', rex, rexIs4),
    ],
  },
  ...['201', '204', '302', '100', '200.5', 'abc', '', '-404', '4040', '1000', '99'].map(
    (code): Case => ({
      name: `leaves the preference code=${code} aside where there is no such answer, and notes it`,
      steps: [get('/v1/pets', all, prefer(`code=${code}`)), noted('code')],
    }),
  ),
  {
    name: 'leaves the preference for a success aside where none is described',
    steps: [get('/v1/store/orders', error(501, 'not_described'), prefer('code=200')), noted('code=200')],
  },
  ...['respond-async', 'return=minimal', 'example=cat', 'dynamic=true', 'handling=lenient; x=y', 'wait=10'].map(
    (preference): Case => ({
      name: `leaves the preference "${preference}" aside, and notes it`,
      steps: [
        get('/v1/pets', all, prefer(preference)),
        noted(String(preference.split(';')[0])),
        post('/v1/pets', rex, rexIs4, prefer(preference)),
      ],
    }),
  ),
  {
    name: 'waits as long as is preferred, and says so',
    steps: [
      get('/v1/pets', { ...all, headers: applied('delay=2') }, prefer('delay=2')),
      get('/v1/pets', { ...all, headers: applied('delay=0') }, prefer('delay=0')),
      post('/v1/pets', rex, { ...rexIs4, headers: applied('delay=1') }, prefer('delay=1')),
      get('/v1/pets?limit=0', { ...error(400, 'invalid_request'), headers: applied('delay=1') }, prefer('delay=1')),
      get('/v1/pets', allAfter(String(rexIs4.text))),
    ],
  },
  ...['abc', '', '-1', '1.5'].map(
    (delay): Case => ({
      name: `leaves the preference delay=${delay} aside, and notes it`,
      steps: [get('/v1/pets', all, prefer(`delay=${delay}`)), noted('delay')],
    }),
  ),
  {
    name: 'obeys two preferences, in one header or in two, in any case and in quotes',
    steps: [
      get(
        '/v1/pets',
        { ...error(503, 'unavailable'), headers: applied('code=503, delay=1') },
        prefer('delay=1, code=503'),
      ),
      get(
        '/v1/pets',
        { ...error(503, 'unavailable'), headers: applied('code=503, delay=1') },
        prefer('code=503'),
        prefer('delay=1'),
      ),
      get('/v1/pets', { ...error(404, 'not_found'), headers: applied('code=404') }, prefer('CODE="404"')),
      get('/v1/pets', { ...error(404, 'not_found'), headers: applied('code=404') }, ['prefer', 'code=404; x=1']),
    ],
  },
  {
    name: 'counts the first of two preferred codes, and notes the other',
    steps: [
      get('/v1/pets', { ...error(404, 'not_found'), headers: applied('code=404') }, prefer('code=404, code=500')),
      noted('code=500'),
    ],
  },
  {
    name: 'obeys what it understands beside what it does not',
    steps: [
      get(
        '/v1/pets',
        { ...error(404, 'not_found'), headers: applied('code=404') },
        prefer('respond-async, code=404, example=cat'),
      ),
      noted('respond-async', 'example=cat'),
    ],
  },
]

// --- the journal ---------------------------------------------------------------------------------------------------

const journal: Case[] = [
  {
    name: 'keeps what was asked and answered, with key, server and operation',
    steps: [
      get('/v1/pets?limit=1', { status: 200, text: `[${cy}]` }),
      (sandbox) => {
        const { request, response, ...rest } = lastExchange(sandbox)
        expect(rest).toEqual({
          id: 1,
          at: Date.parse('2026-11-21'),
          key: 'sandbox',
          server: 'production',
          operation: 'listPets',
          refused: undefined,
          notes: [],
        })
        expect(request).toMatchObject({ method: 'GET', path: '/pets', query: 'limit=1', body: undefined })
        expect(response).toMatchObject({ status: 200, body: `[${cy}]` })
      },
      post('/staging/v1/pets', rex, rexIs4),
      (sandbox) => {
        expect(lastExchange(sandbox)).toMatchObject({ id: 2, server: 'staging', operation: 'createPet' })
        expect(lastExchange(sandbox).request.body).toBe(rex)
      },
      post('/messages', '{"message":"hi"}', { status: 202 }),
      (sandbox) => expect(lastExchange(sandbox)).toMatchObject({ server: 'quickstart', operation: 'sendMessage' }),
    ],
  },
  {
    name: 'keeps why a request was refused',
    steps: [
      send('GET', '/v1/pets', [], { status: 401, headers: { 'www-authenticate': challenge } }),
      (sandbox) => {
        expect(lastExchange(sandbox)).toMatchObject({ key: undefined, operation: 'listPets', refused: 'unauthorized' })
      },
      get('/v1/nothing', { status: 404 }),
      (sandbox) => {
        expect(lastExchange(sandbox)).toMatchObject({ key: undefined, operation: undefined, refused: 'not_found' })
      },
      post('/v1/pets', '{}', { status: 400 }),
      (sandbox) => {
        expect(lastExchange(sandbox)).toMatchObject({
          key: 'sandbox',
          operation: 'createPet',
          refused: 'invalid_request',
          response: { status: 400 },
        })
      },
    ],
  },
  {
    name: 'tells the exchanges of one key from those of others, and forgets them alone',
    steps: [
      get('/v1/pets', all),
      send('GET', '/v1/pets', [['Authorization', 'Bearer sandbox-b']], all),
      send('GET', '/v1/pets', [], { status: 401, headers: { 'www-authenticate': challenge } }),
      (sandbox) => {
        expect(sandbox.journal.list()).toHaveLength(3)
        expect(sandbox.journal.list('sandbox-b').map(({ id }) => id)).toEqual([2])
        sandbox.journal.clear('sandbox-b')
        expect(sandbox.journal.list().map(({ id }) => id)).toEqual([1, 3])
      },
    ],
  },
  {
    name: 'keeps no more exchanges than it is told to',
    options: { journal: { maxExchanges: 2 } },
    steps: [
      get('/v1/pets', all),
      get('/v1/pets', all),
      get('/v1/pets', all),
      (sandbox) => expect(sandbox.journal.list().map(({ id }) => id)).toEqual([2, 3]),
    ],
  },
  {
    name: 'keeps no more bytes of exchanges than it is told to, and always the newest',
    options: { journal: { maxBytes: 5000 } },
    steps: [
      ...Array.from({ length: 5 }, () => post('/v1/pets', bodyOf(1000), { status: 201 })),
      (sandbox) => {
        const kept = sandbox.journal.list().map(({ id }) => id)
        expect(kept.length).toBeLessThan(5)
        expect(kept.at(-1)).toBe(5)
      },
    ],
  },
]

// --- failures inside -----------------------------------------------------------------------------------------------

const failures: Case[] = [
  {
    name: 'answers 500 without a trace of its insides to an unexpected failure, and goes on',
    steps: [
      (sandbox) => {
        const collection = sandbox.world().collection('pets', 'production')
        Object.assign(collection, {
          add() {
            throw new Error('secret: boom')
          },
        })
      },
      post('/v1/pets', rex, {
        status: 500,
        error: ['internal_error', /^(?!.*(boom|secret))/],
      }),
      get('/v1/pets', all),
      post('/staging/v1/pets', rex, rexIs4),
      (sandbox) => sandbox.world().reset(),
      post('/v1/pets', rex, rexIs4),
    ],
  },
]

// --- the scenarios -------------------------------------------------------------------------------------------------

interface Pet {
  id: number
  name: string
  categoryId: number
  status?: string
}

/** As many as there are at the beginning, by another way than a request. */
function countOf(status: string | undefined): number {
  return createSandbox()
    .world()
    .collection('pets')
    .count([{ property: 'status', values: [status] }])
}

const scenarios: Case[] = [
  {
    name: 'begins with 120 animals of all kinds',
    options: { scenario: 'default' },
    steps: [
      (sandbox) => expect(sandbox.world().collection('pets').size).toBe(120),
      () => expect(['available', 'pending', 'sold', undefined].map(countOf)).not.toContain(0),
      get('/v1/pets', { status: 200, check: (body) => expect(body).toHaveLength(20) }),
      get('/v1/pets?limit=100', {
        status: 200,
        check(body: Pet[]) {
          expect(body).toHaveLength(100)
          const descending = body.map(({ id }) => id).sort((a, b) => b - a)
          expect(body.map(({ id }) => id)).toEqual(descending)
          expect(new Set(body.map(({ categoryId }) => categoryId)).size).toBeGreaterThan(2)
          expect(new Set(body.map(({ name }) => name)).size).toBeGreaterThan(10)
        },
      }),
      ...['available', 'pending', 'sold'].map((wanted) =>
        get(`/v1/pets?limit=100&status=${wanted}`, {
          status: 200,
          check(body: Pet[]) {
            expect(body.map(({ status }) => status)).toEqual(Array(countOf(wanted)).fill(wanted))
          },
        }),
      ),
      post('/v1/pets', rex, { status: 201, check: (body: Pet) => expect(body.id).toBeGreaterThan(0) }),
      get('/v1/pets?limit=1', { status: 200, check: ([first]: Pet[]) => expect(first?.name).toBe('Rex') }),
      get('/staging/v1/pets?limit=100', { status: 200, check: (body) => expect(body).toHaveLength(100) }),
    ],
  },
  {
    name: 'begins with nothing in the scenario "empty"',
    options: { scenario: 'empty' },
    steps: [
      get('/v1/pets', { status: 200, text: '[]' }),
      get('/staging/v1/pets', { status: 200, text: '[]' }),
      post('/v1/pets', rex, { status: 201, text: '{"id":1,"name":"Rex","categoryId":7}' }),
    ],
  },
  {
    name: 'has animals, but none that is available, in the scenario "sold-out"',
    options: { scenario: 'sold-out' },
    steps: [
      get('/v1/pets?status=available', { status: 200, text: '[]' }),
      get('/v1/pets?status=sold&limit=1', { status: 200, check: (body) => expect(body).toHaveLength(1) }),
    ],
  },
  {
    name: 'has ids beyond 2^53 in the scenario "edge-cases", each readable by all of its digits',
    options: { scenario: 'edge-cases' },
    steps: [
      (sandbox) => {
        const ids = sandbox
          .world()
          .collection('pets')
          .select([])
          .map(({ values }) => values['id'])
        expect(ids.filter((id) => typeof id === 'bigint')).not.toEqual([])
      },
      get('/v1/pets?limit=100', { status: 200, check: (body) => expect(body.length).toBeGreaterThan(3) }),
      post('/v1/pets', rex, { status: 201, check: (body: Pet) => expect(body.id).toBeLessThan(2 ** 53) }),
    ],
  },
]

export const cases: readonly Case[] = [
  ...keys,
  ...order,
  ...list,
  ...create,
  ...ids,
  ...read,
  ...sunset,
  ...others,
  ...routes,
  ...crossOrigin,
  ...preferences,
  ...journal,
  ...failures,
  ...scenarios,
]
