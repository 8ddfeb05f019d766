/** Cases: valid keys, and the separation of their worlds. */
import type { Header } from '../support/raw-request.js'
import type { Case } from '../support/run-case.js'
import {
  all,
  allAfter,
  challenge,
  error,
  get,
  invalidToken,
  json,
  keyOf,
  lifecycle,
  namesMount,
  post,
  refusedKey,
  rex,
  rex4,
  rexIs4,
  send,
  stores,
} from './vocabulary.js'

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

/** What the message says before it names the header to send. */
const missing = 'An API key is required: '
const schemeless = 'The Authorization header must begin with "Bearer": '
const invalid = 'This API key is not valid here: '

const strangers: { who: string; headers: Header[]; says: string; authenticate: RegExp }[] = [
  { who: 'without a key', headers: [], says: missing, authenticate: challenge },
  { who: 'with an empty header', headers: [['Authorization', '']], says: missing, authenticate: challenge },
  ...[
    'Basic c2FuZGJveDo=',
    'sandbox',
    'sandbox-a',
    'Bearersandbox',
    'Bearer:sandbox',
    'Token sandbox',
    '"Bearer" x',
  ].map((value) => ({
    who: `with "${value}"`,
    headers: [['Authorization', value] as const],
    says: schemeless,
    authenticate: challenge,
  })),
  { who: 'with an empty key', headers: [['Authorization', 'Bearer ']], says: invalid, authenticate: invalidToken },
  { who: 'with "Bearer" alone', headers: [['Authorization', 'bearer']], says: invalid, authenticate: invalidToken },
  { who: 'with an unknown key', headers: [keyOf('wrong')], says: invalid, authenticate: invalidToken },
]

const unauthorized = operations.flatMap(({ called, method, target, headers = {}, base = '' }) =>
  strangers.map(
    (stranger): Case => ({
      name: `answers 401 to ${called} ${stranger.who}, and names a valid key`,
      ...namesMount(base),
      steps: [
        send(method, target, stranger.headers, {
          ...error(401, 'unauthorized', `${stranger.says}send the header "Authorization: Bearer sandbox"`),
          headers: { 'www-authenticate': stranger.authenticate, ...headers },
        }),
      ],
    }),
  ),
)

export const keyCases: readonly Case[] = [
  ...unauthorized,
  ...['sandbox', 'sandbox-a', 'sandbox-A.b_c-9', 'sandbox--', `sandbox-${'x'.repeat(64)}`].map(
    (name): Case => ({
      name: `accepts the key "${name}" by default`,
      steps: [send('GET', '/v1/pets', [keyOf(name)], all)],
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
      steps: [send('GET', '/v1/pets', [keyOf(name)], refusedKey)],
    }),
  ),
  ...['Bearer', 'bearer', 'BEARER', 'bEaReR'].map(
    (scheme): Case => ({
      name: `accepts the scheme "${scheme}"`,
      steps: [send('GET', '/v1/pets', [['authorization', `${scheme} sandbox`]], all)],
    }),
  ),
  {
    name: 'refuses two Authorization headers, whichever is first, and even the same one',
    steps: [
      ['sandbox', 'wrong'],
      ['wrong', 'sandbox'],
      ['sandbox', 'sandbox'],
    ].map((keys) => send('GET', '/v1/pets', keys.map(keyOf), refusedKey)),
  },
  {
    name: 'reads no key from the query',
    steps: [
      send('GET', '/v1/pets?access_token=sandbox&Authorization=Bearer%20sandbox', [], {
        ...error(401, 'unauthorized'),
        headers: { 'www-authenticate': challenge },
      }),
    ],
  },
  {
    name: 'accepts only the keys of the option apiKeys, and names the first of them',
    options: { apiKeys: ['one', 'two'] },
    steps: [
      send('GET', '/v1/pets', [keyOf('one')], all),
      send('GET', '/v1/pets', [keyOf('two')], all),
      get('/v1/pets', { ...error(401, 'unauthorized', 'Bearer one'), headers: { 'www-authenticate': invalidToken } }),
      send('GET', '/v1/pets', [keyOf('sandbox-a')], refusedKey),
      send('GET', '/v1/pets', [keyOf('ONE')], refusedKey),
    ],
  },
  {
    name: 'separates the worlds of two keys: a record, its id and the list',
    steps: [
      post('/v1/pets', rex, rexIs4),
      get('/v1/pets', allAfter(rex4)),
      send('GET', '/v1/pets', [keyOf('sandbox-b')], all),
      send('GET', '/v1/pets/4', [keyOf('sandbox-b')], {
        ...error(404, 'not_found'),
        headers: lifecycle('/v1'),
      }),
      {
        ...send('POST', '/v1/pets', [keyOf('sandbox-b'), json], {
          status: 201,
          text: '{"id":4,"name":"Ben","categoryId":8}',
        }),
        body: '{"name":"Ben","categoryId":8}',
      },
      get('/v1/pets/4', { ...rexIs4, status: 200, headers: lifecycle('/v1') }),
    ],
  },
  {
    name: 'separates the worlds of listed keys too',
    options: { apiKeys: ['one', 'two'] },
    steps: [
      { ...send('POST', '/v1/pets', [keyOf('one'), json], rexIs4), body: rex },
      send('GET', '/v1/pets', [keyOf('two')], all),
    ],
  },
  {
    name: 'answers 503 to a further key beyond maxWorlds, and still answers the others',
    options: { maxWorlds: 1 },
    except: { stored: 'more keys than worlds in memory are served' },
    steps: [
      send('GET', '/v1/pets', [keyOf('sandbox-a')], all),
      send('GET', '/v1/pets', [keyOf('sandbox-b')], error(503, 'unavailable')),
      send('GET', '/v1/pets', [keyOf('sandbox-a')], all),
    ],
  },
]
