/** Generated records have what every answer shows of them, and what filters of their lists find. */
import { compileDocument, createSandbox, generateScenario, type Values } from 'petstore-sandbox'
import { expect, it } from 'vitest'
import { flag, integer, list, named, object, oneOfTexts, type Schema, text, toDocument } from '../support/sketch.js'

async function generate(document: string, records = 12): Promise<Record<string, readonly Values[]>> {
  const compiled = await compileDocument(document)
  return generateScenario({ compiled, records })
}

/** The records of a list as it answers them. */
async function listed(document: string, path: string, records = 12): Promise<Values[]> {
  const compiled = await compileDocument(document)
  const sandbox = createSandbox({
    contract: compiled.contract,
    scenario: await generateScenario({ compiled, records }),
  })
  const answer: unknown = await (await sandbox.fetch(`https://api.example${path}`)).json()
  return (Array.isArray(answer) ? answer : (answer as { items: Values[] }).items) as Values[]
}

it('have what only their list shows', async () => {
  const document = toDocument({
    'GET /elections': { 200: list(object({ id: integer, 'city!': text, turnout: integer })) },
    'GET /elections/{id}': { 200: object({ 'id!': integer, 'office!': text }) },
  })
  const { elections = [] } = await generate(document)
  for (const election of elections) expect(Object.keys(election)).toEqual(expect.arrayContaining(['office', 'city']))
  expect((await listed(document, '/elections')).every(({ city }) => typeof city === 'string')).toBe(true)
})

it('have values that a filter of their list allows, where the schema allows any text', async () => {
  const { parts = [] } = await generate(
    withParameter(
      toDocument({
        'GET /parts': { 200: list(object({ 'id!': integer, 'size!': text, 'color!': oneOfTexts('red', 'blue') })) },
        'GET /parts/{id}': { 200: object({ 'id!': integer, 'size!': text, 'color!': oneOfTexts('red', 'blue') }) },
      }),
      [
        { name: 'size', in: 'query', schema: oneOfTexts('small', 'large', 'all') },
        { name: 'color', in: 'query', schema: oneOfTexts('green', 'red') },
      ],
    ),
  )
  expect(new Set(parts.map(({ size }) => size))).toEqual(new Set(['small', 'large']))
  expect(new Set(parts.map(({ color }) => color))).toEqual(new Set(['red', 'blue']))
})

function withParameter(document: string, parameters: unknown[]): string {
  const parsed = JSON.parse(document)
  parsed.paths['/parts'].get.parameters = parameters
  return JSON.stringify(parsed)
}

it('are known by their own id if only a list shows them', async () => {
  const voice = (id: Schema) => object({ 'VoiceId!': id, 'Name!': text })
  const compiled = await compileDocument(
    toDocument(
      {
        'GET /voices': { 200: list(voice(oneOfTexts('amy', 'brian', 'emma'))) },
        'GET /tasks': { 200: list(named('Task')) },
        'GET /tasks/{taskKey}': { 200: named('Task') },
      },
      { Task: object({ 'taskKey!': text, 'voiceId!': oneOfTexts('amy', 'brian', 'emma', 'zoe') }) },
    ),
  )
  expect(compiled.contract.collections.find(({ name }) => name === 'voices')?.key).toBe('VoiceId')
  const { voices = [], tasks = [] } = await generateScenario({ compiled, records: 3 })
  const keys = voices.map(({ VoiceId }) => VoiceId)
  expect(new Set(keys).size).toBe(keys.length)
  for (const { voiceId } of tasks) expect(keys).toContain(voiceId)
})

it('have what examples with only ids leave out', async () => {
  const book = object({ id: text, userId: text, title: text, pages: integer })
  const document = JSON.parse(toDocument({ 'GET /books': { 200: list(book) }, 'GET /books/{bookKey}': { 200: book } }))
  const content = document.paths['/books'].get.responses['200'].content['application/json']
  content.example = [{ id: 'a-1', userId: 'u-1' }]
  const [first] = await listed(JSON.stringify(document), '/books')
  expect(first).toMatchObject({ id: 'a-1', userId: 'u-1', title: expect.any(String) })
})

it('take no example that has nothing of their schema', async () => {
  const document = JSON.parse(toDocument({ 'GET /books': { 200: list(object({ id: integer, title: text })) } }))
  const content = document.paths['/books'].get.responses['200'].content['application/json']
  content.example = [{ request: { url: '/x' } }]
  const books = await listed(JSON.stringify(document), '/books')
  expect(books.every(({ title }) => typeof title === 'string')).toBe(true)
})

it('are those of the page that a schema refines', async () => {
  const page = {
    type: 'object',
    properties: { total: integer, items: { type: 'array', items: { type: 'object', properties: {} } } },
  }
  const books = {
    allOf: [named('Page'), { type: 'object', properties: { items: { type: 'array', items: named('Book') } } }],
  }
  const document = toDocument(
    { 'GET /books': { query: ['title'], 200: books }, 'GET /books/{bookId}': { 200: named('Book') } },
    { Page: page, Book: object({ 'id!': integer, 'title!': text, isNew: flag }) },
  )
  const all = await listed(document, '/books')
  expect(all.every(({ title }) => typeof title === 'string')).toBe(true)
  const title = String(all[0]?.['title'])
  const found = await listed(document, `/books?title=${encodeURIComponent(title)}`)
  expect(found.length).toBeLessThan(all.length)
  expect(found.map((book) => book['title'])).toContain(title)
})
