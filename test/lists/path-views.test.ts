// Lists beside that of all records: those with a value that the path has, and those in a state that the path or the text names.
import { describe, expect, it } from 'vitest'
import { ask, openSketch } from '../support/script.js'
import { flag, integer, list, named, object, oneOfTexts, text, toDocument } from '../support/sketch.js'

const sent = object({
  ...{ book_id: integer, reader: object({ 'id!': integer, name: text }) },
  ...{ status: oneOfTexts('open', 'returned'), is_active: flag },
})
const loan = object({ 'id!': integer, ...(sent['properties'] as Record<string, typeof text>) })
const loans = { 200: list(named('Loan')) }
const views: [path: string, ids: number[], summary?: string][] = [
  ['/loans/book/7', [1, 3]],
  ['/loans/by-book/8', [2]],
  ['/loans/reader/5', [1, 2]],
  ['/loans/reader/5/open', [1]],
  ['/loans/open', [1, 3]],
  ['/loans/active', [1, 2]],
  ['/loans/public', [2], 'Lists the returned loans'],
  ['/loans/shown', [1, 2, 3], 'Lists open and returned loans'],
]

describe('lists the loans of', () => {
  it.each(views)('%s: %j', async (path, ids, summary) => {
    const template = path.replace(/\/(book|by-book|reader)\/\d+/, '/$1/{$1_id}').replace('{by-book_id}', '{book_id}')
    const operations = {
      ...{ 'GET /loans': loans, 'POST /loans': { body: sent, 201: named('Loan') } },
      ...{ 'GET /loans/{id}': { 200: named('Loan') }, [`GET ${template}`]: loans },
    }
    const document = JSON.parse(toDocument(operations, { Loan: loan }))
    if (summary) document.paths[template].get.summary = summary
    const sandbox = await openSketch(JSON.stringify(document))
    for (const [book, reader, status, active] of [
      [7, 5, 'open', true],
      [8, 5, 'returned', true],
      [7, 6, 'open', false],
    ])
      await ask(
        sandbox,
        `POST /loans ${JSON.stringify({ book_id: book, reader: { id: reader }, status, is_active: active })}`,
      )
    const answer = await ask(sandbox, `GET ${path}`)
    const shown = JSON.parse(answer.slice(answer.indexOf('[')))
    expect(shown.map(({ id }: { id: number }) => id).sort()).toEqual(ids)
  })
})
