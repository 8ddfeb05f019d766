/** `run --expect`: what must be true at the end of a run. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { run } from '../support/launch.js'
import { integer, list, named, object, text, toDocument } from '../support/sketch.js'

const loans = toDocument(
  {
    'GET /loans': { 200: list(named('Loan')) },
    'POST /loans': { body: object({ 'reader!': text }), 201: named('Loan') },
    'GET /loans/{loanId}': { 200: named('Loan') },
    'DELETE /loans/{loanId}': { 204: null },
  },
  { Loan: object({ 'id!': integer, 'reader!': text }) },
)

const script = `
const [base, key, requests] = [process.env.SANDBOX_URL, process.argv[3], JSON.parse(process.argv[2])]
for (const [method, path, body] of requests) {
  const headers = { 'Content-Type': 'application/json', ...(key && { 'Sandbox-World': key }) }
  await fetch(base + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
}
`

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'expect-'))
  await writeFile(join(folder, 'loans.json'), loans)
  await writeFile(join(folder, 'script.mjs'), script)
})
afterAll(() => rm(folder, { recursive: true }))

const lend = ['POST', '/loans', { reader: 'Ines' }]
const ofInes = { '/loans': [{ where: { reader: 'Ines' }, count: 1 }] }

async function judge(requests: unknown[], expectation: unknown, options: string[] = [], key: string[] = []) {
  const file = join(folder, 'expect.json')
  await writeFile(file, JSON.stringify(expectation))
  const command = [process.execPath, join(folder, 'script.mjs'), JSON.stringify(requests), ...key]
  return run(['run', join(folder, 'loans.json'), '--expect', file, ...options, '--', ...command])
}

it.each<[string, unknown[], unknown, number, string]>([
  ['what is expected', [lend], { records: ofInes, calls: { 'POST /loans': { max: 1 } } }, 0, 'passed'],
  ['a duplicate', [lend, lend], { records: ofInes }, 1, '2 records of /loans with {"reader":"Ines"}, expected 1'],
  ['another record that is gone', [lend, ['DELETE', '/loans/2']], { records: ofInes }, 1, 'loans "2" was removed'],
  ['a forbidden call', [lend], { unchanged: false, calls: { 'POST /loans': { max: 0 } } }, 1, 'was called once'],
  ['an unknown collection, before it starts', [lend], { records: { '/lones': [] } }, 2, 'the closest is "/loans"'],
])('judges %s', async (_, requests, expectation, code, said) => {
  const ended = await judge(requests, expectation)
  expect([ended.code, ended.stdout + ended.stderr]).toEqual([code, expect.stringContaining(said)])
})

it('fails about a world that nobody used', async () => {
  const { code, stdout, stderr } = await judge([lend], { unchanged: true }, [], ['other'])
  expect([code, stdout + stderr]).toEqual([1, expect.stringContaining('no request was of the world')])
})

it('compares with what a store had before', async () => {
  const store = ['--store', `file:${join(folder, 'store')}`]
  for (const reader of ['Ines', 'Otto']) {
    const expectation = { records: { '/loans': [{ where: { reader }, count: 1 }] } }
    expect(await judge([['POST', '/loans', { reader }]], expectation, store)).toMatchObject({ code: 0 })
  }
})
