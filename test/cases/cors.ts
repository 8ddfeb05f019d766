/** Cases: requests from pages of another origin, and OPTIONS. */
import type { Header } from '../support/raw-request.js'
import type { Case, Send } from '../support/run-case.js'
import {
  all,
  bodyOf,
  challenge,
  error,
  get,
  key,
  lifecycle,
  post,
  queued,
  rex,
  rexIs4,
  send,
  stores,
  today,
} from './vocabulary.js'

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

export const corsCases: readonly Case[] = [
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
    name: 'lets a page read every refusal and its message',
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
      name: `answers the preflight of ${method} ${target} without a key, and allows every requested header`,
      steps: [
        preflight(target, method, 'authorization,content-type'),
        preflight(target, method, 'X-Anything, prefer'),
        preflight(target, method, undefined),
      ],
    }),
  ),
  ...allowed.map(
    ([target, allow]): Case => ({
      name: `answers OPTIONS ${target} with the allowed methods, without a key`,
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
    name: 'sends no CORS headers if the option cors is false, and answers a preflight like any OPTIONS',
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
