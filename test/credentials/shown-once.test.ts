/** Secrets that are shown once, and values that belong to one record. */
import { describe, expect, it } from 'vitest'
import { documentOf, doors, openDocument, type Part, receive } from '../support/one-operation.js'
import type { Connection } from '../support/raw-request.js'

const text: Part = { type: 'string' }
const object = (properties: Part): Part => ({
  type: 'object',
  required: ['id'],
  properties: { id: text, ...properties },
})
const json = (schema: Part): Part => ({ content: { 'application/json': { schema } } })
const ok = (schema: Part): Part => ({ 200: { description: 'ok', ...json(schema) } })
const by = (name: string): Part => ({ parameters: [{ name, in: 'path', required: true, schema: text }] })
const list = (items: Part): Part => ok({ type: 'array', items })
const named: Part = { type: 'object', properties: { name: text } }

const once: Part = { type: 'string', readOnly: true, description: 'It is only returned when the key is created.' }
const stream = object({
  name: text,
  stream_key: { type: 'string', readOnly: true },
  file_path: { type: 'string', readOnly: true, example: '/dev/stream_main-lamp' },
  label: { type: 'string', example: 'main-lamp' },
  comment: { type: 'string', readOnly: true, example: 'comment_main-lamp' },
})
const user = object({ name: text })
const plan = object({ name: text, owner: object({ name: text }) })

const document = documentOf({
  '/keys': {
    post: { responses: ok(object({ private_key: once })) },
    get: { responses: list(object({ private_key: once })) },
  },
  '/keys/{keyId}': { ...by('keyId'), get: { responses: ok(object({ private_key: once })) } },
  '/streams': {
    post: { requestBody: json({ type: 'object', properties: { name: text, label: text } }), responses: ok(stream) },
    get: { responses: list(stream) },
  },
  '/streams/{streamId}': { ...by('streamId'), get: { responses: ok(stream) } },
  '/users': { post: { requestBody: json(named), responses: ok(user) }, get: { responses: list(user) } },
  '/users/{userId}': { ...by('userId'), get: { responses: ok(user) } },
  '/users/{userId}/plans': {
    ...by('userId'),
    post: { requestBody: json(named), responses: ok(plan) },
    get: { responses: list(plan) },
  },
  '/plans/{planId}': { ...by('planId'), get: { responses: ok(plan) } },
})

async function send(connection: Connection, request: string, body?: unknown) {
  const [method = '', target = ''] = request.split(' ')
  const headers: [string, string][] = body === undefined ? [] : [['Content-Type', 'application/json']]
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const { status, text: answer } = await receive(connection, { method, target, headers, ...sent })
  return { status, body: JSON.parse(answer) }
}

describe.each(doors)('through %s', (door) => {
  it('a secret that is returned once is in the answer to the creation only', async () => {
    const connection = await openDocument(door, document)
    const { body } = await send(connection, 'POST /keys')
    expect(body.private_key).toMatch(/^\w{32}$/)
    expect((await send(connection, `GET /keys/${body.id}`)).body).toEqual({ id: body.id })
    expect((await send(connection, 'GET /keys')).body).toEqual([{ id: body.id }])
  })

  it('a path is made from the name where the examples of both agree', async () => {
    const connection = await openDocument(door, document)
    const { body } = await send(connection, 'POST /streams', { name: 'a', label: 'attic' })
    expect(body.file_path).toBe('/dev/stream_attic')
    expect(body).not.toHaveProperty('comment')
  })

  it('a record below that of its owner shows the owner', async () => {
    const connection = await openDocument(door, document)
    const { body } = await send(connection, 'POST /users', { name: 'Ada' })
    const made = await send(connection, `POST /users/${body.id}/plans`, { name: 'first' })
    expect(made.body.owner).toEqual({ id: body.id, name: 'Ada' })
  })
})
