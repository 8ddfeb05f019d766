/** One request that breaks the contract many times: messages, the journal and reports list the first times. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileDocument, createSandbox } from 'petstore-sandbox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withBody } from '../support/small-documents.js'
import { runWarm } from '../support/warm.js'

const count = 30_000
const names = Array.from({ length: count }, (_, index) => `name${index}`)
const long = 'x'.repeat(100_000)

interface Case {
  name: string
  schema: string
  body: unknown
  /** Violations that are not listed. */
  more: string
}

const cases: readonly Case[] = [
  {
    name: 'items of a list',
    schema: 'schema: { type: array, items: { type: string } }',
    body: names.map(() => 0),
    more: 'and 29,980 more',
  },
  {
    name: 'values of a map',
    schema: 'schema: { type: object, additionalProperties: { type: string } }',
    body: Object.fromEntries(names.map((name) => [name, 0])),
    more: 'and 29,980 more',
  },
  {
    name: 'properties that are not allowed',
    schema: 'schema: { type: object, additionalProperties: false }',
    body: Object.fromEntries(names.map((name) => [name, 0])),
    more: 'and 29,980 more',
  },
  {
    name: 'several kinds in each item',
    schema: 'schema: { type: array, items: { type: object, required: [a, b], properties: { c: { type: string } } } }',
    body: names.slice(0, 10_000).map(() => ({ c: 0 })),
    more: 'and 29,980 more',
  },
  {
    name: 'items below a long name',
    schema: 'schema: { type: object, additionalProperties: { type: array, items: { type: string } } }',
    body: { [long]: names.map(() => 0) },
    more: 'and 29,980 more',
  },
  {
    name: 'properties between long names',
    schema:
      'schema: { type: object, additionalProperties: { type: object, additionalProperties: { type: object, additionalProperties: { type: string } } } }',
    body: {
      [long.slice(0, 5000)]: Object.fromEntries(
        names.slice(0, 3000).map((name) => [name, { [long.slice(0, 200)]: 0 }]),
      ),
    },
    more: 'and 2,000 more',
  },
  {
    name: 'long names that are not allowed',
    schema: 'schema: { type: object, additionalProperties: false }',
    body: Object.fromEntries(names.slice(0, 21).map((name) => [`${name}${long.slice(0, 40_000)}`, 0])),
    more: 'and 1 more',
  },
]
const post = { method: 'POST', headers: { 'Content-Type': 'application/json' } }

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-sandbox-many-'))
})

afterAll(() => rm(folder, { recursive: true }))

describe('a message', () => {
  it.each(cases)('lists 20 and counts the others: $name', async ({ schema, body, more }) => {
    const { contract } = await compileDocument(withBody(schema))
    const sandbox = createSandbox({ contract })
    const response = await sandbox.fetch('http://127.0.0.1/xs', { ...post, body: JSON.stringify(body) })
    const { message } = await response.json()
    expect(message.endsWith(`; ${more}`), message.slice(-100)).toBe(true)
    const listed = message.split('; ').length
    expect(listed).toBe(listed > 2 ? 21 : 2)
    expect(message.length).toBeLessThan(10_000)
    const [exchange] = sandbox.journal.list()
    expect(exchange?.violations).toHaveLength(listed)
    expect(exchange?.violations?.at(-1)).toEqual({ in: 'body', at: '', rule: 'unlisted', message: more })
    expect(JSON.stringify(exchange?.violations).length).toBeLessThan(20_000)
  })

  it('lists all of 20', async () => {
    const { contract } = await compileDocument(withBody('schema: { type: array, items: { type: string } }'))
    const body = JSON.stringify(names.slice(0, 20).map(() => 0))
    const response = await createSandbox({ contract }).fetch('http://127.0.0.1/xs', { ...post, body })
    expect((await response.json()).message).toMatch(
      /^\[0\] must be a string \(got 0\); .*\[19\] must be a string \(got 0\)$/,
    )
  })

  it('counts those of a parameter', async () => {
    const document = {
      openapi: '3.1.0',
      info: { title: 'Xs', version: '1' },
      paths: {
        '/xs': {
          get: {
            parameters: [
              { name: 'ids', in: 'query', explode: false, schema: { type: 'array', items: { type: 'integer' } } },
            ],
            responses: { 200: { description: 'Fine' } },
          },
        },
      },
    }
    const { contract } = await compileDocument(JSON.stringify(document))
    const sandbox = createSandbox({ contract })
    const response = await sandbox.fetch(`http://127.0.0.1/xs?ids=${names.join()}`)
    expect((await response.json()).message).toMatch(/; and 29,980 more$/)
    expect(sandbox.journal.list()[0]?.violations?.every(({ in: place }) => place === 'query')).toBe(true)
  })
})

describe('a report', () => {
  const ignored: Case = {
    name: 'properties that are ignored',
    schema: 'schema: { type: object, properties: { a: { type: string } } }',
    body: Object.fromEntries(names.map((name) => [name, 0])),
    more: 'and 29,980 more in one request',
  }

  it.each([...cases, ignored])('stays short and counts the others: $name', async (each) => {
    const [spec, body] = [join(folder, 'many.yaml'), join(folder, 'body.json')]
    await writeFile(spec, withBody(each.schema))
    await writeFile(body, JSON.stringify(each.body))
    const code = `fetch(process.env.PETSTORE_BASE_URL + '/xs', { method: 'POST',
      headers: { 'Content-Type': 'application/json' }, body: require('fs').readFileSync(${JSON.stringify(body)}) })`
    const formats = ['json', 'text', 'junit', 'sarif', 'github', 'markdown']
    const reports = formats.flatMap((format) => ['--report', `${format}=${join(folder, format)}`])
    await runWarm(['run', '--spec', spec, ...reports, '--', process.execPath, '-e', code])
    for (const format of formats) {
      const text = await readFile(join(folder, format), 'utf8')
      expect(text, format).toContain(each.more)
      expect(text.length, format).toBeLessThan(100_000)
    }
    const { findings } = JSON.parse(await readFile(join(folder, 'json'), 'utf8'))
    expect(findings.length).toBeGreaterThan(1)
    expect(findings.length).toBeLessThanOrEqual(21)
  })
})
