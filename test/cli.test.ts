/** The real program, started as its users start it. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { Agent, createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startServer } from 'petstore-sandbox/node'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { beginRequest, untilRefused } from './support/in-flight.js'
import { bin, type RunningProgram, root, run, serve, start, untilReady } from './support/launch.js'

const books = join(root, 'test/support/books.openapi.yaml')
const stackTrace = /^\s+at .*:\d+/m
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-sandbox-cli-'))
  await mkdir(join(folder, 'a-folder'))
  await Promise.all(Object.entries(files).map(([name, content]) => writeFile(join(folder, name), content)))
})

afterAll(() => rm(folder, { recursive: true }))

const files: Record<string, string | Uint8Array> = {
  'two-pets.json':
    '{"pets":[{"id":7,"name":"Ida","categoryId":1},{"id":9007199254740993,"name":"Uwe","categoryId":2}]}',
  'bad-record.json': '{"pets":[{"id":1,"name":"Ada","categoryId":1},{"id":2,"name":5,"categoryId":1,"status":"gone"}]}',
  'no-such-collection.json': '{"dogs":[]}',
  'cut-short.json': '{"pets":[',
  'not-utf-8.yaml': Uint8Array.of(0xff, 0xfe, 0x00),
  'empty.yaml': '',
  'syntax.yaml': 'openapi: 3.1.0\ninfo:\n  title: Shelf: Books\n  version: 1.0.0\npaths: {}\n',
  'syntax.json': '{\n  "openapi": "3.1.0",\n  "info": { "title": "Shelf" "version": "1.0.0" }\n}\n',
  'swagger.yaml': 'swagger: "2.0"\ninfo: { title: Shelf, version: 1.0.0 }\npaths: {}\n',
  'no-info.yaml': 'openapi: 3.1.0\npaths: {}\n',
  'bad-path.yaml': 'openapi: 3.1.0\ninfo: { title: Shelf, version: 1.0.0 }\npaths:\n  books:\n    get: {}\n',
  'bad-reference.yaml': [
    'openapi: 3.1.0',
    'info: { title: Shelf, version: 1.0.0 }',
    'paths:',
    '  /books:',
    '    get:',
    '      responses:',
    '        "200": { $ref: "#/components/responses/Books" }',
    'components: {}',
    '',
  ].join('\n'),
}

/** What stands in the list that somebody with this key sees. */
async function listPets(
  { url }: { url: string },
  query = '',
  key = 'sandbox',
): Promise<{ id: number; name: string }[]> {
  const response = await fetch(`${url}/v1/pets${query}`, { headers: { Authorization: `Bearer ${key}` } })
  return response.json()
}

async function statusFor(url: string, key: string): Promise<number> {
  return (await fetch(`${url}/v1/pets`, { headers: { Authorization: `Bearer ${key}` } })).status
}

function addPet(url: string, name = 'Kim', headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/v1/pets`, {
    method: 'POST',
    headers: { Authorization: 'Bearer sandbox', 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ name, categoryId: 1 }),
  })
}

/** A port that something else listens on until the test ends. */
async function takenPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** A port that nothing listens on, out of a range that no system hands out by itself. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    const isFree = await new Promise<boolean>((resolve) => {
      const server = createServer()
      server.on('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
    })
    if (isFree) return port
  }
}

describe('the banner', () => {
  it('shows every address', async () => {
    const { url, stdout } = await serve()
    expect(addressesIn(stdout())).toEqual([
      ['production', `${url}/v1`],
      ['staging', `${url}/staging/v1`],
      ['quickstart', url],
    ])
  })

  function addressesIn(banner: string): (string | undefined)[][] {
    return [...banner.matchAll(/^ {2}(\w+) +(http:\S+)$/gm)].map(([, name, address]) => [name, address])
  }

  it('shows every operation with its effect, and what is deprecated until when', async () => {
    const { stdout } = await serve()
    const rows = stdout()
      .split('\n')
      .filter((line) => /^ {2}[A-Z]+ +\//.test(line))
      .map((line) => line.trim().split(/ {2,}/))
    expect(rows).toEqual([
      ['GET', '/pets', 'list', 'production, staging'],
      ['POST', '/pets', 'create', 'production, staging'],
      ['GET', '/pets/{petId}', 'read', 'production, staging', 'deprecated, until 2030-12-05, use GET /pets'],
      ['GET', '/store/orders', 'undescribed', 'production, staging', 'its success is not described: 501'],
      ['POST', '/messages', 'create', 'quickstart'],
    ])
  })

  it('names a key that works, and another that sees other data', async () => {
    const { url, stdout } = await serve()
    const key = /The key "(\S+)" works/.exec(stdout())?.[1] ?? ''
    const other = /another key, (\S+)-<any name>, sees other data/.exec(stdout())?.[1] ?? ''
    expect(await (await addPet(url, 'Only mine', { Authorization: `Bearer ${key}` })).json()).toMatchObject({ id: 121 })
    expect((await listPets({ url }, '', key))[0]).toMatchObject({ name: 'Only mine' })
    expect((await listPets({ url }, '', `${other}-me`))[0]).not.toMatchObject({ name: 'Only mine' })
    expect(await statusFor(url, `${other}-me`)).toBe(200)
  })

  it('says that a restart resets everything, and it does', async () => {
    const first = await serve()
    expect(first.stdout()).toContain('A restart resets everything.')
    const before = await listPets(first)
    await addPet(first.url)
    expect(await listPets(first)).not.toEqual(before)
    await first.stop()
    expect(await listPets(await serve())).toEqual(before)
  })

  it('has a curl line that works when it is pasted into a shell as it is', async () => {
    const server = await serve()
    const line = /^ {2}(curl .*)$/m.exec(server.stdout())?.[1] ?? ''
    const { code, stdout } = await run([], { command: ['sh', '-c', line] })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual(await listPets(server, '?limit=3'))
  })

  it('ends with the line that scripts wait for, and health is 200 by then', async () => {
    const program = start(['--port', '0'])
    const url = await untilReady(program)
    expect((await fetch(`${url}/_sandbox/health`)).status).toBe(200)
    const { port } = new URL(url)
    expect(program.stdout().split('\n').slice(-2)).toEqual([
      `petstore-sandbox is ready on http://127.0.0.1:${port}`,
      '',
    ])
  })

  it('names the keys that were given', async () => {
    const { stdout } = await serve(['--api-key', 'first', '--api-key', 'second'])
    expect(stdout()).toContain('The key "first" works; so do second, and each sees its own data.')
  })
})

interface OptionCase {
  option: string
  value: string
  /** What goes on the command line. @default the option with its value */
  args?: readonly string[]
  /** What somebody sees of it. */
  look(server: RunningProgram): Promise<unknown>
  /** What is seen with the option, and is not without. */
  shows: unknown
}

const options: readonly OptionCase[] = [
  { option: 'host', value: 'localhost', look: async ({ url }) => new URL(url).hostname, shows: 'localhost' },
  {
    option: 'api-key',
    value: 'first,second',
    args: ['--api-key', 'first', '--api-key', 'second'],
    look: ({ url }) => Promise.all(['first', 'second', 'sandbox'].map((key) => statusFor(url, key))),
    shows: [200, 200, 401],
  },
  { option: 'scenario', value: 'empty', look: async (server) => (await listPets(server)).length, shows: 0 },
  { option: 'records', value: '3', look: async (server) => (await listPets(server)).length, shows: 3 },
  {
    option: 'spec',
    value: books,
    look: async ({ url }) => (await (await fetch(`${url}/_sandbox/openapi.json`)).json()).info.title,
    shows: 'Book Shelf',
  },
  { option: 'cors', value: 'false', look: allowedOrigin, shows: null },
  {
    option: 'max-body',
    value: '1k',
    look: async ({ url }) => [
      (await addPet(url, 'x'.repeat(980))).status,
      (await addPet(url, 'x'.repeat(1000))).status,
    ],
    shows: [201, 413],
  },
  {
    option: 'log',
    value: 'json',
    look: async ({ url, stop }) => {
      await statusFor(url, 'sandbox')
      return (await stop()).stderr.slice(0, 8)
    },
    shows: '{"time":',
  },
  {
    option: 'at',
    value: '2030-12-05T00:00:00Z',
    look: async ({ url }) => {
      const [pet] = await listPets({ url })
      const response = await fetch(`${url}/v1/pets/${pet?.id}`, { headers: { Authorization: 'Bearer sandbox' } })
      return (await response.json()).code
    },
    shows: 'removed',
  },
]

async function allowedOrigin({ url }: RunningProgram): Promise<string | null> {
  const response = await fetch(`${url}/v1/pets`, { headers: { Origin: 'https://app.example' } })
  return response.headers.get('access-control-allow-origin')
}

function toVariable(option: string): string {
  return `PETSTORE_SANDBOX_${option.toUpperCase().replaceAll('-', '_')}`
}

describe('options', () => {
  it.each(options)('obeys --$option', async ({ option, value, args = [`--${option}`, value], look, shows }) => {
    expect(await look(await serve(args))).toEqual(shows)
  })

  it.each(options.map((each) => ({ ...each, variable: toVariable(each.option) })))(
    'obeys $variable=$value',
    async ({ variable, value, look, shows }) => {
      expect(await look(await serve([], { env: { [variable]: value } }))).toEqual(shows)
    },
  )

  it.each(options)('is otherwise without --$option', async ({ look, shows }) => {
    expect(await look(await serve())).not.toEqual(shows)
  })

  it.each([
    { source: '--seed 7', args: ['--seed', '7'], launch: {} },
    { source: 'PETSTORE_SANDBOX_SEED=7', args: [], launch: { env: { PETSTORE_SANDBOX_SEED: '7' } } },
  ])('generates from $source what any other start with that seed does', async ({ args, launch }) => {
    const server = await serve(['--records', '30', ...args], launch)
    const again = await startServer({ port: 0, records: 30, seed: 7 })
    const other = await startServer({ port: 0, records: 30, seed: 8 })
    onTestFinished(async () => void (await Promise.all([again.close(), other.close()])))
    const pets = await listPets(server, '?limit=100')
    expect(pets).toHaveLength(30)
    expect(pets).toEqual(await listPets(again, '?limit=100'))
    expect(pets).not.toEqual(await listPets(other, '?limit=100'))
  })

  it('reads a scenario from a file, every digit of it', async () => {
    const { url } = await serve(['--scenario', join(folder, 'two-pets.json')])
    const response = await fetch(`${url}/v1/pets`, { headers: { Authorization: 'Bearer sandbox' } })
    expect(await response.text()).toBe(
      '[{"id":9007199254740993,"name":"Uwe","categoryId":2},{"id":7,"name":"Ida","categoryId":1}]',
    )
  })

  it.each([[['--no-cors']], [['--cors', 'off']], [['--cors', '0']]])(
    'answers no other origin with %j',
    async (args) => {
      expect(await allowedOrigin(await serve(args))).toBeNull()
    },
  )

  it.each([[[]], [['--cors']], [['--cors', 'yes']]])('answers any origin with %j', async (args) => {
    expect(await allowedOrigin(await serve(args))).toBe('https://app.example')
  })

  it('lets the command line decide before the environment', async () => {
    const server = await serve(['--scenario', 'empty'], { env: { PETSTORE_SANDBOX_SCENARIO: 'default' } })
    expect(await listPets(server)).toEqual([])
    expect(await allowedOrigin(await serve(['--no-cors'], { env: { PETSTORE_SANDBOX_CORS: 'true' } }))).toBeNull()
  })

  // Which port was chosen is seen from the refusal of one that is taken: so no free one has to be guessed.
  it.each([
    { sources: ['flag', 'own', 'common'], chosen: 'flag' },
    { sources: ['flag', 'common'], chosen: 'flag' },
    { sources: ['own', 'common'], chosen: 'own' },
    { sources: ['common'], chosen: 'common' },
  ] as const)('takes the port from $chosen when there is $sources', async ({ sources, chosen }) => {
    const ports = { flag: await takenPort(), own: await takenPort(), common: await takenPort() }
    const given = (source: keyof typeof ports) => (sources.some((each) => each === source) ? `${ports[source]}` : '')
    const { stderr, code } = await run(given('flag') ? ['-p', given('flag')] : [], {
      env: { PETSTORE_SANDBOX_PORT: given('own'), PORT: given('common') },
    })
    expect(stderr).toContain(`Port ${ports[chosen]} on 127.0.0.1 is in use`)
    expect(code).toBe(2)
  })

  it('takes port 4010 when none is given', async () => {
    // It is free or not, as it happens on this machine.
    const said = await untilReady(start([])).catch((error: Error) => error.message)
    expect(said).toMatch(/^http:\/\/127\.0\.0\.1:4010$|Port 4010 on 127\.0\.0\.1 is in use/)
  })

  it('listens where it is told to', async () => {
    const port = await freePort()
    expect(await untilReady(start([`--port=${port}`]))).toBe(`http://127.0.0.1:${port}`)
  })
})

describe('commands', () => {
  it.each([[['-h']], [['--help']], [['serve', '-h']], [['serve', '--help']], [['help', 'serve']]])(
    'explains every option and its variable with %j',
    async (args) => {
      const { code, stdout, stderr } = await run(args)
      for (const { option } of [...options, { option: 'port' }, { option: 'seed' }]) {
        expect(stdout).toMatch(new RegExp(`^ +(-\\w, )?--${option} [<[]`, 'm'))
        expect(stdout).toMatch(new RegExp(`^ +${toVariable(option)}$`, 'm'))
      }
      expect(stdout).toContain('-h, --help')
      expect(stderr).toBe('')
      expect(code).toBe(0)
    },
  )

  it.each(['-V', '--version'])('prints its version with %s', async (flag) => {
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    expect(await run([flag])).toEqual({ code: 0, signal: null, stdout: `${version}\n`, stderr: '' })
  })

  it('serves when it is told to by name', async () => {
    const url = await untilReady(start(['serve', '-p', '0', '--scenario', 'empty']))
    expect(await listPets({ url })).toEqual([])
  })

  it('serves by npm start, until Ctrl-C', async () => {
    const program = start(['--', '--port', '0'], { command: ['npm', 'start'], isGroup: true })
    const url = await untilReady(program)
    expect(await statusFor(url, 'sandbox')).toBe(200)
    program.signal('SIGINT')
    expect((await program.ended).stderr).not.toMatch(stackTrace)
    await untilRefused(Number(new URL(url).port))
  })

  it('serves another document with generated data', async () => {
    const { url, stdout } = await serve(['--spec', books])
    const headers = { 'X-API-Key': 'sandbox', 'Content-Type': 'application/json' }
    expect(stdout()).toContain('Book Shelf 2.0.0')
    expect(stdout()).toMatch(/^ {2}DELETE +\/books\/\{bookId\} +remove +deprecated, until 2028-01-01$/m)
    const before = await (await fetch(`${url}/api/books?limit=50`, { headers })).json()
    expect(before.items).toHaveLength(20)
    const body = JSON.stringify({ title: 'Momo', pages: 304 })
    const created = await (await fetch(`${url}/api/books`, { method: 'POST', headers, body })).json()
    const after = await (await fetch(`${url}/api/books?limit=50`, { headers })).json()
    expect(after.items).toEqual([created, ...before.items])
    const line = /^ {2}(curl .*)$/m.exec(stdout())?.[1] ?? ''
    const pasted = await run([], { command: ['sh', '-c', line] })
    expect(JSON.parse(pasted.stdout).items).toEqual(after.items.slice(0, 3))
  })
})

interface WrongUse {
  name: string
  args?: readonly string[]
  env?: Record<string, string>
  /** What the message names: the value, and the way out. */
  says: readonly (string | RegExp)[]
}

const wrongUses: readonly WrongUse[] = [
  { name: 'an unknown option', args: ['--prot', '1'], says: ["'--prot'", 'Did you mean --port?', '--help'] },
  { name: 'an unknown command', args: ['serv'], says: ['"serv"', '--help'] },
  { name: 'an argument too many', args: ['serve', 'now'], says: ['"now"', '--help'] },
  { name: 'a port without a number', args: ['--port'], says: ['--port <number>', 'missing', '--help'] },
  { name: 'a port that is a word', args: ['-p', 'abc'], says: ['--port', '"abc"', 'from 0 to 65535'] },
  { name: 'a port that is too high', args: ['-p', '65536'], says: ['--port', '"65536"', 'from 0 to 65535'] },
  { name: 'a port below 0', args: ['--port=-1'], says: ['--port', '"-1"', 'from 0 to 65535'] },
  { name: 'a port that is a fraction', args: ['-p', '4010.5'], says: ['--port', '"4010.5"', 'a whole number'] },
  {
    name: 'half a number of records',
    args: ['--records', '1.5'],
    says: ['--records', '"1.5"', 'a whole number from 0'],
  },
  { name: 'a seed below 0', args: ['--seed', '-1'], says: ['--seed', '"-1"', 'a whole number from 0'] },
  { name: 'an unknown unit of bytes', args: ['--max-body', '5x'], says: ['--max-body', '"5x"', '64k or 1m'] },
  { name: 'a log format that there is not', args: ['--log', 'xml'], says: ['--log', "'xml'", 'pretty, json, none'] },
  { name: 'neither yes nor no', args: ['--cors', 'maybe'], says: ['--cors', '"maybe"', 'true or false'] },
  { name: 'a time that is none', args: ['--at', 'tomorrow'], says: ['"tomorrow"', '2030-12-05T00:00:00Z'] },
  { name: 'a key that no header can carry', args: ['--api-key', 'my key'], says: ['"my key"', 'ASCII without spaces'] },
  { name: 'an address of another machine', args: ['--host', '203.0.113.7'], says: ['203.0.113.7', 'no such address'] },
  {
    name: 'data from two sources',
    args: ['--records', '3', '--scenario', 'empty'],
    says: [/scenario.*records.*not both/],
  },
  {
    name: 'an unknown scenario',
    args: ['--scenario', 'emtpy'],
    says: ['"emtpy"', 'default', 'any JSON file by its path'],
  },
  {
    name: 'a scenario that is not there',
    args: ['--scenario', './none.json'],
    says: ['"./none.json"', 'no such file'],
  },
  { name: 'a folder as a scenario', args: ['--scenario', './a-folder'], says: ['"./a-folder"', 'it is a folder'] },
  {
    name: 'a scenario with a bad record',
    args: ['--scenario', './bad-record.json'],
    says: ['"./bad-record.json"', 'pets[1]', 'name must be a string', 'available, pending, sold (got "gone")'],
  },
  {
    name: 'a scenario with an unknown collection',
    args: ['--scenario', './no-such-collection.json'],
    says: ['"dogs"', 'the collections are pets, messages'],
  },
  {
    name: 'a scenario that is cut short',
    args: ['--scenario', './cut-short.json'],
    says: ['"./cut-short.json"', 'A scenario is a JSON object such as'],
  },
  { name: 'a document that is not there', args: ['--spec', 'none.yaml'], says: ['"none.yaml"', 'no such file'] },
  { name: 'a folder as a document', args: ['--spec', 'a-folder'], says: ['"a-folder"', 'it is a folder'] },
  { name: 'a document that is not text', args: ['--spec', 'not-utf-8.yaml'], says: ['"not-utf-8.yaml"', 'not UTF-8'] },
  {
    name: 'a bad port in the environment',
    env: { PETSTORE_SANDBOX_PORT: 'abc' },
    says: ['PETSTORE_SANDBOX_PORT', '"abc"'],
  },
  { name: 'a bad port that others set', env: { PORT: 'abc' }, says: ['variable PORT', '"abc"', 'from 0 to 65535'] },
  {
    name: 'a bad log format in the environment',
    env: { PETSTORE_SANDBOX_LOG: 'xml' },
    says: ['PETSTORE_SANDBOX_LOG', 'json'],
  },
  {
    name: 'a bad switch in the environment',
    env: { PETSTORE_SANDBOX_CORS: 'maybe' },
    says: ['PETSTORE_SANDBOX_CORS', '"maybe"'],
  },
]

describe('wrong use', () => {
  it.each(wrongUses)('is told plainly: $name', async ({ args = [], env, says }) => {
    // With any free port, so that nothing else is wrong.
    const { code, stdout, stderr } = await run(args, { cwd: folder, env: env ?? { PETSTORE_SANDBOX_PORT: '0' } })
    for (const part of says) expect(stderr).toMatch(typeof part === 'string' ? literally(part) : part)
    expect(stderr).not.toMatch(stackTrace)
    expect(stdout).toBe('')
    expect(code).toBe(2)
  })

  const literally = (text: string) => new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))

  it.each([
    { file: 'syntax.yaml', place: '3:10', line: '  title: Shelf: Books', says: 'Failed to read the document' },
    {
      file: 'syntax.json',
      place: '3:30',
      line: '  "info": { "title": "Shelf" "version": "1.0.0" }',
      says: 'Failed to read',
    },
    { file: 'empty.yaml', place: '1:1', line: '', says: '"openapi"' },
    { file: 'swagger.yaml', place: '1:1', line: 'swagger: "2.0"', says: 'convert the document to OpenAPI 3.0 or 3.1' },
    { file: 'no-info.yaml', place: '1:1', line: 'openapi: 3.1.0', says: 'info' },
    { file: 'bad-path.yaml', place: '4:3', line: '  books:', says: '"books"' },
    {
      file: 'bad-reference.yaml',
      place: '7:9',
      line: '        "200": { $ref: "#/components/responses/Books" }',
      says: '#/components/responses/Books',
    },
  ])('shows the place in $file: $place', async ({ file, place, line, says }) => {
    const [row = '', column = ''] = place.split(':')
    const { code, stdout, stderr } = await run(['--spec', file, '--port', '0'], { cwd: folder })
    expect(stderr).toContain(`petstore-sandbox: ${file}:${place}: `)
    expect(stderr.split('\n')[0]).toContain(says)
    // The frame: the line under its number, and below it a mark at the column.
    expect(stderr).toContain(`\n> ${row} | ${line}\n    | ${' '.repeat(Number(column) - 1)}^\n`)
    expect(stderr).not.toMatch(stackTrace)
    expect(stdout).toBe('')
    expect(code).toBe(2)
  })

  it('tells that a port is in use, and two ways out', async () => {
    const port = await takenPort()
    const { code, stdout, stderr } = await run(['--port', String(port)])
    expect(stderr).toBe(
      `petstore-sandbox: Port ${port} on 127.0.0.1 is in use. Stop what listens there, or choose another port: ` +
        `--port ${port + 1}, or --port 0 for any free one\n`,
    )
    expect(stdout).toBe('')
    expect(code).toBe(2)
  })
})

describe('the end', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'comes by %s after the request in flight is answered, with 0',
    async (name) => {
      const program = await serve()
      const { finish } = await beginRequest(program.port, { Prefer: 'delay=1500' })
      program.signal(name)
      await untilRefused(program.port)
      const answer = await finish()
      expect(answer).toMatchObject({ status: 201, connection: 'close', body: { name: 'In flight' } })
      expect(await program.ended).toMatchObject({ code: 0, signal: null })
    },
  )

  it('comes with 0 when nothing is in flight', async () => {
    const program = await serve()
    expect(await program.stop()).toMatchObject({ code: 0, signal: null, stderr: '' })
  })

  // None of these would be closed by their time-outs before the test's own.
  it.each([
    { state: 'is kept alive after an answer', sent: 'GET /_sandbox/health HTTP/1.1\r\nHost: x\r\n\r\n' },
    { state: 'has sent nothing yet', sent: '' },
    { state: 'has sent half a head', sent: 'GET /v1/pets HTTP/1.1\r\nHo' },
  ])('does not wait for a connection that $state', { timeout: 9_000 }, async ({ sent }) => {
    const program = await serve()
    const socket = connect(program.port, '127.0.0.1')
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
    socket.on('error', () => {})
    await new Promise<void>((resolve) => socket.write(sent, () => resolve()))
    if (sent.endsWith('\r\n\r\n')) await new Promise((resolve) => socket.once('data', resolve))
    else await statusFor(program.url, 'sandbox')
    expect(await program.stop()).toMatchObject({ code: 0, signal: null })
    await closed
  })

  it('does not wait for the pool of a client that keeps its connections', { timeout: 9_000 }, async () => {
    const program = await serve()
    const agent = new Agent({ keepAlive: true, maxSockets: 4 })
    onTestFinished(() => agent.destroy())
    await Promise.all(
      Array.from({ length: 8 }, () => {
        return new Promise((resolve, reject) => {
          const outgoing = request(`${program.url}/_sandbox/health`, { agent }, (incoming) => {
            incoming.resume().on('end', resolve)
          })
          outgoing.on('error', reject).end()
        })
      }),
    )
    expect(await program.stop()).toMatchObject({ code: 0, signal: null })
  })

  it.each([
    { first: 'SIGINT', second: 'SIGINT', code: 130 },
    { first: 'SIGTERM', second: 'SIGINT', code: 130 },
    { first: 'SIGINT', second: 'SIGTERM', code: 143 },
  ] as const)('comes at once by $second after $first', { timeout: 20_000 }, async ({ first, second, code }) => {
    const program = await serve()
    const { finish } = await beginRequest(program.port, { Prefer: 'delay=60000' })
    const answer = finish().catch((error: NodeJS.ErrnoException) => error.code)
    program.signal(first)
    await untilRefused(program.port)
    // The first has been obeyed by now; what comes within a tenth of a second is the same press of Ctrl-C.
    await sleep(300)
    program.signal(second)
    expect(await program.ended).toMatchObject({ code, signal: null })
    expect(await answer).toBe('ECONNRESET')
  })

  it('takes a press of Ctrl-C that npm passes on as one signal', async () => {
    const program = await serve()
    const { finish } = await beginRequest(program.port)
    // It finds both when it wakes up, so none of them is late.
    program.signal('SIGSTOP')
    program.signal('SIGINT')
    program.signal('SIGTERM')
    program.signal('SIGCONT')
    await untilRefused(program.port)
    expect(await finish()).toMatchObject({ status: 201 })
    expect(await program.ended).toMatchObject({ code: 0, signal: null })
  })

  it('survives a client that goes away in the middle of its request', async () => {
    const program = await serve(['--log', 'json'])
    const socket = connect(program.port, '127.0.0.1')
    socket.write(
      'POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer sandbox\r\nContent-Type: application/json\r\n' +
        'Content-Length: 100\r\nExpect: 100-continue\r\n\r\n{"name"',
    )
    await new Promise((resolve) => socket.once('data', resolve))
    socket.destroy()
    expect(await statusFor(program.url, 'sandbox')).toBe(200)
    const { code, stderr } = await program.stop()
    expect(stderr).not.toMatch(stackTrace)
    expect(code).toBe(0)
  })
})

describe('the request log', () => {
  /** A request that is answered, one that is refused, one that is none of the service's. */
  async function callThree({ url }: RunningProgram): Promise<void> {
    await listPets({ url }, '?limit=3')
    await addPet(url, 'Kim', { Authorization: 'Bearer nobody' })
    await fetch(`${url}/_sandbox/health`)
  }

  it('has a line for each request', async () => {
    const program = await serve()
    await callThree(program)
    const { stdout, stderr } = await program.stop()
    expect(stderr.split('\n')).toEqual([
      expect.stringMatching(/^\d\d:\d\d:\d\d GET {4}\/v1\/pets\?limit=3 200 \d+\.\d ms$/),
      expect.stringMatching(/^\d\d:\d\d:\d\d POST {3}\/v1\/pets 401 \d+\.\d ms {2}\S.*key.*Bearer sandbox/),
      expect.stringMatching(/^\d\d:\d\d:\d\d GET {4}\/_sandbox\/health 200 \d+\.\d ms$/),
      '',
    ])
    expect(stdout).toMatch(/is ready on http:\S+\n$/)
  })

  it('is JSON for machines, line by line', async () => {
    const program = await serve(['--log', 'json'])
    await callThree(program)
    const { stderr } = await program.stop()
    const entries = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const common = { time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/), ms: expect.any(Number) }
    expect(entries).toEqual([
      { ...common, method: 'GET', target: '/v1/pets?limit=3', status: 200 },
      { ...common, method: 'POST', target: '/v1/pets', status: 401, refused: expect.stringContaining('key') },
      { ...common, method: 'GET', target: '/_sandbox/health', status: 200 },
    ])
  })

  it('is left out with none', async () => {
    const program = await serve(['--log', 'none'])
    await callThree(program)
    expect((await program.stop()).stderr).toBe('')
  })

  it('cannot be steered by what a request says', async () => {
    const program = await serve()
    // The control characters that JSON escapes, and those that it does not.
    for (const name of ['\u001b[2J\n12:00:00 GET /forged 200', '\u009b2J', '\u007f']) {
      await fetch(`${program.url}/v1/pets`, {
        method: 'POST',
        headers: { Authorization: 'Bearer sandbox', 'Content-Type': 'application/json' },
        body: JSON.stringify({ name: 'Kim', categoryId: name }),
      })
    }
    const lines = (await program.stop()).stderr.trimEnd().split('\n')
    expect(lines).toEqual(
      Array(3).fill(expect.stringMatching(/ POST {3}\/v1\/pets 400 .*categoryId must be an integer/)),
    )
    expect(lines.join('')).not.toMatch(/\p{Cc}/u)
  })

  it.each([
    { closed: ['stdout'], pipe: '| head -1' },
    { closed: ['stdout', 'stderr'], pipe: '2>&1 | head -1' },
  ] as const)('does not end the program when nobody reads on, as in $pipe', async ({ closed }) => {
    const port = await freePort()
    const program = start(['--port', String(port), '--log', 'json'])
    for (const name of closed) program.child[name]?.destroy()
    const url = `http://127.0.0.1:${port}`
    await untilAnswered(url)
    expect(await statusFor(url, 'sandbox')).toBe(200)
    program.signal('SIGTERM')
    const { code, stderr } = await program.ended
    expect(stderr).not.toMatch(stackTrace)
    expect(code).toBe(0)
  })

  it('goes on when it is piped into head', async () => {
    const port = await freePort()
    const command = ['sh', '-c', `"${process.execPath}" "${bin}" --port ${port} | head -1`] as const
    const program = start([], { command, isGroup: true })
    const url = `http://127.0.0.1:${port}`
    await untilAnswered(url)
    expect(await statusFor(url, 'sandbox')).toBe(200)
    program.signal('SIGTERM')
    const { stdout, stderr } = await program.ended
    expect(stdout).toMatch(/^petstore-sandbox \S+: Pet Store 1\.0\.0\n$/)
    expect(stderr).not.toMatch(stackTrace)
  })

  async function untilAnswered(url: string): Promise<void> {
    for (;;) {
      const status = await fetch(`${url}/_sandbox/health`).then(
        (response) => response.status,
        () => 0,
      )
      if (status === 200) return
      await sleep(20)
    }
  }
})
