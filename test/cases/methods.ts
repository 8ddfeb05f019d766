/** Cases: unsupported methods, and HEAD. */
import type { Case } from '../support/run-case.js'
import {
  ada,
  all,
  challenge,
  cy,
  error,
  key,
  lifecycle,
  namesMount,
  notInFetch,
  onStores,
  send,
  stores,
} from './vocabulary.js'

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

export const methodCases: readonly Case[] = [
  ...otherMethods.flatMap(({ target, allow, methods: refused }) =>
    refused.map(
      (method): Case => ({
        name: `answers 405 to ${method} ${target}, and names the allowed methods`,
        ...namesMount(target.startsWith('/staging') ? '/staging/v1' : ''),
        steps: [
          send(method, target, [key], { ...error(405, 'method_not_allowed', method, allow), headers: { allow } }),
        ],
      }),
    ),
  ),
  {
    name: 'answers 405 to TRACE',
    ...notInFetch('a Request forbids TRACE'),
    steps: [
      send('TRACE', '/v1/pets', [key], {
        ...error(405, 'method_not_allowed', 'TRACE'),
        headers: { allow: 'GET, HEAD, OPTIONS, POST' },
      }),
    ],
  },
  {
    name: 'answers 405 to an unknown method',
    steps: ['PROPFIND', 'PURGE', 'SEARCH'].map((method) =>
      send(method, '/v1/pets', [key], {
        ...error(405, 'method_not_allowed', method),
        headers: { allow: 'GET, HEAD, OPTIONS, POST' },
      }),
    ),
  },
  {
    name: 'answers 404, not 405, to any method on an unknown path',
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
    name: 'counts bytes, not characters, in the Content-Length of HEAD',
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
