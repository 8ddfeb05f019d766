/** Records that are linked with others: labels, members and the like, from both sides and through every transport. */
import { describe, expect, it } from 'vitest'
import { documentOf, doors, openDocument, type Part, receive } from '../support/one-operation.js'
import type { Connection } from '../support/raw-request.js'

const json = (schema: Part): Part => ({ content: { 'application/json': { schema } } })
const ok = (schema: Part, status = 200): Part => ({ [status]: { description: 'ok', ...json(schema) } })
const done = { 204: { description: 'done' } }
const listOf = (items: Part): Part => ({ type: 'array', items })
const string = { type: 'string' }
const integer = { type: 'integer' }
const objectOf = (properties: Part, required: string[] = []): Part => ({ type: 'object', required, properties })
const inData = (schema: Part): Part => objectOf({ data: schema }, ['data'])
const inPath = (...parameters: [string, Part][]): Part => ({
  parameters: parameters.map(([name, schema]) => ({ name, in: 'path', required: true, schema })),
})

/** Records have named schemas: these say which paths are about the same records. */
const ref = (name: string): Part => ({ $ref: `#/components/schemas/${name}` })
const schemas = (all: Record<string, Part>): Part => ({ components: { schemas: all } })

/** Labels by their names, added by texts, shown as objects. */
const flag = ref('Flag')
const vessel = ref('Vessel')
const vesselParts = schemas({
  Flag: objectOf({ name: string, colour: string }, ['name']),
  Vessel: objectOf({ id: integer, title: string, flags: listOf(flag) }, ['id', 'title']),
})
const names = { oneOf: [objectOf({ flags: listOf(string) }), listOf(string)] }
const text = documentOf(
  {
    '/vessels': {
      get: { responses: ok(listOf(vessel)) },
      post: { requestBody: json(objectOf({ title: string }, ['title'])), responses: ok(vessel, 201) },
    },
    '/vessels/{id}': { ...inPath(['id', integer]), get: { responses: ok(vessel) } },
    '/flags': { get: { responses: ok(listOf(flag)) }, post: { requestBody: json(flag), responses: ok(flag, 201) } },
    '/flags/{name}': {
      ...inPath(['name', string]),
      get: { responses: ok(flag) },
      delete: { responses: done },
    },
    '/vessels/{id}/flags': {
      ...inPath(['id', integer]),
      get: { responses: ok(listOf(flag)) },
      post: { summary: 'Add flags to a vessel', requestBody: json(names), responses: ok(listOf(flag)) },
      put: { summary: 'Set the flags of a vessel', requestBody: json(names), responses: ok(listOf(flag)) },
      delete: { summary: 'Remove all flags from a vessel', responses: done },
    },
    '/vessels/{id}/flags/{name}': {
      ...inPath(['id', integer], ['name', string]),
      delete: { responses: ok(listOf(flag)) },
    },
    '/flags/{name}/vessels': { ...inPath(['name', string]), get: { responses: ok(listOf(vessel)) } },
  },
  vesselParts,
)

/** A verb behind a record, with a key in an envelope. Both sides have lists. */
const berth = ref('Berth')
const boat = ref('Boat')
const boatParts = schemas({
  Berth: objectOf({ berthId: string, pier: string }, ['berthId']),
  Boat: objectOf({ boatId: string, Name: string, Berths: listOf(objectOf({ berthId: string })) }, ['boatId']),
})
const verbs = documentOf(
  {
    '/boats': {
      get: { responses: ok(inData(listOf(boat))) },
      post: { requestBody: json(inData(objectOf({ Name: string }))), responses: ok(inData(boat), 201) },
    },
    '/boats/{boatId}': { ...inPath(['boatId', string]), get: { responses: ok(inData(boat)) } },
    '/berths': {
      get: { responses: ok(inData(listOf(berth))) },
      post: { requestBody: json(inData(objectOf({ pier: string }))), responses: ok(inData(berth), 201) },
    },
    '/berths/{berthId}': {
      ...inPath(['berthId', string]),
      get: { responses: ok(inData(berth)) },
      delete: { responses: done },
    },
    '/boats/{boatId}/berths': { ...inPath(['boatId', string]), get: { responses: ok(inData(listOf(berth))) } },
    '/berths/{berthId}/boats': { ...inPath(['berthId', string]), get: { responses: ok(inData(listOf(boat))) } },
    ...Object.fromEntries(
      ['addBerth', 'removeBerth'].map((verb) => [
        `/boats/{boatId}/${verb}`,
        {
          ...inPath(['boatId', string]),
          post: {
            operationId: `${verb}ForBoat`,
            requestBody: json(inData(objectOf({ berth: string }, ['berth']))),
            responses: ok(inData({ type: 'object' })),
          },
        },
      ]),
    ),
  },
  boatParts,
)

/** Keys in paths and in bodies. No body shows the link. */
const sailor = ref('Sailor')
const crew = ref('Crew')
const crewParts = schemas({
  Sailor: objectOf({ id: integer, name: string }, ['id', 'name']),
  Crew: objectOf({ id: integer, name: string }, ['id', 'name']),
})
const sailorDraft = objectOf({ name: string }, ['name'])
const members = documentOf(
  {
    '/sailors': {
      get: { responses: ok(listOf(sailor)) },
      post: { requestBody: json(sailorDraft), responses: ok(sailor, 201) },
    },
    '/sailors/{sailorId}': {
      ...inPath(['sailorId', integer]),
      get: { responses: ok(sailor) },
      delete: { responses: done },
    },
    '/crews': {
      get: { responses: ok(listOf(crew)) },
      post: { requestBody: json(sailorDraft), responses: ok(crew, 201) },
    },
    '/crews/{crewId}': { ...inPath(['crewId', integer]), get: { responses: ok(crew) }, delete: { responses: done } },
    '/crews/{crewId}/sailors': {
      ...inPath(['crewId', integer]),
      get: { responses: ok(listOf(sailor)) },
      post: {
        requestBody: json(objectOf({ sailorID: integer }, ['sailorID'])),
        responses: ok(objectOf({ sailor }, ['sailor']), 201),
      },
    },
    '/crews/{crewId}/sailors/{sailorId}': {
      ...inPath(['crewId', integer], ['sailorId', integer]),
      put: { responses: done },
      delete: { responses: done },
    },
    '/sailors/{sailorId}/crews': { ...inPath(['sailorId', integer]), get: { responses: ok(listOf(crew)) } },
  },
  crewParts,
)

async function send(connection: Connection, request: string, body?: unknown) {
  const [method = '', target = ''] = request.split(' ')
  const headers: [string, string][] = body === undefined ? [] : [['Content-Type', 'application/json']]
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const { status, text: answer } = await receive(connection, { method, target, headers, ...sent })
  return { status, body: answer === '' ? undefined : JSON.parse(answer) }
}

const sorted = (records: { name: string }[]) => records.map(({ name }) => name).sort()

describe.each(doors)('records that are linked over %s', (door) => {
  async function openVessel() {
    const connection = await openDocument(door, text)
    await send(connection, 'POST /vessels', { title: 'Aurora' })
    for (const name of ['red', 'blue', 'green']) await send(connection, 'POST /flags', { name, colour: `c-${name}` })
    const listed = async () => sorted((await send(connection, 'GET /vessels/1/flags')).body)
    return { connection, listed, ask: (request: string, body?: unknown) => send(connection, request, body) }
  }

  it('are added by texts, and shown in the list and in the record', async () => {
    const { ask, listed } = await openVessel()
    const added = await ask('POST /vessels/1/flags', { flags: ['red'] })
    expect(added).toEqual({ status: 200, body: [{ name: 'red', colour: 'c-red' }] })
    expect(sorted((await ask('POST /vessels/1/flags', ['blue', 'red'])).body)).toEqual(['blue', 'red'])
    expect(await listed()).toEqual(['blue', 'red'])
    expect(sorted((await ask('GET /vessels/1')).body.flags)).toEqual(['blue', 'red'])
    expect((await ask('GET /flags/blue/vessels')).body).toMatchObject([{ id: 1, title: 'Aurora' }])
    expect((await ask('GET /flags/green/vessels')).body).toEqual([])
  })

  it('are replaced and removed, but only from the record', async () => {
    const { ask, listed } = await openVessel()
    await ask('POST /vessels/1/flags', ['red', 'blue'])
    expect(sorted((await ask('PUT /vessels/1/flags', { flags: ['blue', 'green'] })).body)).toEqual(['blue', 'green'])
    expect((await ask('DELETE /vessels/1/flags/blue')).body).toEqual([{ name: 'green', colour: 'c-green' }])
    expect((await ask('DELETE /vessels/1/flags/blue')).status).toBe(404)
    expect((await ask('GET /vessels/1')).body.flags).toEqual([{ name: 'green', colour: 'c-green' }])
    expect((await ask('DELETE /vessels/1/flags')).status).toBe(204)
    expect(await listed()).toEqual([])
    expect(sorted((await ask('GET /flags')).body)).toEqual(['blue', 'green', 'red'])
  })

  it('are forgotten when they are removed themselves', async () => {
    const { ask, listed } = await openVessel()
    await ask('POST /vessels/1/flags', ['red', 'blue'])
    expect((await ask('DELETE /flags/red')).status).toBe(204)
    expect(await listed()).toEqual(['blue'])
    expect((await ask('GET /vessels/1')).body.flags).toEqual([{ name: 'blue', colour: 'c-blue' }])
  })

  it('are created by a text that names none, if callers name records', async () => {
    const { ask } = await openVessel()
    expect((await ask('POST /vessels/1/flags', ['violet'])).body).toMatchObject([{ name: 'violet' }])
    expect((await ask('GET /flags/violet')).status).toBe(200)
    expect((await ask('POST /vessels/9/flags', ['pink'])).status).toBe(404)
    expect((await ask('GET /flags/pink')).status).toBe(404)
  })

  it('are linked by a verb of one of both sides', async () => {
    const connection = await openDocument(door, verbs)
    const ask = (request: string, body?: unknown) => send(connection, request, body)
    const boatId = (await ask('POST /boats', { data: { Name: 'Heron' } })).body.data.boatId
    const berthId = (await ask('POST /berths', { data: { pier: 'north' } })).body.data.berthId
    expect(await ask(`POST /boats/${boatId}/addBerth`, { data: { berth: berthId } })).toMatchObject({ status: 200 })
    expect((await ask(`GET /boats/${boatId}/berths`)).body.data).toEqual([{ berthId, pier: 'north' }])
    expect((await ask(`GET /berths/${berthId}/boats`)).body.data).toMatchObject([{ boatId, Name: 'Heron' }])
    expect((await ask(`GET /boats/${boatId}`)).body.data.Berths).toEqual([{ berthId }])
    expect((await ask(`POST /boats/${boatId}/addBerth`, { data: { berth: 'none' } })).status).toBe(404)
    await ask(`POST /boats/${boatId}/removeBerth`, { data: { berth: berthId } })
    expect((await ask(`GET /boats/${boatId}/berths`)).body.data).toEqual([])
    expect((await ask(`GET /berths/${berthId}/boats`)).body.data).toEqual([])
    expect((await ask(`GET /boats/${boatId}`)).body.data.Berths).toEqual([])
    expect((await ask(`GET /berths/${berthId}`)).status).toBe(200)
  })

  it('are linked by a path or a key, and listed by both sides', async () => {
    const connection = await openDocument(door, members)
    const ask = (request: string, body?: unknown) => send(connection, request, body)
    for (const name of ['Ada', 'Bo']) await ask('POST /sailors', { name })
    for (const name of ['day', 'night']) await ask('POST /crews', { name })
    expect((await ask('PUT /crews/2/sailors/1')).status).toBe(204)
    expect(await ask('POST /crews/2/sailors', { sailorID: 2 })).toEqual({
      status: 201,
      body: { sailor: { id: 2, name: 'Bo' } },
    })
    expect((await ask('POST /crews/2/sailors', { sailorID: 2 })).status).toBe(201)
    expect((await ask('POST /crews/2/sailors', { sailorID: 7 })).status).toBe(404)
    expect(sorted((await ask('GET /crews/2/sailors')).body)).toEqual(['Ada', 'Bo'])
    expect((await ask('GET /sailors/1/crews')).body).toEqual([{ id: 2, name: 'night' }])
    expect((await ask('DELETE /crews/2/sailors/1')).status).toBe(204)
    expect(sorted((await ask('GET /crews/2/sailors')).body)).toEqual(['Bo'])
    expect((await ask('GET /sailors/1/crews')).body).toEqual([])
    expect((await ask('DELETE /crews/2')).status).toBe(204)
    expect((await ask('GET /sailors/2/crews')).body).toEqual([])
    expect(sorted((await ask('GET /sailors')).body)).toEqual(['Ada', 'Bo'])
  })
})
