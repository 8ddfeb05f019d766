/** Paths, media types and bodies that mean the same as documented ones are accepted, unless the sandbox is exact. */
import { createSandbox } from 'petstore-sandbox'
import { startServer } from 'petstore-sandbox/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { compileOnce } from '../support/compile-once.js'
import { documentOf, doors, openDocument, type Part, receive } from '../support/one-operation.js'
import type { Connection } from '../support/raw-request.js'
import { writeFolder } from '../support/serving.js'
import { runWarm } from '../support/warm.js'

const lamp = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' }, watts: { type: 'integer' } },
}
const change = { type: 'object', properties: { name: { type: 'string' }, watts: { type: 'integer' } } }
const content = (schema: Part, ...types: string[]): Part => ({
  content: Object.fromEntries(types.map((type) => [type, { schema }])),
})
const json = (schema: Part): Part => content(schema, 'application/json')
const ok = (schema: Part): Part => ({ 200: { description: 'ok', ...json(schema) } })
const one = { parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }] }

const bulb: Part = { $ref: '#/components/schemas/Bulb' }
const components: Part = { schemas: { Bulb: lamp } }

const paths = {
  '/lamps': {
    get: {
      responses: {
        200: { description: 'ok', ...content({ type: 'array', items: lamp }, 'text/csv', 'application/json') },
        406: { description: 'no such type' },
      },
    },
    post: { requestBody: { required: true, ...json(lamp) }, responses: ok(lamp) },
  },
  '/lamps/{id}': {
    ...one,
    get: { responses: ok(lamp) },
    patch: { requestBody: json(change), responses: ok(lamp) },
    delete: { responses: { 204: { description: 'gone' } } },
  },
  // A program that is sent as bytes, whose schema is an object.
  '/Scenes': { post: { requestBody: content(lamp, 'application/octet-stream'), responses: ok(lamp) } },
  '/Scenes/{id}': { ...one, get: { responses: ok(lamp) } },
  '/notes': { post: { requestBody: content(lamp, 'text/plain'), responses: ok(lamp) } },
  '/pictures': {
    post: {
      requestBody: content({ type: 'string', format: 'binary' }, 'application/octet-stream'),
      responses: ok(lamp),
    },
  },
  // Each property is required, and each could be left out.
  '/fittings/{lamp_id}': {
    parameters: [{ name: 'lamp_id', in: 'path', required: true, schema: { type: 'string' } }],
    post: {
      parameters: [
        {
          name: 'delimiter',
          in: 'query',
          required: true,
          description: 'Defaults to a comma.',
          schema: { type: 'string' },
        },
        { name: 'after', in: 'query', required: true, schema: { type: ['string', 'null'] } },
      ],
      requestBody: {
        required: true,
        ...json({
          type: 'object',
          required: ['lamp', 'token', 'title', 'unknown', 'socket', 'color', 'owner'],
          properties: {
            lamp: { type: 'string' },
            token: { type: 'string', description: 'If it is not specified, it is generated.' },
            // A default or null does not mean that it may be absent.
            title: { type: 'string', default: 'a fitting' },
            socket: { type: ['string', 'null'] },
            color: { type: 'string' },
            owner: { type: 'string', format: 'uuid', example: '536e564f316c83104c000020' },
            // Other lamps than that of the path.
            others: {
              type: 'array',
              items: { type: 'object', required: ['lamp'], properties: { lamp: { type: 'string' } } },
            },
          },
        }),
      },
      responses: { 204: { description: 'done' } },
    },
  },
  '/bulbs': { post: { requestBody: json(bulb), responses: ok(bulb) } },
  '/bulbs/{id}': { ...one, get: { responses: ok(bulb) }, patch: { requestBody: json(bulb), responses: ok(bulb) } },
  '/favourites': {
    delete: {
      parameters: [{ name: 'ids', in: 'query', required: true, schema: { type: 'string' } }],
      requestBody: json({ type: 'object', properties: { ids: { type: 'array', items: { type: 'string' } } } }),
      responses: { 204: { description: 'done' } },
    },
  },
  // The parts lack the properties of each other, so that no object of the whole could have any.
  '/houses': {
    post: {
      requestBody: json({
        additionalProperties: false,
        required: ['rooms'],
        allOf: [
          { type: 'object', properties: { name: { type: 'string' } }, additionalProperties: false },
          { type: 'object', properties: { rooms: { type: 'integer' } } },
        ],
      }),
      responses: { 204: { description: 'done' } },
    },
  },
  '/shelves': {
    get: {
      parameters: [
        {
          name: 'sort',
          in: 'query',
          description: 'Sorts in ascending order. For descending order add the prefix "-".',
          schema: { type: 'string', enum: ['name', 'watts'] },
        },
      ],
      responses: ok({ type: 'array', items: lamp }),
    },
  },
  '/gauges/{gaugeId}': {
    parameters: [{ name: 'gaugeId', in: 'path', required: true, schema: { type: 'string' } }],
    patch: {
      requestBody: json({
        type: 'array',
        items: {
          type: 'object',
          required: ['op', 'path'],
          properties: { op: { type: 'string' }, path: { type: 'string' }, value: { type: 'object' } },
        },
      }),
      responses: { 204: { description: 'done' } },
    },
    put: {
      requestBody: {
        content: {
          'multipart/form-data': {
            schema: { type: 'object', required: ['file'], properties: { file: { type: 'string', format: 'binary' } } },
          },
        },
      },
      responses: { 204: { description: 'done' } },
    },
  },
  '/rooms/': { get: { responses: ok({ type: 'array', items: change }) } },
  '/odd': { get: { responses: { 200: { description: 'without' } } } },
  '/odd/': { get: { responses: { 202: { description: 'with' } } } },
  '/reset': { post: { requestBody: json(change), responses: { 204: { description: 'done' } } } },
  '/vendor': {
    post: { requestBody: content(lamp, 'application/vnd.shop.v2+json'), responses: { 204: { description: 'ok' } } },
  },
}

const text = documentOf(paths, { components })

const budgetId: Part = {
  ...{ name: 'budget_id', in: 'path', required: true, schema: { type: 'string' } },
  description: 'The id of the budget. “last-used” can be used to specify the budget that was used last. Has a `name`.',
}
const budget: Part = { type: 'object', properties: { id: { type: 'string' }, name: { type: 'string' } } }
const budgets = documentOf({
  '/budgets': {
    get: { responses: ok({ type: 'array', items: budget }) },
    post: { requestBody: json(budget), responses: ok(budget) },
  },
  '/budgets/{budget_id}': { parameters: [budgetId], get: { responses: ok(budget) } },
  '/budgets/{budget_id}/accounts': {
    parameters: [budgetId],
    get: { responses: ok({ type: 'array', items: budget }) },
    post: { requestBody: json(budget), responses: ok(budget) },
  },
})

const typed = (type: string): [string, string][] => [['Content-Type', type]]

async function send(connection: Connection, request: string, type?: string, body?: unknown) {
  const [method = '', target = ''] = request.split(' ')
  const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
  const { status, text: answer } = await receive(connection, {
    method,
    target,
    headers: type === undefined ? [] : typed(type),
    ...sent,
  })
  const [exchange] = connection.sandbox.journal.list().slice(-1)
  return { status, body: /^[[{]/.test(answer) ? JSON.parse(answer) : answer, notes: exchange?.notes ?? [] }
}

const emptyIgnored = 'Content-Type "text/plain" of an empty body was ignored'

const make = (connection: Connection) => send(connection, 'POST /lamps', 'application/json', { id: 7, name: 'Ada' })

describe.each(doors)('through %s', (door) => {
  it('a slash at the end does not change a path', async () => {
    const connection = await openDocument(door, text)
    const made = await send(connection, 'POST /lamps/', 'application/json', { id: 7, name: 'Ada' })
    expect(made).toMatchObject({ status: 200, notes: ['the path was taken for /lamps'] })
    expect(await send(connection, 'GET /lamps/7/')).toMatchObject({ status: 200, body: { id: 7, name: 'Ada' } })
    expect(await send(connection, 'GET /lamps/7')).toMatchObject({ status: 200, notes: [] })
    expect(await send(connection, 'GET /rooms')).toMatchObject({
      status: 200,
      notes: ['the path was taken for /rooms/'],
    })
    expect((await send(connection, 'DELETE /lamps/7/')).status).toBe(204)
    expect((await send(connection, 'GET /lamps/7/')).status).toBe(404)
  })

  it('a word that a description names stands for the key of a record', async () => {
    const connection = await openDocument(door, budgets)
    const get = (path: string) => send(connection, `GET ${path}`)
    expect((await get('/budgets/last-used')).status).toBe(404)
    const { body: first } = await send(connection, 'POST /budgets', 'application/json', { name: 'Home' })
    await send(connection, 'POST /budgets', 'application/json', { name: 'Boat' })
    expect(await get('/budgets/last-used')).toMatchObject({
      body: first,
      notes: ['budget_id "last-used" stands for a record, unless one has this key'],
    })
    expect((await get('/budgets/name')).status).toBe(404)
    const { body: account } = await send(connection, 'POST /budgets/last-used/accounts', 'application/json', {
      name: 'Cash',
    })
    expect((await get(`/budgets/${first.id}/accounts`)).body).toEqual([account])
    await send(connection, 'POST /budgets', 'application/json', { id: 'last-used', name: 'Own' })
    expect((await get('/budgets/last-used')).body.name).toBe('Own')
  })

  it('the case of letters does not change a path', async () => {
    const connection = await openDocument(door, text)
    const made = await send(connection, 'POST /Lamps', 'application/json', { id: 7, name: 'Ada' })
    expect(made).toMatchObject({ status: 200, notes: ['the path was taken for /lamps'] })
    const read = await send(connection, 'GET /LAMPS/7')
    expect(read).toMatchObject({ status: 200, body: { id: 7 }, notes: ['the path was taken for /lamps/{id}'] })
    expect((await send(connection, 'GET /Lamps/8')).status).toBe(404)
    expect((await send(connection, 'DELETE /lampS')).status).toBe(405)
    expect((await send(connection, 'GET /Lamp')).status).toBe(404)
  })

  it('a path that the document has is never another one', async () => {
    const connection = await openDocument(door, text)
    const statuses = [await send(connection, 'GET /odd'), await send(connection, 'GET /odd/')]
    expect(statuses.map(({ status }) => status)).toEqual([200, 202])
    expect((await send(connection, 'GET /lamp/')).status).toBe(404)
    expect((await send(connection, 'GET /lamps//')).status).toBe(404)
    expect((await send(connection, 'POST /odd/')).status).toBe(405)
    expect((await send(connection, 'PUT /lamps/')).status).toBe(405)
  })

  it.each([
    ['POST /lamps', 'application/vnd.light+json'],
    ['POST /lamps', 'Application/Vnd.Light.v9+JSON; compatible-with=9'],
    ['POST /lamps', 'application/hal+json;charset=utf-8'],
    ['POST /Scenes', 'application/json'],
    ['POST /Scenes', 'application/vnd.light+json'],
    ['POST /notes', 'application/json'],
    ['POST /vendor', 'application/json'],
    ['POST /vendor', 'application/vnd.shop.v1+json'],
  ])('%s accepts %s, and judges it like JSON', async (request, type) => {
    const connection = await openDocument(door, text)
    const made = await send(connection, request, type, { id: 7, name: 'Ada' })
    expect(made.status).toBeLessThan(300)
    expect(made.notes[0]).toContain(`"${type}" was accepted in place of`)
    if (made.body !== '') expect(made.body).toEqual({ id: 7, name: 'Ada' })
    expect((await send(connection, request, type, { id: 'seven' })).status).toBe(400)
  })

  it('other media types are refused as before', async () => {
    const connection = await openDocument(door, text)
    expect((await send(connection, 'POST /lamps', 'text/plain', 'Ada')).status).toBe(415)
    expect((await send(connection, 'POST /pictures', 'application/json', { id: 1, name: 'x' })).status).toBe(415)
    expect(await send(connection, 'POST /reset', 'text/plain', 'now')).toMatchObject({
      status: 415,
      body: { message: expect.stringContaining('text/plain') },
    })
  })

  it('any JSON is accepted as the JSON of an answer', async () => {
    const connection = await openDocument(door, text)
    await make(connection)
    const get = async (accept: string) => {
      const headers: [string, string][] = [['Accept', accept]]
      const { status, headers: received } = await receive(connection, { method: 'GET', target: '/lamps', headers })
      const notes = connection.sandbox.journal.list().at(-1)?.notes
      return [status, received['content-type'], notes]
    }
    const read = ['Accept was read as application/json; compatible-with=9, text/csv;q=0.1']
    expect(await get('application/vnd.light+json; compatible-with=9, text/csv;q=0.1')).toEqual([
      200,
      'application/json',
      read,
    ])
    expect(await get('text/csv')).toEqual([200, 'text/csv', []])
    expect((await get('image/png'))[0]).toBe(406)
  })

  it('an empty body is no body where none is required', async () => {
    const connection = await openDocument(door, text)
    const empty = await send(connection, 'POST /reset', 'text/plain')
    expect(empty).toMatchObject({
      status: 204,
      notes: [emptyIgnored, expect.stringContaining('/reset changes nothing'), 'the request changed nothing'],
    })
    expect((await send(connection, 'POST /lamps', 'text/plain')).status).toBe(415)
  })

  it('patches change a record whose PATCH documents JSON', async () => {
    const connection = await openDocument(door, text)
    await send(connection, 'POST /lamps', 'application/json', { id: 7, name: 'Ada', watts: 4 })
    const patch = [
      { op: 'replace', path: '/name', value: 'Bo' },
      { op: 'remove', path: '/watts' },
    ]
    const patched = await send(connection, 'PATCH /lamps/7', 'application/json-patch+json', patch)
    expect(patched).toMatchObject({ status: 200, body: { id: 7, name: 'Bo' } })
    expect((await send(connection, 'GET /lamps/7')).body).toEqual({ id: 7, name: 'Bo' })
    const merged = await send(connection, 'PATCH /lamps/7', 'application/merge-patch+json', { watts: 9 })
    expect(merged.body).toEqual({ id: 7, name: 'Bo', watts: 9 })
    const wrong = [{ op: 'replace', path: '/name', value: 5 }]
    expect((await send(connection, 'PATCH /lamps/7', 'application/json-patch+json', wrong)).status).toBeGreaterThan(399)
  })
})

describe.each(doors)('what a document explains, through %s', (door) => {
  it('required values may be absent if the document says that they are not needed', async () => {
    const connection = await openDocument(door, text)
    const owner = '536e564f316c83104c000021'
    const sent = { title: 'a', socket: null, owner }
    const made = await send(connection, 'POST /fittings/7', 'application/json', { ...sent, color: 'red' })
    expect(made.status).toBe(204)
    expect(made.notes).toContain('Although query parameter delimiter is required, the request was accepted')
    expect(made.notes).toContain('Although query parameter after is required, the request was accepted')
    expect(made.notes).toContain('Although token is required, the request was accepted')
    for (const body of [
      sent,
      { ...sent, color: 5 },
      { socket: null, color: 'a', owner },
      { title: 'a', color: 'a', owner },
      { ...sent, color: 'red', others: [{}] },
    ])
      expect((await send(connection, 'POST /fittings/7', 'application/json', body)).status).toBe(400)
  })

  it('a change with the schema of a creation may have a part of it', async () => {
    const connection = await openDocument(door, text)
    await send(connection, 'POST /bulbs', 'application/json', { id: 7, name: 'Ada', watts: 4 })
    const changed = await send(connection, 'PATCH /bulbs/7', 'application/json', { watts: 9 })
    expect(changed).toMatchObject({ status: 200, body: { id: 7, name: 'Ada', watts: 9 } })
    expect(changed.notes).toContain('Although name is required, the request was accepted')
    expect((await send(connection, 'PATCH /bulbs/7', 'application/json', { watts: 'a' })).status).toBe(400)
    expect((await send(connection, 'POST /bulbs', 'application/json', { id: 8, watts: 9 })).status).toBe(400)
  })

  it('the value of a change may be of any type, and the only file of a form may have any name', async () => {
    const connection = await openDocument(door, text)
    const patch = [{ op: 'replace', path: '/level', value: 5 }]
    expect((await send(connection, 'PATCH /gauges/a', 'application/json', patch)).status).toBe(204)
    const wrong = [{ op: 5, path: '/level', value: 5 }]
    expect((await send(connection, 'PATCH /gauges/a', 'application/json', wrong)).status).toBe(400)
    const put = async (part: string) => {
      const body = `--x\r\nContent-Disposition: form-data; ${part}\r\n\r\nhigh water\r\n--x--\r\n`
      const headers: [string, string][] = [['Content-Type', 'multipart/form-data; boundary=x']]
      return (await receive(connection, { method: 'PUT', target: '/gauges/a', headers, body })).status
    }
    expect(await put('name="content"; filename="a.txt"')).toBe(204)
    expect(await put('name="content"')).toBe(400)
  })

  it('a list may be in the query or in the body', async () => {
    const connection = await openDocument(door, text)
    const statusOf = async (target: string, body: unknown) =>
      (await send(connection, `DELETE ${target}`, 'application/json', body)).status
    expect(await statusOf('/favourites?ids=a', {})).toBe(204)
    expect(await statusOf('/favourites', { ids: ['a'] })).toBe(204)
    expect(await statusOf('/favourites', ['a'])).toBe(400)
    expect(await statusOf('/favourites', {})).toBe(400)
    expect(await statusOf('/favourites?ids=a', 'a')).toBe(400)
  })

  it('closed parts of an object are closed together', async () => {
    const connection = await openDocument(door, text)
    const statusOf = async (body: unknown) => (await send(connection, 'POST /houses', 'application/json', body)).status
    expect(await statusOf({ name: 'Ada', rooms: 3 })).toBe(204)
    expect(await statusOf({ name: 'Ada' })).toBe(400)
    expect(await statusOf({ name: 'Ada', rooms: 3, roof: 1 })).toBe(400)
  })

  it('a minus sorts descending if the description says so', async () => {
    const connection = await openDocument(door, text)
    expect((await send(connection, 'GET /shelves?sort=-watts')).status).toBe(200)
    expect((await send(connection, 'GET /shelves?sort=-id')).status).toBe(400)
  })

  it('a file of any type may be sent as bytes', async () => {
    const connection = await openDocument(door, text)
    expect((await send(connection, 'POST /pictures', 'text/csv', 'a,b')).status).toBe(200)
  })
})

it('an exact sandbox accepts only what is documented', async () => {
  const { contract } = await compileOnce(text)
  const statusesOf = async (exact: boolean) => {
    const sandbox = createSandbox({ contract, exact })
    const headers = { 'Content-Type': 'application/vnd.light+json' }
    const body = JSON.stringify({ id: 1, name: 'Ada' })
    const answers = [
      await sandbox.fetch('http://localhost/lamps/'),
      await sandbox.fetch('http://localhost/lamps', { method: 'POST', headers, body }),
      await sandbox.fetch('http://localhost/reset', { method: 'POST', headers: { 'Content-Type': 'text/plain' } }),
      await sandbox.fetch('http://localhost/favourites', {
        method: 'DELETE',
        headers: { 'Content-Type': 'application/json' },
        body: '{"ids":["a"]}',
      }),
    ]
    return answers.map(({ status }) => status)
  }
  expect(await statusesOf(false)).toEqual([200, 200, 204, 204])
  expect(await statusesOf(true)).toEqual([404, 415, 415, 400])
})

it('the bundled document is always exact', async () => {
  const sandbox = createSandbox({ httpCare: true })
  const server = await startServer({ port: 0, httpCare: true })
  onTestFinished(() => server.close())
  const headers = { Authorization: 'Bearer sandbox' }
  expect((await sandbox.fetch('http://localhost/v1/pets/', { headers })).status).toBe(404)
  expect((await fetch(`${server.url}/v1/pets/`, { headers })).status).toBe(404)
})

it('`run` reports a path and a media type that are not documented', async () => {
  const folder = await writeFolder({ 'lamps.json': text })
  const script = `
    const url = process.env.PETSTORE_BASE_URL
    await fetch(url + '/lamps/')
    const headers = { 'Content-Type': 'application/vnd.light+json' }
    await fetch(url + '/lamps', { method: 'POST', headers, body: '{"id":1,"name":"Ada"}' })`
  const command = [process.execPath, '--input-type=module', '-e', script]
  const args = ['run', '--spec', 'lamps.json', '--report', 'json', '--', ...command]
  const { code, stdout } = await runWarm(args, { cwd: folder })
  const { findings } = JSON.parse(stdout)
  expect(code).toBe(1)
  expect(findings.map(({ rule }: { rule: string }) => rule).sort()).toEqual(['undocumented-path', 'wrong-content-type'])
})

it('a page of another origin may call a path with a slash at its end', async () => {
  const { send } = await openDocument('handle', text)
  const headers: [string, string][] = [
    ['Origin', 'https://page.example'],
    ['Access-Control-Request-Method', 'DELETE'],
  ]
  const { status, headers: received } = await send({ method: 'OPTIONS', target: '/lamps/7/', headers })
  expect([status, received['access-control-allow-methods']]).toEqual([204, expect.stringContaining('DELETE')])
})
