/** Searches whose body states conditions, and pages in an object, through every transport. */
import { describe, expect, it } from 'vitest'
import { documentOf, doors, openDocument, type Part, receive } from '../support/one-operation.js'
import type { Connection } from '../support/raw-request.js'

const text: Part = { type: 'string' }
const object = (properties: Part, others: Part = {}): Part => ({ type: 'object', properties, ...others })
const listOf = (items: Part): Part => ({ type: 'array', items })
const json = (schema: Part): Part => ({ content: { 'application/json': { schema } } })
const ok = (schema: Part): Part => ({ 200: { description: 'ok', ...json(schema) } })
const ref = (name: string): Part => ({ $ref: `#/components/schemas/${name}` })
const withId = { parameters: [{ name: 'id', in: 'path', required: true, schema: text }] }

function collection(record: string, search: Part): Part {
  const list = ok(
    object({
      data: listOf(ref(record)),
      total: { type: 'integer' },
      next: { type: ['string', 'null'] },
      paging: object({ next: object({ after: text, link: text }, { required: ['after'] }) }),
    }),
  )
  const path = `/${record.toLowerCase()}s`
  return {
    [path]: {
      get: { responses: ok(object({ data: listOf(ref(record)) })) },
      post: { requestBody: json(ref(record)), responses: ok(ref(record)) },
    },
    [`${path}/{id}`]: { ...withId, get: { responses: ok(ref(record)) } },
    [`${path}/search`]: { post: { requestBody: json(object(search)), responses: list } },
  }
}

const document = documentOf(
  {
    ...collection('Lamp', {
      query: { oneOf: [ref('Condition'), ref('Group')] },
      pagination: object({ per_page: { type: 'integer' }, starting_after: text }),
    }),
    ...collection('Contact', {
      filterGroups: listOf(object({ filters: listOf(ref('Filter')) })),
      limit: { type: 'integer' },
      sorts: listOf(text),
      after: text,
    }),
    ...collection('Guest', {
      limit: { type: 'integer' },
      query: object({
        filter: object({
          mail: object({ exact: text, fuzzy: text }),
          arrival: object({ start_at: text, end_at: text }),
          state_filter: object({ states: listOf(text) }),
          source: object({ rule: text, values: listOf(text) }),
        }),
        sort: object({ field: { enum: ['MAIL', 'ARRIVAL'] }, order: { enum: ['ASC', 'DESC'] } }),
      }),
    }),
  },
  {
    components: {
      schemas: {
        Lamp: object({ id: { ...text, readOnly: true }, name: text, watts: { type: 'integer' } }, { required: ['id'] }),
        Contact: object({
          id: { ...text, readOnly: true },
          properties: { type: 'object', additionalProperties: text },
        }),
        Guest: object({
          id: { ...text, readOnly: true },
          mail: text,
          state: text,
          arrival: { ...text, format: 'date-time' },
        }),
        Condition: object({ field: text, operator: text, value: {} }, { required: ['field'] }),
        Group: object({ operator: { type: 'string', enum: ['AND', 'OR'] }, value: listOf(ref('Condition')) }),
        Filter: object({ propertyName: text, operator: text, value: text, highValue: text, values: listOf(text) }),
      },
    },
  },
)

async function post(connection: Connection, target: string, body: unknown) {
  const headers = [['Content-Type', 'application/json']] as const
  const { text: answer } = await receive(connection, { method: 'POST', target, headers, body: JSON.stringify(body) })
  return JSON.parse(answer)
}

describe.each(doors)('A search through %s', (door) => {
  it('meets conditions and groups of them, page by page', async () => {
    const connection = await openDocument(door, document)
    for (const [name, watts] of Object.entries({ moon: 5, star: 9, sun: 40, 'sun-2': 60 }))
      await post(connection, '/lamps', { name, watts })
    const is = (field: string, operator: string, value: unknown) => ({ field, operator, value })
    const find = async (query: unknown) => {
      const { data, total } = await post(connection, '/lamps/search', { query })
      expect(total).toBe(data.length)
      return data.map(({ name }: { name: string }) => name)
    }
    expect(await find(is('name', '^', 's'))).toEqual(['sun-2', 'sun', 'star'])
    expect(await find(is('watts', '>', 9))).toEqual(['sun-2', 'sun'])
    expect(await find(is('name', 'NIN', ['moon', 'sun']))).toEqual(['sun-2', 'star'])
    expect(await find({ operator: 'AND', value: [is('name', '~', 'sun'), is('watts', '<', 50)] })).toEqual(['sun'])
    expect(await find({ operator: 'OR', value: [is('name', '=', 'moon'), is('watts', '=', 60)] })).toEqual([
      'sun-2',
      'moon',
    ])
    expect(await find(is('unknown', '=', 1))).toEqual(['sun-2', 'sun', 'star', 'moon'])
    const [exchange] = connection.sandbox.journal.list().slice(-1)
    expect(exchange?.notes).toEqual(['the filter "query" was ignored: it is not understood'])
    const query = is('watts', '>', 5)
    const first = await post(connection, '/lamps/search', { query, pagination: { per_page: 2 } })
    const starting_after = first.next
    const second = await post(connection, '/lamps/search', { query, pagination: { per_page: 2, starting_after } })
    expect([first, second].map(({ data, total }) => [data.length, total])).toEqual([
      [2, 3],
      [1, 3],
    ])
    expect(second.next).toBeNull()
  })

  it('names any property of an object, and needs one of several groups', async () => {
    const connection = await openDocument(door, document)
    for (const [city, age] of [
      ['Ulm', '20'],
      ['Bonn', '30'],
      ['Jena', '40'],
    ])
      await post(connection, '/contacts', { properties: { city, age, ...(age === '40' && { fax: '1' }) } })
    const find = async (...groups: unknown[][]) => {
      const filterGroups = groups.map((filters) => ({ filters }))
      const { data } = await post(connection, '/contacts/search', { filterGroups })
      return data.map(({ properties }: { properties: { city: string } }) => properties.city)
    }
    const is = (propertyName: string, operator: string, others: object = {}) => ({ propertyName, operator, ...others })
    expect(await find([is('city', 'EQ', { value: 'Ulm' })])).toEqual(['Ulm'])
    expect(await find([is('city', 'NEQ', { value: 'Ulm' }), is('age', 'LT', { value: '40' })])).toEqual(['Bonn'])
    expect(await find([is('city', 'EQ', { value: 'Ulm' })], [is('fax', 'HAS_PROPERTY')])).toEqual(['Jena', 'Ulm'])
    expect(await find([is('fax', 'NOT_HAS_PROPERTY'), is('city', 'CONTAINS_TOKEN', { value: 'u*' })])).toEqual(['Ulm'])
    expect(await find([is('age', 'BETWEEN', { value: '25', highValue: '40' })])).toEqual(['Jena', 'Bonn'])
    expect(await find([is('city', 'NOT_IN', { values: ['Ulm', 'Jena'] })])).toEqual(['Bonn'])
    expect(await find()).toEqual(['Jena', 'Bonn', 'Ulm'])
    const page = (after: string, sorts: string[]) =>
      post(connection, '/contacts/search', { filterGroups: [], sorts, after, limit: 2 })
    const namesOf = ({ data }: { data: Part[] }) => data.map((each) => (each['properties'] as Part)['city'])
    const first = await page('0', ['city'])
    const second = await page(first.paging.next.after, ['city'])
    expect([first, second].map(namesOf)).toEqual([['Bonn', 'Jena'], ['Ulm']])
    expect([Object.keys(first.paging.next), second.paging?.next]).toEqual([['after'], undefined])
    expect(namesOf(await page('', ['-age']))).toEqual(['Jena', 'Bonn'])
  })

  it('filters and sorts by the values inside of its objects', async () => {
    const connection = await openDocument(door, document)
    for (const [mail, state, day] of [
      ['a@b.test', 'OPEN', 1],
      ['c@b.test', 'GONE', 2],
      ['a@d.test', 'OPEN', 3],
    ])
      await post(connection, '/guests', { mail, state, arrival: `2026-01-0${day}T00:00:00Z` })
    const find = async (filter: Part, sort?: Part) => {
      const { data, total } = await post(connection, '/guests/search', { query: { filter, ...(sort && { sort }) } })
      expect(total).toBe(data.length)
      return data.map(({ mail }: { mail: string }) => mail)
    }
    expect(await find({ mail: { exact: 'c@b.test' } })).toEqual(['c@b.test'])
    expect(await find({ mail: { fuzzy: 'b.te' } })).toEqual(['c@b.test', 'a@b.test'])
    expect(await find({ arrival: { start_at: '2026-01-02T00:00:00Z' } })).toEqual(['a@d.test', 'c@b.test'])
    const until = { arrival: { end_at: '2026-01-02T00:00:00Z' }, state_filter: { states: ['OPEN', 'NEW'] } }
    expect(await find(until)).toEqual(['a@b.test'])
    expect(await find({}, { field: 'MAIL', order: 'DESC' })).toEqual(['c@b.test', 'a@d.test', 'a@b.test'])
    expect(await find({}, { field: 'ARRIVAL', order: 'ASC' })).toEqual(['a@b.test', 'c@b.test', 'a@d.test'])
  })
})
