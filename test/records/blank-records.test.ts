/** Records that only requests describe: the answers are any object, or anything. */
import { compileDocument, createSandbox, generateScenario } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import { documentOf, doors, openDocument, type Part, receive } from '../support/one-operation.js'
import type { Connection } from '../support/raw-request.js'

const text = { type: 'string' }
const object = (properties: Part): Part => ({ type: 'object', properties })
const json = (media: Part): Part => ({ content: { 'application/json': media } })
const answer = (media: Part): Part => ({ responses: { 200: { description: 'ok', ...json(media) } } })
const one = (name: string): Part => ({ parameters: [{ name, in: 'path', required: true, schema: text }] })

/** A collection whose answers have no more than this media type object. */
const collection = (path: string, key: string, sent: Part, media: Part, list: Part): Part => ({
  [path]: {
    post: { requestBody: json({ schema: sent }), ...answer(media) },
    get: { operationId: `list${path.slice(1)}`, ...answer(list) },
  },
  [`${path}/{${key}}`]: {
    ...one(key),
    get: answer(media),
    put: { requestBody: json({ schema: sent }), ...answer(media) },
    delete: { responses: { 204: { description: 'done' } } },
  },
})

const anyObject = { schema: { type: 'object' } }
const document = documentOf({
  ...collection('/letters', 'letter_id', object({ subject: text, tags: { type: 'array', items: text } }), anyObject, {
    schema: object({ results: { type: 'array', items: { type: 'object' } } }),
  }),
  ...collection('/Tunes', 'tuneId', object({ title: text, updatedAt: { ...text, format: 'date-time' } }), {}, {}),
  ...collection(
    '/kite-lines',
    'code',
    object({ code: text, metres: { type: 'integer' } }),
    { schema: {} },
    { schema: { type: 'array', items: {} } },
  ),
  '/echo': { post: { requestBody: json({ schema: object({ title: text }) }), ...answer({ schema: {} }) } },
  '/horns/{id}': { ...one('id'), get: answer({}) },
})

it.each([
  ['a list: its records are those of the list', [{ title: 'Reel', plays: [{ at: 'Fair' }] }], 3],
  ['an object: the answer is that', { tunes: [{ title: 'Reel' }], total: 1 }, undefined],
])('shows the example of an answer without a schema that is %s', async (_, example, length) => {
  const sent = object({ title: text, plays: { type: 'array', items: text } })
  const compiled = await compileDocument(documentOf(collection('/tunes', 'tuneId', sent, {}, { example })))
  const sandbox = createSandbox({
    contract: compiled.contract,
    scenario: await generateScenario({ compiled, records: 3 }),
  })
  const shown = await (await sandbox.fetch('http://localhost/tunes')).json()
  if (length === undefined) return expect(shown).toEqual(example)
  expect(shown).toHaveLength(length)
  for (const each of shown) expect(each).toMatchObject({ title: 'Reel', plays: [{ at: 'Fair' }] })
})

async function send(connection: Connection, request: string, body?: unknown) {
  const [method = '', target = ''] = request.split(' ')
  const headers: [string, string][] = body === undefined ? [] : [['Content-Type', 'application/json']]
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const received = await receive(connection, { method, target, headers, ...sent })
  return { status: received.status, body: received.text === '' ? undefined : JSON.parse(received.text) }
}

describe.each(doors)('a record that no answer describes over %s', (door) => {
  it.each([
    ['/letters', { subject: 'Tide', tags: ['sea'] }, { subject: 'Ebb' }, 'id', (body: Part) => body.results],
    ['/Tunes', { title: 'Reel' }, { title: 'Jig' }, 'id', (body: Part) => body],
    ['/kite-lines', { code: 'K9', metres: 30 }, { code: 'K9', metres: 31 }, 'code', (body: Part) => body],
  ])('is kept with its key: %s', async (path, sent, changed, key, toList) => {
    const connection = await openDocument(door, document)
    const created = await send(connection, `POST ${path}`, sent)
    expect(created).toMatchObject({ status: 200, body: sent })
    const at = `${path}/${created.body[key]}`
    expect(await send(connection, `GET ${at}`)).toEqual(created)
    expect(toList((await send(connection, `GET ${path}`)).body)).toEqual([created.body])
    expect((await send(connection, `PUT ${at}`, changed)).body).toMatchObject(changed)
    expect((await send(connection, `GET ${at}`)).body).toMatchObject({ ...changed, [key]: created.body[key] })
    expect((await send(connection, `DELETE ${at}`)).status).toBe(204)
    expect((await send(connection, `GET ${at}`)).status).toBe(404)
  })

  it('has the times that requests name', async () => {
    const connection = await openDocument(door, document)
    const { body } = await send(connection, 'POST /Tunes', { title: 'Reel' })
    expect(body.updatedAt).toMatch(/^\d{4}-\d\d-\d\dT/)
    const updatedAt = '2020-01-01T00:00:00Z'
    expect((await send(connection, 'POST /Tunes', { title: 'Air', updatedAt })).body.updatedAt).toBe(updatedAt)
  })

  it('answers where nothing is kept', async () => {
    const connection = await openDocument(door, document)
    expect((await send(connection, 'POST /echo', { title: 'a' })).status).toBe(200)
    expect((await send(connection, 'GET /horns/7')).status).toBe(200)
  })
})
