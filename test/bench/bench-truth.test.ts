/** The benchmarks of real servers and in-house programs: what they require, and what they count. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { root } from '../support/launch.js'

const { judgeAnswers } = await import(join(root, 'bench/truth/judge-answers.js'))
const { listChanges } = await import(join(root, 'bench/truth/report.js'))
const { listChanges: listChangedPrograms } = await import(join(root, 'bench/inhouse/report.js'))

let folder: string
const bench = (...args: string[]) =>
  spawnSync(process.execPath, [join(root, 'bench/run.js'), ...args], { encoding: 'utf8', timeout: 240_000 })

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bench-truth-'))
  const write = (path: string, text: string) => {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  write('truth/pets/openapi.json', JSON.stringify(document))
  write('truth/pets/exchanges.json', JSON.stringify(recording))
  write('truth/pets/again.json', JSON.stringify(recording))
  write('lacking/pets/exchanges.json', JSON.stringify(recording))
  write('inhouse/docs/pets.json', '{}')
  write('inhouse/programs/pets.mjs', '')
  write('inhouse/run-all.mjs', runner)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const pet = { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } }
const json = { 'application/json': { schema: pet } }
const document = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  paths: {
    '/pets': {
      post: { requestBody: { content: json }, responses: { 201: { description: 'ok', content: json } } },
    },
    '/pets/{id}': {
      parameters: [{ in: 'path', name: 'id', required: true, schema: { type: 'integer' } }],
      get: { responses: { 200: { description: 'ok', content: json }, 404: { description: 'none' } } },
    },
  },
}
const step = { query: null, body: null, sent: {}, phase: 'one', status: 200, type: 'application/json', headers: {} }
const recording = {
  ...{ server: 'pets', prefix: '', from: 0, to: 0, ids: { tom: 70 } },
  exchanges: [
    {
      ...{ ...step, n: 0, label: 'create', method: 'POST', path: '/pets', gives: { tom: '/id' }, status: 201 },
      ...{ sent: { 'content-type': 'application/json' }, body: { name: 'Tom' }, res: { id: 70, name: 'Tom' } },
    },
    {
      ...step,
      n: 1,
      label: 'read',
      method: 'GET',
      path: '/pets/70',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a template of a recording
      uses: { '/path': '/pets/${tom}' },
      res: { id: 70, name: 'Tom' },
    },
    { ...step, n: 2, label: 'read another', method: 'GET', path: '/pets/71', res: { id: 71, name: 'Eve' } },
  ],
}
/** Instead of a runner that starts SANDBOX and runs the programs. */
const runner = `
import { writeFileSync } from 'node:fs'
const [name, , file] = process.argv.slice(2)
const checks = [{ source: 'doc', label: 'status', ok: process.env.SANDBOX !== undefined }, { source: 'code', label: 'a name', ok: false, got: 'x' }]
const steps = [{ id: 1, title: 'create', verdict: 'shallow', withoutCode: 'right', checks }]
writeFileSync(file, JSON.stringify({ programs: [{ name, steps }] }))
`

it.each([
  { args: ['truth'], message: 'truth requires --data <folder>. The folder must contain' },
  { args: ['truth', '--data', 'none'], message: 'There is no folder "none". The folder must contain' },
  { args: ['truth', '--data', 'lacking'], message: 'contains no again.json. The folder must contain' },
  { args: ['truth', '--data', 'inhouse'], message: 'contains no folder with exchanges.json. The folder must contain' },
  { args: ['truth', '--data', 'truth', '--only', 'dogs'], message: '--only takes names of servers: pets (got "dogs")' },
  {
    args: ['truth', '--data', 'truth', '--list', 'x'],
    message: '--list takes all, text, seed, shallow, wrong (got "x")',
  },
  {
    args: ['truth', '--record', 'truth', '--only', 'x'],
    message: '--only takes names of servers: homebridge, opencode',
  },
  { args: ['inhouse'], message: 'inhouse requires --data <folder>. The folder must contain' },
  { args: ['inhouse', '--data', 'truth'], message: 'run-all.mjs". The folder must contain' },
  { args: ['inhouse', '--data', 'inhouse', '--only', 'x'], message: '--only takes names of programs: pets (got "x")' },
])('$args is wrong use', ({ args, message }) => {
  const isFolder = (index: number) => args[index - 1] === '--data' && args[index] !== 'none'
  const { status, stderr } = bench(...args.map((each, index) => (isFolder(index) ? join(folder, each) : each)))
  expect(stderr).toContain(message)
  expect(status).toBe(2)
})

it('counts the answers of a sandbox that are as those of a real server', () => {
  const { stdout, stderr } = bench('truth', '--data', join(folder, 'truth'), '--list', 'all')
  expect(stdout, stderr).toMatch(/^pets +3 +2 +0 +0 +0 +1 +1 +66.7 % +66.7 % +66.7 %$/m)
  expect(stdout).toContain('pets 2 [read another] GET /pets/71: wrong\n    status: 200 | 404')
})

it('counts the steps and checks that the runner of a folder reports', () => {
  const { stdout, stderr } = bench('inhouse', '--data', join(folder, 'inhouse'), '--list', 'all')
  expect(stdout, stderr).toMatch(/^pets +1 +0 +1 +0 +0 +1 +0 +0 +0 +1\/1 +0\/0 +0\/1$/m)
  expect(stdout).toContain('pets 1 create: shallow\n    code: a name: got x')
})

const levels: { what: string; real: unknown; own: unknown; again?: unknown; level: string; status?: number }[] = [
  { what: 'the same', real: { name: 'Tom' }, own: { name: 'Tom' }, level: 'right' },
  { what: 'another id', real: { id: 7 }, own: { id: 9 }, level: 'right' },
  { what: 'another id than before', real: [{ id: 7 }, { id: 7 }], own: [{ id: 9 }, { id: 8 }], level: 'shallow' },
  { what: 'the id of a record in a text', real: 'about abcd', own: 'about wxyz', level: 'right' },
  { what: 'what is not determined', real: { code: 'a' }, again: { code: 'b' }, own: { code: 'c' }, level: 'right' },
  { what: 'an additional property', real: {}, own: { name: null }, level: 'shallow' },
  { what: 'a missing property', real: { size: 1 }, own: {}, level: 'shallow' },
  { what: 'a missing value that was sent', real: { name: 'Tom' }, own: {}, level: 'wrong' },
  { what: 'a list that is shorter', real: ['a', 'b'], own: ['a'], level: 'wrong' },
  { what: 'a list in another order', real: ['a', 'b'], own: ['b', 'a'], level: 'shallow' },
  { what: 'an empty body', real: { size: 1 }, own: null, level: 'wrong' },
  { what: 'other words of an error', real: { message: 'no' }, own: { message: 'No!' }, status: 404, level: 'text' },
  { what: 'a list of other words', real: { message: ['a'] }, own: { message: ['b'] }, status: 400, level: 'text' },
  { what: 'another property of an error', real: { message: 'a' }, own: { text: 'a' }, status: 400, level: 'shallow' },
]
const times = { from: Date.now(), to: Date.now() }
const judge = ({ real, own, again = real, status = 200 }: (typeof levels)[number]) => {
  const exchange = { ...step, n: 0, label: 'a', method: 'POST', path: '/a', body: { name: 'Tom' }, status }
  const of = (id: string, res: unknown) => ({ ids: { one: id }, ...times, exchanges: [{ ...exchange, res }] })
  const answers = [{ ...exchange, res: own }]
  const recorded = { first: of('abcd', real), second: of('abcd', again) }
  return judgeAnswers(recorded, { ids: { one: 'wxyz' }, ...times, answers })
}

it.each(levels)('an answer with $what is $level', (given) => {
  expect(judge(given)).toMatchObject([{ level: given.level }])
})

it('names the steps that changed since another build', () => {
  const [missing, right, ...other] = [levels[6], levels[0], levels[12]].map((each) => each && judge(each))
  const servers = (steps: unknown) => [{ name: 'pets', steps }]
  expect(listChanges(servers(right), servers(missing))).toEqual([
    'better pets 0 [a] POST /a: shallow → right, 1 → 0 differences',
    '1 better, 0 worse, 0 other',
  ])
  expect(listChanges(servers(other[0]), servers(other[0]))).toEqual(['0 better, 0 worse, 0 other'])
  const program = (ok: boolean, verdict: string) => {
    const checks = [{ source: 'doc', label: 'status', ok, got: 404 }]
    return [{ name: 'pets', steps: [{ id: 1, title: 'create', verdict, withoutCode: verdict, checks }] }]
  }
  expect(listChangedPrograms(program(false, 'wrong'), program(true, 'right'))).toEqual([
    'pets 1 create: right → wrong',
    '    now fails: doc: status: got 404',
    '1 steps changed',
  ])
})
