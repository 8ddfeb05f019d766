// Times that the service writes, in the form of each property, and what lists say about their pages.
import { describe, expect, it } from 'vitest'
import { ask, openSketch, runScript } from '../support/script.js'
import { integer, list, named, object, type Schema, text, toDocument } from '../support/sketch.js'

const number: Schema = { type: 'number' }
const [day, second, millisecond] = ['"2026-11-21"', '1795219200', '1795219200000']
const instant = '"2026-11-21T00:00:00.000Z"'

/** A property of the record, and the time that a new record has there. Undefined: none. */
const written: [name: string, schema: Schema, value: string | undefined][] = [
  ['created_on', { type: 'string', format: 'date' }, day],
  ['orderDay!', { type: 'string', format: 'date' }, day],
  ['created!', integer, second],
  ['created_at', integer, second],
  ['modified!', number, second],
  ['dateCreated', integer, second],
  ['createdAt', { type: 'integer', example: 1700000000000 }, millisecond],
  ['updated_at', { type: 'integer', description: 'In milliseconds since 1970' }, millisecond],
  ['created_ms', integer, millisecond],
  ['placed_at!', { type: 'integer', description: 'Unix time' }, second],
  ['ts!', { type: 'number', description: 'Unix timestamp with fractional seconds' }, second],
  ['epoch_ms!', integer, millisecond],
  ['audit!', object({ 'createdAt!': { type: 'string', format: 'date-time' } }), `{"createdAt":${instant}}`],
  ['audit!', object({ 'on!': { type: 'string', format: 'date' } }), `{"on":${day}}`],
  ['audit!', object({ 'times!': object({ 'created!': integer }) }), `{"times":{"created":${second}}}`],
  ['audit!', object({ 'updated_ms!': integer, 'count!': integer }), `{"updated_ms":${millisecond},"count":0}`],
  ['audit!', object({ 'at!': { type: 'string', example: '1 May' } }), '{"at":"1 May"}'],
  [
    'history!',
    { ...list(object({ 'at!': { type: 'string', format: 'date-time' } })), minItems: 1 },
    `[{"at":${instant}}]`,
  ],
  ['addedAt', text, instant],
  ['createdDate', { type: 'string', example: '2020-02-03' }, day],
  ['last_modified', { type: 'string', example: '2020-02-03 04:05:06' }, '"2026-11-21 00:00:00"'],
  ['createdBy', integer, undefined],
  ['created_count', integer, '0'],
  ['prep_time!', integer, '64'],
  ['duration_ms!', integer, '376617'],
  ['createdTime', { type: 'string', example: '3 May' }, undefined],
]

describe('a new record', () => {
  it.each(written)('has the time of the clock in %s of %j: %s', async (name, schema, value) => {
    const document = toDocument(
      {
        'POST /orders': { body: object({ item: text }), 201: named('Order') },
        'GET /orders': { 200: list(named('Order')) },
      },
      { Order: object({ 'id!': integer, item: text, [name]: schema }) },
    )
    const shown = value === undefined ? '' : `,"${name.replace('!', '')}":${value}`
    await runScript({ name, document, steps: `POST /orders {"item":"x"} -> 201 {"id":1,"item":"x"${shown}}` })
  })
})

const orders = toDocument(
  {
    'GET /orders': { 200: list(named('Order')) },
    'POST /orders': { body: object({ item: text }), 201: named('Order') },
    'GET /orders/{orderId}': { 200: named('Order') },
    'PUT /orders/{orderId}': { body: object({ item: text }), 200: named('Order') },
    'PATCH /orders/{orderId}': { body: object({ item: text }), 200: named('Order') },
    'POST /orders/{orderId}/cancel': { 200: named('Order') },
    'POST /orders/{orderId}/ship': { 200: named('Order') },
  },
  {
    Order: object({
      'id!': integer,
      item: text,
      created: integer,
      updated_on: { type: 'string', format: 'date' },
      canceled_at: { type: ['integer', 'null'] },
      shipped_on: { type: 'string', format: 'date' },
    }),
  },
)

describe('a day later', () => {
  const begun = `"created":${second},"updated_on":"2026-11-22","canceled_at":null`

  it.each([
    ['PUT', 'PUT /orders/1 {"item":"y"}', `200 {"id":1,"item":"y",${begun}}`],
    ['PATCH', 'PATCH /orders/1 {"item":"y"}', `200 {"id":1,"item":"y",${begun}}`],
  ])('%s writes the time of the last change again, and keeps that of the creation', async (_, line, answer) => {
    const sandbox = await openSketch(orders)
    await ask(sandbox, 'POST /orders {"item":"x"}')
    await sandbox.clock.advance(86_400_000)
    expect(await ask(sandbox, line)).toBe(answer)
  })

  it.each([
    ['cancel', '"canceled_at":1795305600'],
    ['ship', '"shipped_on":"2026-11-22"'],
  ])('the action %s writes its time in the form of the property', async (verb, shown) => {
    const sandbox = await openSketch(orders)
    await ask(sandbox, 'POST /orders {"item":"x"}')
    await sandbox.clock.advance(86_400_000)
    expect(await ask(sandbox, `POST /orders/1/${verb}`)).toContain(shown)
  })
})

describe('the answer to a change that does not show the record as it is kept', () => {
  const removed = object({ 'id!': integer, deleted: { type: 'boolean' }, deleted_at: { type: 'integer' } })
  const document = toDocument({
    'GET /xs': { 200: list(object({ 'id!': integer, name: text })) },
    'POST /xs': { body: object({ name: text }), 201: object({ 'id!': integer, name: text }) },
    'GET /xs/{xId}': { 200: object({ 'id!': integer, name: text }) },
    'DELETE /xs/{xId}': { 200: removed },
    'POST /sync': {
      200: object({ 'ok!': { type: 'boolean' }, 'startedAt!': { type: 'string', format: 'date-time' } }),
    },
    'POST /days': { 200: object({ 'on!': { type: 'string', format: 'date' }, 'unix_time!': integer }) },
    'GET /state': { 200: object({ 'startedAt!': { type: 'string', format: 'date-time' } }) },
    'POST /copy': {
      200: object({ 'startedAt!': { type: 'string', format: 'date-time', example: '2020-02-03T00:00:00Z' } }),
    },
  })

  it.each([
    ['says when a record was removed', 'DELETE /xs/1', `{"id":1,"deleted":true,"deleted_at":${second}}`],
    ['has the time of the clock', 'POST /sync', `{"ok":true,"startedAt":${instant}}`],
    ['has a date and a Unix time of the clock', 'POST /days', `{"on":${day},"unix_time":${second}}`],
    ['keeps the times of an example', 'POST /copy', '{"startedAt":"2020-02-03T00:00:00Z"}'],
    ['is the same each time for a reading request', 'GET /state', '{"startedAt":"2026-01-01T00:00:00.000Z"}'],
  ])('%s', async (name, line, answer) => {
    await runScript({ name, document, scenario: { xs: [{ id: 1, name: 'x' }] }, steps: `${line} -> 200 ${answer}` })
  })
})

describe('what a list says about its page', () => {
  const facts = ['current_page!', 'last_page!', 'from!', 'to!', 'per_page!', 'total!'].map((name) => [name, number])
  const document = (query: string[]) =>
    toDocument(
      {
        'GET /xs': { query, 200: object({ 'data!': list(named('X')), 'meta!': object(Object.fromEntries(facts)) }) },
        'POST /xs': { body: object({ name: text }), 201: named('X') },
      },
      { X: object({ 'id!': integer, name: text }) },
    )
  const xs = Array.from({ length: 7 }, (_, index) => ({ id: index + 1, name: 'x' }))

  it.each([
    [
      'page',
      ['page', 'per_page'],
      '/xs?page=2&per_page=3',
      { current_page: 2, last_page: 3, from: 4, to: 6, per_page: 3, total: 7 },
    ],
    [
      'offset',
      ['offset', 'limit'],
      '/xs?offset=6&limit=3',
      { current_page: 3, last_page: 3, from: 7, to: 7, per_page: 3, total: 7 },
    ],
    ['size', ['per_page'], '/xs?per_page=2', { current_page: 1, last_page: 4, per_page: 2, total: 7 }],
  ])('is right where a request chooses its %s', async (_, query, target, expected) => {
    const sandbox = await openSketch(document(query), { scenario: { xs } })
    const { meta } = JSON.parse((await ask(sandbox, `GET ${target}`)).slice(4))
    expect(meta).toMatchObject(expected)
  })
})
