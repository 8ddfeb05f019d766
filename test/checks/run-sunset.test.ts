/** `run --sunset-within`: calls of operations that end soon fail the run. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runWarm as run } from '../support/warm.js'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-sandbox-sunset-'))
})

afterAll(() => rm(folder, { recursive: true }))

/** Reads one pet, and returns the finding about it. */
async function readPet(args: readonly string[]) {
  const own = await mkdtemp(join(folder, 'a-'))
  const code = "fetch(process.env.PETSTORE_BASE_URL + '/pets/1', { headers: { Authorization: 'Bearer sandbox' } })"
  const { code: exitCode } = await run(
    ['run', ...args, '--report', 'json=report.json', '--', process.execPath, '-e', code],
    { cwd: own },
  )
  const { findings } = JSON.parse(await readFile(join(own, 'report.json'), 'utf8'))
  return { own, exitCode, finding: findings[0] }
}

describe('--sunset-within', () => {
  it.each([
    { now: '2030-11-20', args: [], severity: 'warning', exitCode: 0 },
    { now: '2030-11-20', args: ['--sunset-within', '14'], severity: 'warning', exitCode: 0 },
    { now: '2030-11-20', args: ['--sunset-within', '15'], severity: 'error', exitCode: 1 },
    { now: '2026-01-01', args: ['--sunset-within', '30'], severity: 'warning', exitCode: 0 },
  ])('of $args on $now makes a $severity', async ({ now, args, severity, exitCode }) => {
    const { finding, exitCode: found } = await readPet(['--at', `${now}T00:00:00Z`, ...args])
    expect(finding).toMatchObject({ rule: 'deprecated-operation', severity })
    expect(found).toBe(exitCode)
  })

  it.each(['-1', 'soon', '1.5'])('refuses %s', async (days) => {
    const { code, stderr } = await run(['run', '--sunset-within', days, '--', 'true'], { cwd: folder })
    expect(code).toBe(2)
    expect(stderr).toContain(`got "${days}"`)
  })
})

const document = `
openapi: 3.1.0
info: { title: Shelf, version: 1.0.0 }
components:
  schemas:
    Brief: { type: object, required: [id, title], properties: { id: { type: string }, title: { type: string } } }
    Book:
      allOf: [{ $ref: '#/components/schemas/Brief' }]
      required: [subtitle]
      properties: { subtitle: { type: string }, pages: { type: integer } }
paths:
  /books:
    get:
      operationId: listBooks
      parameters: [{ name: id, in: query, schema: { type: string } }]
      responses:
        '200': { description: ok, content: { application/json: { schema: { type: object, properties: { data: { type: array, items: { $ref: '#/components/schemas/Brief' } } } } } } }
  /books/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getBook
      deprecated: true
      x-sunset: 2099-01-01
      x-successor: { operationId: listBooks }
      description: Returns a book.
      responses:
        '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
`

it('names the properties of the lock that the successor lacks', async () => {
  const own = await mkdtemp(join(folder, 'b-'))
  await writeFile(join(own, 'shelf.yaml'), document)
  const code =
    "const get = (path) => fetch(process.env.SANDBOX_URL + path).then((answer) => answer.json()); get('/books').then(({ data }) => get('/books/' + data[0].id))"
  const judge = (args: readonly string[]) =>
    run(
      [
        'run',
        'shelf.yaml',
        '--lock',
        'use.json',
        '--report',
        'json=report.json',
        ...args,
        '--',
        process.execPath,
        '-e',
        code,
      ],
      { cwd: own },
    )
  expect((await judge(['--update-lock'])).code).toBe(0)
  await judge([])
  const { findings } = JSON.parse(await readFile(join(own, 'report.json'), 'utf8'))
  expect(findings.map(({ rule, help }: { rule: string; help: string }) => [rule, help])).toEqual([
    ['deprecated-operation', expect.stringMatching(/^Use GET \/books .*instead; its answer lacks (pages, )?subtitle$/)],
  ])
  // What people say that they read counts more than what is returned.
  const lock = JSON.parse(await readFile(join(own, 'use.json'), 'utf8'))
  await writeFile(join(own, 'use.json'), JSON.stringify({ ...lock, reads: { 'GET /books/{id} 200': ['title'] } }))
  await judge([])
  const again = JSON.parse(await readFile(join(own, 'report.json'), 'utf8'))
  expect(again.findings[0].help).not.toContain('lacks')
})
