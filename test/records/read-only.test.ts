// Properties that only the service writes (`readOnly`): dropped from every request, whatever else its schema allows.
import { describe, expect, it } from 'vitest'
import { readObject } from '../support/read-json.js'
import { collection, documentOf, serve } from '../support/serve-objects.js'

const json = 'application/json'
const merge = 'application/merge-patch+json'
const patch = 'application/json-patch+json'

const place = {
  type: 'object',
  properties: { city: { type: 'string' }, code: { type: 'string', readOnly: true } },
}
const properties = {
  id: { type: 'integer', readOnly: true },
  title: { type: 'string' },
  mark: { type: 'string', readOnly: true },
}
const nested = {
  type: 'object',
  required: ['id'],
  properties: {
    ...properties,
    place: { ...place, additionalProperties: true },
    places: { type: 'array', items: place },
  },
}
const patches = { [json]: { schema: nested }, [merge]: { schema: {} }, [patch]: { schema: {} } }
const input = { type: 'object', properties: { title: { type: 'string' } }, additionalProperties: true }

/** A record with each way in which a schema allows further properties, or forbids them. */
const kinds: Record<string, object> = {
  nothing: {},
  'additionalProperties: true': { additionalProperties: true },
  'additionalProperties: {}': { additionalProperties: {} },
  'additionalProperties: {type: string}': { additionalProperties: { type: 'string' } },
  'additionalProperties: false': { additionalProperties: false },
  'unevaluatedProperties: {type: string}': { unevaluatedProperties: { type: 'string' } },
  'unevaluatedProperties: false': { unevaluatedProperties: false },
  patternProperties: { patternProperties: { '^x-': { type: 'string' } } },
}
const names = Object.keys(kinds)
const pathOf = (kind: string) => `/k${names.indexOf(kind)}`
const recordOf = (more: object) => ({ type: 'object', required: ['id'], properties, ...more })

const nestedRecord = {
  mark: 'own',
  place: { city: 'Bath', code: 'BA1' },
  places: [
    { city: 'Rome', code: 'R' },
    { city: 'Oslo', code: 'O' },
  ],
}

const served = serve(
  documentOf({
    ...Object.assign(
      {},
      ...names.map((kind) => collection({ path: pathOf(kind), record: recordOf(kinds[kind] ?? {}) })),
    ),
    ...collection({ path: '/nested', record: nested, patch: patches }),
    // What a body may hold is not described, but what a record is.
    ...collection({ path: '/inputs', record: nested, body: input, patch: { [json]: { schema: input } } }),
    ...collection({ path: '/anything', record: nested, body: {}, patch: { [json]: { schema: {} } } }),
    ...collection({
      path: '/composed',
      record: { allOf: [{ type: 'object', properties }], required: ['id', 'mark'], additionalProperties: true },
    }),
    ...collection({
      path: '/written',
      record: {
        ...recordOf({ additionalProperties: true }),
        properties: { ...properties, pin: { type: 'string', writeOnly: true } },
      },
    }),
  }),
  {
    scenario: {
      ...Object.fromEntries(names.map((kind) => [pathOf(kind).slice(1), [{ id: 1, title: 'a', mark: 'own' }]])),
      // One for each test.
      nested: Array.from({ length: 9 }, (_, index) => ({ id: index + 1, ...nestedRecord })),
      inputs: [{ id: 1, title: 'a', mark: 'own' }],
      anything: [{ id: 1, title: 'a', mark: 'own' }],
    },
  },
)

const read = async (target: string) => readObject(JSON.parse((await served.send('GET', target)).text))

describe.each(names)('with %s', (kind) => {
  const path = pathOf(kind)

  it('POST makes a key of its own, and drops what only the service writes', async () => {
    const body = { id: 77, title: 'b', mark: 'mine' }
    const { status, text } = await served.send('POST', path, { body })
    expect([status, JSON.parse(text)]).toEqual([201, { id: expect.any(Number), title: 'b' }])
    expect(JSON.parse(text)).not.toMatchObject({ id: 77 })
    expect((await served.send('POST', path, { body: { id: 1, title: 'b' } })).status).toBe(201)
  })

  it.each(['PUT', 'PATCH'])('%s keeps what only the service writes', async (method) => {
    const { status, text } = await served.send(method, `${path}/1`, { body: { id: 3, title: 'c', mark: 'mine' } })
    expect([status, JSON.parse(text)]).toEqual([200, { id: 1, title: 'c', mark: 'own' }])
    expect(await read(`${path}/1`)).toMatchObject({ id: 1, title: 'c', mark: 'own' })
  })

  it.each(['PUT', 'PATCH'])('%s takes back what GET returned', async (method) => {
    const { text } = await served.send('GET', `${path}/1`)
    expect(await served.send(method, `${path}/1`, { body: text })).toMatchObject({ status: 200, text })
  })
})

describe('a patch', () => {
  it.each<[string, number, string, unknown, object]>([
    ['a merge patch', 1, merge, { id: 9, mark: 'mine', title: 't' }, { ...nestedRecord, title: 't' }],
    ['a merge patch that removes it', 2, merge, { id: null, mark: null }, nestedRecord],
    [
      'a merge patch in an object',
      3,
      merge,
      { place: { city: 'Ely', code: 'X' } },
      { place: { city: 'Ely', code: 'BA1' } },
    ],
    ['a JSON Patch', 4, patch, [{ op: 'replace', path: '/mark', value: 'mine' }], nestedRecord],
    ['a JSON Patch that removes it', 5, patch, [{ op: 'remove', path: '/mark' }], nestedRecord],
    ['a JSON Patch of the whole', 6, patch, [{ op: 'replace', path: '', value: { mark: 'mine' } }], { mark: 'own' }],
    ['a JSON Patch in an object', 7, patch, [{ op: 'add', path: '/place/code', value: 'X' }], nestedRecord],
    [
      'JSON',
      8,
      json,
      { place: { city: 'York', code: 'X', more: 1 } },
      { place: { city: 'York', code: 'BA1', more: 1 } },
    ],
  ])('%s changes nothing that only the service writes', async (_, id, type, body, becomes) => {
    expect(await served.send('PATCH', `/nested/${id}`, { type, body })).toMatchObject({ status: 200 })
    expect(await read(`/nested/${id}`)).toMatchObject({ id, ...becomes })
  })

  it('keeps it with the items of a list that move, and drops it from new ones', async () => {
    const body = [
      { op: 'add', path: '/places/0', value: { city: 'Bonn', code: 'X' } },
      { op: 'remove', path: '/places/1' },
      { op: 'replace', path: '/places/1/city', value: 'Bergen' },
    ]
    const { status, text } = await served.send('PATCH', '/nested/9', { type: patch, body })
    const places = [{ city: 'Bonn' }, { city: 'Bergen', code: 'O' }]
    expect([status, JSON.parse(text)]).toMatchObject([200, { places }])
    expect(readObject(JSON.parse(text))['places']).toEqual(places)
  })
})

describe.each(['/inputs', '/anything'])('a body that may have anything, at %s', (path) => {
  it('sets no property that the record marks readOnly', async () => {
    const created = await served.send('POST', path, { body: { id: 77, title: 'b', mark: 'mine', other: 1 } })
    expect([created.status, JSON.parse(created.text)]).toEqual([201, { id: 2, title: 'b', places: [] }])
    for (const method of ['PUT', 'PATCH']) {
      await served.send(method, `${path}/1`, { body: { id: 5, title: 'c', mark: 'mine' } })
      expect(await read(`${path}/1`)).toMatchObject({ id: 1, title: 'c', mark: 'own' })
    }
  })
})

it('requires no property that a part of the schema marks readOnly', async () => {
  expect((await served.send('POST', '/composed', { body: { title: 'b' } })).status).toBe(201)
})

it('shows no property that only callers write, whatever else the schema allows', async () => {
  const { status, text } = await served.send('POST', '/written', { body: { title: 'b', pin: '1234', more: 1 } })
  expect([status, JSON.parse(text)]).toEqual([201, { id: 1, title: 'b', more: 1 }])
  expect(await read('/written/1')).toEqual({ id: 1, title: 'b', more: 1 })
  expect(JSON.parse((await served.send('GET', '/written')).text)).toEqual([{ id: 1, title: 'b', more: 1 }])
})
