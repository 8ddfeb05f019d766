/** `run --against`: the command runs again with the next version of the document, and what fails then is named. */
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Ending, root, start } from '../support/launch.js'
import { runWarm } from '../support/warm.js'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-sandbox-against-'))
})

afterAll(() => rm(folder, { recursive: true }))

const present = `
openapi: 3.1.0
info: { title: Shelf, version: 1.0.0 }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
  schemas:
    Book:
      type: object
      required: [id, title]
      properties:
        id: { type: integer, readOnly: true }
        title: { type: string, minLength: 1, maxLength: 40 }
        genre: { type: string, enum: [novel, poetry] }
    Note:
      type: object
      required: [id, text]
      properties:
        id: { type: integer, readOnly: true }
        text: { type: string }
security: [{ key: [] }]
paths:
  /books:
    get:
      operationId: listBooks
      parameters:
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 50 } }
      responses:
        '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Book' } } } } }
    post:
      operationId: addBook
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
      responses:
        '201': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
  /books/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get:
      operationId: getBook
      responses:
        '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
        '404': { description: none }
`
const version2 = present.replace('version: 1.0.0', 'version: 2.0.0')
/** The limit of lists is smaller. */
const smaller = version2.replace('maximum: 50', 'maximum: 20')

/** Tests by title, in a group. */
type Tests = Record<string, string>

const usual: Tests = {
  'lists fifty': "return (await call('/books?limit=50')).status === 200",
  'lists ten': "return (await call('/books?limit=10')).status === 200",
}

/** A command that runs tests and writes JUnit. */
function toCommand(
  tests: Tests,
  { ending = '', exitCode = 'failed' }: Partial<Record<'ending' | 'exitCode', string>>,
): string {
  const cases = Object.entries(tests).map(([title, body]) => `await test('${title}', async () => { ${body} })`)
  return `
import { existsSync, rmSync, writeFileSync } from 'node:fs'
const base = process.env.SANDBOX_URL
const headers = { 'X-Key': process.env.PETSTORE_API_KEY, 'Content-Type': 'application/json' }
export const call = (path, body) => fetch(base + path, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) })
const isNext = existsSync('ran')
if (isNext) rmSync('ran')
else writeFileSync('ran', '')
let failed = 0
let xml = ''
async function test(title, body) {
  let message = ''
  const is = await body().catch((error) => { message = error.message })
  if (is === undefined && message === '') return
  if (is !== true) failed = 1
  xml += '<testcase classname="shelves.test.mjs" name="shelves &gt; ' + title + '">' + (is === true ? '' : '<failure message="' + (message || 'is wrong') + '&#10;at a line"/>') + '</testcase>'
}
${cases.join('\n')}
writeFileSync('results.xml', '<testsuites><testsuite name="shelves.test.mjs">' + xml + '</testsuite></testsuites>')
${ending}
process.exitCode = ${exitCode}
`
}

interface Case {
  tests?: Tests
  next?: string
  args?: readonly string[]
  ending?: string
  exitCode?: string
  /** Further files. */
  files?: Record<string, string>
  /** Whether the results are given. @default true */
  hasResults?: boolean
  own?: string
}

interface Found {
  id: string
  rule: string
  message: string
  help: string
  sources?: { call: { file: string; line: number } }[]
}

type Result = Ending & {
  own: string
  report(): Promise<{ findings: Found[]; notes: string[]; failures?: { message: string }[] }>
}

async function prepare({ tests = usual, next = smaller, files = {}, own, ...others }: Case): Promise<string> {
  const at = own ?? (await mkdtemp(join(folder, 'a-')))
  await writeFile(join(at, 'shelf.yaml'), present)
  await writeFile(join(at, 'next.yaml'), next)
  await writeFile(join(at, 'shelves.test.mjs'), toCommand(tests, others))
  for (const [name, text] of Object.entries(files)) await writeFile(join(at, name), text)
  return at
}

function toArgs({ args = [], hasResults = true }: Case): string[] {
  const results = hasResults ? ['--results', 'results.xml'] : []
  return [
    'run',
    'shelf.yaml',
    '--against',
    'next.yaml',
    '--report',
    'json=report.json',
    ...results,
    ...args,
    '--',
    process.execPath,
    'shelves.test.mjs',
  ]
}

async function compare(given: Case = {}): Promise<Result> {
  const own = await prepare(given)
  const ending = await runWarm(toArgs(given), { cwd: own })
  return { ...ending, own, report: async () => JSON.parse(await readFile(join(own, 'report.json'), 'utf8')) }
}

const newFailures = (findings: readonly Found[]) => findings.filter(({ rule }) => rule === 'new-failure')

describe('run --against', () => {
  it('names the test that fails, and the change of the document that affects its requests', async () => {
    const { code, stdout, stderr, report } = await compare()
    expect(code, stderr).toBe(1)
    const { findings, notes } = await report()
    expect(newFailures(findings)).toMatchObject([
      {
        id: 'new-failure shelves.test.mjs shelves > lists fifty',
        message: 'it passes with Shelf 1.0.0, and fails with Shelf 2.0.0: is wrong',
        help: 'Changes that affect its requests: GET /books query limit maximum: It accepts at most 20, not 50',
        sources: [{ call: { file: 'shelves.test.mjs' } }],
      },
    ])
    expect(findings.map(({ id }) => id)).toContain('invalid-parameter GET /books query limit maximum')
    expect(notes).toContain('First, the command ran with Shelf 1.0.0')
    expect(stdout).toContain('compared with Shelf 2.0.0 (next.yaml)')
    expect(stderr).toContain('running the command with Shelf 2.0.0')
  })

  it('names at most three changes, those of requests first', async () => {
    const tests = {
      'adds a book':
        "const given = { title: 'T'.repeat(9), genre: 'novel' }; return (await call('/books', given)).status === 201 && (await call('/books?limit=1')).status === 200",
      'lists fifty': usual['lists fifty'] ?? '',
    }
    const next = smaller
      .replace('maxLength: 40', 'maxLength: 8')
      .replace('enum: [novel, poetry]', 'enum: [poetry]')
      .replace('title: {', 'isbn: { type: string }\n        title: {')
      .replace('required: [id, title]', 'required: [id, title, isbn]')
    const [added, listed] = newFailures((await (await compare({ tests, next })).report()).findings)
    expect(added?.id).toBe('new-failure shelves.test.mjs shelves > adds a book')
    const changes = added?.help.replace('Changes that affect its requests: ', '').split(/; (?=\(\d\))/) ?? []
    expect(changes).toHaveLength(3)
    expect(changes.filter((change) => /^\(\d\) POST \/books body/.test(change))).toHaveLength(3)
    expect(listed?.help).toContain('GET /books query limit maximum')
    expect(listed?.help).not.toContain('POST')
  })

  it.each([
    {
      what: 'the refused place, and no answer of a call that was refused',
      test: usual['lists fifty'] ?? '',
      next: smaller
        .replace('minimum: 1,', 'minimum: 2,')
        .replace('title: { type: string,', 'title: { type: [string, "null"],'),
      is: 'GET /books query limit maximum: It accepts at most 20, not 50',
    },
    {
      what: 'no operation that the test does not call',
      test: "return (await call('/books?limit=1&limit=2')).status === 400 && !isNext",
      next: smaller.replace('title: { type: string,', 'title: { type: integer,'),
      is: undefined,
    },
    {
      what: 'no property that its answers do not have, nor a narrower request that was not refused',
      test: "const { id } = await (await call('/books', { title: 'Emma' })).json(); return typeof id === 'number'",
      next: version2
        .replace('maxLength: 40', 'maxLength: 4')
        .replace('id: { type: integer, readOnly: true }', 'id: { type: string, readOnly: true }')
        .replace('genre: { type: string, enum: [novel, poetry] }', 'genre: { type: integer }'),
      is: 'POST /books response 201 id string: It can be string; it was integer',
    },
  ])('names only what can have made the test fail: $what', async ({ test, next, is }) => {
    const [found] = newFailures((await (await compare({ tests: { test }, next })).report()).findings)
    expect(found?.help).toBe(
      is === undefined ? 'No documented change explains it' : `Changes that affect its requests: ${is}`,
    )
  })

  it('says what the rules found if no change explains a failure', async () => {
    const tests = {
      ...usual,
      'has another reason': 'return !isNext',
      'sends too many': "return (await call('/books?limit=' + (isNext ? 99 : 1))).status === 200",
    }
    const { report } = await compare({ tests, next: smaller })
    const help = new Map(newFailures((await report()).findings).map(({ id, help }) => [id.split(' > ')[1], help]))
    expect(help.get('has another reason')).toBe('No documented change explains it')
    expect(help.get('sends too many')).toBe(
      'No documented change explains it; its requests: invalid-parameter GET /books query limit maximum',
    )
  })

  it('distinguishes tests of two classes in one file, with the same ids on each machine', async () => {
    const cases = ['A', 'B'].map(
      (name) =>
        `<testcase classname="test_a.${name}" name="test_x" file="' + process.cwd() + '/test_a.py" line="3">' + (isNext ? '<error message="no"/>' : '') + '</testcase>`,
    )
    const ending = `writeFileSync('results.xml', '<testsuites><testsuite name="pytest">${cases.join('')}</testsuite></testsuites>')`
    const { report } = await compare({ ending, exitCode: 'isNext ? 1 : 0' })
    expect(newFailures((await report()).findings).map(({ id }) => id)).toEqual([
      'new-failure test_a.py test_a.A > pytest > test_x',
      'new-failure test_a.py test_a.B > pytest > test_x',
    ])
  })

  it('does not claim that requests are of a test if nobody knows', async () => {
    const { report } = await compare({ args: ['--no-trace'] })
    expect(newFailures((await report()).findings)[0]?.help).toMatch(
      /^Perhaps because of these changes: GET \/books query limit/,
    )
  })

  it('passes if nothing that the command uses has changed', async () => {
    const { code, report } = await compare({ next: version2 })
    expect(code).toBe(0)
    expect((await report()).findings).toEqual([])
  })

  it('leaves out what the present document has as well', async () => {
    const tests = { ...usual, 'sends too many': "return (await call('/books?limit=99')).status === 400" }
    const { report } = await compare({ tests, next: smaller.replace('/books/{id}', '/volumes/{id}') })
    const { findings, notes } = await report()
    expect(findings.map(({ rule }) => rule)).toEqual(['new-failure'])
    expect(notes).toContain('Left out, as it has them there as well: 1 finding')
  })

  it('takes a test that is missing for one that fails, and one that is skipped not', async () => {
    const tests = {
      'lists ten': usual['lists ten'] ?? '',
      'is not reached': 'return isNext ? undefined : true',
    }
    const { code, report } = await compare({ tests })
    expect(code).toBe(1)
    const found = newFailures((await report()).findings)
    expect(found.map(({ message }) => message)).toEqual([
      'it passes with Shelf 1.0.0, and fails with Shelf 2.0.0: it is not in the results',
    ])
  })

  it('only notes a test that fails already', async () => {
    const tests = { ...usual, 'is broken': "throw new Error('always')" }
    const { report } = await compare({ tests })
    const { findings, notes } = await report()
    expect(newFailures(findings)).toHaveLength(1)
    expect(notes).toContain('1 test already failed with Shelf 1.0.0: shelves > is broken')
  })

  it('exits with the code of the command if nothing passes', async () => {
    const { code, stdout, stderr } = await compare({
      tests: { 'is broken': "throw new Error('always')" },
      exitCode: '7',
    })
    expect(code).toBe(7)
    expect(stderr).toContain('no test passes with Shelf 1.0.0, so that there is nothing to compare; there is no report')
    expect(stdout).not.toContain('FAILED')
  })

  it('fails if the command fails and no test does', async () => {
    const { code, report } = await compare({
      tests: { 'lists ten': usual['lists ten'] ?? '' },
      exitCode: 'isNext ? 3 : 0',
    })
    expect(code).toBe(1)
    const { failures = [] } = await report()
    expect(failures.map(({ message }) => message)).toEqual([
      'the command exits with 3 with Shelf 2.0.0, although no test in results.xml fails',
    ])
  })

  it('knows the requests of tests by their key, with a real runner', async () => {
    // In this folder, so that it finds Vitest.
    const own = await mkdtemp(join(root, '.reports-against-'))
    try {
      const code = `
import { test } from 'petstore-sandbox/vitest'
import { describe, expect } from 'vitest'
describe.concurrent('shelves', () => {
  test.for([10, 50])('lists %s', async (limit, { key }) => {
    const { status } = await fetch(process.env.SANDBOX_URL + '/books?limit=' + limit, { headers: { 'X-Key': key } })
    expect(status).toBe(200)
  })
})
`
      const config =
        'export default { root: import.meta.dirname, test: { testTimeout: 240_000, reporters: ["default", "junit"], outputFile: "results.xml" } }\n'
      await prepare({ own, files: { 'a.test.mjs': code, 'vitest.config.mjs': config } })
      const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', 'vitest.config.mjs', 'a.test']
      const { stderr } = await runWarm([...toArgs({}).slice(0, -1), ...vitest], { cwd: own })
      const { findings } = JSON.parse(await readFile(join(own, 'report.json'), 'utf8')) as { findings: Found[] }
      expect(newFailures(findings), stderr).toMatchObject([
        {
          id: 'new-failure a.test.mjs shelves > lists 50',
          sources: [{ call: { file: 'a.test.mjs', line: 6 } }],
        },
      ])
    } finally {
      await rm(own, { recursive: true })
    }
  })
})

describe('run --against without --results', () => {
  it.each([
    { what: 'passes if both runs do', tests: { 'lists ten': usual['lists ten'] ?? '' }, code: 0, found: [] },
    {
      what: 'fails if only the second run does',
      tests: usual,
      code: 1,
      found: ['it exits with 0 with Shelf 1.0.0, and with 1 with Shelf 2.0.0'],
    },
  ])('$what', async ({ tests, code, found }) => {
    const ending = await compare({ tests, hasResults: false })
    expect(ending.code).toBe(code)
    expect(newFailures((await ending.report()).findings).map(({ message }) => message)).toEqual(found)
  })

  it('exits with the code of the command if that fails already', async () => {
    const { code, stderr } = await compare({ hasResults: false, exitCode: '5' })
    expect(code).toBe(5)
    expect(stderr).toContain('the command exits with 5 with Shelf 1.0.0, so that there is nothing to compare')
  })
})

describe('the file of --results', () => {
  it.each([
    {
      what: 'was not written',
      ending: `rmSync('results.xml')`,
      message: 'the command did not write it with Shelf 1.0.0',
    },
    {
      what: 'was not written again',
      ending: `if (isNext) rmSync('results.xml')`,
      message: 'the command did not write it with Shelf 2.0.0',
    },
    { what: 'is empty', ending: "writeFileSync('results.xml', '')", message: '"results.xml": it is empty' },
    {
      what: 'is junk',
      ending: "writeFileSync('results.xml', '<testsuites><a></testsuites>')",
      message: '"results.xml": it is not XML',
    },
    { what: 'is no XML', ending: "writeFileSync('results.xml', '{}')", message: '"results.xml": it is not XML' },
    {
      what: 'is other XML',
      ending: "writeFileSync('results.xml', '<html/>')",
      message: 'it is XML, but not JUnit: its root is <html>',
    },
    {
      what: 'has no test',
      ending: "writeFileSync('results.xml', '<testsuites/>')\nfailed = 0",
      message: '"results.xml": no test passes',
    },
  ])('exits with 2: it $what', async ({ ending, message }) => {
    const { code, stderr } = await compare({ ending })
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })

  it('keeps its time, as build servers ignore old ones', async () => {
    const own = await prepare({})
    const { mtimeMs: before } = await stat(join(own, 'next.yaml'))
    await compare({ own })
    expect((await stat(join(own, 'results.xml'))).mtimeMs).toBeGreaterThan(before)
  })

  it('is never an old one', async () => {
    const old = '<testsuites><testsuite name="a"><testcase name="b"/></testsuite></testsuites>'
    const own = await mkdtemp(join(folder, 'b-'))
    await writeFile(join(own, 'old.xml'), old)
    const { code, stderr } = await compare({ own, hasResults: false, args: ['--results', 'old.xml'] })
    expect(code).toBe(2)
    expect(stderr).toContain('Failed to read the results "old.xml": the command did not write it with Shelf 1.0.0')
    expect(await readFile(join(own, 'old.xml'), 'utf8')).toBe(old)
  })
})

describe('the records of the second run', () => {
  const scenario = JSON.stringify({
    books: [
      { id: 7, title: 'Emma' },
      { id: 8, title: 'Poems', genre: 'poetry' },
    ],
  })
  const args = ['--scenario', 'books.json']
  const files = { 'books.json': scenario }

  it('are those of the present document that still fit, without changes of the first run', async () => {
    const tests = {
      'has poems': "return (await call('/books/8')).status === 200",
      'has Emma': "await call('/books', { title: 'New' }); return (await call('/books/7')).status === 200",
      'starts with two books and adds one': "return (await (await call('/books')).json()).length <= 3",
    }
    const next = smaller.replace('enum: [novel, poetry]', 'enum: [novel]')
    const { findings } = await (await compare({ tests, next, args, files })).report()
    expect(newFailures(findings).map(({ id }) => id)).toEqual(['new-failure shelves.test.mjs shelves > has poems'])
  })

  it('are made by the next document where one does not fit', async () => {
    const tests = {
      'has a first book': "return (await call('/books/1')).status === 200",
      'lists ten': usual['lists ten'] ?? '',
    }
    const next = smaller
      .replace('required: [id, title]', 'required: [id, title, pages]')
      .replace('genre:', 'pages: { type: integer, minimum: 1 }\n        genre:')
    const { code, stdout } = await compare({ tests, next })
    expect(code, stdout).toBe(0)
  })
})

describe('--against with other options', () => {
  it('takes a baseline', async () => {
    const first = await compare({ args: ['--baseline', 'known.json', '--update-baseline'] })
    expect(first.code).toBe(0)
    const known = await readFile(join(first.own, 'known.json'), 'utf8')
    expect(known).toContain('"new-failure shelves.test.mjs shelves > lists fifty"')
    const second = await compare({ own: first.own, args: ['--baseline', 'known.json'] })
    expect(second.code).toBe(0)
  })

  it('compares the lock with the first run only', async () => {
    const tests = { 'lists ten': usual['lists ten'] ?? '' }
    const { own } = await compare({ tests, args: ['--lock', 'use.json', '--update-lock'] })
    const more = { ...tests, 'reads a book': "return [200, 404].includes((await call('/books/1')).status)" }
    const { report } = await compare({ own, tests: more, args: ['--lock', 'use.json'] })
    expect((await report()).findings.map(({ id }) => id)).toEqual(['new-usage GET /books/{id}'])
  })

  it('has the same address in both runs', async () => {
    const tests = { 'lists ten': "(await import('node:fs')).appendFileSync('addresses', base + '\\n'); return true" }
    const { own } = await compare({ tests })
    const addresses = (await readFile(join(own, 'addresses'), 'utf8')).trim().split('\n')
    expect(addresses).toHaveLength(2)
    expect(new Set(addresses).size).toBe(1)
    // Connections of other programs get their ports above, and could take it between the runs.
    expect(Number(/\d+$/.exec(addresses[0] ?? '')?.[0])).toBeLessThan(32_768)
  })

  it.each([
    { args: ['--har', 'a.har'], message: 'run --against runs a command, and cannot judge a recording (--har)' },
    {
      args: ['--report', 'junit=results.xml'],
      message: '"results.xml" is the file of results; a report would replace it',
    },
    { args: ['--report', 'json=next.yaml'], message: '"next.yaml" is the next document; a report would replace it' },
    { args: ['--env', 'A=staging'], message: 'staging' },
  ])('is refused: $args', async ({ args, message }) => {
    const own = await prepare({})
    await writeFile(join(own, 'results.xml'), '')
    const command = args[0] === '--har' ? [] : ['--', process.execPath, '-e', "console.log('ran')"]
    const { code, stdout, stderr } = await runWarm(
      ['run', '--spec', 'shelf.yaml', '--against', 'next.yaml', '--results', 'results.xml', ...args, ...command],
      { cwd: own },
    )
    expect(code).toBe(2)
    expect(stderr).toContain(message)
    expect(stdout).not.toContain('ran')
  })

  it('refuses results without it, and a document that cannot be served before the first run', async () => {
    const own = await prepare({ next: 'openapi: 3.1.0' })
    const alone = await runWarm(['run', '--results', 'a.xml', '--', process.execPath, '-e', ''], { cwd: own })
    expect(alone.code).toBe(2)
    expect(alone.stderr).toContain('--results needs --against <file|url>')
    const broken = await runWarm(
      ['run', 'shelf.yaml', '--against', 'next.yaml', '--', process.execPath, '-e', "console.log('ran')"],
      { cwd: own },
    )
    expect(broken.code).toBe(2)
    expect(broken.stdout).not.toContain('ran')
  })

  it('has no report if the second run is interrupted', async () => {
    const own = await prepare({
      ending: "if (isNext) { console.log('waiting'); await new Promise((resolve) => setTimeout(resolve, 60_000)) }",
    })
    const program = start(toArgs({}), { cwd: own })
    await new Promise<void>((resolve) => {
      program.child.stdout?.on('data', () => program.stdout().includes('waiting') && resolve())
    })
    program.signal('SIGTERM')
    const { code, stdout, stderr } = await program.ended
    expect(code).toBe(143)
    expect(stderr).toContain('interrupted by SIGTERM; there is no report')
    expect(stdout).not.toContain('FAILED')
  })
})
