/** What `check` finds in pages, totals and filters of lists, and in parameters that take text. */
import { describe, expect, it } from 'vitest'
import { json as jsonType } from '../support/provider-faults.js'
import { type Alter, hold, provide, withHeaders, withText } from '../support/providers.js'
import { documentOf } from '../support/serve-objects.js'

const film = {
  type: 'object',
  required: ['id', 'title'],
  properties: {
    id: { type: 'integer', readOnly: true },
    title: { type: 'string', minLength: 1, maxLength: 60 },
    year: { type: 'integer', minimum: 1900, maximum: 1910 },
    filmStudio: { type: 'string', enum: ['north', 'south'] },
    tags: { type: ['string', 'null'] },
  },
}
const many = { type: 'array', items: film }
const integer = { type: 'integer', minimum: 0 }
const size = { type: 'integer', minimum: 1, maximum: 50, default: 5 }
const query = (name: string, schema: object) => ({ name, in: 'query', schema })
const json = (schema: object, headers: object = {}) => ({
  description: '',
  headers,
  content: { 'application/json': { schema } },
})
const errors = { '4XX': { description: 'no' } }
const withMany = (properties: object) => ({
  type: 'object',
  required: ['data', ...Object.keys(properties)],
  properties: { data: many, ...properties },
})

const mark = { type: 'object', required: ['color'], properties: { color: { type: 'string', enum: ['red'] } } }
const project = {
  type: 'object',
  required: ['id', 'team'],
  properties: {
    id: { type: 'integer', readOnly: true },
    team: { type: 'object', properties: { name: { type: 'string' } } },
  },
}
const body = (schema: object) => ({ required: true, content: { 'application/json': { schema } } })

/** A collection whose list has these parameters. */
function collection(path: string, parameters: object[], answer: object) {
  const requestBody = body(film)
  return {
    [path]: {
      get: { parameters, responses: { '200': answer, ...errors } },
      post: { requestBody, responses: { '201': json(film), ...errors } },
    },
    [`${path}/{id}`]: {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { responses: { '200': json(film), ...errors } },
    },
  }
}

const text = JSON.stringify({
  ...documentOf({
    ...collection(
      '/offset',
      [
        query('limit', size),
        query('offset', integer),
        query('year', { type: 'integer' }),
        query('tags[]', { type: 'array', items: { type: 'string', example: '' } }),
        query('studio', { type: 'string' }),
      ],
      json(withMany({ total: integer })),
    ),
    ...collection(
      '/page',
      [query('per_page', size), query('page', { type: 'integer', minimum: 1, default: 1 })],
      json(many, { 'X-Total-Count': { schema: integer } }),
    ),
    ...collection(
      '/cursor',
      [query('page_size', { ...size, maximum: 10 }), query('cursor', { type: 'string' })],
      json(withMany({ next_cursor: { type: ['string', 'null'] }, total: integer })),
    ),
    // A default that is never used, and a change that names a record by its key.
    ...collection(
      '/studio',
      [{ ...query('filmStudio', { ...film.properties.filmStudio, default: 'south' }), required: true }],
      json(many),
    ),
    '/projects': {
      get: { responses: { '200': json({ type: 'array', items: project }), ...errors } },
      post: { requestBody: body(project), responses: { '201': json(project), ...errors } },
    },
    '/projects/{projectId}': {
      parameters: [{ name: 'projectId', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { responses: { '200': json(project), ...errors } },
      patch: {
        requestBody: body({ type: 'object', properties: { team: { type: 'string' } } }),
        responses: { '204': { description: '' }, ...errors },
      },
    },
    // Records that cannot be told apart.
    '/marks': {
      get: {
        parameters: [query('limit', size), query('offset', integer)],
        responses: { '200': json({ type: 'array', items: mark }), ...errors },
      },
      post: { requestBody: body(mark), responses: { '201': json(mark), ...errors } },
    },
    '/search': {
      get: {
        parameters: [
          query('q', { type: 'string' }),
          query('day', { type: 'string', format: 'date' }),
          { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
          { name: 'sid', in: 'cookie', schema: { type: 'string' } },
        ],
        responses: { '200': json({ type: 'object', properties: { found: { type: 'boolean' } } }), ...errors },
      },
    },
    '/words/{word}/meaning': {
      get: {
        parameters: [{ name: 'word', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { '200': json({ type: 'object', properties: { found: { type: 'boolean' } } }), ...errors },
      },
    },
  }),
  servers: [{ url: 'http://service.example' }],
})

/** Checks a parameter of a list, and then ignores it. */
const ignoring =
  (path: string, name: string): Alter =>
  async (asked, next) => {
    const answer = await next()
    if (asked.path !== path || !answer.ok || asked.method !== 'GET') return answer
    asked.query.delete(name)
    return next({ target: `${path}?${asked.query}` })
  }

const failing =
  (isUnusual: (text: string, path: string) => boolean): Alter =>
  (asked, next) =>
    isUnusual([...asked.query.values()].join(), decodeURIComponent(asked.path))
      ? new Response('{}', { status: 500, headers: jsonType })
      : next()

const cases: [name: string, alter: Alter, expected: string[]][] = [
  ['nothing where the service keeps the document', (_, next) => next(), []],
  ['an ignored offset', ignoring('/offset', 'offset'), ['page-not-kept GET /offset query offset']],
  ['an ignored number of a page', ignoring('/page', 'page'), ['page-not-kept GET /page query page']],
  ['an ignored cursor', ignoring('/cursor', 'cursor'), ['page-not-kept GET /cursor query cursor']],
  ['an ignored filter', ignoring('/offset', 'year'), ['filter-not-kept GET /offset query year: not matching']],
  [
    'an ignored filter of a property with another name',
    ignoring('/offset', 'studio'),
    ['filter-not-kept GET /offset query studio: not matching'],
  ],
  [
    'a total of the records of the page',
    async (asked, next) => {
      const answer = await next()
      if (asked.path !== '/offset' || asked.method !== 'GET' || !answer.ok) return answer
      return withText(answer, (body) => body.replace(/"total":\d+/, '"total":3'))
    },
    ['page-not-kept GET /offset total'],
  ],
  [
    'a total of too many records',
    async (asked, next) => {
      const answer = await next()
      if (asked.path !== '/offset' || asked.method !== 'GET' || !answer.ok) return answer
      return withText(answer, (body) => body.replace(/"total":(\d+)/, (_, total) => `"total":${Number(total) + 1}`))
    },
    ['page-not-kept GET /offset total'],
  ],
  [
    'a total that ignores a filter',
    async (asked, next) => {
      const answer = await next()
      if (asked.path !== '/offset' || asked.method !== 'GET' || !answer.ok || !asked.query.has('year')) return answer
      const { total } = await (await next({ target: '/offset?limit=50' })).json()
      return withText(answer, (body) => body.replace(/"total":\d+/, `"total":${total}`))
    },
    ['page-not-kept GET /offset query year: total'],
  ],
  [
    'a wrong total in a header',
    async (asked, next) => {
      const answer = await next()
      return asked.path === '/page' && answer.ok ? withHeaders(answer, { 'x-total-count': '0' }) : answer
    },
    ['page-not-kept GET /page total'],
  ],
  [
    'a total that is the length of each page',
    async (asked, next) => {
      const answer = await next()
      if (asked.path !== '/offset' || asked.method !== 'GET' || !answer.ok) return answer
      const { data, ...others } = JSON.parse(await answer.text())
      return new Response(JSON.stringify({ ...others, data, total: data.length }), { headers: jsonType })
    },
    ['page-not-kept GET /offset total'],
  ],
  [
    'a total that is not the sum of the pages behind cursors',
    async (asked, next) => {
      const answer = await next()
      if (asked.path !== '/cursor' || asked.method !== 'GET' || !answer.ok) return answer
      return withText(answer, (body) => body.replace(/"total":\d+/, '"total":999'))
    },
    ['page-not-kept GET /cursor total'],
  ],
  ...(['x-trace', 'cookie'] as const).map((header): (typeof cases)[number] => [
    `a failure at a quote in the header ${header}`,
    ({ headers }, next) =>
      headers[header]?.includes("'") ? new Response('{}', { status: 500, headers: jsonType }) : next(),
    ['server-error GET /search'],
  ]),
  ['a failure at a quote', failing((sent) => sent.includes("'Brien")), ['server-error GET /']],
  [
    'a failure at what is no regular expression',
    failing((sent) => {
      try {
        return !new RegExp(sent)
      } catch {
        return true
      }
    }),
    ['server-error GET /'],
  ],
  ['a failure at a NUL', failing((sent) => sent.includes('\0')), ['server-error GET /']],
  ['a failure at a long text', failing((sent) => sent.length > 1900), ['server-error GET /']],
  ['a failure at a quote in a date', failing((sent) => sent.includes("'")), ['server-error GET /']],
  [
    'a failure at a NUL in a path',
    failing((_, path) => path.includes('\0')),
    ['server-error GET /words/{word}/meaning any'],
  ],
]

describe('the check', () => {
  it.each(cases)('finds %s', async (_, alter, expected) => {
    const { findings } = await hold(await provide({ text, base: '' }, alter), { text }, { generated: 1 })
    const ids = findings.map(({ id }) => id)
    if (expected.length === 0) expect(ids).toEqual([])
    for (const each of expected) expect(ids).toContainEqual(expect.stringContaining(each))
    const rules = new Set(expected.map((each) => each.split(' ')[0]))
    expect(findings.filter(({ rule }) => !rules.has(rule)).map(({ id }) => id)).toEqual([])
  })
})
