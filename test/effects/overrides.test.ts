/** Overrides of documents whose collections are below others, and whose bodies are files. */
import { compileDocument, createSandbox } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import { documentOf, type Part } from '../support/one-operation.js'

const json = (schema: Part): Part => ({ 'application/json': { schema } })
const ok = (schema: Part, status = 200): Part => ({ [status]: { description: 'ok', content: json(schema) } })
const item: Part = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, title: { type: 'string' } },
}
const list: Part = { type: 'array', items: item }
const id = { name: 'shelfId', in: 'path', required: true, schema: { type: 'integer' } }
const binary = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
const sent = { requestBody: { content: json({ ...item, required: [] }) } }

const text = documentOf({
  '/shelves/': { get: { responses: ok(list) }, post: { ...sent, responses: ok(item, 201) } },
  '/shelves/{shelfId}/': { parameters: [id], get: { responses: ok(item) } },
  '/shelves/{shelfId}/notes/': {
    parameters: [id],
    get: { responses: ok(list) },
    post: { ...sent, responses: ok(item, 201) },
  },
  '/shelves/{shelfId}/picture/': {
    parameters: [id],
    put: {
      requestBody: { content: binary },
      responses: ok({ type: 'object', properties: { size: { type: 'integer' } } }),
    },
  },
})

// biome-ignore lint/suspicious/noExplicitAny: the document is unknown
type Given = any
const { contract } = await compileDocument(text)

async function open(overrides: object, sandbox = createSandbox({ contract, overrides })) {
  return async (method: string, path: string, body?: unknown, type = 'application/json') => {
    const init = { method, headers: { 'Content-Type': type }, body: body as string }
    const response = await sandbox.fetch(`http://sandbox.example${path}`, body === undefined ? { method } : init)
    return response.json()
  }
}

describe('overrides', () => {
  it('select the record that a path with a slash at its end is below', async () => {
    const send = await open({
      'POST /shelves/{shelfId}/notes/': ({ record }: Given) => ({ id: 1, title: record.title }),
    })
    await send('POST', '/shelves/', '{"title":"Poems"}')
    expect(await send('POST', '/shelves/1/notes/', '{}')).toEqual({ id: 1, title: 'Poems' })
  })

  it('change a new record whose key belongs to its owner', async () => {
    const send = await open({
      'POST /shelves/{shelfId}/notes/': async ({ next }: Given) => {
        const { record } = await next()
        record.title += '!'
      },
    })
    for (const title of ['Poems', 'Plays']) await send('POST', '/shelves/', JSON.stringify({ title }))
    for (const shelf of [1, 2]) {
      const note = { id: 1, title: `On ${shelf}` }
      expect(await send('POST', `/shelves/${shelf}/notes/`, JSON.stringify(note))).toMatchObject({
        title: `On ${shelf}!`,
      })
      expect(await send('GET', `/shelves/${shelf}/notes/`)).toMatchObject([{ title: `On ${shelf}!` }])
    }
  })

  it('are told that the record has another value than they set on the body', async () => {
    const overrides = {
      'POST /shelves/': ({ body }: Given) => {
        body.title = 5
        body.more = 'kept'
      },
    }
    const sandbox = createSandbox({ contract, overrides })
    const send = await open(overrides, sandbox)
    const { title } = (await send('POST', '/shelves/', '{"title":"Poems"}')) as { title: string }
    expect(sandbox.journal.list().flatMap(({ notes }) => notes)).toEqual([
      `the override set title to 5, but the record has "${title}": the document allows no such value, or the service writes it`,
    ])
  })

  it('find a collection by its path', async () => {
    const send = await open({
      'GET /shelves/{shelfId}/': async ({ params, records }: Given) => {
        const notes = await records('/shelves/{shelfId}/notes/').list({ '{shelfId}': params.shelfId })
        return { id: notes.length }
      },
    })
    for (const title of ['Poems', 'Plays']) await send('POST', '/shelves/', JSON.stringify({ title }))
    await send('POST', '/shelves/1/notes/', '{"title":"Short"}')
    expect([await send('GET', '/shelves/1/'), await send('GET', '/shelves/2/')]).toEqual([{ id: 1 }, { id: 0 }])
  })

  it('get the bytes of a file', async () => {
    const send = await open({
      'PUT /shelves/{shelfId}/picture/': ({ body }: Given) => ({ size: body[0] * 1000 + body.length }),
    })
    const bytes = new Uint8Array([7, 0, 255, 1])
    expect(await send('PUT', '/shelves/1/picture/', bytes, 'application/octet-stream')).toEqual({ size: 7004 })
  })
})
