// Operations that change nothing say so, can be corrected, and take every valid part of a record.
import { compileDocument } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import { ask, openSketch } from '../support/script.js'
import { writeFolder } from '../support/serving.js'
import { integer, list, named, object, oneOfTexts, type Sketch, text, toDocument } from '../support/sketch.js'
import { runWarm } from '../support/warm.js'

const operations: Record<string, Sketch> = {
  'GET /books': { 200: list(named('Book')) },
  'POST /books': { body: object({ 'title!': text }), 201: named('Book') },
  'GET /books/{bookId}': { 200: named('Book') },
  'PATCH /books/{bookId}': { body: object({ title: text, address: object({ city: text }) }), 200: named('Book') },
  'POST /books/{bookId}/publish': { 202: null },
  'POST /books/{bookId}/frobnicate': { 200: named('Book') },
  'POST /books/{bookId}/mark': { body: object({ title: text }), 200: named('Book') },
  'POST /books/{bookId}/estimate': { 200: object({ 'price!': integer }) },
  'GET /books/{bookId}/chart': { 200: object({ 'price!': integer }) },
  'POST /books/{bookId}/comments': { body: object({ 'text!': text }), 201: named('Comment') },
  'POST /books/{bookId}/loans': { body: object({ 'text!': text }), 204: null },
  'PATCH /books/{bookId}/visibility': { body: object({ level: integer }), 200: object({ 'ok!': oneOfTexts('yes') }) },
  'POST /books/bulk': { body: list(object({ 'title!': text })), 200: list(named('Book')) },
  'POST /reindex': { 202: null },
  'GET /settings': { 200: object({ 'color!': text }) },
  'PATCH /settings': { body: object({ color: text }), 200: object({ 'color!': text }) },
}
const schemas = {
  Comment: object({ 'id!': integer, 'text!': text }),
  Book: object({
    'id!': integer,
    'title!': text,
    status: oneOfTexts('draft', 'published'),
    address: object({ city: text, 'country!': text }),
  }),
}
const document = toDocument(operations, schemas)

/** The document, in which an operation has an effect of its own. */
function corrected(name: string, effect: unknown): string {
  const parsed = JSON.parse(document)
  const [method = '', path = ''] = name.split(' ')
  parsed.paths[path][method.toLowerCase()]['x-sandbox-effect'] = effect
  return JSON.stringify(parsed)
}

describe('the reason in explain', () => {
  const rows: [operation: string, isUnchanging: boolean][] = [
    ['POST /books/{bookId}/frobnicate', true],
    ['POST /books/{bookId}/estimate', true],
    ['PATCH /books/{bookId}/visibility', true],
    ['POST /reindex', true],
    ['POST /books', false],
    ['PATCH /books/{bookId}', false],
    ['POST /books/{bookId}/publish', false],
    ['POST /books/{bookId}/mark', false],
    ['POST /books/bulk', false],
    ['GET /books', false],
  ]

  it.each(rows)('of %s says whether it changes nothing: %s', async (operation, isUnchanging) => {
    const folder = await writeFolder({ 'books.json': document })
    const { stdout } = await runWarm(['explain', '--spec', 'books.json', '--json'], { cwd: folder })
    const explained: { method: string; path: string; reason: string }[] = JSON.parse(stdout).operations
    const found = explained.find(({ method, path }) => `${method} ${path}` === operation)
    expect(/; (it changes nothing|nothing says which values it changes)$/.test(found?.reason ?? '')).toBe(isUnchanging)
  })
})

describe('a correction that makes an operation change a record', () => {
  const publish = 'POST /books/{bookId}/publish'
  const estimate = 'POST /books/{bookId}/estimate'
  const rows: [operation: string, effect: unknown, isNoted: boolean][] = [
    [estimate, 'action', true],
    [estimate, { effect: 'action', collection: '/books' }, true],
    ['POST /reindex', { effect: 'action', collection: '/settings' }, true],
    [estimate, { effect: 'action', changes: { status: 'published' } }, false],
    [estimate, { effect: 'action', changes: {} }, false],
    [estimate, { effect: 'action', changes: { title: '$request.header.x' } }, false],
    [estimate, 'example', false],
    [publish, 'action', false],
    ['POST /books/{bookId}/frobnicate', 'action', false],
  ]

  it.each(rows)('%s: %j has a note if it does not say how: %s', async (operation, effect, isNoted) => {
    const compiled = await compileDocument(corrected(operation, effect), 'a.json', { strict: true })
    const note = `x-sandbox-effect: the action of ${operation} changes nothing`
    const found = { message: note, instead: 'say in "changes" what it changes' }
    expect(compiled.notes()).toEqual(isNoted ? [expect.objectContaining(found)] : [])
  })
})

describe('the note of the exchange', () => {
  const rows: [line: string, isNoted: boolean][] = [
    ['POST /books/1/frobnicate', true],
    ['POST /books/1/estimate', true],
    ['POST /reindex', true],
    ['PATCH /books/1 {"title":"Emma"}', true],
    ['PATCH /books/1 {}', true],
    ['POST /books/1/mark {"title":"Emma"}', true],
    ['PATCH /books/1/visibility {"level":2}', true],
    ['POST /books/bulk []', true],
    ['PATCH /books/1 {"title":"Persuasion"}', false],
    ['POST /books/1/publish', false],
    ['POST /books/1/mark {"title":"Persuasion"}', false],
    ['POST /books/bulk [{"title":"Persuasion"}]', false],
    ['POST /books {"title":"Emma"}', false],
    ['GET /books', false],
  ]

  it.each(rows)('of %s says whether it changed nothing: %s', async (line, isNoted) => {
    const sandbox = await openSketch(document)
    await ask(sandbox, 'POST /books {"title":"Emma"}')
    await ask(sandbox, line)
    const notes = sandbox.journal.list().at(-1)?.notes ?? []
    expect(notes.filter((note) => note === 'the request changed nothing').length).toBe(isNoted ? 1 : 0)
  })
})

describe('x-sandbox-effect is accepted, whatever the response is', () => {
  const rows: [operation: string, effect: unknown][] = [
    ...['action', 'update', 'replace', 'remove'].flatMap((effect): [string, unknown][] => [
      ['POST /books/{bookId}/comments', effect],
      ['POST /books/{bookId}/loans', effect],
      ['POST /books/{bookId}/publish', effect],
    ]),
    ['POST /reindex', { effect: 'action', collection: '/settings' }],
    ['POST /books/{bookId}/publish', { effect: 'create', collection: '/books/{bookId}/comments' }],
  ]

  it.each(rows)('%s: %j', async (operation, effect) => {
    const { contract } = await compileDocument(corrected(operation, effect))
    const [method, path] = operation.split(' ')
    const found = contract.operations.find((each) => each.method === method && each.path === path)
    expect(found?.effect.kind).toBe(typeof effect === 'string' ? effect : Object(effect).effect)
  })

  it('and changes the record that the path is below', async () => {
    const sandbox = await openSketch(corrected('POST /books/{bookId}/loans', 'remove'))
    await ask(sandbox, 'POST /books {"title":"Emma"}')
    const answers = []
    for (const line of ['POST /books/1/loans {"text":"x"}', 'GET /books/1'])
      answers.push((await ask(sandbox, line)).slice(0, 3))
    expect(answers).toEqual(['204', '404'])
  })

  it('and changes it also if the answer shows nothing of it', async () => {
    const effect = { effect: 'action', changes: { status: 'published' } }
    const sandbox = await openSketch(corrected('GET /books/{bookId}/chart', effect))
    await ask(sandbox, 'POST /books {"title":"Emma","status":"draft"}')
    await ask(sandbox, 'GET /books/1/chart')
    expect(await ask(sandbox, 'GET /books/1')).toContain('"status":"published"')
  })
})

describe('a part of a record', () => {
  const merge = 'application/merge-patch+json'
  const patchable = (type: string) => {
    const parsed = JSON.parse(document)
    const { patch } = parsed.paths['/books/{bookId}']
    const [content] = Object.values(patch.requestBody.content)
    patch.requestBody.content = { [type]: type === merge ? { schema: {} } : content }
    return JSON.stringify(parsed)
  }
  const send = async (type: string, body: unknown, address?: object) => {
    const scenario = { books: [{ id: 1, title: 'Emma', ...(address && { address }) }] }
    const { fetch } = await openSketch(patchable(type), { scenario })
    const init = { method: 'PATCH', headers: { 'Content-Type': type }, body: JSON.stringify(body) }
    const response = await fetch('https://api.example/books/1', init)
    return { status: response.status, text: await response.text() }
  }

  it.each(['application/json', merge])('as %s may lack what an object in the record requires', async (type) => {
    const { status, text: answer } = await send(type, { address: { city: 'Bath' } })
    expect([status, JSON.parse(answer).address]).toEqual([200, { city: 'Bath', country: expect.any(String) }])
  })

  it('as a merge patch keeps what the object has', async () => {
    const { text: answer } = await send(merge, { address: { city: 'Bath' } }, { city: 'Lyme', country: 'UK' })
    expect(JSON.parse(answer).address).toEqual({ city: 'Bath', country: 'UK' })
  })

  it('as a merge patch cannot remove what the object requires', async () => {
    const refused = await send(merge, { address: { country: null } }, { city: 'Lyme', country: 'UK' })
    expect(refused).toEqual({ status: 400, text: expect.stringContaining('address.country is required') })
  })
})
