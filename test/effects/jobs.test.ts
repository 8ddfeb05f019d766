// Jobs go on as the clock does, through every transport.
import { createSandbox } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import { compileOnce } from '../support/compile-once.js'
import { doors, openDocument, receive } from '../support/one-operation.js'
import { named, object, oneOfTexts, type Schema, text, time, toDocument } from '../support/sketch.js'

const integer: Schema = { type: 'integer' }
const state = oneOfTexts('failed', 'waiting', 'running', 'succeeded', 'aborted')
const wanted = { title: 'Gulls' }

/** A creation that answers with the job, actions that stop it, and its times. */
const renderings = toDocument(
  {
    'GET /renderings': { query: ['status'], 200: { type: 'array', items: named('Rendering') } },
    'POST /renderings': { body: object({ 'title!': text }), 201: named('Rendering') },
    'GET /renderings/{renderingId}': { 200: named('Rendering') },
    'PATCH /renderings/{renderingId}': { body: object({ title: text }), 200: named('Rendering') },
    'POST /renderings/{renderingId}/abort': { 200: named('Rendering') },
  },
  {
    Rendering: object({
      'id!': integer,
      'title!': text,
      'status!': state,
      progress: { type: 'integer', minimum: 0, maximum: 100 },
      started_at: time,
      finished_at: time,
    }),
  },
)

/** A 202 that only has the key of a job, with an example of another one. */
const answered = { taskUid: 7, vaultKey: 'other', state: 'waiting', enqueuedAt: '2019-01-01T00:00:00Z' }
const imports = toDocument(
  {
    'GET /vaults/{vaultKey}': { 200: object({ 'uid!': text }) },
    'POST /vaults/{vaultKey}/imports': {
      body: object({ url: text, format: text }),
      202: {
        ...object({ 'taskUid!': integer, vaultKey: text, 'state!': state, 'enqueuedAt!': time }),
        example: answered,
      },
    },
    'GET /tasks': { 200: object({ 'results!': { type: 'array', items: named('Task') } }) },
    'GET /tasks/{taskUid}': { 200: named('Task') },
  },
  {
    Task: object({
      'uid!': integer,
      vaultKey: text,
      'state!': state,
      'enqueuedAt!': time,
      startedAt: time,
      finishedAt: time,
      error: { type: ['string', 'null'] },
    }),
  },
)

/** A state that callers write, one that an action reaches, and one that cannot fail. */
const others = toDocument(
  {
    'POST /orders': { body: object({ status: state }), 201: named('Order') },
    'GET /orders/{orderId}': { 200: named('Order') },
    'POST /visits': { body: object({ title: text }), 201: named('Visit') },
    'GET /visits/{visitId}': { 200: named('Visit') },
    'POST /visits/{visitId}/complete': { 200: named('Visit') },
    'POST /chores': { body: object({ title: text }), 201: named('Chore') },
    'GET /chores/{choreId}': { 200: named('Chore') },
  },
  {
    Order: object({ 'id!': integer, 'status!': state }),
    Visit: object({ 'id!': integer, title: text, 'status!': oneOfTexts('pending', 'completed', 'failed') }),
    Chore: object({ 'id!': integer, title: text, 'status!': oneOfTexts('pending', 'running', 'done') }),
  },
)

/** Jobs whose path is a verb, and which begin in a state that is not one of waiting. */
const renders = toDocument(
  {
    'POST /render': { body: object({ scene: text }), 202: named('Render') },
    'GET /render/{id}': { 200: named('Render') },
  },
  { Render: object({ 'id!': text, scene: text, status: oneOfTexts('scheduled', 'started', 'failed', 'success') }) },
)

/** A job whose creation takes what it answers, and a record that callers write in the same form. */
const commands = toDocument(
  {
    'GET /commands': { 200: { type: 'array', items: named('Command') } },
    'POST /commands': { body: named('Command'), 200: named('Command') },
    'GET /commands/{commandId}': { 200: named('Command') },
    'POST /orders': { body: named('Order'), 200: named('Order') },
    'GET /orders/{orderId}': { 200: named('Order') },
    'PUT /orders/{orderId}': { body: named('Order'), 200: named('Order') },
  },
  {
    Command: object({ id: integer, title: text, 'status!': state, started_at: time }),
    Order: object({ id: integer, title: text, 'status!': state }),
  },
)

/** Records that are in use after they were made. */
const disks = toDocument(
  {
    'GET /disks': { 200: { type: 'array', items: named('Disk') } },
    'POST /disks': { body: object({ title: text }), 201: named('Disk') },
    'GET /disks/{diskId}': { 200: named('Disk') },
  },
  { Disk: object({ 'id!': integer, title: text, status: oneOfTexts('active', 'creating', 'resizing') }) },
)

/** Jobs of which a 202 has the key, a record, a header, or a link. */
const accepted = (answer: Schema | null, more: object = {}): string => {
  const document = JSON.parse(
    toDocument(
      {
        'POST /films/{filmId}/transcode': { body: object({ format: text }), 202: answer },
        'GET /films/{filmId}': { 200: object({ 'id!': integer }) },
        'GET /jobs/{key}': { 200: named('Job') },
      },
      { Job: object({ 'id!': integer, kind: text, 'state!': state }) },
    ),
  )
  Object.assign(document.paths['/films/{filmId}/transcode'].post.responses['202'], more)
  document.paths['/jobs/{key}'].get.operationId = 'showJob'
  return JSON.stringify(document)
}
const location = { headers: { Location: { schema: text } } }
const link = { links: { job: { operationId: 'showJob', parameters: { key: '$response.body#/ticket' } } } }

const ways: [what: string, document: string, keyAt: string][] = [
  ['its key', accepted(object({ 'jobId!': integer })), 'jobId'],
  ['its record', accepted(named('Job')), 'id'],
  ['a link', accepted(object({ 'ticket!': integer }), link), 'ticket'],
  ['a header', accepted(null, location), ''],
  ['a header and its key', accepted(object({ 'jobId!': integer }), location), 'jobId'],
]

async function open(door: string, document: string) {
  const connection = await openDocument(door, document)
  return {
    ...connection,
    async send(request: string, body?: unknown) {
      const [method = '', target = ''] = request.split(' ')
      const headers: [string, string][] = body === undefined ? [] : [['Content-Type', 'application/json']]
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const answer = await receive(connection, { method, target, headers, ...sent })
      return JSON.parse(answer.text)
    },
  }
}

const at = (milliseconds: number) => new Date(milliseconds).toISOString()

describe.each(doors)('a job over %s', (door) => {
  it('waits, runs and succeeds within one step of the clock', async () => {
    const { send, sandbox } = await open(door, renderings)
    const { id, status, progress } = await send('POST /renderings', wanted)
    expect([status, progress]).toEqual(['waiting', 0])
    const path = `GET /renderings/${id}`
    expect(await send(path)).toEqual(await send(path))
    expect((await send(path)).status).toBe('waiting')
    await sandbox.clock.advance(600)
    expect(await send(path)).toMatchObject({ status: 'running', progress: 50, started_at: at(500) })
    expect(await send('GET /renderings?status=running')).toMatchObject([{ id, status: 'running' }])
    await sandbox.clock.advance(600)
    const done = await send(path)
    expect(done).toMatchObject({ status: 'succeeded', progress: 100 })
    expect([done.started_at, done.finished_at]).toEqual([at(500), at(1000)])
    expect(Object.keys(done).filter((name) => name.startsWith('{'))).toEqual([])
    expect(await send('GET /renderings?status=running')).toEqual([])
    expect(await sandbox.world().collection('renderings').get(id)).toMatchObject({ status: 'succeeded' })
  })

  it('goes on after a change of something else, but not after it was stopped', async () => {
    const { send, sandbox } = await open(door, renderings)
    const { id } = await send('POST /renderings', wanted)
    const stopped = await send('POST /renderings', wanted)
    await sandbox.clock.advance(600)
    expect(await send(`PATCH /renderings/${id}`, { title: 'Terns' })).toMatchObject({
      title: 'Terns',
      status: 'running',
    })
    expect(await send(`POST /renderings/${stopped.id}/abort`)).toMatchObject({ status: 'aborted' })
    await sandbox.clock.advance(600)
    expect(await send(`GET /renderings/${id}`)).toMatchObject({
      title: 'Terns',
      status: 'succeeded',
      finished_at: at(1000),
    })
    expect(await send(`GET /renderings/${stopped.id}`)).toMatchObject({ status: 'aborted' })
  })

  it('begins with an answer that names it, if a correction says so', async () => {
    const corrected = JSON.parse(imports)
    corrected.paths['/vaults/{vaultKey}/imports'].post['x-sandbox-effect'] = { starts: '/tasks' }
    const { send, sandbox } = await open(door, JSON.stringify(corrected))
    const accepted = await send('POST /vaults/north/imports', { url: 'https://files.example/1', format: 'csv' })
    expect(accepted).toMatchObject({ vaultKey: 'north', state: 'waiting', enqueuedAt: at(0) })
    const path = `GET /tasks/${accepted.taskUid}`
    expect(await send(path)).toMatchObject({ vaultKey: 'north', state: 'waiting', enqueuedAt: at(0), error: null })
    await sandbox.clock.advance(1000)
    expect(await send(path)).toMatchObject({ state: 'succeeded', startedAt: at(500), finishedAt: at(1000) })
    expect((await send('GET /tasks')).results).toMatchObject([{ uid: accepted.taskUid, state: 'succeeded' }])
  })

  it.each(ways)('begins with a 202 that has %s', async (_, document, keyAt) => {
    const connection = await openDocument(door, document)
    const headers: [string, string][] = [['Content-Type', 'application/json']]
    const answer = await receive(connection, { method: 'POST', target: '/films/1/transcode', headers, body: '{}' })
    const at = answer.headers['location']
    const key = keyAt === '' ? at?.split('/').at(-1) : JSON.parse(answer.text)[keyAt]
    if (at !== undefined) expect(at).toBe(`/jobs/${key}`)
    const read = async () => JSON.parse((await receive(connection, { method: 'GET', target: `/jobs/${key}` })).text)
    expect(await read()).toMatchObject({ state: 'waiting' })
    await connection.sandbox.clock.advance(1000)
    expect(await read()).toMatchObject({ state: 'succeeded' })
  })

  it('is kept at a path that is a verb, and begins as new records do', async () => {
    const { send, sandbox } = await open(door, renders)
    const { id } = await send('POST /render', { scene: 'cliffs' })
    expect(await send(`GET /render/${id}`)).toEqual({ id, scene: 'cliffs', status: 'scheduled' })
    await sandbox.clock.advance(1000)
    expect((await send(`GET /render/${id}`)).status).toBe('started')
    await sandbox.clock.advance(1000)
    expect((await send(`GET /render/${id}`)).status).toBe('success')
  })

  it('may be something that is made, and in use then', async () => {
    const { send, sandbox } = await open(door, disks)
    expect(await send('POST /disks', wanted)).toEqual({ id: 1, title: 'Gulls', status: 'creating' })
    await sandbox.clock.advance(1000)
    expect(await send('GET /disks/1')).toEqual({ id: 1, title: 'Gulls', status: 'active' })
  })

  it('may be created with the schema that it is answered with, if no request changes it', async () => {
    const { send, sandbox } = await open(door, commands)
    expect(await send('POST /commands', { title: 'Gulls', status: 'waiting' })).toMatchObject({ status: 'waiting' })
    expect(await send('POST /commands', { title: 'Terns', status: 'aborted' })).toMatchObject({ status: 'aborted' })
    await send('POST /orders', { title: 'Gulls', status: 'waiting' })
    await sandbox.clock.advance(1000)
    expect(await send('GET /commands/1')).toMatchObject({ status: 'succeeded', started_at: at(500) })
    expect(await send('GET /commands/2')).toMatchObject({ title: 'Terns', status: 'aborted' })
    expect(await send('GET /orders/1')).toMatchObject({ status: 'waiting' })
  })

  it('is nothing whose state callers change, or that cannot fail', async () => {
    const { send, sandbox } = await open(door, others)
    for (const name of ['orders', 'visits', 'chores']) {
      const { id, status } = await send(`POST /${name}`, {})
      await sandbox.clock.advance(60_000)
      expect((await send(`GET /${name}/${id}`)).status).toBe(status)
    }
  })
})

it('takes no time with a step of 0, and never goes on in a record of the scenario', async () => {
  const { contract } = await compileOnce(renderings)
  const scenario = { renderings: [{ id: 1, ...wanted, status: 'waiting' }] }
  const sandbox = createSandbox({ contract, scenario, lifecycleStep: 0 })
  const headers = { Authorization: 'Bearer sandbox', 'Content-Type': 'application/json' }
  const created = await sandbox.fetch('https://api.example/renderings', {
    method: 'POST',
    headers,
    body: JSON.stringify(wanted),
  })
  const { id, status } = await created.json()
  const read = async (key: number) => (await sandbox.fetch(`https://api.example/renderings/${key}`, { headers })).json()
  expect([status, (await read(id)).status, (await read(1)).status]).toEqual(['waiting', 'succeeded', 'waiting'])
})
