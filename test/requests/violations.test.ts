// Judging a consumer's requests in its own process: the rules of `run`, beside MSW and in tests of Vitest.
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setupServer } from 'msw/node'
import { compileDocument, createSandbox } from 'petstore-sandbox'
import { createHandlers } from 'petstore-sandbox/msw'
import { expectNoViolations, violations } from 'petstore-sandbox/testing'
import { createTest } from 'petstore-sandbox/vitest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../support/launch.js'

const base = 'https://api.petstore.example/v1'
const { handlers, sandbox } = createHandlers()
const server = setupServer(...handlers)
beforeAll(() => server.listen({ onUnhandledRequest: 'error', ...{ onUnhandledFrame: 'error' } }))
afterAll(() => server.close())

/** A consumer that hides every error. */
async function call(path: string, init: RequestInit = {}, key = 'sandbox'): Promise<void> {
  const headers = { Authorization: `Bearer ${key}`, ...(init.headers as Record<string, string>) }
  await fetch(`${base}${path}`, { ...init, headers }).catch(() => {})
}

describe('violations', () => {
  it('finds nothing in requests that keep the contract', async () => {
    await call('/pets?limit=2', {}, 'sandbox-kept')
    expect(await violations(sandbox, { key: 'sandbox-kept' })).toEqual([])
    await expectNoViolations(sandbox, { key: 'sandbox-kept' })
  })

  it('finds what the consumer hid, once for each place', async () => {
    await call('/pets?limit=all', {}, 'sandbox-hidden')
    await call('/pets?limit=none', {}, 'sandbox-hidden')
    const found = await violations(sandbox, { key: 'sandbox-hidden' })
    expect(found.map(({ id, count, severity }) => ({ id, count, severity }))).toEqual([
      { id: 'invalid-parameter GET /pets query limit type', count: 2, severity: 'error' },
    ])
    expect(found[0]?.requests).toEqual([`curl -H "authorization: Bearer $API_KEY" '${base}/pets?limit=all'`])
  })

  it('finds an unknown property once, also if it is refused', async () => {
    const inner = { type: 'object', properties: {}, additionalProperties: false }
    const schema = { type: 'object', properties: { size: inner }, unevaluatedProperties: false }
    const requestBody = { content: { 'application/json': { schema } } }
    const paths = {
      '/cups': { post: { requestBody, responses: { 201: { description: 'ok' }, 400: { description: 'no' } } } },
    }
    const document = { openapi: '3.1.0', info: { title: 'Cups', version: '1' }, paths }
    const { contract } = await compileDocument(JSON.stringify(document))
    const cups = createSandbox({ contract })
    const headers = { 'Content-Type': 'application/json' }
    const body = '{"colour":"red","size":{"width":3}}'
    await cups.fetch('http://localhost/cups', { method: 'POST', headers, body })
    expect((await violations(cups)).map(({ id, message }) => [id, message])).toEqual([
      ['invalid-body POST /cups body size additionalProperties', 'size.width is not allowed'],
      ['invalid-body POST /cups body unevaluatedProperties', 'colour is not allowed'],
    ])
  })

  it('finds requests that opened no world by the key that they carry', async () => {
    await call('/nowhere', {}, 'sandbox-lost')
    await call('/nowhere', {}, 'sandbox-lost-2')
    const found = await violations(sandbox, { key: 'sandbox-lost' })
    expect(found.map(({ id, count }) => `${id} ${count}`)).toEqual(['undocumented-path GET /v1/nowhere 1'])
  })

  it('accepts what Sandbox-Expect announces', async () => {
    await call('/pets?limit=all', { headers: { 'Sandbox-Expect': '400' } }, 'sandbox-expected')
    await expectNoViolations(sandbox, { key: 'sandbox-expected' })
  })

  it('throws with each violation, its help and its request', async () => {
    await call('/pets/0x', {}, 'sandbox-thrown')
    await expect(expectNoViolations(sandbox, { key: 'sandbox-thrown' })).rejects.toMatchObject({
      code: 'VIOLATED_CONTRACT',
      message: expect.stringMatching(
        /^1 violation of the contract of Pet Store 1\.0\.0:\nerror invalid-parameter GET \/pets\/\{petId\}/,
      ),
    })
  })

  it('lets milder findings pass unless they are named', async () => {
    const own = createSandbox({ now: () => Date.parse('2030-12-01') })
    await own.fetch(`${base}/pets/1`, { headers: { Authorization: 'Bearer sandbox' } })
    await expectNoViolations(own)
    await expect(expectNoViolations(own, { failOn: 'warning' })).rejects.toThrow(
      'warning deprecated-operation GET /pets/{petId}',
    )
    await expect(expectNoViolations(own, { failOn: 'fatal' as 'error' })).rejects.toThrow('Unknown severity "fatal"')
  })

  it('judges all keys by default', async () => {
    const own = createSandbox()
    for (const key of ['sandbox-a', 'sandbox-b'])
      await own.fetch(`${base}/nowhere`, { headers: { Authorization: `Bearer ${key}` } })
    expect((await violations(own)).map(({ count }) => count)).toEqual([2])
  })
})

it('refuses an unknown severity of createTest', () => {
  expect(() => createTest({ failOn: 'fatal' as 'error' })).toThrow('failOn')
})

/** Mistakes that each of ten tests at once makes, and that its consumer hides. */
const mistakes: Record<string, string> = {
  'an undocumented path': "call(key, '/nowhere')",
  'an undocumented method': "call(key, '/pets', { method: 'DELETE' })",
  'no key': "call(undefined, '/pets')",
  'an invalid key': "call('wrong', '/pets')",
  'a parameter of a wrong type': "call(key, '/pets?limit=all')",
  'a parameter out of bounds': "call(key, '/pets?limit=0')",
  'an invalid path': "call(key, '/pets/x')",
  'a body without a name': 'post(key, { categoryId: 1 })',
  'a body of a wrong type': 'post(key, { name: 1, categoryId: 1 })',
  'a body that is not JSON':
    "call(key, '/pets', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{' })",
  'no body': "call(key, '/pets', { method: 'POST', headers: { 'Content-Type': 'application/json' } })",
  'a wrong content type':
    "call(key, '/pets', { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: 'Rex' })",
  'an unmet expectation': "call(key, '/pets', { headers: { 'Sandbox-Expect': '404' } })",
  'an unreadable expectation': "call(key, '/pets', { headers: { 'Sandbox-Expect': 'bad' } })",
  'a mistake after a pause': "pause(20).then(() => call(key, '/pets?limit=-1'))",
}

describe('failOn of createTest', () => {
  it('fails exactly the tests that make a mistake, with ten running at once', async () => {
    const folder = await mkdtemp(join(root, '.reports-violations-'))
    try {
      const cases = Object.entries(mistakes).flatMap(([title, mistake]) => [
        `test('${title}', async ({ key }) => { await pause(3); await ${mistake}; await pause(9) })`,
        `test('beside ${title}', async ({ key }) => { await call(key, '/pets?limit=3'); await pause(12); await call(key, '/pets') })`,
      ])
      const text = `
import { setupServer } from 'msw/node'
import { handlers } from 'petstore-sandbox/msw'
import { createTest } from 'petstore-sandbox/vitest'
import { afterAll, beforeAll, describe } from 'vitest'
const server = setupServer(...handlers)
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterAll(() => server.close())
const test = createTest({ failOn: 'error' })
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
async function call(key, path, { headers, ...init } = {}) {
  const own = key === undefined ? {} : { Authorization: 'Bearer ' + key }
  try { await (await fetch('${base}' + path, { ...init, headers: { ...own, ...headers } })).json() } catch {}
}
const post = (key, value) => call(key, '/pets', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) })
describe.concurrent('at once', () => {
${cases.join('\n')}
})
`
      await writeFile(join(folder, 'a.test.mjs'), text)
      const config = join(folder, 'vitest.config.mjs')
      await writeFile(
        config,
        'export default { root: import.meta.dirname, test: { maxConcurrency: 10, testTimeout: 240_000 } }\n',
      )
      const report = join(folder, 'report.json')
      spawnSync(
        process.execPath,
        [
          join(root, 'node_modules/vitest/vitest.mjs'),
          'run',
          '--config',
          config,
          '--reporter=json',
          `--outputFile=${report}`,
        ],
        { cwd: folder },
      )
      const { testResults } = JSON.parse(await readFile(report, 'utf8'))
      const results = testResults[0].assertionResults as { title: string; status: string; failureMessages: string[] }[]
      const failed = results.filter(({ status }) => status === 'failed')
      expect(failed.map(({ title }) => title)).toEqual(Object.keys(mistakes))
      expect(results).toHaveLength(2 * failed.length)
      for (const { failureMessages } of failed) expect(failureMessages.join()).toContain('1 violation of the contract')
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
