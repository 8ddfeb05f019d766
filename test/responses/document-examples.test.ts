/** The examples of a document are among its data, and everything else is made around them. */
import { compileDocument, createSandbox, generateScenario } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import { documentOf, type Part } from '../support/one-operation.js'

const text = { type: 'string' }
const book = {
  type: 'object',
  required: ['id', 'title'],
  properties: { id: { type: 'integer' }, title: { type: 'string', maxLength: 20 }, genre: text },
}
const json = (schema: Part, others: Part = {}): Part => ({ content: { 'application/json': { schema, ...others } } })
const ok = (schema: Part, others: Part = {}): Part => ({ 200: { description: 'ok', ...json(schema, others) } })
const id = (others: Part = {}): Part => ({
  name: 'id',
  in: 'path',
  required: true,
  schema: { type: 'integer' },
  ...others,
})

interface Parts {
  list?: Part
  read?: Part
  create?: Part
  key?: Part
  schema?: Part
}

/** Books, with the examples of a case. */
function library({ list: ofList = {}, read = {}, create = {}, key = {}, schema = {} }: Parts): string {
  const own = { ...book, ...schema }
  return documentOf({
    '/books': {
      get: { responses: ok({ type: 'array', items: own }, ofList) },
      post: {
        requestBody: json({ type: 'object', properties: { title: text, genre: text } }, create),
        responses: ok(own),
      },
    },
    '/books/{id}': { parameters: [id(key)], get: { responses: ok(own, read) } },
  })
}

const emma = { id: 7, title: 'Emma', genre: 'novel' }
const faust = { id: 9, title: 'Faust' }

const cases: [name: string, parts: Parts, first: Part[]][] = [
  ['of a list', { list: { example: [emma, faust] } }, [emma, faust]],
  [
    'of a list, by name',
    { list: { examples: { two: { value: [emma, faust] }, one: { value: [emma] } } } },
    [emma, faust],
  ],
  ['of a record', { read: { example: emma } }, [emma]],
  [
    'of a record that another example completes',
    { list: { example: [{ id: 7, title: 'Emma' }] }, read: { example: emma } },
    [emma],
  ],
  ['of the schema of a record', { schema: { example: faust } }, [faust]],
  ['of the schema, several', { schema: { examples: [emma, faust] } }, [emma, faust]],
  ['as JSON in a text', { list: { example: JSON.stringify([emma]) } }, [emma]],
  [
    'of a creation, with a key of its own',
    { create: { example: { title: 'Emma', genre: 'novel' } } },
    [{ ...emma, id: 5 }],
  ],
  [
    'whose text is too long, with another one',
    { list: { example: [{ ...emma, title: 'x'.repeat(21) }] } },
    [{ id: 7, genre: 'novel' }],
  ],
]

async function listed(document: string, records = 5): Promise<Part[]> {
  const compiled = await compileDocument(document)
  const sandbox = createSandbox({
    contract: compiled.contract,
    scenario: await generateScenario({ compiled, records }),
  })
  return (await sandbox.fetch('http://localhost/books')).json() as Promise<Part[]>
}

const byKey = (one: Part, other: Part) => Number(one['id']) - Number(other['id'])

describe('an example', () => {
  it.each(cases)('%s is among the first records', async (_, parts, first) => {
    const books = await listed(library(parts))
    expect(books).toHaveLength(5)
    expect(books.slice(0, first.length).sort(byKey)).toMatchObject(first)
    expect(new Set(books.map((each) => each['id'])).size).toBe(5)
  })

  it('leaves room for no more records than there are', async () => {
    expect(await listed(library({ list: { example: [emma, faust] } }), 1)).toEqual([emma])
    expect(await listed(library({ list: { example: [emma, faust] } }), 0)).toEqual([])
  })

  it.each([
    ['example', { example: 42 }],
    ['examples', { examples: { a: { value: 42 } } }],
    ['default', { schema: { type: 'integer', default: 42 } }],
  ])('of a path parameter is a key: its %s', async (_, key) => {
    const books = await listed(library({ key }))
    expect(books.map((each) => each['id'])).toContain(42)
  })

  it('of a property takes the place of texts that fit anything', async () => {
    const properties = {
      ...book.properties,
      genre: { ...text, example: 'novel' },
      headline: { ...text, example: 'Emma' },
      title: { ...text, example: 'Emma' },
    }
    const books = await listed(library({ schema: { properties, required: ['headline'] } }))
    expect(books.map((each) => each['genre'] ?? 'novel')).toEqual(Array.from({ length: 5 }, () => 'novel'))
    // That of the document comes first, and names of other things of its kind follow.
    for (const name of ['headline', 'title']) {
      const texts = books.flatMap((each) => (each[name] === undefined ? [] : String(each[name])))
      expect(texts.filter((each) => each === 'Emma')).toHaveLength(1)
      expect(texts.filter((each) => /\D\d/.test(each))).toEqual([])
    }
  })

  it('of a record is repeated with another key, name and times, wherever these are in it, and nothing else', async () => {
    const shown = {
      id: 701,
      title: 'The Quiet Garden',
      slug: 'the-quiet-garden',
      url: 'https://books.example.com/701/the-quiet-garden',
      created: '2025-03-04T10:00:00Z',
      updated: '2025-03-09T11:30:00Z',
      price: 12.5,
      shelf: { city: 'Highbury', country: 'GB', latitude: 51.55 },
      tags: ['novel', 'classic'],
    }
    const properties = {
      ...book.properties,
      ...{
        slug: text,
        url: text,
        created: { ...text, format: 'date-time' },
        updated: { ...text, format: 'date-time' },
      },
      ...{ price: { type: 'number' }, shelf: { type: 'object' }, tags: { type: 'array', items: text } },
    }
    const [first, ...others] = await listed(library({ schema: { properties }, read: { example: shown } }))
    expect(first).toEqual(shown)
    expect(new Set(others.map(({ title }) => title)).size).toBe(4)
    for (const each of others) {
      const { id: key, title, created } = each
      const slug = String(title).toLowerCase().replaceAll(/['.]/g, '').replaceAll(' ', '-')
      const after = Date.parse(String(created)) + Date.parse(shown.updated) - Date.parse(shown.created)
      expect({ ...each, updated: Date.parse(String(each['updated'])) }).toEqual({
        ...shown,
        ...{ id: key, title, slug, created, updated: after, url: `https://books.example.com/${key}/${slug}` },
      })
      expect(created).not.toBe(shown.created)
    }
  })

  it('of a record gives another name, and other texts where these have only a part of the former one', async () => {
    const shown = { id: 7, title: 'The Quiet Garden', seller: 'Gardens of Kew', contact_email: 'emma@kew.example' }
    const properties = { ...book.properties, seller: { ...text, minLength: 1 }, contact_email: text }
    const books = await listed(library({ schema: { properties }, read: { example: shown } }))
    expect(new Set(books.map(({ title }) => title)).size).toBe(5)
    expect(new Set(books.map((each) => each['contact_email'])).size).toBe(5)
    expect(books.filter(({ seller }) => /garden/i.test(String(seller)))).toEqual([shown])
  })

  it('of a record keeps what differs in no other record, and paths, and has another title', async () => {
    const shown = { id: 7, title: 'The Quiet Garden', label: 'classic', name: 'Books/shelves/read' }
    const properties = { ...book.properties, label: { ...text, enum: ['classic'] }, name: text }
    const books = await listed(library({ schema: { properties }, read: { example: shown } }))
    expect(new Set(books.map(({ title }) => title)).size).toBe(5)
    for (const each of books) expect(each).toMatchObject({ label: shown.label, name: shown.name })
  })

  it('of a record differs in its further keys, and has no text that only names its type', async () => {
    const shown = { id: 7, title: 'Emma', uid: 'f3a9c2d17b64', genre: 'string', place: 'https://emma.example.com/emma' }
    const properties = { ...book.properties, uid: text, place: text }
    const books = await listed(library({ schema: { properties }, read: { example: shown } }))
    expect(new Set(books.map(({ uid }) => uid)).size).toBe(5)
    expect(books.map(({ genre }) => genre)).not.toContain('string')
    for (const { place } of books)
      expect(String(place ?? shown.place)).toMatch(/^https:\/\/emma\.example\.com\/[a-z-]+$/)
  })

  it('of a nested object or a list is one value, and so are those of most properties of an object', async () => {
    const shown = (example: unknown) => ({ ...text, example })
    const properties = {
      ...book.properties,
      shelf: {
        type: 'object',
        properties: { city: shown('Highbury'), country: shown('GB'), row: { type: 'integer' } },
      },
      author: {
        type: 'object',
        properties: { name: text, city: text },
        example: { name: 'Jane Austen', city: 'Bath' },
      },
      tags: { type: 'array', items: text, example: ['novel', 'garden'] },
    }
    const books = await listed(library({ schema: { properties, required: ['shelf', 'author', 'tags'] } }))
    expect(books).toHaveLength(5)
    for (const each of books) {
      expect(each).toMatchObject({ shelf: { city: 'Highbury', country: 'GB' }, tags: ['novel', 'garden'] })
      expect(each['author']).toEqual({ name: 'Jane Austen', city: 'Bath' })
    }
  })
})
