/** The packed program on every supported version of Node.js, downloaded from the npm registry. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningProgram, run, serve } from '../support/launch.js'
import { install, nodeOf, type Packed, pack } from '../support/package.js'

const versions = ['20', '22', '24', '26']
const headers = { Authorization: 'Bearer sandbox', 'Content-Type': 'application/json' }

let packed: Packed
let project: string

beforeAll(async () => {
  packed = await pack()
  project = await install(packed, 'project')
})

afterAll(() => packed.remove())

describe.each(versions)('on Node.js %s', (version) => {
  /** The executable of that version. */
  let node: string

  beforeAll(async () => {
    node = await nodeOf(version)
  })

  function serveOn(file: string, args: readonly string[] = []): Promise<RunningProgram> {
    const command = [file, 'node_modules/petstore-sandbox/bin/petstore-sandbox.js'] as const
    return serve(args, { command, cwd: project })
  }

  it('starts, is healthy, and exits with 0 on SIGTERM', async () => {
    const program = await serveOn(node)
    expect((await fetch(`${program.url}/_sandbox/health`)).status).toBe(200)
    expect(await program.stop()).toMatchObject({ code: 0, signal: null })
  })

  it('lists, creates and reads', async () => {
    const { url } = await serveOn(node)
    const body = JSON.stringify({ name: 'Kim 🐈', categoryId: 3, status: 'available' })
    const created = await fetch(`${url}/v1/pets`, { method: 'POST', headers, body })
    expect(created.status).toBe(201)
    const pet = await created.json()
    expect(pet).toEqual({ id: expect.any(Number), name: 'Kim 🐈', categoryId: 3, status: 'available' })
    const [first] = await (await fetch(`${url}/v1/pets`, { headers })).json()
    expect(first).toEqual(pet)
    const read = await fetch(`${url}/v1/pets/${pet.id}`, { headers })
    expect(await read.json()).toEqual(pet)
    expect(read.headers.get('sunset')).toBe('Thu, 05 Dec 2030 00:00:00 GMT')
  })

  it('refuses requests that break the contract, with the same messages', async () => {
    const bodies = ['{"name":1}', '{"name":"Kim"', '[]', '{"name":"Kim","categoryId":9223372036854775808}', '']
    const answersOf = async ({ url }: RunningProgram) =>
      Promise.all(bodies.map(async (body) => (await fetch(`${url}/v1/pets`, { method: 'POST', headers, body })).text()))
    const answers = await answersOf(await serveOn(node))
    expect(answers.map((text) => JSON.parse(text).status)).toEqual(bodies.map(() => 400))
    expect(answers).toEqual(await answersOf(await serveOn(process.execPath)))
  })

  it('generates the same bytes for the same seed', async () => {
    const bytesOf = async ({ url }: RunningProgram) => (await fetch(`${url}/v1/pets?limit=100`, { headers })).text()
    const args = ['--records', '50', '--seed', '7']
    const bytes = await bytesOf(await serveOn(node, args))
    expect(JSON.parse(bytes)).toHaveLength(50)
    expect(bytes).toBe(await bytesOf(await serveOn(process.execPath, args)))
  })

  it('compiles another document', async () => {
    const program = await serveOn(node, ['--spec', 'node_modules/petstore-sandbox/spec/petstore.openapi.yaml'])
    const response = await fetch(`${program.url}/v1/pets?limit=0`, { headers })
    expect(response.status).toBe(400)
    expect(await program.stop()).toMatchObject({ code: 0 })
  })
  it('checks a provider, and runs a consumer', async () => {
    const program = await serveOn(node)
    const command = [node, 'node_modules/petstore-sandbox/bin/petstore-sandbox.js'] as const
    const check = ['check', `${program.url}/v1`, '--api-key', 'sandbox', '--report', 'json']
    const checked = await run(check, { command, cwd: project })
    expect(checked).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(checked.stdout)).toMatchObject({ findings: [], isPassed: true })
    const call = 'fetch(process.env.PETSTORE_BASE_URL + "/pets")'
    const ran = await run(['run', '--report', 'json', '--', node, '-e', call], { command, cwd: project })
    expect(ran).toMatchObject({ code: 1, stderr: '' })
    expect(JSON.parse(ran.stdout).findings).toMatchObject([{ rule: 'missing-credentials' }])
  })
})

it.each(['8', '14', '16', '18', '21'])('refuses Node.js %s with one line', async (version) => {
  const command = [await nodeOf(version), 'node_modules/petstore-sandbox/bin/petstore-sandbox.js'] as const
  const { code, stdout, stderr } = await run([], { command, cwd: project })
  expect(stderr).toMatch(/^petstore-sandbox: Node\.js \d+\.\d+\.\d+ is not supported; install a version in \^20\..*\n$/)
  expect([code, stdout]).toEqual([2, ''])
})
