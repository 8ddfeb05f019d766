/** `run` when no request reaches the sandbox: nothing was checked, so the run fails. */

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { reportFormats } from '../../src/checks/reports/report-formats.js'
import { runWarm } from '../support/warm.js'

/** A consumer in JavaScript. */
function consumer(code: string): string[] {
  return ['--', process.execPath, '--input-type=module', '-e', code]
}

const mocked = `
  import { http, HttpResponse } from 'msw'
  import { setupServer } from 'msw/node'
  setupServer(http.get('*/pets', () => HttpResponse.json([]))).listen()
  const response = await fetch(process.env.PETSTORE_BASE_URL + '/pets')
  if (response.status !== 200) throw new Error('not mocked')`
const preflight = `await fetch(process.env.PETSTORE_BASE_URL + '/pets', {
  method: 'OPTIONS', headers: { Origin: 'https://app.example', 'Access-Control-Request-Method': 'GET' } })`

const silent = [
  { name: 'that does nothing', code: '0' },
  { name: 'with a mock in its process', code: mocked },
  {
    name: 'that only asks whether the sandbox is ready',
    code: "await fetch(process.env.PETSTORE_SANDBOX_URL + '/_sandbox/health')",
  },
  { name: 'that sends only a preflight', code: preflight },
  {
    name: 'that connects and says nothing',
    code: "const { connect } = await import('node:net'); connect(new URL(process.env.PETSTORE_SANDBOX_URL).port).end()",
  },
]
const fetching =
  "await fetch(process.env.PETSTORE_BASE_URL + '/pets', { headers: { Authorization: 'Bearer sandbox' } })"

describe('a command', () => {
  it.each(silent)('$name fails the run, with what to look at', async ({ code }) => {
    const { code: exitCode, stdout } = await runWarm(['run', ...consumer(code)])
    expect(stdout).toMatch(/^error no request( except OPTIONS)? reached the sandbox$/m)
    for (const part of ['PETSTORE_BASE_URL', '--env', 'MSW', '--allow-no-requests']) expect(stdout).toContain(part)
    expect(stdout).toMatch(/^petstore-sandbox: FAILED: no request( except OPTIONS)? reached the sandbox$/m)
    expect(exitCode).toBe(1)
  })

  it.each(silent)('$name passes with --allow-no-requests', async ({ code }) => {
    const { code: exitCode, stdout } = await runWarm(['run', '--allow-no-requests', ...consumer(code)])
    expect(stdout).toContain('petstore-sandbox: passed: no findings\n')
    expect(exitCode).toBe(0)
  })

  it('that calls another address fails the run', async () => {
    const other = createServer((_, response) => response.end('[]'))
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void other.close())
    const { port } = other.address() as AddressInfo
    expect((await runWarm(['run', ...consumer(`await fetch('http://127.0.0.1:${port}/v1/pets')`)])).code).toBe(1)
  })

  it.each([
    { name: '--fail-on never, which is about findings', args: ['--fail-on', 'never'] },
    { name: '--min-coverage 0', args: ['--min-coverage', '0'] },
    { name: 'the variable set to no', args: [], env: { PETSTORE_SANDBOX_ALLOW_NO_REQUESTS: 'no' } },
  ])('that sends nothing fails the run with $name', async ({ args, env = {} }) => {
    expect((await runWarm(['run', ...args, ...consumer('0')], { env })).code).toBe(1)
  })

  it('that sends nothing passes with the variable', async () => {
    const env = { PETSTORE_SANDBOX_ALLOW_NO_REQUESTS: 'true' }
    expect((await runWarm(['run', ...consumer('0')], { env })).code).toBe(0)
  })

  it('that sends one request passes', async () => {
    expect((await runWarm(['run', ...consumer(fetching)])).code).toBe(0)
  })

  it('that fails without a request keeps its own exit code', async () => {
    const { code, stdout } = await runWarm(['run', ...consumer('process.exitCode = 7')])
    expect(code).toBe(7)
    expect(stdout).toContain('no request reached the sandbox')
  })
})

it('every format says it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-sandbox-silent-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const names = Object.keys(reportFormats)
  const reports = names.flatMap((name) => ['--report', `${name}=${join(folder, name)}`])
  await runWarm(['run', ...reports, ...consumer('0')])
  for (const name of names) {
    const text = await readFile(join(folder, name), 'utf8')
    expect(text, name).toContain('no request reached the sandbox')
    expect(text, name).toContain('allow-no-requests')
  }
  const json = JSON.parse(await readFile(join(folder, 'json'), 'utf8'))
  expect(json).toMatchObject({ isPassed: false, failures: [{ message: 'no request reached the sandbox' }] })
  const [{ invocations }] = JSON.parse(await readFile(join(folder, 'sarif'), 'utf8')).runs
  expect(invocations[0]).toMatchObject({ executionSuccessful: false, toolExecutionNotifications: [{ level: 'error' }] })
  expect(await readFile(join(folder, 'junit'), 'utf8')).toContain(' failures="1"')
  expect(await readFile(join(folder, 'github'), 'utf8')).toMatch(/^::error /)
})
