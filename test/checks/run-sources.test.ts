/** `run` names the line of the consumer that made a request, and the test around it. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startServer } from 'petstore-sandbox/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../support/launch.js'
import { runWarm as run } from '../support/warm.js'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-sandbox-sources-'))
})

afterAll(() => rm(folder, { recursive: true }))

interface Source {
  call: { file: string; line: number; column?: number }
  test?: { file: string; line: number; column?: number; name?: string }
  count: number
}

interface Found {
  id: string
  count: number
  sources?: Source[]
}

/** Findings of the files in a folder of their own: of all tests, run by the test runner of Node.js, or of the first file. */
async function findingsOf(
  files: Record<string, string>,
  args: readonly string[] = [],
): Promise<{ findings: Found[]; notes: string[] }> {
  const own = await mkdtemp(join(folder, 'a '))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(own, name, '..'), { recursive: true })
    await writeFile(join(own, name), text)
  }
  const report = join(own, 'report.json')
  const tests = Object.keys(files).filter((name) => name.endsWith('.test.mjs'))
  const [first = ''] = Object.keys(files)
  const command = tests.length > 0 ? ['--test', ...tests] : [first]
  await run(['run', '--report', `json=${report}`, ...args, '--', process.execPath, ...command], { cwd: own })
  return JSON.parse(await readFile(report, 'utf8'))
}

const client = `
import http from 'node:http'
const base = process.env.PETSTORE_BASE_URL
const headers = { Authorization: 'Bearer ' + process.env.PETSTORE_API_KEY }
export async function list(limit) {
  const response = await fetch(base + '/pets?limit=' + limit, { headers })
  return response.json()
}
export const get = (path) => new Promise((resolve) => {
  http.get(base + path, { headers }, (response) => response.resume().on('end', resolve))
})
`

const calling = `
import { describe, it, test } from 'node:test'
import { get, list } from './src/client.mjs'
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
describe('pets', () => {
  test('has a limit', async () => {
    await list('all')
    await list('all')
  })
  it('knows its paths', async () => {
    await pause(5)
    await get('/nowhere')
  })
})
for (const path of ['/one-of-many']) {
  test(\`asks for \${path}\`, () => get(path))
}
test('outer', async (t) => {
  await t.test('inner', () => get('/inner'))
})
test('later', async () => {
  setTimeout(() => void get('/unawaited'), 1)
  await pause(100)
})
`

describe('the sources of findings', () => {
  let found: ReturnType<typeof findingsOf> | undefined
  const run = () => {
    found ??= findingsOf({ 'a.test.mjs': calling, 'src/client.mjs': client })
    return found
  }
  const sourcesOf = async (end: string) => (await run()).findings.find(({ id }) => id.endsWith(end))?.sources
  const place = ({ file, line }: { file: string; line: number }) => `${file}:${line}`

  it.each([
    {
      what: 'fetch in a test of a group',
      end: 'limit type',
      call: 'src/client.mjs:6',
      test: 'a.test.mjs:7',
      name: 'pets > has a limit',
    },
    {
      what: 'http.get after a pause',
      end: '/v1/nowhere',
      call: 'src/client.mjs:10',
      test: 'a.test.mjs:12',
      name: 'pets > knows its paths',
    },
    {
      what: 'a test whose title depends on a value',
      end: '/v1/one-of-many',
      call: 'src/client.mjs:10',
      test: 'a.test.mjs:16',
    },
    {
      what: 'a test in a test',
      end: '/v1/inner',
      call: 'src/client.mjs:10',
      test: 'a.test.mjs:19',
      name: 'outer > inner',
    },
    {
      what: 'a timer that nobody awaits',
      end: '/v1/unawaited',
      call: 'src/client.mjs:10',
      test: 'a.test.mjs:22',
      name: 'later',
    },
  ])('name the call and the test: $what', async ({ end, call, test, name }) => {
    const [source] = (await sourcesOf(end)) ?? []
    expect(source && place(source.call)).toBe(call)
    expect(source?.test && place(source.test)).toBe(test)
    expect(source?.test?.name).toBe(name)
  })

  it('count the calls of each place', async () => {
    expect((await sourcesOf('limit type'))?.map(({ test, count }) => [test?.line, count])).toEqual([
      [7, 1],
      [8, 1],
    ])
  })

  it('are at most five', async () => {
    const lines = Array.from({ length: 7 }, () => "  await get('/same')").join('\n')
    const text = `import { test } from 'node:test'\nimport { get } from './src/client.mjs'\ntest('many', async () => {\n${lines}\n})\n`
    const { findings } = await findingsOf({ 'b.test.mjs': text, 'src/client.mjs': client })
    expect(findings[0]).toMatchObject({ count: 7 })
    expect(findings[0]?.sources).toHaveLength(5)
  })

  it('are absent with --no-trace', async () => {
    const { findings, notes } = await findingsOf({ 'a.test.mjs': calling, 'src/client.mjs': client }, ['--no-trace'])
    expect(findings.length).toBe((await run()).findings.length)
    expect(findings.filter(({ sources }) => sources)).toEqual([])
    expect(notes.filter((note) => note.includes('place'))).toEqual([])
  })
})

describe('names of tests', () => {
  const lineOf = (text: string, part: string) => text.split('\n').findIndex((line) => line.includes(part)) + 1
  const cases: { what: string; code: string; name: string | undefined }[] = [
    {
      what: 'a hook of another runner',
      code: "test.beforeAll = (title, body) => body()\nawait test.beforeAll('sign in', async () => { await get('/here') })",
      name: undefined,
    },
    {
      what: 'a validator with a method of that name',
      code: "const string = () => ({ test: (name, message, check) => check() })\nawait string().test('unique', 'is taken', async () => { await get('/here') })",
      name: undefined,
    },
    {
      what: 'a method of an object that is no context',
      code: "const rules = { test: (name, check) => check() }\nawait rules.test('abc', async () => { await get('/here') })",
      name: undefined,
    },
    {
      what: 'a test with options',
      code: "test('with options', { timeout: 240_000 }, async () => { await get('/here') })",
      name: 'with options',
    },
    {
      what: 'a group by the name of the test',
      code: "test.describe = (title, body) => body()\ntest.describe('shelf', () => { test('reads', async () => { await get('/here') }) })",
      name: 'shelf > reads',
    },
    {
      what: 'two tests in one line',
      code: "test('one', () => {}); test('two', async () => { await get('/here') })",
      name: 'two',
    },
  ]
  // One file of each, with a path of its own.
  const files = cases.map(({ what, code }, index) => {
    const path = `/here-${String.fromCharCode(97 + index)}`
    const own = code.replaceAll('/here', path)
    const text = `import { test as base } from 'node:test'\nimport { get } from './src/client.mjs'\nconst test = (...given) => base(...given)\n${own}\nbase('last', () => {})\ntest('plain', () => {})\n`
    return { what, path, text, file: `d${path.slice(1)}.test.mjs` }
  })
  let found: ReturnType<typeof findingsOf> | undefined
  const run = () => {
    found ??= findingsOf({
      ...Object.fromEntries(files.map(({ file, text }) => [file, text])),
      'src/client.mjs': client,
    })
    return found
  }

  it.each(cases)('are right for $what', async ({ what, name }) => {
    const { path, text } = files.find((each) => each.what === what) ?? { path: '', text: '' }
    const { findings } = await run()
    const [source] = findings.find(({ id }) => id.endsWith(path))?.sources ?? []
    expect(source?.test?.line).toBe(lineOf(text, `get('${path}')`))
    expect(source?.test?.name).toBe(name)
  })
})

it('names the test of a key of petstore-sandbox/vitest, also where titles depend on values', async () => {
  // In this folder, so that it finds Vitest.
  const own = await mkdtemp(join(root, '.reports-sources-'))
  try {
    const text = `
import { test } from 'petstore-sandbox/vitest'
import { describe } from 'vitest'
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const call = (headers, path) => fetch(process.env.PETSTORE_BASE_URL + path, { headers })
describe.concurrent('at once', () => {
  test.for(['one', 'two'])('wants %s', async (path, { headers }) => {
    await pause(9)
    await call(headers, '/' + path)
  })
  test('has no key', async () => { await call({}, '/three') })
})
`
    await writeFile(join(own, 'a.test.mjs'), text)
    await writeFile(
      join(own, 'vitest.config.mjs'),
      'export default { root: import.meta.dirname, test: { testTimeout: 240_000 } }\n',
    )
    const vitest = [
      process.execPath,
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--config',
      'vitest.config.mjs',
    ]
    await run(['run', '--report', 'json=report.json', '--', ...vitest], { cwd: own })
    const { findings } = JSON.parse(await readFile(join(own, 'report.json'), 'utf8')) as { findings: Found[] }
    const names = findings.map(({ id, sources }) => [id.split(' ').at(-1), sources?.[0]?.test?.name])
    expect(Object.fromEntries(names)).toMatchObject({
      '/v1/one': 'at once > wants one',
      '/v1/two': 'at once > wants two',
      '/v1/three': 'at once > has no key',
    })
  } finally {
    await rm(own, { recursive: true })
  }
})

describe('the module in the processes of the command', () => {
  it.each([
    {
      what: 'Error is frozen',
      code: "Object.freeze(Error)\nimport('node:stream').then(({ Duplex }) => { class Own extends Duplex {}; new Own(); return get('/here') })",
    },
    {
      what: 'captureStackTrace throws',
      code: "Error.captureStackTrace = () => { throw new Error('no') }\nimport('node:stream').then(({ Duplex }) => { class Own extends Duplex {}; new Own(); return get('/here') })",
    },
    {
      what: 'prepareStackTrace throws',
      code: "Error.prepareStackTrace = () => { throw new Error('no') }\nawait get('/here')",
    },
  ])('changes nothing if $what', async ({ code }) => {
    const text = `import { test } from 'node:test'\nimport { get } from './src/client.mjs'\n${code}\nif (Error.stackTraceLimit !== 10) throw new TypeError('changed')\ntest('last', () => {})\n`
    const { findings } = await findingsOf({ 'e.test.mjs': text, 'src/client.mjs': client })
    expect(findings.map(({ id }) => id)).toEqual(['undocumented-path GET /v1/here'])
  })

  it('reports its own errors in a note', async () => {
    const code = "Error.captureStackTrace = () => { throw new Error('no frames') }\n"
    const { notes } = await findingsOf({ 'h.test.mjs': `${code}${calling}`, 'src/client.mjs': client })
    expect(notes).toContainEqual(
      expect.stringMatching(/^\d+ errors in the module that finds .*please report the first one: Error: no frames$/),
    )
  })

  it('does not lend the place of an unrelated stream', async () => {
    const library =
      "const http = require('node:http')\nexports.get = (url) => ({ then: (resolve) => setImmediate(() => http.get(url, (answer) => answer.resume().on('end', resolve))) })\n"
    const text =
      "import { Duplex } from 'node:stream'\nimport lazy from 'lazy'\nclass Own extends Duplex {}\nnew Own()\nawait lazy.get(process.env.PETSTORE_BASE_URL + '/here')\n"
    const { findings } = await findingsOf({
      'f.mjs': text,
      'node_modules/lazy/index.js': library,
      'node_modules/lazy/package.json': '{"name":"lazy"}',
    })
    expect(findings.map(({ sources }) => sources)).toEqual([undefined])
  })

  it('sends nothing to another server, whatever a request says about its host', async () => {
    const text = `
import http from 'node:http'
import net from 'node:net'
import { Agent, request } from '${pathToFileURL(join(root, 'node_modules/undici/index.js')).href}'
const { host, port } = new URL(process.env.SANDBOX_URL)
const found = new Set()
const server = http.createServer((request, answer) => {
  found.add(request.headers['sandbox-source'] ?? 'none')
  answer.end()
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const other = server.address().port
const connect = () => net.connect(other, '127.0.0.1')
const lookup = () => {}
const calls = [
  (done) => http.get({ port: other, headers: { Host: host } }, done),
  (done) => http.get({ hostname: 'localhost', port, lookup, createConnection: connect }, done),
  (done) => http.get({ port, createConnection: connect }, done),
  (done) => http.get({ port, agent: Object.assign(new http.Agent(), { createConnection: connect }) }, done),
  (done) => http.get({ port, agent: new http.Agent({ host: '127.0.0.1', port: other }) }, done),
  (done) => http.get('http://' + host, { port: other }, done),
]
for (const call of calls) await new Promise((done) => call((answer) => answer.resume().on('end', done)).on('error', done))
await fetch(process.env.PETSTORE_BASE_URL + '/here')
const dispatcher = new Agent({
  connect(_, done) {
    const socket = net.connect(other, '127.0.0.1', () => done(null, socket))
  },
})
for (const path of ['/a', '/b']) await (await request('http://' + host + path, { dispatcher })).body.dump()
await fetch(process.env.PETSTORE_BASE_URL + '/found/' + [...found].join())
server.close()
server.closeAllConnections()
process.exit()
`
    const { findings } = await findingsOf({ 'i.mjs': text })
    expect(findings.map(({ id }) => id.split(' ').at(-1))).toEqual(['/v1/found/none', '/v1/here'])
    expect(findings[1]?.sources?.[0]?.call.file).toBe('i.mjs')
  })

  it('lets a header of your own win, and counts calls of one place once', async () => {
    const text =
      "const headers = { 'Sandbox-Source': 'shelf.feature:3,steps.py:9' }\nfor (const _ of [1, 2]) await fetch(process.env.PETSTORE_BASE_URL + '/here', { headers })\n"
    const { findings } = await findingsOf({ 'g.mjs': text })
    expect(findings[0]?.sources).toEqual([
      { call: { file: 'shelf.feature', line: 3 }, test: { file: 'steps.py', line: 9 }, count: 2 },
    ])
  })
})

describe('Sandbox-Source', () => {
  const sending = (value: string) => `
import { test } from 'node:test'
test('sends its own', async () => {
  const headers = { Authorization: 'Bearer ' + process.env.PETSTORE_API_KEY, 'Sandbox-Source': ${JSON.stringify(value)} }
  await fetch(process.env.PETSTORE_BASE_URL + '/nowhere', { headers })
})
`
  it.each([
    { value: 'shelf_test.py:12', sources: [{ call: { file: 'shelf_test.py', line: 12 }, count: 1 }] },
    {
      value: 'src/a%20b.go:3:7, x_test.go:9',
      sources: [{ call: { file: 'src/a b.go', line: 3, column: 7 }, test: { file: 'x_test.go', line: 9 }, count: 1 }],
    },
  ])('is read from programs in other languages: $value', async ({ value, sources }) => {
    const { findings } = await findingsOf({ 'c.mjs': sending(value) }, ['--no-trace'])
    expect(findings.map((each) => each.sources)).toEqual([sources])
  })

  it('is named once per report if a finding has no line', async () => {
    const two = "for (const path of ['/here', '/there']) await fetch(process.env.PETSTORE_BASE_URL + path)\n"
    const { findings, notes } = await findingsOf({ 'd.mjs': two }, ['--no-trace'])
    expect(findings.length).toBeGreaterThan(1)
    expect(notes.filter((note) => note.includes('"Sandbox-Source: shelf_test.py:12"'))).toHaveLength(1)
    const placed = await findingsOf({ 'e.mjs': sending('shelf_test.py:12') }, ['--no-trace'])
    expect(placed.notes.join()).not.toContain('Sandbox-Source')
  })

  it.each(['nowhere', 'a:0', 'a:1:', 'a.py:1,,', '%E0%A4%A:1', `${'a'.repeat(1100)}:1`])(
    'is dropped with a note if it is malformed: %s',
    async (value) => {
      const { findings, notes } = await findingsOf({ 'c.mjs': sending(value) }, ['--no-trace'])
      expect(findings.map(({ sources }) => sources)).toEqual([undefined])
      expect(notes).toContainEqual(expect.stringContaining('Sandbox-Source header that is not file:line'))
    },
  )

  it('is not in the report: the request is shown without it', async () => {
    const { findings } = await findingsOf({ 'c.mjs': sending('secret-file.py:12') }, ['--no-trace'])
    const [{ sources, ...others } = { id: '' }] = findings
    expect(JSON.stringify(others)).not.toMatch(/sandbox-source|secret-file/i)
  })
})

it('is known to the control API of every server, and the header is nowhere', async () => {
  const server = await startServer({ port: 0 })
  try {
    const headers = { Authorization: 'Bearer sandbox', 'Sandbox-Source': 'src/a.ts:1:2,test/a.test.ts:3' }
    await fetch(`${server.url}/v1/pets?limit=1`, { headers })
    const [exchange] = server.sandbox.journal.list()
    expect(exchange?.source).toBe('src/a.ts:1:2,test/a.test.ts:3')
    expect(exchange?.request.headers.join().toLowerCase()).not.toContain('sandbox-source')
    const [shown] = await (await fetch(`${server.url}/_sandbox/exchanges`)).json()
    expect(shown.source).toBe(exchange?.source)
    expect(JSON.stringify(shown.request).toLowerCase()).not.toContain('sandbox-source')
  } finally {
    await server.close()
  }
})
