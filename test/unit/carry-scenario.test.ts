/** The starting data for the next version of a document. */
import { compileDocument, createSandbox, type Scenario } from 'petstore-sandbox'
import { expect, it } from 'vitest'
import { carryScenario } from '../../src/entries/carry-scenario.js'

/** Books are on shelves, and their paths come first. */
const present = `
openapi: 3.1.0
info: { title: Shelf, version: 1.0.0 }
components:
  schemas:
    Shelf: { type: object, required: [id], properties: { id: { type: integer }, name: { type: string } } }
    Book: { type: object, required: [id, shelfId, title], properties: { id: { type: integer }, shelfId: { type: integer }, title: { type: string } } }
paths:
  /shelves/{shelfId}/books:
    parameters: [{ name: shelfId, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: a, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Book' } } } } } } }
  /shelves/{shelfId}/books/{id}:
    parameters:
      - { name: shelfId, in: path, required: true, schema: { type: integer } }
      - { name: id, in: path, required: true, schema: { type: integer } }
    get: { responses: { '200': { description: a, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } } } }
  /shelves:
    get: { responses: { '200': { description: a, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Shelf' } } } } } } }
  /shelves/{shelfId}:
    parameters: [{ name: shelfId, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: a, content: { application/json: { schema: { $ref: '#/components/schemas/Shelf' } } } } } }
`
const scenario = {
  shelves: [
    { id: 3, name: 'Prose' },
    { id: 4, name: 'Verse' },
  ],
  books: [
    { id: 1, shelfId: 3, title: 'Emma' },
    { id: 2, shelfId: 4, title: 'Poems' },
  ],
}

async function carry(next: string, own: Scenario = {}): Promise<Scenario> {
  const { contract } = await compileDocument(present)
  const other = await compileDocument(next)
  return carryScenario(createSandbox({ contract, scenario }), other.contract, own)
}

it('is the present data if nothing has changed, oldest first', async () => {
  expect(await carry(present)).toEqual(scenario)
})

it('leaves out what does not fit, and what belonged to it', async () => {
  const next = present.replace('name: { type: string }', "name: { type: string, pattern: '^P' }")
  expect(await carry(next)).toEqual({ shelves: [scenario.shelves[0]], books: [scenario.books[0]] })
})

it('has the next record with the same key where one does not fit', async () => {
  const next = present
    .replace('required: [id, shelfId, title]', 'required: [id, shelfId, title, pages]')
    .replace('title: {', 'pages: { type: integer }, title: {')
  const own = {
    books: [
      { id: 2, shelfId: 4, title: 'Made', pages: 9 },
      { id: 7, shelfId: 3, title: 'Other', pages: 9 },
    ],
  }
  expect(await carry(next, own)).toEqual({ ...scenario, books: [own.books[0]] })
})

it('has the next records of a collection that is new', async () => {
  const next = present.replaceAll('/books', '/volumes')
  const own = { volumes: [{ id: 7, shelfId: 3, title: 'Other' }] }
  expect(await carry(next, own)).toEqual({ shelves: scenario.shelves, ...own })
})
