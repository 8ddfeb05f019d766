/** The `Accept` header chooses among the documented media types of a success (RFC 9110, section 12.5.1). */
import { describe, expect, it } from 'vitest'
import { documentOf, serve } from '../support/serve-objects.js'

const pet = { $ref: '#/components/schemas/Pet' }
const Pet = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'integer', format: 'int64', xml: { attribute: true } },
    name: { type: 'string' },
    tags: { type: 'array', xml: { name: 'tags', wrapped: true }, items: { type: 'string', xml: { name: 'tag' } } },
    parent: pet,
  },
}
const types = (schema: object, ...names: string[]) => Object.fromEntries(names.map((name) => [name, { schema }]))
const ok = (content: object, others: object = {}) => ({ responses: { '200': { description: '', content }, ...others } })
const both = ['application/xml', 'application/json']
const json = types({ type: 'object', properties: { a: { type: 'integer', example: 1 } } }, 'application/json')

const document = documentOf(
  {
    '/pets': {
      get: ok(types({ type: 'array', items: pet }, ...both, 'text/plain')),
      post: {
        requestBody: { required: true, content: types(pet, 'application/json') },
        responses: { '201': { description: '', content: types(pet, ...both) } },
      },
    },
    '/pets/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer', format: 'int64' } }],
      get: ok(types(pet, ...both, 'application/hal+json')),
      delete: { responses: { '204': { description: '' } } },
    },
    '/report': {
      get: ok({
        'text/csv': { example: 'a,b\r\n' },
        ...json,
        'application/vnd.x+json': { schema: { type: 'object', required: ['b'], properties: { b: { const: 2 } } } },
        'image/*': {},
      }),
    },
    '/strict': { get: ok({ ...json, 'text/csv': { example: 'a\r\n' } }, { '406': { description: '' } }) },
    '/sole-strict': { get: ok(json, { '406': { description: '' } }) },
    '/sole': { get: ok(json) },
  },
  { components: { schemas: { Pet } } },
)

describe('an answer', () => {
  const { send } = serve(document)
  const get = async (target: string, accept?: string) => {
    const { status, headers, text } = await send('GET', target, {
      headers: accept === undefined ? [] : [['Accept', accept]],
    })
    return { status, type: headers['content-type'], vary: headers['vary'], text }
  }

  it('is the state as XML', async () => {
    const body = '{"id":9007199254740993,"name":"<Rex>","tags":["a","b"],"parent":{"id":2}}'
    const created = await send('POST', '/pets', { body, headers: [['Accept', 'application/xml']] })
    const element =
      '<Pet id="9007199254740993"><name>&lt;Rex&gt;</name><tags><tag>a</tag><tag>b</tag></tags><parent id="2"/></Pet>'
    const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
    expect([created.status, created.text]).toEqual([201, `${declaration}${element}\n`])
    expect((await get('/pets/9007199254740993', 'text/html, application/xml')).text).toBe(`${declaration}${element}\n`)
    const list = await get('/pets', 'application/xml')
    expect(list.text).toBe(`${declaration}<root>${element.replaceAll('Pet', 'item')}</root>\n`)
    expect(list).toMatchObject({ status: 200, type: 'application/xml', vary: 'Accept' })
  })

  it.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['application/*', 'application/json'],
    ['application/xml, application/json', 'application/json'],
    ['application/json;q=0.5, application/xml;q=0.6', 'application/xml'],
    ['application/json;q=0, */*', 'application/xml'],
    ['APPLICATION/XML; charset=utf-8', 'application/xml'],
    ['text/*', 'text/plain'],
    ['image/png', 'application/json'],
    ['*/*;q=0', 'application/json'],
    ['application/xml;q=x', 'application/xml'],
    ['', 'application/json'],
    [',;=', 'application/json'],
  ])('to Accept: %s is %s', async (accept, type) => {
    expect(await get('/pets', accept)).toMatchObject({ status: 200, type })
  })

  it('is the same JSON by another name or as text', async () => {
    await send('POST', '/pets', { body: { id: 5 } })
    const { text } = await get('/pets/5')
    expect(await get('/pets/5', 'application/hal+json')).toMatchObject({ type: 'application/hal+json', text })
    expect(await get('/pets', 'text/plain')).toMatchObject({ text: (await get('/pets')).text })
  })

  it('is the example of another type', async () => {
    expect(await get('/report', 'text/csv')).toMatchObject({ type: 'text/csv', text: 'a,b\r\n' })
    expect(await get('/report', 'application/vnd.x+json')).toMatchObject({ text: '{"b":2}' })
    expect(await get('/report')).toMatchObject({ type: 'application/json', text: '{"a":1}', vary: 'Accept' })
  })

  it('is a refusal only where 406 is documented', async () => {
    const { status, text } = await get('/strict', 'image/png')
    const message = 'Accept must allow application/json or text/csv (got "image/png")'
    expect([status, JSON.parse(text)]).toEqual([406, { code: 'not_acceptable', message, status: 406 }])
    expect((await get('/sole-strict', 'text/csv')).status).toBe(406)
    expect((await get('/sole-strict')).status).toBe(200)
    expect(await get('/sole', 'text/csv')).toMatchObject({ status: 200, type: 'application/json', vary: undefined })
  })

  it('leaves refusals and empty answers as they are', async () => {
    const xml = { headers: [['Accept', 'application/xml']] as const }
    expect(await send('GET', '/pets/404', xml)).toMatchObject({ status: 404 })
    expect(await send('DELETE', '/pets/5', xml)).toMatchObject({ status: 204, text: '' })
  })

  it('varies by the origin, too', async () => {
    const { headers } = await send('GET', '/pets', { headers: [['Origin', 'http://localhost']] })
    expect(headers['vary']).toBe('Accept, Origin')
  })
})
