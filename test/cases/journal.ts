/** Cases: the exchanges in the journal. */
import { expect } from 'vitest'
import type { Case } from '../support/run-case.js'
import { all, bodyOf, challenge, cy, get, keyOf, lastExchange, post, rex, rexIs4, send } from './vocabulary.js'

export const journalCases: readonly Case[] = [
  {
    name: 'keeps request and response, with key, server and operation',
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
    name: 'keeps the reason for a refusal',
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
    name: 'lists and clears the exchanges of one key',
    steps: [
      get('/v1/pets', all),
      send('GET', '/v1/pets', [keyOf('sandbox-b')], all),
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
    name: 'keeps at most maxExchanges exchanges',
    options: { journal: { maxExchanges: 2 } },
    steps: [
      get('/v1/pets', all),
      get('/v1/pets', all),
      get('/v1/pets', all),
      (sandbox) => expect(sandbox.journal.list().map(({ id }) => id)).toEqual([2, 3]),
    ],
  },
  {
    name: 'keeps at most maxBytes bytes of exchanges, and always the newest',
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
