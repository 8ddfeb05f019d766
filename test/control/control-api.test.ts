/** The control API over HTTP: what its document says, and what it does to worlds. */
import { readFile } from 'node:fs/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Scenario } from 'petstore-sandbox'
import { type RunningServer, type ServerOptions, startServer } from 'petstore-sandbox/node'
import { seed } from 'petstore-sandbox/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { books } from '../support/books.js'
import { foreignDocuments } from '../support/foreign-documents.js'
import { type JsonObject, readObject } from '../support/read-json.js'
import { writeFolder } from '../support/serving.js'
import { integer, list, named, object, oneOfTexts, text, toDocument } from '../support/sketch.js'

const root = new URL('../../', import.meta.url)
const document = readObject(parse(await readFile(new URL('spec/control.openapi.yaml', root), 'utf8')))
// Formats are judged by the tests of formats.
const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema(document, 'control')

interface Answered {
  status: number
  body: never
}

type Call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answered>

async function open(options: ServerOptions = {}): Promise<{ call: Call; server: RunningServer }> {
  const server = await startServer({ port: 0, at: '2026-11-23T00:00:00Z', now: () => 0, ...options })
  onTestFinished(() => server.close())
  return {
    server,
    async call(method, path, body, headers = {}) {
      const response = await fetch(`${server.url}/_sandbox${path}`, {
        method,
        headers: { ...(method !== 'GET' && { 'Content-Type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      const parsed: unknown = text === '' ? undefined : JSON.parse(text)
      if (!headers['Origin']) expectDocumented(method, path.split('?')[0] ?? '', response.status, parsed)
      expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
      return { status: response.status, body: parsed as never }
    },
  }
}

/** Every answer is as the document of the control API says. */
function expectDocumented(method: string, path: string, status: number, body: unknown): void {
  const paths = Object.keys(readObject(document['paths']))
  const template = paths.find((each) => new RegExp(`^${each.replace(/\{\w+\}/g, '[^/]+')}$`).test(path))
  expect(template, `${path} is a documented path`).toBeDefined()
  const at = ['paths', template ?? '', method.toLowerCase(), 'responses', String(status)]
  const found = at.reduce<unknown>((value, name) => (value as JsonObject | undefined)?.[name], document)
  expect(found, `${method} ${template} documents ${status}`).toBeDefined()
  const { $ref } = found as { $ref?: string }
  const pointer = $ref ?? `#/${at.map((name) => name.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`
  if (body === undefined) return
  const schema = `control${encodeURI(`${pointer}/content/application~1json/schema`)}`
  const isValid = ajv.validate({ $ref: schema }, body)
  expect(isValid, `${method} ${path} ${status}: ${ajv.errorsText()} in ${JSON.stringify(body).slice(0, 300)}`).toBe(
    true,
  )
}

const rex = { name: 'Rex', categoryId: 3 }
const pets = '/worlds/sandbox/collections/pets/records'
const key = { Authorization: 'Bearer sandbox' }

describe('the control API', () => {
  it('lists worlds, copies, resets and removes them', async () => {
    const { call, server } = await open()
    expect(await call('GET', '/worlds')).toEqual({ status: 200, body: { total: 0, worlds: [] } })
    await server.sandbox.world().collection('pets').clear()
    expect(await call('GET', '/worlds/sandbox')).toEqual({
      status: 200,
      body: {
        id: 'sandbox',
        now: '2026-11-23T00:00:00.000Z',
        frozen: false,
        collections: [
          { name: 'pets', environment: 'production', size: 0, changed: true },
          // Nobody has opened these.
          { name: 'pets', environment: 'staging', size: 120, changed: false },
          { name: 'messages', environment: 'quickstart', size: 0, changed: false },
        ],
      },
    })
    expect(await call('GET', '/worlds')).toMatchObject({ body: { worlds: [{ collections: [{ size: 0 }] }] } })
    expect((await call('POST', '/worlds/sandbox/fork', { to: 'sandbox-b' })).status).toBe(201)
    expect(await server.sandbox.world('sandbox-b').collection('pets').size()).toBe(0)
    expect(await call('POST', '/worlds/sandbox/fork', { to: 'no key' })).toMatchObject({ status: 400 })
    expect((await call('POST', '/worlds/sandbox/reset')).status).toBe(200)
    expect(await server.sandbox.world().collection('pets').size()).toBe(120)
    expect(await call('GET', '/worlds?limit=1&offset=1')).toMatchObject({
      body: { total: 2, worlds: [{ id: 'sandbox-b' }] },
    })
    expect((await call('DELETE', '/worlds/sandbox-b')).status).toBe(204)
    expect(await call('GET', '/worlds')).toMatchObject({ body: { total: 1 } })
    const many = Array.from({ length: 250 }, (_, index) => `sandbox-${index}`)
    for (const key of many) await server.sandbox.world(key).collection('pets').size()
    const { body } = (await call('GET', '/worlds?limit=240&offset=1')) as { body: { worlds: { id: string }[] } }
    expect(body).toMatchObject({ total: 251 })
    expect(body.worlds.map(({ id }) => id)).toEqual(many.slice(0, 240))
    expect(await call('GET', '/worlds/0123456789abcdef')).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  it('finds records below an owner whose key has a comma', async () => {
    const { call } = await open({
      spec: `${await writeFolder({ 'api.yaml': foreignDocuments.library })}/api.yaml`,
      scenario: {
        authors: [
          { slug: 'a,b', name: 'Two' },
          { slug: 'a', name: 'One' },
        ],
        books: [
          { id: 1, title: 'First', '{slug}': 'a,b' },
          { id: 1, title: 'Second', '{slug}': 'a' },
        ],
      },
    })
    const books = '/worlds/sandbox/collections/books/records'
    expect(await call('GET', `${books}?key=1&parent=a,b`)).toMatchObject({
      body: { records: [{ values: { title: 'First' } }] },
    })
    expect(await call('GET', `${books}?key=1&parent=a`)).toMatchObject({
      body: { total: 1, records: [{ values: { title: 'Second' } }] },
    })
    const lost = { title: 'Third', '{slug}': 'b' }
    expect(await call('POST', books, lost)).toMatchObject({
      status: 400,
      body: { violations: [{ at: '{slug}', message: '{slug} must be the slug of a record in authors (got "b")' }] },
    })
    expect((await call('POST', `${books}?validate=false`, lost)).status).toBe(201)
  })

  it('makes requests for operations that name records of the world', async () => {
    const { call } = await open({
      spec: `${await writeFolder({ 'api.yaml': foreignDocuments.library })}/api.yaml`,
      scenario: { authors: [{ slug: 'kafka', name: 'Franz Kafka' }], books: [] },
    })
    for (const operation of ['getAuthor', 'removeAuthor', 'listBooks', 'addBook']) {
      const answered: { form: object } = (await call('GET', `/operations/${operation}`)).body
      expect(answered.form, operation).toMatchObject({ example: { parameters: { path: { slug: 'kafka' } } } })
    }
  })

  it('completes an added record as seed does', async () => {
    const { call, server } = await open()
    const { body } = await call('POST', '/worlds/sandbox-one/collections/pets/records', { name: 'Rex' })
    expect((body as { values: object }).values).toEqual(
      await seed(server.sandbox, 'pets', { name: 'Rex' }, { key: 'sandbox-other' }),
    )
    expect(body).toMatchObject({ values: { id: 121, name: 'Rex', categoryId: expect.any(Number) } })
  })

  it('takes a record as it answers with it', async () => {
    const { call } = await open()
    const { body: added } = await call('POST', pets, { values: rex })
    expect(added).toMatchObject({ values: rex })
    const { id, values } = added as { id: number; values: object }
    const { status, body } = await call('PUT', `${pets}/${id}`, { id, values: { ...values, name: 'Max' } })
    expect([status, body]).toEqual([200, { id, values: { ...values, name: 'Max' } }])
  })

  it('keeps a property of the name values', async () => {
    const lists = toDocument(
      {
        'GET /lists': { 200: list(named('List')) },
        'POST /lists': { body: named('List'), 201: named('List') },
        'GET /lists/{id}': { 200: named('List') },
      },
      { List: object({ 'id!': integer, values: object({ a: text }) }) },
    )
    const { call } = await open({ spec: `${await writeFolder({ 'lists.json': lists })}/lists.json` })
    const { body } = await call('POST', '/worlds/sandbox/collections/lists/records', { values: { a: 'b' } })
    expect(body).toMatchObject({ values: { values: { a: 'b' } } })
  })

  describe('where records belong to others', () => {
    const books = '/worlds/sandbox/collections/books/records'
    const openLibrary = async (authors: object[]) =>
      open({
        spec: `${await writeFolder({ 'api.yaml': foreignDocuments.library })}/api.yaml`,
        scenario: { authors, books: [] } as Scenario,
      })

    it('lets an added record belong to the newest owner', async () => {
      const { call } = await openLibrary([
        { slug: 'old', name: 'Old' },
        { slug: 'new', name: 'New' },
      ])
      expect(await call('POST', books, { title: 'Third' })).toMatchObject({
        status: 201,
        body: { values: { title: 'Third', '{slug}': 'new' } },
      })
    })

    it('refuses a record if no owner exists', async () => {
      const { call } = await openLibrary([])
      expect(await call('POST', books, { title: 'Third' })).toMatchObject({
        status: 400,
        body: { violations: [{ in: 'body', at: '{slug}', rule: 'required' }] },
      })
    })

    it('stores a record as it is if it is not validated', async () => {
      const { call } = await openLibrary([])
      const { body } = await call('POST', `${books}?validate=false`, { '{slug}': 'none' })
      expect(Object.keys((body as { values: object }).values).sort()).toEqual(['id', '{slug}'])
    })
  })

  it('reads, adds, replaces and removes records, each as its schema says', async () => {
    const { call } = await open({ scenario: { pets: [{ id: 7, ...rex }] } })
    expect(await call('GET', pets)).toEqual({
      status: 200,
      body: { total: 1, records: [{ id: 0, values: { id: 7, ...rex } }] },
    })
    expect(await call('POST', pets, { name: 'Ida', categoryId: 1 })).toMatchObject({
      status: 201,
      body: { id: 1, values: { id: 8, name: 'Ida' } },
    })
    expect(await call('POST', pets, { id: 8, ...rex })).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(await call('POST', pets, { name: 5 })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('name must be a string') },
    })
    expect(await call('POST', `${pets}?validate=false`, { name: 'Odd' })).toMatchObject({
      status: 201,
      body: { values: { id: 9, name: 'Odd' } },
    })
    expect(await call('GET', `${pets}?key=8`)).toMatchObject({ body: { total: 1, records: [{ id: 1 }] } })
    expect(await call('GET', `${pets}?text=IDA`)).toMatchObject({ body: { total: 1, records: [{ id: 1 }] } })
    expect(await call('GET', `${pets}?text=nam`)).toMatchObject({ body: { total: 0 } })
    expect(await call('GET', `${pets}?where=name%3DIda`)).toMatchObject({ body: { total: 1, records: [{ id: 1 }] } })
    expect(await call('GET', `${pets}?where=name%3DIda&where=id%3D70`)).toMatchObject({ body: { total: 0 } })
    expect(await call('GET', `${pets}?limit=1&offset=1`)).toMatchObject({ body: { total: 3, records: [{ id: 1 }] } })
    expect(await call('PUT', `${pets}/1`, { id: 99, name: 'Ada', categoryId: 2 })).toEqual({
      status: 200,
      body: { id: 1, values: { name: 'Ada', categoryId: 2, id: 8 } },
    })
    expect(await call('PUT', `${pets}/1`, { name: 5 })).toMatchObject({ status: 400 })
    expect(await call('GET', `${pets}/1`)).toMatchObject({ body: { values: { name: 'Ada' } } })
    expect((await call('DELETE', `${pets}/1`)).status).toBe(204)
    expect((await call('GET', `${pets}/1`)).status).toBe(404)
    expect((await call('DELETE', pets)).status).toBe(204)
    expect(await call('GET', pets)).toMatchObject({ body: { total: 0 } })
    expect(await call('GET', '/worlds/sandbox/collections/cats/records')).toMatchObject({
      status: 404,
      body: { message: 'There is no collection "cats"; the collections are pets, messages' },
    })
    expect(await call('GET', `${pets}?environment=moon`)).toMatchObject({ status: 400 })
  })

  it('keeps every digit of an integer, in records and in exported worlds', async () => {
    const { server } = await open({ scenario: 'empty' })
    const send = (method: string, path: string, body?: string) =>
      fetch(`${server.url}/_sandbox${path}`, {
        method,
        headers: { 'Content-Type': 'application/json' },
        ...(body !== undefined && { body }),
      }).then((response) => response.text())
    const big = '{"pets":[{"id":9223372036854775807,"name":"Big","categoryId":9007199254740993}]}'
    await send('PUT', '/worlds/sandbox/snapshot', big)
    expect(await send('GET', '/worlds/sandbox/snapshot')).toBe(big)
    expect(await send('GET', `${pets}/0`)).toContain('9223372036854775807')
  })

  it('exports a world as a scenario, and imports it elsewhere, all or nothing', async () => {
    const { call, server } = await open({ scenario: { pets: [{ id: 7, ...rex }] } })
    const { body: exported } = await call('GET', '/worlds/sandbox/snapshot')
    expect(exported).toEqual({ pets: [{ id: 7, ...rex }] })
    expect((await call('PUT', '/worlds/sandbox-b/snapshot', { pets: [{ id: 1, ...rex }] })).status).toBe(200)
    expect(await server.sandbox.world('sandbox-b').collection('pets').list()).toEqual([{ id: 1, ...rex }])
    const wrong = await call('PUT', '/worlds/sandbox-b/snapshot', { pets: [{ id: 2, ...rex }, { id: 3 }] })
    expect(wrong).toMatchObject({ status: 400, body: { message: expect.stringContaining('pets[1]') } })
    expect(await server.sandbox.world('sandbox-b').collection('pets').list()).toEqual([{ id: 1, ...rex }])
  })

  it('sorts records by a property in both orders, those without it last', async () => {
    const one = { id: 1, name: 'Ann', categoryId: 9 }
    const { call } = await open({
      scenario: {
        pets: [
          one,
          { ...one, id: 2, categoryId: 100, status: 'sold' },
          { ...one, id: 3, categoryId: 20, status: 'available' },
        ],
      },
    })
    const idsOf = async (query: string) => {
      const { body } = await call('GET', `${pets}?${query}`)
      return (body as { records: { id: number }[] }).records.map(({ id }) => id + 1)
    }
    expect(await idsOf('sort=categoryId')).toEqual([1, 3, 2])
    expect(await idsOf('sort=-categoryId')).toEqual([2, 3, 1])
    expect(await idsOf('sort=status')).toEqual([3, 2, 1])
    expect(await idsOf('sort=-status&limit=2&offset=1')).toEqual([3, 1])
  })

  it('lists which exchanges changed a record, with its values before and after', async () => {
    const { call, server } = await open({ scenario: { pets: [{ id: 7, ...rex }] } })
    const headers = { Authorization: 'Bearer sandbox', 'Content-Type': 'application/json' }
    const body = JSON.stringify(rex)
    await fetch(`${server.url}/v1/pets`, { method: 'POST', headers, body })
    await fetch(`${server.url}/v1/pets/8`, { headers })
    expect(await call('GET', `${pets}/1/changes`)).toMatchObject({
      body: [{ exchange: 1, method: 'POST', path: '/pets', operation: 'createPet', after: { id: 8, ...rex } }],
    })
    expect(await call('GET', `${pets}/0/changes`)).toMatchObject({ status: 200, body: [] })
    const identity = { collection: 'pets', kind: 'added', identity: ['8'] }
    expect(await call('GET', '/exchanges')).toMatchObject({ body: [{ changes: [identity] }, {}] })
    expect((await call('GET', '/exchanges')).body[1]).not.toHaveProperty('changes')
    // Another record in the same position.
    await call('POST', '/worlds/sandbox/reset')
    await call('POST', pets, { id: 99, ...rex })
    expect(await call('GET', `${pets}/1/changes`)).toMatchObject({ body: [] })
  })

  it('lists exchanges whose records have values that look like a part of an exchange', async () => {
    const notes = { type: 'array', items: object({ 'label!': text }) }
    const folder = await writeFolder({
      'api.json': toDocument(
        {
          'GET /things': { 200: list(named('Thing')) },
          'POST /things': { body: object({ notes }), 201: named('Thing') },
          'GET /things/{thingId}': { 200: named('Thing') },
          'PATCH /things/{thingId}': { body: object({ notes }), 200: named('Thing') },
        },
        { Thing: object({ 'id!': integer, notes }) },
      ),
    })
    const { call, server } = await open({ spec: `${folder}/api.json`, records: 0 })
    const headers = { 'Content-Type': 'application/json' }
    await fetch(`${server.url}/things`, { method: 'POST', headers, body: '{"notes":[{"label":"a"}]}' })
    expect(await call('GET', '/exchanges')).toMatchObject({ body: [{ changes: [{ kind: 'added' }] }] })
    // What a request gives may be there already.
    const same = { method: 'PATCH', headers, body: '{"notes":[{"label":"a"},{"label":"b"}]}' }
    for (const _again of [1, 2]) await fetch(`${server.url}/things/1`, same)
    const { body } = await call('GET', '/exchanges')
    expect(body[1]).toMatchObject({ changes: [{ kind: 'changed' }] })
    expect(body[2]).not.toHaveProperty('changes')
  })

  it('compares two worlds by the keys of their records', async () => {
    const { call } = await open({ scenario: { pets: [{ id: 7, ...rex }] } })
    await call('POST', pets, { id: 20, ...rex })
    await call('POST', pets.replace('sandbox', 'sandbox-b'), { id: 30, ...rex })
    expect(await call('GET', '/worlds/sandbox/diff?world=sandbox-b')).toEqual({
      status: 200,
      body: [{ collection: 'pets', added: [{ id: 20, ...rex }], changed: [], removed: [{ id: 30, ...rex }] }],
    })
    expect((await call('GET', '/worlds/sandbox/diff?world=nobody')).status).toBe(404)
  })

  it('says what a world has that its scenario has not, or a snapshot', async () => {
    const { call } = await open({ scenario: { pets: [1, 2, 3].map((id) => ({ id, ...rex })) } })
    await call('POST', pets, { id: 4, ...rex })
    expect((await call('PUT', '/snapshots/four', { world: 'sandbox' })).status).toBe(200)
    await call('DELETE', `${pets}/0`)
    await call('PUT', `${pets}/1`, { name: 'Ida', categoryId: 1 })
    const gone = { id: 1, ...rex }
    const changed = { before: { id: 2, ...rex }, after: { id: 2, name: 'Ida', categoryId: 1 } }
    expect(await call('GET', '/worlds/sandbox/diff')).toEqual({
      status: 200,
      body: [{ collection: 'pets', added: [{ id: 4, ...rex }], changed: [changed], removed: [gone] }],
    })
    expect(await call('GET', '/worlds/sandbox/diff?snapshot=four')).toMatchObject({
      body: [{ added: [], changed: [changed], removed: [gone] }],
    })
    expect((await call('POST', '/snapshots/four/restore', { to: 'sandbox' })).status).toBe(200)
    expect(await call('GET', '/worlds/sandbox/diff?snapshot=four')).toEqual({ status: 200, body: [] })
    expect(await call('GET', '/snapshots')).toMatchObject({ body: [{ name: 'four' }] })
    expect((await call('DELETE', '/snapshots/four')).status).toBe(204)
    expect((await call('GET', '/worlds/sandbox/diff?snapshot=four')).status).toBe(404)
    expect((await call('POST', '/snapshots/four/restore', { to: 'sandbox' })).status).toBe(404)
  })

  it('compares jobs as requests show them, each at the time of its world', async () => {
    const rendering = object({
      'id!': integer,
      title: text,
      'status!': oneOfTexts('waiting', 'running', 'succeeded', 'failed'),
    })
    const renderings = toDocument(
      {
        'POST /renderings': { body: object({ title: text }), 201: named('Rendering') },
        'GET /renderings/{renderingId}': { 200: named('Rendering') },
      },
      { Rendering: rendering },
    )
    const { call, server } = await open({ ...(await specOf(renderings)), records: 0 })
    for (const key of ['sandbox', 'other'])
      await fetch(`${server.url}/renderings`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Sandbox-World': key },
        body: '{"title":"Sweep"}',
      })
    const other = ((await call('GET', '/worlds')).body as { worlds: { id: string }[] }).worlds.find(
      ({ id }) => id !== 'sandbox',
    )
    const path = `/worlds/sandbox/diff?world=${other?.id}`
    expect(await call('GET', path)).toEqual({ status: 200, body: [] })
    await call('PUT', '/snapshots/begun', { world: 'sandbox' })
    await call('PATCH', '/worlds/sandbox/clock', { advance: 60_000 })
    const changed = [
      { before: { id: 1, title: 'Sweep', status: 'waiting' }, after: { id: 1, title: 'Sweep', status: 'succeeded' } },
    ]
    const body = [{ collection: 'renderings', added: [], changed, removed: [] }]
    expect(await call('GET', path)).toEqual({ status: 200, body })
    expect(await call('GET', '/worlds/sandbox/diff?snapshot=begun')).toEqual({ status: 200, body })
    expect(await call('GET', '/worlds/sandbox/diff')).toMatchObject({ body: [{ added: [{ status: 'succeeded' }] }] })
  })

  it('moves and stops the clock of a world, or of all', async () => {
    const { call } = await open()
    expect(await call('PATCH', '/worlds/sandbox/clock', { travelTo: '2030-12-05T00:00:00Z', frozen: true })).toEqual({
      status: 200,
      body: { now: '2030-12-05T00:00:00.000Z', frozen: true },
    })
    await call('PATCH', '/worlds/sandbox/clock', { advance: 1000 })
    await call('PATCH', '/clock', { advance: 3_600_000 })
    expect(await call('GET', '/worlds/sandbox/clock')).toMatchObject({ body: { now: '2030-12-05T00:00:01.000Z' } })
    expect(await call('GET', '/worlds/sandbox-b/clock')).toMatchObject({ body: { now: '2026-11-23T01:00:00.000Z' } })
    expect(await call('PATCH', '/worlds/sandbox/clock', { frozen: false, advance: 1e15 })).toMatchObject({
      status: 400,
    })
    expect(await call('GET', '/worlds/sandbox/clock')).toMatchObject({
      body: { now: '2030-12-05T00:00:01.000Z', frozen: true },
    })
    expect(await call('PATCH', '/worlds/sandbox/clock', { reset: true })).toMatchObject({
      body: { now: '2026-11-23T01:00:00.000Z', frozen: false },
    })
    expect(await call('GET', '/clock')).toMatchObject({ body: { now: '2026-11-23T01:00:00.000Z' } })
    expect((await call('PATCH', '/clock', {})).status).toBe(400)
    expect((await call('PATCH', '/clock', { travelTo: 'tomorrow' })).status).toBe(400)
  })

  it('lets requests fail as often as a rule says, and shows the exchanges with the reason', async () => {
    const { call, server } = await open()
    expect(await call('POST', '/faults', { operation: 'listPets', key: 'sandbox', times: 1, status: 503 })).toEqual({
      status: 201,
      body: { id: '1', operation: 'listPets', key: 'sandbox', times: 1, status: 503, struck: 0 },
    })
    const list = () => fetch(`${server.url}/v1/pets?limit=1`, { headers: key })
    expect([(await list()).status, (await list()).status]).toEqual([503, 200])
    expect(await call('GET', '/faults/1')).toMatchObject({ body: { struck: 1 } })
    expect(await call('GET', '/exchanges?status=503')).toMatchObject({
      body: [
        { id: 1, world: 'sandbox', operation: 'listPets', refused: 'unavailable', notes: ['fault 1: status 503'] },
      ],
    })
    expect(await call('GET', '/exchanges?limit=1')).toMatchObject({ body: [{ id: 2 }] })
    expect(await call('GET', '/operations?key=sandbox')).toMatchObject({
      body: expect.arrayContaining([
        expect.objectContaining({ id: 'listPets', effect: 'list', met: [200, 503], reason: 'it returns an array' }),
      ]),
    })
    expect(await call('GET', '/exchanges.har')).toMatchObject({
      body: { log: { version: '1.2', entries: [{ response: { status: 503 } }, { response: { status: 200 } }] } },
    })
    expect((await call('DELETE', '/faults/1')).status).toBe(204)
    expect((await call('DELETE', '/faults/1')).status).toBe(404)
    expect(await call('POST', '/faults', { operation: 'eatPet', status: 500 })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('Unknown operation "eatPet"') },
    })
    expect((await call('POST', '/faults', { times: 1 })).status).toBe(400)
    expect((await call('DELETE', '/faults')).status).toBe(204)
  })

  it('waits for an exchange', async () => {
    const { call, server } = await open()
    const waited = call('POST', '/exchanges/wait', { operation: 'createPet' })
    await fetch(`${server.url}/v1/pets`, { headers: key })
    await fetch(`${server.url}/v1/pets`, {
      method: 'POST',
      headers: { ...key, 'Content-Type': 'application/json' },
      body: JSON.stringify(rex),
    })
    expect(await waited).toMatchObject({ status: 200, body: { operation: 'createPet', response: { status: 201 } } })
    expect((await call('POST', '/exchanges/wait', { status: 418, timeoutMs: 1 })).status).toBe(408)
  })

  it('makes and revokes keys, unless they are fixed', async () => {
    const { call, server } = await open()
    const { status, body } = await call('POST', '/keys', { name: 'ana' })
    expect([status, body]).toEqual([201, { id: 'sandbox-ana', key: 'sandbox-ana', fixed: false }])
    const { body: other } = await call('POST', '/keys', {})
    const { key: made } = other as { key: string }
    const list = (bearer: string) =>
      fetch(`${server.url}/v1/pets`, { headers: { Authorization: `Bearer ${bearer}` } }).then((each) => each.status)
    expect([await list('sandbox-ana'), await list(made)]).toEqual([200, 200])
    expect(await call('GET', '/keys')).toMatchObject({
      body: [{ id: 'sandbox', fixed: true }, { id: 'sandbox-ana', fixed: false }, { id: made }],
    })
    expect((await call('DELETE', '/keys/sandbox-ana')).status).toBe(204)
    expect([await list('sandbox-ana'), await list(made), await list('sandbox')]).toEqual([401, 200, 200])
    expect((await call('DELETE', '/keys/sandbox-ana')).status).toBe(404)
    expect((await call('DELETE', '/keys/sandbox')).status).toBe(409)
    expect((await call('POST', '/keys', { name: 'no key' })).status).toBe(400)
    expect((await call('POST', '/keys', { name: 'ana' })).status).toBe(201)
    expect(await list('sandbox-ana')).toBe(200)
    const fixed = await open({ apiKeys: ['own-key'] })
    expect((await fixed.call('POST', '/keys', {})).status).toBe(409)
    expect(await fixed.call('GET', '/keys')).toMatchObject({ body: [{ fixed: true }] })
  })

  it('shows no credentials but those of its own making', async () => {
    const { call, server } = await open({ apiKeys: ['s3cret-key'] })
    await fetch(`${server.url}/v1/pets`, { headers: { Authorization: 'Bearer s3cret-key', Cookie: 'a=s3cret' } })
    await fetch(`${server.url}/v1/pets?name=s3cret-key`, { headers: { Authorization: 'my s3cret' } })
    const { body: exchanges } = await call('GET', '/exchanges')
    expect(JSON.stringify(exchanges)).not.toContain('s3cret')
    expect(JSON.stringify((await call('GET', '/exchanges.har')).body)).not.toContain('s3cret')
    const { body: worlds } = await call('GET', '/worlds')
    const [{ id }] = (worlds as { worlds: { id: string }[] }).worlds as [{ id: string }]
    expect(id).toMatch(/^[\da-f]{16}$/)
    expect((await call('GET', `/worlds/${id}`)).status).toBe(200)
    expect((await call('GET', '/worlds/s3cret-key')).status).toBe(404)
  })
})

describe('what nobody should ask', () => {
  const tooMany = JSON.stringify(Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`p${index}`, 1])))
  const refused: [name: string, method: string, path: string, body: unknown, status: number][] = [
    ['a wait after an exchange beyond 2^53', 'POST', '/exchanges/wait', '{"after":99999999999999999999}', 400],
    ['a time beyond all years', 'PATCH', '/clock', '{"advance":99999999999999999999}', 400],
    ['a page beyond 2^53', 'GET', '/worlds?offset=99999999999999999999', undefined, 400],
    ['records beyond 2^53', 'GET', `${pets}?offset=99999999999999999999`, undefined, 400],
    ['a record of more properties than are read in a moment', 'POST', `${pets}?validate=false`, tooMany, 400],
    ['an unknown environment of an export', 'GET', '/worlds/sandbox/snapshot?environment=nope', undefined, 400],
    ['an unknown environment of an import', 'PUT', '/worlds/sandbox/snapshot?environment=nope', '{"pets":[]}', 400],
    ['an unknown environment of a diff', 'GET', '/worlds/sandbox/diff?environment=nope', undefined, 400],
    [
      'a collection of another environment',
      'PUT',
      '/worlds/sandbox/snapshot?environment=staging',
      '{"messages":[]}',
      400,
    ],
    ['the mark of a removed record', 'POST', `${pets}?validate=false`, '{"{removed}":true}', 400],
    ['a body of a reset', 'POST', '/worlds/sandbox/reset', '{"junk":1}', 400],
    ['junk after a body', 'POST', '/faults', '{"status":500}x', 400],
    ['an empty body', 'POST', '/faults', '', 400],
    ['a list as a fault', 'POST', '/faults', '[]', 400],
  ]

  it.each(refused)('%s is refused, and changes nothing', async (_, method, path, body, status) => {
    const { server } = await open()
    const world = server.sandbox.world()
    await world.collection('pets').clear()
    const before = await world.snapshot()
    const response = await fetch(`${server.url}/_sandbox${path}`, {
      method,
      headers: { 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: String(body) }),
    })
    expect([response.status, (await response.json()).status]).toEqual([status, status])
    expect(await world.snapshot()).toEqual(before)
    expect(await server.sandbox.faults.list()).toEqual([])
  })

  it('a wait that ends late does not name the key', async () => {
    const { call } = await open({ apiKeys: ['s3cret-key'] })
    const { body } = await call('GET', '/keys')
    const [{ id }] = body as [{ id: string }]
    const ended = await call('POST', '/exchanges/wait', { key: id, timeoutMs: 1 })
    expect(ended.status).toBe(408)
    expect(JSON.stringify(ended.body)).not.toContain('s3cret')
  })

  it('a world whose sandbox goes beyond the year 9999 stands at its end', async () => {
    const { call } = await open()
    await call('PATCH', '/worlds/sandbox/clock', { travelTo: '9999-01-01T00:00:00Z' })
    await call('PATCH', '/clock', { travelTo: '9999-01-01T00:00:00Z' })
    expect(await call('GET', '/worlds/sandbox/clock')).toMatchObject({ body: { now: '9999-12-31T23:59:59.999Z' } })
  })

  it('the world that is imported again has no differences', async () => {
    const { call } = await open()
    const { body } = await call('GET', '/worlds/sandbox/snapshot')
    await call('PUT', '/worlds/sandbox/snapshot', body)
    expect(await call('GET', '/worlds/sandbox/diff')).toEqual({ status: 200, body: [] })
  })

  it('a full sandbox says so', async () => {
    const { call } = await open({ maxWorlds: 1 })
    expect((await call('GET', '/worlds/sandbox')).status).toBe(200)
    expect(await call('GET', '/worlds/sandbox-b')).toMatchObject({ status: 503 })
  })
})

describe('who may use it', () => {
  const denied: [name: string, method: string, headers: Record<string, string>, status: number][] = [
    ['a page of another origin', 'GET', { Origin: 'http://evil.example' }, 403],
    ['a page with an opaque origin', 'GET', { Origin: 'null' }, 403],
    ['a request of another site', 'GET', { 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['a request of another port', 'GET', { 'Sec-Fetch-Site': 'same-site' }, 403],
    ['a form', 'POST', { 'Content-Type': 'application/x-www-form-urlencoded' }, 415],
    ['a request without CORS', 'POST', { 'Content-Type': 'text/plain' }, 415],
  ]

  it.each(denied)('not %s', async (_, method, headers, status) => {
    const { server } = await open()
    await server.sandbox.world().collection('pets').clear()
    const path = method === 'GET' ? '/worlds' : '/worlds/sandbox/reset'
    const response = await fetch(`${server.url}/_sandbox${path}`, { method, headers })
    expect(response.status).toBe(status)
    expect(response.headers.get('access-control-allow-origin')).toBe(null)
    expect(await server.sandbox.world().collection('pets').size()).toBe(0)
  })

  it('a page of its own origin, and a program', async () => {
    const { call, server } = await open()
    const own = { Origin: server.url, 'Sec-Fetch-Site': 'same-origin' }
    expect((await call('GET', '/worlds', undefined, own)).status).toBe(200)
    const behindTls = { ...own, Origin: server.url.replace('http:', 'https:') }
    expect((await call('POST', '/worlds/sandbox/reset', {}, behindTls)).status).toBe(200)
    expect((await call('GET', '/worlds')).status).toBe(200)
  })

  it('nobody where other machines reach the server, unless there is a token', async () => {
    const { server } = await open({ host: '0.0.0.0' })
    const local = `http://127.0.0.1:${server.port}/_sandbox`
    expect((await fetch(`${local}/worlds`)).status).toBe(403)
    expect((await fetch(`${local}/health`)).status).toBe(200)
    const { server: guarded } = await open({ host: '0.0.0.0', controlToken: 'open-sesame' })
    const address = `http://127.0.0.1:${guarded.port}/_sandbox/worlds`
    expect((await fetch(address)).status).toBe(401)
    expect((await fetch(address, { headers: { Authorization: 'Bearer wrong' } })).status).toBe(401)
    expect((await fetch(address, { headers: { Authorization: 'Bearer open-sesame' } })).status).toBe(200)
  })
})

describe('what somebody needs who begins', () => {
  it('has addresses, keys and a command', async () => {
    const { call, server } = await open()
    expect(await call('GET', '/about')).toMatchObject({
      status: 200,
      body: {
        title: 'Pet Store 1.0.0',
        environments: [
          { name: 'production', url: `${server.url}/v1`, mount: '/v1' },
          { name: 'staging', mount: '/staging/v1' },
          { name: 'quickstart', mount: '' },
        ],
        keys: [{ id: 'sandbox', key: 'sandbox' }],
        curl: `curl -H "Authorization: Bearer sandbox" "${server.url}/v1/pets?limit=3"`,
      },
    })
  })

  it('has the collections, and how their records refer to each other', async () => {
    const { call } = await open(await specOf(foreignDocuments.shop))
    expect(await call('GET', '/collections')).toMatchObject({
      body: [
        { name: 'customers', key: 'id', keyKind: 'uuid', links: [] },
        { name: 'orders', links: [{ collection: 'customers', values: [{ own: 'customerId', other: 'id' }] }] },
      ],
    })
  })

  it('says which collections have a record for every key that is read', async () => {
    const { call } = await open(await specOf(books.replace('/opening-hours:', '/books/{bookId}/cover:')))
    expect(await call('GET', '/collections')).toMatchObject({
      body: [
        { name: 'books', sampled: false },
        { name: 'cover', size: 0, sampled: true },
      ],
    })
  })

  it('has each operation with a request that succeeds', async () => {
    const { call, server } = await open(await specOf(foreignDocuments.library))
    const { body } = (await call('GET', '/operations')) as { body: { id: string; canTry: boolean }[] }
    expect(body.filter(({ canTry }) => !canTry).map(({ id }) => id)).toEqual(['getBook'])
    for (const { id } of body.slice(0, -1)) {
      const { form } = (await call('GET', `/operations/${id}`)).body as { form: { example: object } }
      const written = (await call('POST', `/operations/${id}/request`, form.example)).body as WrittenRequest
      const { method, target, headers, body: text } = written
      const sent = Object.fromEntries(headers.map(({ name, value }) => [name, value]))
      const response = await fetch(server.url + target, {
        method,
        headers: sent,
        ...(text !== undefined && { body: text }),
      })
      expect(response.status, id).toBeLessThan(300)
    }
    expect(await call('GET', '/operations/none')).toMatchObject({ status: 404 })
  })

  it.each([
    ['x-sandbox-try: false', false],
    ['x-explorer-enabled: false', false],
    ['x-readme: { explorer-enabled: false }', false],
    ['x-sandbox-try: true', true],
  ])('lets people try operations unless the document says %s', async (member, canTry) => {
    const { call } = await open(await specOf(`${member}\n${foreignDocuments.library}`))
    expect(await call('GET', '/operations')).toMatchObject({
      body: [{ id: 'listAuthors', canTry }, {}, {}, {}, {}, {}, { canTry: false }],
    })
  })

  it('has what a form needs: keys of records, values of schemas, facts and the overlay that corrects them', async () => {
    const { call } = await open(await specOf(foreignDocuments.library))
    const { form } = (await call('GET', '/operations/getBook')).body as {
      form: { references: object[]; facts: object[] }
    }
    const book = { in: 'path', collection: 'books', property: 'id' }
    expect(form.references).toContainEqual(expect.objectContaining(book))
    expect(form.facts).toContainEqual(expect.objectContaining({ fact: 'key', about: 'id', evidence: 'name' }))
    const pointer = encodeURIComponent('/paths/~1authors/get/responses/200/content/application~1json/schema')
    expect(await call('GET', `/sample?pointer=${pointer}`)).toMatchObject({
      status: 200,
      body: { value: { data: [] } },
    })
    expect(await call('GET', '/sample?pointer=/none')).toMatchObject({ status: 404 })
    const { overlay } = (await call('GET', '/operations/getBook/overlay')).body as { overlay: string }
    expect(overlay).toContain('x-sandbox-effect')
    expect(await call('GET', '/operations/none/overlay')).toMatchObject({ status: 404 })
  })

  it('says what a correction would make of an operation, and serves the document as before', async () => {
    const { call } = await open(await specOf(foreignDocuments.library))
    const correct = (effect: object) => call('POST', '/operations/getBook/overlay', effect)
    const { status, body } = await correct({ effect: 'action', changes: { title: 'Emma' } })
    const made = body as { overlay: string; effect: object; corrected: object }
    const collections = (await call('GET', '/collections')).body as { name: string; path: string }[]
    const path = collections.find(({ name }) => name === 'books')?.path
    expect([status, made.effect]).toEqual([
      200,
      expect.objectContaining({ effect: 'action', collection: path, changes: { title: 'Emma' } }),
    ])
    expect(made.corrected).toEqual({ effect: 'action', changes: { title: 'Emma' } })
    expect(made.overlay).toMatch(/effect: action\n +changes:\n +title: Emma\n$/)
    expect(await correct({ effect: 'action', changes: { titel: 'Emma' } })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('there is no property of the record "titel"; the closest is "title"') },
    })
    expect(await correct({ efect: 'read' })).toMatchObject({ status: 400 })
    expect(await call('POST', '/operations/getBook/overlay', 'read')).toMatchObject({ status: 400 })
    expect(await call('GET', '/operations/getBook/overlay')).toMatchObject({
      body: { corrected: {}, effect: { effect: 'read' } },
    })
  })

  it('has requests written with the values, the key and the environment that are given', async () => {
    const { call } = await open()
    const values = { key: 'sandbox-b', environment: 'staging', parameters: { query: { limit: 2, name: 'a b' } } }
    expect(await call('POST', '/operations/listPets/request', values)).toEqual({
      status: 200,
      body: {
        method: 'GET',
        target: '/staging/v1/pets?limit=2',
        headers: [{ name: 'Authorization', value: 'Bearer sandbox-b' }],
      },
    })
    expect(await call('POST', '/operations/listPets/request', { environment: 'none' })).toMatchObject({ status: 400 })
    expect(await call('POST', '/operations/listPets/request', { key: 'no key' })).toMatchObject({ status: 400 })
  })
})

it('says of a record that breaks its schema what is wrong with each property', async () => {
  const { call } = await open()
  expect(await call('POST', pets, { name: 5, categoryId: 1, status: 'lost' })).toMatchObject({
    status: 400,
    body: {
      violations: [
        { in: 'body', at: 'name', rule: 'type' },
        { in: 'body', at: 'status', rule: 'enum' },
      ],
    },
  })
})

interface WrittenRequest {
  method: string
  target: string
  headers: { name: string; value: string }[]
  body?: string
}

async function specOf(document: string): Promise<{ spec: string }> {
  return { spec: `${await writeFolder({ 'api.yaml': document })}/api.yaml` }
}
