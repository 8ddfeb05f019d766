// Generated records that belong to records, and records that they refer to.
import { join } from 'node:path'
import { createSandbox, generateScenario } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import { library, shelfWithKey, shelfWithoutKey, tenants } from '../scripts/nested.js'
import { compileOnce } from '../support/compile-once.js'
import { pluck, readArray } from '../support/read-json.js'
import { ask, standard } from '../support/script.js'
import { writeFolder } from '../support/serving.js'
import { openHttp } from '../support/transports.js'

async function jsonOf(answer: Promise<string>): Promise<unknown> {
  const text = await answer
  expect(text).toMatch(/^20\d /)
  return JSON.parse(text.slice(4))
}

describe('generated records', () => {
  const generate = async (document: string, records = 5, seed = 1) =>
    generateScenario({ compiled: await compileOnce(document), records, seed })

  it('belong to records that exist, at every depth, and every record has some', async () => {
    const { contract } = await compileOnce(library)
    const sandbox = createSandbox({ contract, ...standard, scenario: await generate(library) })
    const authors = pluck(await jsonOf(ask(sandbox, 'GET /authors')), 'id')
    expect(authors).toHaveLength(5)
    for (const author of authors) {
      const books = pluck(await jsonOf(ask(sandbox, `GET /authors/${author}/books`)), 'id')
      expect(books).not.toEqual([])
      for (const book of books) {
        expect(await jsonOf(ask(sandbox, `GET /authors/${author}/books/${book}/pages`))).not.toEqual([])
      }
    }
  })

  it('have foreign keys of records that exist', async () => {
    const { authors = [], books = [] } = await generate(shelfWithKey, 7)
    const keys = new Set(authors.map(({ id }) => id))
    expect(new Set(books.map(({ authorId }) => authorId))).toEqual(keys)
  })

  it('are shared out where only paths have the key of the other record', async () => {
    const { authors = [], books = [] } = await generate(shelfWithoutKey, 7)
    expect(new Set(books.map((book) => book['{authorId}']))).toEqual(new Set(authors.map(({ id }) => id)))
  })

  it('are the same for the same seed, and others for another one', async () => {
    const first = JSON.stringify(await generate(library, 4, 7))
    expect(JSON.stringify(await generate(library, 4, 7))).toBe(first)
    expect(JSON.stringify(await generate(library, 4, 8))).not.toBe(first)
  })

  it('belong to every value of a parameter that no collection has', async () => {
    const { contract } = await compileOnce(tenants)
    const sandbox = createSandbox({ contract, ...standard, scenario: await generate(tenants, 3) })
    const shown = await ask(sandbox, 'GET /tenants/1/books')
    expect(readArray(JSON.parse(shown.slice(4)))).toHaveLength(3)
    expect(await ask(sandbox, 'GET /tenants/2/books')).toBe(shown)
    await ask(sandbox, 'POST /tenants/1/books {"title":"New"}')
    expect(await ask(sandbox, 'GET /tenants/2/books')).toBe(shown)
    const [book] = pluck(JSON.parse(shown.slice(4)), 'id')
    expect(await jsonOf(ask(sandbox, `GET /tenants/1/books/${book}/pages`))).not.toEqual([])
  })

  it('are the same whatever a server is asked for first', async () => {
    const folder = await writeFolder({ 'library.json': library })
    const options = { spec: join(folder, 'library.json'), records: 4, seed: 3, at: 0, now: () => 0 }
    const targets = ['/authors', '/authors/1/books', '/authors/2/books', '/authors/1/books/1/pages']
    const read = async (order: readonly string[]) => {
      const { send, close } = await openHttp(options)
      const answers = new Map<string, string>()
      for (const target of order) {
        const { status, body } = await send({ method: 'GET', target })
        answers.set(target, `${status} ${new TextDecoder().decode(body)}`)
      }
      await close()
      return targets.map((target) => answers.get(target))
    }
    const first = await read(targets)
    expect(first.map((answer) => answer?.slice(0, 5))).toEqual(targets.map(() => '200 ['))
    expect(await read(targets.toReversed())).toEqual(first)
    const { books } = await generate(library, 4, 3)
    const ofFirst = (books ?? []).filter((book) => book['{authorId}'] === 1).toReversed()
    expect(pluck(JSON.parse(first[1]?.slice(4) ?? ''), 'id')).toEqual(pluck(ofFirst, 'id'))
  })
})
