/** Cases: the starting data of worlds. */
import { createSandbox } from 'petstore-sandbox'
import { expect } from 'vitest'
import { pluck, readArray, readObject } from '../support/read-json.js'
import { countOf, recordsOf, sizeOf } from '../support/records.js'
import type { Case } from '../support/run-case.js'
import { get, post, rex } from './vocabulary.js'

const statuses = ['available', 'pending', 'sold']

/** How many pets have this status at the start, counted without a request. */
function countAtStart(status: string | undefined): Promise<number> {
  return countOf(createSandbox().world(), 'status', status)
}

export const scenarioCases: readonly Case[] = [
  {
    name: 'starts with 120 animals of all kinds',
    options: { scenario: 'default' },
    steps: [
      async (sandbox) => expect(await sizeOf(sandbox.world())).toBe(120),
      async () => expect(await Promise.all([...statuses, undefined].map(countAtStart))).not.toContain(0),
      get('/v1/pets', { status: 200, check: (body) => expect(body).toHaveLength(20) }),
      get('/v1/pets?limit=100', {
        status: 200,
        check(body) {
          const ids = pluck(body, 'id')
          expect(ids).toHaveLength(100)
          expect(ids).toEqual(ids.toSorted((a, b) => Number(b) - Number(a)))
          expect(new Set(pluck(body, 'categoryId')).size).toBeGreaterThan(2)
          expect(new Set(pluck(body, 'name')).size).toBeGreaterThan(10)
        },
      }),
      ...statuses.map((wanted) =>
        get(`/v1/pets?limit=100&status=${wanted}`, {
          status: 200,
          async check(body) {
            expect(pluck(body, 'status')).toEqual(Array(await countAtStart(wanted)).fill(wanted))
          },
        }),
      ),
      post('/v1/pets', rex, { status: 201, check: (body) => expect(readObject(body)['id']).toBeGreaterThan(0) }),
      get('/v1/pets?limit=1', { status: 200, check: (body) => expect(pluck(body, 'name')).toEqual(['Rex']) }),
      get('/staging/v1/pets?limit=100', { status: 200, check: (body) => expect(body).toHaveLength(100) }),
    ],
  },
  {
    name: 'starts without records in the scenario "empty"',
    options: { scenario: 'empty' },
    steps: [
      get('/v1/pets', { status: 200, text: '[]' }),
      get('/staging/v1/pets', { status: 200, text: '[]' }),
      post('/v1/pets', rex, { status: 201, text: '{"id":1,"name":"Rex","categoryId":7}' }),
    ],
  },
  {
    name: 'has animals, but none available, in the scenario "sold-out"',
    options: { scenario: 'sold-out' },
    steps: [
      get('/v1/pets?status=available', { status: 200, text: '[]' }),
      get('/v1/pets?status=sold&limit=1', { status: 200, check: (body) => expect(body).toHaveLength(1) }),
    ],
  },
  {
    name: 'has ids beyond 2^53 in the scenario "edge-cases", all readable by their digits',
    options: { scenario: 'edge-cases' },
    steps: [
      async (sandbox) => {
        const ids = (await recordsOf(sandbox.world())).map(({ id }) => id)
        expect(ids.filter((id) => typeof id === 'bigint')).not.toEqual([])
      },
      get('/v1/pets?limit=100', { status: 200, check: (body) => expect(readArray(body).length).toBeGreaterThan(3) }),
      post('/v1/pets', rex, { status: 201, check: (body) => expect(readObject(body)['id']).toBeLessThan(2 ** 53) }),
    ],
  },
]
