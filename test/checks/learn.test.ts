/** `learn`: what recordings of a service teach. The service is a sandbox of the same document, of which an overlay says what it does. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSandbox } from 'petstore-sandbox'
import { compileFile } from 'petstore-sandbox/node'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { run } from '../support/launch.js'
import { integer, list, named, object, text, time, toDocument } from '../support/sketch.js'

const books = toDocument(
  {
    'GET /shelves/{shelf}/books': { 200: list(named('Book')) },
    'POST /shelves/{shelf}/books': {
      body: object({ 'title!': text, email: text }),
      201: named('Book'),
      409: named('Problem'),
    },
    'GET /shelves/{shelf}/books/{bookId}': { 200: named('Book'), 404: named('Problem') },
    'PATCH /shelves/{shelf}/books/{bookId}': {
      body: object({ title: text }),
      200: named('Book'),
      404: named('Problem'),
    },
    'DELETE /shelves/{shelf}/books/{bookId}': { 204: null, 404: named('Problem') },
    'POST /shelves/{shelf}/books/{bookId}/lend': { 200: named('Book') },
    'GET /about': { id: 'about', 200: object({ 'version!': text }) },
  },
  {
    Book: object({ 'id!': integer, 'title!': text, email: text, kind: text, home: text, state: text, lentAt: time }),
    Problem: object({ 'code!': text, 'message!': text, trace: text }),
  },
)

type Request = [method: string, path: string, body?: object]

/** Creates, reads, changes, refuses and removes, twice. */
const usual: Request[] = ['11', '12'].flatMap((shelf): Request[] => [
  ['POST', `/shelves/${shelf}/books`, { title: `Tides of ${shelf}` }],
  ['POST', `/shelves/${shelf}/books`, { title: `Winds of ${shelf}` }],
  ['POST', `/shelves/${shelf}/books`, { title: `Tides of ${shelf}` }],
  ['POST', `/shelves/${shelf}/books`, {}],
  ['POST', `/shelves/${shelf}/books`, { title: 5 }],
  ['GET', `/shelves/${shelf}/books`],
  ['GET', `/shelves/${shelf}/books/{first}`],
  ['PATCH', `/shelves/${shelf}/books/{first}`, { title: 'Tides' }],
  ['POST', `/shelves/${shelf}/books/{first}/lend`],
  ['GET', `/shelves/${shelf}/books/{first}`],
  ['GET', `/shelves/${shelf}/books/77`],
  ['PATCH', `/shelves/${shelf}/books/78`, { title: 'Tides' }],
  ['DELETE', `/shelves/${shelf}/books/{second}`],
  ['GET', `/shelves/${shelf}/books`],
  ['GET', '/about'],
])

const onBooks = "$.paths['/shelves/{shelf}/books']"
const onBook = "$.paths['/shelves/{shelf}/books/{bookId}']"
const resource = (said: object) => ({ target: onBooks, update: { 'x-sandbox-resource': said } })
const effect = (target: string, said: object) => ({ target, update: { 'x-sandbox-effect': said } })
const service = (said: object) => ({ target: '$', update: { 'x-sandbox-service': said } })

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'learn-'))
  await writeFile(join(folder, 'books.json'), books)
})
afterAll(() => rm(folder, { recursive: true }))

/** Records a service that does what an overlay says. @returns the file */
async function record(
  actions: object[],
  requests: readonly Request[] = usual,
  headers: Record<string, string> = {},
): Promise<string> {
  const overlay = join(folder, 'planted.json')
  await writeFile(overlay, JSON.stringify({ overlay: '1.0.0', info: { title: 'Planted', version: '1' }, actions }))
  const { contract } = await compileFile(join(folder, 'books.json'), { overlays: actions.length > 0 ? [overlay] : [] })
  const sandbox = createSandbox({ contract, scenario: {} })
  const entries = []
  let made: unknown[] = []
  for (const [method, template, body] of requests) {
    const path = template.replace('{first}', String(made[0])).replace('{second}', String(made[1]))
    const sent = { ...headers, ...(body && { 'content-type': 'application/json' }) }
    const init = { method, headers: sent, ...(body && { body: JSON.stringify(body) }) }
    const response = await sandbox.fetch(`https://books.example${path}`, init)
    const answer = await response.text()
    if (method === 'POST' && template.endsWith('/books') && response.ok) made.push(JSON.parse(answer).id)
    if (template === '/about') made = []
    const toPairs = (all: Record<string, string>) => Object.entries(all).map(([name, value]) => ({ name, value }))
    entries.push({
      startedDateTime: new Date().toISOString(),
      request: {
        ...{ method, url: `https://books.example${path}`, headers: toPairs(sent), bodySize: 0 },
        ...(body && { postData: { mimeType: 'application/json', text: JSON.stringify(body) } }),
      },
      response: {
        ...{ status: response.status, headers: toPairs(Object.fromEntries(response.headers)) },
        content: { text: answer },
      },
    })
  }
  const file = join(folder, 'service.har')
  await writeFile(file, JSON.stringify({ log: { entries } }))
  return file
}

const learn = (file: string, ...options: string[]) =>
  run(['learn', file, '--spec', join(folder, 'books.json'), ...options])

it.each<[what: string, planted: object | object[], learned: RegExp]>([
  ['the status of a success', effect(`${onBooks}.post`, { status: 200 }), /status: 200/],
  ['that a deletion answers without a body', effect(`${onBook}.delete`, { status: 200 }), /status: 200/],
  ['a constant of new records', resource({ first: { kind: 'novel' } }), /kind: novel/],
  ['a value of the path', resource({ first: { home: '$request.path.shelf' } }), /home: \$request\.path\.shelf/],
  [
    'a value that the request has',
    resource({ first: { home: '$request.body#/title' } }),
    /home: \$request\.body#\/title/,
  ],
  ['null for optional properties', service({ optional: 'empty' }), /optional: empty/],
  [
    'what an action sets',
    effect(`${onBook.slice(0, -2)}/lend'].post`, { effect: 'action', changes: { state: 'lent' } }),
    /state: lent/,
  ],
  [
    'the time that an action sets',
    effect(`${onBook.slice(0, -2)}/lend'].post`, { effect: 'action', changes: { state: 'lent', lentAt: '$now' } }),
    /lentAt: \$now/,
  ],
  ['the oldest first', service({ order: 'oldest' }), /order: oldest/],
  ['unique values', resource({ unique: ['title'] }), /unique:\s+- title/],
  [
    'the body of an error',
    effect(`${onBook}.get`, {
      errors: {
        not_found: { status: 404, body: { code: 'NOPE', message: 'No book {$request.path.bookId}', trace: '$random' } },
      },
    }),
    /message: No book \{\$request\.path\.bookId\}/,
  ],
  [
    'the status of an error',
    effect(`${onBook}.patch`, { errors: { not_found: 410 } }),
    /not_found:\s*(410|\n\s+status: 410)/,
  ],
  [
    'the time and a text that begins with $ in an error',
    effect(`${onBook}.get`, { errors: { not_found: { body: { code: '$$0', message: 'No book', trace: '$now' } } } }),
    /code: \$\$0[\s\S]*trace: \$now/,
  ],
  [
    'the status of a value that is missing, besides that of another one',
    effect(`${onBooks}.post`, { errors: { missing_value: 422 } }),
    /missing_value:\s*(422|\n\s+status: 422)/,
  ],
  [
    'the header Location',
    effect(`${onBooks}.post`, {
      headers: { Location: '/shelves/{$request.path.shelf}/books/{$response.body#/id}' },
    }),
    /Location: "?\/shelves\/\{\$request\.path\.shelf\}\/books\/\{\$response\.body#\/id\}/,
  ],
  [
    'a property and a value of answers that no schema has',
    effect("$.paths['/about'].get", {
      ...{ answer: { '/hits': 7, '/version': null } },
      recorded: { 'answer /hits': 'seen', 'answer /version': 'seen' },
    }),
    /\/version: null[\s\S]*\/hits: 7|\/hits: 7[\s\S]*\/version: null/,
  ],
  [
    'what one answer leaves out',
    [resource({ first: { kind: 'novel' } }), effect(`${onBooks}.post`, { answer: { '/kind': '$none' } })],
    /\/kind: \$none/,
  ],
])('learns %s', async (_, planted, learned) => {
  const out = join(folder, 'learned.yaml')
  const file = await record([planted].flat())
  const { code, stderr } = await learn(file, '--out', out, '--force', '--test', '0')
  expect([code, stderr]).toEqual([0, expect.stringContaining('whole answer')])
  expect(await readFile(out, 'utf8')).toMatch(learned)
  const checked = await learn(file, '--check', '--overlay', out, '--min-answers', '100')
  expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining('passed')])
})

it('learns nothing from itself, writes the same twice, and says how much is right', async () => {
  const file = await record([])
  const [one, two] = [await learn(file), await learn(file)]
  expect(one.stdout).toContain('actions: []')
  expect(one.stderr).toContain('learned 0 lines')
  expect(one.stderr).toContain('30 of 30 (100 %) before')
  expect(two.stdout).toBe(one.stdout)
})

it('writes the records that existed before, and no credentials or values of persons', async () => {
  const header = { authorization: 'Bearer s3cret-token-4711' }
  const file = await record(
    [],
    [['POST', '/shelves/11/books', { title: 'Tides', email: 'ines.quell@example.org' }], ...usual],
    header,
  )
  const har = JSON.parse(await readFile(file, 'utf8'))
  // Its creation was not recorded.
  har.log.entries.shift()
  await writeFile(file, JSON.stringify(har))
  const records = join(folder, 'records.json')
  const { code, stdout, stderr } = await learn(file, '--records', records, '--force')
  const written = await readFile(records, 'utf8')
  expect([code, JSON.parse(written).books?.[0]]).toMatchObject([0, { title: 'Tides', email: 'person1@example.com' }])
  for (const each of [stdout, stderr, written]) expect(each).not.toMatch(/s3cret|ines\.quell/)
})

it('fails a check, and refuses what is no recording of the service', async () => {
  const file = await record([effect(`${onBooks}.post`, { status: 200 })])
  const checked = await learn(file, '--check', '--min-status', '90')
  expect([checked.code, checked.stdout]).toEqual([
    1,
    expect.stringContaining('POST /shelves/{shelf}/books: same status 4'),
  ])
  await writeFile(file, JSON.stringify({ log: { entries: [] } }))
  expect(await learn(file)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is an operation of the document'),
  })
  await writeFile(file, '{}')
  expect(await learn(file)).toMatchObject({ code: 2, stderr: expect.stringContaining('no log.entries') })
})
