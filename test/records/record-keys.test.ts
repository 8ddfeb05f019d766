/** Keys of new records: those of examples, made ones, and values that no two records may share. */
import { type CompiledDocument, compileDocument, createSandbox, generateScenario } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import type { Part } from '../support/one-operation.js'

const text = { type: 'string' }
const integer = { type: 'integer', format: 'int64' }
const info = { title: 'T', version: '1' }
const listOf = (items: Part): Part => ({ type: 'array', items })
const json = (schema: Part, others: Part = {}): Part => ({ content: { 'application/json': { schema, ...others } } })
const ok = (schema: Part, status = 200): Part => ({ [status]: { description: 'ok', ...json(schema) } })
const object = (properties: Part, others: Part = {}): Part => ({ type: 'object', properties, ...others })
const inPath = (name: string, schema: Part = text): Part => ({ name, in: 'path', required: true, schema })
const documentOf = (paths: Part, others: Part = {}) => JSON.stringify({ openapi: '3.1.0', info, paths, ...others })

/** Serves a document with generated data. */
async function serve(document: string) {
  const compiled: CompiledDocument = await compileDocument(document)
  const { contract } = compiled
  const sandbox = createSandbox({ contract, scenario: await generateScenario({ compiled, records: 20 }) })
  return async (request: string, body?: unknown, type = 'application/json') => {
    const [method = '', path = ''] = request.split(' ')
    const sent = body === undefined ? {} : { headers: { 'Content-Type': type }, body: JSON.stringify(body) }
    const answer = await sandbox.fetch(`http://localhost${path}`, { method, ...sent })
    const answered = await answer.text()
    return { status: answer.status, body: answered === '' ? undefined : JSON.parse(answered) }
  }
}

describe('a creation with the key of its own example', () => {
  const dog = object({ id: { ...integer, example: 10 }, name: { ...text, example: 'Rex' } }, { required: ['name'] })
  const conflict = { 409: { description: 'It is already there' } }
  const kennel = (request: Part, responses: Part, parameter: Part, list: Part) => ({
    '/kennel': { post: { ...request, responses: { ...responses, ...conflict } }, get: { responses: list } },
    '/kennel/{dogId}': { parameters: [parameter], get: { responses }, put: { ...request, responses } },
  })
  const byId = inPath('dogId', integer)
  const swagger = JSON.stringify({
    swagger: '2.0',
    info,
    consumes: ['application/json'],
    produces: ['application/json'],
    paths: kennel(
      { parameters: [{ in: 'body', name: 'body', schema: dog }] },
      { 200: { description: 'ok', schema: dog } },
      { name: 'dogId', in: 'path', required: true, type: 'integer' },
      { 200: { description: 'ok', schema: listOf(dog) } },
    ),
  })
  const openapi = (version: string) =>
    JSON.stringify({
      openapi: version,
      info,
      paths: kennel({ requestBody: json(dog) }, ok(dog), byId, ok(listOf(dog))),
    })

  it.each([swagger, openapi('3.0.3'), openapi('3.1.0')])(
    'replaces the record of the scenario once',
    async (document) => {
      const send = await serve(document)
      expect((await send('GET /kennel/10')).status).toBe(200)
      const sent = { id: 10, name: 'Fido' }
      expect(await send('POST /kennel', sent)).toEqual({ status: 200, body: sent })
      expect((await send('GET /kennel/10')).body).toEqual(sent)
      expect((await send('GET /kennel')).body.filter(({ id }: { id: number }) => id === 10)).toEqual([sent])
      expect((await send('POST /kennel', sent)).status).toBe(409)
    },
  )

  it('is refused if somebody has changed the record, or if it is another key', async () => {
    const send = await serve(openapi('3.1.0'))
    expect((await send('PUT /kennel/10', { name: 'Old' })).status).toBe(200)
    expect((await send('POST /kennel', { id: 10, name: 'Fido' })).status).toBe(409)
    expect((await send('POST /kennel', { id: 9, name: 'Fido' })).status).toBe(409)
  })

  it('is taken as often as it is sent where no conflict is documented', async () => {
    const others = {
      400: { description: 'No dog' },
      default: { description: 'Error', ...json(object({ message: text })) },
    }
    const served = await serve(
      documentOf({
        '/kennel': {
          post: { requestBody: json(dog), responses: { ...ok(dog), ...others } },
          get: { responses: ok(listOf(dog)) },
        },
        '/kennel/{dogId}': {
          parameters: [byId],
          get: { responses: ok(dog) },
          put: { requestBody: json(dog), responses: ok(dog) },
        },
      }),
    )
    expect((await served('PUT /kennel/10', { name: 'Old' })).status).toBe(200)
    for (const name of ['Fido', 'Bello', 'Bello']) {
      const sent = { id: 10, name }
      expect(await served('POST /kennel', sent)).toEqual({ status: 200, body: sent })
      expect((await served('GET /kennel')).body.filter(({ id }: { id: number }) => id === 10)).toEqual([sent])
    }
    const other = { id: 9_000, name: 'Rex' }
    expect((await served('POST /kennel', other)).status).toBe(200)
    expect((await served('POST /kennel', other)).status).toBe(409)
  })

  it('takes the example of a media type, in an envelope, below an owner', async () => {
    const seat = object({ seat_code: text, row: text })
    const example = { data: { seat_code: 'A7', row: 'A' } }
    const send = await serve(
      documentOf({
        '/halls': { get: { responses: ok(listOf(object({ id: text }))) } },
        '/halls/{hall}/seats': {
          parameters: [inPath('hall')],
          get: {
            responses: {
              200: {
                description: 'ok',
                ...json(object({ data: listOf(seat) }), { example: { data: [example.data] } }),
              },
            },
          },
          post: {
            requestBody: json(object({ data: seat }), { example }),
            responses: { ...ok(object({ data: seat })), ...conflict },
          },
        },
        '/halls/{hall}/seats/{seat_code}': {
          parameters: [inPath('hall'), inPath('seat_code')],
          get: { responses: ok(object({ data: seat })) },
        },
      }),
    )
    const { body: halls } = await send('GET /halls')
    const owner = await Promise.all(
      halls.map(async ({ id }: { id: string }) =>
        (await send(`GET /halls/${id}/seats/A7`)).status === 200 ? [id] : [],
      ),
    )
    const [hall] = owner.flat()
    const moved = { data: { seat_code: 'A7', row: 'Z' } }
    expect(await send(`POST /halls/${hall}/seats`, moved)).toEqual({ status: 200, body: moved })
    expect((await send(`POST /halls/${hall}/seats`, moved)).status).toBe(409)
  })
})

describe('a made key', () => {
  const collection = (schema: Part, parameter: Part = inPath('key'), others: Part = {}, said: Part = {}) =>
    documentOf({
      '/things': {
        get: {
          responses: { 200: { description: 'ok', ...json(listOf(object({ key: schema, note: text })), others) } },
        },
        post: {
          ...said,
          requestBody: json(object({ note: text })),
          responses: ok(object({ key: schema, note: text }), 201),
        },
      },
      '/things/{key}': { parameters: [parameter], get: { responses: ok(object({ key: schema, note: text })) } },
    })
  const example = [{ key: 'ORD-2047', note: 'n' }]

  it.each([
    ['a prefix of an example', collection({ ...text, example: 'cus_9s6XKzkNRiz8i3' }), /^cus_[0-9A-Za-z]{14}$/],
    ['a number in an example of a list', collection(text, inPath('key'), { example }), /^ORD-[1-9]\d{3,}$/],
    ['a UUID in an example', collection({ ...text, example: '8a210b68-6988-41ed-a1eb-0242ac120002' }), /^[\da-f]{8}-/],
    [
      'digits of the example of a parameter',
      collection(text, { ...inPath('key'), example: '507f1f77bcf86cd799439011' }),
      /^[\da-f]{24}$/,
    ],
    ['a description', collection(text, { ...inPath('key'), description: "The envelope's GUID." }), /^[\da-f]{8}-/],
    ['hexadecimal digits', collection({ ...text, description: 'An id of 16 hexadecimal digits' }), /^[\da-f]{16}$/],
    ['a placeholder behind a prefix', collection({ ...text, example: 'vs_abc123' }), /^vs_[\dA-Za-z]{24}$/],
    [
      'examples of several lengths',
      collection(text, inPath('key'), { example: [{ key: 'a7B2c3D4' }, { key: 'a1b2c3d4e5' }, { key: '9f8e7d6c' }] }),
      /^[\dA-Za-z]{8,10}$/,
    ],
    ['a long number', collection({ ...text, example: '1293384261075731499' }), /^[1-9]\d{18}$/],
    ['an example in a description', collection({ ...text, description: 'E.g. `wh_abc123`' }), /^wh_[\dA-Za-z]{24}$/],
    [
      'a prefix in a description',
      collection({ ...text, description: 'An id that begins with "cus_".' }),
      /^cus_[\dA-Za-z]{24}$/,
    ],
    [
      'an answer in an extension',
      collection(
        text,
        inPath('key'),
        {},
        {
          'x-meta': { examples: [{ response: '{\n  "key": "job-abc123",\n  "by": {\n    "key": "me-1"\n  }\n}' }] },
        },
      ),
      /^job-[\dA-Za-z]{24}$/,
    ],
    [
      'an address in a sample of code',
      documentOf({
        '/things': {
          post: { requestBody: json(object({ note: text })), responses: ok(object({ key: text, note: text }), 201) },
          get: { responses: ok(listOf(object({ key: text, note: text }))) },
        },
        '/things/{key}': {
          parameters: [inPath('key')],
          get: {
            'x-codeSamples': [{ lang: 'cURL', source: 'curl https://api.test/v1/things/thg_4f1c9a7b0e22 -H "A: b"' }],
            responses: ok(object({ key: text, note: text })),
          },
        },
      }),
      /^thg_[\da-f]{12}$/,
    ],
    [
      'a property that refers to it',
      collection(
        text,
        inPath('key'),
        {},
        {
          'x-body': '{"thing_key": "thing_abc123"}',
        },
      ),
      /^thing_[\dA-Za-z]{24}$/,
    ],
    [
      'letters that all examples begin with',
      collection(text, inPath('key'), { example: [{ key: 'RPT8b63304e' }, { key: 'RPTd8424963' }] }),
      /^RPT[\da-f]{8}$/,
    ],
    ['a few hexadecimal digits', collection({ ...text, example: 'grw_51fa2' }), /^grw_[\da-f]{8}$/],
    ['a few digits and letters', collection({ ...text, example: 'jb_19xK' }), /^jb_[\dA-Za-z]{8}$/],
    ['a word with a digit at its end', collection({ ...text, example: 'room-oak1' }), /^\d+$/],
    ['capitals before a hash', collection({ ...text, example: `SM${'a'.repeat(32)}` }), /^SM[\da-f]{32}$/],
  ])('has the form of %s', async (_, document, form) => {
    const send = await serve(document)
    const keys = new Set<string>()
    for (let count = 0; count < 3; count++) {
      const { status, body } = await send('POST /things', { note: 'n' })
      expect([status, form.test(body.key), body.key]).toEqual([201, true, body.key])
      expect((await send(`GET /things/${body.key}`)).body).toEqual(body)
      keys.add(body.key)
    }
    expect(keys.size).toBe(3)
    const shown = JSON.stringify(document)
    for (const { key } of (await send('GET /things')).body) if (!shown.includes(key)) expect(key).toMatch(form)
  })

  it('stays a number where names are examples', async () => {
    const send = await serve(collection({ ...text, example: 'harbour' }))
    expect((await send('POST /things', { note: 'n' })).body.key).toMatch(/^\d+$/)
  })

  it('is never used up by a pattern that allows more', async () => {
    const send = await serve(collection({ ...text, pattern: '^ses.*' }))
    const statuses = new Set<number>()
    for (let count = 0; count < 500; count++) statuses.add((await send('POST /things', { note: 'n' })).status)
    expect([...statuses]).toEqual([201])
  })
})

describe('a record with several keys', () => {
  const readOnly = { readOnly: true }
  const issue = object({
    id: { ...text, ...readOnly, example: '10002' },
    key: { ...text, ...readOnly, example: 'ED-24' },
    summary: text,
  })
  const song = object({
    number: { type: 'integer' },
    id: integer,
    node_id: { ...text, example: 'NO_1a2b3c4d' },
    title: text,
  })
  const parcel = object(
    { sid: { ...text, pattern: '^PA[0-9a-f]{32}$' }, uuid: { ...text, format: 'uuid' }, weight: { type: 'integer' } },
    { required: ['sid', 'uuid'] },
  )
  const seal = object({
    id: integer,
    fingerprint: { ...text, example: '3b:16:bf:e4:8b:00:8b:b8:59:8c:a9:d3:f0:19:45:fa' },
    wax: text,
  })
  const collection = (path: string, parameter: Part, record: Part, body: Part) =>
    documentOf({
      [path]: { get: { responses: ok(listOf(record)) }, post: { requestBody: json(body), responses: ok(record, 201) } },
      [`${path}/{${parameter['name']}}`]: { parameters: [parameter], get: { responses: ok(record) } },
    })

  it.each([
    [['key', 'id'], '/issue', inPath('issueIdOrKey'), issue, issue, { summary: 'x' }],
    [['number'], '/songs', inPath('number', { type: 'integer' }), song, object({ title: text }), { title: 'x' }],
    [['id', 'fingerprint'], '/seals', inPath('seal_identifier'), seal, object({ wax: text }), { wax: 'red' }],
    [['sid', 'uuid'], '/Parcels', inPath('Sid'), parcel, object({ weight: { type: 'integer' } }), { weight: 3 }],
  ])('is created with all of them, and found by %s', async (names, path, parameter, record, body, sent) => {
    const send = await serve(collection(path, parameter, record, body))
    const first = await send(`POST ${path}`, sent)
    const second = await send(`POST ${path}`, sent)
    const properties = Object.keys(record['properties'] as object)
    for (const { status, body: created } of [first, second]) {
      expect([status, Object.keys(created).sort()]).toEqual([201, properties.toSorted()])
      for (const name of names) expect((await send(`GET ${path}/${created[name]}`)).body).toEqual(created)
    }
    for (const name of properties) {
      if (!(name in sent)) expect(first.body[name], name).not.toBe(second.body[name])
    }
  })

  it('is created with the first of two names in its path, and found by both', async () => {
    const template = object({ TemplateId: { type: 'integer' }, Alias: text, Name: text })
    const sent = object({ Alias: text, Name: text })
    const send = await serve(collection('/templates', inPath('templateIdOrAlias'), template, sent))
    const made = await send('POST /templates', { Alias: 'fog', Name: 'Fog' })
    expect(made.body).toEqual({ TemplateId: 21, Alias: 'fog', Name: 'Fog' })
    for (const name of ['21', 'fog']) expect((await send(`GET /templates/${name}`)).body).toEqual(made.body)
  })
})

describe('a parameter whose description names two keys', () => {
  it('finds a record by either', async () => {
    const message = object({ id: { ...text, readOnly: true }, eventId: text, body: text })
    const parameter = { ...inPath('msg_id'), description: "The message's ID or eventID" }
    const send = await serve(
      documentOf({
        '/msg': { post: { requestBody: json(message), responses: ok(message, 201) } },
        '/msg/{msg_id}': { parameters: [parameter], get: { responses: ok(message) } },
      }),
    )
    const { body } = await send('POST /msg', { eventId: 'event-1', body: 'x' })
    expect((await send(`GET /msg/${body.id}`)).body).toEqual(body)
    expect((await send('GET /msg/event-1')).body).toEqual(body)
  })
})

describe('the objects in a list of a record', () => {
  const line = (id: Part) => object({ ...id, note: text, price: integer })
  const order = object({
    id: integer,
    lines: listOf(line({ id: { ...text, readOnly: true } })),
    items: listOf(line({ ItemID: { ...text, format: 'uuid' } })),
    tags: listOf(line({ id: text })),
  })
  const example = [{ id: 1, lines: [{ id: 'ln_9s6XKzkNRiz8i3', note: 'n' }], items: [], tags: [] }]
  const document = documentOf({
    '/orders': {
      get: { responses: { 200: { description: 'ok', ...json(listOf(order), { example }) } } },
      post: { requestBody: json(order), responses: ok(order, 201) },
    },
    '/orders/{id}': {
      parameters: [inPath('id', integer)],
      get: { responses: ok(order) },
      patch: { requestBody: json(order), responses: ok(order) },
    },
  })

  it('have keys of their own, and keep them', async () => {
    const send = await serve(document)
    const two = [{ note: 'a' }, { note: 'b' }]
    const { status, body } = await send('POST /orders', { lines: two, items: two, tags: two })
    expect(status).toBe(201)
    expect(body.tags).toEqual(two)
    for (const { id } of body.lines) expect(id).toMatch(/^ln_[\dA-Za-z]{14}$/)
    for (const { ItemID } of body.items) expect(ItemID).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
    expect(new Set([...body.lines, ...body.items].map(({ id, ItemID }) => id ?? ItemID)).size).toBe(4)
    expect((await send(`GET /orders/${body.id}`)).body).toEqual(body)
    const changed = (await send(`PATCH /orders/${body.id}`, { items: [...body.items, { note: 'c' }] })).body
    expect(changed.items.slice(0, 2)).toEqual(body.items)
    expect(new Set(changed.items.map(({ ItemID }: { ItemID: string }) => ItemID)).size).toBe(3)
  })
})

describe('a unique property', () => {
  const message = (value: unknown) => ({ 409: { description: 'no', ...json({ type: 'object' }, { example: value }) } })
  const user = (email: Part = text) => object({ id: integer, email, nick: text })
  const paths = (record: Part, conflict: Part): Part => ({
    '/users': {
      get: { responses: ok(listOf(record)) },
      post: {
        requestBody: json(object({ email: (record['properties'] as Part)['email'], nick: text })),
        responses: { ...ok(record, 201), ...conflict },
      },
    },
    '/users/{id}': {
      parameters: [inPath('id', integer)],
      get: { responses: ok(record) },
      patch: { requestBody: json(object({ email: text, nick: text })), responses: { ...ok(record), ...conflict } },
      delete: { responses: { 204: { description: 'gone' } } },
    },
  })
  const plain = { 409: { description: 'Conflict' } }

  it.each([
    ['its description', user({ ...text, description: 'The address. Must be unique.' }), plain, 409],
    ['the description of a conflict', user(), { 422: { description: 'A user with this email already exists' } }, 422],
    ['a refusal that calls it used', user(), { 400: { description: 'Email already used' } }, 400],
    ['a duplicate', user(), { 422: plain[409], 403: { description: 'Duplicate email' } }, 403],
    ['a name that is taken', user(), { 400: { description: 'User already exists' }, 422: plain[409] }, 400],
    ['a conflict of which nothing more is said', user(), plain, 409],
    ['a conflict with what exists', user(), { 409: { description: 'Conflicts with an already existing one' } }, 409],
    ['the message of a conflict', user(), message({ message: 'email is already taken' }), 409],
    ['the field of a conflict', user(), message({ errors: { email: ['has already been taken'] } }), 409],
  ])('is refused a second time, as %s says', async (_, record, conflict, status) => {
    const send = await serve(documentOf(paths(record, conflict)))
    const first = await send('POST /users', { email: 'a@x.example', nick: 'a' })
    expect(first.status).toBe(201)
    expect((await send('POST /users', { email: 'a@x.example', nick: 'b' })).status).toBe(status)
    const second = await send('POST /users', { email: 'b@x.example', nick: 'a' })
    expect(second.status).toBe(201)
    expect((await send(`PATCH /users/${second.body.id}`, { email: 'a@x.example' })).status).toBe(status)
    expect((await send(`PATCH /users/${second.body.id}`, { email: 'b@x.example', nick: 'c' })).status).toBe(200)
    expect((await send(`DELETE /users/${first.body.id}`)).status).toBe(204)
    expect((await send('POST /users', { email: 'a@x.example', nick: 'a' })).status).toBe(201)
  })

  it.each([
    ['a conflict is about something else', user(), { 409: { description: 'The quota is used up' } }],
    ['no conflict is documented', user({ ...text, description: 'Must be unique.' }), {}],
  ])('is none where %s', async (_, record, conflict) => {
    const send = await serve(documentOf(paths(record, conflict)))
    const sent = { email: 'a@x.example', nick: 'a' }
    expect((await send('POST /users', sent)).status).toBe(201)
    expect((await send('POST /users', sent)).status).toBe(201)
  })

  it('is unique below its owner only, and its example works once', async () => {
    const label = { ...text, description: 'A unique label', example: 'blue' }
    const tag = object({ id: integer, label })
    const send = await serve(
      documentOf({
        '/shelves': { get: { responses: ok(listOf(object({ id: integer }))) } },
        '/shelves/{shelfId}/tags': {
          parameters: [inPath('shelfId', integer)],
          get: { responses: ok(listOf(tag)) },
          post: { requestBody: json(object({ label })), responses: { ...ok(tag, 201), ...plain } },
        },
      }),
    )
    const [one, other] = (await send('GET /shelves')).body
    for (const { id } of [one, other]) {
      expect((await send(`POST /shelves/${id}/tags`, { label: 'blue' })).status).toBe(201)
      expect((await send(`POST /shelves/${id}/tags`, { label: 'blue' })).status).toBe(409)
    }
  })
})

describe('a number beside an id, below an owner', () => {
  const ticket = object({ id: integer, number: integer, title: text })
  const paths = {
    '/boards': { post: { requestBody: json(object({ name: text })), responses: ok(object({ name: text }), 201) } },
    '/boards/{name}': { parameters: [inPath('name')], get: { responses: ok(object({ name: text })) } },
    '/boards/{name}/tickets': {
      parameters: [inPath('name')],
      get: { responses: ok(listOf(ticket)) },
      post: { requestBody: json(object({ title: text })), responses: ok(ticket, 201) },
    },
    '/boards/{name}/tickets/{ticket_number}': {
      parameters: [inPath('name'), inPath('ticket_number', integer)],
      get: { responses: ok(ticket) },
    },
  }

  it('begins at 1 for each of them', async () => {
    const send = await serve(documentOf(paths))
    for (const name of ['a', 'b']) await send('POST /boards', { name })
    const numbers: unknown[] = []
    for (const board of ['a', 'a', 'b', 'a', 'b'])
      numbers.push((await send(`POST /boards/${board}/tickets`, { title: board })).body.number)
    expect(numbers).toEqual([1, 2, 1, 3, 2])
    expect((await send('GET /boards/b/tickets/2')).body.title).toBe('b')
    const ids = (await send('GET /boards/a/tickets')).body.map(({ id }: { id: number }) => id)
    expect(new Set(ids).size).toBe(3)
  })
})

it('finds a record by its number where its key is a text', async () => {
  const gpg = object({ id: integer, key_id: text, armor: text })
  const send = await serve(
    documentOf({
      '/keys': {
        get: {
          responses: {
            200: { description: 'ok', ...json(listOf(gpg), { example: [{ id: 3, key_id: 'K3A', armor: 'a' }] }) },
          },
        },
        post: { requestBody: json(object({ armor: text })), responses: ok(gpg, 201) },
      },
      '/keys/{key_id}': { parameters: [inPath('key_id')], get: { responses: ok(gpg) } },
    }),
  )
  const { body } = await send('POST /keys', { armor: 'x' })
  expect((await send(`GET /keys/${body.id}`)).body).toEqual(body)
  expect((await send(`GET /keys/${body.key_id}`)).body).toEqual(body)
})
