/** Actions that need a state or make a secret again, secrets that are shown once, and values that belong to one record. */
import { describe, expect, it } from 'vitest'
import { documentOf, doors, openDocument, type Part, receive } from './support/one-operation.js'
import type { Connection } from './support/raw-request.js'

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

const upload = object({
  name: text,
  status: { type: 'string', enum: ['waiting', 'sent', 'cancelled'], readOnly: true },
})
const once: Part = { type: 'string', readOnly: true, description: 'It is only returned when the key is created.' }
const stream = object({
  name: text,
  stream_key: { type: 'string', readOnly: true },
  file_path: { type: 'string', readOnly: true, example: '/dev/stream_main-lamp' },
  label: { type: 'string', example: 'main-lamp' },
  comment: { type: 'string', readOnly: true, example: 'comment_main-lamp' },
})
const app = object({
  name: text,
  access_key: { type: 'string', readOnly: true },
  client_id: text,
  client_secret: {
    type: 'string',
    description: 'It is only shown when the app is created. If lost, make another one.',
  },
  code: { type: 'string', example: '0cd2e8' },
})
const user = object({ name: text })
const plan = object({ name: text, owner: object({ name: text }) })

const document = documentOf({
  '/uploads': { post: { requestBody: json(named), responses: ok(upload) } },
  '/uploads/{uploadId}': { ...by('uploadId'), get: { responses: ok(upload) } },
  '/uploads/{uploadId}/cancel': {
    ...by('uploadId'),
    put: {
      operationId: 'cancelUpload',
      description: 'Cancels an upload. This request will only succeed if the upload is still in the `waiting` state.',
      responses: { ...ok(upload), 403: { description: 'It is not waiting.' } },
    },
  },
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
  '/streams/{streamId}/reset-stream-key': {
    ...by('streamId'),
    post: { operationId: 'resetStreamKey', responses: ok(stream) },
  },
  '/apps': { post: { requestBody: json(named), responses: ok(app) }, get: { responses: list(app) } },
  '/apps/{appId}': { ...by('appId'), get: { responses: ok(app) } },
  '/apps/{appId}/access_key': { ...by('appId'), post: { operationId: 'resetKeyOfApp', responses: ok(app) } },
  '/apps/{appId}/renew_code': { ...by('appId'), post: { operationId: 'codeAgain', responses: ok(app) } },
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
  it('an action is refused in a state that its description excludes', async () => {
    const connection = await openDocument(door, document)
    const { body } = await send(connection, 'POST /uploads', { name: 'a' })
    expect(body.status).toBe('waiting')
    const path = `/uploads/${body.id}`
    expect(await send(connection, `PUT ${path}/cancel`)).toMatchObject({ status: 200, body: { status: 'cancelled' } })
    const again = await send(connection, `PUT ${path}/cancel`)
    expect(again.status).toBe(403)
    expect(again.body.message).toContain('must be "waiting" (got "cancelled")')
    expect((await send(connection, `GET ${path}`)).body.status).toBe('cancelled')
  })

  it('a secret that is returned once is in the answer to the creation only', async () => {
    const connection = await openDocument(door, document)
    const { body } = await send(connection, 'POST /keys')
    expect(body.private_key).toMatch(/^\w{32}$/)
    expect((await send(connection, `GET /keys/${body.id}`)).body).toEqual({ id: body.id })
    expect((await send(connection, 'GET /keys')).body).toEqual([{ id: body.id }])
  })

  it('an action with the name of a secret makes it again', async () => {
    const connection = await openDocument(door, document)
    const { body } = await send(connection, 'POST /streams', { name: 'a' })
    const keys = [body.stream_key]
    for (let time = 0; time < 2; time++) {
      const reset = await send(connection, `POST /streams/${body.id}/reset-stream-key`)
      expect(reset.body).toEqual({ ...body, stream_key: reset.body.stream_key })
      expect((await send(connection, `GET /streams/${body.id}`)).body).toEqual(reset.body)
      keys.push(reset.body.stream_key)
    }
    expect(new Set(keys).size).toBe(3)
    expect(connection.sandbox.journal.list().flatMap(({ notes }) => notes)).toEqual([])
  })

  it('a key is made again by its path, and so is what only an action shows to be a secret', async () => {
    const connection = await openDocument(door, document)
    const { body } = await send(connection, 'POST /apps', { name: 'a' })
    expect(body).toMatchObject({ access_key: expect.any(String), client_id: expect.any(String) })
    expect([body.client_secret, body.code]).toEqual([expect.any(String), expect.stringMatching(/^\w{6}$/)])
    const { body: keyed } = await send(connection, `POST /apps/${body.id}/access_key`)
    const { client_secret: _, ...kept } = body
    expect(keyed).toMatchObject({ ...kept, access_key: keyed.access_key })
    const { body: coded } = await send(connection, `POST /apps/${body.id}/renew_code`)
    expect(coded).toMatchObject({ ...kept, access_key: keyed.access_key, code: coded.code })
    expect([keyed.access_key === body.access_key, coded.code === body.code]).toEqual([false, false])
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
