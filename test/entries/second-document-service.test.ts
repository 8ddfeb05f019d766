/** Behavior that only the second document has: problem+json, filters, patches, replaced and removed records. */
import { compileDocument, createSandbox } from 'petstore-sandbox'
import { expect, it } from 'vitest'
import { books, type Call, call, firstId, ids, mergePatch, openBooks, options, start } from '../support/books.js'

it('writes errors as documented: problem+json', async () => {
  const sandbox = await openBooks()
  const { status, headers, text } = await call(sandbox, 'POST /books', { body: { pages: 1 } })
  expect([status, headers['content-type']]).toEqual([422, 'application/problem+json'])
  expect(JSON.parse(text)).toEqual({
    type: 'invalid_request',
    title: 'Invalid request',
    status: 422,
    detail: 'title is required',
  })
})

interface Refused {
  what: string
  request: string
  call?: Call
  status: number
  type: string
}

const refused: Refused[] = [
  { what: 'a body', request: 'POST /books', call: { body: {} }, status: 422, type: 'invalid_request' },
  { what: 'a query', request: 'GET /books?limit=0', status: 422, type: 'invalid_request' },
  {
    what: 'a header parameter',
    request: 'GET /books',
    call: { headers: { 'x-trace': '123456789' } },
    status: 422,
    type: 'invalid_request',
  },
  {
    what: 'a content type',
    request: 'POST /books',
    call: { body: {}, type: 'text/plain' },
    status: 415,
    type: 'unsupported_media_type',
  },
  { what: 'an id that is not a UUID', request: 'GET /books/1', status: 404, type: 'not_found' },
  { what: 'an unknown id', request: `GET /books/${firstId}`, status: 404, type: 'not_found' },
  {
    what: 'a body where 4XX is documented',
    request: `PUT /books/${firstId}`,
    call: { body: {} },
    status: 400,
    type: 'invalid_request',
  },
  {
    what: 'an id that is not a UUID where 4XX is documented',
    request: 'PUT /books/1',
    call: { body: {} },
    status: 400,
    type: 'invalid_request',
  },
  {
    what: 'a content type where default is documented',
    request: `PATCH /books/${firstId}`,
    call: { headers: { 'Content-Type': 'text/plain' }, body: {} },
    status: 415,
    type: 'unsupported_media_type',
  },
  {
    what: 'an empty key',
    request: 'GET /books',
    call: { headers: { 'X-API-Key': '' } },
    status: 401,
    type: 'unauthorized',
  },
  {
    what: 'an unknown key',
    request: 'GET /books',
    call: { headers: { 'X-API-Key': 'no-such-key' } },
    status: 401,
    type: 'unauthorized',
  },
  {
    what: 'a bearer token instead of the key',
    request: 'GET /books',
    call: { headers: { 'X-API-Key': '', Authorization: 'Bearer sandbox' } },
    status: 401,
    type: 'unauthorized',
  },
  { what: 'another method', request: 'PUT /books', status: 405, type: 'method_not_allowed' },
  { what: 'an unknown path', request: 'GET /shelves', status: 404, type: 'not_found' },
]

for (const { what, request, call: what2, status, type } of refused) {
  it(`refuses ${what} with the first documented status of its candidates, ${status}`, async () => {
    const answer = await call(await openBooks(), request, what2)
    expect([answer.status, JSON.parse(answer.text).type]).toEqual([status, type])
    expect(JSON.parse(answer.text).status).toBe(status)
  })
}

it('names the header for the key', async () => {
  const { text } = await call(await openBooks(), 'GET /books', { headers: { 'X-API-Key': '' } })
  expect(JSON.parse(text).detail).toContain('X-API-Key: sandbox')
})

it('requires no key if the document does not', async () => {
  const { fetch } = await openBooks()
  expect((await fetch('https://books.service.example/api/opening-hours')).status).toBe(200)
})

it('keeps the worlds of two keys apart', async () => {
  const sandbox = await openBooks()
  await call(sandbox, 'POST /books', { body: { title: 'Emma', pages: 474 } })
  const { text } = await call(sandbox, 'GET /books', { headers: { 'X-API-Key': 'sandbox-b' } })
  expect(text).toBe('{"items":[],"total":0,"hasMore":false}')
})

it('drops properties that a caller must not write, and notes them; keeps those that additionalProperties allows', async () => {
  const sandbox = await openBooks()
  const body = {
    id: 'mine',
    title: 'Emma',
    pages: 474,
    slug: 'mine',
    createdAt: 'yesterday',
    publisher: { name: 'C', phone: '1' },
    labels: { any: 'thing' },
  }
  const { status, text } = await call(sandbox, 'POST /books', { body })
  expect(status).toBe(201)
  expect(JSON.parse(text)).toEqual({
    id: firstId,
    title: 'Emma',
    pages: 474,
    language: 'en',
    slug: 'a-book',
    publisher: { name: 'C' },
    labels: { any: 'thing' },
    createdAt: start,
    updatedAt: start,
  })
  expect(sandbox.journal.list().at(-1)?.notes).toEqual(
    ['"id"', '"slug"', '"createdAt"', '"publisher.phone"'].map((name) => expect.stringContaining(name)),
  )
})

it.each([
  {
    what: 'is valid but has no matching record',
    request: `PUT /books/${firstId}`,
    body: { title: 'A', pages: 1 },
    status: 404,
  },
  { what: 'breaks its schema', request: 'POST /books', body: { title: 'A' }, status: 422 },
])('keeps a body in the journal that $what', async ({ request, body, status }) => {
  const sandbox = await openBooks()
  expect((await call(sandbox, request, { body })).status).toBe(status)
  expect(sandbox.journal.list().at(-1)?.request.body).toBe(JSON.stringify(body))
})

it('merges a patch into the record, and removes properties that are null (RFC 7396)', async () => {
  const sandbox = await openBooks()
  const body = { title: 'Emma', pages: 474, publisher: { name: 'C', city: 'T' } }
  await call(sandbox, 'POST /books', { body })
  const patch = { body: { publisher: { city: null } }, type: mergePatch }
  const { text } = await call(sandbox, `PATCH /books/${firstId}`, patch)
  expect(JSON.parse(text).publisher).toEqual({ name: 'C' })
  const name = { body: { publisher: { name: 'D' } }, type: mergePatch }
  expect(JSON.parse((await call(sandbox, `PATCH /books/${firstId}`, name)).text).publisher).toEqual({ name: 'D' })
})

it('keeps the position of a changed record in the list, and closes the gap of a removed one', async () => {
  const sandbox = await openBooks()
  for (const title of ['a', 'b', 'c']) await call(sandbox, 'POST /books', { body: { title, pages: 1 } })
  const titles = async () =>
    JSON.parse((await call(sandbox, 'GET /books?limit=50')).text).items.map(({ title }: { title: string }) => title)
  await call(sandbox, `PUT /books/${firstId}`, { body: { title: 'A', pages: 1 } })
  expect(await titles()).toEqual(['c', 'b', 'A'])
  await call(sandbox, `DELETE /books/${ids[1]}`)
  expect(await titles()).toEqual(['c', 'A'])
  await call(sandbox, 'POST /books', { body: { title: 'd', pages: 1 } })
  expect(await titles()).toEqual(['d', 'c', 'A'])
})

it('never reuses an id, even after its record was removed', async () => {
  const sandbox = await openBooks()
  const create = async () =>
    JSON.parse((await call(sandbox, 'POST /books', { body: { title: 'a', pages: 1 } })).text).id
  const ids = [await create(), await create()]
  await call(sandbox, `DELETE /books/${ids[1]}`)
  ids.push(await create())
  await call(sandbox, `DELETE /books/${ids[0]}`)
  ids.push(await create())
  expect(new Set(ids).size).toBe(4)
})

it('finds a changed record by its new values, not by its old ones', async () => {
  const sandbox = await openBooks()
  const find = async (genre: string) => JSON.parse((await call(sandbox, `GET /books?genre=${genre}`)).text).total
  await call(sandbox, 'POST /books', { body: { title: 'a', pages: 1, genre: 'novel' } })
  expect([await find('novel'), await find('poetry')]).toEqual([1, 0])
  await call(sandbox, `PATCH /books/${firstId}`, { body: { genre: 'poetry' }, type: mergePatch })
  expect([await find('novel'), await find('poetry')]).toEqual([0, 1])
  await call(sandbox, `DELETE /books/${firstId}`)
  expect([await find('novel'), await find('poetry')]).toEqual([0, 0])
})

it('filters correctly after any changes, removals and additions', async () => {
  const genres = ['novel', 'poetry', 'science']
  const { contract } = await compileDocument(books, 'books.openapi.yaml')
  const held = [1, 2, 3, 4, 5].map((number) => ({
    ...{ id: `00000000-0000-4000-8000-00000000000${number}`, title: 'x', pages: 1, genre: 'novel' },
    ...{ createdAt: start, updatedAt: start },
  }))
  const sandbox = createSandbox({ contract, ...options, scenario: { books: held } })
  const expected: { id: string; genre?: string }[] = [...held]
  let turn = 7
  const pick = (count: number) => {
    turn = (turn * 1103515245 + 12345) % 2 ** 31
    return Math.floor((turn / 2 ** 31) * count)
  }
  for (let step = 0; step < 300; step++) {
    const place = pick(expected.length)
    const book = expected[place]
    const genre = genres[pick(3)] as string
    const what = book ? pick(5) : 0
    if (what < 2) {
      const { text } = await call(sandbox, 'POST /books', { body: { title: 'x', pages: 1, genre } })
      expected.push(JSON.parse(text))
    } else if (what < 4 && book) {
      await call(sandbox, `PATCH /books/${book.id}`, { body: { genre }, type: mergePatch })
      book.genre = genre
    } else {
      await call(sandbox, `DELETE /books/${book?.id}`)
      expected.splice(place, 1)
    }
    const filter = genres[pick(3)]
    const { text } = await call(sandbox, `GET /books?limit=50&genre=${filter}`)
    const ids = JSON.parse(text).items.map(({ id }: { id: string }) => id)
    const inOrder = expected.filter((each) => each.genre === filter).toReversed()
    expect(ids, `step ${step}`).toEqual(inOrder.slice(0, 50).map(({ id }) => id))
  }
})

it('answers with the documented 410 when the clock passes the sunset', async () => {
  const sandbox = await openBooks()
  const { headers } = await call(sandbox, `DELETE /books/${firstId}`)
  expect(headers).toMatchObject({ deprecation: '@1767225600', sunset: 'Sat, 01 Jan 2028 12:00:00 GMT' })
  await sandbox.clock.travelTo('2028-01-01T11:59:59.999Z')
  expect((await call(sandbox, `DELETE /books/${firstId}`)).status).toBe(404)
  await sandbox.clock.advance(1)
  const gone = await call(sandbox, `DELETE /books/${firstId}`)
  expect([gone.status, JSON.parse(gone.text).type]).toEqual([410, 'removed'])
  expect((await call(sandbox, 'GET /books')).status).toBe(200)
})

it('reads the stability level, and infers all six effects and an example', async () => {
  const { contract } = await openBooks()
  const found = contract.operations.map(({ id, effect, lifecycle }) => [id, effect.kind, lifecycle.stability])
  expect(found).toEqual([
    ['listBooks', 'list', undefined],
    ['createBook', 'create', undefined],
    ['readBook', 'read', undefined],
    ['replaceBook', 'replace', undefined],
    ['removeBook', 'remove', undefined],
    ['updateBook', 'update', 'beta'],
    ['readOpeningHours', 'example', undefined],
  ])
})
