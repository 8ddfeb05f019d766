/** Each command takes the document as an argument. */
import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { writeFolder } from '../support/serving.js'
import { runWarm } from '../support/warm.js'

const books = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Books', version: '7' },
  paths: { '/books': { get: { responses: { 200: { description: 'ok' } } } }, '/authors': { get: { responses: {} } } },
})

const two = JSON.stringify({
  ...JSON.parse(books),
  servers: [{ url: 'https://a.example' }, { url: 'https://b.example/x', description: 'Sandbox' }],
})

let folder: string
let url: string
const server = createServer((_, response) => response.end(books))

beforeAll(async () => {
  folder = await writeFolder({ 'books.json': books, plain: books, 'two.json': two })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true })
})

const call = (...args: string[]) => runWarm(args, { cwd: folder })

describe('explain', () => {
  it.each([
    ['a file', ['books.json'], ['/books', '/authors']],
    ['a file whose name has no dot', ['plain'], ['/books', '/authors']],
    ['a file and a part of a path', ['books.json', '/auth'], ['/authors']],
    ['a part of a path and a file', ['/auth', 'books.json'], ['/authors']],
    ['--spec and a part of a path', ['--spec', 'books.json', 'auth'], ['/authors']],
    ['a part of a path', ['orders'], ['/store/orders']],
  ])('takes %s', async (_, args, paths) => {
    const { code, stdout } = await call('explain', '--json', ...args)
    const { operations } = JSON.parse(stdout)
    expect([code, operations.map(({ path }: { path: string }) => path)]).toEqual([0, paths])
  })

  it('takes a URL', async () => {
    expect((await call('explain', `${url}/books.json`)).stdout).toContain('Books 7')
  })

  it('takes a URL and a part of a path', async () => {
    const { stdout } = await call('explain', `${url}/books.json`, 'authors')
    expect(stdout).not.toContain('/books ')
  })

  it.each([
    ['a folder', ['.git'], '".git"'],
    ['a part that no path of a document has', ['books.json', '/pets'], '"/pets"'],
    ['such a part with --json', ['--json', '/nowhere'], '"/nowhere"'],
  ])('refuses %s, and names both readings', async (_, args, quoted) => {
    const { code, stdout, stderr } = await call('explain', ...args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(quoted)
    expect(stderr).toMatch(/neither the file or URL of a document nor a part of a path of (Pet Store 1.0.0|Books 7)/)
  })

  it('names the missing file if it has the name of one', async () => {
    const { code, stderr } = await call('explain', 'book.yml')
    expect([code, stderr]).toEqual([2, expect.stringContaining('Failed to read "book.yml": there is no such file')])
  })

  it('refuses an empty argument', async () => {
    expect((await call('explain', '')).code).toBe(2)
  })

  it('names the missing file if a part of a path follows', async () => {
    expect(await call('explain', 'none.yaml', '/pets')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Failed to read "none.yaml"'),
    })
  })
})

describe('export msw', () => {
  it('takes a file', async () => {
    const out = join(folder, 'handlers.js')
    onTestFinished(() => rm(out))
    expect(await call('export', 'msw', 'books.json', '--out', out)).toMatchObject({ code: 0 })
  })

  it('requires a document', async () => {
    const { code, stderr } = await call('export', 'msw', '--out', 'none.js')
    expect([code, stderr]).toEqual([2, expect.stringContaining('name a document')])
  })
})

describe('check', () => {
  it.each([
    ['the address and a file', () => [url, 'books.json']],
    ['a file and the address', () => ['books.json', url]],
    ['the address and a URL', () => [url, `${url}/books.json`]],
  ])('takes %s', async (_, args) => {
    const { stdout } = await call('check', ...args(), '--fail-on', 'never')
    expect(stdout).toMatch(new RegExp(`checked: ${url} was sent .* compared with Books 7`))
  })
})

describe('run', () => {
  it('names a document that is there without a command', async () => {
    const { code, stderr } = await call('run', 'books.json')
    expect([code, stderr]).toEqual([2, expect.stringContaining('petstore-sandbox run books.json -- npm test')])
  })

  it('gives the address of a server that is called sandbox', async () => {
    const compare =
      'const { PETSTORE_SANDBOX_URL: a, OWN, SANDBOX_URL: b } = process.env; process.exit(a === OWN && a === b + "/x" ? 7 : 8)'
    const { code } = await call('run', 'two.json', '--env', 'OWN=sandbox', '--', 'node', '-e', compare)
    expect(code).toBe(7)
  })

  it('takes a file before the command', async () => {
    const { code, stdout } = await call('run', 'books.json', '--allow-no-requests', '--', 'true')
    expect([code, stdout]).toEqual([0, expect.stringContaining('compared with Books 7')])
  })

  it('refuses a word that is no document', async () => {
    const { code, stderr } = await call('run', 'nonsense', '--', 'true')
    expect([code, stderr]).toEqual([2, expect.stringContaining('only a document before "--" (got "nonsense")')])
  })
})

it.each(['serve', 'explain', 'export msw --out none.js', 'run'])('%s refuses two documents', async (command) => {
  const rest = command === 'run' ? ['--', 'true'] : []
  const { code, stderr } = await call(...command.split(' '), 'books.json', '--spec', 'plain', ...rest)
  expect([code, stderr]).toEqual([2, expect.stringContaining('not both "books.json" and --spec "plain"')])
})
