/** Cases: the header Prefer, which forces an answer or delays it. */
import { expect } from 'vitest'
import type { Header } from '../support/raw-request.js'
import { readObject } from '../support/read-json.js'
import type { Case } from '../support/run-case.js'
import {
  all,
  allAfter,
  challenge,
  error,
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

const prefer = (value: string): Header => ['Prefer', value]
const applied = (value: string) => ({ 'preference-applied': value })

/** What a note says about each preference that is ignored. */
const possible = 'use a documented code or a delay up to 60000'

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

/** The headers without which a status is not valid (RFC 9110). */
function requiredBy(status: number, allow = 'GET, HEAD, OPTIONS, POST'): Record<string, string | RegExp> {
  if (status === 401) return { 'www-authenticate': challenge }
  return status === 405 ? { allow } : {}
}

export const preferCases: readonly Case[] = [
  ...onStores((base) =>
    forcedCodes.map(
      ([status, code]): Case => ({
        name: `answers ${status} on ${base} if preferred, whether documented or not, and changes nothing`,
        ...namesMount(base),
        steps: [
          get(
            `${base}/pets`,
            { ...error(status, code), headers: { ...applied(`code=${status}`), ...requiredBy(status) } },
            prefer(`code=${status}`),
          ),
          post(
            `${base}/pets`,
            rex,
            { ...error(status, code), headers: { ...applied(`code=${status}`), ...requiredBy(status) } },
            prefer(`code=${status}`),
          ),
          get(
            `${base}/pets/1`,
            {
              ...error(status, code),
              headers: {
                ...applied(`code=${status}`),
                ...lifecycle(base),
                ...requiredBy(status, 'GET, HEAD, OPTIONS'),
              },
            },
            prefer(`code=${status}`),
          ),
          get(`${base}/pets`, all),
          post(`${base}/pets`, rex, rexIs4),
        ],
      }),
    ),
  ),
  {
    name: 'answers with any other preferred error status and an error body',
    steps: [402, 403, 409, 418, 422, 451, 499, 502, 504, 599].map((status) =>
      get('/v1/pets', { status, headers: applied(`code=${status}`) }, prefer(`code=${status}`)),
    ),
  },
  {
    name: 'answers with the preferred documented success, and changes nothing',
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
          check: (body) => expect(Object.keys(readObject(body))).toEqual(['id', 'message', 'status', 'createdAt']),
        },
        prefer('code=200'),
      ),
      post('/v1/pets', rex, rexIs4),
    ],
  },
  ...['201', '204', '302', '100', '200.5', 'abc', '', '-404', '4040', '1000', '99'].map(
    (code): Case => ({
      name: `ignores the preference code=${code} if no such response is documented, and notes it`,
      steps: [get('/v1/pets', all, prefer(`code=${code}`)), noted(`"code=${code}" was ignored: ${possible}`)],
    }),
  ),
  {
    name: 'ignores the preference for a success if none is documented',
    steps: [
      get('/v1/store/orders', error(501, 'not_described'), prefer('code=200')),
      noted(`"code=200" was ignored: ${possible}`),
    ],
  },
  ...['respond-async', 'return=minimal', 'example=cat', 'dynamic=true', 'handling=lenient; x=y', 'wait=10'].map(
    (preference): Case => ({
      name: `ignores the preference "${preference}", and notes it`,
      steps: [
        get('/v1/pets', all, prefer(preference)),
        noted(`"${preference}" was ignored: ${possible}`),
        post('/v1/pets', rex, rexIs4, prefer(preference)),
      ],
    }),
  ),
  {
    name: 'waits for the preferred delay, and confirms it',
    steps: [
      get('/v1/pets', { ...all, headers: applied('delay=2') }, prefer('delay=2')),
      get('/v1/pets', { ...all, headers: applied('delay=0') }, prefer('delay=0')),
      post('/v1/pets', rex, { ...rexIs4, headers: applied('delay=1') }, prefer('delay=1')),
      get('/v1/pets?limit=0', { ...error(400, 'invalid_request'), headers: applied('delay=1') }, prefer('delay=1')),
      get('/v1/pets', allAfter(rex4)),
    ],
  },
  ...['abc', '', '-1', '1.5', '60001', '1s'].map(
    (delay): Case => ({
      name: `ignores the preference delay=${delay}, and notes it`,
      steps: [get('/v1/pets', all, prefer(`delay=${delay}`)), noted(`"delay=${delay}" was ignored: ${possible}`)],
    }),
  ),
  {
    name: 'applies two preferences, in one header or in two, in any case and in quotes',
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
    name: 'applies the first of two preferred codes, and notes the other',
    steps: [
      get('/v1/pets', { ...error(404, 'not_found'), headers: applied('code=404') }, prefer('code=404, code=500')),
      noted('code=500'),
    ],
  },
  {
    name: 'applies known preferences next to unknown ones',
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
