/** JSON Patch (RFC 6902) with the schemas that documents give it: that of a list of changes, of one change, of the record, or none. */
import { describe, expect, it } from 'vitest'
import { documentOf, doors, openDocument, type Part, receive } from '../support/one-operation.js'

const patchType = 'application/json-patch+json'
const jsonType = 'application/json'
const text = { type: 'string' }
const change = {
  type: 'object',
  required: ['op', 'path'],
  properties: { op: { enum: ['add', 'replace', 'remove'] }, path: text, value: {} },
}
const record = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer', readOnly: true }, name: text, tags: { type: 'array', items: text } },
}

/** Documented bodies of the PATCH, each with the media type of the request. */
const bodies: [name: string, sent: string, content: Part][] = [
  ['a list of changes', patchType, { [patchType]: { schema: { type: 'array', items: change } } }],
  ['a list of changes elsewhere', patchType, { [patchType]: { schema: { $ref: '#/components/schemas/Patch' } } }],
  ['a list of anything', patchType, { [patchType]: { schema: { type: 'array' } } }],
  ['a list of changes as plain JSON', jsonType, { [jsonType]: { schema: { type: 'array', items: change } } }],
  ['one change', patchType, { [patchType]: { schema: change } }],
  ['the record', patchType, { [patchType]: { schema: record } }],
  [
    'the record beside a list',
    patchType,
    { [patchType]: { schema: { type: 'array', items: change } }, [jsonType]: { schema: record } },
  ],
  ['nothing', patchType, { [patchType]: {} }],
]

function documentWith(content: Part): string {
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }]
  const json = (schema: Part): Part => ({ [jsonType]: { schema } })
  const ok = { description: 'ok', content: json(record) }
  const paths = {
    '/xs': {
      get: { responses: { 200: { description: 'ok', content: json({ type: 'array', items: record }) } } },
      post: { requestBody: { content: json(record) }, responses: { 201: ok } },
    },
    '/xs/{id}': {
      get: { parameters, responses: { 200: ok } },
      patch: { parameters, requestBody: { content }, responses: { 200: ok } },
    },
  }
  return documentOf(paths, { components: { schemas: { Patch: { type: 'array', items: change } } } })
}

describe.each(doors)('over %s, a JSON Patch described as', (door) => {
  async function patch(content: Part, type: string, changes: unknown) {
    const service = await openDocument(door, documentWith(content))
    const send = (method: string, target: string, body: unknown, sent: string) =>
      receive(service, { method, target, headers: [['Content-Type', sent]], body: JSON.stringify(body) })
    const created = await send('POST', '/xs', { name: 'a', tags: ['x'] }, jsonType)
    const target = `/xs/${JSON.parse(created.text).id}`
    const { status } = await send('PATCH', target, changes, type)
    const read = await receive(service, { method: 'GET', target })
    const { id, ...values } = JSON.parse(read.text)
    return { status, values }
  }

  it.each(bodies)('%s changes the record', async (_, type, content) => {
    const changes = [
      { op: 'replace', path: '/name', value: 'b' },
      { op: 'add', path: '/tags/-', value: 'y' },
    ]
    expect(await patch(content, type, changes)).toEqual({ status: 200, values: { name: 'b', tags: ['x', 'y'] } })
  })

  it.each(bodies)('%s is refused if it cannot be applied', async (_, type, content) => {
    const changes = [{ op: 'remove', path: '/unknown' }]
    expect(await patch(content, type, changes)).toEqual({ status: 400, values: { name: 'a', tags: ['x'] } })
  })
})
