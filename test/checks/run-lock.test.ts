/** The lock of `run`: what a consumer uses of a service, without any value of its own. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Ending } from '../support/launch.js'
import { runWarm } from '../support/warm.js'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-sandbox-lock-'))
})

afterAll(() => rm(folder, { recursive: true }))

const document = `
openapi: 3.1.0
info: { title: Shelf, version: 1.0.0 }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
  schemas:
    Book:
      type: object
      required: [title]
      properties:
        id: { type: string, readOnly: true }
        title: { type: string, minLength: 1, maxLength: 40 }
        genre: { type: string, enum: [novel, poetry] }
        subtitle: { type: [string, 'null'] }
        shelf: { type: object, properties: { row: { type: integer, minimum: 1, maximum: 9 } } }
        labels: { type: object, additionalProperties: { type: string } }
security: [{ key: [] }]
paths:
  /books:
    get:
      operationId: listBooks
      parameters:
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 50 } }
        - { name: genre, in: query, schema: { type: string, enum: [novel, poetry] } }
      responses:
        '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Book' } } } } }
    post:
      operationId: addBook
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
      responses:
        '201': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
  /books/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getBook
      responses:
        '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
`

const list = "await call('GET', '/books?limit=50')"
const add = "await call('POST', '/books', { title: 'Emma', genre: 'novel', subtitle: null, shelf: { row: 3 } })"

interface Run {
  calls: readonly string[]
  args?: readonly string[]
  /** Runs in this folder. @default a new one */
  own?: string
  exitCode?: number
}

/** Runs a consumer that makes the calls. */
async function consume({
  calls,
  args = [],
  own,
  exitCode = 0,
}: Run): Promise<Ending & { own: string; lock(): Promise<string> }> {
  const at = own ?? (await mkdtemp(join(folder, 'a-')))
  await writeFile(join(at, 'shelf.yaml'), document)
  const code = `
const call = (method, path, body, headers = {}) => fetch(process.env.SANDBOX_URL + path, {
  method, headers: { 'X-Key': process.env.PETSTORE_API_KEY, ...(body && { 'Content-Type': 'application/json' }), ...headers }, body: body && JSON.stringify(body),
}).then((response) => response.text())
${calls.join('\n')}
process.exitCode = ${exitCode}
`
  await writeFile(join(at, 'consumer.mjs'), code)
  const ending = await runWarm(
    ['run', 'shelf.yaml', '--lock', 'use.json', ...args, '--', process.execPath, 'consumer.mjs'],
    { cwd: at },
  )
  return { ...ending, own: at, lock: () => readFile(join(at, 'use.json'), 'utf8') }
}

const update = ['--update-lock']

describe('--update-lock', () => {
  it('writes what was used, with classes of values', async () => {
    const { code: exitCode, stdout, lock } = await consume({ calls: [list, add], args: update })
    expect(exitCode, stdout).toBe(0)
    expect(stdout).toContain('note: The lock use.json was written')
    const { operations, ...others } = JSON.parse(await lock())
    expect(others).toEqual({ version: 1, reads: {} })
    expect(operations['GET /books']).toMatchObject({
      credentials: ['header X-Key'],
      parameters: { 'query genre': ['absent'], 'query limit': ['=50'] },
    })
    expect(operations['POST /books']).toMatchObject({
      types: ['application/json'],
      body: {
        genre: ['=novel'],
        labels: ['absent'],
        shelf: ['other'],
        'shelf.row': ['other', '~3'],
        subtitle: ['null'],
        title: ['other', '~Emma'],
      },
      responses: {
        201: {
          types: ['application/json'],
          properties: ['genre', 'id', 'labels', 'shelf', 'shelf.row', 'subtitle', 'title'],
        },
      },
    })
  })

  it('is the same in ten runs, in any order of the calls and in parallel', async () => {
    // As tests with a key of their own.
    const tests = ['/books?limit=50', '/books?genre=poetry', '/books?limit=1', '/books/none'].map((path, index) => {
      const headers = `{ 'X-Key': 'k${index}', 'Sandbox-Expect': '2XX,404' }`
      const own = `{ title: 'Emma', shelf: { row: ${index + 1} }, labels: { l${index}: '' } }`
      return `(async () => { await call('POST', '/books', ${own}, ${headers}); await call('GET', '${path}', undefined, ${headers}) })()`
    })
    const inOrder = (all: readonly string[]) => all.map((each) => `await ${each}`)
    const rotated = tests.map((_, index) => [...tests.slice(index), ...tests.slice(0, index)])
    const parallel = [...rotated, ...rotated].map((each) => [`await Promise.all([${each.join(', ')}])`])
    const runs = [inOrder(tests), inOrder([...tests].reverse()), ...parallel]
    const locks: string[] = []
    for (const calls of runs) locks.push(await (await consume({ calls, args: update })).lock())
    expect(locks).toHaveLength(10)
    expect(new Set(locks).size).toBe(1)
  })

  it('has a few short values of each place, and none of a credential or a person', async () => {
    const titles = Array.from({ length: 12 }, (_, index) => `t${String(index).padStart(2, '0')}`)
    const book = (title: string) => `{ title: '${title}', subtitle: 'for ${title}' }`
    const calls = [...titles, 'long'.repeat(17)].map((title) => `await call('POST', '/books', ${book(title)})`)
    const { lock } = await consume({ calls, args: update })
    const { body } = JSON.parse(await lock()).operations['POST /books']
    expect(body.title).toEqual(['other', ...['~t00', '~t01', '~t02', '~t03', '~t04', '~t05', '~t06', '~t11']])
    const none = await consume({ calls, args: [...update, '--no-values'] })
    expect(JSON.parse(await none.lock()).operations['POST /books'].body.title).toEqual(['other'])
    const again = await consume({
      calls: [`await call('POST', '/books', ${book('new')})`],
      args: [],
      own: none.own,
    })
    expect(again.stdout).toContain('passed')
  })

  it('has no value of the consumer with --no-values', async () => {
    const secret = 'secret-7f3a9'
    const calls = [
      `await call('POST', '/books', { title: '${secret}', subtitle: '${secret}', labels: { '${secret}-name': '${secret}' } })`,
      `await call('GET', '/books/${secret}')`,
      `await call('GET', '/books?limit=7&${secret}=1')`,
      `await call('GET', '/books', undefined, { 'X-${secret}': '${secret}', Cookie: 'a=${secret}' })`,
      `await call('POST', '/books', { title: 'Emma', '${secret}': 1 })`,
      `await call('GET', '/${secret}')`,
      `await call('POST', '/books', { title: 'Emma' }, { 'Content-Type': 'application/${secret}' })`,
    ]
    const { lock } = await consume({ calls, args: [...update, '--no-values', '--fail-on', 'never'] })
    expect(await lock()).not.toContain(secret)
  })

  it('keeps the reads that people wrote', async () => {
    const { own, lock } = await consume({ calls: [list], args: update })
    const written = JSON.parse(await lock())
    await writeFile(join(own, 'use.json'), JSON.stringify({ ...written, reads: { 'GET /books 200': ['[].title'] } }))
    const again = await consume({ calls: [list, add], args: update, own })
    expect(JSON.parse(await again.lock()).reads).toEqual({ 'GET /books 200': ['[].title'] })
  })

  it.each([
    { what: 'the command fails', calls: [list], exitCode: 3, why: 'as the command exited with 3' },
    { what: 'the command sends nothing', calls: [], exitCode: 0, why: 'as no request reached the sandbox' },
  ])('writes nothing if $what', async ({ calls, exitCode, why }) => {
    const { stdout, lock } = await consume({ calls, args: [...update, '--allow-no-requests'], exitCode })
    expect(stdout).toContain(`The lock use.json was not written, ${why}`)
    await expect(lock()).rejects.toThrow('ENOENT')
  })
})

describe('new usage', () => {
  it.each([
    {
      what: 'an operation',
      call: "await call('GET', '/books/1', undefined, { 'Sandbox-Expect': '2XX,404' })",
      id: 'new-usage GET /books/{id}',
    },
    {
      what: 'a value at a bound',
      call: "await call('GET', '/books?limit=1')",
      id: 'new-usage GET /books query limit =1',
    },
    {
      what: 'a value of an enum',
      call: "await call('GET', '/books?limit=50&genre=poetry')",
      id: 'new-usage GET /books query genre =poetry',
    },
    {
      what: 'a parameter that is left out',
      call: "await call('GET', '/books')",
      id: 'new-usage GET /books query limit absent',
    },
    {
      what: 'a property',
      call: add.replace('title:', "labels: { a: 'b' }, title:"),
      id: 'new-usage POST /books body labels other',
    },
    {
      what: 'a bound of a nested property',
      call: add.replace('row: 3', 'row: 9'),
      id: 'new-usage POST /books body shelf.row =9',
    },
    {
      what: 'another status',
      call: "await call('GET', '/books?limit=0', undefined, { 'Sandbox-Expect': '400' })",
      id: 'new-usage GET /books response 400 application/json',
    },
  ])('is a warning: $what', async ({ call, id }) => {
    const { own } = await consume({ calls: [list, add], args: update })
    const { code: exitCode } = await consume({ calls: [list, add, call], args: ['--report', 'json=report.json'], own })
    expect(exitCode).toBe(0)
    const { findings } = JSON.parse(await readFile(join(own, 'report.json'), 'utf8'))
    const found = findings.filter(({ rule }: { rule: string }) => rule === 'new-usage')
    expect(found.map((each: { id: string }) => each.id)).toContain(id)
    expect(found[0]).toMatchObject({ severity: 'warning', sources: [{ call: { file: 'consumer.mjs' } }] })
  })

  it('is a warning for every operation if the lock is empty', async () => {
    const own = await mkdtemp(join(folder, 'd-'))
    await writeFile(join(own, 'use.json'), '{"version": 1, "operations": {}, "reads": {}}')
    const { code: exitCode } = await consume({ calls: [list], own, args: ['--fail-on', 'warning'] })
    expect(exitCode).toBe(1)
  })

  it('is none in the same run again, and what did not occur is a note', async () => {
    const { own } = await consume({ calls: [list, add], args: update })
    expect((await consume({ calls: [list, add], own, args: ['--fail-on', 'warning'] })).code).toBe(0)
    const { code: exitCode, stdout } = await consume({ calls: [list], own, args: ['--fail-on', 'warning'] })
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/note: The lock use\.json has \d+ uses that did not occur: POST \/books: /)
  })
})

describe('a lock that cannot be used', () => {
  it.each([
    { what: 'is missing', text: undefined, message: 'there is no such file; write it with --update-lock' },
    {
      what: 'has reads that are no list',
      text: '{"version": 1, "operations": {}, "reads": {"GET /books 200": "id"}}',
      message: '"reads" of "GET /books 200" is not a list',
    },
    { what: 'is not JSON', text: '{', message: 'it is not JSON' },
    { what: 'is another file', text: '{"findings": []}', message: 'it is JSON, but not a lock' },
    {
      what: 'has another version',
      text: '{"version": 9, "operations": {}}',
      message: 'its version is 9, and this program reads version 1',
    },
    {
      what: 'has an entry of a wrong type',
      text: '{"version": 1, "operations": {"GET /books": {"credentials": [1]}}}',
      message: '"credentials" of "GET /books" has 1, which is not text',
    },
    {
      what: 'has an operation that is a number',
      text: '{"version": 1, "operations": {"GET /books": 3}}',
      message: '"GET /books" is not an object. Correct or remove it',
    },
    {
      what: 'is of another API',
      text: '{"version": 1, "operations": {"GET /cars": {"credentials": ["none"]}}}',
      message: 'none of its operations is in the document, such as GET /cars',
    },
  ])('exits with 2: it $what', async ({ text, message }) => {
    const own = await mkdtemp(join(folder, 'b-'))
    if (text !== undefined) await writeFile(join(own, 'use.json'), text)
    const { code: exitCode, stderr } = await consume({ calls: [list], own })
    expect(exitCode).toBe(2)
    expect(stderr).toContain(message)
  })

  it.each([
    {
      args: ['--lock', 'shelf.yaml', '--update-lock'],
      message: '"shelf.yaml" is the document; the lock would replace it',
    },
    {
      args: ['--lock', 'a.json', '--update-lock', '--report', 'json=a.json'],
      message: '"a.json" would be written twice',
    },
    {
      args: ['--lock', './use.json', '--report', 'json=use.json'],
      message: '"use.json" is the lock; a report would replace it',
    },
  ])('would lose a file: $args', async ({ args, message }) => {
    const own = await mkdtemp(join(folder, 'c-'))
    await writeFile(join(own, 'shelf.yaml'), document)
    await writeFile(join(own, 'use.json'), '{"version": 1, "operations": {}}')
    const { code: exitCode, stderr } = await runWarm(['run', '--spec', 'shelf.yaml', ...args, '--', 'true'], {
      cwd: own,
    })
    expect(exitCode).toBe(2)
    expect(stderr).toContain(message)
    expect(await readFile(join(own, 'shelf.yaml'), 'utf8')).toBe(document)
  })

  it('is refused without its option', async () => {
    const { code: exitCode, stderr } = await runWarm(['run', '--update-lock', '--', process.execPath, '-e', ''], {
      cwd: folder,
    })
    expect(exitCode).toBe(2)
    expect(stderr).toContain('--update-lock needs --lock <file>')
  })
})
