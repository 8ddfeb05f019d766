/** Names that requests and records spell differently, through every transport. */
import { describe, expect, it } from 'vitest'
import { documentOf, doors, openDocument, type Part, receive } from '../support/one-operation.js'
import type { Connection } from '../support/raw-request.js'

const text = { type: 'string' }
const integer = { type: 'integer' }
const json = (schema: Part): Part => ({ content: { 'application/json': { schema } } })
const form = (schema: Part): Part => ({ content: { 'application/x-www-form-urlencoded': { schema } } })
const ok = (schema: Part): Part => ({ 200: { description: 'ok', ...json(schema) } })
const object = (required: string[], properties: Part): Part => ({ type: 'object', required, properties })
const query = (...names: string[]): Part => ({
  parameters: names.map((name) => ({ name, in: 'query', schema: text })),
})
const pathsOf = (name: string, record: Part, draft: Part, key: string): Part => ({
  [`/${name}`]: {
    get: { ...query('FriendlyName', 'MaxSize', 'page-size'), responses: ok({ type: 'array', items: record }) },
    post: { requestBody: draft, responses: ok(record) },
  },
  [`/${name}/{${key}}`]: {
    parameters: [{ name: key, in: 'path', required: true, schema: text }],
    get: { responses: ok(record) },
    post: { operationId: `update_${name}`, requestBody: draft, responses: ok(record) },
    put: { summary: 'Replace it', requestBody: draft, responses: ok(record) },
  },
})

const tank = object(['sid'], { sid: text, friendly_name: text, max_size: integer, is_open: { type: 'boolean' } })
const tankDraft = object(['FriendlyName'], { FriendlyName: text, MaxSize: text, IsOpen: text })
const shelf = object(['shelfId', 'longTitle'], { shelfId: text, longTitle: text, boardCount: integer })
const shelfDraft = object(['long-title'], { 'long-title': text, 'board-count': integer })
const vase = object(['id'], { id: text, MAIN_GLAZE: text, 'kiln.no': integer, kiln_No: integer, rim: text, Rim: text })
const vaseDraft = object([], { mainGlaze: text, kilnNo: integer, RIM: text, foot: text })
const seat = object(['seat_code', 'row_no'], { seat_code: text, row_no: integer })
const seatDraft = object(['SeatCode', 'RowNo'], { SeatCode: text, RowNo: integer })

const crumb = object([], { gid: text, grain: text })
const crumbDraft = object([], { grain: text })

const document = documentOf({
  '/crumbs': { post: { requestBody: json(crumbDraft), responses: ok(crumb) } },
  '/crumbs/{gid}': {
    parameters: [{ name: 'gid', in: 'path', required: true, schema: text }],
    get: { responses: ok(crumb) },
  },
  '/crumbs/{gid}/crumblets': {
    parameters: [{ name: 'gid', in: 'path', required: true, schema: text }],
    get: { responses: ok({ type: 'array', items: crumb }) },
    post: { requestBody: json(crumbDraft), responses: ok(crumb) },
  },
  ...pathsOf('Tanks', tank, form(tankDraft), 'Sid'),
  ...pathsOf('shelves', shelf, json(shelfDraft), 'shelfId'),
  '/vases': {
    get: { responses: ok(object([], { data: { type: 'array', items: vase } })) },
    post: { requestBody: json(object([], { data: vaseDraft })), responses: ok(object([], { data: vase })) },
  },
  '/vases/{id}': {
    parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
    get: { responses: ok(object([], { data: vase })) },
  },
  ...pathsOf('seats', seat, json(seatDraft), 'seat_code'),
})

type Sent = Record<string, unknown>

async function send(connection: Connection, request: string, body?: Sent, type = 'application/json') {
  const [method = '', target = ''] = request.split(' ')
  const headers: [string, string][] = body === undefined ? [] : [['Content-Type', type]]
  const isJson = type === 'application/json'
  const written = isJson ? JSON.stringify(body) : `${new URLSearchParams(body as Record<string, string>)}`
  const { text: answer } = await receive(connection, { method, target, headers, ...(body && { body: written }) })
  return JSON.parse(answer)
}

describe.each(doors)('two spellings of one name over %s', (door) => {
  const open = () => openDocument(door, document)
  const sendForm = (connection: Connection, request: string, body: Sent) =>
    send(connection, request, body, 'application/x-www-form-urlencoded')

  it('are one property in a form, in the type of the record', async () => {
    const connection = await open()
    const made = await sendForm(connection, 'POST /Tanks', { FriendlyName: 'Koi', MaxSize: '40', IsOpen: 'true' })
    expect(made).toEqual({ sid: made.sid, friendly_name: 'Koi', max_size: 40, is_open: true })
    expect(await send(connection, `GET /Tanks/${made.sid}`)).toEqual(made)
    const changed = await sendForm(connection, `POST /Tanks/${made.sid}`, { FriendlyName: 'Carp' })
    expect(changed).toEqual({ ...made, friendly_name: 'Carp' })
    const replaced = await sendForm(connection, `PUT /Tanks/${made.sid}`, { FriendlyName: 'Eel' })
    expect(replaced).toEqual({ sid: made.sid, friendly_name: 'Eel', is_open: false })
  })

  it('are one property in JSON', async () => {
    const connection = await open()
    const made = await send(connection, 'POST /shelves', { 'long-title': 'Maps', 'board-count': 4 })
    expect(made).toEqual({ shelfId: made.shelfId, longTitle: 'Maps', boardCount: 4 })
    const changed = await send(connection, `POST /shelves/${made.shelfId}`, { 'long-title': 'Maps', 'board-count': 5 })
    expect(changed).toEqual({ ...made, boardCount: 5 })
  })

  it('are one property in an envelope, unless several may be meant', async () => {
    const connection = await open()
    const sent = { mainGlaze: 'ash', kilnNo: 3, RIM: 'flared' }
    const { data } = await send(connection, 'POST /vases', { data: sent })
    expect(data).toEqual({ id: data.id, MAIN_GLAZE: 'ash' })
  })

  it('are one key', async () => {
    const connection = await open()
    await send(connection, 'POST /seats', { SeatCode: 'A7', RowNo: 7 })
    expect(await send(connection, 'GET /seats/A7')).toEqual({ seat_code: 'A7', row_no: 7 })
  })

  it('are one filter', async () => {
    const connection = await open()
    for (const [FriendlyName, MaxSize] of [
      ['Koi', '1'],
      ['Carp', '2'],
      ['Eel', '2'],
    ] as const)
      await sendForm(connection, 'POST /Tanks', { FriendlyName, MaxSize })
    const named = await send(connection, 'GET /Tanks?FriendlyName=Carp')
    expect(named.map((each: Sent) => each['friendly_name'])).toEqual(['Carp'])
    expect(await send(connection, 'GET /Tanks?MaxSize=2')).toHaveLength(2)
    expect(await send(connection, 'GET /Tanks?page-size=1')).toHaveLength(1)
  })

  it('show a key in the type of the answer', async () => {
    const connection = await open()
    const { gid } = await send(connection, 'POST /crumbs', { grain: 'rye' })
    const made = await send(connection, `POST /crumbs/${gid}/crumblets`, { grain: 'oat' })
    expect(made).toEqual({ gid: expect.any(String), grain: 'oat' })
    expect(await send(connection, `GET /crumbs/${gid}/crumblets`)).toEqual([made])
  })

  it('are unknown if the document does not have them', async () => {
    const connection = await open()
    const made = await send(connection, 'POST /shelves', { 'long-title': 'Maps', board_count: 4 })
    expect(made).toEqual({ shelfId: made.shelfId, longTitle: 'Maps' })
  })
})
