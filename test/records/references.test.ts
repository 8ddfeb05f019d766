/** Keys of other records that a request has, which become these records, through every transport. */
import { describe, expect, it } from 'vitest'
import { documentOf, doors, openDocument, type Part, receive } from '../support/one-operation.js'
import type { Connection } from '../support/raw-request.js'

const text: Part = { type: 'string' }
const object = (properties: Part, others: Part = {}): Part => ({ type: 'object', properties, ...others })
const listOf = (items: Part): Part => ({ type: 'array', items })
const json = (schema: Part): Part => ({ content: { 'application/json': { schema } } })
const ok = (schema: Part): Part => ({ 200: { description: 'ok', ...json(schema) } })
const ref = (name: string): Part => ({ $ref: `#/components/schemas/${name}` })
const inPath = (...names: string[]): Part => ({
  parameters: names.map((name) => ({ name, in: 'path', required: true, schema: text })),
})
const filters = (...names: string[]): Part => ({
  parameters: names.map((name) => ({ name, in: 'query', schema: text })),
})
const data = (schema: Part): Part => object({ data: schema })

/** Names with underscores and `_id`, an envelope, and an object that only answers have. */
const stores = documentOf(
  {
    '/shelves': { get: { responses: ok(data(listOf(ref('Shelf')))) }, post: wrapped(ref('NewShelf'), ref('Shelf')) },
    '/shelves/{shelf_id}': { ...inPath('shelf_id'), get: { responses: ok(data(ref('Shelf'))) } },
    '/labels': { get: { responses: ok(data(listOf(ref('Label')))) }, post: wrapped(ref('NewShelf'), ref('Label')) },
    '/labels/{label_id}': { ...inPath('label_id'), get: { responses: ok(data(ref('Label'))) } },
    '/crates': {
      get: { ...filters('shelf_id', 'label'), responses: ok(data(listOf(ref('Crate')))) },
      post: wrapped(ref('NewCrate'), ref('Crate')),
    },
    '/crates/{crate_id}': {
      ...inPath('crate_id'),
      get: { responses: ok(data(ref('Crate'))) },
      patch: wrapped(ref('NewCrate'), ref('Crate')),
    },
    '/shelves/{shelf_id}/crates': {
      ...inPath('shelf_id'),
      get: { responses: ok(data(listOf(ref('Crate')))) },
      post: wrapped(ref('NewCrate'), ref('Crate')),
    },
  },
  {
    components: {
      schemas: {
        NewShelf: object({ name: text }),
        Shelf: object({ id: text, name: text }, { required: ['id', 'name'] }),
        Label: object(
          { id: text, name: text, color: { type: 'string', enum: ['red'] } },
          { required: ['id', 'color'] },
        ),
        NewCrate: object({ title: text, shelf_id: text, label_ids: listOf(text) }),
        Crate: object({
          id: text,
          title: text,
          shelf: { allOf: [ref('Shelf')], readOnly: true },
          labels: listOf(ref('Label')),
        }),
      },
    },
  },
)

function wrapped(sent: Part, shown: Part): Part {
  return { requestBody: json(data(sent)), responses: ok(data(shown)) }
}

/** Capitals inside of names, no envelope, compact records, and keys in the objects of a list. */
const voyages = documentOf(
  {
    '/ships': { get: { responses: ok(listOf(ref('Ship'))) }, post: bare(ref('Ship'), ref('Ship')) },
    '/ships/{imo}': { ...inPath('imo'), get: { responses: ok(ref('Ship')) } },
    '/ports': { get: { responses: ok(listOf(ref('Port'))) }, post: bare(ref('Port'), ref('Port')) },
    '/ports/{portCode}': { ...inPath('portCode'), get: { responses: ok(ref('Port')) } },
    '/voyages': {
      get: { ...filters('ship', 'ports'), responses: ok(listOf(ref('Voyage'))) },
      post: bare(ref('VoyageDraft'), ref('Voyage')),
    },
    '/voyages/{voyageId}': {
      ...inPath('voyageId'),
      get: { responses: ok(ref('Voyage')) },
      put: bare(ref('VoyageDraft'), ref('Voyage')),
    },
  },
  {
    components: {
      schemas: {
        Ship: object({ imo: text, title: text, tons: { type: 'integer' } }),
        ShipSummary: object({ imo: text, title: text }, { required: ['imo'] }),
        Port: object({ portCode: text, city: text }),
        VoyageDraft: object({ ship: text, ports: listOf(text), legs: listOf(object({ port: text, days: {} })) }),
        Voyage: object({
          voyageId: text,
          ship: ref('ShipSummary'),
          ports: listOf(ref('Port')),
          legs: listOf(object({ port: ref('Port'), days: { type: 'integer' } })),
        }),
      },
    },
  },
)

function bare(sent: Part, shown: Part): Part {
  return { requestBody: json(sent), responses: ok(shown) }
}

/** A form, and no collection of what is referred to. Owners are in a property, an object and a part of the record. */
const gardens = documentOf(
  {
    '/Beds': {
      get: { responses: ok(listOf(ref('Bed'))) },
      post: {
        requestBody: { content: { 'application/x-www-form-urlencoded': { schema: ref('BedForm') } } },
        responses: ok(ref('Bed')),
      },
    },
    '/Beds/{Id}': { ...inPath('Id'), get: { responses: ok(ref('Bed')) } },
    '/Beds/{BedId}/Rows': {
      ...inPath('BedId'),
      get: { responses: ok(listOf(ref('Row'))) },
      post: bare(object({ Crop: text }), ref('Row')),
    },
    '/Beds/{BedId}/Rows/{Id}': { ...inPath('BedId', 'Id'), get: { responses: ok(ref('Row')) } },
    '/areas/{area}/Pumps': {
      ...inPath('area'),
      get: { responses: ok(listOf(ref('Pump'))) },
      post: bare(object({ head: object({ label: text }) }), ref('Pump')),
    },
    '/areas/{area}/Pumps/{Id}': { ...inPath('area', 'Id'), get: { responses: ok(ref('Pump')) } },
  },
  {
    components: {
      schemas: {
        BedForm: object({ Name: text, Depot: { type: 'integer' } }),
        Bed: object({
          Id: text,
          Name: text,
          Depot: object({ Code: { type: 'integer' }, Town: text }, { required: ['Town'] }),
        }),
        BedPart: object({ Id: text, Name: text }, { required: ['Id'] }),
        Row: object({ Id: text, Crop: text, Bed: ref('BedPart') }),
        Pump: object({ Id: text, head: object({ label: text, area: text }) }),
      },
    },
  },
)

/** Answers with one item for each value of the request, which nothing keeps. */
const batches = documentOf({
  '/vectorize': {
    post: bare(
      object({ input: { oneOf: [text, listOf(text)] }, model: text }),
      object({ data: listOf(object({ index: { type: 'integer' }, values: listOf({ type: 'number' }) })) }),
    ),
  },
  '/tickets/check': {
    post: bare(
      object({ ticketIds: listOf({ type: 'integer' }) }),
      object({ results: listOf(object({ id: { type: 'integer' }, isOpen: { type: 'boolean' } })) }),
    ),
  },
  '/translate': { post: bare(listOf(text), listOf(object({ translated: text }, { required: ['translated'] }))) },
})

async function send(connection: Connection, request: string, body?: unknown, type = 'application/json') {
  const [method = '', target = ''] = request.split(' ')
  const headers: [string, string][] = body === undefined ? [] : [['Content-Type', type]]
  const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
  const { text: answer } = await receive(connection, { method, target, headers, ...sent })
  return JSON.parse(answer)
}

describe.each(doors)('a reference over %s', (door) => {
  it('shows the records whose keys have a name of their own', async () => {
    const connection = await openDocument(door, stores)
    const shelf = (await send(connection, 'POST /shelves', { data: { name: 'left' } })).data
    const label = (await send(connection, 'POST /labels', { data: { name: 'new' } })).data
    const sent = { title: 'a', shelf_id: shelf.id, label_ids: [label.id] }
    const crate = (await send(connection, 'POST /crates', { data: sent })).data
    expect(crate).toMatchObject({ title: 'a', shelf, labels: [label] })
    expect((await send(connection, `GET /crates/${crate.id}`)).data).toEqual(crate)
    const right = (await send(connection, 'POST /shelves', { data: { name: 'right' } })).data
    const moved = (await send(connection, `PATCH /crates/${crate.id}`, { data: { shelf_id: right.id } })).data
    expect(moved).toEqual({ ...crate, shelf: right })
  })

  it('shows compact records, and those in the objects of a list', async () => {
    const connection = await openDocument(door, voyages)
    const port = await send(connection, 'POST /ports', { portCode: 'ROT', city: 'Rotterdam' })
    await send(connection, 'POST /ships', { imo: '907', title: 'Heron', tons: 12 })
    const sent = { ship: '907', ports: ['ROT', 'XXX'], legs: [{ port: 'ROT', days: 3 }] }
    const voyage = await send(connection, 'POST /voyages', sent)
    const shown = {
      ship: { imo: '907', title: 'Heron' },
      ports: [port, { portCode: 'XXX' }],
      legs: [{ port, days: 3 }],
    }
    expect(voyage).toEqual({ ...shown, voyageId: voyage.voyageId })
    const changed = await send(connection, `PUT /voyages/${voyage.voyageId}`, { ...sent, ports: ['ROT'] })
    expect(changed).toEqual({ ...voyage, ports: [port] })
  })

  it('shows the key and what is required of a record of no collection', async () => {
    const connection = await openDocument(door, gardens)
    const bed = await send(connection, 'POST /Beds', 'Name=north&Depot=4', 'application/x-www-form-urlencoded')
    expect(bed).toMatchObject({ Name: 'north', Depot: { Code: 4, Town: expect.any(String) } })
  })

  it('shows the owner that the path names', async () => {
    const connection = await openDocument(door, gardens)
    const bed = await send(connection, 'POST /Beds', 'Name=north', 'application/x-www-form-urlencoded')
    const row = await send(connection, `POST /Beds/${bed.Id}/Rows`, { Crop: 'leek' })
    expect(row).toMatchObject({ Crop: 'leek', Bed: { Id: bed.Id, Name: 'north' } })
    const pump = await send(connection, 'POST /areas/west/Pumps', { head: { label: 'p' } })
    expect(pump).toMatchObject({ head: { label: 'p', area: 'west' } })
  })

  it('chooses the records of a list by it', async () => {
    const connection = await openDocument(door, voyages)
    await send(connection, 'POST /voyages', { ship: '907', ports: ['ROT', 'LEH'] })
    await send(connection, 'POST /voyages', { ship: '908', ports: ['LEH'] })
    const found = async (query: string) =>
      (await send(connection, `GET /voyages?${query}`)).map(({ ship }: { ship: { imo: string } }) => ship.imo)
    expect(await found('ship=907')).toEqual(['907'])
    expect(await found('ports=ROT')).toEqual(['907'])
    expect(await found('ports=LEH')).toEqual(['908', '907'])
    expect(await found('ship=1')).toEqual([])
  })

  it('has one item for each value of a list that is sent', async () => {
    const connection = await openDocument(door, batches)
    const { data: vectors } = await send(connection, 'POST /vectorize', { input: ['a', 'b'], model: 'm' })
    expect(vectors.map(({ index }: { index: number }) => index)).toEqual([0, 1])
    expect((await send(connection, 'POST /vectorize', { input: 'a', model: 'm' })).data).toHaveLength(1)
    const { results } = await send(connection, 'POST /tickets/check', { ticketIds: [7, 9, 11] })
    expect(results.map(({ id }: { id: number }) => id)).toEqual([7, 9, 11])
    expect(await send(connection, 'POST /translate', ['a', 'b', 'c', 'd'])).toHaveLength(4)
  })

  it('puts a record into the list below the one that it refers to', async () => {
    const connection = await openDocument(door, stores)
    const keys: string[] = []
    for (const name of ['left', 'right'])
      keys.push((await send(connection, 'POST /shelves', { data: { name } })).data.id)
    const [left, right] = keys
    const crate = (await send(connection, 'POST /crates', { data: { title: 'a', shelf_id: left } })).data
    const below = async (key?: string) =>
      (await send(connection, `GET /shelves/${key}/crates`)).data.map(({ title }: { title: string }) => title)
    expect([await below(left), await below(right)]).toEqual([['a'], []])
    await send(connection, `PATCH /crates/${crate.id}`, { data: { shelf_id: right } })
    await send(connection, `POST /shelves/${left}/crates`, { data: { title: 'b' } })
    expect([await below(left), await below(right)]).toEqual([['b'], ['a']])
    const query = `GET /crates?shelf_id=${left}`
    expect((await send(connection, query)).data).toMatchObject([{ title: 'b', shelf: { name: 'left' } }])
  })
})
