/** Long work of a server leaves turns for other requests, and deep documents have no limit of their own. */
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileDocument, createSandbox, generateScenario } from 'petstore-sandbox'
import { startServer } from 'petstore-sandbox/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { exportHandlers } from '../../src/cli/commands/export-handlers.js'
import { documentOf, type Part } from '../support/one-operation.js'
import { writeFolder } from '../support/serving.js'

const text = { type: 'string' }
const json = (schema: Part): Part => ({ content: { 'application/json': { schema } } })
const answers = (schema: Part): Part => ({ responses: { 200: { description: 'ok', ...json(schema) } } })
const listOf = (record: Part): Part => ({ get: answers({ type: 'array', items: record }) })
const oneOf = (record: Part): Part => ({
  parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
  get: answers(record),
})

/** Collections in which each record names one of the collection before. */
function chainOfCollections(count: number): string {
  const record = (index: number): Part => ({
    type: 'object',
    required: ['id', 'name'],
    properties: { id: text, name: text, email: text, ...(index > 0 && { [`thing${index - 1}Id`]: text }) },
  })
  const paths = Array.from({ length: count }, (_, index) => [
    [`/thing${index}s`, listOf(record(index))],
    [`/thing${index}s/{id}`, oneOf(record(index))],
  ]).flat()
  return documentOf({ ...Object.fromEntries(paths), '/ping': { get: answers({ type: 'object', maxProperties: 0 }) } })
}

async function serve(options: Parameters<typeof startServer>[0]): Promise<string> {
  const server = await startServer({ port: 0, ...options })
  onTestFinished(() => server.close())
  return server.url
}

const read = async (url: string, init: RequestInit = {}) =>
  (
    await fetch(url, { ...init, headers: { Authorization: 'Bearer sandbox', 'Content-Type': 'application/json' } })
  ).json()

describe('the first list of a large document', () => {
  it('lets other requests be answered before it', async () => {
    const folder = await writeFolder({ 'openapi.json': chainOfCollections(8) })
    const url = await serve({ spec: join(folder, 'openapi.json') })
    await read(`${url}/ping`)
    let isListed = false
    const listed = read(`${url}/thing7s`).then(() => {
      isListed = true
    })
    let answered = 0
    for (; !isListed; answered++) await read(`${url}/ping`)
    await listed
    expect(answered).toBeGreaterThan(8)
  })

  it('has the records that are generated at once', async () => {
    const document = chainOfCollections(4)
    const scenario = await generateScenario({ compiled: await compileDocument(document) })
    const folder = await writeFolder({ 'openapi.json': document })
    const url = await serve({ spec: join(folder, 'openapi.json') })
    const newestFirst = (records: readonly unknown[] = []) => records.toReversed()
    const found = await Promise.all([3, 0, 2, 1].map((index) => read(`${url}/thing${index}s`)))
    expect(found).toEqual([3, 0, 2, 1].map((index) => newestFirst(scenario[`thing${index}s`])))
  })
})

describe('the control API of a large document', () => {
  const world = '/_sandbox/worlds/sandbox'
  const wholes = ['/_sandbox/collections', world, `${world}/snapshot`]
  const ofOne = ['/_sandbox/operations/GET%20%2Fthing11s%2F%7Bid%7D', `${world}/collections/thing11s/records`]

  it.each([...wholes, ...ofOne])('lets other requests be answered before GET %s', async (path) => {
    const folder = await writeFolder({ 'openapi.json': chainOfCollections(12) })
    const url = await serve({ spec: join(folder, 'openapi.json') })
    await read(`${url}/_sandbox/keys`)
    let isAnswered = false
    const answer = read(url + path).then(() => {
      isAnswered = true
    })
    let answered = 0
    for (; !isAnswered; answered++) await read(`${url}/ping`)
    await answer
    expect(answered).toBeGreaterThan(8)
  })

  it('corrects an operation in slices, also the records that were used before', async () => {
    const folder = await writeFolder({ 'openapi.json': chainOfCollections(40) })
    const url = await serve({ spec: join(folder, 'openapi.json') })
    const before = await read(`${url}/thing20s`)
    await read(`${url}/_sandbox/keys`)
    let turns = 0
    const count = () => {
      turns++
      counting = setImmediate(count)
    }
    let counting = setImmediate(count)
    const path = `${url}/_sandbox/operations/GET%20%2Fthing3s/correction`
    const headers = { 'Content-Type': 'application/json' }
    const { status } = await fetch(path, { method: 'PUT', headers, body: '{"effect":"example"}' })
    clearImmediate(counting)
    expect(status).toBe(204)
    // The records of 21 collections alone take hundreds of turns.
    expect(turns).toBeGreaterThan(400)
    expect(await read(`${url}/thing20s`)).toEqual(before)
  })

  it('has records that refer to each other in a long chain', async () => {
    const folder = await writeFolder({ 'openapi.json': chainOfCollections(400) })
    const url = await serve({ spec: join(folder, 'openapi.json'), records: 1 })
    const { records } = await read(`${url}${world}/collections/thing399s/records`)
    expect(records).toHaveLength(1)
  })
})

describe('an import', () => {
  const pets = Array.from({ length: 60_000 }, (_, index) => ({
    id: index + 1,
    name: `Pet ${index}`,
    categoryId: 1,
    status: 'available',
  }))

  it('shows other requests all of its records or none of them', async () => {
    const url = await serve({})
    const world = `${url}/_sandbox/worlds/sandbox`
    const total = async () => (await read(`${world}/collections/pets/records?limit=1`)).total
    expect(await total()).toBe(120)
    let isImported = false
    const imported = read(`${world}/snapshot`, { method: 'PUT', body: JSON.stringify({ pets }) }).then(() => {
      isImported = true
    })
    const seen: number[] = []
    while (!isImported) seen.push(await total())
    await imported
    expect(await total()).toBe(pets.length)
    expect([...new Set(seen)].filter((each) => each !== 120 && each !== pets.length)).toEqual([])
  })

  it('is undone by the snapshot before, and is a difference from it', async () => {
    const url = await serve({})
    const world = `${url}/_sandbox/worlds/sandbox`
    await read(`${url}/_sandbox/snapshots/before`, { method: 'PUT', body: JSON.stringify({ world: 'sandbox' }) })
    await read(`${world}/snapshot`, { method: 'PUT', body: JSON.stringify({ pets: pets.slice(0, 150) }) })
    const size = async () => (await read(`${world}/collections/pets/records?limit=1`)).total
    expect(await size()).toBe(150)
    const [difference] = await read(`${world}/diff?snapshot=before`)
    expect([difference.added.length, difference.changed.length]).toEqual([30, 120])
    await read(`${url}/_sandbox/snapshots/after`, { method: 'PUT', body: JSON.stringify({ world: 'sandbox' }) })
    for (const name of ['before', 'after', 'before']) {
      const body = JSON.stringify({ to: 'sandbox' })
      await read(`${url}/_sandbox/snapshots/${name}/restore`, { method: 'POST', body })
      expect(await size()).toBe(name === 'before' ? 120 : 150)
      expect(await read(`${world}/diff?snapshot=${name}`)).toEqual([])
    }
  })

  it('continues the keys behind those of the records before', async () => {
    const url = await serve({})
    const world = `${url}/_sandbox/worlds/sandbox`
    const body = JSON.stringify({ pets: pets.slice(0, 3) })
    await read(`${world}/snapshot`, { method: 'PUT', body })
    const added = await read(`${world}/collections/pets/records`, {
      method: 'POST',
      body: JSON.stringify({ name: 'Rex', categoryId: 1 }),
    })
    expect(added.values?.id ?? added.id).toBe(121)
  })
})

describe('a long chain of schemas', () => {
  const length = 500
  const linkOf = (index: number): Part => ({
    type: 'object',
    properties: {
      name: text,
      ...(index < length - 1 && { next: { $ref: `#/components/schemas/Link${index + 1}` } }),
    },
  })
  const schemas = Object.fromEntries(Array.from({ length }, (_, index) => [`Link${index}`, linkOf(index)]))
  const first = { $ref: '#/components/schemas/Link0' }
  const chain = documentOf(
    { '/links': { post: { requestBody: json(first), ...answers(first) } } },
    { components: { schemas } },
  )
  const nested = (name: unknown) => {
    let link: Part = { name }
    for (let depth = 0; depth < 100; depth++) link = { next: link }
    return JSON.stringify(link)
  }

  it('is validated at every depth', async () => {
    const { contract } = await compileDocument(chain)
    const sandbox = createSandbox({ contract })
    const headers = { 'Content-Type': 'application/json' }
    const send = async (name: unknown) =>
      (await sandbox.fetch('http://localhost/links', { method: 'POST', headers, body: nested(name) })).status
    expect([await send('a'), await send(1)]).toEqual([200, 400])
  })

  it('is exported', async () => {
    const folder = await writeFolder({ 'openapi.json': chain })
    const out = join(await mkdtemp(join(tmpdir(), 'export-')), 'handlers.mjs')
    await exportHandlers({ spec: join(folder, 'openapi.json'), out })
    expect(await readFile(out, 'utf8')).toContain('export const { handlers, sandbox }')
  })
})
