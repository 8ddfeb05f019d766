/** `diff`: two versions of a document on the command line. */
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runWarm as run } from '../support/warm.js'

let folder: string

const old = `
openapi: 3.0.3
info: { title: Shelf, version: 1.0.0 }
paths:
  /books:
    get:
      parameters: [{ name: genre, in: query, schema: { type: string, enum: [novel, poetry] } }]
      responses:
        '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: 'book.yaml#/Book' } } } } }
  /brief:
    get:
      responses:
        '200': { description: ok, content: { application/json: { schema: { $ref: 'book.yaml#/Book' } } } }
`
const next = old
  .replace(', poetry', '')
  .replace('1.0.0', '2.0.0')
  .replace('  /brief:\n    get:', '  /brief:\n    get:\n      deprecated: true\n      x-sunset: 2026-01-01')
const book =
  'Book: { type: object, properties: { id: { type: string }, title: { type: string }, isbn: { type: string } } }'

interface Lock {
  calls: readonly string[]
  reads?: Record<string, string[]>
}

/** A lock of what calls of the list send, with what people wrote into it. */
function lockText({ calls, reads = {} }: Lock): string {
  const operation = {
    credentials: ['none'],
    parameters: { 'query genre': calls },
    types: [],
    body: {},
    responses: { 200: { types: ['application/json'], properties: ['[].id', '[].isbn', '[].title'] } },
  }
  return JSON.stringify({ version: 1, operations: { 'GET /books': operation }, reads })
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-sandbox-diff-'))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: folder })
  git('init', '--quiet')
  await mkdir(join(folder, 'api'))
  await writeFile(join(folder, 'api/shelf.yaml'), old)
  await writeFile(join(folder, 'api/book.yaml'), book)
  git('add', '.')
  git('commit', '--quiet', '--message', 'First')
  git('tag', 'v1')
  await writeFile(join(folder, 'api/shelf.yaml'), next)
  await writeFile(join(folder, 'api/book.yaml'), book.replace(', isbn: { type: string }', ''))
  await writeFile(join(folder, 'novels.json'), lockText({ calls: ['=novel'] }))
  await writeFile(join(folder, 'poems.json'), lockText({ calls: ['=poetry'] }))
  await writeFile(join(folder, 'reads.json'), lockText({ calls: ['=novel'], reads: { 'GET /books 200': ['[].isbn'] } }))
  await writeFile(join(folder, 'other.json'), lockText({ calls: [] }).replace('/books', '/nothing'))
  await writeFile(join(folder, 'broken.json'), '{\n  "version": 1,\n  oops\n}')
})

afterAll(() => rm(folder, { recursive: true }))

const versions = ['git:v1:api/shelf.yaml', 'api/shelf.yaml']

const diff = (args: readonly string[], cwd = folder) => run(['diff', ...args], { cwd })

describe('diff', () => {
  it.each([
    { args: [], exitCode: 1, found: 'value-removed GET /books query genre' },
    { args: [], exitCode: 1, found: 'FAILED: 3 errors and 1 warning' },
    { args: ['--fail-on', 'never'], exitCode: 0, found: 'passed: 3 errors and 1 warning' },
    { args: ['--lock', 'novels.json'], exitCode: 0, found: '0 of 4 changes are about your code, 1 may be' },
    { args: ['--lock', 'poems.json'], exitCode: 1, found: '1 of 4 changes is about your code, 1 may be' },
    {
      args: ['--lock', 'reads.json'],
      exitCode: 1,
      found: 'error response-property-removed GET /books response 200 [].isbn',
    },
    { args: ['--sunset-within', '30'], exitCode: 1, found: 'error operation-deprecated GET /brief' },
    { args: ['--ignore', 'response-property-removed', '--ignore', 'value-removed'], exitCode: 0, found: 'passed' },
  ])('with $args reports "$found"', async ({ args, exitCode, found }) => {
    const { code, stdout } = await diff([...versions, ...args])
    expect(stdout).toContain(found)
    expect(code).toBe(exitCode)
  })

  it('finds nothing in one version', async () => {
    const { code, stdout } = await diff(['git:v1:api/shelf.yaml', 'git:v1:./shelf.yaml', '--all'], join(folder, 'api'))
    expect(stdout).toContain('passed: no findings')
    expect(code).toBe(0)
  })

  it('lists harmless changes on request', async () => {
    const back = [...versions].reverse()
    expect((await diff(back)).stdout).toContain('2 harmless changes left out; --all lists them')
    expect((await diff([...back, '--all'])).stdout).toContain('info response-property-added GET /books')
  })

  it('writes reports, and accepts known changes', async () => {
    const report = ['--report', 'json=report.json', '--report', 'sarif=report.sarif', '--baseline', 'known.json']
    const first = await diff([...versions, ...report, '--update-baseline'])
    expect(first.code).toBe(0)
    const second = await diff([...versions, ...report])
    expect(second.code).toBe(0)
    const { check, findings, document } = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'))
    expect(check).toBe('changes')
    expect(document).toMatchObject({ title: 'Shelf', version: '2.0.0', file: 'api/shelf.yaml' })
    const removed = findings.find(({ rule }: { rule: string }) => rule === 'response-property-removed')
    expect(removed).toMatchObject({ isKnown: true, place: { file: 'git:v1:api/book.yaml', line: 1 } })
  })

  it.each([
    { args: ['api/shelf.yaml'], message: "missing required argument 'new'" },
    { args: ['api/shelf.yaml', 'none.yaml'], message: 'there is no such file' },
    { args: ['git:v9:api/shelf.yaml', 'api/shelf.yaml'], message: 'git:v9:api/shelf.yaml' },
    { args: ['git:v1:none.yaml', 'api/shelf.yaml'], message: 'git:v1:none.yaml' },
    { args: ['git:v1', 'api/shelf.yaml'], message: 'git:<ref>:<path> (got "git:v1")' },
    { args: ['git:--help:x', 'api/shelf.yaml'], message: 'git:<ref>:<path>' },
    { args: [...versions, '--lock', 'none.json'], message: 'there is no such file; write it with' },
    { args: [...versions, '--lock', 'broken.json'], message: 'broken.json:3' },
    { args: [...versions, '--lock', 'other.json'], message: 'other.json' },
    { args: [...versions, '--report', 'json=api/shelf.yaml'], message: 'a report would replace it' },
    { args: [...versions, '--ignore', 'nothing'], message: 'Unknown rule "nothing"' },
  ])('refuses $args', async ({ args, message }) => {
    const { code, stderr } = await diff(args)
    expect(stderr).toContain(message)
    expect(code).toBe(2)
  })
})
