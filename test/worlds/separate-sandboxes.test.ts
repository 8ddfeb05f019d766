/** Two sandboxes in one process share nothing. */
import { compileDocument, createSandbox } from 'petstore-sandbox'
import { expect, it } from 'vitest'
import { books, call, firstId, json, options, start } from '../support/books.js'

it('shares nothing between two sandboxes of one contract', async () => {
  const { contract } = await compileDocument(books)
  const one = createSandbox({ contract, ...options })
  const two = createSandbox({ contract, ...options, apiKeys: ['sandbox', 'other'] })
  await call(one, 'POST /books', { body: { title: 'Emma', pages: 474 } })
  await one.clock.travelTo('2030-01-01')
  await one.world().clock.advance(5)
  expect((await call(two, 'GET /books')).text).toBe('{"items":[],"total":0,"hasMore":false}')
  const created = await call(two, 'POST /books', { body: { title: 'Faust', pages: 1 } })
  expect(JSON.parse(created.text)).toMatchObject({ id: firstId, createdAt: start })
  expect((await call(one, 'GET /books', { headers: { 'X-API-Key': 'third' } })).status).toBe(200)
  expect((await call(two, 'GET /books', { headers: { 'X-API-Key': 'third' } })).status).toBe(401)
  expect([one.journal.size, two.journal.size]).toEqual([2, 3])
  await two.reset()
  expect(JSON.parse((await call(one, 'GET /books')).text).total).toBe(1)
})

it('shares nothing between two sandboxes of the bundled document', async () => {
  const [one, two] = [createSandbox(options), createSandbox(options)]
  const headers = { Authorization: 'Bearer sandbox', 'Content-Type': json }
  const before = await (await two.fetch('http://127.0.0.1/v1/pets', { headers })).text()
  const body = '{"name":"Rex","categoryId":7}'
  expect((await one.fetch('http://127.0.0.1/v1/pets', { method: 'POST', headers, body })).status).toBe(201)
  await one.clock.travelTo('2031-01-01')
  expect(await (await two.fetch('http://127.0.0.1/v1/pets', { headers })).text()).toBe(before)
  expect(await two.clock.now()).toBe(Date.parse(start))
  expect(two.journal.size).toBe(2)
})
