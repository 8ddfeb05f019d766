/** Baselines of `run`: what they know stays the same from run to run, and hides nothing else. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../support/launch.js'
import { observe, type Sent } from '../support/observe.js'
import { runWarm } from '../support/warm.js'

const books = ['--spec', join(root, 'test/support/books.openapi.yaml')]
const withBookKey = { Authorization: null, 'X-API-Key': 'sandbox' }
const post = (body: string, headers: Sent['headers'] = {}): Sent => ({ method: 'POST', path: '/pets', body, headers })
const postBook = (book: object): Sent => ({
  ...post(JSON.stringify({ title: 'Momo', pages: 1, ...book }), withBookKey),
  path: '/books',
})
const labels = (count: number): Sent => postBook({ labels: Object.fromEntries(numbered(count)) })
const numbered = (count: number) => Array.from({ length: count }, (_, index) => [`label${index}`, index])
const expecting = (status: string): Sent => ({ path: '/pets', headers: { 'Sandbox-Expect': status } })

let folder: string
let file: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-sandbox-baseline-'))
  file = join(folder, 'known.json')
})

afterAll(() => rm(folder, { recursive: true }))

/** Writes a baseline of what is found. @returns its text */
async function baselineOf(sent: readonly Sent[], args: readonly string[] = []): Promise<string> {
  await rm(file, { force: true })
  await observe(sent, [...args, '--baseline', file, '--update-baseline'])
  return readFile(file, 'utf8')
}

const strict = ['--fail-on', 'info']

interface Pair {
  name: string
  known: Sent
  other: Sent
  args?: readonly string[]
  otherArgs?: readonly string[]
}

const different: readonly Pair[] = [
  {
    name: 'another kind in a query parameter',
    known: { path: '/pets?limit=undefined' },
    other: { path: '/pets?limit=1000' },
  },
  { name: 'the other bound', known: { path: '/pets?limit=1000' }, other: { path: '/pets?limit=0' } },
  {
    name: 'a parameter that is sent twice',
    known: { path: '/pets?limit=0' },
    other: { path: '/pets?limit=1&limit=2' },
  },
  {
    name: 'a property that is missing',
    known: post('{"name":5,"categoryId":1}'),
    other: post('{"categoryId":1}'),
  },
  { name: 'another property', known: post('{"name":5,"categoryId":1}'), other: post('{"name":"x","categoryId":"1"}') },
  { name: 'a body that is missing', known: post('{'), other: post('') },
  { name: 'a body that is too deep', known: post('{'), other: post('['.repeat(1000) + ']'.repeat(1000)) },
  {
    name: 'a body that is too large',
    known: post('{'),
    other: post(`"${'x'.repeat(300)}"`),
    args: ['--max-body', '200'],
  },
  {
    name: 'a media type that is missing',
    known: post('{}', { 'Content-Type': 'text/plain' }),
    other: post('{}', { 'Content-Type': null }),
  },
  {
    name: 'an encoding',
    known: post('{}', { 'Content-Type': 'text/plain' }),
    other: post('{}', { 'Content-Encoding': 'gzip' }),
  },
  { name: 'another status that was expected', known: expecting('400'), other: expecting('404') },
  { name: 'an expectation that cannot be read', known: expecting('400'), other: expecting('4000') },
  { name: 'more than is listed', known: labels(20), other: labels(21), args: books },
  { name: 'another undocumented path', known: { path: '/dogs/1' }, other: { path: '/cats/1' } },
]

const same: readonly Pair[] = [
  { name: 'another value', known: { path: '/pets?limit=1000' }, other: { path: '/pets?limit=2000' } },
  { name: 'another record', known: { path: '/pets/abc' }, other: { path: '/pets/xyz' } },
  {
    name: 'another day',
    known: { path: '/pets/1' },
    other: { path: '/pets/1' },
    args: ['--at', '2030-01-01T00:00:00Z'],
    otherArgs: ['--at', '2030-12-04T00:00:00Z'],
  },
  { name: 'another order of what was expected', known: expecting('400, 4xx, 400'), other: expecting('4XX,400') },
  {
    name: 'another key of a map',
    known: postBook({ labels: { one: 1 } }),
    other: postBook({ labels: { 'a.b': 1 } }),
    args: books,
  },
  { name: 'another number of violations', known: labels(21), other: labels(300), args: books },
  {
    name: 'another random property',
    known: post('{"name":"a","categoryId":1,"01JZX3Q8W4T5V6Y7Z8A9B0C1D2":1}'),
    other: post('{"name":"a","categoryId":1,"2f1d9e2c-7a3b-4c1d-9e8f-001122334455":1}'),
  },
  {
    name: 'another number of wrong items',
    known: post('{"name":"a","categoryId":1,"toys":[{"a":1}]}'),
    other: post('{"name":"a","categoryId":1,"toys":[{"a":1},{"a":2}]}'),
  },
  ...[
    ['1', '-20'],
    ['2f1d9e2c-7a3b-4c1d-9e8f-001122334455', '00000000-0000-4000-8000-000000000001'],
    ['2026-07-14', '2027-01-01T00%3A00%3A00Z'],
    ['14.07.2026', '1-1-2027'],
    ['20260714', 'test-1752480000000'],
    ['0123456789abcdef', '507f1f77bcf86cd799439011'],
    ['01JZX3Q8W4T5V6Y7Z8A9B0C1D2', 'V1StGXR8_Z5jdHi6B-myT'],
  ].map(([one, other]) => ({
    name: `${one} and ${other} in an undocumented path`,
    known: { path: `/dogs/${one}` },
    other: { path: `/dogs/${other}` },
  })),
]

describe('a baseline', () => {
  it.each(different)('does not hide $name', async ({ known, other, args = [] }) => {
    await baselineOf([known], args)
    const check = [...args, ...strict, '--baseline', file]
    expect((await observe([known], check)).code).toBe(0)
    const { code, findings } = await observe([known, other], check)
    expect(findings.filter(({ isKnown }) => !isKnown).length).toBeGreaterThan(0)
    expect(code).toBe(1)
  })

  it.each(same)('is the same with $name', async ({ known, other, args = [], otherArgs = args }) => {
    const first = await baselineOf([known], args)
    expect(JSON.parse(first).findings).not.toEqual([])
    expect((await observe([other], [...otherArgs, ...strict, '--baseline', file])).code).toBe(0)
    expect(await baselineOf([other], otherArgs)).toBe(first)
  })

  it('has one line for each finding: its rule, operation, place and kind', async () => {
    const text = await baselineOf([{ path: '/pets?limit=undefined' }, { path: '/pets?limit=1000&colour=red' }])
    expect(text.split('\n').slice(3, -3)).toEqual([
      '    "invalid-parameter GET /pets query limit maximum",',
      '    "invalid-parameter GET /pets query limit type",',
      '    "unknown-parameter GET /pets query colour"',
    ])
  })

  it('keeps what it knows when no request was sent, and calls none of it gone', async () => {
    const known = await baselineOf([{ path: '/pets?limit=0' }])
    for (const args of [[], ['--update-baseline']]) {
      const { code, stdout } = await runWarm(['run', '--baseline', file, ...args, '--', process.execPath, '-e', '0'])
      expect(code).toBe(1)
      expect(stdout).not.toContain('no longer found')
      expect(await readFile(file, 'utf8')).toBe(known)
    }
  })

  it('of an older version is refused before anything runs, with a way out that works', async () => {
    const old = '{"version":1,"findings":[{"id":"invalid-parameter GET /pets query limit","message":"x"}]}'
    await writeFile(file, old)
    const run = ['run', '--baseline', file, '--', process.execPath, '-e', '0']
    const { code, stdout, stderr } = await runWarm(run)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(`Failed to read the baseline "${file}": its version is 1`)
    expect(stderr).toContain('--update-baseline')
    expect(await readFile(file, 'utf8')).toBe(old)
    const sent: Sent[] = [{ path: '/pets?limit=0' }]
    expect((await observe(sent, ['--baseline', file, '--update-baseline'])).code).toBe(0)
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ version: 2, findings: [expect.any(String)] })
    expect((await observe(sent, ['--baseline', file])).code).toBe(0)
  })
})
