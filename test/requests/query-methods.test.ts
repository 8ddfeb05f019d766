// Operations of OpenAPI 3.2 under `query` and `additionalOperations` are served as any other.
import { compileDocument } from 'petstore-sandbox'
import { expect, it } from 'vitest'
import { loadSources } from '../../src/document/load-sources.js'
import { compileSources, compileText } from '../../src/entries/compile-text.js'
import { toOverlay } from '../../src/entries/corrections.js'
import { serve } from '../support/serve-objects.js'

const record = {
  type: 'object',
  properties: { id: { type: 'integer' }, title: { type: 'string' }, stars: { type: 'integer' } },
}
const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const ok = (schema: object) => ({ 200: { description: 'ok', ...json(schema) } })
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } }
const search = { type: 'object', required: ['title'], properties: { title: { type: 'string' } } }

const document = {
  openapi: '3.2.0',
  info: { title: 'T', version: '1' },
  paths: {
    '/films': {
      post: { requestBody: json(record), responses: { 201: { description: 'ok', ...json(record) } } },
      query: { requestBody: json(search), responses: ok({ type: 'array', items: record }) },
      additionalOperations: {
        PURGE: { responses: { 204: { description: 'gone' } } },
        POST: { responses: { 204: { description: 'never' } } },
        'no method': { responses: { 204: { description: 'never' } } },
      },
    },
    '/films/{id}': {
      parameters: [id],
      get: { responses: ok(record) },
      query: { responses: ok(record) },
      additionalOperations: {
        COPY: { requestBody: json(search), responses: { 200: { description: 'ok', ...json(record) } } },
      },
    },
  },
}
const served = serve(document)

it('answers searches, validates their bodies, and changes nothing', async () => {
  for (const title of ['Alien', 'Brazil']) await served.send('POST', '/films', { body: { title, stars: 5 } })
  const found = await served.send('QUERY', '/films', { body: { title: 'Brazil' } })
  expect([found.status, JSON.parse(found.text)]).toEqual([200, [{ id: 2, title: 'Brazil', stars: 5 }]])
  const wrong = await served.send('QUERY', '/films', { body: { title: 3 } })
  expect([wrong.status, JSON.parse(wrong.text).message]).toEqual([400, 'title must be a string (got 3)'])
  expect(JSON.parse((await served.send('QUERY', '/films/1')).text)).toEqual({ id: 1, title: 'Alien', stars: 5 })
  expect((await served.send('QUERY', '/films/7')).status).toBe(404)
})

it('serves other methods as they are written, and lists all of them', async () => {
  expect((await served.send('PURGE', '/films')).status).toBe(204)
  expect((await served.send('COPY', '/films/1', { body: { title: 4 } })).status).toBe(400)
  expect((await served.send('COPY', '/films/1', { body: { title: 'Gilda' } })).status).toBe(200)
  expect(JSON.parse((await served.send('GET', '/films/1')).text).title).toBe('Alien')
  const { status, headers } = await served.send('PUT', '/films')
  expect([status, headers['allow']]).toEqual([405, 'OPTIONS, POST, PURGE, QUERY'])
  const preflight = await served.send('OPTIONS', '/films', {
    headers: [
      ['Origin', 'http://localhost'],
      ['Access-Control-Request-Method', 'QUERY'],
    ],
  })
  expect(preflight.headers['access-control-allow-methods']).toContain('QUERY')
})

it('notes what is no operation', async () => {
  const { notes } = await compileDocument(JSON.stringify(document))
  const old = await compileDocument(JSON.stringify({ ...document, openapi: '3.1.0' }))
  expect(notes().map(({ message }) => message)).toEqual([
    'paths./films.additionalOperations.POST must be written as the member "post" of the path',
    'paths./films.additionalOperations.no method is not a method',
  ])
  expect(old.notes().map(({ message }) => message)).toContain(
    'paths./films.query is for operations only since OpenAPI 3.2',
  )
  expect(old.contract.operations.map(({ method }) => method)).toEqual(['POST', 'GET'])
})

it('explains them, and prints corrections that can be applied', async () => {
  const compiled = compileText(JSON.stringify(document), 'a.json')
  const explained = compiled.explanations.map(({ method, path, effect }) => `${method} ${path}: ${effect}`)
  expect(explained).toEqual([
    'POST /films: create',
    'QUERY /films: list',
    'PURGE /films: example',
    'GET /films/{id}: read',
    'QUERY /films/{id}: read',
    'COPY /films/{id}: example',
  ])
  const actions = (await compiled.inferAgain()).overlay
  expect(actions.map(({ target }) => target)).toContain("$.paths['/films'].query")
  const read = () => Promise.reject(new Error('nothing else is read'))
  const text = JSON.stringify(toOverlay('Corrections', actions))
  const file = { file: 'a.json', text: JSON.stringify(document) }
  const { notes } = compileSources(await loadSources(file, { read, overlays: [{ file: 'o.json', text }] }))
  expect(notes()).toEqual(compiled.notes())
})
