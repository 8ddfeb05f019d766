/** How the real program refuses wrong options and unreadable files. */
import { execFileSync } from 'node:child_process'
import { mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bin, root, run } from '../support/launch.js'
import { stackTrace, takenPort, writeFolder } from '../support/serving.js'
import { runWarm } from '../support/warm.js'

let folder: string
const notOrdinary = 'it is not an ordinary file'

beforeAll(async () => {
  folder = await writeFolder(files)
  await mkdir(join(folder, 'a-folder'))
  await writeFile(join(folder, 'huge'), '')
  await truncate(join(folder, 'huge'), 257 * 1024 ** 2)
  execFileSync('mkfifo', [join(folder, 'pipe'), join(folder, 'pipe.js')])
})

afterAll(() => rm(folder, { recursive: true }))

const files: Record<string, string | Uint8Array> = {
  'shelf.yaml': 'openapi: 3.1.0\ninfo: { title: Shelf, version: 1.0.0 }\npaths: { /a: { get: { responses: {} } } }\n',
  'pipe-ref.yaml': 'openapi: 3.1.0\ninfo: { title: Shelf, version: 1.0.0 }\npaths: { /a: { $ref: "./pipe" } }\n',
  'bad-record.json': '{"pets":[{"id":1,"name":"Ada","categoryId":1},{"id":2,"name":5,"categoryId":1,"status":"gone"}]}',
  'no-such-collection.json': '{"dogs":[]}',
  'cut-short.json': '{"pets":[',
  'not-utf-8.yaml': Uint8Array.of(0xff, 0xfe, 0x00),
  'empty.yaml': '',
  'syntax.yaml': 'openapi: 3.1.0\ninfo:\n  title: Shelf: Books\n  version: 1.0.0\npaths: {}\n',
  'syntax.json': '{\n  "openapi": "3.1.0",\n  "info": { "title": "Shelf" "version": "1.0.0" }\n}\n',
  'swagger.yaml': 'swagger: "1.2"\ninfo: { title: Shelf, version: 1.0.0 }\npaths: {}\n',
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

interface WrongUse {
  name: string
  args?: readonly string[]
  env?: Record<string, string>
  /** What the message names: the value, and the way out. */
  says: readonly (string | RegExp)[]
}

const wrongUses: readonly WrongUse[] = [
  { name: 'an unknown option', args: ['--prot', '1'], says: ["'--prot'", 'Did you mean --port?', '--help'] },
  {
    name: 'a store twice',
    args: ['--store', 'memory', '--store=file:x.db'],
    says: ["'--store <address>' is given twice"],
  },
  { name: 'a port twice', args: ['-p', '1', '--port', '2'], says: ["'-p, --port <number>' is given twice", '--help'] },
  { name: 'a flag twice', args: ['--strict', '--strict'], says: ["'--strict' is given twice"] },
  {
    name: 'an option of another command twice',
    args: ['explain', '--path', 'a', '--path=b'],
    says: ["'--path <text>' is given twice"],
  },
  { name: 'help for an unknown command', args: ['help', 'nonsense'], says: ['"nonsense"', '--help'] },
  { name: 'help for a misspelt command', args: ['help', 'chekc'], says: ['"chekc"', 'Did you mean check?'] },
  {
    name: 'an empty host to allow',
    args: ['--allow-host', ''],
    says: ['--allow-host', '(got "")', 'without a protocol'],
  },
  {
    name: 'an address as a host to allow',
    args: ['--allow-host', 'http://foo'],
    says: ['--allow-host', '(got "http://foo")'],
  },
  { name: 'a host to allow with a port', args: ['--allow-host', 'foo:80'], says: ['--allow-host', '(got "foo:80")'] },
  {
    name: 'an empty host to allow, from the environment',
    env: { PETSTORE_SANDBOX_ALLOW_HOST: 'one.example,' },
    says: ['PETSTORE_SANDBOX_ALLOW_HOST', '(got "")'],
  },
  { name: 'an empty command', args: ['run', '--', ''], says: ['"--"', '(got "")'] },
  { name: 'a document that is too large', args: ['--spec', './huge'], says: ['"./huge"', '256 MiB'] },
  { name: 'a document without an end', args: ['--spec', '/dev/zero'], says: ['"/dev/zero"', notOrdinary] },
  { name: 'a scenario without an end', args: ['--scenario', '/dev/zero'], says: ['"/dev/zero"', notOrdinary] },
  {
    name: 'a baseline without an end',
    args: ['run', '--baseline', '/dev/full', '--', 'true'],
    says: ['"/dev/full"', notOrdinary],
  },
  { name: 'a pipe as a document', args: ['--spec', './pipe'], says: ['"./pipe"', notOrdinary] },
  { name: 'a pipe as a watched document', args: ['--watch', '--spec', './pipe'], says: ['"./pipe"', notOrdinary] },
  {
    name: 'stdin as a watched document',
    args: ['--watch', '--spec', '/dev/stdin'],
    says: ['Failed to watch "/dev/stdin": it can be read only once'],
  },
  {
    name: 'a pipe as an overlay',
    args: ['--spec', 'pipe-ref.yaml', '--overlay', './pipe'],
    says: ['"./pipe"', notOrdinary],
  },
  { name: 'a pipe as a scenario', args: ['--scenario', './pipe'], says: ['"./pipe"', notOrdinary] },
  { name: 'a pipe in explain', args: ['explain', '--spec', './pipe'], says: ['"./pipe"', notOrdinary] },
  { name: 'a reference to a pipe', args: ['--strict', '--spec', 'pipe-ref.yaml'], says: ['pipe', notOrdinary] },
  {
    name: 'a pipe as a file to export to',
    args: ['export', 'msw', '--spec', 'shelf.yaml', '--out', 'pipe.js', '--force'],
    says: ['"pipe.js"', notOrdinary],
  },
  { name: 'an unknown command', args: ['serv'], says: ['"serv"', '--help'] },
  {
    name: 'a misspelt command',
    args: ['chekc', 'http://127.0.0.1'],
    says: ['"chekc"', 'Did you mean check?', '--help'],
  },
  { name: 'a misspelt command in capitals', args: ['EXPORT'], says: ['"EXPORT"', 'Did you mean export?'] },
  { name: 'a misspelt part of a command', args: ['export', 'mws'], says: ["'mws'", 'Did you mean msw?'] },
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
  ...['5/12/2030', '2024-02-30', '2030-12-05T00:00:00', '2030-12-05T10:00:60Z', '10000-01-01', ''].map((time) => ({
    name: `a time that is written as "${time}"`,
    args: ['--at', time],
    says: [`"${time}"`, 'RFC 3339', '2030-12-05T00:00:00Z'],
  })),
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
    const { code, stdout, stderr } = await runWarm(args, { cwd: folder, env: env ?? { PETSTORE_SANDBOX_PORT: '0' } })
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
    { file: 'swagger.yaml', place: '1:1', line: 'swagger: "1.2"', says: 'is not supported' },
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
    const { code, stdout, stderr } = await runWarm(['--spec', file, '--strict', '--port', '0'], { cwd: folder })
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

  it.each(['0.12.18', '8.17.0', '18.20.8', '20.18.3', '21.7.3', '22.11.0'])(
    'refuses Node.js %s, and names the versions that are supported',
    async (version) => {
      const { code, stdout, stderr } = await runOn(version)
      const { engines } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
      expect(stderr).toBe(
        `petstore-sandbox: Node.js ${version} is not supported; install a version in ${engines.node}\n`,
      )
      expect([code, stdout]).toEqual([2, ''])
    },
  )

  it.each(['20.19.0', '20.20.1', '22.12.0', '23.0.0', '24.1.0', '26.0.0', '100.0.0'])(
    'takes Node.js %s',
    async (version) => {
      expect(await runOn(version)).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
        stderr: '',
      })
    },
  )

  /** Runs the program as if Node.js had another version. The tests of the matrix run real ones. */
  async function runOn(version: string) {
    const script = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
    const pretend = join(await writeFolder({ 'pretend.cjs': script }), 'pretend.cjs')
    return run(['--version'], { command: [process.execPath, '--require', pretend, bin] })
  }

  it('checks the version in the syntax that every version of Node.js can parse', async () => {
    const code = (await readFile(bin, 'utf8')).replace(/\/\*.*?\*\/|\/\/.*/gs, '')
    expect(code).not.toMatch(/=>|`|\b(?:let|const|class|import|export|async|await|of)\b|\?\?|\?\.|\.\.\./)
  })
})
