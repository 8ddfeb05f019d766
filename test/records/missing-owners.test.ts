// Requests below a record that does not exist: whatever their operation does, the answer is 404.
import { describe, expect, it } from 'vitest'
import { doors, openDocument, type Part, receive } from '../support/one-operation.js'
import type { RawRequest } from '../support/raw-request.js'
import { integer, list, named, object, text, toDocument } from '../support/sketch.js'

const file = { schema: { type: 'string', format: 'binary' } }
const book = { name: 'bookId', in: 'path', required: true, schema: integer }
const ok = (type: string): Part => ({ 200: { description: 'ok', content: { [type]: file } } })

/** Books with everything that may be below one. */
function shop(): string {
  const document = JSON.parse(
    toDocument(
      {
        'GET /books': { 200: list(named('Book')) },
        'POST /books': { body: object({ 'title!': text }), 201: named('Book') },
        'GET /books/{bookId}': { 200: named('Book') },
        'DELETE /books/{bookId}': { 204: null },
        'GET /books/{bookId}/tags': { 200: list(text) },
        'GET /books/{bookId}/stats': { 200: object({ 'views!': integer }) },
        'GET /books/{bookId}/settings': { 200: object({ 'color!': text }) },
        'POST /books/{bookId}/estimate': { body: object({ copies: integer }), 200: object({ 'price!': integer }) },
        'POST /books/{bookId}/export': { 200: object({ 'url!': text }) },
        'POST /books/{bookId}/archive': { 204: null },
        'DELETE /books/{bookId}/cache': { 204: null },
        'GET /books/{bookId}/reviews': { 200: list(named('Review')) },
        'POST /books/{bookId}/reviews': { body: object({ 'text!': text }), 201: named('Review') },
        'GET /books/{bookId}/reviews/{reviewId}': { 200: named('Review') },
        'POST /books/{bookId}/reviews/bulk': { body: list(object({ 'text!': text })), 200: list(named('Review')) },
        'POST /books/{bookId}/reviews/{reviewId}/translate': { 200: object({ 'text!': text }) },
        'GET /books/{bookId}/related': { 200: list(named('Book')) },
        'GET /books/{bookId}/sequels': { 200: list(named('Book')) },
        'POST /books/{bookId}/sequels': { body: object({ 'title!': text }), 201: named('Book') },
        'GET /shops': { 200: list(object({ 'id!': integer })) },
        'GET /shops/{shopId}/stats': { 200: object({ 'views!': integer }) },
        'GET /notes': { 200: list(object({ 'key!': text })) },
        'GET /users/{userId}/stats': { 200: object({ 'views!': integer }) },
      },
      { Book: object({ 'id!': integer, 'title!': text }), Review: object({ 'id!': integer, 'text!': text }) },
    ),
  )
  const upload = { content: { 'image/png': file } }
  document.paths['/books/{bookId}/cover'] = {
    parameters: [book],
    get: { responses: ok('image/png') },
    put: { requestBody: upload, responses: { 204: { description: 'ok' } } },
  }
  document.paths['/books/{bookId}/print'] = { parameters: [book], get: { responses: ok('application/pdf') } }
  document.paths['/books/{bookId}.pdf'] = { parameters: [book], get: { responses: ok('application/pdf') } }
  document.paths['/notes/{noteKey}.txt'] = {
    parameters: [{ name: 'noteKey', in: 'path', required: true, schema: text }],
    put: { requestBody: { content: { 'text/plain': file } }, responses: { 204: { description: 'ok' } } },
    get: { responses: ok('text/plain') },
  }
  return JSON.stringify(document)
}

/** A registry has repositories, and each repository has tags: only the first of two parameters has a list behind it. */
const registries = toDocument(
  {
    'POST /registry': { body: named('Registry'), 201: named('Registry') },
    'GET /registry/{registryName}/repositories': { 200: list(object({ 'name!': text })) },
    'GET /registry/{registryName}/{repositoryName}/tags': { 200: list(object({ 'tag!': text })) },
    'DELETE /registry/{registryName}/{repositoryName}/tags/{tagName}': { 204: null },
  },
  { Registry: object({ 'name!': text }) },
)

type Sent = Pick<RawRequest, 'headers' | 'body'>
const json = (value: unknown): Sent => ({
  headers: [['Content-Type', 'application/json']],
  body: JSON.stringify(value),
})

const below: [method: string, path: string, sent?: Sent][] = [
  ['GET', 'tags'],
  ['GET', 'stats'],
  ['GET', 'settings'],
  ['POST', 'estimate', json({ copies: 1 })],
  ['POST', 'export'],
  ['POST', 'archive'],
  ['DELETE', 'cache'],
  ['GET', 'reviews'],
  ['POST', 'reviews', json({ text: 'x' })],
  ['POST', 'reviews/bulk', json([{ text: 'x' }])],
  ['GET', 'cover'],
  ['PUT', 'cover', { headers: [['Content-Type', 'image/png']], body: 'x' }],
  ['GET', 'print'],
  ['GET', '.pdf'],
  ['GET', 'related'],
  ['GET', 'sequels'],
  ['POST', 'sequels', json({ title: 'x' })],
]

describe.each(doors)('through %s', (door) => {
  it.each(below)('%s below a missing book gets 404: %s', async (method, path, sent) => {
    const connection = await openDocument(door, shop())
    await receive(connection, { method: 'POST', target: '/books', ...json({ title: 'Emma' }) })
    const statuses = []
    for (const id of [1, 9]) {
      const target = `/books/${id}${path.startsWith('.') ? '' : '/'}${path}`
      const { status } = await receive(connection, { method, target, ...sent })
      statuses.push(status < 300 ? 'success' : status)
    }
    expect(statuses).toEqual(['success', 404])
  })

  it.each([
    ['GET', 'repositories'],
    ['GET', 'web/tags'],
    ['DELETE', 'web/tags/latest'],
  ])('%s below a missing registry gets 404: %s', async (method, path) => {
    const connection = await openDocument(door, registries)
    await receive(connection, { method: 'POST', target: '/registry', ...json({ name: 'main' }) })
    const statuses = []
    for (const name of ['main', 'other']) {
      const { status } = await receive(connection, { method, target: `/registry/${name}/${path}` })
      statuses.push(status < 300 ? 'success' : status)
    }
    expect(statuses).toEqual(['success', 404])
  })

  it('answers a file that was put where a list has no record of it', async () => {
    const connection = await openDocument(door, shop())
    const headers: [string, string][] = [['Content-Type', 'text/plain']]
    await receive(connection, { method: 'PUT', target: '/notes/a.txt', headers, body: 'hello' })
    const { status, text: answered } = await receive(connection, { method: 'GET', target: '/notes/a.txt' })
    expect([status, answered]).toEqual([200, 'hello'])
  })

  it('answers 404 below a missing record that is below another one', async () => {
    const connection = await openDocument(door, shop())
    await receive(connection, { method: 'POST', target: '/books', ...json({ title: 'Emma' }) })
    const { status } = await receive(connection, { method: 'POST', target: '/books/1/reviews/9/translate' })
    expect(status).toBe(404)
  })

  it('answers 404 below a record that a list does not have, also if no operation reads one', async () => {
    const connection = await openDocument(door, shop())
    expect((await receive(connection, { method: 'GET', target: '/shops/9/stats' })).status).toBe(404)
  })

  it('answers below any key where no operation lists or creates the records', async () => {
    const connection = await openDocument(door, shop())
    expect((await receive(connection, { method: 'GET', target: '/users/9/stats' })).status).toBe(200)
  })

  it('answers 404 for an uploaded file of a removed book', async () => {
    const connection = await openDocument(door, shop())
    await receive(connection, { method: 'POST', target: '/books', ...json({ title: 'Emma' }) })
    const headers: [string, string][] = [['Content-Type', 'image/png']]
    await receive(connection, { method: 'PUT', target: '/books/1/cover', headers, body: 'x' })
    await receive(connection, { method: 'DELETE', target: '/books/1' })
    expect((await receive(connection, { method: 'GET', target: '/books/1/cover' })).status).toBe(404)
  })
})
