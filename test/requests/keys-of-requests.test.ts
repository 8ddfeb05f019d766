/** A body with an idempotency key: the same request gives the first answer again. */
import { describe, expect, it } from 'vitest'
import { documentOf, serve } from '../support/serve-objects.js'

const json = (schema: object) => ({ 'application/json': { schema } })
const text = { type: 'string' }
const Ferry = { type: 'object', properties: { id: { ...text, readOnly: true }, name: text } }
const answer = { description: '', content: json(Ferry) }
const creation = (properties: object) => ({
  get: { responses: { '200': { description: '', content: json({ type: 'array', items: Ferry }) } } },
  post: {
    requestBody: { required: true, content: json({ type: 'object', properties: { name: text, ...properties } }) },
    responses: { '201': answer },
  },
})
const item = {
  parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
  get: { responses: { '200': answer } },
}

describe.each([
  ['its name', 'idempotency_key', text],
  ['its description', 'client_token', { ...text, description: 'Ensures the idempotency of the request.' }],
])('a key in a body, known by %s', (_, name, schema) => {
  const { send } = serve(
    documentOf({
      '/ferries': creation({ [name]: schema }),
      '/ferries/{id}': item,
      '/boats': creation({ [name]: schema }),
      '/boats/{id}': item,
    }),
  )
  const add = async (path: string, body: object) => {
    const { status, text: written } = await send('POST', path, { body })
    return { status, ...JSON.parse(written) }
  }
  const count = async () => JSON.parse((await send('GET', '/ferries')).text).length

  it('gives the first answer again, and adds nothing', async () => {
    const first = await add('/ferries', { name: 'Ida', [name]: 'one' })
    const known = await count()
    expect(first).toMatchObject({ status: 201, name: 'Ida' })
    expect(await add('/ferries', { name: 'Ida', [name]: 'one' })).toEqual(first)
    expect(await count()).toBe(known)
  })

  it('counts for one operation, and only if it is sent', async () => {
    const first = await add('/ferries', { name: 'Ada', [name]: 'two' })
    expect(await add('/boats', { name: 'Bo', [name]: 'two' })).toMatchObject({ status: 201, name: 'Bo' })
    expect((await add('/ferries', { name: 'Ada', [name]: 'three' })).id).not.toBe(first.id)
    const plain = await add('/ferries', { name: 'Eva' })
    expect((await add('/ferries', { name: 'Eva' })).id).not.toBe(plain.id)
  })

  it('refuses another request with the same key', async () => {
    await add('/ferries', { name: 'Uma', [name]: 'four' })
    expect(await add('/ferries', { name: 'Other', [name]: 'four' })).toMatchObject({ status: 422 })
  })
})

describe('a text that only looks like a token', () => {
  const { send } = serve(documentOf({ '/ferries': creation({ client_token: text }), '/ferries/{id}': item }))
  const add = async () => JSON.parse((await send('POST', '/ferries', { body: { client_token: 'one' } })).text).id

  it('is no such key', async () => {
    expect(await add()).not.toBe(await add())
  })
})
