/** Values of answers that do not show a record: those of the request, and keys that are new in each answer. */
import { describe, expect, it } from 'vitest'
import { documentOf, doors, openDocument, type Part, receive } from '../support/one-operation.js'

const text: Part = { type: 'string' }
const integer: Part = { type: 'integer' }
const object = (properties: Part, others: Part = {}): Part => ({ type: 'object', properties, ...others })
const listOf = (items: Part): Part => ({ type: 'array', items })
const json = (schema: Part, others: Part = {}): Part => ({ content: { 'application/json': { schema, ...others } } })
const ok = (schema: Part, others: Part = {}): Part => ({ 200: { description: 'ok', ...json(schema, others) } })
const inPath = (name: string, schema = text): Part => ({ name, in: 'path', required: true, schema })

const card = object({ id: text, title: text })
const link = {
  link_token: 'link-8c1b2a3d-0f9e-4d7c-8b6a-5e4f3d2c1b0a',
  request_id: 'm8MDnv9okwxFNBV',
  item_token: 'p-0asd1-a92nc',
  mode: 'm',
}
const document = documentOf({
  '/boards': {
    get: { responses: ok(listOf(object({ id: text, name: text }))) },
    post: { requestBody: json(object({ name: text })), responses: ok(object({ id: text, name: text })) },
  },
  '/boards/{board_id}': {
    parameters: [inPath('board_id')],
    get: { responses: ok(object({ id: text, name: text })) },
    patch: {
      requestBody: json(object({ name: text, note: text })),
      responses: ok(object({ board_id: text, note: text, code: text })),
    },
  },
  '/boards/{board_id}/cards': {
    parameters: [inPath('board_id')],
    get: { responses: ok(object({ cards: listOf(card), board_id: text, total: integer })) },
    post: { requestBody: json(object({ title: text })), responses: ok(card) },
  },
  '/boards/{board_id}/copy': {
    parameters: [inPath('board_id')],
    post: { responses: ok(object({ board_id: { ...text, example: 'b-1' } })) },
  },
  '/link/token/create': {
    post: {
      requestBody: json(object({ mode: text, level: integer, status: text })),
      responses: ok(
        object({
          link_token: text,
          request_id: text,
          item_token: text,
          mode: text,
          level: text,
          status: text,
          kind: { type: 'string', enum: ['new'] },
        }),
        { example: { ...link, level: '1', status: 'done' } },
      ),
    },
  },
  '/accounts/get': {
    post: {
      requestBody: json(object({ link_token: text, mode: { ...text, enum: ['x'] } })),
      responses: ok(object({ link_token: text, request_id: text, mode: { ...text, maxLength: 1 } }), { example: link }),
    },
  },
})

describe.each(doors)('answers through %s', (door) => {
  const open = async () => {
    const connection = await openDocument(door, document)
    return async (request: string, sent?: unknown) => {
      const [method = '', target = ''] = request.split(' ')
      const body = sent === undefined ? {} : { body: JSON.stringify(sent) }
      const headers = sent === undefined ? [] : [['Content-Type', 'application/json'] as const]
      const answer = await receive(connection, { method, target, headers, ...body })
      return JSON.parse(answer.text)
    }
  }

  it('show the key of the path beside a list, and instead of a record', async () => {
    const send = await open()
    const { id } = await send('POST /boards', { name: 'a' })
    await send(`POST /boards/${id}/cards`, { title: 't' })
    const listed = await send(`GET /boards/${id}/cards`)
    expect([listed.board_id, listed.cards.map(({ title }: { title: string }) => title)]).toEqual([id, ['t']])
    expect(await send(`PATCH /boards/${id}`, { name: 'b', note: 'n' })).toMatchObject({ board_id: id, note: 'n' })
    expect((await send(`POST /boards/${id}/copy`)).board_id).not.toBe(id)
  })

  it('have new keys in the form of their example, and what was sent', async () => {
    const send = await open()
    const sent = { mode: 'night', level: 7, status: 'open' }
    const [one, other] = [await send('POST /link/token/create', sent), await send('POST /link/token/create', sent)]
    for (const { link_token, request_id, item_token, ...others } of [one, other]) {
      expect(link_token).toMatch(/^link-[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
      expect(request_id).toMatch(/^[\dA-Za-z]{15}$/)
      expect(item_token).toMatch(/^p-[\da-z]{5}-[\da-z]{5}$/)
      expect(others).toEqual({ mode: 'night', level: '1', status: 'done' })
    }
    expect([one.link_token === other.link_token, one.request_id === other.request_id]).toEqual([false, false])
  })

  it('keep the keys of a request that only reads', async () => {
    const send = await open()
    const read = await send('POST /accounts/get', { link_token: 'link-7' })
    expect(read).toMatchObject({ link_token: 'link-7', mode: 'm' })
    expect(read.request_id).not.toBe(link.request_id)
  })
})
