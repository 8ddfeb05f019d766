/** Lists whose items several parts of a schema describe, of which one only says that they are objects. */
import { compileDocument, createSandbox, generateScenario } from 'petstore-sandbox'
import { expect, it } from 'vitest'
import { readObject } from '../support/read-json.js'
import { documentOf } from '../support/serve-objects.js'

const station = {
  type: 'object',
  required: ['id', 'frequency'],
  properties: { id: { type: 'integer' }, frequency: { type: 'number' } },
}
const page = {
  type: 'object',
  required: ['version', 'items', 'extra'],
  properties: {
    version: { type: 'string' },
    items: { type: 'array', items: { type: 'object' } },
    extra: { type: 'object' },
  },
}
const stations = {
  properties: {
    items: { type: 'array', items: station },
    extra: { type: 'object', required: ['area'], properties: { area: { type: 'string' } } },
  },
}
const get = (schema: object) => ({
  get: { responses: { '200': { description: '', content: { 'application/json': { schema } } } } },
})
const text = JSON.stringify(
  documentOf({ '/stations': get({ allOf: [page, stations] }), '/channels': get({ allOf: [stations, page] }) }),
)

it.each(['/stations', '/channels'])('%s has records with all properties', async (path) => {
  const compiled = await compileDocument(text)
  const { fetch } = createSandbox({ contract: compiled.contract, scenario: await generateScenario({ compiled }) })
  const answer = await fetch(`http://127.0.0.1${path}`)
  const { items, extra } = readObject(await answer.json()) as { items: object[]; extra: object }
  expect([answer.status, items.length]).toEqual([200, 20])
  for (const item of items) expect(Object.keys(item)).toEqual(['id', 'frequency'])
  expect(Object.keys(extra)).toEqual(['area'])
})
