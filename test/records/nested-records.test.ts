// Records that belong to records: each request through each transport of this process.
import type { SandboxError } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import { library, nestedScripts, shelfWithoutKey, tagged, tenants } from '../scripts/nested.js'
import { createFakeStore, type Weather } from '../support/fake-store.js'
import { pluck } from '../support/read-json.js'
import { ask, openSketch, runScript } from '../support/script.js'
import { named, object, text, toDocument } from '../support/sketch.js'

it.each(nestedScripts)('$name', runScript)

/** Two authors, a book of each, and a page of the first book. */
const filled = {
  authors: [
    { id: 1, name: 'Ada' },
    { id: 2, name: 'Bo' },
  ],
  books: [
    { id: 1, title: 'Emma', '{authorId}': 1 },
    { id: 2, title: 'Faust', '{authorId}': 2 },
  ],
  pages: [{ id: 1, text: 'p', '{authorId}': 1, '{bookId}': 1 }],
}

describe('a scenario', () => {
  it('says with properties in braces what its records belong to, and no body shows them', async () => {
    const sandbox = await openSketch(library, { scenario: filled })
    expect(await ask(sandbox, 'GET /authors/1/books')).toBe('200 [{"id":1,"title":"Emma"}]')
    expect(await ask(sandbox, 'GET /authors/2/books/2')).toBe('200 {"id":2,"title":"Faust"}')
    expect(await ask(sandbox, 'GET /authors/1/books/1/pages')).toBe('200 [{"id":1,"text":"p"}]')
    expect(await ask(sandbox, 'GET /authors/2/books/2/pages')).toBe('200 []')
    expect(await ask(sandbox, 'PATCH /authors/1/books/1 {"title":"Emma 2"}')).toBe('200 {"id":1,"title":"Emma 2"}')
    expect(await ask(sandbox, 'GET /authors/1/books/1/pages')).toBe('200 [{"id":1,"text":"p"}]')
  })
})

describe('a snapshot', () => {
  it('brings removed records back at every depth', async () => {
    const sandbox = await openSketch(library, { scenario: filled })
    await ask(sandbox, 'POST /authors/1/books {"title":"New"}')
    const world = sandbox.world()
    const before = JSON.stringify(await world.snapshot())
    expect(await ask(sandbox, 'DELETE /authors/1')).toBe('204')
    expect(await ask(sandbox, 'GET /authors/1/books')).toMatch(/^404/)
    await world.restore(JSON.parse(before))
    expect(await ask(sandbox, 'GET /authors/1/books')).toBe('200 [{"id":3,"title":"New"},{"id":1,"title":"Emma"}]')
    expect(await ask(sandbox, 'GET /authors/1/books/1/pages')).toBe('200 [{"id":1,"text":"p"}]')
    expect(JSON.stringify(await world.snapshot())).toBe(before)
  })

  it('keeps records of one key below two owners', async () => {
    const sandbox = await openSketch(tenants)
    const world = sandbox.world()
    const books = world.collection('books')
    await books.add({ id: 1, title: 'A', '{tenantId}': '7' })
    await books.add({ id: 1, title: 'B', '{tenantId}': '8' })
    const state = await world.snapshot()
    await world.reset()
    expect(await ask(sandbox, 'GET /tenants/7/books')).toBe('200 []')
    await world.restore(state)
    expect(await ask(sandbox, 'GET /tenants/7/books/1')).toBe('200 {"id":1,"title":"A"}')
    expect(await ask(sandbox, 'GET /tenants/8/books/1')).toBe('200 {"id":1,"title":"B"}')
  })
})

it('has after a reset the records of the scenario again, at every depth', async () => {
  const sandbox = await openSketch(library, { scenario: filled })
  await ask(sandbox, 'DELETE /authors/1')
  await sandbox.reset()
  expect(await ask(sandbox, 'GET /authors/1/books/1/pages')).toBe('200 [{"id":1,"text":"p"}]')
})

describe('a collection of nested records', () => {
  it('has them of all owners, with what they belong to', async () => {
    const sandbox = await openSketch(library, { scenario: filled })
    const books = sandbox.world().collection('books')
    expect(await books.size()).toBe(2)
    expect(await books.list()).toEqual(filled.books.toReversed())
    expect(await books.list({ filter: { '{authorId}': 1 } })).toEqual([filled.books[0]])
    expect(await books.get(2)).toEqual(filled.books[1])
  })

  it('shows what requests added, and requests show what is added', async () => {
    const sandbox = await openSketch(library, { scenario: filled })
    const books = sandbox.world().collection('books')
    await ask(sandbox, 'POST /authors/2/books {"title":"New"}')
    expect(await books.get(3)).toEqual({ id: 3, title: 'New', '{authorId}': 2 })
    expect(await books.add({ title: 'Added', '{authorId}': 1 })).toEqual({ id: 4, title: 'Added', '{authorId}': 1 })
    expect(await ask(sandbox, 'GET /authors/1/books/4')).toBe('200 {"id":4,"title":"Added"}')
    expect(await books.remove(1)).toEqual(filled.books[0])
    expect(await ask(sandbox, 'GET /authors/1/books')).toBe('200 [{"id":4,"title":"Added"}]')
  })

  it('adds no record without the key of its owner, which no request could see', async () => {
    const sandbox = await openSketch(library, { scenario: filled })
    const failure: SandboxError = await sandbox
      .world()
      .collection('pages')
      .add({ text: 'x', '{authorId}': 1 })
      .then(
        () => expect.unreachable(),
        (error) => error,
      )
    expect(failure.code).toBe('INVALID_RECORD')
    expect(failure.message).toContain('{bookId}')
    expect(await sandbox.world().collection('pages').size()).toBe(1)
    const books = (await openSketch(tenants)).world().collection('books')
    expect(await books.add({ title: 'of all' })).toEqual({ id: 1, title: 'of all' })
  })

  it('replaces the values of a record, which stays below its owner', async () => {
    const sandbox = await openSketch(library, { scenario: filled })
    const books = sandbox.world().collection('books')
    expect(await books.replace(1, { title: 'E', '{authorId}': 2 })).toEqual({ id: 1, title: 'E', '{authorId}': 1 })
    expect(await books.replace(2, { title: 'F' })).toEqual({ id: 2, title: 'F', '{authorId}': 2 })
    expect(await ask(sandbox, 'GET /authors/1/books')).toBe('200 [{"id":1,"title":"E"}]')
    expect(await ask(sandbox, 'GET /authors/2/books/2')).toBe('200 {"id":2,"title":"F"}')
  })

  it('takes the same key below another owner, and not below the same one', async () => {
    const books = (await openSketch(library, { scenario: filled })).world().collection('books')
    expect(await books.add({ id: 1, title: 'Other', '{authorId}': 2 })).toEqual({
      id: 1,
      title: 'Other',
      '{authorId}': 2,
    })
    const failure: SandboxError = await books.add({ id: 1, title: 'Same', '{authorId}': 1 }).then(
      () => expect.unreachable(),
      (error) => error,
    )
    expect(failure.code).toBe('DUPLICATE_KEY')
    expect(await books.size()).toBe(3)
  })
})

it('gets a key that no record below another owner has, since others may have the key alone', async () => {
  const sketch = {
    'POST /shops': { body: object({ name: text }), 201: named('Shop') },
    'GET /shops/{shopId}': { 200: named('Shop') },
    'POST /shops/{shopId}/units': { body: object({ label: text }), 201: named('Unit') },
    'GET /shops/{shopId}/units/{unitId}': { 200: named('Unit') },
  }
  const schemas = { Shop: object({ 'id!': text, name: text }), Unit: object({ 'id!': text, label: text }) }
  const units = [1, 2].map((id) => ({ id: String(id), '{shopId}': '1' }))
  const sandbox = await openSketch(toDocument(sketch, schemas), {
    scenario: { shops: [{ id: '1' }, { id: '2' }], units },
  })
  for (const id of [3, 4])
    expect(await ask(sandbox, 'POST /shops/2/units {"label":"a"}')).toBe(`201 {"id":"${id}","label":"a"}`)
})

describe('a record with a path of its own', () => {
  it('forgets a removed one that only a path said', async () => {
    const sandbox = await openSketch(shelfWithoutKey)
    const books = sandbox.world().collection('books')
    await ask(sandbox, 'POST /authors {"name":"Ada"}')
    await ask(sandbox, 'POST /authors/1/books {"title":"Emma"}')
    expect(await books.get(1)).toEqual({ id: 1, title: 'Emma', '{authorId}': [1] })
    expect(await ask(sandbox, 'DELETE /authors/1')).toBe('204')
    expect(await books.get(1)).toStrictEqual({ id: 1, title: 'Emma' })
  })

  it('forgets what is removed with another record', async () => {
    const sandbox = await openSketch(tagged)
    await ask(sandbox, 'POST /authors {"name":"Ada"}')
    await ask(sandbox, 'POST /authors/1/books {"title":"Emma"}')
    expect(await ask(sandbox, 'POST /authors/1/books/1/tags {"name":"old"}')).toBe('201 {"id":1,"name":"old"}')
    expect(await ask(sandbox, 'GET /authors/1/books/1/tags')).toBe('200 [{"id":1,"name":"old"}]')
    expect(await ask(sandbox, 'DELETE /authors/1')).toBe('204')
    expect(await ask(sandbox, 'GET /tags')).toBe('200 [{"id":1,"name":"old"}]')
    expect(await sandbox.world().collection('tags').get(1)).toStrictEqual({ id: 1, name: 'old' })
  })
})

describe('with a store that waits', () => {
  const calm: Weather = { before: 1, after: 1 }

  it('two replicas keep the records below one owner, each once', async () => {
    const store = createFakeStore((call) => ({ before: call % 3, after: call % 2 }))
    const replicas = [await openSketch(library, { store }), await openSketch(library, { store })] as const
    await ask(replicas[0], 'POST /authors {"name":"Ada"}')
    await ask(replicas[1], 'POST /authors {"name":"Bo"}')
    const lines = Array.from(
      { length: 20 },
      (_, index) => `POST /authors/${1 + (index % 2)}/books {"title":"B${index}"}`,
    )
    const answers = await Promise.all(lines.map((line, index) => ask(replicas[index % 3 === 0 ? 0 : 1], line)))
    expect(answers.every((answer) => answer.startsWith('201 '))).toBe(true)
    for (const replica of replicas) {
      const [ofAda, ofBo] = [await ask(replica, 'GET /authors/1/books'), await ask(replica, 'GET /authors/2/books')]
      const titles = [ofAda, ofBo].map((answer) => pluck(JSON.parse(answer.slice(4)), 'title').length)
      expect(titles).toEqual([10, 10])
      expect(await replica.world().collection('books').size()).toBe(20)
    }
  })

  it('a removal whose commit fails leaves everything below the record', async () => {
    let isDown = false
    const store = createFakeStore((_, method) => ({
      ...calm,
      fault: isDown && method === 'commit' ? 'fail' : undefined,
    }))
    const sandbox = await openSketch(library, { store, scenario: filled })
    expect(await ask(sandbox, 'PATCH /authors/1/books/1 {"title":"E"}')).toMatch(/^200/)
    isDown = true
    expect(await ask(sandbox, 'DELETE /authors/1')).toMatch(/^503/)
    isDown = false
    expect(await ask(sandbox, 'GET /authors/1/books')).toBe('200 [{"id":1,"title":"E"}]')
    expect(await ask(sandbox, 'GET /authors/1/books/1/pages')).toBe('200 [{"id":1,"text":"p"}]')
    expect(await ask(sandbox, 'DELETE /authors/1')).toBe('204')
    const other = await openSketch(library, { store, scenario: filled })
    expect(await other.world().collection('pages').size()).toBe(0)
    expect(await other.world().collection('books').size()).toBe(1)
  })

  it('a removal and a creation below the same record leave no record without its owner', async () => {
    const store = createFakeStore((call) => ({ before: call % 3, after: call % 2 }))
    const replicas = [
      await openSketch(library, { store, scenario: filled }),
      await openSketch(library, { store, scenario: filled }),
    ] as const
    const [created] = await Promise.all([
      ask(replicas[0], 'POST /authors/1/books {"title":"Late"}'),
      ask(replicas[1], 'DELETE /authors/1'),
    ])
    expect(created).toMatch(/^(201|404) /)
    for (const replica of replicas) {
      expect(await ask(replica, 'GET /authors/1/books')).toMatch(/^404/)
      expect(await replica.world().collection('books').list()).toEqual([filled.books[1]])
    }
  })
})
