/** Hosts, versions and regions of one service share their data. What something calls an environment is separate. */
import { describe, expect, it } from 'vitest'
import { compileOnce } from '../support/compile-once.js'
import { documentOf, doors, openDocument, type Part, receive } from '../support/one-operation.js'
import { writeFolder } from '../support/serving.js'
import { runWarm } from '../support/warm.js'

const boat = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' } },
}
const json = (schema: Part): Part => ({ content: { 'application/json': { schema } } })
const boats: Part = {
  get: { responses: { 200: { description: 'ok', ...json({ type: 'array', items: boat }) } } },
  post: { requestBody: json(boat), responses: { 201: { description: 'made', ...json(boat) } } },
}
const oneBoat: Part = {
  parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
  get: { responses: { 200: { description: 'ok', ...json(boat) } } },
}
const withServers = (servers: object[]): string => documentOf({ '/boats': boats, '/boats/{id}': oneBoat }, { servers })

const host = (name: string, more: object = {}) => ({ url: `https://${name}/v1`, ...more })

/** For each server, the names of those that see a boat that was created there. */
async function seenFrom(door: string, text: string): Promise<Record<string, string[]>> {
  const connection = await openDocument(door, text)
  const { contract } = await compileOnce(text)
  const seen: Record<string, string[]> = {}
  for (const { name, mount } of contract.servers) {
    const headers = [['Content-Type', 'application/json']] as const
    const body = JSON.stringify({ name })
    const made = await receive(connection, { method: 'POST', target: `${mount}/boats`, headers, body })
    expect(made.status).toBe(201)
    const { id } = JSON.parse(made.text)
    seen[name] = []
    for (const other of contract.servers) {
      const { status, text: read } = await receive(connection, { method: 'GET', target: `${other.mount}/boats/${id}` })
      if (status === 200 && JSON.parse(read).name === name) seen[name].push(other.name)
    }
  }
  return seen
}

const together = (...names: string[]) => Object.fromEntries(names.map((name) => [name, names]))

const cases: [title: string, servers: object[], groups: string[][]][] = [
  ['hosts', [host('harbour.example'), host('files.harbour.example')], [['harbour', 'files']]],
  ['versions', [{ url: 'https://sail.example/v4' }, { url: 'https://sail.example/v4beta' }], [['v4', 'v4beta']]],
  [
    'regions of several environments',
    [
      host('eu.dock.example', { description: 'Production, Europe' }),
      host('us.dock.example', { description: 'US' }),
      host('eu.staging.dock.example', { description: 'Staging, Europe' }),
      host('us.staging.dock.example'),
    ],
    [
      ['production', 'us'],
      ['staging', 'us-staging'],
    ],
  ],
  ['top-level domains', [host('quay.dev'), host('quay.local'), host('quay.test')], [['dev', 'local', 'test']]],
  [
    'parts of labels and words',
    [host('latest.pier.example'), host('developer.pier.example')],
    [['latest', 'developer']],
  ],
  ['a host that is an environment', [host('moor.example'), host('sandbox.moor.example')], [['moor'], ['sandbox']]],
  ['a host that is a preview', [host('fleet.example'), host('preview.fleet.example')], [['fleet'], ['preview']]],
  [
    'a description of another environment',
    [
      host('a.buoy.example', { description: 'Production. Use https://b.buoy.example/demo to test' }),
      host('c.buoy.example'),
    ],
    [['production', 'c']],
  ],
  [
    'a variable',
    [
      { url: 'https://{stage}-keel.example', variables: { stage: { default: 'demo' } } },
      { url: 'https://keel.example' },
    ],
    [['demo-keel'], ['keel']],
  ],
  [
    'the extension',
    [
      host('one.mast.example', { 'x-sandbox-environment': 'blue' }),
      host('two.mast.example', { 'x-sandbox-environment': 'green' }),
      host('sandbox.mast.example', { 'x-sandbox-environment': 'blue' }),
      host('three.mast.example'),
    ],
    [['one', 'sandbox'], ['two'], ['three']],
  ],
]

describe.each(doors)('through %s', (door) => {
  it.each(cases)('servers share their data by %s', async (_, servers, groups) => {
    const seen = await seenFrom(door, withServers(servers))
    expect(seen).toEqual(Object.assign({}, ...groups.map((names) => together(...names))))
  })

  it('what one operation creates at its own address is at the others', async () => {
    const { get } = boats
    const upload = { ...(boats['post'] as Part), servers: [{ url: 'https://upload.jetty.example/2.0' }] }
    const servers = [{ url: 'https://jetty.example/2.0' }]
    const text = documentOf({ '/boats': { get, post: upload }, '/boats/{id}': oneBoat }, { servers })
    const connection = await openDocument(door, text)
    const { contract } = await compileOnce(text)
    const [main, other] = contract.servers.map(({ mount }) => mount)
    const headers = [['Content-Type', 'application/json']] as const
    const body = JSON.stringify({ name: 'Ida' })
    expect((await receive(connection, { method: 'POST', target: `${main}/boats`, headers, body })).status).toBe(405)
    const made = await receive(connection, { method: 'POST', target: `${other}/boats`, headers, body })
    const listed = await receive(connection, { method: 'GET', target: `${main}/boats` })
    expect(JSON.parse(listed.text)).toEqual([JSON.parse(made.text)])
  })
})

it('the world has one collection for servers that share it, by each of their names', async () => {
  const text = withServers([host('a.example'), host('b.example'), host('sandbox.example')])
  const { sandbox } = await openDocument('handle', text)
  await sandbox.world().collection('boats', 'b').add({ name: 'Ada' })
  const countOf = async (name?: string) => (await sandbox.world().collection('boats', name).list()).length
  expect([await countOf(), await countOf('a'), await countOf('b'), await countOf('sandbox')]).toEqual([1, 1, 1, 0])
  const { collections } = await sandbox.world().snapshot()
  expect(collections.map(({ server }) => server)).toEqual(['a'])
})

it('explain names the servers that share data', async () => {
  const text = withServers([host('a.example'), host('b.example'), host('sandbox.example')])
  const folder = await writeFolder({ 'boats.json': text })
  const { stdout } = await runWarm(['explain', 'boats.json'], { cwd: folder })
  expect(stdout).toContain('Servers that share their data (x-sandbox-environment):\n  a, b\n')
  const { stdout: data } = await runWarm(['explain', 'boats.json', '--json'], { cwd: folder })
  expect(JSON.parse(data).sharing).toEqual([['a', 'b']])
})
