/** Properties of generated records that name records of other collections. */
import { compileDocument, generateScenario } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import { ask, openSketch } from '../support/script.js'
import { integer, list, named, object, oneOfTexts, text, toDocument } from '../support/sketch.js'

const uuid = { type: 'string', format: 'uuid' }
const crud = (path: string, name: string) => ({
  [`GET ${path}`]: { 200: list(named(name)) },
  [`GET ${path}/{${name.toLowerCase()}Id}`]: { 200: named(name) },
})

const shop = toDocument(
  {
    ...crud('/owners', 'Owner'),
    ...crud('/tags', 'Tag'),
    ...crud('/pets', 'Pet'),
    ...crud('/order-items', 'Item'),
  },
  {
    Owner: object({ 'id!': integer, 'name!': text, favouritePetId: integer, 'bestPetId!': integer }),
    Tag: object({ 'id!': uuid, 'label!': text }),
    Pet: object({
      'id!': integer,
      'name!': text,
      'ownerId!': integer,
      keeper_owner_id: integer,
      'tagIds!': { type: 'array', items: uuid, minItems: 1, maxItems: 3 },
      'shopId!': integer,
    }),
    Item: object({
      'id!': integer,
      'lines!': { type: 'array', minItems: 2, items: object({ 'tagId!': uuid }) },
      'petId!': { type: 'integer', maximum: 2 },
      'orderItemId!': integer,
    }),
  },
)

it('exist, as far as their type and their schema allow it', async () => {
  const compiled = await compileDocument(shop)
  const {
    owners = [],
    tags = [],
    pets = [],
    'order-items': items = [],
  } = await generateScenario({ compiled, records: 12 })
  const keysOf = (records: readonly Record<string, unknown>[]) => new Set(records.map(({ id }) => id))
  const ownerKeys = keysOf(owners)
  const tagKeys = keysOf(tags)
  const petKeys = keysOf(pets)
  for (const pet of pets) {
    expect(ownerKeys).toContain(pet['ownerId'])
    for (const tag of pet['tagIds'] as unknown[]) expect(tagKeys).toContain(tag)
  }
  expect(new Set(pets.map((pet) => pet['ownerId'])).size).toBeGreaterThan(5)
  // Of collections that name each other, the earlier one leaves out what it need not have.
  for (const owner of owners) expect(petKeys).toContain(owner['favouritePetId'] ?? owner['bestPetId'])
  expect(pets.filter((pet) => 'keeper_owner_id' in pet)).toEqual([])
  for (const item of items) {
    const name = Number(item['petId'])
    expect(name).toBeLessThanOrEqual(2)
    expect(petKeys).toContain(name)
    for (const { tagId } of item['lines'] as { tagId: unknown }[]) expect(tagKeys).toContain(tagId)
  }
})

it('do not depend on which collection is generated first', async () => {
  const compiled = await compileDocument(shop)
  const once = await generateScenario({ compiled, records: 5 })
  expect(await generateScenario({ compiled, records: 5 })).toEqual(once)
  expect(JSON.stringify(once['pets'])).toContain('"ownerId":')
})

it('are made for a map of records, too, whose schema is a reference', async () => {
  const map = { 'GET /shelves': { 200: named('Shelves') }, 'GET /shelves/{shelfId}': { 200: named('Shelf') } }
  const compiled = await compileDocument(
    toDocument(
      { ...map, ...crud('/owners', 'Owner') },
      {
        Shelves: { type: 'object', additionalProperties: named('Shelf') },
        Shelf: object({ 'id!': integer, 'ownerId!': integer }),
        Owner: object({ 'id!': integer, 'name!': text }),
      },
    ),
  )
  const { shelves = [], owners = [] } = await generateScenario({ compiled, records: 3 })
  expect(shelves).toHaveLength(3)
  for (const { ownerId } of shelves) expect(owners.map(({ id }) => id)).toContain(ownerId)
})

it('are those of requests, also by the last words of a name', async () => {
  const sketch = toDocument(
    {
      ...crud('/accounts', 'Account'),
      'POST /accounts': { body: object({ title: text }), 201: named('Account') },
      ...crud('/invoices', 'Invoice'),
      'POST /invoices': {
        body: object({ billing_account_id: integer }),
        201: named('Invoice'),
        422: object({ message: text }),
      },
    },
    {
      Account: object({ 'id!': integer, title: text }),
      Invoice: object({ 'id!': integer, 'billing_account_id!': integer }),
    },
  ).replace('"description":"422"', '"description":"The account does not exist"')
  const sandbox = await openSketch(sketch)
  await ask(sandbox, 'POST /accounts {"title":"a"}')
  expect(await ask(sandbox, 'POST /invoices {"billing_account_id":1}')).toBe('201 {"id":1,"billing_account_id":1}')
  expect(await ask(sandbox, 'POST /invoices {"billing_account_id":9}')).toMatch(/^422 /)
  const { accounts = [], invoices = [] } = await generateScenario({ compiled: await compileDocument(sketch) })
  const keys = accounts.map(({ id }) => id)
  expect(invoices.length).toBeGreaterThan(0)
  for (const { billing_account_id: key } of invoices) expect(keys).toContain(key)
})

const holder = object({ 'uuid!': text, 'name!': text })

describe('in one record', () => {
  const sketch = (paths: Record<string, object>) =>
    toDocument(
      { ...crud('/trips', 'Trip'), 'POST /trips': { body: object({ title: text }), 201: named('Trip') }, ...paths },
      {
        Trip: object({
          ...{ 'id!': integer, title: text, 'keeper_uuid!': text, 'keeper!': holder, 'leader!': named('Leader') },
          ...{ 'leaderId!': integer, 'baseTripId!': integer },
          'stops!': { ...list(object({ 'id!': integer, 'tripId!': integer })), minItems: 2 },
          'after!': { ...list(object({ 'tripId!': integer })), minItems: 1 },
        }),
        Leader: object({ 'id!': integer, 'name!': text }),
      },
    )

  it.each([
    ['and what it shows has no collection', {}],
    ['and what it shows is a record of another collection', crud('/leaders', 'Leader')],
  ])('agree with what it shows and what it is, %s', async (_, paths) => {
    const compiled = await compileDocument(sketch(paths))
    const { trips = [], leaders } = await generateScenario({ compiled, records: 8 })
    expect(trips).toHaveLength(8)
    for (const trip of trips) {
      const { id, keeper, keeper_uuid, leader, leaderId } = trip as Record<string, { uuid?: string; id?: number }>
      expect(keeper_uuid).toBe(keeper?.uuid)
      expect(leaderId).toBe(leader?.id)
      if (leaders) expect(leaders).toContainEqual(leader)
      for (const { tripId } of trip['stops'] as { tripId: unknown }[]) expect(tripId).toBe(id)
    }
    // What only names another record, or has another name, may be any.
    const others = trips.flatMap((trip) =>
      (trip['after'] as { tripId: unknown }[]).map(({ tripId }) => tripId === trip['id']),
    )
    expect(others).toContain(false)
  })

  it('agree in a new one, and after a change', async () => {
    const sandbox = await openSketch(sketch({}))
    const answer = await ask(sandbox, 'POST /trips {"title":"North"}')
    const made = JSON.parse(answer.slice(4))
    expect(made).toMatchObject({ title: 'North', keeper_uuid: made.keeper.uuid, leaderId: made.leader.id })
  })
})

describe('of several records', () => {
  const time = { type: 'string', format: 'date-time' }
  const event = object({ 'id!': integer, 'name!': text, 'type_count!': integer, 'created_at!': time })
  const type = object({ 'id!': integer, 'event_id!': integer, 'label!': text, 'created_at!': time })
  const ticket = object({
    ...{ 'id!': integer, 'event_id!': integer, 'type_id!': integer, 'type_label!': text, 'event_name!': text },
    ...{ 'main_event!': named('Event'), 'created_at!': time, 'created_by!': integer, 'agent_id!': integer },
    ...{ 'agent_name!': text, 'start_time!': time, 'end_time!': time, 'duration_minutes!': integer },
    ...{ 'is_seated!': { type: 'boolean' }, seat_price: integer, 'fee_cents!': integer, 'fee_euros!': integer },
  })
  const fair = toDocument(
    {
      ...crud('/users', 'User'),
      ...crud('/events', 'Event'),
      'GET /events/{eventId}/types': { 200: list(named('Type')) },
      ...crud('/tickets', 'Ticket'),
    },
    { User: object({ 'id!': integer, 'name!': text }), Event: event, Type: type, Ticket: ticket },
  )
  type Row = Record<string, number & string>

  it('agree with what they refer to', async () => {
    const {
      users = [],
      events = [],
      types = [],
      tickets = [],
    } = (await generateScenario({
      compiled: await compileDocument(fair),
      records: 20,
    })) as Record<string, readonly Row[]>
    const byKey = (rows: readonly Row[]) => new Map(rows.map((row) => [row['id'], row]))
    const [ofEvents, ofTypes, ofUsers] = [events, types, users].map(byKey)
    const agents = new Map<unknown, unknown>()
    for (const each of events)
      expect(each['type_count']).toBe(types.filter((own) => own['event_id'] === each['id']).length)
    for (const ticket of tickets) {
      const own = ofTypes?.get(ticket['type_id'] as never)
      const parent = ofEvents?.get(ticket['event_id'] as never)
      expect(own?.['event_id']).toBe(ticket['event_id'])
      expect([ticket['type_label'], ticket['event_name']]).toEqual([own?.['label'], parent?.['name']])
      expect(events).toContainEqual(ticket['main_event'])
      expect(ofUsers?.has(ticket['created_by'] as never)).toBe(true)
      for (const other of [own, parent])
        expect(String(ticket['created_at']) >= String(other?.['created_at'])).toBe(true)
      expect(agents.get(ticket['agent_id']) ?? ticket['agent_name']).toBe(ticket['agent_name'])
      agents.set(ticket['agent_id'], ticket['agent_name'])
      const lasts = Date.parse(String(ticket['end_time'])) - Date.parse(String(ticket['start_time']))
      expect(ticket['duration_minutes']).toBe(lasts / 60_000)
      if (!ticket['is_seated']) expect(ticket['seat_price'] ?? 0).toBe(0)
      expect(ticket['fee_cents']).toBe(Number(ticket['fee_euros']) * 100)
    }
  })
})

it('leave each record the key by which it is found, whatever an object within it says', async () => {
  const job = object({ jobDetails: object({ 'jobCode!': oneOfTexts('a', 'b') }), size: integer, result: text })
  const paths = { 'GET /jobs': { 200: list(object({ 'jobCode!': text })) }, 'GET /jobs/{jobCode}': { 200: job } }
  const { jobs = [] } = await generateScenario({ compiled: await compileDocument(toDocument(paths)), records: 20 })
  expect(new Set(jobs.map((each) => each['{jobCode}'])).size).toBe(20)
})

it('leave an example what it says, even if an object within it says something else', async () => {
  const schema = object({ 'id!': integer, team: object({ id: integer, url: text }), team_url: text })
  const paths = { 'GET /seats': { 200: list(schema) }, 'GET /seats/{seatId}': { 200: schema } }
  const document = JSON.parse(
    toDocument({ ...paths, ...crud('/teams', 'Team') }, { Team: object({ 'id!': integer, url: text }) }),
  )
  const example = [{ id: 1, team: { id: 1, url: 'https://a.example' }, team_url: 'https://b.example' }]
  document.paths['/seats'].get.responses[200].content['application/json'].example = example
  const { seats } = await generateScenario({ compiled: await compileDocument(JSON.stringify(document)), records: 3 })
  expect(seats?.map((each) => each['team_url'])).toContain('https://b.example')
})

it('leave room for a new record on the first page of a list whose size nothing states', async () => {
  const note = object({ 'id!': integer, title: text })
  const paths = {
    'GET /notes': { query: ['cursor'], 200: list(note) },
    'POST /notes': { body: object({ title: text }), 201: note },
    'GET /notes/{noteId}': { 200: note },
  }
  const document = JSON.stringify({ ...JSON.parse(toDocument(paths)), 'x-sandbox-service': { order: 'oldest' } })
  const sandbox = await openSketch(document, {
    scenario: await generateScenario({ compiled: await compileDocument(document) }),
  })
  await ask(sandbox, 'POST /notes {"title":"New"}')
  expect(await ask(sandbox, 'GET /notes')).toContain('"title":"New"')
})
