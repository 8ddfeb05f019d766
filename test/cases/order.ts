/** Cases: the order in which a request is checked. */
import type { Case } from '../support/run-case.js'
import { challenge, error, get, json, keyOf, lifecycle, post, refusedKey, removed, send } from './vocabulary.js'

const afterSunset = { at: '2031-01-01T00:00:00Z' }
const unauthorizedHeaders = { 'www-authenticate': challenge }

export const orderCases: readonly Case[] = [
  {
    name: 'answers 404 for an unknown path before it requires a key',
    steps: [send('GET', '/v1/nothing', [], error(404, 'not_found'))],
  },
  {
    name: 'answers 405 for another method before it requires a key',
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
    steps: [{ ...send('POST', '/v1/pets', [keyOf('wrong'), json], refusedKey), body: '{"name":1}' }],
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
    name: 'requires a key before it reports that an operation is removed',
    options: afterSunset,
    steps: [
      send('GET', '/v1/pets/1', [], {
        ...error(401, 'unauthorized'),
        headers: { ...unauthorizedHeaders, ...lifecycle('/v1') },
      }),
    ],
  },
  {
    name: 'reports that an operation is removed before it reads preferences',
    options: afterSunset,
    steps: [get('/v1/pets/1', { ...error(404, ...removed), headers: lifecycle('/v1') }, ['Prefer', 'code=503'])],
  },
  {
    name: 'reports that an operation is removed before it reads the id',
    options: afterSunset,
    steps: [get('/v1/pets/abc', { ...error(404, ...removed), headers: lifecycle('/v1') })],
  },
  {
    name: 'applies a preference before it reads the body',
    steps: [
      post('/v1/pets', '{', { ...error(503, 'unavailable'), headers: { 'preference-applied': 'code=503' } }, [
        'Prefer',
        'code=503',
      ]),
    ],
  },
  {
    name: 'requires a key before it applies a preference',
    steps: [
      send('GET', '/v1/pets', [['Prefer', 'code=503']], {
        ...error(401, 'unauthorized'),
        headers: unauthorizedHeaders,
      }),
    ],
  },
]
