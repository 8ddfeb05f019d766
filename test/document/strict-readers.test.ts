/** Answers are valid for readers that take each keyword of a schema by its word. */
import { compileDocument, generateScenario } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import { type JsonObject, readArray, readObject } from '../support/read-json.js'
import { serve } from '../support/serve-objects.js'

const json = (schema: unknown) => ({ 'application/json': { schema } })

const record = {
  type: 'object',
  required: ['id', 'state', 'size', 'undescribed', ''],
  properties: {
    id: { type: 'integer' },
    state: { type: 'string', nullable: true, enum: ['open', 'closed'] },
    size: { type: 'number', format: 'int32' },
  },
}
const body = {
  content: json({ type: 'object', properties: { state: record.properties.state, size: record.properties.size } }),
}
const document: JsonObject = {
  openapi: '3.0.3',
  info: { title: 'T', version: '1' },
  paths: {
    '/xs': {
      get: { responses: { '200': { description: '', content: json({ type: 'array', items: record }) } } },
      post: { requestBody: body, responses: { '201': { description: '', content: json(record) } } },
    },
    '/example': {
      get: {
        responses: {
          '200': {
            description: '',
            headers: { ETag: { required: true, schema: { type: 'string', pattern: '^[A-F0-9]{8}$' } } },
            content: json(record),
          },
        },
      },
    },
  },
}

function expectStrict(value: unknown): void {
  const { state, size, ...others } = readObject(value)
  expect(['open', 'closed']).toContain(state)
  expect(Number.isInteger(size), String(size)).toBe(true)
  expect(Object.keys(others)).toEqual(['id', 'undescribed', ''])
}

it('generates no null for an enum without it, no fraction for an int32, and all that is required', async () => {
  const compiled = await compileDocument(JSON.stringify(document))
  const { xs = [] } = await generateScenario({ compiled, records: 60 })
  for (const each of xs) expectStrict(each)
  expect(new Set(xs.map(({ state }) => state)).size).toBe(2)
})

describe('the service', () => {
  const { send } = serve(document)

  it.each(Array.from({ length: 6 }, (_, index) => index))('makes what record %i lacks', async () => {
    const { status, text } = await send('POST', '/xs', { body: {} })
    expect(status).toBe(201)
    expectStrict(JSON.parse(text))
  })

  it('lists what is required although it is not described', async () => {
    const { text } = await send('GET', '/xs')
    const listed = readArray(JSON.parse(text))
    expect(listed).not.toEqual([])
    for (const each of listed) expectStrict(each)
  })

  it('keeps a null that is sent', async () => {
    const { status, text } = await send('POST', '/xs', { body: { state: null, size: 3 } })
    expect(status).toBe(201)
    expect(readObject(JSON.parse(text))).toMatchObject({ state: null, size: 3 })
  })

  it('refuses a fraction of an int32', async () => {
    const { status, text } = await send('POST', '/xs', { body: { size: 0.5 } })
    expect([status, text]).toEqual([400, expect.stringContaining('size must be an integer (got 0.5)')])
  })

  it('makes headers by their pattern', async () => {
    const { headers, text } = await send('GET', '/example')
    expect(headers['etag']).toMatch(/^[A-F0-9]{8}$/)
    expectStrict(JSON.parse(text))
  })
})
