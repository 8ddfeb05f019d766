/** Cases: the team's own code for operations. */
import { defineOverrides, type SandboxOptions } from 'petstore-sandbox'
import { expect } from 'vitest'
import type { Case } from '../support/run-case.js'
import { ada, all, allAfter, cy, error, get, idsAre, lifecycle, post, rex, rexIs4 } from './vocabulary.js'

const withOverrides = (overrides: object | readonly object[]): SandboxOptions => ({ overrides })
const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const thrown = 'Error: no luck\n    at createPet (/own.ts:3:5)'
const fail = () => {
  throw new Error('no stack')
}
const named = (name: string) => JSON.stringify({ name, categoryId: 7 })

export const overrideCases: readonly Case[] = [
  {
    name: 'an override answers by itself: with a status, a plain value, or a Response',
    options: withOverrides({
      'GET /pets/{petId}': ({ params, answer }: Given) => {
        if (params['petId'] === 1) return { id: 1, name: 'Plain' }
        if (params['petId'] === 2) return answer(203, [1n << 60n, null], { 'X-Why': 'mine' })
        return new Response('{"raw":true}', { status: 203, headers: { 'Content-Type': 'application/json' } })
      },
    }),
    steps: [
      get('/v1/pets/1', { status: 200, text: '{"id":1,"name":"Plain"}', headers: lifecycle('/v1') }),
      get('/v1/pets/2', {
        status: 203,
        text: '[1152921504606846976,null]',
        headers: { ...lifecycle('/v1'), 'x-why': 'mine' },
      }),
      get('/v1/pets/3', { status: 203, text: '{"raw":true}', headers: lifecycle('/v1') }),
    ],
  },
  {
    name: 'next() does what the behaviour says, once, and its answer can be changed',
    options: withOverrides({
      createPet: async ({ next }: Given) => {
        const made = await next()
        const again = await next()
        return { ...again, headers: { ...again.headers, 'X-Same': String(made === again) } }
      },
      'GET /pets': async ({ next }: Given) => {
        const given = await next()
        return { ...given, body: given.body.map(({ id, name }: Given) => ({ id, name })) }
      },
    }),
    steps: [
      post('/v1/pets', rex, { ...rexIs4, headers: { 'x-same': 'true' } }),
      get('/v1/pets?limit=2', { status: 200, text: '[{"id":4,"name":"Rex"},{"id":3,"name":"Cy"}]' }),
    ],
  },
  {
    name: 'what is set on a record is stored and in the answer, and what is set on the body is used',
    options: withOverrides({
      createPet: async ({ body, next }: Given) => {
        body.name = body.name.toUpperCase()
        const made = await next()
        made.record.status = 'sold'
        return made
      },
      getPet: ({ record }: Given) => {
        if (record) record.name += '!'
      },
    }),
    steps: [
      post('/v1/pets', rex, { status: 201, text: '{"id":4,"name":"REX","categoryId":7,"status":"sold"}' }),
      get('/v1/pets/1', { status: 200, text: ada.replace('Ada', 'Ada!'), headers: lifecycle('/v1') }),
      get('/v1/pets/1', { status: 200, text: ada.replace('Ada', 'Ada!!'), headers: lifecycle('/v1') }),
      get('/v1/pets/9', { ...error(404, 'not_found', '9'), headers: lifecycle('/v1') }),
    ],
  },
  {
    name: 'a refusal and an error undo everything, and the next request goes on',
    options: withOverrides({
      createPet: async ({ body, own, records, next, refuse }: Given) => {
        own.tries = (own.tries ?? 0) + 1
        await records('pets').update(1, { name: 'Changed' })
        await next()
        if (body.name === 'No') return refuse('conflict', 'Not this one')
        if (body.name === 'Teapot') return refuse(418, 'I am a teapot')
        if (body.name === 'Bug') throw Object.assign(new Error('no luck'), { stack: thrown })
        if (body.name === 'Odd')
          throw Object.create(Error.prototype, { message: { value: 'odd' }, stack: { get: fail } })
        if (body.name === 'Bare') throw Object.create(null)
        return { id: own.tries, name: body.name, categoryId: 1 }
      },
    }),
    steps: [
      post('/v1/pets', named('No'), error(400, 'conflict', 'Not this one')),
      post('/v1/pets', named('Teapot'), error(418, 'status_418', 'I am a teapot')),
      post(
        '/v1/pets',
        named('Bug'),
        error(500, 'internal_error', 'The override of POST /pets failed: no luck (/own.ts:3:5)'),
      ),
      post('/v1/pets', named('Odd'), error(500, 'internal_error', 'The override of POST /pets failed: odd')),
      post('/v1/pets', named('Bare'), error(500, 'internal_error', 'The override of POST /pets failed: Error')),
      get('/v1/pets', all),
      post('/v1/pets', named('Yes'), { status: 201, text: '{"id":1,"name":"Yes","categoryId":1}' }),
      get('/v1/pets?limit=2', { status: 200, text: `[{"id":4,"name":"Yes","categoryId":7},${cy}]` }),
      async (sandbox) => {
        const kinds = (await sandbox.exchanges.list()).map(({ cause }) => cause?.kind)
        const failed = Array.from({ length: 5 }, () => 'override')
        expect(kinds).toEqual([...failed, undefined, 'override', undefined])
      },
    ],
  },
  {
    name: 'an override uses the collections of its world',
    options: withOverrides({
      createPet: async ({ records, body, answer }: Given) => {
        const pets = records('pets')
        const found = await pets.list({ name: body.name })
        const added = await pets.add({ name: body.name, categoryId: found.length })
        const replaced = await pets.replace(2, { name: 'Two', categoryId: 2 })
        const gone = [await pets.remove(3), await pets.remove(3), await pets.get(3), await pets.update(3, {})]
        return answer(201, { ...added, categoryId: replaced.id, name: JSON.stringify(gone) })
      },
    }),
    steps: [
      post('/v1/pets', rex, { status: 201, text: '{"name":"[true,false,null,null]","categoryId":2,"id":4}' }),
      get('/v1/pets', {
        status: 200,
        text: `[${'{"id":4,"name":"Rex","categoryId":0}'},{"id":2,"name":"Two","categoryId":2},${ada}]`,
      }),
    ],
  },
  {
    name: '* is called first, then the last of several, and each next() leads to the one before',
    options: withOverrides([
      { 'GET /pets': async ({ next }: Given) => withHeader(await next(), 'first') },
      {
        'GET /pets': async ({ next }: Given) => withHeader(await next(), 'second'),
        '*': async ({ next, operation }: Given) => withHeader(await next(), operation),
      },
    ]),
    steps: [
      get('/v1/pets', { ...all, headers: { 'x-by': 'first second listPets' } }),
      post('/v1/pets', rex, { ...rexIs4, headers: { 'x-by': 'createPet' } }),
    ],
  },
  {
    name: 'requests at the same time each see what the one before did',
    options: withOverrides({
      createPet: async ({ own, next }: Given) => {
        const { count = 0 } = own
        await wait(5)
        own.count = count + 1
        const made = await next()
        made.record.categoryId = own.count
        return made
      },
    }),
    steps: [
      async (sandbox) => {
        const send = (name: string) =>
          sandbox.fetch(`${sandbox.contract.servers[0]?.url}/pets`, {
            method: 'POST',
            headers: { Authorization: 'Bearer sandbox', 'Content-Type': 'application/json' },
            body: named(name),
          })
        const answers = await Promise.all(Array.from({ length: 20 }, () => send('Pet')))
        const bodies = await Promise.all(answers.map((each) => each.json()))
        const counts = bodies.map(({ categoryId }) => categoryId as number)
        expect(counts.sort((one, other) => one - other)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
      },
      get('/v1/pets?limit=1', idsAre([23])),
    ],
  },
  {
    name: 'faults and preferences come before an override, and an override is not called for what is not valid',
    options: withOverrides({
      createPet: ({ answer }: Given) => answer(201, { id: 99, name: 'Mine', categoryId: 1 }),
    }),
    steps: [
      post('/v1/pets', '{"name":""}', error(400, 'invalid_request')),
      post(
        '/v1/pets',
        rex,
        { ...error(401, 'unauthorized'), headers: { 'www-authenticate': /./, 'preference-applied': 'code=401' } },
        ['Prefer', 'code=401'],
      ),
      post('/v1/pets', rex, { status: 201, text: '{"id":99,"name":"Mine","categoryId":1}' }),
      get('/v1/pets', allAfter()),
    ],
  },
  {
    name: 'own values belong to the world, and to its snapshots and forks',
    options: withOverrides({
      listPets: async ({ own, now, key, random, next }: Given) => {
        own.calls = (own.calls ?? 0) + 1
        const number = random()
        return withHeader(await next(), `${own.calls} ${now.toISOString()} ${key} ${number >= 0 && number < 1}`)
      },
    }),
    steps: [
      get('/v1/pets?status=pending', {
        status: 200,
        text: '[]',
        headers: { 'x-by': '1 2026-11-21T00:00:00.000Z sandbox true' },
      }),
      async (sandbox) => {
        const state = await sandbox.world().snapshot()
        expect(state.own).toEqual({ calls: 1 })
        await sandbox.world('sandbox-other').restore({ ...state, own: { calls: 7 } })
        await sandbox.world('sandbox-other').fork('sandbox')
      },
      get('/v1/pets?status=pending', {
        status: 200,
        text: '[]',
        headers: { 'x-by': '8 2026-11-21T00:00:00.000Z sandbox true' },
      }),
      (sandbox) => sandbox.world().reset(),
      get('/v1/pets?status=pending', {
        status: 200,
        text: '[]',
        headers: { 'x-by': '1 2026-11-21T00:00:00.000Z sandbox true' },
      }),
    ],
  },
  {
    name: 'an answer that breaks the document is sent, and noted',
    options: withOverrides(defineOverrides({ getPet: ({ answer }) => answer(207, { id: 'x', name: 5 }) })),
    steps: [
      get('/v1/pets/1', { status: 207, text: '{"id":"x","name":5}', headers: lifecycle('/v1') }),
      async (sandbox) => {
        const [exchange] = await sandbox.exchanges.list()
        expect(exchange?.notes.join()).toContain(
          'the answer of the override breaks the document: 207 is not documented',
        )
      },
    ],
  },
]

// biome-ignore lint/suspicious/noExplicitAny: overrides in JavaScript have no types
type Given = any

function withHeader(answer: Given, value: string): Given {
  const before = answer.headers['X-By']
  return { ...answer, headers: { ...answer.headers, 'X-By': before === undefined ? value : `${before} ${value}` } }
}
