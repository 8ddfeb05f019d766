// What PATCH does to a record, by media type: plain JSON, JSON Merge Patch (RFC 7396) and JSON Patch (RFC 6902).
import { describe, expect, it } from 'vitest'
import { readObject } from './support/read-json.js'
import { collection, documentOf, serve } from './support/serve-objects.js'

const json = 'application/json'
const merge = 'application/merge-patch+json'
const patch = 'application/json-patch+json'

const properties = {
  id: { type: 'integer', format: 'int64', readOnly: true },
  title: { type: 'string' },
  due: { type: ['string', 'null'] },
  tags: { type: 'array', items: { type: 'string' } },
  place: { type: 'object', properties: { city: { type: 'string' }, zip: { type: ['string', 'null'] } } },
  big: { type: 'integer', format: 'int64' },
  made: { type: 'string', default: 'here', readOnly: true },
  'a/b~c': { type: 'integer' },
}
const record = { type: 'object', required: ['id', 'title', 'due'], properties }
const change = { type: 'object', properties }
const served = serve(
  documentOf({
    ...collection({
      path: '/xs',
      record,
      patch: {
        [json]: { schema: change },
        'application/vnd.change+json': { schema: change },
        [merge]: { schema: {} },
        [patch]: { schema: {} },
      },
    }),
    // Nothing judges these bodies, or what becomes of the record.
    ...collection({
      path: '/open',
      record: { properties: { id: { type: 'integer' }, title: {} } },
      body: {},
      patch: { [json]: { schema: {} }, [merge]: { schema: {} }, [patch]: { schema: {} } },
    }),
  }),
)

const before = {
  title: 'Emma',
  due: 'today',
  tags: ['a', 'b'],
  place: { city: 'Bath', zip: 'BA1' },
  'a/b~c': 1,
}

/** Patches a new record. @returns the answer, and the record before and after */
async function patchNew(path: string, type: string, body: unknown, values: object = before) {
  const created = await served.send('POST', path, { body: values })
  expect(created.status).toBe(201)
  const target = `${path}/${readObject(JSON.parse(created.text))['id']}`
  const answer = await served.send('PATCH', target, { body, type })
  const read = await served.send('GET', target)
  return { answer, created: created.text, read: read.text }
}

describe('a patch that can be made', () => {
  it.each([
    [json, '{}', {}],
    [json, '{"due":null}', { due: null }],
    [json, '{"title":"Persuasion"}', { title: 'Persuasion' }],
    [json, '{"place":{"city":"Lyme"}}', { place: { city: 'Lyme' } }],
    [json, '{"place":{"zip":null}}', { place: { zip: null } }],
    [json, '{"tags":[]}', { tags: [] }],
    [json, '{"id":99,"made":"there","unknown":1}', {}],
    ['application/vnd.change+json', '{"due":null}', { due: null }],
    ['APPLICATION/JSON; charset=utf-8', '{"due":null}', { due: null }],
    [merge, '{}', {}],
    [merge, '{"tags":null}', { tags: undefined }],
    [merge, '{"absent":null}', {}],
    [merge, '{"place":{"zip":null}}', { place: { city: 'Bath' } }],
    [merge, '{"place":{"city":"Lyme"}}', { place: { city: 'Lyme', zip: 'BA1' } }],
    [merge, '{"place":null}', { place: undefined }],
    [merge, '{"tags":["c"]}', { tags: ['c'] }],
    [merge, '{"id":99,"made":null,"unknown":1}', {}],
    [merge, '{"id":null}', {}],
    [`${merge}; charset=utf-8`, '{"tags":null}', { tags: undefined }],
    [patch, '[]', {}],
    [patch, '[{"op":"replace","path":"/due","value":null}]', { due: null }],
    [patch, '[{"op":"add","path":"/tags/1","value":"c"}]', { tags: ['a', 'c', 'b'] }],
    [patch, '[{"op":"add","path":"/tags/-","value":"c"}]', { tags: ['a', 'b', 'c'] }],
    [patch, '[{"op":"remove","path":"/tags/0"}]', { tags: ['b'] }],
    [patch, '[{"op":"remove","path":"/place/zip"}]', { place: { city: 'Bath' } }],
    [patch, '[{"op":"replace","path":"/place","value":{"city":"Lyme"}}]', { place: { city: 'Lyme' } }],
    [patch, '[{"op":"move","from":"/place/city","path":"/title"}]', { title: 'Bath', place: { zip: 'BA1' } }],
    [patch, '[{"op":"copy","from":"/title","path":"/due"}]', { due: 'Emma' }],
    [patch, '[{"op":"replace","path":"/a~1b~0c","value":2}]', { 'a/b~c': 2 }],
    [patch, '[{"op":"test","path":"/title","value":"Emma"},{"op":"remove","path":"/tags"}]', { tags: undefined }],
    [patch, '[{"op":"remove","path":"/title"},{"op":"add","path":"/title","value":"Emma"}]', {}],
    [patch, '[{"op":"replace","path":"/id","value":99},{"op":"replace","path":"/made","value":"there"}]', {}],
    [patch, '[{"op":"remove","path":"/id"}]', {}],
    [patch, '[{"op":"add","path":"/unknown","value":1}]', {}],
  ])('as %s: %s', async (type, body, changes) => {
    const { answer, created, read } = await patchNew('/xs', type, body)
    const expected = JSON.parse(JSON.stringify({ ...readObject(JSON.parse(created)), ...changes }))
    expect(answer.status, answer.text).toBe(200)
    expect(JSON.parse(answer.text)).toEqual(expected)
    expect(read).toBe(answer.text)
  })

  it.each([
    [json, '{"big":9007199254740993}'],
    [merge, '{"big":9007199254740993}'],
    [patch, '[{"op":"add","path":"/big","value":9007199254740993}]'],
    [
      patch,
      '[{"op":"add","path":"/big","value":9007199254740993},{"op":"test","path":"/big","value":9007199254740993}]',
    ],
  ])('keeps every digit as %s: %s', async (type, body) => {
    const { answer, read } = await patchNew('/xs', type, body)
    expect([answer.status, read]).toEqual([200, expect.stringContaining('"big":9007199254740993')])
  })
})

describe('a patch that cannot be made changes nothing', () => {
  it.each([
    [json, '{"title":null}', 400],
    [json, '{"title":1}', 400],
    [json, '[{"op":"replace","path":"/title","value":"b"}]', 400],
    [json, '"Persuasion"', 400],
    [json, 'null', 400],
    [json, '', 400],
    [json, '{"title":"b"', 400],
    [merge, '{"title":null}', 400],
    [merge, '{"due":null}', 400],
    [merge, '{"title":1}', 400],
    [merge, '{"tags":"a"}', 400],
    [merge, '{"tags":[null]}', 400],
    [merge, '{"place":{"city":1}}', 400],
    [merge, '{"big":9223372036854775808}', 400],
    [merge, '[]', 400],
    [merge, '"text"', 400],
    [merge, 'null', 400],
    [patch, '{}', 400],
    [patch, 'null', 400],
    [patch, '[null]', 400],
    [patch, '[[]]', 400],
    [patch, '[{}]', 400],
    [patch, '[{"op":"put","path":"/title","value":"b"}]', 400],
    [patch, '[{"op":"constructor","path":"/title","value":"b"}]', 400],
    [patch, '[{"op":"replace","path":"/title"}]', 400],
    [patch, '[{"op":"replace","value":"b"}]', 400],
    [patch, '[{"op":"replace","path":"title","value":"b"}]', 400],
    [patch, '[{"op":"replace","path":1,"value":"b"}]', 400],
    [patch, '[{"op":"replace","path":"/~2","value":"b"}]', 400],
    [patch, '[{"op":"replace","path":"/big","value":1}]', 400],
    [patch, '[{"op":"remove","path":"/big"}]', 400],
    [patch, '[{"op":"remove","path":"/constructor"}]', 400],
    [patch, '[{"op":"copy","from":"/__proto__","path":"/place"}]', 400],
    [patch, '[{"op":"copy","path":"/place"}]', 400],
    [patch, '[{"op":"move","from":"/place","path":"/place/city"}]', 400],
    [patch, '[{"op":"add","path":"/tags/3","value":"c"}]', 400],
    [patch, '[{"op":"add","path":"/tags/01","value":"c"}]', 400],
    [patch, '[{"op":"remove","path":"/tags/-"}]', 400],
    [patch, '[{"op":"test","path":"/title","value":"Persuasion"}]', 400],
    [patch, '[{"op":"remove","path":"/tags"},{"op":"test","path":"/title","value":1}]', 400],
    [patch, '[{"op":"remove","path":"/title"}]', 400],
    [patch, '[{"op":"replace","path":"/title","value":1}]', 400],
    [patch, '[{"op":"add","path":"/tags/-","value":1}]', 400],
    [patch, '[{"op":"replace","path":"","value":[1]}]', 400],
    [patch, '[{"op":"replace","path":"","value":"text"}]', 400],
    [patch, '[{"op":"replace","path":"","value":null}]', 400],
    [patch, '[{"op":"remove","path":""}]', 400],
    ['text/plain', '{"due":null}', 415],
    ['application/xml', '{"due":null}', 415],
    ['application/other+json', '{"due":null}', 415],
    ['application/json-patch', '[]', 415],
    ['application/json, application/json', '{"due":null}', 415],
    ['', '{"due":null}', 415],
  ])('as %s: %s', async (type, body, status) => {
    const { answer, created, read } = await patchNew('/xs', type, body)
    expect(answer.status, answer.text).toBe(status)
    expect(read).toBe(created)
  })
})

describe('where the schemas allow anything, only an object is a record', () => {
  const values = ['"abc"', '[1,2]', '[]', '5', 'true', 'null']

  it.each(values)('and %s creates and replaces none', async (body) => {
    const created = await served.send('POST', '/open', { body: '{"title":"Emma"}' })
    const { id } = readObject(JSON.parse(created.text))
    expect((await served.send('POST', '/open', { body })).status).toBe(400)
    expect((await served.send('PUT', `/open/${id}`, { body })).status).toBe(400)
    expect((await served.send('GET', `/open/${id}`)).text).toBe(created.text)
    expect(JSON.parse((await served.send('GET', '/open')).text)[0]).toEqual(readObject(JSON.parse(created.text)))
  })

  it.each([
    ...values.flatMap((value) => [
      [json, value],
      [merge, value],
      [patch, `[{"op":"replace","path":"","value":${value}}]`],
    ]),
    [patch, '[{"op":"remove","path":""}]'],
  ])('and as %s %s changes none', async (type, body) => {
    const { answer, created, read } = await patchNew('/open', type, body, { title: 'Emma' })
    expect(answer.status, answer.text).toBe(400)
    expect(read).toBe(created)
  })
})
