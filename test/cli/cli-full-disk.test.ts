// A full disk behind stdout, stderr or a report: lines may be lost, the service and the exit code are not.

import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createRequestLog, type LogOutput } from '../../src/node/request-log.js'
import { type Launch, root, run, serve, start } from '../support/launch.js'
import { addPet, freePort, listPets, stackTrace, writeFolder } from '../support/serving.js'

/** The program with one of its streams on a device that is always full. */
function full(stream: 'stdout' | 'stderr'): Launch {
  const redirect = stream === 'stdout' ? '1>/dev/full' : '2>/dev/full'
  const bin = join(root, 'bin/petstore-sandbox.js')
  return { command: ['sh', '-c', `exec "$0" "${bin}" "$@" ${redirect}`, process.execPath] }
}

it('serves on if the log cannot be written', async () => {
  const program = await serve([], full('stderr'))
  // More lines than are held before they are written.
  for (let count = 0; count < 300; count++) expect((await addPet(program.url)).status).toBe(201)
  expect((await listPets(program, '?limit=3')).map(({ name }) => name)).toEqual(['Kim', 'Kim', 'Kim'])
  expect(await program.stop()).toMatchObject({ code: 0 })
})

it('serves on if the banner cannot be written, and says so in one line', async () => {
  const port = await freePort()
  const program = start(['--port', String(port), '--log', 'none'], full('stdout'))
  const count = () =>
    listPets({ url: `http://127.0.0.1:${port}` }).then(
      (pets) => pets.length,
      () => 0,
    )
  await expect.poll(count).toBe(20)
  program.signal('SIGTERM')
  const { code, stderr } = await program.ended
  expect(code).toBe(0)
  expect(stderr).toMatch(/^petstore-sandbox: Failed to write to stdout: .*\n$/)
})

it.each([
  ['the rules', ['rules']],
  ['the help', ['--help']],
  ['the version', ['--version']],
])('ends with 2 and one line if %s cannot be written', async (_, args) => {
  const { code, stderr } = await run(args, full('stdout'))
  expect(code).toBe(2)
  expect(stderr).toMatch(/^petstore-sandbox: .*\n$/)
  expect(stderr).not.toMatch(stackTrace)
})

it('ends with 2 and one line if the report of a check cannot be written', async () => {
  const { url } = await serve()
  const { code, stderr } = await run(['check', `${url}/v1`, '--api-key', 'sandbox'], full('stdout'))
  expect(code).toBe(2)
  expect(stderr).toMatch(/^petstore-sandbox: Failed to write to stdout: .*\n$/)
})

it('ends with 2 and one line if a report cannot be written to its file', async () => {
  const folder = await writeFolder({})
  const args = ['run', '--report', 'json=/dev/full', '--', process.execPath, '-e', '0']
  const { code, stderr } = await run(args, { cwd: folder })
  expect(code).toBe(2)
  expect(stderr).toContain('/dev/full')
  expect(stderr).not.toMatch(stackTrace)
})

it('says how many lines of the log were dropped as soon as there is room again', async () => {
  const written: string[] = []
  let isFull = true
  const output: LogOutput = {
    isTerminal: false,
    write(text, done) {
      if (!isFull) written.push(text)
      done(isFull ? new Error('no space left on device') : undefined)
    },
  }
  const log = createRequestLog({ format: 'json', output })
  const entry = { at: 0, method: 'GET', target: '/v1/pets', status: 200, ms: 1, refused: undefined }
  for (let count = 0; count < 2; count++) {
    for (let line = 0; line < 3; line++) log?.add(entry)
    await log?.flush()
  }
  isFull = false
  log?.add(entry)
  await log?.flush()
  log?.add(entry)
  await log?.flush()
  const lines = written.join('').trim().split('\n')
  expect(lines).toHaveLength(3)
  expect(lines[0]).toBe('{"dropped":6}')
})

it('writes a log in its order, however long a write takes', async () => {
  const written: string[] = []
  const waiting: (() => void)[] = []
  const output: LogOutput = {
    isTerminal: false,
    write(text, done) {
      waiting.push(() => {
        written.push(text)
        done()
      })
    },
  }
  const log = createRequestLog({ format: 'json', output })
  const add = (status: number) => log?.add({ at: 0, method: 'GET', target: '/', status, ms: 1, refused: undefined })
  add(200)
  const first = log?.flush()
  add(201)
  const second = log?.flush()
  expect(waiting).toHaveLength(1)
  waiting.shift()?.()
  await expect.poll(() => waiting.length).toBe(1)
  waiting.shift()?.()
  await Promise.all([first, second])
  expect(written.join('').match(/"status":\d+/g)).toEqual(['"status":200', '"status":201'])
})
