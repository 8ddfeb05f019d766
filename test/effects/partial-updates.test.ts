/** PUT operations that change only what is sent, and objects that an update merges, through every transport. */
import { describe, expect, it } from 'vitest'
import { documentOf, doors, openDocument, type Part, receive } from '../support/one-operation.js'
import type { Connection } from '../support/raw-request.js'

const text = { type: 'string' }
const json = (schema: Part, others: Part = {}): Part => ({ content: { 'application/json': { schema, ...others } } })
const ok = (schema: Part, others: Part = {}): Part => ({ 200: { description: 'ok', ...json(schema, others) } })
const object = (required: string[], properties: Part): Part => ({ type: 'object', required, properties })
const key = (name: string): Part => ({ parameters: [{ name, in: 'path', required: true, schema: text }] })
/** The paths of a collection whose records PUT changes. */
const pathsOf = (name: string, record: Part, draft: Part, put: Part, others: Part = {}): Part => ({
  [`/${name}`]: { post: { requestBody: json(draft), responses: ok(record) }, get: { responses: ok(list(record)) } },
  [`/${name}/{id}`]: { ...key('id'), get: { responses: ok(record) }, put, ...others },
})
const list = (items: Part): Part => ({ type: 'array', items })

const lamp = object(['id'], { id: text, colour: text, room: text, level: { type: 'integer', default: 5 } })
const lampChange = object([], { colour: text, room: text, level: { type: 'integer', default: 5 } })
const lampDraft = { ...lampChange, required: ['room'] }

/** The same update, called and described in other words. */
const called = (words: Part, change: Part = lampChange): Part => ({
  ...words,
  requestBody: json(change),
  responses: ok(lamp),
})

const door = object(['id'], { id: text, wood: text, tone: text, serial: text })

const notes = {
  additionalProperties: text,
  type: 'object',
  description: 'Free key-value pairs. Single keys are unset by posting an empty value to them.',
}
const labels = {
  additionalProperties: { type: ['string', 'null'] },
  type: 'object',
  description: 'Is merged with the labels of the crate. Null removes a label.',
}
const badges = { additionalProperties: text, type: 'object', description: 'Other keys remain unchanged.' }
const plain = { additionalProperties: text, type: 'object' }
const crate = object(['id'], { id: text, notes, labels, badges, plain })
const crateChange = object([], { notes: { anyOf: [notes, { enum: [''] }] }, labels, badges, plain })

const document = documentOf({
  ...pathsOf('lamps', lamp, lampDraft, called({ summary: 'Update a lamp' })),
  ...pathsOf('replaced', lamp, lampDraft, called({ summary: 'Update a lamp', description: 'Replaces the lamp.' })),
  ...pathsOf('entire', lamp, lampDraft, called({ summary: 'Change a lamp by its full representation. ' })),
  ...pathsOf('both', lamp, lampDraft, called({ summary: 'Update a lamp' }), {
    patch: called({ summary: 'Update a part of a lamp' }),
  }),
  '/halls': { post: { requestBody: json(object([], { hall: lampDraft })), responses: ok(object([], { hall: lamp })) } },
  '/halls/{hallId}': {
    ...key('hallId'),
    get: { responses: ok(object([], { hall: lamp })) },
    put: {
      operationId: 'modifyHall',
      requestBody: json(object([], { hall: lampChange })),
      responses: ok(object([], { hall: lamp })),
    },
  },
  ...pathsOf(
    'doors',
    door,
    { ...door, required: [] },
    {
      summary: 'Put a door',
      requestBody: json(object(['wood'], { wood: text, tone: text })),
      responses: ok(door),
    },
  ),
  ...pathsOf(
    'crates',
    crate,
    crateChange,
    { summary: 'Replace a crate', requestBody: json(crateChange), responses: ok(crate) },
    {
      patch: { requestBody: json(crateChange), responses: ok(crate) },
    },
  ),
})

async function send(connection: Connection, request: string, body?: unknown) {
  const [method = '', target = ''] = request.split(' ')
  const headers: [string, string][] = body === undefined ? [] : [['Content-Type', 'application/json']]
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const { status, text: answer } = await receive(connection, { method, target, headers, ...sent })
  return { status, body: answer === '' ? undefined : JSON.parse(answer) }
}

describe.each(doors)('a PUT that updates over %s', (door) => {
  /** Adds a record, changes it, and reads it again. @returns what is read, without its key */
  async function change(path: string, method: string, before: Part, after: Part): Promise<Part> {
    const connection = await openDocument(door, document)
    const { body } = await send(connection, `POST /${path}`, before)
    const { id } = body.hall ?? body
    expect((await send(connection, `${method} /${path}/${id}`, after)).status).toBe(200)
    const read = (await send(connection, `GET /${path}/${id}`)).body
    const { id: _, ...others } = read.hall ?? read
    return others
  }

  it('keeps what is not sent', async () => {
    const changed = await change('lamps', 'PUT', { colour: 'red', room: 'attic', level: 2 }, { colour: 'blue' })
    expect(changed).toEqual({ colour: 'blue', room: 'attic', level: 2 })
  })

  it('keeps what is not sent in an envelope', async () => {
    const changed = await change('halls', 'PUT', { hall: { colour: 'red', room: 'attic' } }, { hall: { level: 3 } })
    expect(changed).toEqual({ colour: 'red', room: 'attic', level: 3 })
  })

  it.each(['replaced', 'entire', 'both'])('still replaces a record of /%s', async (path) => {
    const changed = await change(path, 'PUT', { colour: 'red', room: 'attic', level: 2 }, { room: 'hall' })
    expect(changed).toEqual({ room: 'hall', level: 5 })
  })

  it('keeps what a replacement cannot have', async () => {
    const changed = await change('doors', 'PUT', { wood: 'oak', tone: 'dark', serial: 's1' }, { wood: 'ash' })
    expect(changed).toEqual({ wood: 'ash', serial: 's1' })
  })

  it.each([
    ['notes', { a: '1', b: '2' }, { b: '', c: '3' }, { a: '1', c: '3' }],
    ['notes', { a: '1', b: '2' }, '', {}],
    ['labels', { a: '1', b: '2' }, { b: null, c: '' }, { a: '1', c: '' }],
    ['badges', { a: '1' }, { b: '2' }, { a: '1', b: '2' }],
    ['plain', { a: '1' }, { b: '2' }, { b: '2' }],
  ])('merges %s if the document says so', async (name, before, sent, after) => {
    expect(await change('crates', 'PATCH', { [name]: before }, { [name]: sent })).toEqual({ [name]: after })
  })

  it('replaces objects that an update merges', async () => {
    const changed = await change('crates', 'PUT', { badges: { a: '1' } }, { badges: { b: '2' } })
    expect(changed).toEqual({ badges: { b: '2' } })
  })
})
