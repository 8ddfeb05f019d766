/** What `check` finds in depth, at limits, beside a record and in each order, and not where a service keeps its document. */
import { describe, expect, it } from 'vitest'
import { type Alter, hold, provide, withText } from '../support/providers.js'
import { documentOf } from '../support/serve-objects.js'

const card = {
  type: 'object',
  additionalProperties: false,
  required: ['digits'],
  properties: { digits: { type: 'string', pattern: '^[0-9]{8}$' } },
}
const texts = { street: { type: 'string', maxLength: 40 }, town: { type: 'string', maxLength: 40 } }
const address = { type: 'object', required: ['street', 'town'], properties: texts }
const written = {
  name: { type: 'string', minLength: 1, maxLength: 60 },
  town: { type: 'string', minLength: 1, maxLength: 60 },
  level: { type: 'string', enum: ['low', 'high'] },
  days: { type: 'integer', minimum: 1, maximum: 90, default: 30, description: 'Always present in answers.' },
  isOpen: { type: 'boolean', default: true },
  remark: { type: ['string', 'null'], maxLength: 60 },
  address,
  cards: { type: 'array', maxItems: 3, items: card },
}
const member = {
  type: 'object',
  required: ['id', 'name', 'town', 'days', 'isOpen', 'remark', 'joinedAt'],
  properties: {
    id: { type: 'integer', readOnly: true },
    ...written,
    joinedAt: { type: 'string', format: 'date-time', readOnly: true },
  },
}
const input = { type: 'object', required: ['name', 'town'], properties: written }
const change = {
  type: 'object',
  description: 'What is absent stays.',
  properties: { name: written.name, isOpen: { type: 'boolean' }, address: { type: 'object', properties: texts } },
}
const query = (name: string, schema: object, description = '') => ({ name, in: 'query', schema, description })
const json = (schema: object) => ({ description: '', content: { 'application/json': { schema } } })
const body = (schema: object) => ({ required: true, content: { 'application/json': { schema } } })
const errors = { '400': { description: 'no' }, '404': { description: 'none' }, '422': { description: 'no' } }
const total = { type: 'integer', minimum: 0 }
const pageOf = (properties: object) => ({
  type: 'object',
  required: ['data'],
  properties: { data: { type: 'array', items: member }, ...properties },
})

const text = JSON.stringify({
  ...documentOf({
    '/members': {
      get: {
        parameters: [
          query('limit', { type: 'integer', minimum: 1, maximum: 100, default: 20 }),
          query('cursor', { type: 'string' }),
          query('sort', { type: 'string', enum: ['level', 'name'] }),
          query('town', { type: 'string' }, 'Only members of exactly this town.'),
          query(
            'joined_from',
            { type: 'string', format: 'date-time' },
            'Only members who joined at this time or later.',
          ),
        ],
        responses: {
          '200': json(pageOf({ total, next_cursor: { type: ['string', 'null'] } })),
          '400': errors['400'],
        },
      },
      post: { requestBody: body(input), responses: { '201': json(member), ...errors } },
    },
    '/members/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { responses: { '200': json(member), ...errors } },
      put: { requestBody: body(input), responses: { '200': json(member), ...errors } },
      patch: { requestBody: body(change), responses: { '200': json(member), ...errors } },
      delete: { responses: { '204': { description: '' }, ...errors } },
    },
  }),
  servers: [{ url: 'http://service.example' }],
})

type Member = Record<string, unknown>

/** Changes the records of a list. */
const listing =
  (
    isChanged: (query: URLSearchParams) => boolean,
    change: (data: Member[], query: URLSearchParams) => Member[],
    without: string[] = [],
  ): Alter =>
  async (asked, next) => {
    if (asked.path !== '/members' || asked.method !== 'GET' || !isChanged(asked.query)) return next()
    const query = new URLSearchParams(asked.query)
    for (const name of without) query.delete(name)
    const answer = await next({ target: `/members?${query}` })
    if (!answer.ok) return answer
    return withText(answer, (read) => {
      const page = JSON.parse(read)
      const data = change(page.data, asked.query)
      return JSON.stringify({ ...page, data, total: without.length > 0 ? data.length : page.total })
    })
  }

/** Changes what an operation on one record answers. */
const answering =
  (method: string, change: (record: Member, sent: Member, before: Member) => Member): Alter =>
  async (asked, next) => {
    if (asked.method !== method) return next()
    const before = asked.path === '/members' ? undefined : await next({ method: 'GET', body: '' })
    const answer = await next()
    if (!answer.ok) return answer
    const old = before?.ok ? await before.json() : {}
    return withText(answer, (read) => JSON.stringify(change(JSON.parse(read), JSON.parse(asked.body), old)))
  }

const cases: [name: string, alter: Alter, expected: string[]][] = [
  ['nothing where the service keeps the document', (_, next) => next(), []],
  [
    'an unknown property in the objects of a list that callers may leave out',
    (asked, next) =>
      next(
        asked.body.includes('unexpectedProperty')
          ? { body: asked.body.replaceAll(/,"unexpectedProperty":"x"/g, '') }
          : {},
      ),
    ['invalid-request-accepted POST /members body cards[0] additionalProperties'],
  ],
  [
    'a filter that searches in the text',
    listing(
      (asked) => asked.has('town'),
      (data, asked) => data.filter(({ town }) => `${town}`.includes(asked.get('town') ?? '')),
      ['town'],
    ),
    ['filter-not-kept GET /members query town: not matching'],
  ],
  [
    'a range without its limit',
    listing(
      (asked) => asked.has('joined_from'),
      (data, asked) => data.filter(({ joinedAt }) => joinedAt !== asked.get('joined_from')),
    ),
    ['filter-not-kept GET /members query joined_from: at the limit'],
  ],
  [
    'a range that ignores the zone of a time',
    (asked, next) => next({ target: asked.target.replace('%2B05%3A30', 'Z') }),
    ['filter-not-kept GET /members query joined_from: time zone'],
  ],
  [
    'a default that answers leave out although they always have it',
    answering('POST', (record, sent) => (sent.days === undefined ? { ...record, days: undefined } : record)),
    ['default-not-kept POST /members body days'],
  ],
  [
    'a flag that a change resets',
    answering('PATCH', (record, sent) => (sent.isOpen === undefined ? { ...record, isOpen: true } : record)),
    ['record-changed PATCH /members/{id} answered isOpen'],
  ],
  [
    'an object that a change replaces although it may have a part of it',
    answering('PATCH', (record, sent) => (sent.address ? { ...record, address: sent.address } : record)),
    ['record-changed PATCH /members/{id} answered address'],
  ],
  [
    'a value that a replacement keeps although every record has it or null',
    async (asked, next) => {
      if (asked.method !== 'PUT') return next()
      const before = await next({ method: 'GET', body: '' })
      const { remark } = before.ok ? await before.json() : {}
      const sent = JSON.parse(asked.body || '{}')
      return next(typeof sent === 'object' && sent && remark ? { body: JSON.stringify({ remark, ...sent }) } : {})
    },
    ['omitted-kept PUT /members/{id} remark'],
  ],
  [
    'a removal that also removes the next record',
    async (asked, next) => {
      const answer = await next()
      if (asked.method !== 'DELETE' || !answer.ok) return answer
      const [, id] = /(\d+)$/.exec(asked.path) ?? []
      await next({ target: `/members/${Number(id) + 1}` })
      return answer
    },
    ['record-lost GET /members/{id} beside a removed one'],
  ],
  [
    'a second removal that succeeds',
    async (asked, next) => {
      const answer = await next()
      return asked.method === 'DELETE' && answer.status === 404 ? new Response(null, { status: 204 }) : answer
    },
    ['unknown-record-found DELETE /members/{id}'],
  ],
  [
    'records that are lost between pages in one order',
    listing(
      (asked) => asked.get('sort') === 'level' && asked.has('cursor'),
      ([, ...others]) => others,
    ),
    ['page-not-kept GET /members query cursor: skips'],
  ],
]

describe('the check', () => {
  it.each(cases)('finds %s', async (_, alter, expected) => {
    const { findings } = await hold(await provide({ text, base: '' }, alter), { text }, { generated: 1 })
    const ids = findings.map(({ id }) => id)
    if (expected.length === 0) expect(findings.map(({ message }) => message)).toEqual([])
    for (const each of expected) expect(ids).toContainEqual(expect.stringContaining(each))
  })

  it('checks a path once that OpenAPI takes for another one', async () => {
    const read = (name: string) => ({
      parameters: [{ name, in: 'path', required: true, schema: { type: 'string' } }],
      get: { responses: { '200': json({ type: 'object' }), ...errors } },
    })
    const twins = JSON.stringify({
      ...documentOf({ '/folders/{folderId}': read('folderId'), '/folders/{folderPath}': read('folderPath') }),
      servers: [{ url: 'http://service.example' }],
    })
    const { notes } = await hold(await provide({ text: twins, base: '' }), { text: twins }, { generated: 1 })
    expect(notes).toContain('GET /folders/{folderPath} was not checked: its path is also /folders/{folderId}')
  })
})
