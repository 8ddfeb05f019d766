/** The benchmark of client libraries judges steps as `bench/clients/README.md` says. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { get } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { root } from '../support/launch.js'

interface Check {
  (isTrue: boolean, what: string, ofClass?: string): void
  equal(actual: unknown, expected: unknown, what: string, ofClass?: string): void
}

interface Given {
  kept: Record<string, { id: number }>
  check: Check & { wrong: Check }
  fails(call: () => unknown): Promise<Error>
}

interface Step {
  name?: string
  class?: string
  follows?: string[]
  run(given: Given): unknown
}

const load = (file: string) => import(join(root, 'bench/clients', file))
const { createKept, runStep } = await load('step.js')
const { nameClasses } = await load('name-classes.js')
const { listFailures, tableOfClasses, tableOfNeeds, toReport } = await load('report.js')
const { redirect } = await load('redirect.js')
const { startRecorder } = await load('recorder.js')
const { drawLots, lots } = await load('lots.js')
const { catalog } = await load('catalog.js')

const run = (step: Step, { kept = createKept(), before = {} } = {}) =>
  runStep(step, { kept }, new Map(Object.entries(before)))

const judged: { what: string; step: Step; outcome: string; findings?: string[]; before?: Record<string, string> }[] = [
  { what: 'nothing that fails', step: { run: ({ check }) => check(true, 'a') }, outcome: 'right' },
  {
    what: 'a check that fails',
    step: { run: ({ check }) => check(false, 'name') },
    outcome: 'shallow',
    findings: ['name'],
  },
  {
    what: 'another value',
    step: { run: ({ check }) => check.equal({ a: 1 }, { a: 2 }, 'body') },
    outcome: 'shallow',
    findings: ['body: {"a":1}, expected {"a":2}'],
  },
  {
    what: 'an equal value',
    step: { run: ({ check }) => check.equal({ a: [1] }, { a: [1] }, 'body') },
    outcome: 'right',
  },
  {
    what: 'a contradiction after a check that fails',
    step: {
      run: ({ check }) => {
        check(false, 'name')
        check.wrong.equal('closed', 'open', 'status')
      },
    },
    outcome: 'wrong',
    findings: ['name', 'status: "closed", expected "open"'],
  },
  {
    what: 'a contradiction that only lacks a value',
    step: { run: ({ check }) => check.wrong.equal(undefined, 'open', 'status') },
    outcome: 'shallow',
    findings: ['status: undefined, expected "open"'],
  },
  {
    what: 'an error that is thrown',
    step: { run: () => Promise.reject(new TypeError('no such\nthing')) },
    outcome: 'wrong',
    findings: ['TypeError: no such thing'],
  },
  {
    what: 'a call that should have failed',
    step: { run: ({ fails }) => fails(() => Promise.resolve({ id: 7 })) },
    outcome: 'wrong',
    findings: ['Error: expected an error, got {"id":7}'],
  },
  {
    what: 'a call that failed as it should',
    step: {
      run: async ({ check, fails }) =>
        check.equal((await fails(() => Promise.reject(new Error('no')))).message, 'no', 'why'),
    },
    outcome: 'right',
  },
]

it.each(judged)('a step with $what is $outcome', async ({ step, outcome, findings = [] }) => {
  const ran = await run(step)
  expect(ran).toMatchObject({ outcome, isConsequence: false })
  expect(ran.findings.map(({ what }: { what: string }) => what)).toEqual(findings)
})

it('a step that needs what no earlier step kept is wrong as a consequence', async () => {
  const ran = await run({ run: ({ kept }) => kept['order']?.id })
  expect(ran).toMatchObject({ outcome: 'wrong', isConsequence: true })
})

it('a step that reads what an earlier step kept is right', async () => {
  const kept = createKept()
  kept.order = { id: 7 }
  expect(
    await run({ run: ({ kept: given, check }) => check.equal(given['order']?.id, 7, 'id') }, { kept }),
  ).toMatchObject({
    outcome: 'right',
  })
})

it.each([
  { earlier: 'right', isConsequence: false },
  { earlier: 'shallow', isConsequence: true },
  { earlier: 'wrong', isConsequence: true },
])(
  'a failing step that follows one that is $earlier: consequence $isConsequence',
  async ({ earlier, isConsequence }) => {
    const step: Step = { follows: ['create'], run: ({ check }) => check(false, 'name') }
    expect(await run(step, { before: { create: earlier } })).toMatchObject({ outcome: 'shallow', isConsequence })
  },
)

const failed = (finding: object) => ({ outcome: 'wrong', isConsequence: false, findings: [finding] })

it.each([
  { what: 'the class of the check', finding: { class: 'keys' }, status: 415, names: ['keys'] },
  { what: 'the class of the step', finding: {}, status: 200, names: ['state'] },
  { what: 'the answer to what threw', finding: { isThrown: true }, status: 415, names: ['media-types'] },
  { what: 'a method that is not known', finding: { isThrown: true }, status: 405, names: ['methods'] },
  { what: 'a trailing slash', finding: { isThrown: true }, status: 404, path: '/a/?b', names: ['trailing-slash'] },
  { what: 'a refusal', finding: { isThrown: true }, status: 422, names: ['refusals'] },
  { what: 'the step, if the answer says nothing', finding: { isThrown: true }, status: 404, names: ['state'] },
])('names classes by $what', ({ finding, status, path = '/a', names }) => {
  expect(nameClasses(failed(finding), { class: 'state' }, [{ status, path }])).toEqual(names)
})

it('names no class for steps that are right or only follow a failure', () => {
  expect(nameClasses({ outcome: 'right', findings: [] }, { class: 'state' }, [])).toEqual([])
  expect(nameClasses({ ...failed({}), isConsequence: true }, { class: 'state' }, [])).toEqual([])
})

const steps = [
  { name: 'a', outcome: 'right', needs: 'document', classes: [], findings: [], isConsequence: false },
  { name: 'b', outcome: 'shallow', needs: 'leniency', classes: ['keys', 'times'], findings: [], isConsequence: false },
  { name: 'c', outcome: 'wrong', needs: 'overlay', classes: ['keys'], findings: [], isConsequence: false },
  { name: 'd', outcome: 'wrong', needs: 'more', classes: [], findings: [], isConsequence: true },
].map((step) => ({
  ...step,
  does: 'It does.',
  exchanges: [{ method: 'GET', path: '/x', status: 404, received: '{}' }],
}))
const measured = [{ name: 'stripe', outcome: 'measured', startMs: 500, firstMs: 5, steps }]
const reportOf = (earlier?: object) => toReport(measured, { title: 'ours', missing: [], minutes: 1, earlier })

it('counts steps by library, class and need', () => {
  const [libraries, ofClasses, ofNeeds] = reportOf().tables
  expect(libraries.rows.at(-1).slice(0, 6)).toEqual(['all', 4, '1 (25 %)', '1 (25 %)', '2 (50 %)', 1])
  expect(ofClasses.rows.map((row: unknown[]) => row.slice(1))).toEqual([
    [2, 1, 1, 1],
    [1, 0, 0, 1],
    [1, '', 1, ''],
  ])
  expect(ofNeeds.rows.map((row: unknown[]) => row.slice(1, 3))).toEqual([
    [1, '25 %'],
    [2, '50 %'],
    [3, '75 %'],
    [4, '100 %'],
  ])
  expect(tableOfClasses([]).rows).toHaveLength(1)
  expect(tableOfNeeds([]).rows).toHaveLength(4)
})

it('names the steps that changed since an earlier result', () => {
  const { data } = reportOf()
  expect(reportOf(data).lists[0].lines).toEqual([
    'no step changed',
    'in 1 programs: right 1 → 1, shallow 1 → 1, wrong 2 → 2',
  ])
  const earlier = structuredClone(data)
  earlier.programs[0].steps[2].outcome = 'right'
  expect(reportOf(earlier).lists[0].lines).toEqual([
    'stripe: c: right → wrong',
    'in 1 programs: right 2 → 1, shallow 1 → 1, wrong 1 → 2',
  ])
})

it('lists the failing steps of a class with requests and answers', () => {
  const lines = listFailures(measured, 'times')
  expect(lines).toEqual(['stripe: b: shallow (keys, times)', '  the service: It does.', '  GET /x', '  → 404  {}', ''])
  expect(listFailures(measured, 'all').filter((line: string) => line.startsWith('stripe'))).toHaveLength(3)
})

it('has two lots of six libraries, drawn by seed', () => {
  expect(drawLots(Object.keys(catalog))).toEqual(lots)
  expect(new Set([...lots[1], ...lots[2]]).size).toBe(12)
})

const server = createServer((incoming, outgoing) => {
  incoming.resume().on('end', () => outgoing.end(`${incoming.method} ${incoming.url}`))
})

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
})

afterAll(() => {
  server.close()
})

it('redirects https and fetch of given addresses, and records what is said', async () => {
  const recorder = await startRecorder((server.address() as AddressInfo).port)
  const restore = redirect({ 'https://api.example.com/v1': `http://127.0.0.1:${recorder.port}/base` })
  try {
    const [response] = await once(get('https://api.example.com/v1/pets?limit=2'), 'response')
    const chunks = await response.toArray()
    expect(Buffer.concat(chunks).toString()).toBe('GET /base/pets?limit=2')
    const posted = await fetch('https://api.example.com/v1/pets', { method: 'POST', body: 'hello' })
    expect(await posted.text()).toBe('POST /base/pets')
    const asked = await fetch(new Request('https://api.example.com/v1/pets/1', { method: 'DELETE' }))
    expect(await asked.text()).toBe('DELETE /base/pets/1')
  } finally {
    restore()
    recorder.close()
  }
  const kept = recorder.exchanges.map(({ method, path, sent, status }: Record<string, unknown>) => {
    return [method, path, String(sent), status]
  })
  expect(kept).toEqual([
    ['GET', '/base/pets?limit=2', '', 200],
    ['POST', '/base/pets', 'hello', 200],
    ['DELETE', '/base/pets/1', '', 200],
  ])
})
