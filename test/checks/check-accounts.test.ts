/** What `check` finds with the key of another account, in values taken twice, in merge patches and in methods. */
import { describe, expect, it } from 'vitest'
import { documentOf } from '../support/one-operation.js'
import { type Alter, hold, provide, withHeaders } from '../support/providers.js'

const properties = {
  code: { type: 'string', minLength: 1, maxLength: 20, description: 'Must be unique. A code that is taken gives 409.' },
  marks: { type: 'object', additionalProperties: { type: ['string', 'null'], maxLength: 9 } },
}
const coin = {
  type: 'object',
  required: ['id', 'code'],
  properties: { id: { type: 'integer', readOnly: true }, ...properties },
}
const content = { 'application/json': { schema: coin } }
const purse = {
  type: 'object',
  required: ['id', 'coinId'],
  properties: {
    id: { type: 'integer', readOnly: true },
    coinId: { type: 'integer', minimum: 1, description: 'The coin in it. 422 if there is no such coin.' },
    note: { type: 'string' },
  },
}
const inPurse = { 'application/json': { schema: purse } }
const no = { description: 'no' }
const refused = { '400': no, '401': no, '404': no, '409': no, '422': no }
const list = (schema: object) => ({
  '200': { description: '', content: { 'application/json': { schema: { type: 'array', items: schema } } } },
})
const one = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }]
const text = documentOf(
  {
    '/coins': {
      get: { responses: { ...list(coin), ...refused } },
      post: {
        requestBody: { required: true, content },
        responses: { '201': { description: '', content }, ...refused },
      },
    },
    '/coins/{id}': {
      parameters: one,
      get: { responses: { '200': { description: '', content }, ...refused } },
      patch: {
        requestBody: {
          required: true,
          content: { 'application/merge-patch+json': { schema: { type: 'object', properties } } },
        },
        responses: { '200': { description: '', content }, ...refused },
      },
      delete: { responses: { '204': { description: '' }, ...refused } },
    },
    '/purses': {
      get: { responses: { ...list(purse), ...refused } },
      post: {
        requestBody: { required: true, content: inPurse },
        responses: { '201': { description: '', content: inPurse }, ...refused },
      },
    },
  },
  {
    servers: [{ url: 'https://coins.example/v1' }],
    security: [{ key: [] }],
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
  },
)
const foreign = 987_654
const answer = (value: unknown, status = 200) => Response.json(value, { status })

/** Both accounts have records that the other one cannot see, and some requests of the other account get the records of the first. */
function withAccounts(isLeak: (method: string, path: string) => boolean = () => false, isPublic = false): Alter {
  return async (asked, next) => {
    const { method, path, headers, body } = asked
    if (method === 'POST' && path === '/purses' && body.includes(`${foreign}`)) return answer({}, 422)
    if (headers['x-key'] !== 'other') return next()
    if (isPublic || isLeak(method, path)) return next({ headers: { ...headers, 'x-key': 'sandbox' } })
    if (method === 'GET' && path === '/coins') return answer([{ id: foreign, code: 'theirs' }])
    return method === 'GET' && path === '/purses' ? answer([]) : answer({}, 404)
  }
}

async function find(alter: Alter, otherKey?: string): Promise<string[]> {
  const address = await provide({ text, base: '/v1' }, alter)
  const { findings } = await hold(address, { text }, { otherKey, generated: 1 })
  return findings.map(({ severity, id }) => `${severity} ${id}`)
}

describe('check with the key of another account', () => {
  it('finds nothing if the accounts share nothing, or everything', async () => {
    expect(await find(withAccounts(), 'other')).toEqual([])
    expect(await find(withAccounts(undefined, true), 'other')).toEqual([])
  })

  it.each<[what: string, method: string, path: RegExp, expected: string]>([
    ['reads', 'GET', /^.coins.\d+$/, 'error unknown-record-found GET /coins/{id} another account'],
    ['changes', 'PATCH', /^.coins.\d+$/, 'error unknown-record-found PATCH /coins/{id} another account'],
    ['removes', 'DELETE', /^.coins.\d+$/, 'error unknown-record-found DELETE /coins/{id} another account'],
    ['lists', 'GET', /^.coins$/, 'error unknown-record-found GET /coins another account'],
  ])('finds that it %s what it cannot see otherwise', async (_, method, path, expected) => {
    const isLeak = (own: string, at: string) => own === method && path.test(at)
    expect(await find(withAccounts(isLeak), 'other')).toContain(expected)
    expect(await find(withAccounts(isLeak))).toEqual([])
  })

  it('finds a reference to a record of the other account', async () => {
    const alter: Alter = async (asked, next) => {
      const isTaken = asked.method === 'POST' && asked.path === '/purses' && asked.body.includes(`${foreign}`)
      return isTaken ? answer({ id: 77, coinId: foreign }, 201) : withAccounts()(asked, next)
    }
    expect(await find(alter, 'other')).toEqual(['warning unknown-reference-accepted POST /purses coinId'])
  })
})

describe('check finds', () => {
  /** Leaves members out of a PATCH, and answers as if they were changed. */
  const ignoring =
    (isIgnored: (name: string, value: unknown) => boolean): Alter =>
    async (asked, next) => {
      if (asked.method !== 'PATCH' || !asked.body.startsWith('{')) return next()
      const body = JSON.stringify(JSON.parse(asked.body), (name, value) => (isIgnored(name, value) ? undefined : value))
      return next({ body })
    }

  it.each<[what: string, alter: Alter, expected: string]>([
    [
      'a code that a change takes from another record',
      ignoring((name) => name === 'code'),
      'error duplicate-accepted PATCH /coins/{id} code',
    ],
    [
      'a member that null does not remove',
      ignoring((name, value) => name !== 'marks' && value === null),
      'error record-changed PATCH /coins/{id} null in marks',
    ],
    [
      'a 405 without Allow',
      async (_, next) => {
        const response = await next()
        return response.status === 405 ? withHeaders(response, { allow: undefined }) : response
      },
      'warning allow-missing',
    ],
  ])('%s', async (_, alter, expected) => {
    expect((await find(alter)).map((each) => each.trim())).toContain(expected)
  })
})
