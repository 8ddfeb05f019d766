// What PATCH does to a record, by media type: plain JSON, JSON Merge Patch (RFC 7396) and JSON Patch (RFC 6902).
import { describe, expect, it } from 'vitest'
import { readObject } from '../support/read-json.js'
import { collection, documentOf, serve } from '../support/serve-objects.js'

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
    ...collection({ path: '/named', record, patch: { [merge]: { schema: change } } }),
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

it('keeps a null that the schema of a merge patch allows, where a record must have the property', async () => {
  const { answer, read } = await patchNew('/named', merge, '{"due":null,"title":"Persuasion"}')
  expect([answer.status, readObject(JSON.parse(read))]).toEqual([
    200,
    expect.objectContaining({ due: null, title: 'Persuasion' }),
  ])
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

describe('the record after a patch is validated, whatever the media type of the patch', () => {
  // A property alone is valid, and both together are not.
  const together = {
    type: 'object',
    properties: { id: { type: 'integer', readOnly: true }, from: { type: 'integer' }, to: { type: 'integer' } },
    dependentRequired: { to: ['from'] },
    if: { required: ['to'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { from: { maximum: 9 } } },
  }
  const loose = { type: 'object', properties: together.properties }
  const judged = serve(
    documentOf(
      collection({
        path: '/xs',
        record: together,
        body: loose,
        patch: { [json]: { schema: loose }, [merge]: { schema: {} }, [patch]: { schema: {} } },
      }),
    ),
  )

  async function change(values: object, type: string, body: unknown) {
    const { id } = readObject(JSON.parse((await judged.send('POST', '/xs', { body: values })).text))
    const { status, text } = await judged.send('PATCH', `/xs/${id}`, { body, type })
    return { status, text, after: (await judged.send('GET', `/xs/${id}`)).text.replace(/"id":\d+,?/, '') }
  }

  it.each([
    [json, { from: 10 }],
    [merge, { from: 10 }],
    [patch, [{ op: 'replace', path: '/from', value: 10 }]],
  ])('as %s', async (type, body) => {
    const refused = await change({ from: 1, to: 2 }, type, body)
    expect(refused).toMatchObject({
      status: 400,
      text: expect.stringContaining('from must be at most 9'),
      after: '{"from":1,"to":2}',
    })
    expect(await change({ from: 1 }, type, body)).toMatchObject({ status: 200, after: '{"from":10}' })
  })

  it('and what was wrong before the patch is not refused', async () => {
    // POST takes what the record forbids, as its own schema says nothing about it. The record gets what is nearest.
    for (const [type, body] of [
      [json, { from: 3 }],
      [merge, { from: 3 }],
    ] as const) {
      expect(await change({ to: 2 }, type, body)).toMatchObject({ status: 200, after: '{"from":3,"to":2}' })
    }
    expect(await change({ from: 11, to: 2 }, json, { to: 3 })).toMatchObject({
      status: 200,
      after: '{"from":9,"to":3}',
    })
    expect(await change({ from: 11, to: 2 }, json, { from: 12 })).toMatchObject({ status: 400 })
  })
})

describe('a body of any media type', () => {
  const any = { '*/*': { schema: change } }
  const openDocument = documentOf({
    ...collection({ path: '/xs', record, patch: any }),
    // In any order, and with an own schema for one of them.
    ...collection({ path: '/ys', record, patch: { ...any, [merge]: { schema: { maxProperties: 1 } } } }),
  })
  const free = serve(openDocument)

  it.each([
    [json, { title: 'Persuasion' }, { title: 'Persuasion' }],
    ['text/plain', { title: 'Persuasion' }, { title: 'Persuasion' }],
    [merge, { tags: null }, { tags: undefined }],
    ['Application/Merge-Patch+JSON; charset=utf-8', { tags: null }, { tags: undefined }],
    [merge, { place: { zip: null } }, { place: { city: 'Bath' } }],
    [patch, [{ op: 'remove', path: '/tags' }], { tags: undefined }],
  ])('is applied as what it is: %s %j', async (type, body, changed) => {
    for (const path of ['/xs', '/ys']) {
      const { id } = readObject(JSON.parse((await free.send('POST', path, { body: before })).text))
      const { status, text } = await free.send('PATCH', `${path}/${id}`, { body, type })
      expect([status, JSON.parse(text)]).toEqual([
        200,
        JSON.parse(JSON.stringify({ id, ...before, made: 'here', ...changed })),
      ])
    }
  })

  it.each([
    [json, { tags: null }, 'tags must be an array'],
    [merge, { title: null }, 'title is required'],
    [patch, { title: 'x' }, 'A JSON Patch must be an array of operations'],
    [json, [{ op: 'remove', path: '/tags' }], 'body must be an object'],
  ])('is refused as what it is: %s %j', async (type, body, why) => {
    const { id } = readObject(JSON.parse((await free.send('POST', '/xs', { body: before })).text))
    const { status, text } = await free.send('PATCH', `/xs/${id}`, { body, type })
    expect([status, text]).toEqual([400, expect.stringContaining(why)])
  })

  it('has the schema of its own media type, if that is documented beside the wildcard', async () => {
    const { id } = readObject(JSON.parse((await free.send('POST', '/ys', { body: before })).text))
    const body = { tags: null, due: 'tomorrow' }
    expect((await free.send('PATCH', `/ys/${id}`, { body, type: merge })).status).toBe(400)
    expect((await free.send('PATCH', `/ys/${id}`, { body: { due: 'x', title: 'y' }, type: json })).status).toBe(200)
  })
})

describe('a key that is a number', () => {
  const numbered = { type: 'object', properties: { id: { type: 'number', readOnly: true }, title: { type: 'string' } } }
  const answers = serve(
    documentOf(
      {
        ...collection({ path: '/xs', record: numbered, keySchema: { type: 'number', minimum: 1 } }),
        ...collection({ path: '/ys', record: numbered, keySchema: { $ref: '#/components/schemas/Key' } }),
        // The parameter leads to no record, so that every number is valid.
        '/convert/{amount}/now': {
          parameters: [{ name: 'amount', in: 'path', required: true, schema: { type: 'number' } }],
          get: { responses: { '200': { description: 'ok' } } },
        },
      },
      { components: { schemas: { Key: { type: ['number', 'null'], minimum: 1 } } } },
    ),
  )

  it.each(['/xs', '/ys'])('is found only by its own text in %s', async (path) => {
    await answers.send('POST', path, { body: { title: 'first' } })
    for (const method of ['GET', 'DELETE']) {
      for (const key of ['1.0', '1e0', '1.00', '10e-1', '01', '+1', '1.5', '0x1', '1.', '%31.0', '-1', '0', 'one']) {
        const { status } = await answers.send(method, `${path}/${key}`)
        expect([400, 404], `${method} ${key}`).toContain(status)
      }
    }
    expect((await answers.send('GET', `${path}/1`)).text).toBe('{"id":1,"title":"first"}')
    expect((await answers.send('GET', `${path}/1.0`)).text).toContain('id must be an integer (got \\"1.0\\")')
  })

  it.each(['1', '1.0', '1.5', '1e3', '-2.50'])('is any number where it is no key: %s', async (amount) => {
    expect((await answers.send('GET', `/convert/${amount}/now`)).status).toBe(200)
  })
})
