/** Serves another document, in every supported format. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Sandbox } from 'petstore-sandbox'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import {
  type Answer,
  books,
  type Call,
  call,
  firstId,
  ids,
  later,
  mergePatch,
  openBooks,
  start,
} from '../support/books.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A session of a user from start to end, including errors. */
async function liveThrough(sandbox: Sandbox): Promise<Answer[]> {
  const answers: Answer[] = []
  const next = async (request: string, what?: Call) => answers.push(await call(sandbox, request, what))
  await next('POST /books', { body: { title: 'Emma', pages: 474, genre: 'novel', price: 7.5, subtitle: null } })
  await next('POST /books', { body: { title: 'Faust', pages: 158, publisher: { name: 'C', city: 'T' } } })
  await next('POST /books', { body: { title: 'Optics', pages: 413, genre: 'science', labels: { a: 'b' } } })
  await next('POST /books', { body: { title: '', pages: 0, price: 0, subtitle: 5, language: 'EN' } })
  await next('POST /books', { body: { title: 'x', pages: 1, price: 0.01 } })
  await next('GET /books')
  await next('GET /books?genre=novel')
  await next('GET /books?limit=50')
  await next('GET /books?limit=51')
  await next('GET /books?pages=158')
  await next(`GET /books/${firstId}`)
  await next('GET /books/1')
  await sandbox.clock.advance(1000)
  await next(`PUT /books/${firstId}`, { body: { title: 'Persuasion', pages: 249 } })
  await next(`PATCH /books/${firstId}`, { body: { genre: 'novel', subtitle: 'A' }, type: mergePatch })
  await next(`PATCH /books/${firstId}`, { body: { subtitle: null, price: 0 }, type: mergePatch })
  await next(`PATCH /books/${firstId}`, { body: { subtitle: null }, type: mergePatch })
  await next(`DELETE /books/${firstId}`)
  await next(`GET /books/${firstId}`)
  await next('GET /opening-hours')
  return answers
}

/** Rewrites 3.1 syntax as OpenAPI 3.0. */
const in30: [of31: string, of30: string][] = [
  ['openapi: 3.1.0', 'openapi: 3.0.3'],
  ['exclusiveMinimum: 0\n', 'minimum: 0\n          exclusiveMinimum: true\n'],
  ['type: [string, "null"]\n', 'type: string\n          nullable: true\n'],
]

function toVersion30(text: string): string {
  // Added lines have the indentation of the lines that they replace.
  return in30.reduce((written, [of31, of30]) => {
    expect(written).toContain(of31)
    return written.replace(
      new RegExp(`^( *)(.*)${of31.replace(/[[\]]/g, '\\$&')}`, 'gm'),
      (_, space, before) => `${space}${before}${of30.replace(/\n +/, `\n${space}`)}`,
    )
  }, text)
}

it('serves a second document: a whole session', async () => {
  const answers = await liveThrough(await openBooks())
  const emma = `{"id":"${firstId}","title":"Emma","pages":474,"genre":"novel","price":7.5,"subtitle":null,"language":"en","slug":"a-book","createdAt":"${start}","updatedAt":"${start}"}`
  const second = ids[1]
  const faust = `{"id":"${second}","title":"Faust","pages":158,"language":"en","slug":"a-book","publisher":{"name":"C","city":"T"},"createdAt":"${start}","updatedAt":"${start}"}`
  const third = ids[2]
  const optics = `{"id":"${third}","title":"Optics","pages":413,"genre":"science","language":"en","slug":"a-book","labels":{"a":"b"},"createdAt":"${start}","updatedAt":"${start}"}`
  const fourth = `{"id":"${ids[3]}","title":"x","pages":1,"price":0.01,"language":"en","slug":"a-book","createdAt":"${start}","updatedAt":"${start}"}`
  const replaced = `{"id":"${firstId}","title":"Persuasion","pages":249,"language":"en","slug":"a-book","createdAt":"${start}","updatedAt":"${later}"}`
  const updated = `{"id":"${firstId}","title":"Persuasion","pages":249,"genre":"novel","subtitle":"A","language":"en","slug":"a-book","createdAt":"${start}","updatedAt":"${later}"}`
  const patched = updated.replace('"subtitle":"A",', '')
  expect(answers.map(({ status }) => status)).toEqual([
    201, 201, 201, 422, 201, 200, 200, 200, 422, 200, 200, 404, 200, 200, 400, 200, 204, 404, 200,
  ])
  const texts = answers.map(({ text }) => text)
  expect(texts.slice(0, 3)).toEqual([emma, faust, optics])
  expect(texts[5]).toBe(`{"items":[${fourth},${optics}],"total":4,"hasMore":true}`)
  expect(texts[6]).toBe(`{"items":[${emma}],"total":1,"hasMore":false}`)
  expect(texts[7]).toBe(`{"items":[${fourth},${optics},${faust},${emma}],"total":4,"hasMore":false}`)
  expect(texts[9]).toBe(`{"items":[${faust}],"total":1,"hasMore":false}`)
  expect(texts[10]).toBe(emma)
  expect(texts.slice(12, 14)).toEqual([replaced, updated])
  expect(texts.slice(15, 17)).toEqual([patched, ''])
  expect(texts[18]).toBe('{"from":"09:00","to":"17:30"}')
})

it.each([
  ['as JSON', () => JSON.stringify(parse(books))],
  ['as JSON with line breaks', () => JSON.stringify(parse(books), null, 2)],
  ['as OpenAPI 3.0', () => toVersion30(books)],
  ['as OpenAPI 3.0 in JSON', () => JSON.stringify(parse(toVersion30(books)))],
  ['with line ends of Windows', () => books.replaceAll('\n', '\r\n')],
])('serves the same written %s', async (_, write) => {
  const answers = await liveThrough(await openBooks(write()))
  expect(answers).toEqual(await liveThrough(await openBooks()))
})

it('never mentions pets in the committed source', () => {
  const files = execFileSync('git', ['ls-files', '-z', 'src'], { cwd: root, encoding: 'utf8' }).split('\0')
  const mentions = files.filter(Boolean).flatMap((file) =>
    readFileSync(`${root}/${file}`, 'utf8')
      .split('\n')
      .filter((line) =>
        /(?<![a-z])pets?(?![a-z])|[a-z]Pets?(?![a-z])|(?<![a-z])petstore|petId/i.test(withoutOwnName(line)),
      )
      .map((line) => `${file}: ${line.trim()}`),
  )
  expect(files.length).toBeGreaterThan(10)
  expect(mentions).toEqual([])
})

/** The name of the package, and names derived from it. */
function withoutOwnName(line: string): string {
  return line.replace(/petstore[-_]sandbox/gi, '')
}
