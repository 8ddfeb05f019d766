/** Lists that requests filter, sort and page: each family of parameters through every transport. */
import { createSandbox } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import { compileOnce } from '../support/compile-once.js'
import { inProcess } from '../support/in-process.js'
import { documentOf, type Part, receive } from '../support/one-operation.js'
import type { Connection } from '../support/raw-request.js'

const count = 7
const item = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    price: { type: 'number' },
    status: { type: 'string', enum: ['new', 'sold'] },
    created_at: { type: 'string', format: 'date-time' },
    made_at: { type: 'string', format: 'date-time' },
    seen_on: { type: 'string' },
    code: { type: 'string' },
    date_listed: { type: 'string', format: 'date' },
    ownerId: { type: 'string' },
    // Records have an object here, because the document contradicts itself.
    place: { type: ['string', 'object'] },
    sellerRole: { type: 'string' },
    weightGrams: { type: 'number' },
    shop: { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } },
  },
}
/** Newest first, as lists show them. */
const records = Array.from({ length: count }, (_, index) => ({
  id: index + 1,
  name: ['Fern', 'apple', 'Cedar', 'elm', 'Birch', 'Dill', 'apple pie'][index],
  price: [5, 1.5, 3, 9, 2, 7, 4][index],
  status: index % 2 === 0 ? 'new' : 'sold',
  created_at: `2026-01-0${index + 1}T00:00:00.000Z`,
  made_at: `2026-03-0${index + 1}T08:00:00.000Z`,
  seen_on: `2026-02-0${index + 1}`,
  code: ['10', '12', '2', '30', '4', '50', '6'][index],
  date_listed: `2026-04-0${9 - index}`,
  ownerId: index < 3 ? 'a' : 'b',
  place: { zzzz: 1 },
  sellerRole: index < 2 ? 'owner' : 'clerk',
  weightGrams: 10 * (index + 1),
  shop: { id: 1 + (index % 3) },
}))
const newest = records.map(({ id }) => id).reverse()

const integer = { type: 'integer' }
const text = { type: 'string' }
const flag = { type: 'boolean' }
const items = { type: 'array', items: item }
const body = (properties: Part, required: string[] = ['items']): Part => ({
  type: 'object',
  required,
  properties: { ...properties, items },
})
const query = (name: string, schema: Part = text, others: Part = {}): Part => ({ name, in: 'query', schema, ...others })

interface Case {
  name: string
  parameters: Part[]
  schema?: Part
  headers?: Part
}

async function open(
  door: (typeof inProcess)[number],
  { parameters, schema = items, headers }: Case,
): Promise<Connection> {
  const document = documentOf({
    '/items': {
      get: {
        parameters,
        responses: { 200: { description: 'ok', headers, content: { 'application/json': { schema } } } },
      },
    },
    '/items/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: integer }],
      get: { responses: { 200: { description: 'ok', content: { 'application/json': { schema: item } } } } },
      delete: { responses: { 204: { description: 'gone' } } },
    },
  })
  const { contract } = await compileOnce(document)
  return door.open({ scenario: { items: records }, at: 0, now: () => 0, contract })
}

async function get(connection: Connection, target: string) {
  const { status, headers, text: answer } = await receive(connection, { method: 'GET', target, headers: [] })
  expect([status, target, answer]).toEqual([200, target, expect.anything()])
  return { headers, value: JSON.parse(answer) }
}

const listOf = (value: { items?: { id: number }[] } & unknown[]) =>
  ((value.items ?? value) as { id: number }[]).map(({ id }) => id)
const pathOf = (url: string) => {
  const { pathname, search } = new URL(url, 'http://any.example')
  return pathname + search
}

/** What the families say about the page. */
interface Body {
  last?: boolean
  number?: number
  next?: string | null
  has_more?: boolean
  nextPageToken?: string
  response_metadata?: { next_cursor?: string }
  paging?: { next?: { after: string } }
  _links?: { next?: { href: string } }
  meta?: { has_more: boolean }
  pages?: number
  links?: { next?: string; pages?: { next?: string } }
  next_marker?: number
}

interface Family extends Case {
  first: string
  /** The address of the next page, by what the page before said. */
  next(page: { value: Body; headers: Record<string, string>; ids: number[]; number: number }): string | undefined
  /** What the first page says, besides the list. */
  says?: Part
}

const families: Family[] = [
  {
    name: 'limit and offset',
    parameters: [query('limit', integer), query('offset', integer)],
    schema: body({ total: integer, limit: integer, offset: integer }),
    first: '/items?limit=3',
    next: ({ ids, number }) => (ids.length === 0 ? undefined : `/items?limit=3&offset=${3 * number}`),
    says: { total: 7, limit: 3, offset: 0 },
  },
  {
    name: 'page and per_page, with a header Link',
    parameters: [query('page', { ...integer, default: 1 }), query('per_page', { ...integer, default: 3 })],
    headers: { Link: { schema: text }, 'X-Total-Count': { schema: integer } },
    first: '/items',
    next: ({ headers }) => /<([^>]*)>; rel="next"/.exec(headers['link'] ?? '')?.[1],
  },
  {
    name: 'pages from 0, with their number',
    parameters: [query('page', { ...integer, minimum: 0 }), query('size', integer)],
    schema: body({
      totalElements: integer,
      totalPages: integer,
      number: integer,
      size: integer,
      first: flag,
      last: flag,
    }),
    first: '/items?size=3',
    next: ({ value }) => (value.last ? undefined : `/items?size=3&page=${Number(value.number) + 1}`),
    says: { totalElements: 7, totalPages: 3, number: 0, size: 3, first: true, last: false },
  },
  {
    name: 'count, next and previous',
    parameters: [query('page', integer), query('page_size', integer)],
    schema: {
      type: 'object',
      required: ['count', 'results'],
      properties: {
        count: integer,
        next: { type: ['string', 'null'], format: 'uri' },
        previous: { type: ['string', 'null'], format: 'uri' },
        results: items,
      },
    },
    first: '/items?page_size=3',
    next: ({ value }) => value.next ?? undefined,
    says: { count: 7, previous: null },
  },
  {
    name: 'starting_after and has_more',
    parameters: [query('limit', integer), query('starting_after'), query('ending_before')],
    schema: { type: 'object', properties: { data: items, has_more: flag } },
    first: '/items?limit=3',
    next: ({ value, ids }) => (value.has_more ? `/items?limit=3&starting_after=${ids.at(-1)}` : undefined),
    says: { has_more: true },
  },
  {
    name: 'a token that the body gives',
    parameters: [query('pageSize', integer), query('pageToken')],
    schema: body({ nextPageToken: text }),
    first: '/items?pageSize=3',
    next: ({ value }) => value.nextPageToken && `/items?pageSize=3&pageToken=${value.nextPageToken}`,
  },
  {
    name: 'a cursor inside of what is about the page',
    parameters: [query('cursor'), query('limit', { ...integer, default: 2 })],
    schema: body({
      response_metadata: { type: 'object', properties: { next_cursor: text } },
    }),
    first: '/items',
    next: ({ value }) =>
      value.response_metadata?.next_cursor ? `/items?cursor=${value.response_metadata.next_cursor}` : undefined,
  },
  {
    name: 'a cursor below next',
    parameters: [query('after'), query('limit', { ...integer, default: 3 })],
    schema: body({
      paging: {
        type: 'object',
        properties: {
          next: { type: 'object', required: ['after'], properties: { after: text, link: text } },
        },
      },
    }),
    first: '/items',
    next: ({ value }) => (value.paging?.next ? `/items?after=${value.paging.next.after}` : undefined),
  },
  {
    name: 'links of HAL',
    parameters: [query('page[number]', integer), query('page[size]', { ...integer, default: 3 })],
    schema: body({
      _links: {
        type: 'object',
        properties: Object.fromEntries(
          ['self', 'first', 'prev', 'next', 'last'].map((name) => [
            name,
            { type: 'object', properties: { href: { type: 'string', format: 'uri' } } },
          ]),
        ),
      },
    }),
    first: '/items',
    next: ({ value }) => value._links?.next?.href,
  },
  {
    name: 'a style with an object',
    parameters: [
      query(
        'page',
        { type: 'object', properties: { limit: integer, offset: integer } },
        { style: 'deepObject', explode: true },
      ),
    ],
    schema: body({ meta: { type: 'object', properties: { total: integer, has_more: flag } } }),
    first: '/items?page[limit]=3',
    next: ({ value, number }) => (value.meta?.has_more ? `/items?page[limit]=3&page[offset]=${3 * number}` : undefined),
    says: { meta: { total: 7, has_more: true } },
  },
  {
    name: 'links without a parameter for a page',
    parameters: [query('limit', { ...integer, default: 3 })],
    schema: body({ links: { type: 'object', properties: { self: text, next: text } } }),
    first: '/items',
    next: ({ value }) => value.links?.next,
  },
  {
    name: 'a marker that is a number in the body and a text in the query',
    parameters: [query('limit', { ...integer, default: 3 }), query('marker')],
    schema: body({ next_marker: { ...integer, example: 1000 }, prev_marker: { ...integer, example: 1000 } }),
    first: '/items',
    next: ({ value }) => (value.next_marker ? `/items?marker=${value.next_marker}` : undefined),
  },
  {
    name: 'links below pages, which are optional and composed',
    parameters: [
      query('per_page', { ...integer, default: 3 }),
      query('page', { oneOf: [integer, { type: 'object' }] }),
    ],
    schema: {
      allOf: [
        body({}),
        {
          type: 'object',
          properties: {
            links: {
              type: 'object',
              properties: { pages: { anyOf: [{ type: 'object', properties: { next: text } }] } },
            },
          },
        },
      ],
    },
    first: '/items',
    next: ({ value }) => value.links?.pages?.next,
  },
  {
    name: 'pages without a size',
    parameters: [query('page', integer)],
    schema: body({ pages: integer }),
    first: '/items',
    next: ({ value, number }) => (number < Number(value.pages) ? `/items?page=${number + 1}` : undefined),
    says: { pages: 1 },
  },
]

/** Parameters, the query, and the records that it chooses, in their order. */
const choices: [name: string, parameters: Part[], query: string, expected: readonly number[]][] = [
  ['a name in another case', [query('owner_id')], 'owner_id=a', [3, 2, 1]],
  ['filter[status]', [query('filter[status]')], 'filter[status]=sold', [6, 4, 2]],
  ['the name of a property', [query('status', text)], 'status=sold', [6, 4, 2]],
  ['keys', [query('ids', { type: 'array', items: integer })], 'ids=2&ids=5', [5, 2]],
  ['keys between commas', [query('ids')], 'ids=2,5,99', [5, 2]],
  ['a value for all', [query('status', { ...text, enum: ['new', 'sold', 'all'] })], 'status=all', newest],
  ['no value', [query('owner_id')], '', newest],
  ['a lower bound', [query('min_price', { type: 'number' })], 'min_price=5', [6, 4, 1]],
  ['bounds', [query('min_price'), query('max_price')], 'min_price=3&max_price=5', [7, 3, 1]],
  ['a bound of the only number with a word', [query('min_weight', { type: 'number' })], 'min_weight=60', [7, 6]],
  [
    'a moment that is no offset',
    [query('start', integer, { description: 'Items of this timestamp (milliseconds since epoch) or later' })],
    'start=3',
    newest,
  ],
  ['price[gt]', [query('price[gt]')], 'price[gt]=5', [6, 4]],
  [
    'a bound as an object',
    [query('price', { type: 'object', properties: { lte: { type: 'number' } } }, { style: 'deepObject' })],
    'price[lte]=2',
    [5, 2],
  ],
  [
    'a value or an object',
    [
      query(
        'price',
        { anyOf: [{ type: 'number' }, { type: 'object', properties: { gte: { type: 'number' } } }] },
        { style: 'deepObject' },
      ),
    ],
    'price[gte]=7',
    [6, 4],
  ],
  ['a day to its end', [query('made_max')], 'made_max=2026-03-02', [2, 1]],
  ['times without a format', [query('min_seen_on')], 'min_seen_on=2026-02-06', [7, 6]],
  ['texts of digits by their characters', [query('sort')], 'sort=code', [1, 2, 3, 4, 5, 6, 7]],
  ['created_after', [query('created_after')], 'created_after=2026-01-05T00:00:00Z', [7, 6]],
  [
    'createdBefore',
    [query('createdBefore', { ...text, format: 'date-time' })],
    'createdBefore=2026-01-03T01:00:00%2B01:00',
    [2, 1],
  ],
  ['since', [query('since')], 'since=2026-01-06', [7, 6]],
  ['the only property that ends so', [query('role')], 'role=owner', [2, 1]],
  ['a name with that of the collection', [query('item_price', { type: 'number' })], 'item_price=9', [4]],
  ['the id of an object', [query('shop_id', integer)], 'shop_id=3', [6, 3]],
  ['a part of a text', [query('name', text, { description: 'The name, or part of it' })], 'name=APP', [7, 2]],
  ['a text that is searched', [query('q')], 'q=APPLE', [7, 2]],
  ['a search, where a record has an object', [query('q')], 'q=object', []],
  ['a search beside a filter', [query('search'), query('owner_id')], 'search=apple&owner_id=b', [7]],
  ['sort', [query('sort')], 'sort=price', [2, 5, 3, 7, 1, 6, 4]],
  ['sort, turned', [query('sort')], 'sort=-price', [4, 6, 1, 7, 3, 5, 2]],
  [
    'sort_by and order',
    [query('sort_by'), query('order', { ...text, enum: ['asc', 'desc'] })],
    'sort_by=price&order=desc',
    [4, 6, 1, 7, 3, 5, 2],
  ],
  ['sort with a colon', [query('sort')], 'sort=status:desc,price:asc', [2, 6, 4, 5, 3, 7, 1]],
  ['orderBy with a word', [query('orderBy')], 'orderBy=created%20asc', [1, 2, 3, 4, 5, 6, 7]],
  ['a word of the name of a date', [query('sort')], 'sort=listed', newest],
  ['a word of the name of a date, turned', [query('sort')], 'sort=-listed', [1, 2, 3, 4, 5, 6, 7]],
  ['a flag', [query('sort'), query('descending', { type: 'boolean' })], 'sort=id&descending=true', newest],
  ['a property that no record has', [query('sort')], 'sort=size', newest],
  [
    'a direction alone',
    [query('direction', { ...text, enum: ['asc', 'desc'] })],
    'direction=asc',
    [1, 2, 3, 4, 5, 6, 7],
  ],
  [
    'a filter, an order and a page',
    [query('status'), query('sort'), query('limit', integer), query('offset', integer)],
    'status=new&sort=price&limit=2&offset=1',
    [3, 7],
  ],
]

describe.each(inProcess.filter(({ form }) => form !== 'documented'))('a list over $name', (door) => {
  it.each(families)('has each record once, page by page: $name', async (family) => {
    const connection = await open(door, family)
    const seen: number[] = []
    let target: string | undefined = family.first
    for (let number = 1; target !== undefined && number < 10; number++) {
      const { value, headers } = await get(connection, pathOf(target))
      const ids = listOf(
        value.data ? ({ items: value.data } as never) : value.results ? ({ items: value.results } as never) : value,
      )
      if (number === 1 && family.says) expect(value).toMatchObject(family.says)
      seen.push(...ids)
      target = family.next({ value, headers, ids, number })
    }
    expect(target).toBe(undefined)
    expect(seen).toEqual(newest)
    await connection.close()
  })

  it.each(choices)('is what a request chooses: %s', async (name, parameters, sent, expected) => {
    const connection = await open(door, { name, parameters })
    const { value } = await get(connection, `/items?${sent}`)
    expect(listOf(value)).toEqual(expected)
    await connection.close()
  })

  it('goes on behind a record that was removed', async () => {
    const parameters = [query('cursor'), query('limit', { ...integer, default: 3 })]
    const connection = await open(door, { name: 'cursor', parameters, schema: body({ next_cursor: text }) })
    const first = await get(connection, '/items')
    expect(listOf(first.value)).toEqual([7, 6, 5])
    await connection.send({ method: 'DELETE', target: '/items/5', headers: [] })
    expect(listOf((await get(connection, `/items?cursor=${first.value.next_cursor}`)).value)).toEqual([4, 3, 2])
    expect(listOf((await get(connection, '/items?cursor=nonsense')).value)).toEqual([])
    await connection.close()
  })
})

it('has links that stay on the host below a base with two slashes', async () => {
  const links = { type: 'object', properties: { next: { type: 'string' } } }
  const schema = body({ links })
  const document = documentOf(
    {
      '/items': {
        get: {
          parameters: [query('limit', integer), query('offset', integer)],
          responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } },
        },
      },
    },
    { servers: [{ url: 'https://api.example.com//v1' }] },
  )
  const { contract } = await compileOnce(document)
  const sandbox = createSandbox({ contract, scenario: { items: records } })
  const first = 'https://api.example.com//v1/items?limit=3'
  const page = await (await sandbox.fetch(first)).json()
  const next = new URL(page.links.next, first)
  expect(next.host).toBe('api.example.com')
  expect(listOf(await (await sandbox.fetch(next.href)).json())).toEqual([4, 3, 2])
})

describe('a list of which the document only has an example', () => {
  const search = documentOf({
    '/geocode': {
      get: {
        operationId: 'computeGeocodes',
        summary: 'Computes the places of an address',
        parameters: [query('limit', integer), query('offset', integer), query('address')],
        responses: {
          200: {
            description: 'ok',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['hits', 'total'],
                  properties: {
                    hits: { type: 'array', items: { type: 'object', properties: { name: text } } },
                    total: integer,
                  },
                },
                example: { hits: ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name })), total: 99 },
              },
            },
          },
        },
      },
    },
  })

  it.each([
    ['', ['a', 'b', 'c', 'd', 'e']],
    ['?limit=2', ['a', 'b']],
    ['?limit=2&offset=2', ['c', 'd']],
    ['?limit=2&offset=4', ['e']],
    ['?limit=2&offset=9', []],
    ['?address=x', ['a', 'b', 'c', 'd', 'e']],
  ])('has the page that a request chooses: %s', async (sent, names) => {
    const { contract } = await compileOnce(search)
    expect(contract.operations[0]?.effect.kind).toBe('example')
    for (const door of inProcess.filter(({ form }) => form !== 'documented')) {
      const connection = await door.open({ contract, scenario: {}, at: 0, now: () => 0 })
      const { value } = await get(connection, `/geocode${sent}`)
      expect(value).toEqual({ hits: names.map((name) => ({ name })), total: sent === '' ? 99 : 5 })
      await connection.close()
    }
  })
})
