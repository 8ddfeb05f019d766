/** Cases: ids of new records, and the separation of records by worlds, environments and resets. */
import { expect } from 'vitest'
import { removeRecord } from '../support/records.js'
import type { Case } from '../support/run-case.js'
import {
  ada,
  all,
  allAfter,
  bo,
  error,
  get,
  json,
  keyOf,
  lifecycle,
  post,
  rex,
  rex4,
  rexIs4,
  send,
} from './vocabulary.js'

export const idCases: readonly Case[] = [
  {
    name: 'increments ids by one, whatever was refused in between',
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
    name: 'starts with id 1 in an empty collection',
    options: { scenario: {} },
    steps: [post('/v1/pets', rex, { status: 201, text: '{"id":1,"name":"Rex","categoryId":7}' })],
  },
  {
    name: 'never reuses an id, even after its record was removed',
    steps: [
      post('/v1/pets', rex, rexIs4),
      async (sandbox) => {
        for (const id of [4, 3]) await removeRecord(sandbox.world(), id, { server: 'production' })
      },
      get('/v1/pets/4', { ...error(404, 'not_found'), headers: lifecycle('/v1') }),
      get('/v1/pets', { status: 200, text: `[${bo},${ada}]` }),
      post('/v1/pets', rex, { status: 201, text: '{"id":5,"name":"Rex","categoryId":7}' }),
    ],
  },
  {
    name: 'continues after the highest id of the scenario, even if all its records were removed',
    steps: [
      async (sandbox) => {
        for (const id of [1, 2, 3]) await removeRecord(sandbox.world(), id, { server: 'production' })
      },
      get('/v1/pets', { status: 200, text: '[]' }),
      post('/v1/pets', rex, rexIs4),
    ],
  },
  {
    name: 'reads ids beyond 2^53 with every digit, and continues below them',
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
    name: 'assigns 2^53-1 as the last id, and answers 503 if no id is left',
    options: { scenario: { pets: [{ id: 9007199254740990, name: 'G', categoryId: 1 }] } },
    steps: [
      post('/v1/pets', rex, { status: 201, text: '{"id":9007199254740991,"name":"Rex","categoryId":7}' }),
      post('/v1/pets', rex, error(503, 'unavailable')),
      get('/v1/pets', { status: 200, check: (body) => expect(body).toHaveLength(2) }),
    ],
  },
  {
    name: 'separates production and staging: records, ids and lists',
    steps: [
      post('/v1/pets', rex, rexIs4),
      post('/v1/pets', rex, { status: 201, text: '{"id":5,"name":"Rex","categoryId":7}' }),
      get('/staging/v1/pets', all),
      post('/staging/v1/pets', '{"name":"Stage","categoryId":1}', {
        status: 201,
        text: '{"id":4,"name":"Stage","categoryId":1}',
      }),
      get('/staging/v1/pets', allAfter('{"id":4,"name":"Stage","categoryId":1}')),
      get('/v1/pets', allAfter(rex4, '{"id":5,"name":"Rex","categoryId":7}')),
    ],
  },
  {
    name: 'restores the scenario and its ids after a reset of a world, and keeps the other worlds',
    steps: [
      post('/v1/pets', rex, rexIs4),
      { ...send('POST', '/v1/pets', [keyOf('sandbox-b'), json], rexIs4), body: rex },
      (sandbox) => sandbox.world().reset(),
      get('/v1/pets', all),
      send('GET', '/v1/pets', [keyOf('sandbox-b')], allAfter(rex4)),
      post('/v1/pets', rex, rexIs4),
    ],
  },
  {
    name: 'restores the scenario in every world after a reset of the sandbox',
    steps: [
      post('/v1/pets', rex, rexIs4),
      { ...send('POST', '/v1/pets', [keyOf('sandbox-b'), json], rexIs4), body: rex },
      async (sandbox) => {
        await sandbox.clock.travelTo('2031-01-01')
        await sandbox.reset()
        expect(sandbox.journal.size).toBe(0)
        expect(await sandbox.clock.now()).toBe(Date.parse('2026-11-21'))
      },
      get('/v1/pets', all),
      send('GET', '/v1/pets', [keyOf('sandbox-b')], all),
    ],
  },
]
