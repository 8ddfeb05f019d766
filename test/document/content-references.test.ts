/** A `$ref` in place of a whole map, such as the content of a response, and in place of a media type. */
import { describe, expect, it } from 'vitest'
import { compileOnce } from '../support/compile-once.js'
import { documentOf, doors, openDocument, type Part, receive } from '../support/one-operation.js'

const thing = { schema: { $ref: '#/components/schemas/Thing' } }
const ok = (response: Part): Part => ({ 200: { description: 'ok', ...response } })
const post = (requestBody: Part): Part => ({ post: { requestBody, responses: ok({ content: { 'text/plain': {} } }) } })

const document = documentOf(
  {
    '/content': { get: { responses: ok({ content: { $ref: '#/components/x-contents/things' } }) } },
    '/media-type': {
      get: { responses: ok({ content: { 'application/json': { $ref: '#/components/mediaTypes/a' } } }) },
    },
    '/chain': { get: { responses: ok({ content: { 'application/json': { $ref: '#/components/mediaTypes/b' } } }) } },
    '/other-content': { get: { responses: ok({ content: { $ref: '#/paths/~1content/get/responses/200/content' } }) } },
    '/responses': { get: { responses: { $ref: '#/components/x-responses' } } },
    '/headers': { get: { responses: ok({ headers: { $ref: '#/components/headers' } }) } },
    '/properties': {
      get: {
        responses: ok({
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['n'],
                properties: { $ref: '#/components/schemas/Thing/properties' },
              },
            },
          },
        }),
      },
    },
    '/body-content': post({ content: { $ref: '#/components/x-contents/things' } }),
    '/body-media-type': post({ content: { 'application/json': { $ref: '#/components/mediaTypes/a' } } }),
    '/multipart': post({ content: { 'multipart/form-data': { $ref: '#/components/mediaTypes/form' } } }),
  },
  {
    components: {
      'x-contents': { things: { 'application/json': thing } },
      'x-responses': ok({ content: { 'application/json': thing } }),
      mediaTypes: {
        a: thing,
        b: { $ref: '#/components/mediaTypes/a' },
        form: {
          ...thing,
          encoding: {
            n: { headers: { X: { content: { 'multipart/form-data': { $ref: '#/components/mediaTypes/form' } } } } },
          },
        },
      },
      headers: { 'X-Rate': { required: true, schema: { const: 7 } } },
      schemas: {
        Thing: {
          type: 'object',
          required: ['n'],
          properties: {
            n: { const: 5 },
            constructor: { const: 6 },
            child: { properties: { $ref: '#/components/schemas/Thing/properties' } },
          },
        },
      },
    },
  },
)

describe.each(doors)('a $ref for a map or a media type, by %s', (door) => {
  it.each(['/content', '/media-type', '/chain', '/other-content', '/responses', '/properties'])(
    'gives %s the body that it leads to',
    async (target) => {
      const { status, text } = await receive(await openDocument(door, document), { method: 'GET', target })
      expect([status, JSON.parse(text)]).toEqual([200, expect.objectContaining({ n: 5, constructor: 6 })])
    },
  )

  it('gives an answer the headers that it leads to', async () => {
    const { headers } = await receive(await openDocument(door, document), { method: 'GET', target: '/headers' })
    expect(headers['x-rate']).toBe('7')
  })

  it.each(['/body-content', '/body-media-type'])('gives %s the schema by which bodies are refused', async (target) => {
    const headers: [string, string][] = [['Content-Type', 'application/json']]
    const connection = await openDocument(door, document)
    const wrong = await receive(connection, { method: 'POST', target, headers, body: '{"n":1}' })
    const right = await receive(connection, { method: 'POST', target, headers, body: '{"n":5}' })
    expect([wrong.status, right.status]).toEqual([400, 200])
  })
})

describe('the document with such a $ref', () => {
  it('can be written as JSON, also if a media type contains itself', async () => {
    const compiled = await compileOnce(document)
    expect(() => JSON.stringify(compiled.document)).not.toThrow()
  })

  it.each([
    ['leads to nothing', '#/components/x-contents/others'],
    ['leads back to itself', '#/paths/~1a/get/responses/200/content'],
  ])('has a note if it %s', async (_, $ref) => {
    const text = documentOf({ '/a': { get: { responses: ok({ content: { $ref } }) } } })
    const notes = (await compileOnce(text)).notes()
    expect(notes).toEqual([expect.objectContaining({ message: expect.stringContaining(`$ref "${$ref}"`) })])
  })

  it('has a note if the properties of a schema are the schema', async () => {
    const $ref = '#/components/schemas/Thing'
    const paths = { '/a': { get: { responses: ok({ content: { 'application/json': { schema: { $ref } } } }) } } }
    const schemas = { Thing: { type: 'object', properties: { $ref } } }
    const compiled = await compileOnce(documentOf(paths, { components: { schemas } }))
    expect(compiled.notes()[0]?.message).toBe(`$ref "${$ref}" leads to what contains it`)
    expect(compiled.contract.operations).toHaveLength(1)
  })
})
